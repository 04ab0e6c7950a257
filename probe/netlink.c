/* SPDX-License-Identifier: MIT */
#include "probe/netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#include "probe/attempts.h"
#include "probe/guard.h"
#include "probe/raw.h"

#define MOST_MESSAGES 65536 /* of one dump: a large routing table must not hold us */

/* One datagram of the answer; EAGAIN when the time is up. */
static struct attempt receive(struct trial *trial, int fd, void *buffer, size_t size, int64_t end)
{
	struct iovec part = { buffer, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	const struct form forms[] = {
		FORM("recvfrom", __NR_recvfrom, "fppvpp", fd, buffer, size, MSG_DONTWAIT, NULL, NULL),
		FORM("recvmsg", __NR_recvmsg, "fpv", fd, &message, MSG_DONTWAIT),
	};

	for (;;) {
		struct pollfd waiting = { .fd = fd, .events = POLLIN };
		int64_t left = end - now_ns();
		struct timespec patience = { .tv_nsec = left };
		struct attempt a;

		if (left <= 0)
			return (struct attempt){ .value = -1, .error = EAGAIN, .nr = -1,
						 .reached = true };
		a = try_forms(trial, forms, sizeof forms / sizeof *forms);
		if (a.error != EAGAIN && a.error != EINTR)
			return a;
		raw(__NR_ppoll, &waiting, 1, &patience, NULL, 0);
	}
}

static int error_of(const struct nlmsghdr *header)
{
	const struct nlmsgerr *error = (const void *)(header + 1);

	return header->nlmsg_len >= sizeof *header + sizeof error->error && error->error ?
		       -error->error : EIO;
}

static struct attempt ended_with(struct attempt a, int error)
{
	a.value = error ? -1 : 0;
	a.error = error;
	return a;
}

/* Worked when the dump came to its end. */
static struct attempt read_dump(struct trial *trial, int fd, const struct netlink_dump *dump)
{
	_Alignas(8) char buffer[16384] = { 0 };
	unsigned messages = 0;

	for (;;) {
		struct attempt a = receive(trial, fd, buffer, sizeof buffer, dump->end);
		long left = a.value;
		const char *at = buffer;

		if (left <= 0)
			return attempt_worked(a) ? ended_with(a, EIO) : a;
		while (left >= (long)sizeof(struct nlmsghdr)) {
			const struct nlmsghdr *header = (const void *)at;
			long step = NLMSG_ALIGN((long)header->nlmsg_len);

			if (header->nlmsg_len < sizeof *header || header->nlmsg_len > left)
				return ended_with(a, EIO);
			if (header->nlmsg_type == NLMSG_DONE)
				return ended_with(a, 0);
			if (header->nlmsg_type == NLMSG_ERROR)
				return ended_with(a, error_of(header));
			if (header->nlmsg_type == dump->reply)
				dump->take(dump->context, header + 1,
					   header->nlmsg_len - sizeof *header);
			if (++messages == MOST_MESSAGES)
				return ended_with(a, E2BIG);
			at += step;
			left -= step;
		}
	}
}

struct attempt try_netlink_dump(struct trial *trial, int fd, const struct netlink_dump *dump)
{
	struct {
		struct nlmsghdr header;
		char body[64];
	} request = { .header = { .nlmsg_len = sizeof request.header + (unsigned)dump->size,
				  .nlmsg_type = dump->request,
				  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
				  .nlmsg_seq = dump->request } };
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct form forms[] = {
		FORM("sendto", __NR_sendto, "fppvpp", fd, &request, request.header.nlmsg_len, 0,
		     &kernel, sizeof kernel),
	};
	struct attempt a, answer;

	memcpy(request.body, dump->body, dump->size);
	a = try_forms(trial, forms, 1);
	if (!attempt_worked(a))
		return a;
	answer = read_dump(trial, fd, dump);
	return answer.reached ? ended_with(a, answer.error) : answer;
}
