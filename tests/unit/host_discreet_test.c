/* SPDX-License-Identifier: MIT */
/* What a report shows of a command line: which values stay, which are hidden. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/discreet.h"
#include "host/memory.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

static void values_are_hidden(void **state)
{
	static const struct {
		const char *given[4], *shown[4];
	} rows[] = {
		{ { "-e", "TOKEN=abc" }, { "-e", "TOKEN=***" } },
		{ { "-eTOKEN=abc" }, { "-eTOKEN=***" } },
		{ { "--env=TOKEN=abc" }, { "--env=TOKEN=***" } },
		{ { "--setenv=TOKEN=abc" }, { "--setenv=TOKEN=***" } },
		{ { "--setenv", "TOKEN", "abc" }, { "--setenv", "TOKEN", "***" } },
		{ { "-s", "lxc.environment=TOKEN=abc" }, { "-s", "lxc.environment=TOKEN=***" } },
		{ { "env", "A=b=c", "sh" }, { "env", "A=***", "sh" } },
		{ { "--registry-token=abc" }, { "--registry-token=***" } },
		{ { "--password", "abc" }, { "--password", "***" } },
		{ { "p=http://a:b@c/d http://e@f" }, { "p=***" } },
		{ { "sh", "-c", "get http://a:b@c/d ssh://e@f" },
		  { "sh", "-c", "get http://***@c/d ssh://***@f" } },
		/* These say something, and nothing secret. */
		{ { "--setenv", "PATH", "/usr/bin" }, { "--setenv", "PATH", "/usr/bin" } },
		{ { "-e", "LANG=C" }, { "-e", "LANG=C" } },
		{ { "--network", "none", "--memory=1g" }, { "--network", "none", "--memory=1g" } },
		{ { "--security-opt", "no-new-privileges" },
		  { "--security-opt", "no-new-privileges" } },
		{ { "--tmpfs", "/tmp:size=4m", "{probe}" }, { "--tmpfs", "/tmp:size=4m", "{probe}" } },
		{ { "http://c/d@e", "" }, { "http://c/d@e", "" } },
	};

	(void)state;
	hide_values(NULL);
	for (size_t i = 0; i < N_OF(rows); i++) {
		char **words = NULL;

		for (size_t k = 0; k < N_OF(rows[i].given) && rows[i].given[k]; k++)
			words = list_add(words, copy_text(rows[i].given[k]));
		hide_values(words);
		for (size_t k = 0; words[k]; k++)
			assert_string_equal(words[k], rows[i].shown[k]);
		list_free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(values_are_hidden) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
