/* SPDX-License-Identifier: MIT */
/*
 * The witness's log: which nonce arrived, by which service, port and family. A nonce that comes
 * again by the same way is the same arrival. Bounded: the oldest gives way, and is counted.
 *
 *	struct arrivals arrivals = { 0 };
 *	arrivals_add(&arrivals, &(struct arrival){ … });
 *	char *text = arrivals_print(&arrivals, place);        a line each, then "lost N"
 *	arrivals_parse(&other, line);                         on the other side
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "host/greeters.h"

#define ARRIVALS_MOST 1024
#define PROTOCOL_MOST 16

struct arrival {
	char nonce[NONCE_DIGITS + 1];
	char protocol[PROTOCOL_MOST]; /* of the greeter, or "ping" */
	uint16_t port;                /* of the greeter: not the one it is mapped to */
	uint8_t family;               /* 4 or 6 */
};

struct arrivals {
	struct arrival list[ARRIVALS_MOST];
	unsigned n, next, lost;
};

/* True when it is new. */
bool arrivals_add(struct arrivals *arrivals, const struct arrival *arrival);
/* Those whose nonce begins with `place`; malloc'd text. */
char *arrivals_print(const struct arrivals *arrivals, const char *place);
/* A number of decimal digits alone, at most `most`; false: it is none. */
bool read_count(const char *text, unsigned long most, unsigned *ret_count);
/* Takes one line of that text; false: it is none. */
bool arrivals_parse(struct arrivals *arrivals, const char *line);
/* The next arrival of that place and scenario from `*at` on, or NULL. Start with *at = 0. */
const struct arrival *arrivals_find(const struct arrivals *arrivals, const char *place,
				    unsigned scenario, unsigned *at);
