/* SPDX-License-Identifier: MIT */
/*
 * What the witness says on which port: one row a service, nothing else to edit for a new one.
 * Every answer carries the witness's token, and every visitor sends its own nonce in one line.
 *
 *	port 21   ◀── "220 sandboxeval TOKEN"      speaks first
 *	port 80   ──▶ "GET /NONCE HTTP/1.0"        is spoken to
 *	          ◀── "HTTP/1.0 200 OK", "Server: sandboxeval TOKEN"
 *
 * Nothing here touches a socket: bytes in, bytes out. What comes in is hostile.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOKEN_DIGITS 32
/* 16 digits of the place (sandbox or baseline), 4 of the scenario's index in the catalogue. */
#define PLACE_DIGITS 16
#define NONCE_DIGITS 20
#define LINE_MOST 128 /* of a visitor's line */

struct greeter {
	uint16_t port;
	bool datagrams, speaks_first, is_dns;
	const char *protocol;
	const char *greeting; /* "%s" is the token */
};
extern const struct greeter greeters[];
extern const unsigned greeter_count;

/* What the row says: its length, or 0 when it does not fit. DNS rows answer by dns_answer(). */
size_t greeter_says(const struct greeter *greeter, const char *token, char *buffer, size_t size);
/* Has the visitor said all it will say? For a DNS row over TCP: the whole framed message. */
bool greeter_heard_all(const struct greeter *greeter, const unsigned char *bytes, size_t n);
/*
 * The answer to a well-formed query with one question: a TXT record with the token, whatever was
 * asked. Without the TCP frame. Its length; 0: no query, or it does not fit.
 */
size_t dns_answer(const unsigned char *query, size_t n, const char *token, unsigned char *buffer,
		  size_t size);
/* The first word of exactly NONCE_DIGITS hexadecimal digits in the bytes; false: none. */
bool find_nonce(const unsigned char *bytes, size_t n, char nonce[NONCE_DIGITS + 1]);
