/* SPDX-License-Identifier: MIT */
/*
 * Policies: every mistake is told with its line, column and the nearest name; the most specific
 * rule decides; conditions, waivers and the choice for unknown do what they say; and hostile
 * files are refused, not obeyed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/memory.h"
#include "host/policy.h"
#include "host/yaml_tree.h"

#define HEAD "sandboxeval-policy: 1\nunknown: fail\ndefault: deny\nrules:\n"
#define NOW 1785588000 /* 2026-08-01 */

/* ---------------------------------------------------------------- faults */

static char *faults_of(const char *text, size_t n)
{
	char **faults, *all = copy_text("");
	struct policy *policy = policy_load(text, n, "p", &faults);

	assert_true((policy == NULL) == (list_length(faults) > 0));
	for (size_t i = 0; faults && faults[i]; i++) {
		char *longer = print_text("%s%s%s", all, i ? "\n" : "", faults[i]);

		free(all);
		all = longer;
	}
	list_free(faults);
	policy_free(policy);
	return all;
}

static void refuses(const char *text, const char *expected)
{
	char *found = faults_of(text, strlen(text));

	assert_string_equal(found, expected);
	free(found);
}

static void says(const char *text, const char *expected)
{
	char *found = faults_of(text, strlen(text));

	if (!strstr(found, expected))
		fail_msg("'%s' does not say '%s'", found, expected);
	free(found);
}

static void mistakes_are_told_with_their_place(void **state)
{
	(void)state;
	refuses(HEAD "  - allow: system\n", "");
	refuses("sandboxeval-policy: 1\ndefault: deny\nrulse: []\n",
		"p:3:1: there is no key 'rulse'; did you mean 'rules'?");
	refuses("sandboxeval-policy: 2\ndefault: allow\n",
		"p:1:21: this program knows format 1 of policies, not '2'");
	refuses("default: deny\n", "p:1:1: a policy needs 'sandboxeval-policy: 1'");
	refuses("sandboxeval-policy: 1\n",
		"p:1:1: a policy needs 'default: deny' or 'default: allow'");
	refuses("sandboxeval-policy: 1\ndefault: require\n",
		"p:2:10: there is no default 'require'; there are: deny, allow");
	refuses("sandboxeval-policy: 1\ndefault: deny\nunknown: warning\n",
		"p:3:10: there is no choice for unknown 'warning'; there are: fail, warn, ignore");
	refuses("- a\n", "p:1:1: a policy begins with 'sandboxeval-policy: 1'");
	refuses(HEAD "  - alow: system\n", "p:5:5: there is no key of a rule 'alow'; did you mean "
					   "'allow'?");
	refuses(HEAD "  - severity: high\n", "p:5:5: a rule begins with allow, deny or require");
	refuses(HEAD "  - allow: system\n    deny: network\n",
		"p:6:5: a rule has one of allow, deny and require");
	refuses(HEAD "  - system\n",
		"p:5:5: a rule is written as 'allow: …', 'deny: …' or 'require: …'");
	refuses(HEAD "  - allow: []\n  - {}\n",
		"p:5:12: allow is empty\np:6:5: a rule begins with allow, deny or require");
}

static void unknown_scenarios_and_cases_are_told(void **state)
{
	(void)state;
	refuses(HEAD "  - allow: system.cpuu\n",
		"p:5:12: there is no scenario 'system.cpuu'; did you mean 'system.cpu'?");
	refuses(HEAD "  - deny: [network, netwrok]\n",
		"p:5:21: there is no scenario or category 'netwrok'; did you mean 'network'?");
	refuses(HEAD "  - deny: cpu\n",
		"p:5:11: there is no scenario 'cpu'; did you mean 'system.cpu'?");
	refuses(HEAD "  - deny: content.read/etc-shadwo\n",
		"p:5:11: there is no case in content.read like 'etc-shadwo'; did you mean "
		"'etc-shadow'?");
	refuses(HEAD "  - deny: content.read/\n", "p:5:11: 'content.read/' ends too early");
	refuses(HEAD "  - deny: system.processes/x\n", "p:5:11: system.processes has no cases");
	refuses(HEAD "  - deny: system/x\n",
		"p:5:11: only a scenario has cases and objects, 'system' is a category");
	refuses(HEAD "  - deny: all@x\n",
		"p:5:11: only a scenario has cases and objects, 'all' is all of them");
	refuses(HEAD "  - deny: system.users@alice\n",
		"p:5:11: system.users has cases: say which of them the objects belong to, as in "
		"'system.users/passwd@alice'");
}

