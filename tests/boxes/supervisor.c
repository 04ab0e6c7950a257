/* SPDX-License-Identifier: MIT */
/*
 * supervisor notify|trace CALL ANSWER COMMAND…: runs a command under somebody who sees one system
 * call of it and of all that it starts, as a notify agent or as a ptrace tracer, and answers in
 * the kernel's place: an errno by number, `continue` (let it be made) or `end` (kill everything at
 * once, as a sandbox does that ends on a forbidden call). The exit status is the command's; 137
 * when it was ended.
 */
#include <errno.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum answer { ANSWER_CONTINUE = 0, ANSWER_END = -1 }; /* else an errno */

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "supervisor: %s: %s\n", what, strerror(errno));
	exit(70);
}

static int answer_named(const char *word)
{
	if (strcmp(word, "continue") == 0)
		return ANSWER_CONTINUE;
	if (strcmp(word, "end") == 0)
		return ANSWER_END;
	return (int)strtol(word, NULL, 10);
}

static void load_filter(uint32_t action, const char *call, int *ret_listener)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int nr = seccomp_syscall_resolve_name(call);

	if (!filter || nr == __NR_SCMP_ERROR || seccomp_rule_add(filter, action, nr, 0) < 0 ||
	    seccomp_load(filter) < 0)
		fail(call);
	if (ret_listener)
		*ret_listener = seccomp_notify_fd(filter);
}

/* The command's own group dies, and whoever bubblewrap or runc ends with it. */
static int end_all(pid_t command)
{
	kill(-command, SIGKILL);
	kill(command, SIGKILL);
	waitpid(command, NULL, 0);
	return 128 + SIGKILL;
}

static int exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---------------------------------------------------------------- notify agent */

static void send_descriptor(int socket, int fd)
{
	char byte = 0, space[CMSG_SPACE(sizeof fd)] = { 0 };
	struct iovec data = { &byte, 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = space,
				  .msg_controllen = sizeof space };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(header), &fd, sizeof fd);
	if (sendmsg(socket, &message, 0) < 0)
		fail("sendmsg");
}

static int receive_descriptor(int socket)
{
	char byte, space[CMSG_SPACE(sizeof(int))];
	struct iovec data = { &byte, 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = space,
				  .msg_controllen = sizeof space };
	int fd = -1;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0 || !CMSG_FIRSTHDR(&message))
		fail("no listener came");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
	return fd;
}

/* Returns false when nobody under the filter is left. */
static bool answer_one(int listener, int answer)
{
	struct seccomp_notif request;
	struct seccomp_notif_resp response = { 0 };

	memset(&request, 0, sizeof request);
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0)
		return errno == EINTR || errno == ENOENT;
	response.id = request.id;
	response.error = -answer;
	response.flags = answer == ANSWER_CONTINUE ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0 || errno == ENOENT;
}

static int notify(const char *call, int answer, char **command)
{
	int ends[2], listener, status = 0;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		fail("socketpair");
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		load_filter(SCMP_ACT_NOTIFY, call, &listener);
		send_descriptor(ends[0], listener);
		close(listener);
		execvp(command[0], command);
		fail(command[0]);
	}
	close(ends[0]);
	listener = receive_descriptor(ends[1]);
	for (;;) {
		struct pollfd event = { .fd = listener, .events = POLLIN };

		if (waitpid(child, &status, WNOHANG) == child)
			return exit_status(status);
		if (poll(&event, 1, 50) <= 0 || !(event.revents & POLLIN))
			continue;
		if (answer == ANSWER_END)
			return end_all(child);
		answer_one(listener, answer);
	}
}

/* ---------------------------------------------------------------- tracer */

/* Skips the call and puts the errno in its place. */
static void answer_in_place(pid_t pid, int error)
{
#if defined(__x86_64__)
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, pid, 0, &registers) == 0) {
		registers.orig_rax = (unsigned long)-1;
		registers.rax = (unsigned long)-error;
		ptrace(PTRACE_SETREGS, pid, 0, &registers);
	}
#else
	(void)pid;
	(void)error;
#endif
}

static int follow(pid_t child, int answer)
{
	int status;

	for (;;) {
		pid_t pid = waitpid(-1, &status, __WALL);
		int event = status >> 16, signal = 0;

		if (pid < 0)
			return 70;
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == child)
				return exit_status(status);
			continue;
		}
		if (event == PTRACE_EVENT_SECCOMP && answer == ANSWER_END)
			return end_all(child);
		if (event == PTRACE_EVENT_SECCOMP && answer != ANSWER_CONTINUE)
			answer_in_place(pid, answer);
		/* A stop without an event is a signal to pass on, but for the first one. */
		if (event == 0 && WSTOPSIG(status) != SIGSTOP && WSTOPSIG(status) != SIGTRAP)
			signal = WSTOPSIG(status);
		ptrace(PTRACE_CONT, pid, 0, signal);
	}
}

static int trace(const char *call, int answer, char **command)
{
	const long wanted = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			    PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	pid_t child = fork();

	if (child == 0) {
		setpgid(0, 0);
		raise(SIGSTOP);
		load_filter(SCMP_ACT_TRACE(0), call, NULL);
		execvp(command[0], command);
		fail(command[0]);
	}
	if (waitpid(child, NULL, WUNTRACED) != child || ptrace(PTRACE_SEIZE, child, 0, wanted) < 0)
		fail("ptrace");
	kill(child, SIGCONT);
	return follow(child, answer);
}

int main(int argc, char **argv)
{
	if (argc >= 5 && strcmp(argv[1], "notify") == 0)
		return notify(argv[2], answer_named(argv[3]), argv + 4);
	if (argc >= 5 && strcmp(argv[1], "trace") == 0)
		return trace(argv[2], answer_named(argv[3]), argv + 4);
	fprintf(stderr, "usage: supervisor notify|trace CALL ERRNO|continue|end COMMAND...\n");
	return 64;
}
