/* SPDX-License-Identifier: MIT */
#include "host/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/memory.h"

/* An engine may clean up before it is killed; output may trail behind the end of its program. */
#define GRACE_SECONDS 2.0
#define REAP_SECONDS 5.0
#define START_SECONDS 10.0

static int signal_fd = -1;
static bool was_interrupted;
/* While something runs that no interrupt may cut in two. */
static bool is_deaf;
static sigset_t mask_before;
/* Children that we had before we started any: who execs us keeps its background jobs. */
static pid_t inherited[64];
static unsigned n_inherited;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---------------------------------------------------------------- our children */

static pid_t parent_of(const char *pid)
{
	char path[64], line[512];
	const char *after_name;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, line, sizeof line - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	after_name = strrchr(line, ')');
	return after_name && strlen(after_name) > 4 ? (pid_t)strtol(after_name + 4, NULL, 10) : -1;
}

/* Calls `each` for every child of ours that we did not inherit. Returns how many there are. */
static unsigned each_child(void (*each)(pid_t pid))
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	unsigned n = 0;

	while (processes && (entry = readdir(processes))) {
		pid_t pid = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ?
				    (pid_t)strtol(entry->d_name, NULL, 10) : 0;
		bool ours = pid > 0 && parent_of(entry->d_name) == getpid();

		for (unsigned i = 0; i < n_inherited; i++)
			ours = ours && inherited[i] != pid;
		if (!ours)
			continue;
		n++;
		each(pid);
	}
	if (processes)
		closedir(processes);
	return n;
}

static void inherit(pid_t pid)
{
	if (n_inherited < sizeof inherited / sizeof *inherited)
		inherited[n_inherited++] = pid;
}

/* Once, before the first start. */
void child_note_inherited(void)
{
	static bool noted;

	if (!noted)
		each_child(inherit);
	noted = true;
}

void child_spare(int pid)
{
	child_note_inherited();
	inherit(pid);
}

void child_claim(int pid)
{
	for (unsigned i = 0; i < n_inherited; i++)
		if (inherited[i] == pid)
			inherited[i] = inherited[--n_inherited];
}

static void kill_and_reap(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, WNOHANG);
}

void interrupt_catch(void)
{
	struct sigaction hang_up;
	sigset_t caught;

	if (signal_fd >= 0)
		return;
	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	/* Caught, it would end a run that was started by nohup. */
	if (sigaction(SIGHUP, NULL, &hang_up) < 0 || hang_up.sa_handler != SIG_IGN)
		sigaddset(&caught, SIGHUP);
	sigprocmask(SIG_BLOCK, &caught, &mask_before);
	signal_fd = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
	/* What escapes from a sandbox becomes our child, and can be found and ended. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	child_note_inherited();
}

bool interrupted(void)
{
	struct signalfd_siginfo info;

	while (signal_fd >= 0 && read(signal_fd, &info, sizeof info) == sizeof info)
		was_interrupted = true;
	return was_interrupted;
}

static bool must_stop(void)
{
	return !is_deaf && interrupted();
}

void interrupt_release(void)
{
	if (signal_fd < 0)
		return;
	close(signal_fd);
	signal_fd = -1;
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* ---------------------------------------------------------------- starting */

struct started {
	pid_t pid;
	int pidfd, out, err;
};

/*
 * Descriptors that our own caller opened are passed on (bwrap --seccomp 9 9<filter); an engine
 * reads such a file to its end, and the next launch must find it at its beginning again.
 */
static void rewind_inherited(void)
{
	struct stat about;

	for (int fd = 3; fd < 256; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || flags & FD_CLOEXEC || fstat(fd, &about) < 0)
			continue;
		if (S_ISREG(about.st_mode) && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
			lseek(fd, 0, SEEK_SET);
	}
}

static _Noreturn void become(const struct child_plan *plan, int out, int err, int report)
{
	const char *input = plan->input ? plan->input : "/dev/null";
	int cause;

	/* Its own session: it has no terminal to type into, and Ctrl-C reaches us alone. */
	setsid();
	if (signal_fd >= 0)
		sigprocmask(SIG_SETMASK, &mask_before, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTTOU, SIG_DFL);
	/* Last resort, when we are killed: most engines end their sandbox when they are asked. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(STDIN_FILENO);
	if (open(input, O_RDONLY) == STDIN_FILENO && dup2(out, STDOUT_FILENO) >= 0 &&
	    dup2(err, STDERR_FILENO) >= 0)
		execvp(plan->argv[0], plan->argv);
	cause = errno;
	if (write(report, &cause, sizeof cause) < 0)
		_exit(126);
	_exit(127);
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Waits until the child has become the program; 0, or the errno of what refused. */
static int await_start(int report)
{
	int cause = 0;
	ssize_t n;

	do
		n = read(report, &cause, sizeof cause);
	while (n < 0 && errno == EINTR);
	return n == sizeof cause ? cause : 0;
}

static bool start(const struct child_plan *plan, struct started *child, struct error *error)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 }, report[2] = { -1, -1 }, cause;

	rewind_inherited();
	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0 || pipe2(report, O_CLOEXEC) < 0 ||
	    (child->pid = fork()) < 0) {
		cause = errno;
		for (int i = 0; i < 2; i++) {
			close_if_open(out[i]);
			close_if_open(err[i]);
			close_if_open(report[i]);
		}
		return error_set(error, EXIT_INTERNAL, "cannot start %s: %s", plan->argv[0],
				 strerror(cause));
	}
	if (child->pid == 0)
		become(plan, out[1], err[1], report[1]);
	close(out[1]);
	close(err[1]);
	close(report[1]);
	cause = await_start(report[0]);
	close(report[0]);
	if (cause) {
		waitpid(child->pid, NULL, 0);
		close(out[0]);
		close(err[0]);
		return error_set(error, EXIT_INCOMPLETE, "cannot start %s: %s", plan->argv[0],
				 strerror(cause));
	}
	child->out = out[0];
	child->err = err[0];
	fcntl(child->out, F_SETFL, O_NONBLOCK);
	fcntl(child->err, F_SETFL, O_NONBLOCK);
	child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	return true;
}

