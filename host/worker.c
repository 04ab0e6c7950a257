/* SPDX-License-Identifier: MIT */
#include "host/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/child.h"
#include "host/error.h"

/* The last two are for Ctrl-Z, which reaches the group in front alone. */
static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT };

static sigset_t heard_signals(void)
{
	sigset_t heard;

	sigemptyset(&heard);
	sigaddset(&heard, SIGCHLD);
	for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaddset(&heard, passed_on[i]);
	return heard;
}

static void become_worker(pid_t front, const sigset_t *mask)
{
	/* Before the question who the parent is: it may be gone already. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
	/* As a background job of the terminal it may write all the same (stty tostop). */
	signal(SIGTTOU, SIG_IGN);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (getppid() != front)
		raise(SIGTERM);
}

static void pass_on(pid_t worker, int number)
{
	if (number == SIGTSTP) {
		kill(worker, SIGSTOP);
		raise(SIGSTOP);
		return;
	}
	/* Left to itself, SIGQUIT would leave everything behind. */
	kill(worker, number == SIGQUIT ? SIGTERM : number);
	kill(worker, SIGCONT);
}

/* What the worker made and nobody removed bears a name that begins so. */
static int end_after_kill(void)
{
	fputs("sandboxeval: the run was killed: temporary folders, containers, images and control "
	      "groups of it may be left behind; their names begin with sandboxeval-\n", stderr);
	return EXIT_INCOMPLETE;
}

/* The same end that the worker had. */
static _Noreturn void end_as(int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	sigset_t one;

	if (number == 0)
		_exit(WEXITSTATUS(status));
	child_end_rest();
	if (number == SIGKILL)
		_exit(end_after_kill());
	/* One core of it is enough. */
	prctl(PR_SET_DUMPABLE, 0);
	signal(number, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	raise(number);
	_exit(128 + number);
}

void work_apart(void)
{
	sigset_t heard = heard_signals(), before;
	pid_t front = getpid(), worker;
	int status;

	fflush(NULL);
	child_note_inherited();
	sigprocmask(SIG_BLOCK, &heard, &before);
	/* Where it is ignored, the kernel would take the worker's end for itself. */
	signal(SIGCHLD, SIG_DFL);
	worker = fork();
	if (worker < 0)
		sigprocmask(SIG_SETMASK, &before, NULL);
	if (worker == 0)
		become_worker(front, &before);
	if (worker <= 0)
		return;
	/* What a killed worker leaves becomes ours. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	for (;;) {
		int number = sigwaitinfo(&heard, NULL);

		if (waitpid(worker, &status, WNOHANG) == worker)
			end_as(status);
		if (number > 0 && number != SIGCHLD)
			pass_on(worker, number);
	}
}
