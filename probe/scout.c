/* SPDX-License-Identifier: MIT */
#include "probe/scout.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "probe/abi.h"
#include "probe/children.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "scenarios/scenario.h"

#define NO_PID 0x7fffffff
#define SIGSET_BYTES 8
#define TCGETS_REQUEST 0x5401
#define AT(object) ((unsigned long)(object))

static char buffer[4096];
static struct timespec no_time;
static struct __user_cap_header_struct capabilities = { _LINUX_CAPABILITY_VERSION_3, 0 };

/*
 * What the probe and its guard call for themselves, with arguments as they use them as far as that
 * is harmless in a child that ends at once. An attempt's calls are not here: the filter oracle asks
 * for those.
 */
static const struct question own_calls[] = {
	{ __NR_getpid, { 0 } },
	{ __NR_gettid, { 0 } },
	{ __NR_set_tid_address, { 0 } },
	{ __NR_getppid, { 0 } },
	{ __NR_getsid, { 0 } },
	{ __NR_getpgid, { 0 } },
	{ __NR_getresuid, { AT(buffer), AT(buffer + 8), AT(buffer + 16) } },
	{ __NR_getresgid, { AT(buffer), AT(buffer + 8), AT(buffer + 16) } },
	{ __NR_getgroups, { 64, AT(buffer) } },
	{ __NR_prctl, { PR_GET_SECCOMP } },
	{ __NR_prctl, { PR_GET_NO_NEW_PRIVS } },
	{ __NR_prctl, { PR_CAPBSET_READ, 0 } },
	{ __NR_prctl, { 47 /* PR_CAP_AMBIENT */, 1 /* IS_SET */ } },
	{ __NR_prctl, { PR_SET_CHILD_SUBREAPER, 1 } },
	{ __NR_prctl, { PR_SET_PDEATHSIG, SIGKILL } },
	{ __NR_capget, { AT(&capabilities), AT(buffer) } },
	{ __NR_prlimit64, { 0, 0, 0, AT(buffer) } },
	{ __NR_getrlimit, { 0, AT(buffer) } },
	{ __NR_fcntl, { 0, F_GETFD } },
	{ __NR_ioctl, { 0, TCGETS_REQUEST, AT(buffer) } },
	{ __NR_getcwd, { AT(buffer), sizeof buffer } },
	{ __NR_umask, { 077 } },
	{ __NR_uname, { AT(buffer) } },
	{ __NR_newfstatat, { AT_FDCWD, AT("/"), AT(buffer) } },
	{ __NR_statx, { AT_FDCWD, AT("/"), 0, 0, AT(buffer) } },
#ifdef __NR_stat
	{ __NR_stat, { AT("/"), AT(buffer) } },
#endif
	{ __NR_statfs, { AT("/"), AT(buffer) } },
	{ __NR_fstatfs, { AT_FDCWD, AT(buffer) } },
	{ __NR_openat, { AT_FDCWD, AT("/dev/null"), O_RDWR | O_CLOEXEC } },
	{ __NR_read, { AT_FDCWD, AT(buffer), 1 } },
	{ __NR_unlinkat, { AT_FDCWD, AT("") } },
#ifdef __NR_unlink
	{ __NR_unlink, { AT("") } },
	{ __NR_rmdir, { AT("") } },
#endif
	{ __NR_pipe2, { AT(buffer), O_CLOEXEC } },
	{ __NR_close, { AT_FDCWD } },
	{ __NR_close_range, { ~0u, ~0u } },
	{ __NR_dup3, { AT_FDCWD, 0 } },
#ifdef __NR_dup2
	{ __NR_dup2, { AT_FDCWD, 0 } },
#endif
	{ __NR_clock_gettime, { CLOCK_MONOTONIC, AT(&no_time) } },
	{ __NR_setitimer, { ITIMER_REAL, AT(buffer + 2048) } },
	{ __NR_rt_sigprocmask, { SIG_BLOCK, 0, AT(buffer), SIGSET_BYTES } },
	{ __NR_rt_sigtimedwait, { AT(buffer + 2048), 0, AT(buffer + 2048), SIGSET_BYTES } },
	{ __NR_ppoll, { 0, 0, AT(buffer + 2048), 0, 0 } },
	{ __NR_sched_yield, { 0 } },
	{ __NR_nanosleep, { AT(buffer + 2048), 0 } },
	{ __NR_mprotect, { 0, 0, PROT_READ } },
	{ __NR_waitid, { P_ALL, 0, AT(buffer), WEXITED | WNOHANG } },
	{ __NR_pidfd_open, { NO_PID } },
	{ __NR_pidfd_send_signal, { AT_FDCWD } },
	{ __NR_kill, { NO_PID, SIGKILL } },
	{ __NR_kill, { AT(-NO_PID), SIGKILL } }, /* a group that cannot be */
	{ __NR_tgkill, { NO_PID, NO_PID, SIGKILL } },
	{ __NR_setpgid, { 0, 0 } },
};
#define N_CALLS (sizeof own_calls / sizeof *own_calls)

/*
 * A filter that traps sends SIGSYS. In the probe itself such a call is a refused one; a child meets
 * the signal's default, its death, from which it is learnt.
 */
static void refuse_trapped(int number, siginfo_t *info, void *context)
{
	ucontext_t *machine = context;

	(void)number;
	/* Its children would die of it where they cannot say why: they do without it, too. */
	raw_forbid(info->si_syscall);
#if defined(__x86_64__)
	machine->uc_mcontext.gregs[REG_RAX] = -EPERM;
#elif defined(__aarch64__)
	machine->uc_mcontext.regs[0] = (unsigned long)-EPERM;
#endif
}

static void survive_traps(void)
{
	struct sigaction survive = { .sa_sigaction = refuse_trapped, .sa_flags = SA_SIGINFO };

	sigaction(SIGSYS, &survive, NULL);
}

/* In the child: calls from `*next` on; whoever reads `*next` knows which one it died of. */
static _Noreturn void make_calls(volatile unsigned *next)
{
	signal(SIGSYS, SIG_DFL);
	for (; *next < N_CALLS; ++*next) {
		const struct question *q = &own_calls[*next];

		raw6(q->nr, q->args[0], q->args[1], q->args[2], q->args[3], q->args[4], q->args[5]);
	}
	end_child(0);
}

void scout_own_calls(void)
{
	volatile unsigned *next = shared_memory(sizeof *next);
	long pid, got;
	int status;

	survive_traps();
	while (next && *next < N_CALLS) {
		pid = fork_any_form();
		if (pid < 0)
			return;
		if (pid == 0)
			make_calls(next);
		do
			got = raw(__NR_wait4, pid, &status, __WALL, 0);
		while (got == -EINTR);
		/* Ended by anything else, or reaped by others: nothing was learnt. */
		if (got != pid || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
			return;
		raw_forbid(own_calls[(*next)++].nr);
	}
}
