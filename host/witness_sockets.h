/* SPDX-License-Identifier: MIT */
/*
 * The witness's sockets: every service on every address, none on any other. A port that may not
 * be bound (privileged, or busy) on one of them is mapped to another on all of them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "host/endpoint.h"
#include "host/error.h"

#define WITNESS_ADDRESSES 8
#define WITNESS_ROWS 32 /* at least as many as there are greeters */

struct witness_sockets {
	union endpoint addresses[WITNESS_ADDRESSES];
	unsigned n_addresses;
	uint16_t ports[WITNESS_ROWS]; /* where each greeter really listens; 0: nowhere */
	int listeners[WITNESS_ROWS][WITNESS_ADDRESSES]; /* or -1 */
	int echo[2]; /* raw sockets that see echo requests, IPv4 and IPv6; or -1 */
};

/* Empty: all descriptors -1. */
void witness_sockets_init(struct witness_sockets *sockets);
/* Adds an address that can be bound here. False: it cannot, or there are too many. */
bool witness_sockets_add(struct witness_sockets *sockets, const char *address);
/*
 * Opens all. `only`: just these ports, or NULL; ends with 0. On loopback DNS is always mapped:
 * other programs ask 127.0.0.1 by default and must not get our answers. False: nothing at all.
 */
bool witness_sockets_open(struct witness_sockets *sockets, const uint16_t only[],
			  struct error *error);
/* A listener for questions on the first address, at this port (0: a free one); or -1. */
int witness_open_control(const struct witness_sockets *sockets, uint16_t port);
uint16_t witness_port_of(int fd);
void witness_sockets_close(struct witness_sockets *sockets);
