/* SPDX-License-Identifier: MIT */
#include "probe/netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "probe/attempts.h"
#include "probe/guard.h"
#include "probe/raw.h"

#define MOST_MESSAGES 65536 /* of one dump: a large routing table must not hold us */

/* One datagram of the answer; -EAGAIN when the time is up. */
static long receive(int fd, void *buffer, size_t size, int64_t end)
{
	for (;;) {
		struct pollfd waiting = { .fd = fd, .events = POLLIN };
		int64_t left = end - now_ns();
		struct timespec patience = { .tv_nsec = left };
		long n;

		if (left <= 0)
			return -EAGAIN;
		n = raw(__NR_recvfrom, fd, buffer, size, MSG_DONTWAIT, NULL, NULL);
		if (n != -EAGAIN && n != -EINTR)
			return n;
		raw(__NR_ppoll, &waiting, 1, &patience, NULL, 0);
	}
}

static int error_of(const struct nlmsghdr *header)
{
	const struct nlmsgerr *error = (const void *)(header + 1);

	return header->nlmsg_len >= sizeof *header + sizeof error->error && error->error ?
		       -error->error : EIO;
}

/* 0 when the dump came to its end, else an errno. */
static int read_dump(int fd, const struct netlink_dump *dump)
{
	_Alignas(8) char buffer[16384] = { 0 };
	unsigned messages = 0;

	for (;;) {
		long left = receive(fd, buffer, sizeof buffer, dump->end);
		const char *at = buffer;

		if (left <= 0)
			return left ? (int)-left : EIO;
		while (left >= (long)sizeof(struct nlmsghdr)) {
			const struct nlmsghdr *header = (const void *)at;
			long step = NLMSG_ALIGN((long)header->nlmsg_len);

			if (header->nlmsg_len < sizeof *header || header->nlmsg_len > left)
				return EIO;
			if (header->nlmsg_type == NLMSG_DONE)
				return 0;
			if (header->nlmsg_type == NLMSG_ERROR)
				return error_of(header);
			if (header->nlmsg_type == dump->reply)
				dump->take(dump->context, header + 1,
					   header->nlmsg_len - sizeof *header);
			if (++messages == MOST_MESSAGES)
				return E2BIG;
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
	struct attempt a;

	memcpy(request.body, dump->body, dump->size);
	a = try_forms(trial, forms, 1);
	if (attempt_worked(a)) {
		a.error = read_dump(fd, dump);
		a.value = a.error ? -1 : 0;
	}
	return a;
}
