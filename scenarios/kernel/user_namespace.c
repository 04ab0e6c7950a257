/* SPDX-License-Identifier: MIT */
/*
 * Can namespaces be made? A user namespace by each call that makes one, in a child each; in the
 * first that was had one of every other kind; and those kinds without it. All end with the trial.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80 /* Linux 5.6 */
#endif

enum { UNSHARE, CLONE, CLONE3, ALONE, KINDS = 7, INSIDE = ALONE + KINDS };
enum { DEADLINE_MS = 500 };

#define KINDS_OF(word)                                                                             \
	{ word "-mount", NULL, 0, 0, 0 }, { word "-pid", NULL, 0, 0, 0 },                          \
		{ word "-net", NULL, 0, 0, 0 }, { word "-ipc", NULL, 0, 0, 0 },                    \
		{ word "-uts", NULL, 0, 0, 0 }, { word "-cgroup", NULL, 0, 0, 0 },                 \
	{ word "-time", NULL, 0, 0, 0 }

static const struct case_def cases[] = {
	[UNSHARE] = { "unshare", NULL, 0, 0, 0 },
	[CLONE] = { "clone", NULL, 0, 0, 0 },
	[CLONE3] = { "clone3", NULL, 0, 0, 0 },
	KINDS_OF("alone"),
	KINDS_OF("inside"),
};

static const struct {
	unsigned flag;
	const char *setting; /* how many there may be; one too many is ENOSPC */
} kinds[KINDS] = {
	{ CLONE_NEWNS, "user.max_mnt_namespaces" },
	{ CLONE_NEWPID, "user.max_pid_namespaces" },
	{ CLONE_NEWNET, "user.max_net_namespaces" },
	{ CLONE_NEWIPC, "user.max_ipc_namespaces" },
	{ CLONE_NEWUTS, "user.max_uts_namespaces" },
	{ CLONE_NEWCGROUP, "user.max_cgroup_namespaces" },
	{ CLONE_NEWTIME, "user.max_time_namespaces" },
};

#define ASKED(flag) { __NR_unshare, { flag } }, { __NR_clone, { (flag) | SIGCHLD } }
static const struct question asks[] = {
	ASKED(CLONE_NEWUSER), ASKED(CLONE_NEWNS),  ASKED(CLONE_NEWPID),    ASKED(CLONE_NEWNET),
	ASKED(CLONE_NEWIPC),  ASKED(CLONE_NEWUTS), ASKED(CLONE_NEWCGROUP),
	{ __NR_unshare, { CLONE_NEWTIME } },
	{ __NR_prctl, { PR_CAPBSET_DROP, CAP_WAKE_ALARM } },
	{ __NR_capget, { 0 } },
	{ __NR_capset, { 0 } },
};

/* What the children tell, in memory shared with them. */
struct report {
	struct attempt made[ALONE]; /* a user namespace, by each call */
	int lived;                  /* the call whose child told the rest; -1: none did */
	struct attempt power;       /* something that needs a capability there */
	uint64_t effective;
	int map_error; /* of writing the map of ids; -1: not tried */
	int told;      /* how many kinds */
	struct attempt inside[KINDS], alone[KINDS];
	bool ignored[KINDS]; /* the kernel says yes to everybody, and makes nothing */
};

/* ---------------------------------------------------------------- namespaces of one kind */

static struct attempt unshare_one(struct trial *trial, unsigned flag)
{
	return try_call_as(trial, "v", "unshare", __NR_unshare, flag);
}

/* A child that is born into it and ends. */
static struct attempt bear_one(struct trial *trial, long nr, unsigned flag)
{
	struct attempt a = try_fork_as(trial, nr, flag);

	if (attempt_worked(a) && a.value == 0)
		end_child(0);
	if (attempt_worked(a))
		wait_child(trial, (pid_t)a.value, DEADLINE_MS);
	return a;
}

/* By its siblings where a filter refuses the first form. clone(2) has no bit for time. */
static struct attempt make_one(struct trial *trial, unsigned flag)
{
	struct attempt first = unshare_one(trial, flag), a = first;

	if ((!a.reached || a.error == ENOSYS) && flag != CLONE_NEWTIME)
		a = bear_one(trial, __NR_clone, flag);
	if (!a.reached || a.error == ENOSYS)
		a = bear_one(trial, __NR_clone3, flag);
	return a.reached ? a : first;
}

/* ---------------------------------------------------------------- in one of our own */

static int write_map(struct trial *trial)
{
	char map[32];
	int n = format_text(map, sizeof map, "0 %u 1\n", origin()->euid);
	struct attempt a = try_open(trial, "/proc/self/uid_map", O_WRONLY | O_NONBLOCK);
	int fd = (int)a.value;

	if (!attempt_worked(a))
		return -1;
	a = try_write(trial, fd, map, (size_t)n);
	close_fd(fd);
	return attempt_worked(a) ? 0 : a.error;
}

