/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 by the examples of FIPS 180-4, and at every length around a block's end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"

static void hashes_to(const char *text, const char *wanted)
{
	char hash[SHA256_TEXT];

	sha256_text(hash, text, strlen(text));
	assert_string_equal(hash, wanted);
}

static void examples(void **state)
{
	(void)state;
	hashes_to("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	hashes_to("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	hashes_to("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void ends_of_blocks(void **state)
{
	static const struct {
		unsigned length; /* of as many times "a" */
		const char *hash;
	} cases[] = {
		{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
		{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb" },
	};
	char text[128];

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		memset(text, 'a', cases[i].length);
		text[cases[i].length] = '\0';
		hashes_to(text, cases[i].hash);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(ends_of_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
