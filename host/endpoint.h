/* SPDX-License-Identifier: MIT */
/* An address of either family with a port, as text and as the kernel wants it. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

union endpoint {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

#define ENDPOINT_TEXT 48 /* INET6_ADDRSTRLEN and a little */

/* A numeric address without a scope; the port is 0. False: it is none. */
bool endpoint_parse(union endpoint *endpoint, const char *text);
/* The address alone. */
void endpoint_text(const union endpoint *endpoint, char text[ENDPOINT_TEXT]);
socklen_t endpoint_size(const union endpoint *endpoint);
void endpoint_set_port(union endpoint *endpoint, uint16_t port);
uint16_t endpoint_port(const union endpoint *endpoint);
bool endpoint_is_loopback(const union endpoint *endpoint);
/* 4 or 6; an IPv4 address mapped into IPv6 is IPv4. */
uint8_t endpoint_family(const union endpoint *endpoint);