static void conditions_and_waivers_are_checked(void **state)
{
	(void)state;
	refuses(HEAD "  - allow: system\n    at-most: { bytes: 4 }\n",
		"p:5:5: a condition speaks of a scenario's evidence: 'system' is none");
	refuses(HEAD "  - allow: system.memory\n    at-most: { bytes: much }\n",
		"p:6:23: 'much' is no number such as 64, 0.5 or 512 MiB");
	refuses(HEAD "  - allow: system.memory\n    at-most: 4\n",
		"p:6:14: a bound names a number of the evidence, as in { count: 4 }");
	refuses(HEAD "  - deny: system.users\n    names: [alice]\n",
		"p:5:5: 'names' says what is allowed: it does not go with deny");
	refuses(HEAD "  - deny: all\n    severity: hihg\n",
		"p:6:15: there is no severity 'hihg'; did you mean 'high'?");
	refuses(HEAD "  - deny: all\nwaivers:\n  - waive: system.cpu\n",
		"p:7:5: a waiver needs 'reason'\np:7:5: a waiver needs 'until'");
	refuses(HEAD "  - deny: all\nwaivers:\n  - waive: system.cpu\n    reason: r\n"
		     "    until: 2026-02-30\n",
		"p:9:12: '2026-02-30' is no date such as 2026-12-31");
	refuses(HEAD "  - deny: all\nwaivers:\n  - waive: system.cpu\n    reason: r\n"
		     "    until: never\n",
		"p:9:12: 'never' is no date such as 2026-12-31");
}

static void all_faults_are_found_up_to_a_bound(void **state)
{
	char *text = copy_text(HEAD), *found;

	(void)state;
	for (unsigned i = 0; i < 30; i++) {
		char *longer = print_text("%s  - allow: x.y%u\n", text, i);

		free(text);
		text = longer;
	}
	found = faults_of(text, strlen(text));
	assert_non_null(strstr(found, "p:5:12: "));
	assert_non_null(strstr(found, "p:24:12: "));
	assert_null(strstr(found, "p:25:12: "));
	assert_non_null(strstr(found, "\np: and 10 more"));
	free(found);
	free(text);
}

/* ---------------------------------------------------------------- hostile files */

static void repeat(const char *head, const char *what, size_t n, const char *expected)
{
	size_t length = strlen(what), used = strlen(head);
	char *text = new_array(used + n * length + 1, 1);

	memcpy(text, head, used);
	for (size_t i = 0; i < n; i++)
		memcpy(text + used + i * length, what, length);
	says(text, expected);
	free(text);
}

static void hostile_files_are_refused(void **state)
{
	static const char zero[] = "default: \"a\\0b\"\n", binary[] = "\x7f\x45LF\x01\x00\xff\xfe";
	char *found;

	(void)state;
	refuses("", "p:1:1: there is nothing in it; 'sandboxeval policy init RUN' writes a "
		"policy");
	refuses("# only a comment\n", "p:2:1: there is nothing in it; 'sandboxeval policy init "
		"RUN' writes a policy");
	refuses("---\n...\n", "p:2:1: a policy begins with 'sandboxeval-policy: 1'");
	says(HEAD "\t- allow: system\n", "p:5:1: this is no YAML: ");
	says(HEAD "\t- allow: system\n", "indent with blanks, not tabs");
	says(HEAD "  - allow: *\n", "must be quoted");
	says("a: &x 1\nb: *x\n", "p:1:4: anchors and aliases are not used here");
	says("a: *x\n", "p:1:4: anchors and aliases are not used here");
	says("a: !!int 1\n", "p:1:4: tags are not used here");
	says("name: a\nname: b\n", "p:2:1: 'name' is here for the second time; line 1 has it already");
	says("a: 1\n---\nb: 1\n", "p:3:1: this is a second document");
	says("? [a]\n: b\n", "p:1:3: a key must be a text");
	says("a: [1\n", "this is no YAML: ");
	says("a: \"b\n", "this is no YAML: ");
	says("a: \xff\n", "p:1:4: this is no YAML: ");
	says("a: b\n\x1b[2J\n", "p:2:1: this is no YAML: control characters are not allowed");
	says(zero, "p:1:10: a text cannot hold the character 0");
	repeat("a: ", "[", 100000, "this is nested too deep");
	repeat("a: ", "{a: ", 50000, "this is nested too deep");
	repeat("a: ", "- ", 50000, "this is no YAML");
	repeat("", "- x\n", 40000, "there is too much in this file");
	repeat("", "x", NODE_MOST_BYTES + 1, "p:1:1: this is longer than 256 KiB");
	repeat("a: &a [", "*a,", 1000, "anchors and aliases are not used here");
	found = faults_of(binary, sizeof binary - 1);
	assert_non_null(strstr(found, "p:1:"));
	free(found);
}