/* ---------------------------------------------------------------- reading */

static void keep_tail(struct child_end *end, const char *bytes, size_t n)
{
	if (n > sizeof end->errors) {
		bytes += n - sizeof end->errors;
		n = sizeof end->errors;
	}
	if (end->n_errors + n > sizeof end->errors) {
		size_t drop = end->n_errors + n - sizeof end->errors;

		memmove(end->errors, end->errors + drop, end->n_errors - drop);
		end->n_errors -= drop;
	}
	memcpy(end->errors + end->n_errors, bytes, n);
	end->n_errors += n;
}

/* Reads what is there once. A descriptor at its end is closed and becomes -1. */
static bool read_some(int *fd, const struct child_plan *plan, struct child_end *end, bool is_error)
{
	char bytes[65536];
	ssize_t n = *fd < 0 ? 0 : read(*fd, bytes, sizeof bytes);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0) {
		close_if_open(*fd);
		*fd = -1;
		return true;
	}
	end->spoke |= !is_error;
	if (is_error)
		keep_tail(end, bytes, (size_t)n);
	else if (plan->output)
		return plan->output(plan->context, bytes, (size_t)n);
	return true;
}

static int to_milliseconds(double seconds)
{
	return seconds <= 0 ? 0 : seconds > 3600 ? 3600000 : (int)(seconds * 1000) + 1;
}

/* Where the kernel has no pidfd, the end is looked for ten times a second. */
static void await_event(const struct started *child, double until)
{
	struct pollfd events[4] = {
		{ .fd = child->out, .events = POLLIN },
		{ .fd = child->err, .events = POLLIN },
		{ .fd = child->pidfd, .events = POLLIN },
		{ .fd = is_deaf ? -1 : signal_fd, .events = POLLIN },
	};
	double left = until - now();

	if (child->pidfd < 0 && left > 0.1)
		left = 0.1;
	poll(events, 4, to_milliseconds(left));
}

static bool has_ended(pid_t pid, int *ret_status)
{
	siginfo_t info = { 0 };

	/* The zombie is kept until the group has been killed, so that its number stays ours. */
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid != pid)
		return false;
	*ret_status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
	return true;
}

/* Output may trail behind: until both pipes are at their end, or the grace is over. */
static void drain(struct started *child, const struct child_plan *plan, struct child_end *end)
{
	double until = now() + GRACE_SECONDS;
	struct started pipes = { .out = child->out, .err = child->err, .pidfd = -1 };

	while ((pipes.out >= 0 || pipes.err >= 0) && now() < until && !must_stop()) {
		await_event(&pipes, until);
		if (!read_some(&pipes.out, plan, end, false))
			break;
		read_some(&pipes.err, plan, end, true);
	}
	child->out = pipes.out;
	child->err = pipes.err;
}

