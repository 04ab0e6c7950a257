/* SPDX-License-Identifier: MIT */
/*
 * The witness's words and its log: every row carries the token, hostile queries are no queries, a
 * nonce is found wherever it stands, and the log is bounded and reads as it was written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/arrivals.h"
#include "host/greeters.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define PLACE "0123456789abcdef"
#define NONCE PLACE "002a"

/* ---------------------------------------------------------------- the table */

static void every_row_carries_the_token(void **state)
{
	char text[256];

	(void)state;
	for (unsigned i = 0; i < greeter_count; i++) {
		size_t n = greeter_says(&greeters[i], TOKEN, text, sizeof text);

		assert_true(greeters[i].port != 0);
		if (greeters[i].is_dns) {
			assert_int_equal(n, 0);
			continue;
		}
		/* Within what a probe reads of a greeting. */
		assert_in_range(n, 1, 128);
		assert_int_equal(n, strlen(text));
		assert_non_null(strstr(text, TOKEN));
		assert_int_equal(greeter_says(&greeters[i], TOKEN, text, n), 0);
	}
}

static void every_service_of_the_paper_is_there(void **state)
{
	static const uint16_t ports[] = { 80,  8080, 443,  21,   22,   25,
					  465, 587,  5222, 6667, 1883, 53 };

	(void)state;
	for (unsigned k = 0; k < sizeof ports / sizeof *ports; k++) {
		bool found = false;

		for (unsigned i = 0; i < greeter_count; i++)
			found |= greeters[i].port == ports[k];
		assert_true(found);
	}
}

static const struct greeter *row_of(uint16_t port, bool datagrams)
{
	for (unsigned i = 0; i < greeter_count; i++)
		if (greeters[i].port == port && greeters[i].datagrams == datagrams)
			return &greeters[i];
	return NULL;
}

static void a_line_is_whole_at_its_end(void **state)
{
	const struct greeter *ftp = row_of(21, false), *dns = row_of(53, false);
	unsigned char bytes[LINE_MOST] = "NOOP x";

	(void)state;
	assert_false(greeter_heard_all(ftp, bytes, 6));
	assert_true(greeter_heard_all(ftp, (const unsigned char *)"NOOP x\n", 7));
	assert_true(greeter_heard_all(ftp, bytes, LINE_MOST));
	assert_false(greeter_heard_all(dns, (const unsigned char *)"\0", 1));
	assert_false(greeter_heard_all(dns, (const unsigned char *)"\0\5\n\n\n\n", 6));
	assert_true(greeter_heard_all(dns, (const unsigned char *)"\0\4\n\n\n\n", 6));
}

/* ---------------------------------------------------------------- DNS */

static size_t make_query(unsigned char *query)
{
	static const unsigned char head[] = { 7, 9, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, NONCE_DIGITS };
	static const unsigned char tail[] = "\7invalid\0\0\1\0\1";
	size_t n = sizeof head;

	memcpy(query, head, n);
	memcpy(query + n, NONCE, NONCE_DIGITS);
	n += NONCE_DIGITS;
	memcpy(query + n, tail, sizeof tail - 1);
	return n + sizeof tail - 1;
}

static void a_query_is_answered_with_the_token(void **state)
{
	unsigned char query[128], answer[512];
	size_t n = make_query(query), length;

	(void)state;
	length = dns_answer(query, n, TOKEN, answer, sizeof answer);
	assert_in_range(length, n + 40, 512);
	assert_memory_equal(answer, query, 2);
	assert_true(answer[2] & 0x80);
	assert_int_equal(answer[3] & 15, 0);
	assert_int_equal(answer[7], 1);
	assert_memory_equal(answer + 12, query + 12, n - 12);
	assert_memory_equal(answer + length - TOKEN_DIGITS, TOKEN, TOKEN_DIGITS);
}

static void what_is_no_query_is_not_answered(void **state)
{
	unsigned char query[128], answer[512];
	size_t n = make_query(query);

	(void)state;
	for (size_t cut = 0; cut < n; cut++)
		assert_int_equal(dns_answer(query, cut, TOKEN, answer, sizeof answer), 0);
	for (size_t room = 0; room < n + 13 + TOKEN_DIGITS; room++)
		assert_int_equal(dns_answer(query, n, TOKEN, answer, room), 0);
	query[2] |= 0x80; /* an answer: two witnesses must not talk to each other */
	assert_int_equal(dns_answer(query, n, TOKEN, answer, sizeof answer), 0);
	query[2] = 1;
	query[5] = 2;
	assert_int_equal(dns_answer(query, n, TOKEN, answer, sizeof answer), 0);
	query[5] = 1;
	query[12] = 0xc0; /* a pointer, to itself */
	query[13] = 12;
	assert_int_equal(dns_answer(query, n, TOKEN, answer, sizeof answer), 0);
}