/* ---------------------------------------------------------------- globs and ranks */

static void globs(void **state)
{
	(void)state;
	assert_true(glob_matches("etc-*", "etc-shadow"));
	assert_true(glob_matches("*shadow", "etc-gshadow"));
	assert_true(glob_matches("/tmp/*", "/tmp/a/b"));
	assert_true(glob_matches("a?c", "abc"));
	assert_true(glob_matches("a\\*c", "a*c"));
	assert_false(glob_matches("a\\*c", "abc"));
	assert_false(glob_matches("a\\?c", "abc"));
	assert_true(glob_matches("a\\\\", "a\\"));
	assert_true(glob_matches("\\", "\\"));
	assert_false(glob_matches("etc", "etc-shadow"));
	assert_false(glob_matches("etc-shadow-", "etc-shadow"));
	assert_true(glob_matches("*", ""));
	assert_false(glob_matches("?", ""));
	assert_true(glob_is_exact("a\\*"));
	assert_false(glob_is_exact("a*"));
	/* A pattern that would take other matchers for ever. */
	assert_false(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab",
				  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

/* ---------------------------------------------------------------- judging */

static struct case_result a_case(const struct catalogue_case *definition, enum status status)
{
	return (struct case_result){
		.name = copy_text(definition->name), .definition = definition,
		.severity = definition->severity, .status = status,
		.barriers = status == STATUS_DENIED ? BARRIER_BIT(BARRIER_DAC) : 0,
		.evidence = json_object(), .measured = json_object(),
	};
}

static void add_result(struct run *run, const char *id, enum status status)
{
	run->results = grow_array(run->results, run->n_results + 1, sizeof *run->results);
	run->results[run->n_results++] = (struct result){
		.entry = catalogue_find(id), .arrived = true, .status = status,
		.reason = REASON_TIMED_OUT,
		.objects = json_array(), .evidence = json_object(), .measured = json_object(),
	};
	assert_non_null(run->results[run->n_results - 1].entry);
}

/* content.read: etc-passwd and etc-shadow as given. */
static struct run *run_of_cases(enum status passwd, enum status shadow)
{
	struct run *run = run_new();
	struct result *result;

	add_result(run, "content.read", status_worse(status_worse(STATUS_DENIED, passwd), shadow));
	result = &run->results[0];
	result->n_cases = 2;
	result->cases = new_array(2, sizeof *result->cases);
	result->cases[0] = a_case(catalogue_case_find(result->entry, "etc-passwd"), passwd);
	result->cases[1] = a_case(catalogue_case_find(result->entry, "etc-shadow"), shadow);
	return run;
}

static struct run *run_of(const char *id, enum status status)
{
	struct run *run = run_new();

	add_result(run, id, status);
	return run;
}

static void judge(struct run *run, const char *text)
{
	char **faults;
	struct policy *policy = policy_load(text, strlen(text), "p.yaml", &faults);

	if (!policy)
		fail_msg("%s", faults[0]);
	policy_judge(policy, run, NOW);
	policy_free(policy);
}

/* Judges and releases the run; checks the first result's judgement, rule, and the verdict. */
static void expect(struct run *run, const char *text, enum judgement judgement, const char *rule,
		   enum policy_verdict verdict)
{
	judge(run, text);
	assert_string_equal(judgement_name(run->results[0].judged.judgement),
			    judgement_name(judgement));
	assert_string_equal(run->results[0].judged.rule, rule);
	assert_string_equal(verdict_name(run->verdict), verdict_name(verdict));
	run_free(run);
}

#define ACC STATUS_ACCESSED
#define DEN STATUS_DENIED
#define UNK STATUS_UNKNOWN

static void the_three_effects(void **state)
{
	static const struct {
		const char *effect;
		enum status status;
		enum judgement judgement;
		const char *missed;
		enum policy_verdict verdict;
	} rows[] = {
		{ "allow", ACC, JUDGEMENT_CONFORMS, "", VERDICT_SATISFIED },
		{ "allow", DEN, JUDGEMENT_CONFORMS, "", VERDICT_SATISFIED },
		{ "allow", UNK, JUDGEMENT_CONFORMS, "", VERDICT_SATISFIED },
		{ "deny", ACC, JUDGEMENT_VIOLATES, "", VERDICT_VIOLATED },
		{ "deny", DEN, JUDGEMENT_CONFORMS, "", VERDICT_SATISFIED },
		{ "deny", UNK, JUDGEMENT_UNMEASURED, ": unknown, timed-out", VERDICT_INCOMPLETE },
		{ "require", ACC, JUDGEMENT_CONFORMS, "", VERDICT_SATISFIED },
		{ "require", DEN, JUDGEMENT_VIOLATES, ": it is denied", VERDICT_VIOLATED },
		{ "require", UNK, JUDGEMENT_UNMEASURED, ": unknown, timed-out", VERDICT_INCOMPLETE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = print_text(HEAD "  - %s: system.processes\n", rows[i].effect);
		char *rule = print_text("%s system.processes (line 5)%s", rows[i].effect,
					rows[i].missed);

		expect(run_of("system.processes", rows[i].status), text, rows[i].judgement, rule,
		       rows[i].verdict);
		free(text);
		free(rule);
	}
}

static void the_most_specific_decides(void **state)
{
	static const char all[] =
		HEAD "  - allow: content.read/etc-shadow\n  - deny: content.read/etc-*\n"
		     "  - allow: content.read\n  - deny: content\n  - allow: all\n";

	(void)state;
	/* Exact case, glob, scenario, category, all: whatever the order. */
	expect(run_of_cases(DEN, ACC), all, JUDGEMENT_CONFORMS, "deny content.read/etc-* (line 6)",
	       VERDICT_SATISFIED);
	expect(run_of_cases(ACC, ACC), all, JUDGEMENT_VIOLATES, "deny content.read/etc-* (line 6)",
	       VERDICT_VIOLATED);
	expect(run_of("content.list-writable", ACC), all, JUDGEMENT_VIOLATES,
	       "deny content (line 8)", VERDICT_VIOLATED);
	expect(run_of("system.processes", ACC), all, JUDGEMENT_CONFORMS, "allow all (line 9)",
	       VERDICT_SATISFIED);
	/* Later among equals, in a list too. */
	expect(run_of("system.processes", ACC),
	       HEAD "  - deny: system\n  - allow: [network, system]\n", JUDGEMENT_CONFORMS,
	       "allow system (line 6)", VERDICT_SATISFIED);
	/* A severity narrows, and narrower is more specific; a category still beats all. */
	expect(run_of_cases(ACC, ACC), HEAD "  - deny: content\n    severity: [high, critical]\n"
					    "  - allow: content\n",
	       JUDGEMENT_VIOLATES, "deny content (line 5)", VERDICT_VIOLATED);
	expect(run_of_cases(ACC, DEN), HEAD "  - deny: content\n    severity: [high, critical]\n"
					    "  - allow: content\n",
	       JUDGEMENT_CONFORMS, "allow content (line 7)", VERDICT_SATISFIED);
	expect(run_of_cases(DEN, ACC), HEAD "  - deny: all\n    severity: high\n  - allow: content\n",
	       JUDGEMENT_CONFORMS, "allow content (line 7)", VERDICT_SATISFIED);
	expect(run_of("network.ftp", ACC), HEAD "  - allow: system\n", JUDGEMENT_VIOLATES,
	       "default: deny", VERDICT_VIOLATED);
	expect(run_of("network.ftp", ACC), "sandboxeval-policy: 1\ndefault: allow\n",
	       JUDGEMENT_CONFORMS, "default: allow", VERDICT_SATISFIED);
}

static void every_case_is_judged_by_itself(void **state)
{
	struct run *run = run_of_cases(ACC, ACC);

	(void)state;
	judge(run, HEAD "  - allow: content.read\n  - deny: content.read/etc-shadow\n    why: hashes\n");
	assert_int_equal(run->results[0].cases[0].judged.judgement, JUDGEMENT_CONFORMS);
	assert_int_equal(run->results[0].cases[1].judged.judgement, JUDGEMENT_VIOLATES);
	assert_string_equal(run->results[0].cases[1].judged.rule,
			    "deny content.read/etc-shadow (line 6): hashes");
	assert_string_equal(run->results[0].judged.rule, run->results[0].cases[1].judged.rule);
	assert_string_equal(run->policy, "p");
	assert_string_equal(run->policy_source, "p.yaml");
	/* Judging again replaces what was judged before. */
	judge(run, HEAD "  - allow: all\n");
	assert_int_equal(run->results[0].judged.judgement, JUDGEMENT_CONFORMS);
	run_free(run);
	/* The whole may be unknown though all that was tried is denied. */
	run = run_of_cases(DEN, DEN);
	run->results[0].status = STATUS_UNKNOWN;
	expect(run, HEAD "  - deny: content\n", JUDGEMENT_UNMEASURED,
	       "deny content (line 5): unknown, timed-out", VERDICT_INCOMPLETE);
}

static void what_is_required_must_be_there(void **state)
{
	struct run *run;

	(void)state;
	/* One case is enough for the scenario, but a case that is named must be possible itself. */
	expect(run_of_cases(ACC, DEN), HEAD "  - require: content.read\n", JUDGEMENT_CONFORMS,
	       "require content.read (line 5)", VERDICT_SATISFIED);
	expect(run_of_cases(ACC, DEN), HEAD "  - require: content.read/etc-shadow\n  - allow: content\n",
	       JUDGEMENT_VIOLATES, "require content.read/etc-shadow (line 5): it is denied",
	       VERDICT_VIOLATED);
	expect(run_of_cases(ACC, DEN), HEAD "  - require: content.read/root-home\n  - allow: content\n",
	       JUDGEMENT_UNMEASURED,
	       "require content.read/root-home (line 5): root-home was not tried",
	       VERDICT_INCOMPLETE);
	run = run_of("system.processes", DEN);
	judge(run, HEAD "  - require: network.http\n");
	assert_int_equal(run->verdict, VERDICT_INCOMPLETE);
	assert_false(run->complete);
	assert_string_equal(run->incomplete_because[0],
			    "The policy requires network.http, which was not tried.");
	run_free(run);
}

static void unknown_is_what_the_policy_says(void **state)
{
	static const char *const words[] = { "fail", "warn", "ignore" };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		char *text = print_text("sandboxeval-policy: 1\ndefault: deny\nunknown: %s\n", words[i]);
		struct run *run = run_of("network.ftp", UNK);

		judge(run, text);
		assert_int_equal(run->results[0].judged.tolerance, i);
		assert_int_equal(run->results[0].judged.judgement, JUDGEMENT_UNMEASURED);
		assert_int_equal(run->verdict, i ? VERDICT_SATISFIED : VERDICT_INCOMPLETE);
		run_free(run);
		free(text);
	}
	/* A rule knows better than the policy; what is required is needed whatever the policy says. */
	expect(run_of("network.ftp", UNK), HEAD "  - deny: network\n    unknown: ignore\n",
	       JUDGEMENT_UNMEASURED, "deny network (line 5): unknown, timed-out", VERDICT_SATISFIED);
	expect(run_of("network.ftp", UNK),
	       "sandboxeval-policy: 1\ndefault: deny\nunknown: ignore\nrules:\n"
	       "  - require: network.ftp\n",
	       JUDGEMENT_UNMEASURED, "require network.ftp (line 5): unknown, timed-out",
	       VERDICT_INCOMPLETE);
}

static struct run *run_with_number(enum status status, double bytes)
{
	struct run *run = run_of("danger.exhaust-processes", status);

	json_object_set_new(run->results[0].evidence, "limit", json_real(bytes));
	return run;
}

static void numbers_are_bounded(void **state)
{
	static const char most[] = HEAD "  - deny: danger.exhaust-processes\n"
					"    at-most: { limit: 1 KiB }\n";
	static const char least[] = HEAD "  - allow: danger.exhaust-processes\n"
					 "    at-least: { limit: 64 }\n";

	(void)state;
	expect(run_with_number(DEN, 1024), most, JUDGEMENT_CONFORMS,
	       "deny danger.exhaust-processes (line 5)", VERDICT_SATISFIED);
	expect(run_with_number(DEN, 1025), most, JUDGEMENT_VIOLATES,
	       "deny danger.exhaust-processes (line 5): limit is 1025, more than 1 KiB",
	       VERDICT_VIOLATED);
	expect(run_with_number(ACC, 1), most, JUDGEMENT_VIOLATES,
	       "deny danger.exhaust-processes (line 5)", VERDICT_VIOLATED);
	expect(run_with_number(ACC, 63), least, JUDGEMENT_VIOLATES,
	       "allow danger.exhaust-processes (line 5): limit is 63, less than 64",
	       VERDICT_VIOLATED);
	expect(run_with_number(DEN, 63), least, JUDGEMENT_CONFORMS,
	       "allow danger.exhaust-processes (line 5)", VERDICT_SATISFIED);
	expect(run_of("danger.exhaust-processes", DEN), most, JUDGEMENT_UNMEASURED,
	       "deny danger.exhaust-processes (line 5): the evidence has no number 'limit'",
	       VERDICT_INCOMPLETE);
	expect(run_of("danger.exhaust-processes", UNK), least, JUDGEMENT_UNMEASURED,
	       "allow danger.exhaust-processes (line 5): unknown, timed-out", VERDICT_INCOMPLETE);
}

static struct run *run_with_objects(const char *one, const char *other, int seen)
{
	struct run *run = run_of("directory.root", ACC);
	struct result *result = &run->results[0];

	json_array_append_new(result->objects, json_pack("{ssss}", "kind", "entry", "path", one));
	json_array_append_new(result->objects, json_pack("{ssss}", "kind", "entry", "path", other));
	if (seen)
		json_object_set_new(result->evidence, "objects_seen", json_integer(seen));
	return run;
}

static void names_and_objects(void **state)
{
	static const char names[] = HEAD "  - allow: directory.root\n    names: [/w*, /data]\n";
	static const char by_object[] =
		HEAD "  - deny: directory.root\n  - allow: directory.root@/w*\n"
		     "  - deny: directory.root@/work\n";
	static const char deny_one[] = HEAD "  - allow: directory.root\n  - deny: directory.root@/key\n";

	(void)state;
	expect(run_with_objects("/work", "/data", 0), names, JUDGEMENT_CONFORMS,
	       "allow directory.root (line 5)", VERDICT_SATISFIED);
	expect(run_with_objects("/work", "/key", 0), names, JUDGEMENT_VIOLATES,
	       "allow directory.root (line 5): /key is not among the names", VERDICT_VIOLATED);
	/* What was seen and not listed is not known to be allowed. */
	expect(run_with_objects("/work", "/data", 30), names, JUDGEMENT_UNMEASURED,
	       "allow directory.root (line 5): 28 more were seen, and not listed",
	       VERDICT_INCOMPLETE);
	expect(run_of("directory.root", ACC), names, JUDGEMENT_UNMEASURED,
	       "allow directory.root (line 5): no names were reported", VERDICT_INCOMPLETE);
	expect(run_with_objects("/w1", "/w2", 0), by_object, JUDGEMENT_CONFORMS,
	       "allow directory.root@/w* (line 6)", VERDICT_SATISFIED);
	expect(run_with_objects("/w1", "/data", 0), by_object, JUDGEMENT_VIOLATES,
	       "deny directory.root (line 5): /data", VERDICT_VIOLATED);
	expect(run_with_objects("/w1", "/work", 0), by_object, JUDGEMENT_VIOLATES,
	       "deny directory.root@/work (line 7): /work", VERDICT_VIOLATED);
	expect(run_with_objects("/w1", "/w2", 30), by_object, JUDGEMENT_VIOLATES,
	       "deny directory.root (line 5)", VERDICT_VIOLATED);
	expect(run_with_objects("/a", "/b", 0), deny_one, JUDGEMENT_CONFORMS,
	       "allow directory.root (line 5)", VERDICT_SATISFIED);
	expect(run_with_objects("/a", "/b", 30), deny_one, JUDGEMENT_UNMEASURED,
	       "28 more were seen, and not listed: some may be denied", VERDICT_INCOMPLETE);
}

#define WAIVER(what, until) \
	HEAD "  - deny: content\nwaivers:\n  - waive: " what "\n    reason: because\n    until: " until "\n"

static void waivers_come_last_and_expire(void **state)
{
	struct run *run;

	(void)state;
	expect(run_of_cases(DEN, ACC), WAIVER("content.read/etc-shadow", "2026-08-01"),
	       JUDGEMENT_WAIVED, "waived until 2026-08-01 (line 7): because", VERDICT_SATISFIED);
	expect(run_of_cases(DEN, ACC), WAIVER("content.read/etc-shadow", "2026-07-31"),
	       JUDGEMENT_VIOLATES,
	       "deny content (line 5); the waiver (line 7) expired after 2026-07-31",
	       VERDICT_VIOLATED);
	/* Another case is not waived; nor is what conforms. */
	expect(run_of_cases(ACC, ACC), WAIVER("content.read/etc-shadow", "2027-01-01"),
	       JUDGEMENT_VIOLATES, "deny content (line 5)", VERDICT_VIOLATED);
	expect(run_of_cases(DEN, DEN), WAIVER("content.read", "2027-01-01"), JUDGEMENT_CONFORMS,
	       "deny content (line 5)", VERDICT_SATISFIED);
	expect(run_of("content.list-writable", UNK), WAIVER("content", "2027-01-01"),
	       JUDGEMENT_WAIVED, "waived until 2027-01-01 (line 7): because", VERDICT_SATISFIED);
	/* A waiver for one object is not one for the others. */
	expect(run_with_objects("/a", "/b", 0),
	       HEAD "  - deny: directory\nwaivers:\n  - waive: directory.root@/a\n"
		    "    reason: because\n    until: 2027-01-01\n",
	       JUDGEMENT_VIOLATES, "deny directory (line 5): /b", VERDICT_VIOLATED);
	run = run_with_objects("/a", "/a", 0);
	expect(run, HEAD "  - deny: directory\nwaivers:\n  - waive: directory.root@/a\n"
			 "    reason: because\n    until: 2027-01-01\n",
	       JUDGEMENT_WAIVED, "waived until 2027-01-01 (line 7): because", VERDICT_SATISFIED);
}

static void an_incomplete_run_never_satisfies(void **state)
{
	struct run *run = run_of("network.ftp", DEN);

	(void)state;
	run_mark_incomplete(run, "The footer is missing.");
	expect(run, HEAD "  - deny: network\n", JUDGEMENT_CONFORMS, "deny network (line 5)",
	       VERDICT_INCOMPLETE);
	run = run_of("network.ftp", DEN);
	run->clean = false;
	expect(run, HEAD "  - deny: network\n", JUDGEMENT_CONFORMS, "deny network (line 5)",
	       VERDICT_INCOMPLETE);
	/* A violation that was seen is one all the same. */
	run = run_of("network.ftp", ACC);
	run_mark_incomplete(run, "The footer is missing.");
	expect(run, HEAD "  - deny: network\n", JUDGEMENT_VIOLATES, "deny network (line 5)",
	       VERDICT_VIOLATED);
	run = run_new();
	judge(run, HEAD "  - deny: network\n");
	assert_int_equal(run->verdict, VERDICT_INCOMPLETE);
	run_free(run);
	assert_int_equal(policy_exit(VERDICT_SATISFIED), EXIT_SATISFIED);
	assert_int_equal(policy_exit(VERDICT_VIOLATED), EXIT_VIOLATED);
	assert_int_equal(policy_exit(VERDICT_INCOMPLETE), EXIT_INCOMPLETE);
}

/* ---------------------------------------------------------------- written, shipped */

static void what_is_written_accepts_what_was_seen(void **state)
{
	struct run *run = run_of_cases(ACC, UNK);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	add_result(run, "network.ftp", UNK);
	add_result(run, "system.processes", DEN);
	add_result(run, "directory.root", ACC);
	json_array_append_new(run->results[3].objects,
			      json_pack("{ssss}", "kind", "entry", "path", "/a*\"\\\x1b[m\xe2\x82\xac"));
	run->sandbox = copy_text("a \"name\"");
	policy_write(run, out);
	fclose(out);
	judge(run, text);
	assert_int_equal(run->verdict, VERDICT_SATISFIED);
	assert_string_equal(run->policy, "a \"name\"");
	/* And nothing else. */
	run->results[2].status = ACC;
	judge(run, text);
	assert_int_equal(run->verdict, VERDICT_VIOLATED);
	run->results[2].status = DEN;
	run->results[0].cases[1].status = ACC;
	judge(run, text);
	assert_int_equal(run->verdict, VERDICT_VIOLATED);
	run->results[0].cases[1].status = DEN;
	json_array_append_new(run->results[3].objects,
			      json_pack("{ssss}", "kind", "entry", "path", "/ab\"\\\x1b[m\xe2\x82\xac"));
	judge(run, text);
	assert_int_equal(run->verdict, VERDICT_VIOLATED);
	free(text);
	run_free(run);
}

static void the_shipped_policies_are_right(void **state)
{
	unsigned n = 0;

	(void)state;
	for (const struct policy_text *one = policy_texts; one->name; one++, n++) {
		struct error error;
		char **faults;
		struct policy *policy = policy_open(one->name, &faults, &error);

		if (!policy)
			fail_msg("%s", faults ? faults[0] : error.text);
		assert_string_equal(policy->name, one->name);
		assert_string_equal(policy->source, "built in");
		assert_non_null(policy->about);
		/* Each rule says why. */
		for (unsigned i = 0; i < policy->n_rules; i++)
			assert_non_null(policy->rules[i].why);
		policy_free(policy);
	}
	assert_int_equal(n, 6);
}

static void files_are_found_or_not(void **state)
{
	struct error error;
	char **faults;

	(void)state;
	assert_null(policy_open("ci-runer", &faults, &error));
	assert_null(faults);
	assert_string_equal(error.text, "there is no policy 'ci-runer', and no such file; did you mean "
					"'ci-runner'?");
	assert_null(policy_open("/nonexistent/p.yaml", &faults, &error));
	assert_string_equal(error.text,
			    "cannot read the policy /nonexistent/p.yaml: No such file or directory");
	assert_null(policy_open("/", &faults, &error));
	assert_string_equal(error.text, "cannot read the policy /: Is a directory");
	assert_null(policy_open("/dev/zero", &faults, &error));
	assert_string_equal(faults[0], "/dev/zero:1:1: this is longer than 256 KiB");
	list_free(faults);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_told_with_their_place),
		cmocka_unit_test(unknown_scenarios_and_cases_are_told),
		cmocka_unit_test(conditions_and_waivers_are_checked),
		cmocka_unit_test(all_faults_are_found_up_to_a_bound),
		cmocka_unit_test(hostile_files_are_refused),
		cmocka_unit_test(globs),
		cmocka_unit_test(the_three_effects),
		cmocka_unit_test(the_most_specific_decides),
		cmocka_unit_test(every_case_is_judged_by_itself),
		cmocka_unit_test(what_is_required_must_be_there),
		cmocka_unit_test(unknown_is_what_the_policy_says),
		cmocka_unit_test(numbers_are_bounded),
		cmocka_unit_test(names_and_objects),
		cmocka_unit_test(waivers_come_last_and_expire),
		cmocka_unit_test(an_incomplete_run_never_satisfies),
		cmocka_unit_test(what_is_written_accepts_what_was_seen),
		cmocka_unit_test(the_shipped_policies_are_right),
		cmocka_unit_test(files_are_found_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
