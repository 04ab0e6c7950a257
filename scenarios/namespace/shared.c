/* SPDX-License-Identifier: MIT */
/*
 * Namespaces that the sandbox shares with the host: those of the same number as the host program's;
 * where the probe runs alone, those of the kernel's first number.
 */
#include "scenarios/scenario.h"

enum { N_CASES = NAMESPACE_CGROUP + 1 };

static const struct case_def cases[N_CASES] = {
	[NAMESPACE_PID] = { "pid", "/proc/self/ns/pid", 0, 0, 0 },
	[NAMESPACE_NET] = { "net", "/proc/self/ns/net", 0, 0, 0 },
	[NAMESPACE_MNT] = { "mnt", "/proc/self/ns/mnt", 0, 0, 0 },
	[NAMESPACE_IPC] = { "ipc", "/proc/self/ns/ipc", 0, 0, 0 },
	[NAMESPACE_UTS] = { "uts", "/proc/self/ns/uts", SEVERITY_LOW, 0, 0 },
	[NAMESPACE_USER] = { "user", "/proc/self/ns/user", 0, 0, 0 },
	[NAMESPACE_CGROUP] = { "cgroup", "/proc/self/ns/cgroup", 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_getpid, { 0 } },
};

static void judge(struct trial *trial, enum namespace_kind kind, bool compared)
{
	struct attempt a;

	switch (namespace_sharing(trial, kind, &a)) {
	case SHARING_SHARED:
		settle(trial, (int)kind, a);
		return;
	case SHARING_OWN:
		settle(trial, (int)kind, found_nothing(a), .elsewhere = true);
		return;
	case SHARING_NOT_TOLD:
		break;
	}
	if (!attempt_worked(a))
		settle_unknown(trial, (int)kind, REASON_NO_VIEW);
	else
		settle_unknown(trial, (int)kind, compared ? REASON_UNSUPPORTED : REASON_NO_BASELINE);
}

static void attempt(struct trial *trial)
{
	bool compared = host_fact(trial, "ns.pid");
	enum sharing time = namespace_sharing(trial, NAMESPACE_TIME, NULL);

	note_text(trial, WHOLE, "compared_with", compared ? "the host" : "the kernel's first");
	if (time != SHARING_NOT_TOLD)
		note_flag(trial, WHOLE, "time_shared", time == SHARING_SHARED);
	for (unsigned i = 0; i < N_CASES; i++)
		judge(trial, (enum namespace_kind)i, compared);
}

const struct scenario scenario_namespace_shared = {
	.about = ABOUT(
		.title = "Live in the host's namespaces",
		.accessed = "Code in the sandbox shares at least one namespace with the host. "
			    "What that namespace holds is the same inside and outside.",
		.denied = "Code in the sandbox lives in namespaces of its own.",
		.why = "A shared namespace keeps nothing apart: processes, network, mounts or ids "
		       "of the host are then guarded by permissions alone.",
		.see = "T1611",
		.open = "U",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(PID) | FIX(NET) | FIX(IPC) | FIX(UTS) | FIX(MAP) | FIX(CG),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
