/* SPDX-License-Identifier: MIT */
/*
 * Targets: every mistake is told with its line, column and the nearest name; what is read comes out
 * in one order and escaped; hostile files and reports are refused, not obeyed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/memory.h"
#include "host/targets.h"
#include "host/yaml_tree.h"

#define HEAD "sandboxeval-targets: 1\n"

static char *faults_of(const char *text, size_t n)
{
	char **faults, *all = copy_text("");
	json_t *targets = targets_load(text, n, "t", &faults);

	assert_true((targets == NULL) == (list_length(faults) > 0));
	for (size_t i = 0; faults && faults[i]; i++) {
		char *longer = print_text("%s%s%s", all, i ? "\n" : "", faults[i]);

		free(all);
		all = longer;
	}
	list_free(faults);
	json_decref(targets);
	return all;
}

static void refuses(const char *text, const char *expected)
{
	char *found = faults_of(text, strlen(text));

	assert_string_equal(found, expected);
	free(found);
}

static void says(const char *text, size_t n, const char *expected)
{
	char *found = faults_of(text, n);

	if (!strstr(found, expected))
		fail_msg("'%s' does not say '%s'", found, expected);
	free(found);
}

static void gives(const char *text, enum targets_place place, const char *expected)
{
	char **faults, *facts;
	json_t *targets = targets_load(text, strlen(text), "t", &faults);

	if (!targets)
		fail_msg("%s", faults[0]);
	facts = targets_facts(targets, place);
	assert_string_equal(facts, expected);
	free(facts);
	json_decref(targets);
}

/* ---------------------------------------------------------------- what is read */

static void all_keys_are_read_in_one_order(void **state)
{
	static const char text[] = "resolvers: [ fd00::3, 10.0.2.3 ]\nmounts:\n  - /work/\n  - /data\n"
				   "harness: /srv/run.py\nresults: /out/v.json\nanswers: [/a]\n"
				   "output: /out/\nengine: 4.9\nkernel: 5.10\n" HEAD;

	(void)state;
	gives(text, TARGETS_INSIDE,
	      ",target.kernel=5.10,target.engine=4.9,target.output=/out,target.mounts=/work:/data,"
	      "target.answers=/a,target.results=/out/v.json,target.harness=/srv/run.py,"
	      "target.resolvers=fd00%3A%3A3:10.0.2.3");
	gives(text, TARGETS_OUTSIDE,
	      ",target.kernel=5.10,target.answers=/a,target.results=/out/v.json,"
	      "target.harness=/srv/run.py,target.resolvers=fd00%3A%3A3:10.0.2.3");
}

static void what_separates_is_escaped(void **state)
{
	(void)state;
	gives(HEAD "mounts: [ '/a,b:c=d', \"/x y'$`%41\\\"\", /ü, '/back\\slash' ]\n", TARGETS_INSIDE,
	      ",target.mounts=/a%2Cb%3Ac%3Dd:/x%20y%27%24%60%2541%22:/%C3%BC:/back%5Cslash");
}

static void files_of_other_systems_are_read(void **state)
{
	(void)state;
	gives("\xef\xbb\xbf" HEAD "kernel: 6\r\nanswers: /a\r\n", TARGETS_INSIDE,
	      ",target.kernel=6,target.answers=/a");
	refuses("\xef\xbb\xbf" "kernel: 6\n", "t:1:1: targets need 'sandboxeval-targets: 1'");
}

static void people_read_one_line(void **state)
{
	static const char text[] = HEAD "kernel: 6\nmounts: [ /a, /b ]\n";
	char **faults, *line;
	json_t *targets = targets_load(text, sizeof text - 1, "t", &faults);

	(void)state;
	line = targets_text(targets, "; ");
	assert_string_equal(line, "kernel 6; mounts /a, /b");
	free(line);
	json_decref(targets);
}

/* ---------------------------------------------------------------- mistakes */

