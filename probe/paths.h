/* SPDX-License-Identifier: MIT */
/*
 * Paths to the witness: every port, address and hop of one scenario, tried beside each other.
 *
 *	direct    connect ─▶ line with the nonce ─▶ token?
 *	forward   connect to the proxy ─▶ "GET http://WITNESS/NONCE" ─▶ token?
 *	connect   connect to the proxy ─▶ "CONNECT WITNESS" ─▶ 2xx ─▶ line ─▶ token?
 *	socks     connect to the proxy ─▶ greeting ─▶ request ─▶ granted ─▶ line ─▶ token?
 *
 * A path is reached when the token came back; how else it ended is its outcome. All tries together
 * end within a bound that leaves room below a trial's deadline.
 */
#pragma once

#include "probe/witness.h"

#define PATHS_MOST 48
#define PROXIES_MOST 4

enum hop { HOP_DIRECT, HOP_FORWARD, HOP_CONNECT, HOP_SOCKS };

struct proxy {
	union address address;
	bool is_socks;
};

enum outcome {
	OUTCOME_SILENT,   /* nothing came back, or not even a connection */
	OUTCOME_REACHED,  /* the token */
	OUTCOME_STRANGER, /* a connection, or an answer, without the token */
	OUTCOME_REFUSED,  /* reset or port unreachable */
	OUTCOME_ERROR,    /* a call said so: see the attempt */
	OUTCOME_PROXY_REFUSED,
	OUTCOME_PROXY_ASKS, /* for credentials */
	OUTCOME_PROXY_GONE, /* nobody there: not a way at all */
};

enum stage { STAGE_DIAL, STAGE_HOP, STAGE_GRANT, STAGE_LISTEN, STAGE_OVER };

struct path {
	union address target; /* the witness, with its port; a proxy is asked for it */
	const struct proxy *proxy;
	uint16_t service; /* the port's usual number */
	bool mapped;
	enum hop hop;
	enum net_kind kind;

	int fd;
	enum stage stage;
	bool connected;
	int64_t end; /* of this path alone; 0: none */
	struct attempt attempt; /* the last call made */
	unsigned char bytes[256];
	size_t n, taken;
	enum outcome outcome;
};

struct paths {
	const struct witness *witness;
	const struct net_protocol *protocol;
	unsigned n, tries;
	bool cut;  /* there are more than could be tried */
	bool near; /* nothing is farther than loopback: one short try is enough */
	struct path list[PATHS_MOST];
};

/* Tries them all, up to three times until one is reached. */
void paths_try(struct trial *trial, struct paths *paths);
bool paths_reached(const struct paths *paths);
