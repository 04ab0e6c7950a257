/* SPDX-License-Identifier: MIT */
/*
 * The witness at work: one poll loop over all its sockets. It greets with the token, notes which
 * nonces arrive, and tells whoever asks on a control connection. All that comes in is hostile:
 * at most 128 bytes of a visitor are read, for at most 5 seconds, of 512 visitors at once.
 *
 * Control, a line each; every answer ends with "end":
 *
 *	about        the token, and which ports are mapped or missing
 *	log PLACE    the arrivals whose nonce begins with PLACE
 */
#pragma once

#include "host/arrivals.h"
#include "host/witness_sockets.h"

struct witness_server {
	struct witness_sockets sockets;
	char token[TOKEN_DIGITS + 1];
	int control;          /* connected to our starter: its end is ours; or -1 */
	int control_listener; /* or -1 */
	int stop;             /* readable: stop (a signalfd); or -1 */
	/* Told of every new arrival; may be NULL. */
	void (*tell)(void *context, const struct arrival *arrival, const union endpoint *from);
	void *context;
};

/* Until the control connection or the stop descriptor says that it is over. */
void witness_serve(struct witness_server *server);
