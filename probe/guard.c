/* SPDX-License-Identifier: MIT */
#include "probe/guard.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "probe/abi.h"
#include "probe/children.h"
#include "probe/raw.h"
#include "scenarios/scenario.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
/* The kernel's own size of a signal set, whatever libc's type is. */
#define SIGSET_BYTES 8

static uint64_t sigchld_mask = UINT64_C(1) << (SIGCHLD - 1);
static pid_t guardian;
enum { INHERITED_AT_MOST = 64 };
static struct {
	unsigned n;
	bool cut;    /* there were more */
	pid_t group; /* our own */
	pid_t list[INHERITED_AT_MOST];
} inherited; /* children that were there before the probe began */
static unsigned escaped;
static int null_device = -1;

int64_t now_ns(void)
{
	struct timespec time = { 0 };

	raw(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

void *shared_memory(size_t size)
{
	long address = raw(__NR_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);

	return address < 0 && address > -4096 ? NULL : (void *)address;
}

void seal_memory(void *memory, size_t size)
{
	raw(__NR_mprotect, memory, size, PROT_READ);
}

/*
 * Somewhere to send what children print and to read nothing from. Where /dev/null is missing a
 * pipe of our own serves: nobody reads it, and its far end is closed, so reads see the end and
 * writes fail.
 */
static void open_null_device(void)
{
	int ends[2] = { -1, -1 };
	long fd = raw(__NR_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);

	if (fd < 0 && raw(__NR_pipe2, ends, O_CLOEXEC) == 0) {
		fd = ends[0];
		raw(__NR_close, ends[1]);
	}
	if (fd >= 0 && fd < 3) {
		/* Our own 0–2 were closed: keep the numbers free of a file that is not theirs. */
		long higher = raw(__NR_fcntl, fd, F_DUPFD_CLOEXEC, 3);

		raw(__NR_close, fd);
		fd = higher;
	}
	null_device = (int)fd;
}

/* ---------------------------------------------------------------- the child's side */

static void soften_limit(int resource, uint64_t soft)
{
	uint64_t pair[2] = { 0 };

	if (raw(__NR_prlimit64, 0, resource, 0, pair) < 0)
		return;
	pair[0] = soft < pair[1] ? soft : pair[1];
	raw(__NR_prlimit64, 0, resource, pair, 0);
}

static void redirect_stdio(void)
{
	for (int fd = 0; fd < 3 && null_device >= 0; fd++)
		if (raw(__NR_dup3, null_device, fd, 0) < 0)
			raw(__NR_dup2, null_device, fd);
}

static void close_above_stdio(void)
{
	if (raw(__NR_close_range, 3, ~0u, 0) == 0)
		return;
	for (int fd = 3; fd < 1024; fd++)
		raw(__NR_close, fd);
}

/* A second clock in the child itself, for the case that the probe may not signal it. */
static void arm_alarm(unsigned deadline_ms)
{
	long interval[4] = { 0, 0, deadline_ms / 1000 + 2, 0 };

	raw(__NR_setitimer, ITIMER_REAL, interval, NULL);
}

static void enter_child(const struct guard_options *guard, pid_t parent)
{
	uint64_t no_signals = 0;
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	raw(__NR_setpgid, 0, 0);
	tie_to_parent(parent);
	raw(__NR_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, SIGSET_BYTES);
	/* Over RLIMIT_FSIZE: an error to report, not a death. */
	sigaction(SIGXFSZ, &ignore, NULL);
	/* The probe survives a trap; a trial dies of it, so that it is told. */
	ignore.sa_handler = SIG_DFL;
	sigaction(SIGSYS, &ignore, NULL);
	arm_alarm(guard->deadline_ms);
	if (!(guard->keep & KEEP_LIMITS)) {
		soften_limit(RLIMIT_CORE, 0);
		soften_limit(RLIMIT_NOFILE, 1024);
		if (guard->cpu_seconds)
			soften_limit(RLIMIT_CPU, guard->cpu_seconds);
	}
	if (!(guard->keep & KEEP_STDIO))
		redirect_stdio();
	if (!(guard->keep & KEEP_DESCRIPTORS))
		close_above_stdio();
}

/* ---------------------------------------------------------------- the probe's side */

bool guard_start(struct cell *cell, const struct guard_options *guard, void (*work)(void *),
		 void *context)
{
	pid_t parent = (pid_t)own_number();
	long pid = fork_any_form();

	*cell = (struct cell){ .pid = -1, .pidfd = -1 };
	if (pid == 0) {
		enter_child(guard, parent);
		work(context);
		end_child(0);
	}
	if (pid < 0) {
		cell->fork_error = (int)-pid;
		return false;
	}
	cell->pid = (pid_t)pid;
	cell->deadline = now_ns() + guard->deadline_ms * MILLISECOND;
	/* By both sides: whoever comes first, the group exists before anybody kills it. */
	raw(__NR_setpgid, pid, pid);
	cell->pidfd = (int)raw(__NR_pidfd_open, pid, 0);
	return true;
}

/* Blocks until something may have changed, at most `left` nanoseconds. */
static void wait_a_while(int pidfd, int64_t left)
{
	struct timespec time = { left / SECOND, left % SECOND };
	struct pollfd event = { .fd = pidfd, .events = POLLIN };

	if (pidfd >= 0 && raw(__NR_ppoll, &event, 1, &time, NULL, 0) >= 0)
		return;
	/* The pidfd or the call was refused: SIGCHLD is blocked, so none is missed. */
	if (left > 50 * MILLISECOND)
		time = (struct timespec){ 0, 50 * MILLISECOND };
	if (raw(__NR_rt_sigtimedwait, &sigchld_mask, NULL, &time, SIGSET_BYTES) >= 0)
		return;
	raw(__NR_sched_yield);
}

long reap_once(pid_t pid, int *status)
{
	long got = raw(__NR_wait4, pid, status, WNOHANG | __WALL, NULL), again;
	siginfo_t info = { 0 };

	if (got > 0 || got == -EINTR || got == -ECHILD)
		return got;
	again = raw(__NR_waitid, pid == -1 ? P_ALL : pid < 0 ? P_PGID : P_PID, pid < 0 ? -pid : pid,
		    &info, WEXITED | WNOHANG | __WALL, NULL);
	if (again < 0)
		return again == -ECHILD ? again : got;
	*status = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
	return info.si_pid;
}

/* Reaps one child if it ends by `until`; true when it is gone (ret_status may stay -1). */
static bool reap_until(pid_t pid, int pidfd, int64_t until, int *ret_status)
{
	for (;;) {
		int status = -1;
		long got = reap_once(pid, &status);
		int64_t left;

		if (got == pid) {
			*ret_status = status;
			return true;
		}
		if (got < 0 && got != -EINTR)
			return true;
		left = until - now_ns();
		if (left <= 0)
			return false;
		wait_a_while(pidfd, left);
	}
}

/* Kill, by whichever call the filter lets through. */
static void end_process(pid_t pid, int pidfd)
{
	if (raw(__NR_kill, -pid, SIGKILL) < 0 && raw(__NR_kill, pid, SIGKILL) < 0 && pidfd >= 0)
		raw(__NR_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	raw(__NR_kill, pid, SIGKILL);
	raw(__NR_tgkill, pid, pid, SIGKILL);
}

static enum ending ending_of(struct cell *cell, int status)
{
	if (status == -1)
		return ENDING_LOST;
	if (WIFEXITED(status)) {
		cell->exit_code = WEXITSTATUS(status);
		return ENDING_EXITED;
	}
	cell->signal = WTERMSIG(status);
	return cell->signal == SIGSYS ? ENDING_SIGSYS : ENDING_SIGNALLED;
}

/* Reaps the members of a dead leader's group, which have become our children. */
static void reap_group(pid_t group)
{
	int64_t until = now_ns() + SECOND;
	int status;

	for (;;) {
		long got = reap_once(-group, &status);

		if (got < 0 && got != -EINTR)
			return;
		if (got == 0 && now_ns() > until)
			return;
		if (got == 0)
			wait_a_while(-1, MILLISECOND);
	}
}

enum ending guard_finish(struct cell *cell)
{
	int status = -1;
	enum ending ending = ENDING_DEADLINE;
	bool gone;

	if (cell->pid <= 0)
		return ENDING_NOT_STARTED;
	gone = reap_until(cell->pid, cell->pidfd, cell->deadline, &status);
	if (gone) {
		ending = ending_of(cell, status);
		/* The leader is gone; kill whoever it left in its group. */
		raw(__NR_kill, -cell->pid, SIGKILL);
	} else {
		end_process(cell->pid, cell->pidfd);
		reap_until(cell->pid, cell->pidfd, now_ns() + SECOND, &status);
	}
	reap_group(cell->pid);
	close_fd(cell->pidfd);
	return ending;
}

enum ending guard_run(struct cell *cell, const struct guard_options *guard, void (*work)(void *),
		      void *context)
{
	if (!guard_start(cell, guard, work, context))
		return ENDING_NOT_STARTED;
	return guard_finish(cell);
}

/* ---------------------------------------------------------------- what escaped */

static bool is_living_child(pid_t pid)
{
	siginfo_t info;

	return raw(__NR_waitid, P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL, NULL) == 0;
}

static void kill_and_reap(pid_t pid)
{
	int status;

	end_process(pid, -1);
	reap_until(pid, -1, now_ns() + SECOND, &status);
}

/*
 * Calls `each` for every child of ours; returns how many there are. The kernel's list is used where
 * /proc shows it, and shows our own numbers; else every number since the probe's own is asked "are
 * you a child of mine?", which needs nothing but waitid(2).
 */
static unsigned each_child(void (*each)(pid_t pid))
{
	char list[4096] = "";
	long fd = raw(__NR_openat, AT_FDCWD, "/proc/thread-self/children",
		      O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	long n = fd >= 0 ? raw(__NR_read, fd, list, sizeof list - 1) : -1;
	unsigned found = 0;

	close_fd((int)fd);
	for (long i = 0, pid = 0; i < n; i++) {
		if (list[i] >= '0' && list[i] <= '9') {
			pid = pid * 10 + (list[i] - '0');
			continue;
		}
		if (pid > 0 && is_living_child((pid_t)pid)) {
			found++;
			each((pid_t)pid);
		}
		pid = 0;
	}
	for (pid_t pid = guardian + 1; !found && pid < guardian + 4096; pid++) {
		if (!is_living_child(pid))
			continue;
		each(pid);
		while (++pid < guardian + 4096)
			if (is_living_child(pid))
				each(pid);
		return 1;
	}
	return found;
}

static void take_inherited(pid_t pid)
{
	if (inherited.n < INHERITED_AT_MOST)
		inherited.list[inherited.n++] = pid;
	else
		inherited.cut = true;
}

/* A shell that started something and then became us leaves it to us: it is none of ours. */
static void find_inherited(void)
{
	siginfo_t info;

	inherited.group = (pid_t)raw(__NR_getpgid, 0);
	if (raw(__NR_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL, NULL) == 0)
		each_child(take_inherited);
}

/* Or what it started in turn, whose parent is gone: of our own children each has a group. */
static bool is_inherited(pid_t pid)
{
	long group = raw(__NR_getpgid, pid);

	for (unsigned i = 0; i < inherited.n; i++)
		if (inherited.list[i] == pid || inherited.list[i] == group)
			return true;
	return inherited.cut || (inherited.n && group == inherited.group);
}

/* Children that left their group have come to us, the subreaper. */
static void end_escaped(pid_t pid)
{
	if (is_inherited(pid))
		return;
	escaped++;
	kill_and_reap(pid);
}

bool guard_sweep(void)
{
	for (int round = 0; round < 4; round++) {
		int status;
		long got;

		do
			got = reap_once(-1, &status);
		while (got > 0 || got == -EINTR);
		if (got < 0)
			return true;
		escaped = 0;
		each_child(end_escaped);
		if (!escaped && inherited.n)
			return true;
	}
	return false;
}

void guard_prepare(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	guardian = (pid_t)own_number();
	raw(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	raw(__NR_rt_sigprocmask, SIG_BLOCK, &sigchld_mask, NULL, SIGSET_BYTES);
	sigaction(SIGPIPE, &ignore, NULL);
	/* Over RLIMIT_FSIZE: our output may be a file. */
	sigaction(SIGXFSZ, &ignore, NULL);
	/* Inherited as "ignored", SIGCHLD would reap our children before we can. */
	ignore.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &ignore, NULL);
	open_null_device();
	find_inherited();
}