/* ---------------------------------------------------------------- nonces */

static bool find(const char *text, char nonce[NONCE_DIGITS + 1])
{
	return find_nonce((const unsigned char *)text, strlen(text), nonce);
}

static void a_nonce_is_found_wherever_it_stands(void **state)
{
	char nonce[NONCE_DIGITS + 1];

	(void)state;
	assert_true(find("GET /" NONCE " HTTP/1.0", nonce));
	assert_string_equal(nonce, NONCE);
	assert_true(find(NONCE, nonce));
	assert_true(find("SSH-2.0-sandboxeval_" NONCE "\r\n", nonce));
	assert_true(find("abc " NONCE "0 " NONCE, nonce));
}

static void other_words_are_no_nonce(void **state)
{
	char nonce[NONCE_DIGITS + 1];

	(void)state;
	assert_false(find("", nonce));
	assert_false(find(NONCE "0", nonce));
	assert_false(find("0123456789abcdef002", nonce));
	assert_false(find("0123456789ABCDEF002A", nonce));
	assert_false(find(TOKEN, nonce));
}

/* ---------------------------------------------------------------- the log */

static struct arrivals *new_log(void)
{
	struct arrivals *log = calloc(1, sizeof *log);

	assert_non_null(log);
	return log;
}

static void the_log_reads_as_it_was_written(void **state)
{
	const struct arrival ftp = { NONCE, "ftp", 21, 4 }, ping = { NONCE, "ping", 0, 6 };
	const struct arrival other = { "ffffffffffffffff002a", "ftp", 21, 4 };
	struct arrivals *log = new_log(), *read = new_log();
	unsigned at = 0, lines = 0;
	char *text, *save = NULL;

	(void)state;
	assert_true(arrivals_add(log, &ftp));
	assert_true(arrivals_add(log, &ping));
	assert_true(arrivals_add(log, &other));
	assert_false(arrivals_add(log, &ftp));
	text = arrivals_print(log, PLACE);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		assert_true(arrivals_parse(read, line));
		lines++;
	}
	assert_int_equal(lines, 3);
	assert_int_equal(read->n, 2);
	assert_int_equal(read->lost, 0);
	assert_string_equal(arrivals_find(read, PLACE, 42, &at)->protocol, "ftp");
	assert_string_equal(arrivals_find(read, PLACE, 42, &at)->protocol, "ping");
	assert_null(arrivals_find(read, PLACE, 42, &at));
	at = 0;
	assert_null(arrivals_find(read, PLACE, 43, &at));
	free(text);
	free(log);
	free(read);
}

static void other_lines_are_not_taken(void **state)
{
	static const char *const lines[] = {
		"",
		"arrival",
		"arrival " NONCE " ftp 21",
		"arrival " NONCE " ftp 21 5",
		"arrival " NONCE " ftp 70000 4",
		"arrival " NONCE " ftp 21 4 more",
		"arrival 0123 ftp 21 4",
		"arrival " NONCE "00 ftp 21 4",
		"arrival " NONCE " protocolwithlongname 21 4",
		"lost many",
	};
	struct arrivals *log = new_log();

	(void)state;
	for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_false(arrivals_parse(log, lines[i]));
	assert_int_equal(log->n, 0);
	free(log);
}

static void a_flood_is_bounded_and_counted(void **state)
{
	struct arrivals *log = new_log();
	struct arrival one = { "", "http", 80, 4 };

	(void)state;
	for (unsigned i = 0; i < ARRIVALS_MOST + 5; i++) {
		snprintf(one.nonce, sizeof one.nonce, "%020x", i);
		assert_true(arrivals_add(log, &one));
	}
	assert_int_equal(log->n, ARRIVALS_MOST);
	assert_int_equal(log->lost, 5);
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_carries_the_token),
		cmocka_unit_test(every_service_of_the_paper_is_there),
		cmocka_unit_test(a_line_is_whole_at_its_end),
		cmocka_unit_test(a_query_is_answered_with_the_token),
		cmocka_unit_test(what_is_no_query_is_not_answered),
		cmocka_unit_test(a_nonce_is_found_wherever_it_stands),
		cmocka_unit_test(other_words_are_no_nonce),
		cmocka_unit_test(the_log_reads_as_it_was_written),
		cmocka_unit_test(other_lines_are_not_taken),
		cmocka_unit_test(a_flood_is_bounded_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
