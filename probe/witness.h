/* SPDX-License-Identifier: MIT */
/*
 * The witness as the host's facts describe it: where it listens, and by what it is known. Its
 * token is not among them, only the token's hash: who shows the token was told it by the witness.
 *
 *	struct witness witness;
 *	if (witness_known(trial, &witness))
 *		port = witness_port(&witness, 80);
 */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "probe/trial.h"

#define WITNESS_MOST 8
#define NONCE_SIZE 21

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

struct witness {
	union address addresses[WITNESS_MOST];
	unsigned n;
	const char *hash, *ports, *scope, *echo;
	char nonce[NONCE_SIZE]; /* of this scenario in this place: what shall arrive */
};

/* False: there is none, or the facts make no sense. */
bool witness_known(const struct trial *trial, struct witness *witness);
/* Where it really listens for this port; 0: nowhere. */
uint16_t witness_port(const struct witness *witness, uint16_t port);
/* Does it see echo requests of this family? */
bool witness_sees_echo(const struct witness *witness, int family);
/* Is its token among these bytes? */
bool witness_spoke(const struct witness *witness, const unsigned char *bytes, size_t n);
/* K9: the same scenario was seen to arrive from outside the sandbox. */
enum reached_outside { OUTSIDE_NOT_TRIED, OUTSIDE_IN_VAIN, OUTSIDE_REACHED };
enum reached_outside witness_reached_outside(const struct trial *trial);

/* A numeric address; the port is 0. */
bool read_address(const char *text, union address *address);
unsigned address_size(const union address *address);
void set_port(union address *address, uint16_t port);
/* The same host and port. */
bool same_address(const union address *one, const union address *other);
bool is_loopback_address(const union address *address);
