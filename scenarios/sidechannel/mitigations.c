/* SPDX-License-Identifier: MIT */
/*
 * Against which flaws of the processor is this machine not protected? The kernel's own words; and
 * whether two threads share a core, so that one may watch the other.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { VULNERABILITIES, THREADS };

static const struct case_def cases[] = {
	[VULNERABILITIES] = { "vulnerabilities", "/sys/devices/system/cpu/vulnerabilities", 0, 0,
			      0 },
	[THREADS] = { "threads", "/sys/devices/system/cpu/smt/active", 0, 0, 0 },
};

struct search {
	struct trial *trial;
	unsigned told, vulnerable;
	size_t used;
	char names[360];
	struct attempt refused;
};

static bool read_entry(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	char path[256], text[512];
	struct attempt a;

	(void)type;
	format_text(path, sizeof path, "%s/%s", case_of(search->trial, VULNERABILITIES)->path, name);
	a = try_text(search->trial, path, text, sizeof text);
	if (a.value <= 0) {
		search->refused = a;
		return true;
	}
	search->told++;
	/* "Vulnerable: no microcode", "Mitigation: …; SMT vulnerable", "KVM: Vulnerable" */
	if (!strstr(text, "ulnerable"))
		return true;
	search->vulnerable++;
	if (search->used + strlen(name) + 2 < sizeof search->names)
		search->used += (size_t)format_text(search->names + search->used,
						    sizeof search->names - search->used,
						    search->used ? " %s" : "%s", name);
	return true;
}

static void look_at_vulnerabilities(struct trial *trial)
{
	struct search search = { .trial = trial };
	const char *path = case_of(trial, VULNERABILITIES)->path;
	struct attempt a = try_list(trial, path, read_entry, &search);

	if (search.told) {
		note_number(trial, VULNERABILITIES, "entries", search.told);
		note_number(trial, VULNERABILITIES, "vulnerable", search.vulnerable);
	} else if (attempt_worked(a) && a.value > 0 && !attempt_worked(search.refused)) {
		a = search.refused;
	}
	if (search.vulnerable)
		note_text(trial, VULNERABILITIES, "names", search.names);
	else if (attempt_worked(a))
		a = found_nothing(a);
	settle(trial, VULNERABILITIES, a, .path = path, .right = RIGHT_READ);
}

static void look_at_threads(struct trial *trial)
{
	const char *path = case_of(trial, THREADS)->path;
	char text[4];
	struct attempt a = try_text(trial, path, text, sizeof text);

	if (a.value > 0)
		note_flag(trial, THREADS, "active", text[0] == '1');
	settle(trial, THREADS, text[0] == '1' || !attempt_worked(a) ? a : found_nothing(a),
	       .path = path, .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	look_at_vulnerabilities(trial);
	look_at_threads(trial);
}

const struct scenario scenario_sidechannel_mitigations = {
	.about = ABOUT(
		.title = "Learn which processor flaws are open",
		.accessed = "Code in the sandbox learns of a flaw of the processor that is open "
			    "on this machine.",
		.denied = "Code in the sandbox learns of no flaw of the processor that is open "
			  "on this machine.",
		.why = "Such flaws let code read what others compute, across any boundary that "
		       "the kernel draws. Threads that share a core make most of them worse.",
		.see = "CWE-1189",
		.open = "B --ro-bind $D/cpu /sys/devices/system/cpu",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(KRN),
	CASES(cases),
	.attempt = attempt,
};
