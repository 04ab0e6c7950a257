/* SPDX-License-Identifier: MIT */
#include "probe/witness.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/sha256.h"
#include "probe/text.h"

#define TOKEN_DIGITS 32
#define PLACE_DIGITS 16

/* ---------------------------------------------------------------- addresses */

bool read_address(const char *text, union address *address)
{
	*address = (union address){ .v6 = { 0 } };
	if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
		address->v4.sin_family = AF_INET;
		return true;
	}
	if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) != 1)
		return false;
	address->v6.sin6_family = AF_INET6;
	return true;
}

unsigned address_size(const union address *address)
{
	return address->any.sa_family == AF_INET ? sizeof address->v4 : sizeof address->v6;
}

void set_port(union address *address, uint16_t port)
{
	if (address->any.sa_family == AF_INET)
		address->v4.sin_port = htons(port);
	else
		address->v6.sin6_port = htons(port);
}

bool same_address(const union address *one, const union address *other)
{
	if (one->any.sa_family != other->any.sa_family)
		return false;
	if (one->any.sa_family == AF_INET)
		return one->v4.sin_port == other->v4.sin_port &&
		       one->v4.sin_addr.s_addr == other->v4.sin_addr.s_addr;
	return one->v6.sin6_port == other->v6.sin6_port &&
	       IN6_ARE_ADDR_EQUAL(&one->v6.sin6_addr, &other->v6.sin6_addr);
}

bool is_loopback_address(const union address *address)
{
	if (address->any.sa_family == AF_INET)
		return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

/* ---------------------------------------------------------------- facts */

/* Copies the next element of a list separated by "+"; NULL: there is none, or it is too long. */
static const char *next_element(const char *list, char *element, size_t size)
{
	size_t n = strcspn(list, "+");

	if (n == 0 || n >= size)
		return NULL;
	memcpy(element, list, n);
	element[n] = '\0';
	return list + n + (list[n] == '+');
}

bool witness_known(const struct trial *trial, struct witness *witness)
{
	const char *addresses = host_fact(trial, "witness");
	const char *place = host_fact(trial, "witness.nonce");
	char element[64];

	witness->n = 0;
	witness->hash = host_fact(trial, "witness.hash");
	witness->ports = host_fact(trial, "witness.ports");
	witness->scope = host_fact(trial, "witness.scope");
	witness->echo = host_fact(trial, "witness.echo");
	if (!addresses || !witness->hash || strlen(witness->hash) != SHA256_TEXT - 1 || !place ||
	    strlen(place) != PLACE_DIGITS)
		return false;
	while (witness->n < WITNESS_MOST && addresses &&
	       (addresses = next_element(addresses, element, sizeof element)))
		witness->n += read_address(element, &witness->addresses[witness->n]);
	format_text(witness->nonce, sizeof witness->nonce, "%s%04x", place, trial->index & 0xffff);
	return witness->n > 0;
}

uint16_t witness_port(const struct witness *witness, uint16_t port)
{
	const char *list = witness->ports;
	char element[16], *colon;
	uint64_t from, to;

	while (list && (list = next_element(list, element, sizeof element))) {
		colon = strchr(element, ':');
		if (!colon)
			continue;
		*colon = '\0';
		if (read_number(element, &from) && read_number(colon + 1, &to) && from == port)
			return (uint16_t)to;
	}
	return port;
}

bool witness_sees_echo(const struct witness *witness, int family)
{
	return witness->echo && strlen(witness->echo) == 2 &&
	       witness->echo[family == AF_INET ? 0 : 1] == '1';
}

enum reached_outside witness_reached_outside(const struct trial *trial)
{
	const char *list = host_fact(trial, "witness.saw");
	char element[80];

	if (!list)
		return OUTSIDE_NOT_TRIED;
	while (list && (list = next_element(list, element, sizeof element)))
		if (strcmp(element, trial->row->id) == 0)
			return OUTSIDE_REACHED;
	return OUTSIDE_IN_VAIN;
}

bool is_witness_process(struct trial *trial, int pid)
{
	const char *witness = host_fact(trial, "witness.pid"), *place = host_fact(trial, "place");
	const char *outside = host_fact(trial, "ns.pid");
	struct object object;
	uint64_t number;

	if (!witness || !read_number(witness, &number) || number != (uint64_t)pid)
		return false;
	if (place && strcmp(place, "outside") == 0)
		return true;
	/* In another process namespace that number is another process. */
	return outside && read_number(outside, &number) &&
	       attempt_worked(try_stat(trial, AT_FDCWD, "/proc/self/ns/pid", 0, &object)) &&
	       object.ino == number;
}

/* ---------------------------------------------------------------- the token */

static bool is_hex_digit(unsigned char c)
{
	return is_digit((char)c) || (c >= 'a' && c <= 'f');
}

bool witness_spoke(const struct witness *witness, const unsigned char *bytes, size_t n)
{
	char hash[SHA256_TEXT];
	size_t digits = 0;

	for (size_t i = 0; i < n; i++) {
		digits = is_hex_digit(bytes[i]) ? digits + 1 : 0;
		if (digits < TOKEN_DIGITS)
			continue;
		sha256_text(hash, bytes + i + 1 - TOKEN_DIGITS, TOKEN_DIGITS);
		if (strcmp(hash, witness->hash) == 0)
			return true;
	}
	return false;
}
