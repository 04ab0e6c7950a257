/* SPDX-License-Identifier: MIT */
/*
 * Kernel and distribution: what uname(2) says, and the files that name a distribution. A kernel
 * of the sandbox's own answers with its own name here, which is then no fact about the host.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/utsname.h>

enum { KERNEL, ETC_OS_RELEASE, USR_OS_RELEASE, ETC_RELEASE, PROC_VERSION, PROC_RELEASE };

static const struct case_def cases[] = {
	[KERNEL] = { "kernel", NULL, 0, 0, 0 },
	[ETC_OS_RELEASE] = { "etc-os-release", "/etc/os-release", 0, 0, 0 },
	[USR_OS_RELEASE] = { "usr-os-release", "/usr/lib/os-release", 0, 0, 0 },
	[ETC_RELEASE] = { "etc-release",
			  "/etc/debian_version|/etc/alpine-release|/etc/redhat-release|"
			  "/etc/system-release|/etc/SuSE-release|/etc/arch-release",
			  0, 0, 0 },
	[PROC_VERSION] = { "proc-version", "/proc/version", 0, 0, 0 },
	[PROC_RELEASE] = { "proc-release", "/proc/sys/kernel/osrelease", 0, 0, 0 },
};

static const struct question asks[] = { { __NR_uname, { 0 } } };

struct search {
	struct trial *trial;
	int case_index;
	bool found;
};

/* PRETTY_NAME, where it stands, says more than the NAME it replaces. */
static bool take_name(void *context, char *line)
{
	struct search *search = context;
	bool pretty = starts_with(line, "PRETTY_NAME=");
	char *value = line + (pretty ? 12 : 5);

	if (!pretty && (search->found || !starts_with(line, "NAME=")))
		return true;
	value += strspn(value, "\"'");
	value[strcspn(value, "\"'")] = '\0';
	if (*value) {
		note_text(search->trial, search->case_index, "distribution", value);
		search->found = true;
	}
	return !search->found || !pretty;
}

static bool take_line(void *context, char *line)
{
	struct search *search = context;

	search->found = *line != '\0';
	if (search->found)
		note_text(search->trial, search->case_index, "version", line);
	return false;
}

static void look_at_file(struct trial *trial, int case_index)
{
	struct search search = { trial, case_index, false };
	bool is_pairs = case_index == ETC_OS_RELEASE || case_index == USR_OS_RELEASE;
	char text[4096], path[64];
	struct attempt a;

	find_place(trial, case_of(trial, case_index)->path, path, sizeof(path));
	a = try_text(trial, path, text, sizeof(text));
	if (attempt_worked(a)) {
		each_line(text, is_pairs ? take_name : take_line, &search);
		if (!search.found)
			a = found_nothing(a);
	}
	settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	struct utsname name = { 0 };
	struct attempt a = try_call(trial, "uname", __NR_uname, &name);

	if (attempt_worked(a) && !name.release[0])
		a = found_nothing(a);
	if (attempt_worked(a)) {
		note_text(trial, KERNEL, "system", name.sysname);
		note_text(trial, KERNEL, "release", name.release);
		note_text(trial, KERNEL, "machine", name.machine);
	}
	settle(trial, KERNEL, a);
	for (int i = ETC_OS_RELEASE; i <= PROC_RELEASE; i++)
		look_at_file(trial, i);
}

const struct scenario scenario_system_operating_system = {
	.about = ABOUT(
		.title = "Read the kernel and distribution",
		.accessed = "Code in the sandbox can tell the kernel's release or the "
			    "distribution.",
		.denied = "Code in the sandbox can tell neither the kernel's release nor the "
			  "distribution.",
		.why = "The exact version narrows down which known flaws are worth trying. Most "
		       "programs expect to read it, and only a kernel of the sandbox's own keeps "
		       "the host's secret.",
		.see = "T1082",
		.paper = "Operating system",
		.ours = true,
		.open = "B",
		.closed = "S(uname) -proc -usr",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(KRN),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
