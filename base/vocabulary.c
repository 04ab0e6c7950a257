/* SPDX-License-Identifier: MIT */
#include "base/vocabulary.h"

#include <string.h>

/* What a list member is called and, where people need it, what it means. */
struct word {
	const char *name, *meaning;
};

static const struct word statuses[N_STATUSES] = {
	[STATUS_UNKNOWN] = { "unknown", NULL },
	[STATUS_ACCESSED] = { "accessed", NULL },
	[STATUS_DENIED] = { "denied", NULL },
};

static const struct word reasons[N_REASONS] = {
	[REASON_NO_REPORT] = { "no-report", "the trial ended without saying anything" },
	[REASON_SETUP_FAILED] = { "setup-failed", "what the attempt needs could not be made" },
	[REASON_CONTROL_FAILED] = { "control-failed", "the control that decides did not work" },
	[REASON_TIMED_OUT] = { "timed-out", "the time ran out before there was an answer" },
	[REASON_CRASHED] = { "crashed", "the trial crashed or was lost with the sandbox" },
	[REASON_CONTRADICTORY] = { "contradictory", "two controls disagree" },
	[REASON_LEVEL] = { "level", "the level or an option excludes the attempt" },
	[REASON_NO_WITNESS] = { "no-witness", "no witness outside was there to see it arrive" },
	[REASON_NO_TARGET] = { "no-target", "the owner named no target to try" },
	[REASON_NO_SECOND_RUN] = { "no-second-run", "it takes a second launch, and there was none" },
	[REASON_NO_BASELINE] = { "no-baseline", "there is no baseline to compare with" },
	[REASON_NO_VIEW] = { "no-view", "what would tell cannot be seen from inside; the evidence names it" },
	[REASON_UNSUPPORTED] = { "unsupported", "this architecture or build cannot try it" },
};

static const struct word barriers[N_BARRIERS] = {
	[BARRIER_ABSENT] = { "absent", "there is nothing there" },
	[BARRIER_MASKED] = { "masked", "it is there, but covered or hidden" },
	[BARRIER_READ_ONLY] = { "read-only", "the mount refuses writes" },
	[BARRIER_DAC] = { "dac", "owner, mode or access control list" },
	[BARRIER_IMMUTABLE] = { "immutable", "the immutable or append-only flag" },
	[BARRIER_CAPABILITY] = { "capability", "a capability is missing" },
	[BARRIER_NAMESPACE] = { "namespace", "it lives in another namespace, or ids are not mapped" },
	[BARRIER_SECCOMP] = { "seccomp", "a system-call filter" },
	[BARRIER_LSM] = { "lsm", "a security module: Landlock, AppArmor, SELinux, Yama, …" },
	[BARRIER_SYSCTL] = { "sysctl", "a kernel setting" },
	[BARRIER_SUPERVISOR] = { "supervisor", "a tracer or notify agent answers for the kernel" },
	[BARRIER_UNIMPLEMENTED] = { "unimplemented", "this kernel or emulator does not have it" },
	[BARRIER_NO_ROUTE] = { "no-route", "there is no path to the destination" },
	[BARRIER_FILTERED] = { "filtered", "a route exists, but packets are dropped or rejected" },
	[BARRIER_PROXY_REFUSED] = { "proxy-refused", "a proxy answered no" },
	[BARRIER_INTERPOSED] = { "interposed", "somebody else answered in place of the destination" },
	[BARRIER_AUTH_REFUSED] = { "auth-refused", "the service asks for credentials" },
	[BARRIER_RLIMIT] = { "rlimit", "the process's own resource limit" },
	[BARRIER_CGROUP] = { "cgroup", "a control group, devices included" },
	[BARRIER_FS_LIMIT] = { "fs-limit", "the size, inode or project quota of a file system" },
	[BARRIER_NOSUID] = { "nosuid", "the mount ignores set-id bits" },
	[BARRIER_NODEV] = { "nodev", "the mount ignores device nodes" },
	[BARRIER_NOEXEC] = { "noexec", "the mount lets nothing be executed" },
	[BARRIER_NOSYMFOLLOW] = { "nosymfollow", "the mount follows no symbolic links" },
	[BARRIER_NO_NEW_PRIVS] = { "no-new-privs", "the process can gain no privileges by executing" },
	[BARRIER_TIMEOUT] = { "timeout", "an outer wall-clock or CPU limit ended the attempt" },
	[BARRIER_KILLED] = { "killed", "ended by a signal that we did not send" },
	[BARRIER_UNATTRIBUTED] = { "unattributed", "refused, and no control could tell by whom" },
};

static const struct word levels[N_LEVELS] = {
	[LEVEL_OBSERVE] = { "observe", NULL },
	[LEVEL_TOUCH] = { "touch", NULL },
	[LEVEL_ACT] = { "act", NULL },
};

static const struct word severities[N_SEVERITIES] = {
	[SEVERITY_INHERIT] = { "inherit", NULL }, [SEVERITY_INFO] = { "info", NULL },
	[SEVERITY_LOW] = { "low", NULL },         [SEVERITY_MEDIUM] = { "medium", NULL },
	[SEVERITY_HIGH] = { "high", NULL },       [SEVERITY_CRITICAL] = { "critical", NULL },
};

static const struct word needs[N_NEEDS] = {
	{ "witness", NULL },
	{ "second-run", NULL },
	{ "baseline", NULL },
	{ "target", NULL },
};

