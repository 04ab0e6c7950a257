/* SPDX-License-Identifier: MIT */
#include "host/arrivals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

static bool is_same(const struct arrival *one, const struct arrival *other)
{
	return strcmp(one->nonce, other->nonce) == 0 && one->port == other->port &&
	       one->family == other->family && strcmp(one->protocol, other->protocol) == 0;
}

bool arrivals_add(struct arrivals *arrivals, const struct arrival *arrival)
{
	for (unsigned i = 0; i < arrivals->n; i++)
		if (is_same(&arrivals->list[i], arrival))
			return false;
	arrivals->lost += arrivals->n == ARRIVALS_MOST;
	arrivals->list[arrivals->next] = *arrival;
	arrivals->next = (arrivals->next + 1) % ARRIVALS_MOST;
	if (arrivals->n < ARRIVALS_MOST)
		arrivals->n++;
	return true;
}

char *arrivals_print(const struct arrivals *arrivals, const char *place)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return copy_text("");
	for (unsigned i = 0; i < arrivals->n; i++) {
		const struct arrival *one = &arrivals->list[i];

		if (strncmp(one->nonce, place, strlen(place)) == 0)
			fprintf(out, "arrival %s %s %u %u\n", one->nonce, one->protocol, one->port,
				one->family);
	}
	fprintf(out, "lost %u\n", arrivals->lost);
	fclose(out);
	return text;
}

bool read_count(const char *text, unsigned long most, unsigned *ret_count)
{
	unsigned long count;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	count = strtoul(text, &end, 10);
	*ret_count = (unsigned)count;
	return !*end && count <= most;
}

bool arrivals_parse(struct arrivals *arrivals, const char *line)
{
	struct arrival arrival = { 0 };
	char port_text[6], family_text[2];
	unsigned port, family;
	int end = 0;

	if (strncmp(line, "lost ", 5) == 0)
		return read_count(line + 5, UINT32_MAX, &arrivals->lost);
	if (sscanf(line, "arrival %20[0-9a-f] %15[a-z] %5[0-9] %1[46]%n", arrival.nonce,
		   arrival.protocol, port_text, family_text, &end) != 4 || line[end] ||
	    strlen(arrival.nonce) != NONCE_DIGITS ||
	    !read_count(port_text, UINT16_MAX, &port) || !read_count(family_text, 6, &family))
		return false;
	arrival.port = (uint16_t)port;
	arrival.family = (uint8_t)family;
	arrivals_add(arrivals, &arrival);
	return true;
}

const struct arrival *arrivals_find(const struct arrivals *arrivals, const char *place,
				    unsigned scenario, unsigned *at)
{
	char nonce[NONCE_DIGITS + 1];

	snprintf(nonce, sizeof nonce, "%.*s%04x", PLACE_DIGITS, place, scenario & 0xffff);
	for (unsigned i = *at; i < arrivals->n; i++) {
		if (strcmp(arrivals->list[i].nonce, nonce) == 0) {
			*at = i + 1;
			return &arrivals->list[i];
		}
	}
	*at = arrivals->n;
	return NULL;
}
