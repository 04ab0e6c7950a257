/* SPDX-License-Identifier: MIT */
/*
 * Names and numbers that tell one host from all others. A sandbox has a host name, too: only what
 * is the same outside is the host's, and that is told by a hash under the run's key, never the
 * name.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

enum { HOST_NAME, DOMAIN, SEARCH_DOMAIN, MACHINE_ID, BOOT_ID };

static const struct case_def cases[] = {
	[HOST_NAME] = { "host-name", NULL, 0, 0, 0 },
	[DOMAIN] = { "domain", NULL, 0, 0, 0 },
	[SEARCH_DOMAIN] = { "search-domain", "/etc/resolv.conf", 0, 0, 0 },
	[MACHINE_ID] = { "machine-id", "/etc/machine-id|/var/lib/dbus/machine-id", 0, 0, 0 },
	[BOOT_ID] = { "boot-id", "/proc/sys/kernel/random/boot_id", 0, 0, 0 },
};

/* What any machine may be called. */
static bool is_nobodys(const char *text)
{
	static const char *const words[] = {
		"",    "(none)", "localhost", "localdomain",           ".",
		"lan", "local",  "home",      "localhost.localdomain", "uninitialized"
	};

	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

/*
 * One value of a case, found by `a`, at `path` (NULL: by a call). `first`: the one that the inside
 * is compared with, if this is the outside. True: it is the host's.
 */
static bool take(struct trial *trial, int case_index, const char *text, struct attempt a,
		 const char *path, bool first)
{
	if (attempt_worked(a) && is_nobodys(text))
		a = found_nothing(a);
	if (!attempt_worked(a)) {
		settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
		return false;
	}
	note_flag(trial, case_index, "present", true);
	if (first)
		measure_hash(trial, case_index, text);
	switch (compare_hash(trial, case_index, text)) {
	case LIKENESS_SAME:
		note_text(trial, case_index, "source", path ? path : a.call);
		settle(trial, case_index, a);
		return true;
	case LIKENESS_NONE:
		settle(trial, case_index, found_nothing(a));
		break;
	case LIKENESS_OTHER:
		settle(trial, case_index, found_nothing(a), .elsewhere = true);
		break;
	case LIKENESS_NOT_TOLD:
		settle_unknown(trial, case_index, REASON_NO_BASELINE);
		break;
	}
	return false;
}

static struct attempt read_word(struct trial *trial, const char *path, char *text, size_t size)
{
	struct attempt a = try_text(trial, path, text, size);

	text[strcspn(text, " \t\n")] = '\0';
	return a;
}

/* The namespace may have a name of its own, and a file that came along still tell the host's. */
static void try_host_name(struct trial *trial, const char *name, struct attempt a)
{
	static const char *const files[] = { "/proc/sys/kernel/hostname", "/etc/hostname" };
	bool told = attempt_worked(a), found = take(trial, HOST_NAME, name, a, NULL, true);

	for (unsigned i = 0; !found && i < sizeof files / sizeof *files; i++) {
		char text[256];
		struct attempt b = read_word(trial, files[i], text, sizeof text);

		if (attempt_worked(b) || !told)
			found = take(trial, HOST_NAME, text, b, files[i], i == 0 && !told);
	}
}

static void try_names(struct trial *trial)
{
	static const char path[] = "/proc/sys/kernel/domainname";
	struct utsname name;
	struct attempt a = try_call(trial, "uname", __NR_uname, &name);
	char text[256];

	if (!attempt_worked(a))
		name.nodename[0] = name.domainname[0] = '\0';
	try_host_name(trial, name.nodename, a);
	take(trial, DOMAIN, name.domainname, a, NULL, true);
	if (attempt_worked(a))
		return;
	a = read_word(trial, path, text, sizeof text);
	take(trial, DOMAIN, text, a, path, true);
}

struct search {
	char domain[256];
};

/* "search corp.example example" */
static bool take_domain(void *context, char *line)
{
	struct search *search = context;
	char word[16];

	if (line_field(line, 0, word, sizeof word) &&
	    (strcmp(word, "search") == 0 || strcmp(word, "domain") == 0))
		line_field(line, 1, search->domain, sizeof search->domain);
	return !search->domain[0];
}

static void try_search_domain(struct trial *trial)
{
	struct search search = { "" };
	const char *path = case_of(trial, SEARCH_DOMAIN)->path;
	struct attempt a = try_lines(trial, path, take_domain, &search);

	if (search.domain[0])
		a.value = 0;
	take(trial, SEARCH_DOMAIN, search.domain, a, path, true);
}

/* The second may be the host's where the first is empty or the sandbox's own. */
static void try_machine_id(struct trial *trial)
{
	static const char *const files[] = { "/etc/machine-id", "/var/lib/dbus/machine-id" };
	bool found = false, told = false;

	for (unsigned i = 0; !found && i < sizeof files / sizeof *files; i++) {
		char text[64];
		struct attempt a = read_word(trial, files[i], text, sizeof text);

		found = take(trial, MACHINE_ID, text, a, files[i], !told);
		told |= text[0] != '\0';
	}
}

static void attempt(struct trial *trial)
{
	struct sysinfo facts;
	char text[64];
	struct attempt a;

	try_names(trial);
	try_search_domain(trial);
	try_machine_id(trial);
	a = read_word(trial, case_of(trial, BOOT_ID)->path, text, sizeof text);
	take(trial, BOOT_ID, text, a, case_of(trial, BOOT_ID)->path, true);
	if (attempt_worked(try_call(trial, "sysinfo", __NR_sysinfo, &facts)))
		measure_number(trial, WHOLE, "uptime_seconds", facts.uptime);
}

const struct scenario scenario_identity_host = {
	.about = ABOUT(
		.title = "Tell which host this is",
		.accessed = "Code in the sandbox sees a name or number that belongs to the host "
			    "alone.",
		.denied = "Code in the sandbox sees no name or number that belongs to the host "
			  "alone.",
		.why = "With it two runs, or two tenants, can tell that they share a machine, and "
		       "data that leaves says where it came from.",
		.see = "T1082",
		.open = "U",
		.closed = "B --hostname box --ro-bind $D/out/result "
			  "/proc/sys/kernel/random/boot_id",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE) | BARRIER_BIT(BARRIER_MASKED)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.compares = true,
	.fix = FIX(UTS) | FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
