/* SPDX-License-Identifier: MIT */
/*
 * Which calls for administrators come as far as the kernel? Each is made with arguments that the
 * kernel refuses. That the capability is missing does not keep them from the kernel; whether it is
 * held is a case of its own.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>

#ifndef __NR_mount_setattr
#define __NR_mount_setattr 442
#endif
#ifndef __NR_quotactl_fd
#define __NR_quotactl_fd 443
#endif

#define NONE 0
/* Case, call, errors of the kernel's besides the usual ones, capability, arguments. */
#define CALLS(X)                                                                                   \
	X("mount", mount, NONE, NONE, SYS_ADMIN, 1, 1, 1, 0, 0)                                    \
	X("umount", umount2, NONE, NONE, SYS_ADMIN, 1, ~0)                                         \
	X("pivot-root", pivot_root, EPERM, NONE, SYS_ADMIN, 1, 1)                                  \
	X("fsopen", fsopen, EPERM, NONE, SYS_ADMIN, 1, ~0)                                         \
	X("move-mount", move_mount, EPERM, NONE, SYS_ADMIN, -1, 1, -1, 1, ~0)                      \
	X("fsmount", fsmount, EPERM, NONE, SYS_ADMIN, -1, ~0, 0)                                   \
	X("fspick", fspick, EPERM, NONE, SYS_ADMIN, -1, 1, ~0)                                     \
	X("open-tree", open_tree, NONE, NONE, SYS_ADMIN, -1, 1, ~0)                                \
	X("fsconfig", fsconfig, NONE, NONE, SYS_ADMIN, -1, ~0, 0, 0, 0)                            \
	X("mount-setattr", mount_setattr, NONE, NONE, SYS_ADMIN, -1, 1, ~0, 0, 0)                  \
	X("setns", setns, NONE, NONE, SYS_ADMIN, -1, 0)                                            \
	X("chroot", chroot, NONE, NONE, SYS_CHROOT, 1)                                             \
	X("init-module", init_module, EPERM, ENOEXEC, SYS_MODULE, 0, 0, 1)                         \
	X("finit-module", finit_module, EPERM, NONE, SYS_MODULE, -1, 1, ~0)                        \
	X("delete-module", delete_module, EPERM, NONE, SYS_MODULE, 1, 0)                           \
	X("kexec-load", kexec_load, EPERM, NONE, SYS_BOOT, 0, 0, 0, 0xdead)                        \
	X("kexec-file-load", kexec_file_load, EPERM, NONE, SYS_BOOT, -1, -1, 0, 0, ~0)             \
	X("open-by-handle-at", open_by_handle_at, EPERM, NONE, DAC_READ_SEARCH, -1, 1, 0)          \
	X("quotactl", quotactl, NONE, NONE, SYS_ADMIN, ~0, 0, 0, 0)                                \
	X("quotactl-fd", quotactl_fd, NONE, NONE, SYS_ADMIN, -1, ~0, 0, 0)                         \
	X("acct", acct, EPERM, NONE, SYS_PACCT, 1)                                                 \
	X("swapon", swapon, EPERM, NONE, SYS_ADMIN, 1, ~0)                                         \
	X("swapoff", swapoff, EPERM, NONE, SYS_ADMIN, 1)                                           \
	X("reboot", reboot, EPERM, NONE, SYS_BOOT, 0, 0, 0, 0)                                     \
	X("syslog", syslog, EPERM, NONE, SYSLOG, 99, 0, 0)                                         \
	X("fanotify-init", fanotify_init, EPERM, NONE, SYS_ADMIN, ~0, 0)                           \
	X("sethostname", sethostname, EPERM, NONE, SYS_ADMIN, 1, 4096)                             \
	X("setdomainname", setdomainname, EPERM, NONE, SYS_ADMIN, 1, 4096)                         \
	X("settimeofday", settimeofday, EPERM, NONE, SYS_TIME, 1, 0)                               \
	X("clock-settime", clock_settime, EPERM, NONE, SYS_TIME, 9999, 1)                          \
	X("mknodat", mknodat, NONE, NONE, MKNOD, -1, 1, 0, 0)                                      \
	X("lookup-dcookie", lookup_dcookie, EPERM, NONE, SYS_ADMIN, ~0, 0, 0)                      \
	X("nfsservctl", nfsservctl, NONE, NONE, SYS_ADMIN, ~0, 0, 0)
#ifdef __x86_64__
#define PORT_CALLS(X)                                                                              \
	X("iopl", iopl, EPERM, NONE, SYS_RAWIO, 99)                                                \
	X("ioperm", ioperm, EPERM, NONE, SYS_RAWIO, 70000, 0, 1)
#else
#define PORT_CALLS(X)
#endif