static void live_inside(struct trial *trial, struct report *report, int call)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 } };

	report->lived = call;
	if (attempt_worked(try_call_as(trial, "pp", "capget", __NR_capget, &header, data)))
		report->effective = data[0].effective | (uint64_t)data[1].effective << 32;
	/* What it takes away is this child's alone, and never used. */
	report->power = try_call_as(trial, "vvpp", "prctl", __NR_prctl, PR_CAPBSET_DROP,
				    CAP_WAKE_ALARM, 0, 0);
	report->map_error = write_map(trial);
	for (int i = 0; i < KINDS; i++) {
		report->inside[i] = make_one(trial, kinds[i].flag);
		report->told = i + 1;
	}
}

static struct attempt enter(struct trial *trial, struct report *report, int call)
{
	struct attempt a;

	if (call == CLONE || call == CLONE3)
		a = try_fork_as(trial, call == CLONE ? __NR_clone : __NR_clone3, CLONE_NEWUSER);
	else
		a = try_fork(trial);
	if (!attempt_worked(a) || a.value > 0)
		return a;
	if (call == UNSHARE)
		report->made[call] = unshare_one(trial, CLONE_NEWUSER);
	if (report->lived < 0 && (call != UNSHARE || attempt_worked(report->made[call])))
		live_inside(trial, report, call);
	end_child(0);
}

/* One call: its child does the rest, the first time that it works. */
static void try_user_namespace(struct trial *trial, struct report *report, int call)
{
	static const unsigned long asked[6] = { CLONE_NEWUSER };
	struct attempt a;
	int status;

	report->made[call] = (struct attempt){ .value = -1, .error = ECANCELED, .nr = -1,
					       .reached = true };
	if (call == UNSHARE &&
	    filter_refuses(ask_filter(trial, __NR_unshare, asked, NULL))) {
		/* Which is not made then. */
		report->made[call] = unshare_one(trial, CLONE_NEWUSER);
		return;
	}
	a = enter(trial, report, call);
	if (call != UNSHARE)
		report->made[call] = a;
	if (!attempt_worked(a))
		return;
	status = wait_child(trial, (pid_t)a.value, DEADLINE_MS);
	if (call == UNSHARE && status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS &&
	    report->lived < 0)
		report->made[call].reached = false;
}

/* ---------------------------------------------------------------- settling */

/*
 * Who makes a user namespace holds every capability in it. Where none of them counts, or none is
 * shown, a security module stands between the kernel and us.
 */
enum power { POWER_SOME, POWER_NONE, POWER_NOT_TOLD };

static enum power power_of(struct trial *trial, const struct report *report)
{
	static const unsigned long asked[6] = { PR_CAPBSET_DROP, CAP_WAKE_ALARM };

	if (report->lived < 0 || !report->power.reached || report->power.error != EPERM)
		return POWER_SOME;
	if (ask_filter(trial, __NR_prctl, asked, NULL) == ANSWER_PASSES)
		return POWER_NONE;
	/* It may be a filter's answer. What else needs a capability there shows one. */
	for (int i = 0; i < report->told; i++)
		if (attempt_worked(report->inside[i]) && !report->ignored[i])
			return POWER_SOME;
	return POWER_NOT_TOLD;
}

/* "probe (enforce)" is AppArmor's; SELinux's have colons. */
static const char *module_name(struct trial *trial)
{
	char label[256];
	int64_t restricts;

	try_text(trial, "/proc/self/attr/current", label, sizeof label);
	if (strstr(label, " (enforce)") ||
	    (read_setting(trial, "kernel.apparmor_restrict_unprivileged_userns", &restricts) &&
	     restricts > 0))
		return "apparmor";
	return strchr(label, ':') ? "selinux" : "not told";
}

static void settle_user(struct trial *trial, int case_index, struct attempt a, enum power power)
{
	static const unsigned long asked[6] = { CLONE_NEWUSER };
	bool unmapped = !uid_is_mapped(trial, origin()->euid, NULL) ||
			!gid_is_mapped(trial, origin()->egid, NULL);
	const char *setting = NULL, *module = NULL;
	int64_t allowed;

	if (attempt_worked(a) && power == POWER_NOT_TOLD) {
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
		return;
	}
	if (attempt_worked(a) && power == POWER_NONE) {
		a.value = -1;
		a.error = EPERM;
		note_flag(trial, case_index, "powerless", true);
		module = module_name(trial);
	}
	if (a.reached && a.error == ENOSPC)
		setting = "user.max_user_namespaces";
	if (a.reached && a.error == EPERM && !module &&
	    read_setting(trial, "kernel.unprivileged_userns_clone", &allowed) && allowed == 0)
		setting = "kernel.unprivileged_userns_clone";
	/* No part of the kernel but its security modules answers this; a filter might. */
	if (a.reached && a.error == EACCES &&
	    ask_filter(trial, __NR_unshare, asked, NULL) != ANSWER_NOT_TOLD)
		module = module_name(trial);
	settle(trial, case_index, a, .sysctl = setting, .module = module,
	       .id_unmapped = a.reached && a.error == EPERM && unmapped,
	       .lacking = a.reached && a.error == EINVAL);
}

