/* SPDX-License-Identifier: MIT */
/*
 * Does the filter refuse an operation by one call and let it pass by another? It is asked about all
 * calls for the same operation, and none is made (K1). A form that is younger than most filters may
 * be refused beside older ones that pass: the filter does not know it, and nothing gets by it.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>

#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat 463
#endif

#define NO_SUCH_PID 0x7fffffff
#define TYPE_INTO_TERMINAL 0x5412 /* TIOCSTI */
/* The kernel looks at the low 32 bits of these arguments; a filter may compare all 64. */
#define WIDE(value) ((value) | 1UL << 32)

enum { OPEN, MODE, SIGNAL, USER_NAMESPACE, EXECUTE, MOUNT, ATTRIBUTE, TERMINAL, FAMILY };

static const struct case_def cases[] = {
	[OPEN] = { "open", "open, openat, openat2", 0, 0, 0 },
	[MODE] = { "mode", "chmod, fchmod, fchmodat, fchmodat2", 0, 0, 0 },
	[SIGNAL] = { "signal", "kill, tgkill, rt_sigqueueinfo, pidfd_send_signal", 0, 0, 0 },
	[USER_NAMESPACE] = { "user-namespace", "clone, unshare, clone3", 0, 0, 0 },
	[EXECUTE] = { "execute", "execve, execveat", 0, 0, 0 },
	[MOUNT] = { "mount", "mount, fsopen, open_tree", 0, 0, 0 },
	[ATTRIBUTE] = { "attribute", "setxattr, setxattrat", 0, 0, 0 },
	[TERMINAL] = { "terminal", "ioctl TIOCSTI, in 32 and in 64 bits", 0, 0, 0 },
	[FAMILY] = { "family", "socket AF_VSOCK, in 32 and in 64 bits", 0, 0, 0 },
};

/* `young`: younger than most filters, or as good as another form. Then arguments are refused. */
#define FORMS(X)                                                                                   \
	X(OPEN, "openat", false, __NR_openat, -1)                                                  \
	X(OPEN, "openat2", true, __NR_openat2, -1, 1, 0, 0)                                        \
	X(MODE, "fchmod", false, __NR_fchmod, -1)                                                  \
	X(MODE, "fchmodat", false, __NR_fchmodat, -1)                                              \
	X(MODE, "fchmodat2", true, __NR_fchmodat2, -1, 1, 0, ~0)                                   \
	X(SIGNAL, "kill", false, __NR_kill, NO_SUCH_PID, SIGTERM)                                  \
	X(SIGNAL, "tgkill", false, __NR_tgkill, NO_SUCH_PID, NO_SUCH_PID, SIGTERM)                 \
	X(SIGNAL, "rt_sigqueueinfo", false, __NR_rt_sigqueueinfo, NO_SUCH_PID, SIGTERM)            \
	X(SIGNAL, "pidfd_send_signal", true, __NR_pidfd_send_signal, -1, SIGTERM, 0, ~0)           \
	X(USER_NAMESPACE, "clone", false, __NR_clone, CLONE_NEWUSER | SIGCHLD)                     \
	X(USER_NAMESPACE, "unshare", false, __NR_unshare, CLONE_NEWUSER)                           \
	X(USER_NAMESPACE, "clone3", true, __NR_clone3, 0, 0)                                       \
	X(EXECUTE, "execve", false, __NR_execve, 0)                                                \
	X(EXECUTE, "execveat", false, __NR_execveat, -1)                                           \
	X(MOUNT, "mount", false, __NR_mount, 1, 1, 1)                                              \
	X(MOUNT, "fsopen", true, __NR_fsopen, 1, ~0)                                               \
	X(MOUNT, "open_tree", true, __NR_open_tree, -1, 1, ~0)                                     \
	X(ATTRIBUTE, "setxattr", false, __NR_setxattr, 0)                                          \
	X(ATTRIBUTE, "setxattrat", true, __NR_setxattrat, -1, 1, ~0, 0, 0)                         \
	X(TERMINAL, "ioctl", false, __NR_ioctl, 0, TYPE_INTO_TERMINAL)                             \
	X(TERMINAL, "ioctl, bit 32 set", true, __NR_ioctl, 0, WIDE(TYPE_INTO_TERMINAL))            \
	X(FAMILY, "socket", false, __NR_socket, AF_VSOCK, SOCK_STREAM)                             \
	X(FAMILY, "socket, bit 32 set", true, __NR_socket, WIDE(AF_VSOCK), SOCK_STREAM)