#define AS_CASE(name_, call_, e1_, e2_, cap_, ...)                                                 \
	{ name_, #call_ "(" #__VA_ARGS__ ")", 0, 0, 0 },
#define AS_QUESTION(name_, call_, e1_, e2_, cap_, ...) { __NR_##call_, { __VA_ARGS__ } },
#define AS_CALL(name_, call_, e1_, e2_, cap_, ...)                                                 \
	{ .call = #call_, .errors = { e1_, e2_ }, .capability = NEEDS_CAP(CAP_##cap_) },

static const struct question asks[] = {
	CALLS(AS_QUESTION) PORT_CALLS(AS_QUESTION){ __NR_vhangup, { 0 } },
};
static const struct refused_call calls[] = {
	CALLS(AS_CALL) PORT_CALLS(AS_CALL){ .call = "vhangup", .never_made = true,
					    .capability = NEEDS_CAP(CAP_SYS_TTY_CONFIG) },
};
#define N_CALLS (sizeof calls / sizeof *calls)
/* One more than there are calls. */
#define HELD ((int)N_CALLS)

static const struct case_def cases[] = {
	CALLS(AS_CASE) PORT_CALLS(AS_CASE){ "vhangup", "vhangup(), not made", 0, 0, 0 },
	{ "with-capability", "any of them whose capability is held", SEVERITY_HIGH, 0, 0 },
};

/* Names in one text, as many as a fact holds. */
struct names {
	size_t used;
	char text[400];
};

static void add_name(struct names *names, const char *name)
{
	names->used += (size_t)format_text(names->text + names->used,
					   sizeof names->text - names->used,
					   names->used ? ", %s" : "%s", name);
}

/* Those that count in a user namespace for what these calls do; the others do in the first alone. */
#define COUNT_ANYWHERE (1ul << CAP_SYS_ADMIN | 1ul << CAP_SYS_CHROOT | 1ul << CAP_SYS_BOOT)

/* What this call says of the case "with-capability": true when nothing else is in the way. */
static bool settle_held(struct trial *trial, const struct question *question, struct attempt a,
			bool reached, int capability, bool apart)
{
	/* Refused although it is held: it is held in a child user namespace only. */
	bool held = reached && has_capability(capability - 1) && a.error != EPERM &&
		    (!apart || COUNT_ANYWHERE >> (capability - 1) & 1);

	/* Not made, and the filter could not be asked: it tells nothing. */
	if (!a.reached && !filter_refuses(ask_filter(trial, question->nr, question->args, NULL)))
		return false;
	a.nr = -1; /* its call and errno stand in its own case */
	a.value = held ? 0 : -1;
	/* It came to the kernel, which does its work for nobody else. */
	if (reached && !held)
		a.error = EPERM;
	settle(trial, HELD, a, .capability = capability);
	return held;
}

static void attempt(struct trial *trial)
{
	struct names held = { .used = 0 }, stopped = { .used = 0 };
	bool counted = kexec_is_counted(trial), apart = in_user_namespace(trial);
	unsigned n_reached = 0;

	for (unsigned i = 0; i < N_CALLS; i++) {
		const struct refused_call *call = &calls[i];
		const struct question *question = question_of(trial, (int)i);
		bool by_filter = counted && (question->nr == __NR_kexec_load ||
					     question->nr == __NR_kexec_file_load);
		const struct refused_call unmade = { .call = call->call, .never_made = true,
						     .capability = call->capability };
		struct attempt a;
		bool reached = settle_reach(trial, (int)i, question, by_filter ? &unmade : call, &a);

		n_reached += reached;
		if (settle_held(trial, question, a, reached, call->capability, apart))
			add_name(&held, call->call);
		if (reached && a.error == EPERM)
			add_name(&stopped, call->call);
	}
	note_number(trial, WHOLE, "calls_reached", n_reached);
	if (held.used)
		note_text(trial, HELD, "calls", held.text);
	if (held.used && apart)
		note_flag(trial, HELD, "in_user_namespace", true);
	if (stopped.used)
		note_text(trial, WHOLE, "stopped_by_capability", stopped.text);
	if (kernel_is_emulated(trial))
		note_flag(trial, WHOLE, "emulated_kernel", true);
}

const struct scenario scenario_kernel_surface_privileged = {
	.about = ABOUT(
		.title = "Reach system calls for administrators",
		.accessed = "Code in the sandbox reaches kernel code that serves administrators "
			    "alone.",
		.denied = "Code in the sandbox reaches none of the system calls for "
			  "administrators.",
		.why = "A capability is one check deep inside such a call. A filter that keeps "
		       "the call from the kernel still stands when that check is passed: by a "
		       "flaw, by a capability that was given away, or in a user namespace.",
		.how = "The filter is asked first, without the call being made. What passes is "
		       "made once, with the arguments shown, which the kernel refuses: whether it "
		       "finds fault with them or with the caller, the call came so far. Where the "
		       "capability is held as well, nothing else is in the way, and that is a "
		       "case of its own.",
		.see = "T1068",
		.open = "O +call:mount",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
