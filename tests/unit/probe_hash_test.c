/* SPDX-License-Identifier: MIT */
/* SipHash-2-4 against the reference implementation's vectors: key 00…0f, data 00, 00 01, … */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/hash.h"
#include "probe/trial.h"

struct options options = { .level = LEVEL_TOUCH, .timeout = 2 };

static void test_reference_vectors(void **state)
{
	static const struct {
		size_t n;
		uint64_t hash;
	} vectors[] = {
		{ 0, 0x726fdb47dd0e0e31 }, { 1, 0x74f839c593dc67fd }, { 7, 0xab0200f58b01d137 },
		{ 8, 0x93f5f5799a932462 }, { 15, 0xa129ca6149be45e5 },
	};
	unsigned char key[16], data[64];

	(void)state;
	for (unsigned i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)i;
	for (unsigned i = 0; i < sizeof key; i++)
		key[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		assert_true(siphash(key, data, vectors[i].n) == vectors[i].hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_reference_vectors) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