static const struct word remedies[N_REMEDIES] = {
	[REMEDY_NET] = { "net", NULL },   [REMEDY_UID] = { "uid", NULL },
	[REMEDY_MAP] = { "map", NULL },   [REMEDY_CAP] = { "cap", NULL },
	[REMEDY_NNP] = { "nnp", NULL },   [REMEDY_SEC] = { "sec", NULL },
	[REMEDY_NUN] = { "nun", NULL },   [REMEDY_RO] = { "ro", NULL },
	[REMEDY_BIND] = { "bind", NULL }, [REMEDY_TMP] = { "tmp", NULL },
	[REMEDY_MASK] = { "mask", NULL }, [REMEDY_PID] = { "pid", NULL },
	[REMEDY_IPC] = { "ipc", NULL },   [REMEDY_UTS] = { "uts", NULL },
	[REMEDY_CG] = { "cg", NULL },     [REMEDY_DEV] = { "dev", NULL },
	[REMEDY_ENV] = { "env", NULL },   [REMEDY_SA] = { "sa", NULL },
	[REMEDY_FD] = { "fd", NULL },     [REMEDY_TTY] = { "tty", NULL },
	[REMEDY_MEM] = { "mem", NULL },   [REMEDY_PRC] = { "prc", NULL },
	[REMEDY_CPU] = { "cpu", NULL },   [REMEDY_RL] = { "rl", NULL },
	[REMEDY_ONE] = { "one", NULL },   [REMEDY_MD] = { "md", NULL },
	[REMEDY_SOCK] = { "sock", NULL }, [REMEDY_OUT] = { "out", NULL },
	[REMEDY_KEY] = { "key", NULL },   [REMEDY_KRN] = { "krn", NULL },
	[REMEDY_APART] = { "apart", NULL },
};

static const struct word judgements[N_JUDGEMENTS] = {
	[JUDGEMENT_NONE] = { "none", NULL },
	[JUDGEMENT_CONFORMS] = { "conforms", NULL },
	[JUDGEMENT_WAIVED] = { "waived", NULL },
	[JUDGEMENT_UNMEASURED] = { "unmeasured", NULL },
	[JUDGEMENT_VIOLATES] = { "violates", NULL },
};

static const struct word tolerances[N_TOLERANCES] = {
	[TOLERANCE_FAIL] = { "fail", NULL },
	[TOLERANCE_WARN] = { "warn", NULL },
	[TOLERANCE_IGNORE] = { "ignore", NULL },
};

static const struct word verdicts[N_VERDICTS] = {
	[VERDICT_NONE] = { "none", NULL },
	[VERDICT_SATISFIED] = { "satisfied", NULL },
	[VERDICT_VIOLATED] = { "violated", NULL },
	[VERDICT_INCOMPLETE] = { "incomplete", NULL },
};

static const char *name_in(const struct word *list, unsigned n, unsigned member)
{
	return member < n && list[member].name ? list[member].name : "?";
}

static const char *meaning_in(const struct word *list, unsigned n, unsigned member)
{
	return member < n && list[member].meaning ? list[member].meaning : "?";
}

static int member_in(const struct word *list, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *status_name(enum status status) { return name_in(statuses, N_STATUSES, status); }
const char *reason_name(enum reason reason) { return name_in(reasons, N_REASONS, reason); }
const char *barrier_name(enum barrier barrier) { return name_in(barriers, N_BARRIERS, barrier); }
const char *level_name(enum level level) { return name_in(levels, N_LEVELS, level); }
const char *severity_name(enum severity sev) { return name_in(severities, N_SEVERITIES, sev); }
const char *need_name(unsigned index) { return name_in(needs, N_NEEDS, index); }
const char *remedy_name(enum remedy remedy) { return name_in(remedies, N_REMEDIES, remedy); }
const char *judgement_name(enum judgement j) { return name_in(judgements, N_JUDGEMENTS, j); }
const char *tolerance_name(enum tolerance t) { return name_in(tolerances, N_TOLERANCES, t); }
const char *verdict_name(enum policy_verdict v) { return name_in(verdicts, N_VERDICTS, v); }

const char *barrier_meaning(enum barrier barrier)
{
	return meaning_in(barriers, N_BARRIERS, barrier);
}

const char *reason_meaning(enum reason reason)
{
	return meaning_in(reasons, N_REASONS, reason);
}

int status_from_name(const char *name) { return member_in(statuses, N_STATUSES, name); }
int reason_from_name(const char *name) { return member_in(reasons, N_REASONS, name); }
int barrier_from_name(const char *name) { return member_in(barriers, N_BARRIERS, name); }
int level_from_name(const char *name) { return member_in(levels, N_LEVELS, name); }
int severity_from_name(const char *name) { return member_in(severities, N_SEVERITIES, name); }
int judgement_from_name(const char *name) { return member_in(judgements, N_JUDGEMENTS, name); }
int tolerance_from_name(const char *name) { return member_in(tolerances, N_TOLERANCES, name); }
int verdict_from_name(const char *name) { return member_in(verdicts, N_VERDICTS, name); }

enum status status_worse(enum status so_far, enum status next)
{
	/* Presence is proved by one; absence takes all. */
	static const int rank[N_STATUSES] = {
		[STATUS_DENIED] = 0, [STATUS_UNKNOWN] = 1, [STATUS_ACCESSED] = 2
	};
	return rank[next] > rank[so_far] ? next : so_far;
}
