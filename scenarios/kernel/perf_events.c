/* SPDX-License-Identifier: MIT */
/*
 * Can performance events be counted: of this process by the kernel's clock or by the processor's
 * cycles, or of whatever runs on a processor? Each counter is opened switched off, and closed.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>

enum { OWN_CLOCK, OWN_CYCLES, WHOLE_PROCESSOR };
#define SETTING "kernel.perf_event_paranoid"
/* From which value on the setting refuses; 3 and 4 are Debian's and Ubuntu's own. */
enum { REFUSES_PROCESSOR = 1, REFUSES_KERNEL = 2, REFUSES_ALL = 3 };

static const struct case_def cases[] = {
	[OWN_CLOCK] = { "own-clock", NULL, 0, 0, 0 },
	[OWN_CYCLES] = { "own-cycles", NULL, 0, 0, 0 },
	[WHOLE_PROCESSOR] = { "whole-processor", NULL, 0, 0, 0 },
};

static const struct {
	uint32_t type;
	uint64_t event;
	int pid, processor;
} counters[] = {
	[OWN_CLOCK] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, -1 },
	[OWN_CYCLES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, -1 },
	[WHOLE_PROCESSOR] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 0 },
};

static struct attempt open_counter(struct trial *trial, int which, bool with_kernel)
{
	struct perf_event_attr request = {
		.type = counters[which].type,
		.size = PERF_ATTR_SIZE_VER0,
		.config = counters[which].event,
		.disabled = 1,
		.exclude_kernel = !with_kernel,
		.exclude_hv = 1,
	};
	struct attempt a = try_call_as(trial, "pvvvv", "perf_event_open", __NR_perf_event_open,
				       &request, counters[which].pid, counters[which].processor, -1,
				       PERF_FLAG_FD_CLOEXEC);

	close_fd((int)a.value);
	return a;
}

/* Is it the setting that refuses a counter? Unread, it is told by the counters that it allows. */
static bool is_withheld(const struct attempt *a, int which, bool known, int64_t paranoid,
			bool own_works)
{
	if (a->reached && a->error != EACCES && a->error != EPERM)
		return false;
	if (!known)
		return a->reached && which == WHOLE_PROCESSOR && own_works;
	/* Elsewhere 3 means no more than 2, and a filter that answers does not tell. */
	return which == WHOLE_PROCESSOR ? paranoid >= REFUSES_PROCESSOR :
					  a->reached && paranoid >= REFUSES_ALL;
}

static void attempt(struct trial *trial)
{
	bool own_works = false, known = false, read = false;
	int64_t paranoid = 0;
	/* Whoever holds SYS_ADMIN needs no other. */
	int needs = has_capability(CAP_SYS_ADMIN) ? CAP_SYS_ADMIN : CAP_PERFMON;

	for (int i = OWN_CLOCK; i <= WHOLE_PROCESSOR; i++) {
		struct attempt a = open_counter(trial, i, false);
		bool withheld;

		if (i == OWN_CLOCK)
			own_works = attempt_worked(a);
		if (attempt_worked(a))
			note_flag(trial, i, "kernel_included",
				  attempt_worked(open_counter(trial, i, true)));
		else if (!read)
			known = read_setting(trial, SETTING, &paranoid);
		read |= !attempt_worked(a);
		withheld = !attempt_worked(a) && is_withheld(&a, i, known, paranoid, own_works);
		settle(trial, i, a,
		       .sysctl = withheld && (a.reached || !has_capability(needs)) ? SETTING :
											   NULL,
		       .capability = withheld ? NEEDS_CAP(needs) : 0);
	}
}

static const struct question asks[] = {
	{ __NR_perf_event_open, { 0, 0, -1, -1, PERF_FLAG_FD_CLOEXEC } },
	{ __NR_perf_event_open, { 0, -1, 0, -1, PERF_FLAG_FD_CLOEXEC } },
};

const struct scenario scenario_kernel_perf_events = {
	.about = ABOUT(
		.title = "Count performance events",
		.accessed = "Code in the sandbox can open performance counters of the kernel.",
		.denied = "Code in the sandbox cannot open any performance counter.",
		.why = "Counters are precise clocks: they tell what runs beside us, and where the "
		       "kernel includes itself, at which addresses it runs. Their code has had "
		       "flaws of its own.",
		.see = "T1068, CWE-208",
		.open = "O +PERFMON +call:perf_event_open",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
