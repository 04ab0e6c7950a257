/* SPDX-License-Identifier: MIT */
/*
 * The witness as a run uses it: started here in a process of its own, or named by the user and
 * started elsewhere. It alone knows its token; the probe is given the token's hash.
 *
 *	struct witness *witness = witness_start(addresses, error);       or witness_meet(name, error)
 *	char *facts = witness_facts(witness, place);                     ",witness=…,witness.hash=…"
 *	… launch …
 *	if (witness_ask(witness, place, &arrivals, error))
 *		… what arrived from that place …
 *	witness_end(witness);
 *
 *	run ──fork──▶ witness: binds, drops root, greets ◀── probe
 *	 └──socket pair (or TCP, when named): "log PLACE"──▶
 */
#pragma once

#include "host/arrivals.h"
#include "host/error.h"

struct witness;

/* Listens on loopback and these addresses (NULL-terminated, or NULL). NULL: it cannot. */
struct witness *witness_start(char *const addresses[], struct error *error);
/* One started by `sandboxeval witness`: "ADDRESS[+ADDRESS...]:PORT:HASH", as that printed it. */
struct witness *witness_meet(const char *name, struct error *error);
void witness_end(struct witness *witness); /* accepts NULL */

/*
 * What a place's probe must know, each fact after a comma; "" for NULL. `place`: its PLACE_DIGITS
 * digits. Malloc'd.
 */
char *witness_facts(const struct witness *witness, const char *place);
/* Reads the log. `arrivals` is emptied first. */
bool witness_ask(struct witness *witness, const char *place, struct arrivals *arrivals,
		 struct error *error);

/* A new token: TOKEN_DIGITS random digits. */
void witness_token(char token[TOKEN_DIGITS + 1]);
/*
 * Gives up what only opening the sockets needed: root becomes an account that nobody uses, so
 * that no sandbox can take the witness for a process of its own.
 */
bool witness_drop_rights(struct error *error);