/* Until the child ends, is cut off, or its time is over. */
static void attend(struct started *child, const struct child_plan *plan, struct child_end *end,
		   double began)
{
	int status;

	for (;;) {
		bool starting = plan->whole_start && !end->spoke && now() < began + START_SECONDS;
		double until = began + plan->seconds;

		if (starting && until < began + START_SECONDS)
			until = began + START_SECONDS;
		if (has_ended(child->pid, &status)) {
			end->how = status >= 0 ? CHILD_EXITED : CHILD_SIGNALLED;
			end->code = status >= 0 ? status : -status;
			drain(child, plan, end);
			return;
		}
		if (must_stop() && !starting) {
			end->how = CHILD_INTERRUPTED;
			return;
		}
		if (now() >= until) {
			end->how = CHILD_TIMED_OUT;
			return;
		}
		/* An interrupt that waits must not wait longer than the start may take. */
		await_event(child, starting ? began + START_SECONDS : until);
		if (!read_some(&child->out, plan, end, false)) {
			end->how = CHILD_CUT_OFF;
			return;
		}
		read_some(&child->err, plan, end, true);
	}
}

/* ---------------------------------------------------------------- ending */

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

void child_end_rest(void)
{
	double until = now() + REAP_SECONDS;

	while (now() < until && each_child(kill_and_reap) > 0)
		nap();
}

/* Reaps the child and whatever it left behind, within a bound. */
static void reap_all(pid_t pid)
{
	double until = now() + REAP_SECONDS;

	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	/* What escaped the group has become ours, and its children become ours in turn. */
	child_end_rest();
	/* Where /proc is not to be seen, at least the child itself. */
	while (now() < until && waitpid(pid, NULL, WNOHANG) == 0)
		nap();
}

/* First asked, so that an engine can remove its container, then killed. */
static void end_group(pid_t pid)
{
	double until = now() + GRACE_SECONDS;
	int status;

	kill(-pid, SIGTERM);
	while (now() < until && !has_ended(pid, &status))
		nap();
}

bool child_run(const struct child_plan *plan, struct child_end *ret_end, struct error *error)
{
	struct started child = { .pid = -1, .pidfd = -1, .out = -1, .err = -1 };
	double began = now();

	*ret_end = (struct child_end){ .how = CHILD_INTERRUPTED };
	if (must_stop())
		return true;
	child_note_inherited();
	if (!start(plan, &child, error))
		return false;
	attend(&child, plan, ret_end, began);
	if (ret_end->how != CHILD_EXITED && ret_end->how != CHILD_SIGNALLED)
		end_group(child.pid);
	reap_all(child.pid);
	/* What was in the pipe when it was killed still counts, unless nobody wants it. */
	if (ret_end->how == CHILD_TIMED_OUT)
		drain(&child, plan, ret_end);
	close_if_open(child.out);
	close_if_open(child.err);
	close_if_open(child.pidfd);
	ret_end->seconds = now() - began;
	return true;
}

bool child_run_whole(const struct child_plan *plan, struct child_end *ret_end, struct error *error)
{
	bool ran;

	is_deaf = true;
	ran = child_run(plan, ret_end, error);
	is_deaf = false;
	return ran;
}

/* ---------------------------------------------------------------- small questions */

void child_undo(const char *const argv[])
{
	bool before = was_interrupted;
	struct child_plan plan = { .argv = (char *const *)argv, .seconds = 20 };
	struct child_end end;
	struct error error;

	before |= interrupted();
	was_interrupted = false;
	child_run(&plan, &end, &error);
	was_interrupted |= before;
}

struct line {
	char *text;
	size_t n, size;
	bool whole;
};

static bool take_line(void *context, const char *bytes, size_t n)
{
	struct line *line = context;

	for (size_t i = 0; i < n && !line->whole; i++) {
		if (bytes[i] == '\n')
			line->whole = true;
		else if (line->n + 1 < line->size && bytes[i] >= ' ' && bytes[i] < 127)
			line->text[line->n++] = bytes[i];
	}
	return true;
}

bool child_first_line(const char *const argv[], char *ret_line, size_t size)
{
	struct line line = { .text = ret_line, .size = size };
	struct child_plan plan = { .argv = (char *const *)argv, .seconds = 10,
				   .output = take_line, .context = &line };
	struct child_end end;
	struct error error;

	ret_line[0] = '\0';
	if (!child_run(&plan, &end, &error))
		return false;
	if (line.n == 0) {
		line.whole = false;
		take_line(&line, end.errors, end.n_errors);
	}
	ret_line[line.n] = '\0';
	return end.how == CHILD_EXITED && end.code == 0;
}

char *program_find(const char *name)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t length = strcspn(path, ":");
		char *file = print_text("%.*s/%s", (int)length, path, name);
		struct stat about;

		if (length > 0 && stat(file, &about) == 0 && S_ISREG(about.st_mode) &&
		    access(file, X_OK) == 0)
			return file;
		free(file);
		path += length;
		path += *path == ':';
	}
	return NULL;
}
