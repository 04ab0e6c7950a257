/* SPDX-License-Identifier: MIT */
/*
 * How one argument of `compare` becomes a sandbox with options of its own, and that a run's name
 * is left as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/compared.h"
#include "host/memory.h"

static void words_are_split_as_a_shell_splits_them(void **state)
{
	static const struct {
		const char *text, *words[4];
	} cases[] = {
		{ "", { NULL } },
		{ " \t\n ", { NULL } },
		{ "bwrap", { "bwrap" } },
		{ " a  b\tc ", { "a", "b", "c" } },
		{ "'a b' \"c d\"", { "a b", "c d" } },
		{ "a'b'\"c\"", { "abc" } },
		{ "'' \"\"", { "", "" } },
		{ "a\\ b \\' \\\\", { "a b", "'", "\\" } },
		{ "'a\\b' \"a\\\"b\"", { "a\\b", "a\"b" } },
		{ "$HOME *", { "$HOME", "*" } },
		{ "a\\", { "a\\" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error error = { 0 };
		char **words = split_words(cases[i].text, &error);
		size_t n = 0;

		assert_non_null(words);
		for (; n < 4 && cases[i].words[n]; n++)
			assert_string_equal(words[n], cases[i].words[n]);
		assert_null(words[n]);
		list_free(words);
	}
}

static void an_open_quote_is_refused(void **state)
{
	static const char *const texts[] = { "'", "a \"b", "\"a\\\"" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error error = { 0 };

		assert_null(split_words(texts[i], &error));
		assert_int_equal(error.status, EXIT_MISUSE);
	}
}

static void a_sandbox_has_options_of_its_own(void **state)
{
	struct error error = { 0 };
	struct compared compared;

	(void)state;
	assert_true(compared_parse(&compared,
				   "bwrap --label 'a b' --image=x -- --tmpfs /tmp --label y", &error));
	assert_string_equal(compared.sandbox->name, "bwrap");
	assert_string_equal(compared.label, "a b");
	assert_string_equal(compared.request.image, "x");
	assert_null(compared.request.rootfs);
	assert_int_equal(compared.request.n_arguments, 4);
	assert_string_equal(compared.request.arguments[3], "y");
	assert_null(compared.request.arguments[4]);
	compared_free(&compared);

	assert_true(compared_parse(&compared, "bwrap", &error));
	assert_int_equal(compared.request.n_arguments, 0);
	assert_non_null(compared.request.arguments);
	compared_free(&compared);
}

static void a_run_is_left_as_it_is(void **state)
{
	static const char *const texts[] = { "latest~1", "it's mine", "bwraps", "", "./bwrap" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error error = { 0 };
		struct compared compared;

		assert_true(compared_parse(&compared, texts[i], &error));
		assert_null(compared.sandbox);
		compared_free(&compared);
	}
}

static void unknown_words_are_refused(void **state)
{
	static const char *const texts[] = {
		"bwrap --unshare-net", "bwrap x", "bwrap --image", "bwrap --imag x", "bwrap --label -",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error error = { 0 };
		struct compared compared;
		bool fine = strcmp(texts[i], "bwrap --label -") == 0;

		assert_int_equal(compared_parse(&compared, texts[i], &error), fine);
		assert_int_equal(error.status, fine ? EXIT_SATISFIED : EXIT_MISUSE);
		compared_free(&compared);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_split_as_a_shell_splits_them),
		cmocka_unit_test(an_open_quote_is_refused),
		cmocka_unit_test(a_sandbox_has_options_of_its_own),
		cmocka_unit_test(a_run_is_left_as_it_is),
		cmocka_unit_test(unknown_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
