/* SPDX-License-Identifier: MIT */
/*
 * Sockets between a virtual machine and its host. Nobody is connected to: that such a socket can be
 * made, and which number the machine has, is asked of the kernel. Making one could load a module,
 * so it is made only where the kernel knows the family already.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/vm_sockets.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifndef AF_VSOCK
#define AF_VSOCK 40
#endif

enum { GUEST_FIRST = 3, GUEST_LAST = 255 };

static const struct question asks[] = {
	{ __NR_socket, { AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0 } },
	{ __NR_bind, { -1ul, 0, 0 } },
};

static bool take_protocol(void *context, char *line)
{
	bool *known = context;

	*known |= starts_with(line, "AF_VSOCK ");
	return !*known;
}

enum known { KNOWN_NOT_TOLD, KNOWN, KNOWN_NOT };

static enum known kernel_knows(struct trial *trial)
{
	struct object object;
	bool known = false;
	struct attempt a = try_lines(trial, "/proc/net/protocols", take_protocol, &known);

	if (known)
		return KNOWN;
	/* An empty file is a mask: the list has a head. */
	if (a.value > 0)
		return KNOWN_NOT;
	return attempt_worked(try_stat(trial, AT_FDCWD, "/sys/module/vsock", 0, &object)) ?
		       KNOWN : KNOWN_NOT_TOLD;
}

static bool ask_device(struct trial *trial, unsigned *ret_cid)
{
	struct attempt opened = try_open(trial, "/dev/vsock", O_RDONLY | O_NONBLOCK), a;

	if (!attempt_worked(opened))
		return false;
	a = try_call_as(trial, "fvp", "ioctl", __NR_ioctl, opened.value,
			IOCTL_VM_SOCKETS_GET_LOCAL_CID, ret_cid);
	close_fd((int)opened.value);
	return attempt_worked(a) && *ret_cid != VMADDR_CID_ANY;
}

/* Only to a number of its own does the kernel bind. */
static bool bind_to(struct trial *trial, int fd, unsigned cid)
{
	struct sockaddr_vm address = { .svm_family = AF_VSOCK, .svm_cid = cid,
				       .svm_port = VMADDR_PORT_ANY };

	return attempt_worked(try_call_as(trial, "fpp", "bind", __NR_bind, fd, &address,
					  sizeof address));
}

static bool find_cid(struct trial *trial, int fd, unsigned *ret_cid)
{
	if (ask_device(trial, ret_cid))
		return true;
	for (*ret_cid = GUEST_FIRST; *ret_cid <= GUEST_LAST; ++*ret_cid)
		if (bind_to(trial, fd, *ret_cid))
			return true;
	*ret_cid = VMADDR_CID_HOST;
	return bind_to(trial, fd, *ret_cid);
}

static void attempt(struct trial *trial)
{
	int error;
	enum answer answer = ask_filter(trial, __NR_socket, question_of(trial, 0)->args, &error);
	enum known known = filter_refuses(answer) ? KNOWN : kernel_knows(trial);
	struct attempt made;
	unsigned cid = VMADDR_CID_ANY;

	if (known != KNOWN) {
		note_text(trial, WHOLE, "family",
			  known == KNOWN_NOT ? "not registered" : "not told");
		if (known == KNOWN_NOT)
			settle(trial, WHOLE, found_in_process(false));
		else
			settle_unknown(trial, WHOLE, REASON_NO_VIEW);
		return;
	}
	made = try_socket(trial, AF_VSOCK, SOCK_STREAM, 0);
	if (!attempt_worked(made)) {
		settle(trial, WHOLE, made);
		return;
	}
	note_text(trial, WHOLE, "family", "socket made");
	if (find_cid(trial, (int)made.value, &cid)) {
		note_number(trial, WHOLE, "cid", cid);
		settle(trial, WHOLE, made);
	} else {
		/* It may have a number that nobody tells us. */
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
	}
	close_fd((int)made.value);
}

const struct scenario scenario_socket_vsock = {
	.about = ABOUT(
		.title = "Make sockets to the host of the virtual machine",
		.accessed = "Code in the sandbox can make a socket to the host of the virtual "
			    "machine and knows the machine's own number.",
		.denied = "Code in the sandbox cannot make a socket to the host of the virtual "
			  "machine.",
		.why = "These sockets cross the border of the virtual machine beside the network, "
		       "and no network namespace holds them: services on the host may trust who "
		       "comes this way.",
		.see = "T1611",
		.open = "ANY only a virtual machine with a vsock device has such sockets; there B "
			"is open",
		.closed = "S(socket@0&255=40)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	ASKS(asks),
	.attempt = attempt,
};