#ifdef __x86_64__
#define OLD_FORMS(X)                                                                               \
	X(OPEN, "open", false, __NR_open, 0)                                                       \
	X(MODE, "chmod", false, __NR_chmod, 0)
#else
#define OLD_FORMS(X)
#endif
#define AS_QUESTION(case_, name_, young_, nr_, ...) { nr_, { __VA_ARGS__ } },
#define AS_FORM(case_, name_, young_, nr_, ...) { case_, young_, name_ },

static const struct question asks[] = { FORMS(AS_QUESTION) OLD_FORMS(AS_QUESTION) };
static const struct parity_form {
	uint8_t case_index;
	bool young;
	const char *name;
} forms[] = { FORMS(AS_FORM) OLD_FORMS(AS_FORM) };

/* A kernel may be older than a form that the filter lets pass. */
#define FIRST_OF_THE_YOUNG 424
static bool is_missing(struct trial *trial, const struct question *q, const char *name)
{
	struct attempt a;

	if (q->nr < FIRST_OF_THE_YOUNG)
		return false;
	a = try_call_as(trial, "vvvvv", name, q->nr, q->args[0], q->args[1], q->args[2], q->args[3],
			q->args[4]);
	return a.reached && a.error == ENOSYS;
}

/* Names in one text, as many as a fact holds. */
struct names {
	size_t used;
	char text[200];
};

static void add_name(struct names *names, const char *name)
{
	names->used += (size_t)format_text(names->text + names->used,
					   sizeof names->text - names->used,
					   names->used ? "; %s" : "%s", name);
}

static void ask_case(struct trial *trial, int case_index)
{
	struct attempt refused = { .value = -1, .error = EPERM, .nr = -1 };
	struct names passing = { .used = 0 }, refusing = { .used = 0 };
	unsigned old_refused = 0, passed = 0, not_told = 0;

	for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
		const struct parity_form *form = &forms[i];
		const struct question *q = question_of(trial, (int)i);
		int error;
		enum answer answer;

		if (form->case_index != case_index)
			continue;
		answer = ask_filter(trial, q->nr, q->args, &error);
		if (filter_refuses(answer)) {
			old_refused += !form->young;
			add_name(&refusing, form->name);
		} else if (answer == ANSWER_NOT_TOLD) {
			not_told++;
		} else if (!is_missing(trial, q, form->name)) {
			passed++;
			add_name(&passing, form->name);
		}
	}
	if (refusing.used)
		note_text(trial, case_index, "refused", refusing.text);
	if (passing.used && refusing.used)
		note_text(trial, case_index, "passes", passing.text);
	if (not_told)
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
	else if (passed && old_refused)
		settle(trial, case_index, found_in_process(true));
	else if (passed)
		/* Nothing is refused that there would be a way around. */
		settle(trial, case_index, found_in_process(false));
	else
		settle(trial, case_index, refused);
}

static void attempt(struct trial *trial)
{
	for (int i = OPEN; i <= FAMILY; i++) {
		/* Otherwise who hears the question may make the call, or a refusal is not seen. */
		if (filter_tells_enosys())
			ask_case(trial, i);
		else
			settle_unknown(trial, i, REASON_CONTROL_FAILED);
	}
}

const struct scenario scenario_kernel_filter_parity = {
	.about = ABOUT(
		.title = "Get round the filter by a call's sibling",
		.accessed = "Code in the sandbox can do by another call what its filter refuses "
			    "by one.",
		.denied = "Code in the sandbox finds no other call for what its filter refuses.",
		.why = "A filter that refuses one form of an operation and lets another pass "
		       "refuses nothing, and whoever wrote it believes otherwise. New forms come "
		       "with new kernels.",
		.how = "A filter of our own is put on top in a child, so that the sandbox's "
		       "filter answers and no call is made. That a form is refused which is "
		       "younger than most filters, while the older ones pass, does not count. "
		       "Native calls are asked about alone, see kernel.foreign-abi.",
		.see = "CWE-693",
		.open = "S(chmod,fchmod,fchmodat)",
		.closed = "S(chmod,fchmod,fchmodat,fchmodat2)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
