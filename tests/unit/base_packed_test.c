/* SPDX-License-Identifier: MIT */
/* What is packed comes out again, and nothing that is broken does harm. */
#include "base/packed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5000 };

static void expect_same(const uint8_t *text, size_t n)
{
	uint8_t packed[PACKED_MOST(MOST)], again[MOST + 1];
	size_t size = pack(text, n, packed);

	assert_true(size <= PACKED_MOST(n));
	again[n] = 0xa5;
	assert_int_equal(unpack(packed, size, again, n), n);
	assert_memory_equal(again, text, n);
	assert_int_equal(again[n], 0xa5);
}

static void what_is_packed_comes_out_again(void **state)
{
	uint8_t text[MOST] = { 0 };

	(void)state;
	expect_same(text, 0);
	for (unsigned seed = 1; seed < 60; seed++) {
		size_t n = seed * 83;

		srand(seed);
		for (size_t i = 0; i < n; i++)
			text[i] = (uint8_t)(rand() % (1 + seed * seed / 12));
		expect_same(text, n);
	}
}

static void repetition_takes_little_room(void **state)
{
	static const char sentence[] = "Code in the sandbox can read. Code in the sandbox cannot read.";
	uint8_t packed[PACKED_MOST(sizeof sentence)];

	(void)state;
	assert_in_range(pack((const uint8_t *)sentence, sizeof sentence, packed), 1, 50);
}

static void broken_pieces_end_early(void **state)
{
	static const uint8_t before_the_start[] = { 0, 'a', 128, 2, 0 }, short_copy[] = { 0, 'a', 128, 1 },
			     short_literals[] = { 5, 'a' };
	uint8_t text[4], whole[] = { 0, 'a', 255, 1, 0 };

	(void)state;
	assert_int_equal(unpack(before_the_start, sizeof before_the_start, text, sizeof text), 1);
	assert_int_equal(unpack(short_copy, sizeof short_copy, text, sizeof text), 1);
	assert_int_equal(unpack(short_literals, sizeof short_literals, text, sizeof text), 0);
	assert_int_equal(unpack(whole, sizeof whole, text, sizeof text), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_comes_out_again),
		cmocka_unit_test(repetition_takes_little_room),
		cmocka_unit_test(broken_pieces_end_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