static void mistakes_are_told_with_their_place(void **state)
{
	(void)state;
	refuses(HEAD "mount: [ /a ]\n", "t:2:1: there is no target 'mount'; did you mean 'mounts'?");
	refuses(HEAD "secrets: /a\nkernel: six\n",
		"t:2:1: there is no target 'secrets'; there are: sandboxeval-targets, kernel, engine, "
		"output, mounts, answers, results, harness, resolvers\n"
		"t:3:9: kernel: 'six' is no version such as 6.1 or 6.1.90");
	refuses("kernel: 6.1\n", "t:1:1: targets need 'sandboxeval-targets: 1'");
	refuses("sandboxeval-targets: 2\nkernel: 6.1\n",
		"t:1:22: this program knows format 1 of targets, not '2'");
	refuses("- kernel\n", "t:1:1: targets begin with 'sandboxeval-targets: 1'");
	refuses(HEAD, "t:1:1: no target is named");
	refuses(HEAD "kernel: 6\nkernel: 7\n",
		"t:3:1: 'kernel' is here for the second time; line 2 has it already");
	refuses("", "t:1:1: there is nothing in it");
}

static void wrong_types_are_refused(void **state)
{
	(void)state;
	refuses(HEAD "kernel: [ 6.1 ]\n", "t:2:9: kernel must be a text");
	refuses(HEAD "output: { a: b }\n", "t:2:9: output must be a text");
	refuses(HEAD "mounts: { a: b }\n", "t:2:9: mounts must be a text or a list of texts");
	refuses(HEAD "mounts: []\n", "t:2:9: mounts is empty");
	refuses(HEAD "mounts:\n", "t:2:8: mounts is empty");
	refuses(HEAD "mounts: [ [ /a ] ]\n", "t:2:11: mounts must be a text");
	refuses(HEAD "kernel: ''\n", "t:2:9: kernel is empty");
}

static void versions_are_numbers(void **state)
{
	static const char *const wrong[] = { "6.", ".6", "6..1", "6.1.2.3", "v6", "6.1-rc1",
					     "123456789", "-1", "6,1" };

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *text = print_text(HEAD "engine: '%s'\n", wrong[i]);

		says(text, strlen(text), "is no version such as 6.1 or 6.1.90");
		free(text);
	}
}

static void paths_are_absolute_and_plain(void **state)
{
	(void)state;
	refuses(HEAD "output: out\n", "t:2:9: output: 'out' is no absolute path");
	refuses(HEAD "output: ~/out\n", "t:2:9: output: '~/out' is no absolute path");
	refuses(HEAD "output: /\n", "t:2:9: output: '/' is all there is: name what lies in it");
	refuses(HEAD "mounts: [ /a/../b ]\n",
		"t:2:11: mounts: '/a/../b' holds '//', '.' or '..': write the path as it is");
	refuses(HEAD "mounts: [ /a/. ]\n",
		"t:2:11: mounts: '/a/.' holds '//', '.' or '..': write the path as it is");
	refuses(HEAD "mounts: [ //a, /a// ]\n",
		"t:2:11: mounts: '//a' holds '//', '.' or '..': write the path as it is\n"
		"t:2:16: mounts: '/a//' holds '//', '.' or '..': write the path as it is");
	refuses(HEAD "results: /out/*.json\n",
		"t:2:10: results: '/out/*.json' holds a pattern, and patterns are not understood: "
		"name each path");
	refuses(HEAD "mounts: [ /a, /b, /a/ ]\n",
		"t:2:19: mounts: '/a/' is here for the second time");
	says(HEAD "output: \"/a\\nb\"\n", strlen(HEAD) + 16, "holds a control character");
	refuses(HEAD "resolvers: dns.example\n",
		"t:2:12: resolvers: 'dns.example' is no address such as 10.0.2.3 or fd00::3");
	refuses(HEAD "resolvers: [ 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4 ]\n",
		"t:2:44: resolvers: more than 3 are not taken");
}

/* ---------------------------------------------------------------- hostile files */