static void settle_kind(struct trial *trial, int case_index, int kind, struct attempt a,
			const struct report *report, const char *module)
{
	if (attempt_worked(a) && report->ignored[kind])
		a = found_nothing(a);
	settle(trial, case_index, a, .module = a.reached && a.error == EPERM ? module : NULL,
	       .sysctl = a.reached && a.error == ENOSPC ? kinds[kind].setting : NULL,
	       .capability = case_index < INSIDE ? NEEDS_CAP(CAP_SYS_ADMIN) : 0,
	       .lacking = a.reached && (a.error == EINVAL || report->ignored[kind]));
}

static void note_life(struct trial *trial, const struct report *report)
{
	char set[20];

	format_text(set, sizeof set, "%lx", (unsigned long)report->effective);
	note_text(trial, report->lived, "effective", set);
	if (report->map_error >= 0)
		note_flag(trial, report->lived, "maps_ids", report->map_error == 0);
}

static void settle_inside(struct trial *trial, const struct report *report)
{
	const char *module = power_of(trial, report) == POWER_NONE ? module_name(trial) : NULL;

	for (int i = 0; i < KINDS; i++) {
		if (report->lived < 0)
			for (int call = UNSHARE; call <= CLONE3; call++)
				settle_user(trial, INSIDE + i, report->made[call], POWER_SOME);
		else if (i < report->told)
			settle_kind(trial, INSIDE + i, i, report->inside[i], report, module);
		else
			settle_unknown(trial, INSIDE + i, REASON_CRASHED);
	}
}

/* ---------------------------------------------------------------- without a user namespace */

/*
 * K4: who has given up all capabilities must be refused. Emulated kernels have been seen that take
 * any flag, and make nothing.
 */
static void find_ignored(struct trial *trial, struct report *report)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[2] = { { 0, 0, 0 } };
	bool powerless = !has_capability(CAP_SYS_ADMIN);

	if (!powerless)
		powerless = attempt_worked(try_call_as(trial, "pp", "capset", __NR_capset, &header,
						       none));
	for (int i = 0; i < KINDS; i++)
		report->ignored[i] = powerless && attempt_worked(report->alone[i]) &&
				     attempt_worked(unshare_one(trial, kinds[i].flag));
}

/* In this process, as the last thing that it tries: from here on it may no longer fork. */
static void try_alone(struct trial *trial, struct report *report)
{
	for (int i = 0; i < KINDS; i++) {
		const unsigned long by_unshare[6] = { kinds[i].flag };
		const unsigned long by_clone[6] = { kinds[i].flag | SIGCHLD };

		/* Known already, or else asked in a child, which is possible now alone. */
		ask_filter(trial, __NR_unshare, by_unshare, NULL);
		ask_filter(trial, __NR_clone, by_clone, NULL);
	}
	for (int i = 0; i < KINDS; i++)
		report->alone[i] = make_one(trial, kinds[i].flag);
	find_ignored(trial, report);
}

static void attempt(struct trial *trial)
{
	struct report *report = share_memory(trial, sizeof *report);

	if (!report) {
		for (int i = 0; i < INSIDE + KINDS; i++)
			settle_unknown(trial, i, REASON_SETUP_FAILED);
		return;
	}
	report->lived = -1;
	for (int call = UNSHARE; call <= CLONE3; call++)
		try_user_namespace(trial, report, call);
	try_alone(trial, report);
	for (int call = UNSHARE; call <= CLONE3; call++)
		settle_user(trial, call, report->made[call], power_of(trial, report));
	if (report->lived >= 0)
		note_life(trial, report);
	if (kernel_is_emulated(trial))
		note_flag(trial, WHOLE, "emulated_kernel", true);
	settle_inside(trial, report);
	for (int i = 0; i < KINDS; i++)
		settle_kind(trial, ALONE + i, i, report->alone[i], report, NULL);
}

const struct scenario scenario_kernel_user_namespace = {
	.about = ABOUT(
		.title = "Make a user namespace",
		.accessed = "Code in the sandbox can make namespaces of its own, in which it "
			    "holds every capability.",
		.denied = "Code in the sandbox cannot make namespaces of its own.",
		.why = "In a namespace of one's own much of the kernel answers that is meant for "
		       "root alone: mounts, packet filters, network interfaces. Most recent ways "
		       "out of sandboxes led through there.",
		.see = "T1068, T1611",
		.open = "B",
		.closed = "B --unshare-user --disable-userns",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_SYSCTL)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(NUN),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
