/* SPDX-License-Identifier: MIT */
/*
 * Which calls that need no privilege, that few programs need and that flaws were found in again
 * and again, come as far as the kernel? Each is made with arguments that the kernel refuses.
 */
#include "scenarios/scenario.h"

#include <errno.h>

#ifndef __NR_memfd_secret
#define __NR_memfd_secret 447
#endif
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif

/* Case, call, an error of the kernel's besides the usual ones, arguments. */
#define CALLS(X)                                                                                   \
	X("unshare", unshare, 0, 1)                                                                \
	X("clone3", clone3, 0, 0, 0)                                                               \
	X("bpf", bpf, 0, ~0, 0, 0)                                                                 \
	X("userfaultfd", userfaultfd, 0, ~0)                                                       \
	X("io-uring-setup", io_uring_setup, 0, 0, 0)                                               \
	X("io-uring-enter", io_uring_enter, 0, -1, 0, 0, 0, 0, 0)                                  \
	X("io-uring-register", io_uring_register, 0, -1, 0, 0, 0)                                  \
	X("perf-event-open", perf_event_open, 0, 1, 0, -1, -1, 0)                                  \
	X("ptrace", ptrace, 0, 99, 0, 0, 0)                                                        \
	X("process-vm-readv", process_vm_readv, 0, 0, 0, 0, 0, 0, 1)                               \
	X("process-vm-writev", process_vm_writev, 0, 0, 0, 0, 0, 0, 1)                             \
	X("process-madvise", process_madvise, 0, -1, 0, 0, 0, ~0)                                  \
	X("pidfd-open", pidfd_open, 0, 0, ~0)                                                      \
	X("pidfd-getfd", pidfd_getfd, 0, -1, 0, ~0)                                                \
	X("kcmp", kcmp, 0, 0, 0, 99, 0, 0)                                                         \
	X("keyctl", keyctl, EOPNOTSUPP, ~0)                                                        \
	X("add-key", add_key, 0, 1, 1, 0, 0, 0)                                                    \
	X("request-key", request_key, 0, 1, 1, 0, 0)                                               \
	X("name-to-handle-at", name_to_handle_at, 0, -1, 1, 1, 1, ~0)                              \
	X("mbind", mbind, 0, 1, 0, 0, 0, 0, 0)                                                     \
	X("set-mempolicy", set_mempolicy, 0, 99, 0, 0)                                             \
	X("get-mempolicy", get_mempolicy, 0, 0, 0, 0, 0, ~0)                                       \
	X("move-pages", move_pages, 0, -1, 0, 0, 0, 0, ~0)                                         \
	X("migrate-pages", migrate_pages, 0, -1, 0, 0, 0)                                          \
	X("memfd-create", memfd_create, 0, 1, ~0)                                                  \
	X("memfd-secret", memfd_secret, 0, ~0)                                                     \
	X("vmsplice", vmsplice, 0, -1, 0, 0, 0)                                                    \
	X("cachestat", cachestat, 0, -1, 0, 0, 0)                                                  \
	X("openat2", openat2, 0, -1, 1, 0, 0)                                                      \
	X("fchmodat2", fchmodat2, 0, -1, 1, 0, ~0)                                                 \
	X("execveat", execveat, 0, -1, 1, 0, 0, ~0)                                                \
	X("personality", personality, ONLY_VALUE, 0xffffffff)                                      \
	X("landlock-create-ruleset", landlock_create_ruleset, ONLY_VALUE, 0, 0, 1)
#ifdef __x86_64__
#define OLD_CALLS(X)                                                                               \
	X("ustat", ustat, 0, 0, 0)                                                                 \
	X("sysfs", sysfs, 0, 99, 0, 0)                                                             \
	X("uselib", uselib, 0, 1)                                                                  \
	X("sysctl", _sysctl, 0, 1)
#else
#define OLD_CALLS(X)
#endif

#define AS_CASE(name_, call_, error_, ...) { name_, #call_ "(" #__VA_ARGS__ ")", 0, 0, 0 },
#define AS_QUESTION(name_, call_, error_, ...) { __NR_##call_, { __VA_ARGS__ } },
#define AS_CALL(name_, call_, error_, ...) { .call = #call_, .errors = { error_ } },

static const struct case_def cases[] = { CALLS(AS_CASE) OLD_CALLS(AS_CASE) };
static const struct question asks[] = { CALLS(AS_QUESTION) OLD_CALLS(AS_QUESTION) };
static const struct refused_call calls[] = { CALLS(AS_CALL) OLD_CALLS(AS_CALL) };

static void attempt(struct trial *trial)
{
	struct attempt a;
	unsigned reached = 0;

	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
		reached += settle_reach(trial, (int)i, question_of(trial, (int)i), &calls[i], &a);
	note_number(trial, WHOLE, "calls_reached", reached);
	note_numbers(trial, WHOLE, false);
	if (kernel_is_emulated(trial))
		note_flag(trial, WHOLE, "emulated_kernel", true);
}

const struct scenario scenario_kernel_surface_open = {
	.about = ABOUT(
		.title = "Reach risky system calls that need no privilege",
		.accessed = "Code in the sandbox reaches kernel code that has a history of flaws "
			    "and that few programs need.",
		.denied = "Code in the sandbox reaches none of the system calls with a history of "
			  "flaws.",
		.why = "These calls are open to everybody, and flaws of the kernel behind them "
		       "have let code out of sandboxes again and again. What a program does not "
		       "need it should not reach.",
		.how = "First a filter of our own is put on top in a child: the sandbox's filter "
		       "answers, and no call is made; so it is asked about these calls and every "
		       "other number. What passes is then made once, with the arguments shown, "
		       "which the kernel refuses: its errno shows that the call came so far. All "
		       "this is told of the native calls alone, see kernel.foreign-abi.",
		.see = "T1068",
		.open = "O -call:pidfd_open,cachestat,landlock_create_ruleset,execveat",
		.closed = "O -call:pidfd_open,cachestat,landlock_create_ruleset,execveat,openat2",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.views = VIEW_NUMBERS,
	.fix = FIX(SEC) | FIX(KRN),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
