/* SPDX-License-Identifier: MIT */
#include "host/greeters.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define HTTP "HTTP/1.0 200 OK\r\nServer: sandboxeval %s\r\nContent-Length: 0\r\n\r\n"
#define MAIL "220 sandboxeval %s ESMTP\r\n"

/* clang-format off */
const struct greeter greeters[] = {
	{ 80,   false, false, false, "http",   HTTP },
	{ 8080, false, false, false, "http",   HTTP },
	{ 443,  false, false, false, "https",  HTTP },
	{ 21,   false, true,  false, "ftp",    "220 sandboxeval %s\r\n" },
	{ 22,   false, true,  false, "ssh",    "SSH-2.0-sandboxeval_%s\r\n" },
	{ 25,   false, true,  false, "smtp",   MAIL },
	{ 465,  false, true,  false, "smtps",  MAIL },
	{ 587,  false, true,  false, "submission", MAIL },
	{ 5222, false, false, false, "xmpp",   "<stream:stream id='%s'>" },
	{ 6667, false, true,  false, "irc",    ":sandboxeval NOTICE * :%s\r\n" },
	{ 1883, false, false, false, "mqtt",   "%s\r\n" },
	{ 53,   true,  false, true,  "dns",    NULL },
	{ 53,   false, false, true,  "dns",    NULL },
};
/* clang-format on */
const unsigned greeter_count = sizeof greeters / sizeof *greeters;

size_t greeter_says(const struct greeter *greeter, const char *token, char *buffer, size_t size)
{
	const char *hole = greeter->greeting ? strstr(greeter->greeting, "%s") : NULL;
	int n;

	if (!hole)
		return 0;
	n = snprintf(buffer, size, "%.*s%s%s", (int)(hole - greeter->greeting), greeter->greeting,
		     token, hole + 2);
	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

bool greeter_heard_all(const struct greeter *greeter, const unsigned char *bytes, size_t n)
{
	if (greeter->is_dns && !greeter->datagrams)
		return n >= 2 && n - 2 >= ((size_t)bytes[0] << 8 | bytes[1]);
	return n >= LINE_MOST || memchr(bytes, '\n', n);
}

/* ---------------------------------------------------------------- DNS */

/* The length of a name without compression at `at`; 0: it is not one. */
static size_t name_length(const unsigned char *bytes, size_t n, size_t at)
{
	size_t start = at;

	while (at < n && bytes[at]) {
		if (bytes[at] > 63 || at - start > 255)
			return 0;
		at += bytes[at] + (size_t)1;
	}
	return at < n ? at + 1 - start : 0;
}

size_t dns_answer(const unsigned char *query, size_t n, const char *token, unsigned char *buffer,
		  size_t size)
{
	/* Name: that of the question; TXT, IN, no time to live. */
	static const unsigned char record[] = { 0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0 };
	size_t length = strlen(token), question, at;

	/* A query (not an answer) with one question, and nothing but it, or a record of EDNS. */
	if (n < 12 || query[2] & 0x80 || query[4] != 0 || query[5] != 1)
		return 0;
	question = name_length(query, n, 12);
	if (!question || n - 12 - question < 4)
		return 0;
	at = 12 + question + 4;
	if (at + sizeof record + 2 + length > size || length > 255)
		return 0;
	memcpy(buffer, query, at);
	buffer[2] = (unsigned char)(0x84 | (query[2] & 1)); /* an answer, authoritative */
	buffer[3] = 0;
	memset(buffer + 6, 0, 6);
	buffer[7] = 1; /* one answer */
	memcpy(buffer + at, record, sizeof record);
	at += sizeof record;
	buffer[at++] = (unsigned char)(length + 1);
	buffer[at++] = (unsigned char)length;
	memcpy(buffer + at, token, length);
	return at + length;
}

/* ---------------------------------------------------------------- the nonce */

bool find_nonce(const unsigned char *bytes, size_t n, char nonce[NONCE_DIGITS + 1])
{
	size_t digits = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && isxdigit(bytes[i]) && !isupper(bytes[i])) {
			digits++;
			continue;
		}
		if (digits == NONCE_DIGITS) {
			memcpy(nonce, bytes + i - NONCE_DIGITS, NONCE_DIGITS);
			nonce[NONCE_DIGITS] = '\0';
			return true;
		}
		digits = 0;
	}
	return false;
}
