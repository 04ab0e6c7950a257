/* SPDX-License-Identifier: MIT */
/*
 * One netlink dump: the request is sent to the kernel, and every message of the wanted type handed
 * over, until the dump is done, the time is up or the kernel says why not.
 */
#pragma once

#include "scenarios/scenario.h"

struct netlink_dump {
	unsigned short request, reply; /* message types */
	const void *body;              /* of the request */
	size_t size;                   /* at most 64 bytes */
	void (*take)(void *context, const void *data, size_t size);
	void *context;
	int64_t end; /* monotonic nanoseconds; by then it is EAGAIN */
};
struct attempt try_netlink_dump(struct trial *trial, int fd, const struct netlink_dump *dump);
