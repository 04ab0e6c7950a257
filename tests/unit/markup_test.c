/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "host/markup.h"

static void check(const char *given, const char *expected)
{
	char *text = markup_text(given);

	assert_string_equal(text, expected);
	free(text);
}

static void markup_is_text(void **state)
{
	(void)state;
	check(NULL, "");
	check("plain, ünïcode – …", "plain, ünïcode – …");
	check("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
	check("\" onload=\"x", "&quot; onload=&quot;x");
	check("&amp; ]]> -->", "&amp;amp; ]]&gt; --&gt;");
}

/* What no reader sees, and what XML forbids, is shown. */
static void hidden_is_shown(void **state)
{
	(void)state;
	check("\x1b[31m\r\n\t", "\\x1b[31m\\x0d\\x0a\\x09");
	check("a\xe2\x80\xae" "b", "a\\u{202e}b");
	check("\xef\xbf\xbe", "\\u{fffe}");
	check("\xff<", "\\xff&lt;");
	check("\xc0\xbcscript", "\\xc0\\xbcscript");
}

static void formats(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	markup_print(out, "<b id=\"%s\">%u of %zu, 100%%: %s</b>", "\"", 1U, (size_t)2, "<i>");
	fclose(out);
	assert_string_equal(text, "<b id=\"&quot;\">1 of 2, 100%: &lt;i&gt;</b>");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_is_text),
		cmocka_unit_test(hidden_is_shown),
		cmocka_unit_test(formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