/* `head`, and `n` lines with a number of `digits` digits in the middle. */
static char *repeat(const char *head, const char *before, int digits, const char *after, unsigned n)
{
	char *text = copy_text(head);

	for (unsigned i = 0; i < n; i++) {
		char *longer = print_text("%s%s%0*u%s", text, before, digits, i, after);

		free(text);
		text = longer;
	}
	return text;
}

static void hostile_files_are_refused(void **state)
{
	char *text = new_array(NODE_MOST_BYTES + 2, 1);

	(void)state;
	memset(text, '#', NODE_MOST_BYTES + 1);
	says(text, NODE_MOST_BYTES + 1, "this is longer than 256 KiB");
	free(text);
	says("\x7f" "ELF\x02\x01\x01\0\0\0", 10, "t:1:1: this is no YAML");
	says("\xff\xfe\xff", 3, "t:1:1: this is no YAML");
	says(HEAD "mounts: &a [ *a ]\n", strlen(HEAD) + 18, "anchors and aliases are not used here");
	says(HEAD "output: !!binary L2E=\n", strlen(HEAD) + 22, "tags are not used here");
	says(HEAD "output: \"/a\\0b\"\n", strlen(HEAD) + 16, "cannot hold the character 0");
	text = print_text("%s%03000u", HEAD "mounts: ", 0);
	for (char *c = strchr(text, '0'); c; c = strchr(c, '0'))
		*c = '[';
	says(text, strlen(text), "this is nested too deep");
	free(text);
	text = repeat(HEAD "mounts:\n", "  - /m", 1, "\n", TARGETS_MOST_MEMBERS + 1);
	says(text, strlen(text), "mounts: more than 32 are not taken");
	free(text);
	/* Within the limit of all, and beyond it. */
	text = repeat(HEAD "answers:\n", "  - /", 200, "\n", 19);
	refuses(text, "");
	free(text);
	text = repeat(HEAD "answers:\n", "  - /", 200, "\n", TARGETS_MOST_MEMBERS);
	says(text, strlen(text), "t:1:1: all targets together are longer than 4 KiB");
	free(text);
	text = repeat(HEAD, "output: /", 300, "\n", 1);
	says(text, strlen(text), "is longer than 255 bytes");
	free(text);
	text = repeat(HEAD, "k", 1, ": /a\n", 100);
	says(text, strlen(text), "t: and 80 more");
	free(text);
}

/* ---------------------------------------------------------------- earlier reports */

static void takes(const char *json, const char *expected)
{
	json_t *from = json_loads(json, JSON_DECODE_ANY, NULL), *targets = targets_take(from);
	char *found = targets ? json_dumps(targets, JSON_COMPACT) : copy_text("none");

	assert_string_equal(found, expected);
	free(found);
	json_decref(targets);
	json_decref(from);
}

static void of_reports_only_what_is_known_is_taken(void **state)
{
	(void)state;
	takes("{\"mounts\":[\"/a\"],\"kernel\":\"6.1\"}", "{\"kernel\":\"6.1\",\"mounts\":[\"/a\"]}");
	takes("{\"kernel\":6,\"mounts\":\"/a\",\"answers\":[\"a\"],\"results\":[[]],\"x\":1}", "none");
	takes("{\"mounts\":[],\"output\":\"/a\\u001b[m\"}", "none");
	takes("[]", "none");
	takes("null", "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_keys_are_read_in_one_order),
		cmocka_unit_test(what_separates_is_escaped),
		cmocka_unit_test(files_of_other_systems_are_read),
		cmocka_unit_test(people_read_one_line),
		cmocka_unit_test(mistakes_are_told_with_their_place),
		cmocka_unit_test(wrong_types_are_refused),
		cmocka_unit_test(versions_are_numbers),
		cmocka_unit_test(paths_are_absolute_and_plain),
		cmocka_unit_test(hostile_files_are_refused),
		cmocka_unit_test(of_reports_only_what_is_known_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
