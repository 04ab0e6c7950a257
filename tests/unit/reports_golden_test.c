/* SPDX-License-Identifier: MIT */
/*
 * Synthetic runs, rendered by every report format and compared with tests/golden/NAME.*. The
 * runs hold hostile strings: none may reach a golden file unescaped. After a wanted change:
 *
 *	UPDATE_GOLDEN=1 make unit      then read the diff before it is committed
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/version.h"
#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"

extern const struct report report_csv, report_html, report_json, report_junit, report_markdown, report_sarif,
	report_terminal;
extern const char html_style[], html_script[];

/* Everything that an attacker might print: cursor, title, C1, bidi, markup, broken JSON, long. */
#define HOSTILE "</script><img src=x>\x1b[2J\x1b]0;owned\a\r\n\xc2\x9b" "31m\xe2\x80\xae" \
	"cod.exe\xe2\x81\xa9 \"quoted\" \\back %s%n '; DROP ]]> &amp; =1+1 |pipe| `code`"

static const struct catalogue_case read_cases[] = {
	{ "etc-passwd", "/etc/passwd", SEVERITY_INFO, LEVEL_OBSERVE },
	{ "etc-shadow", "/etc/shadow", SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "etc-gshadow", "/etc/gshadow", SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "etc-sudoers", "/etc/sudoers", SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "root-home", "/root", SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "ssh-host-key", "/etc/ssh/*_key", SEVERITY_HIGH, LEVEL_OBSERVE },
};

static const struct catalogue_entry entries[] = {
	{ .id = "system.cpu", .category = "system", .title = "Read the processor's model and count",
	  .accessed = "Code in the sandbox can read which processor it runs on. It narrows down "
		      "the machine and says what mining would yield.",
	  .denied = "Code in the sandbox cannot tell its processor.",
	  .paper = "CPU information", .severity = SEVERITY_INFO, .fix = FIX(MASK) },
	{ .id = "system.processes", .category = "system", .title = "List the processes of others",
	  .accessed = "Code in the sandbox can see the processes of others. Their arguments name "
		      "targets and sometimes keys.",
	  .denied = "Code in the sandbox cannot see the processes of others.",
	  .paper = "Processes", .severity = SEVERITY_MEDIUM, .fix = FIX(PID) | FIX(MASK) },
	{ .id = "metadata.environment-variables", .category = "metadata",
	  .title = "Read the environment variables",
	  .accessed = "Code in the sandbox can read variables beyond the usual ones. They often "
		      "hold keys and internal addresses.",
	  .denied = "Code in the sandbox cannot read variables beyond the usual ones.",
	  .paper = "Environment", .severity = SEVERITY_MEDIUM, .fix = FIX(ENV) },
	{ .id = "content.read", .category = "content", .title = "Read protected files",
	  .accessed = "Code in the sandbox can read protected files. Hashes and host keys are "
		      "enough to come back as somebody else.",
	  .denied = "Code in the sandbox cannot read protected files.",
	  .paper = "Read", .severity = SEVERITY_HIGH, .fix = FIX(UID) | FIX(BIND),
	  .cases = read_cases, .n_cases = 6 },
	{ .id = "content.write", .category = "content", .title = "Change critical files",
	  .accessed = "Code in the sandbox can change critical files.",
	  .denied = "Code in the sandbox cannot change critical files.",
	  .paper = "Write", .severity = SEVERITY_CRITICAL, .fix = FIX(RO) },
	{ .id = "network.ftp", .category = "network", .title = "Connect to an FTP server",
	  .accessed = "Code in the sandbox can reach an FTP server.",
	  .denied = "Code in the sandbox cannot reach an FTP server.",
	  .level = LEVEL_TOUCH, .severity = SEVERITY_HIGH, .fix = FIX(NET) },
	{ .id = "danger.new-namespace", .category = "danger", .title = "Make a user namespace",
	  .accessed = "Code in the sandbox can make a user namespace.",
	  .denied = "Code in the sandbox cannot make a user namespace.",
	  .severity = SEVERITY_LOW, .fix = FIX(NUN) },
};
#define N_ENTRIES (sizeof entries / sizeof *entries)

static const char *const words[N_REMEDIES] = {
	[REMEDY_PID] = "--unshare-pid --die-with-parent",
	[REMEDY_UID] = "--unshare-user --uid 65534",
	[REMEDY_BIND] = "bind less: --ro-bind of what the program needs, --tmpfs over the rest",
};
static const struct sandbox sandbox = { .name = "bwrap", .title = "bubblewrap",
					.remedies = words };

static void set(struct run *run, unsigned i, enum status status, enum reason reason,
		barrier_set barriers, enum status baseline, barrier_set baseline_barriers)
{
	struct result *result = &run->results[i];

	result->arrived = true;
	result->status = status;
	result->reason = reason;
	result->barriers = barriers;
	result->has_baseline = run->has_baseline;
	result->baseline = baseline;
	result->baseline_barriers = baseline_barriers;
}

static struct run *new_run(bool has_baseline)
{
	static const char *const argv[] = { "bwrap", "--unshare-all", "--ro-bind", "/usr" };
	struct run *run = run_new();

	run->sandbox = copy_text("bwrap");
	for (unsigned i = 0; i < 4; i++)
		run->argv = list_add(run->argv, copy_text(argv[i]));
	run->version = copy_text("bubblewrap 9.8.7");
	run->image = copy_text("the host's /usr");
	run->started = 1785588000;
	run->seconds = 1.25;
	run->probe_version = copy_text("1.2.3");
	run->probe_arch = copy_text("x86_64");
	run->has_baseline = has_baseline;
	run->n_results = N_ENTRIES;
	run->results = new_array(N_ENTRIES, sizeof *run->results);
	for (unsigned i = 0; i < N_ENTRIES; i++)
		run->results[i] = (struct result){ .entry = &entries[i],
						   .objects = json_array(),
						   .evidence = json_object(),
						   .measured = json_object() };
	return run;
}

static void add_read_cases(struct result *result)
{
	static const enum status statuses[] = { STATUS_ACCESSED, STATUS_ACCESSED, STATUS_ACCESSED,
						STATUS_ACCESSED, STATUS_ACCESSED, STATUS_DENIED };

	result->n_cases = 6;
	result->cases = new_array(6, sizeof *result->cases);
	for (unsigned i = 0; i < 6; i++) {
		result->cases[i] = (struct case_result){
			.name = copy_text(read_cases[i].name), .definition = &read_cases[i],
			.severity = read_cases[i].severity, .status = statuses[i],
			.barriers = i == 5 ? BARRIER_BIT(BARRIER_ABSENT) : 0,
			.has_baseline = true, .baseline = i ? STATUS_DENIED : STATUS_ACCESSED,
			.evidence = json_pack("{ss sb si}", "call", "openat2", "proxy", 0, "size", 1204),
			.measured = json_object() };
	}
}

/* One of each kind of answer, and hostile evidence. */
static struct run *mixed_run(void)
{
	struct run *run = new_run(true);
	barrier_set many = BARRIER_BIT(BARRIER_READ_ONLY) | BARRIER_BIT(BARRIER_DAC) |
			   BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_NAMESPACE) |
			   BARRIER_BIT(BARRIER_UNATTRIBUTED);

	run->label = copy_text("nightly " HOSTILE);
	set(run, 0, STATUS_ACCESSED, 0, 0, STATUS_ACCESSED, 0);
	set(run, 1, STATUS_DENIED, 0, BARRIER_BIT(BARRIER_NAMESPACE), STATUS_ACCESSED, 0);
	set(run, 2, STATUS_ACCESSED, 0, 0, STATUS_ACCESSED, 0);
	set(run, 3, STATUS_ACCESSED, 0, 0, STATUS_DENIED, BARRIER_BIT(BARRIER_DAC));
	set(run, 4, STATUS_DENIED, 0, many, STATUS_DENIED, BARRIER_BIT(BARRIER_DAC));
	set(run, 5, STATUS_UNKNOWN, REASON_NO_WITNESS, 0, STATUS_UNKNOWN, 0);
	set(run, 6, STATUS_DENIED, 0, BARRIER_BIT(BARRIER_SYSCTL), STATUS_DENIED,
	    BARRIER_BIT(BARRIER_SYSCTL));
	add_read_cases(&run->results[3]);
	json_object_set_new(run->results[0].evidence, "model", json_string("Example CPU @ 3.00GHz"));
	json_object_set_new(run->results[0].evidence, "count", json_integer(2));
	json_object_set_new(run->results[0].measured, "seconds", json_real(0.0002));
	json_object_set_new(run->results[2].evidence, "names", json_string(HOSTILE));
	json_array_append_new(run->results[2].objects,
			      json_pack("{ss ss}", "kind", "variable", "path", "/proc/\x1b[31m" HOSTILE));
	run->results[5].witnessed = true;
	run->results[6].has_second = true;
	run->results[6].second = STATUS_DENIED;
	return run;
}

static struct run *open_run(void)
{
	struct run *run = new_run(true);

	free(run->sandbox);
	free(run->version);
	run->sandbox = copy_text("none");
	run->version = NULL;
	for (unsigned i = 0; i < N_ENTRIES; i++)
		set(run, i, STATUS_ACCESSED, 0, 0, STATUS_ACCESSED, 0);
	return run;
}

static void judge(struct judged *judged, enum judgement judgement, const char *rule)
{
	judged->judgement = judgement;
	judged->rule = copy_text(rule);
}

/* Every judgement, each with a hostile reason. */
static struct run *judged_run(void)
{
	static const enum judgement judgements[N_ENTRIES] = {
		JUDGEMENT_CONFORMS,   JUDGEMENT_CONFORMS, JUDGEMENT_WAIVED,  JUDGEMENT_VIOLATES,
		JUDGEMENT_UNMEASURED, JUDGEMENT_VIOLATES, JUDGEMENT_UNMEASURED,
	};
	static const char *const rules[N_ENTRIES] = {
		"allow system (line 4)", "allow system (line 4)",
		"waived until 2099-12-31 (line 30): " HOSTILE, "deny content.read (line 9)",
		"deny content (line 8): unknown, no-report", "require network.ftp (line 12): it is denied",
		"default: deny: unknown, timed-out",
	};
	struct run *run = new_run(true);

	for (unsigned i = 0; i < N_ENTRIES; i++) {
		set(run, i, STATUS_ACCESSED, 0, 0, STATUS_ACCESSED, 0);
		judge(&run->results[i].judged, judgements[i], rules[i]);
	}
	set(run, 1, STATUS_DENIED, 0, BARRIER_BIT(BARRIER_NAMESPACE), STATUS_ACCESSED, 0);
	set(run, 4, STATUS_UNKNOWN, REASON_NO_REPORT, 0, STATUS_ACCESSED, 0);
	set(run, 5, STATUS_DENIED, 0, BARRIER_BIT(BARRIER_NO_ROUTE), STATUS_ACCESSED, 0);
	set(run, 6, STATUS_UNKNOWN, REASON_TIMED_OUT, 0, STATUS_ACCESSED, 0);
	run->results[6].judged.tolerance = TOLERANCE_WARN;
	add_read_cases(&run->results[3]);
	judge(&run->results[3].cases[0].judged, JUDGEMENT_CONFORMS, "allow content.read/etc-passwd");
	for (unsigned i = 1; i < 5; i++)
		judge(&run->results[3].cases[i].judged, JUDGEMENT_VIOLATES,
		      i < 4 ? "deny content.read (line 9)" : "deny content.read/root-* (line 10)");
	judge(&run->results[3].cases[5].judged, JUDGEMENT_CONFORMS, "deny content.read (line 9)");
	run->policy = copy_text("ci " HOSTILE);
	run->policy_source = copy_text("policies/ci.yaml");
	run->verdict = VERDICT_VIOLATED;
	return run;
}

static struct run *satisfied_run(void)
{
	struct run *run = new_run(true);

	for (unsigned i = 0; i < N_ENTRIES; i++) {
		set(run, i, STATUS_DENIED, 0, BARRIER_BIT(BARRIER_DAC), STATUS_ACCESSED, 0);
		judge(&run->results[i].judged, JUDGEMENT_CONFORMS, "default: deny");
	}
	run->policy = copy_text("air-gapped");
	run->policy_source = copy_text("built in");
	run->verdict = VERDICT_SATISFIED;
	return run;
}

static struct run *incomplete_run(void)
{
	struct run *run = new_run(false);

	set(run, 0, STATUS_DENIED, 0, BARRIER_BIT(BARRIER_SECCOMP), 0, 0);
	run_mark_incomplete(run, "The probe's footer is missing: it was ended after 1 of 7 trials.");
	run_mark_incomplete(run, "The sandbox printed: %s", HOSTILE);
	run->clean = false;
	return run;
}

/* The sandbox was started, and the probe in it never was. */
static struct run *unstarted_run(void)
{
	struct run *run = new_run(true);

	for (unsigned i = 0; i < N_ENTRIES; i++) {
		set(run, i, STATUS_UNKNOWN, REASON_NO_REPORT, 0, STATUS_ACCESSED, 0);
		run->results[i].arrived = false;
	}
	run_mark_incomplete(run, "bwrap: the probe did not begin; bwrap said: execvp: Permission denied");
	return run;
}

static struct run *empty_run(void)
{
	struct run *run = new_run(false);

	for (unsigned i = 0; i < N_ENTRIES; i++) {
		json_decref(run->results[i].objects);
		json_decref(run->results[i].evidence);
		json_decref(run->results[i].measured);
	}
	run->n_results = 0;
	run_mark_incomplete(run, "bwrap could not be started: No such file or directory.");
	return run;
}

/* ---------------------------------------------------------------- comparing */

/* The version and the catalogue's hash change without the report changing. */
static char *neutralize(char *text, const char *from, const char *to)
{
	char *at;

	while (*from && (at = strstr(text, from))) {
		char *other = print_text("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));

		free(text);
		text = other;
	}
	return text;
}

/* Those of the style sheet and the script, which a policy names. */
static char *neutralize_hashes(char *text)
{
	for (char *at = text; (at = strstr(at, "'sha256-"));) {
		char *hash = copy_bytes(at, strcspn(at + 1, "'") + 2);

		text = neutralize(text, hash, "HASH");
		free(hash);
		at = text;
	}
	return text;
}

static char *render(const struct report *report, const struct report_context *context)
{
	struct error error = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_true(report->write(context, out, &error));
	assert_int_equal(fclose(out), 0);
	text = neutralize(text, html_style, "STYLE");
	text = neutralize(text, html_script, "SCRIPT");
	text = neutralize_hashes(text);
	text = neutralize(text, SANDBOXEVAL_VERSION, "VERSION");
	return neutralize(text, catalogue_hash, "CATALOGUE");
}

static char *read_whole(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return copy_text("");
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = copy_text("");
	}
	fclose(in);
	return text;
}

static void compare_golden(const char *name, const char *kind, const char *text)
{
	char *path = print_text("tests/golden/%s.%s", name, kind);
	char *expected;

	if (getenv("UPDATE_GOLDEN")) {
		FILE *out = fopen(path, "w");

		assert_non_null(out);
		fputs(text, out);
		assert_int_equal(fclose(out), 0);
	}
	expected = read_whole(path);
	if (strcmp(expected, text) != 0)
		print_error("%s differs from the report:\n%s\n", path, text);
	assert_string_equal(text, expected);
	free(expected);
	free(path);
}

/* No byte that a terminal acts upon, except the inks that we asked for ourselves. */
static void assert_harmless(const char *text, bool color)
{
	for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
		if (color && *s == 0x1b) {
			assert_int_equal(s[1], '[');
			s += strcspn((const char *)s, "m");
			continue;
		}
		/* RFC 4180 ends its lines as a typewriter does. */
		assert_true(*s == '\n' || (*s == '\r' && s[1] == '\n') ||
			    (*s >= 0x20 && *s != 0x7f));
		assert_false(*s == 0xc2 && s[1] < 0xa0);
		assert_false(*s == 0xe2 && s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae);
		assert_false(*s == 0xe2 && s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
	}
}

static const struct {
	const char *kind, *locale;
	unsigned width;
	bool color;
} screens[] = {
	{ "80.txt", "C.UTF-8", 80, false },      { "120.txt", "C.UTF-8", 120, false },
	{ "80.color.txt", "C.UTF-8", 80, true }, { "plain.txt", "C.UTF-8", 0, false },
	{ "ascii.txt", "C", 80, false },         { "60.txt", "C.UTF-8", 60, false },
};

/* The formats that look the same on every screen. */
static const struct {
	const char *kind;
	const struct report *report;
} formats[] = {
	{ "json", &report_json }, { "junit.xml", &report_junit }, { "sarif", &report_sarif },
	{ "md", &report_markdown }, { "csv", &report_csv }, { "html", &report_html },
};
#define N_FORMATS (sizeof formats / sizeof *formats)

static void compare_all(const char *name, struct run *run, const struct sandbox *launcher)
{
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
		struct report_context context = { .run = run, .sandbox = launcher,
						  .color = screens[i].color,
						  .width = screens[i].width };
		char *text;

		if (!setlocale(LC_ALL, screens[i].locale))
			fail_msg("the locale %s is missing", screens[i].locale);
		text = render(&report_terminal, &context);
		assert_harmless(text, screens[i].color);
		compare_golden(name, screens[i].kind, text);
		free(text);
	}
	for (size_t i = 0; i < N_FORMATS; i++) {
		struct report_context context = { .run = run, .sandbox = launcher };
		char *text = render(formats[i].report, &context);

		assert_harmless(text, false);
		compare_golden(name, formats[i].kind, text);
		free(text);
	}
	run_free(run);
}

static void mixed(void **state)
{
	(void)state;
	compare_all("mixed", mixed_run(), &sandbox);
}

static void no_isolation(void **state)
{
	(void)state;
	compare_all("no-isolation", open_run(), NULL);
}

static void judged(void **state)
{
	(void)state;
	compare_all("judged", judged_run(), &sandbox);
}

static void satisfied(void **state)
{
	(void)state;
	compare_all("satisfied", satisfied_run(), &sandbox);
}

static void incomplete(void **state)
{
	(void)state;
	compare_all("incomplete", incomplete_run(), &sandbox);
}

static void unstarted(void **state)
{
	(void)state;
	compare_all("unstarted", unstarted_run(), &sandbox);
}

static void empty(void **state)
{
	(void)state;
	compare_all("empty", empty_run(), &sandbox);
}

/* ---------------------------------------------------------------- what is said alike */

static void what_hides_files_leaves_calls_open(void **state)
{
	static const struct catalogue_case definitions[] = {
		{ "affinity", NULL, SEVERITY_INFO, LEVEL_OBSERVE },
		{ "cpuinfo", "/proc/cpuinfo", SEVERITY_INFO, LEVEL_OBSERVE },
	};
	struct run *run = new_run(false);
	struct result *result = &run->results[0]; /* its only remedy masks files */
	char *left;

	(void)state;
	result->n_cases = 2;
	result->cases = new_array(2, sizeof *result->cases);
	for (unsigned i = 0; i < 2; i++)
		result->cases[i] = (struct case_result){
			.name = copy_text(definitions[i].name), .definition = &definitions[i],
			.status = STATUS_ACCESSED, .evidence = json_object(),
			.measured = json_object() };
	left = report_left_open(result);
	assert_string_equal(left, "affinity");
	free(left);
	result->cases[0].status = STATUS_DENIED;
	left = report_left_open(result);
	assert_string_equal(left, "");
	free(left);
	run_free(run);
}

static void cases_that_differ_are_not_the_same_outside(void **state)
{
	struct run *run = new_run(true);
	struct result *result = &run->results[3];
	char *text;

	(void)state;
	set(run, 3, STATUS_ACCESSED, 0, 0, STATUS_ACCESSED, 0);
	text = report_open_outside(result);
	assert_string_equal(text, "same outside");
	free(text);
	add_read_cases(result);
	text = report_open_outside(result);
	assert_string_equal(text, "1 of 6 outside");
	free(text);
	/* As many, and others. */
	for (unsigned i = 0; i < 6; i++)
		result->cases[i].baseline = i ? STATUS_ACCESSED : STATUS_DENIED;
	text = report_open_outside(result);
	assert_string_equal(text, "other 5 outside");
	free(text);
	run_free(run);
}

/* ---------------------------------------------------------------- nothing but hostile */

static json_t *raw_string(const char *text)
{
	return json_stringn_nocheck(text, strlen(text));
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = copy_text(with);
}

/* Every string of a run that did not come from our own catalogue. */
static void spoil(struct run *run, const char *text)
{
	replace(&run->sandbox, text);
	replace(&run->version, text);
	replace(&run->image, text);
	replace(&run->label, text);
	replace(&run->policy, text);
	run->incomplete_because = list_add(run->incomplete_because, copy_text(text));
	run->complete = run->clean = false;
	for (unsigned i = 0; i < run->n_results; i++) {
		struct result *result = &run->results[i];

		replace(&result->judged.rule, text);
		json_object_set_new_nocheck(result->evidence, text, raw_string(text));
		json_array_append_new(result->objects,
				      json_pack("{so so}", "kind", raw_string(text), "path",
						raw_string(text)));
		for (unsigned k = 0; k < result->n_cases; k++) {
			struct case_result *one = &result->cases[k];

			replace(&one->judged.rule, text);
			json_object_set_new_nocheck(one->evidence, text, raw_string(text));
			if (k % 2)
				continue;
			free(one->name);
			one->name = print_text("%s%u", text, k);
			one->definition = NULL;
		}
	}
}

/* Broken UTF-8, halves of surrogates, characters that XML forbids, and a formula at the front. */
#define BROKEN "=cmd|' /C calc'!A0;\t=1+1\xff\xc0\xaf\xed\xa0\x80\xef\xbf\xbe``` ~~~ " \
	"[x](http://a.example) @somebody #1 <!-- {0} $x$ \\| <details>" HOSTILE

static void hostile(void **state)
{
	struct run *run = judged_run();

	(void)state;
	spoil(run, BROKEN);
	for (size_t i = 1; i < N_FORMATS; i++) {
		struct report_context context = { .run = run, .sandbox = &sandbox };
		char *text = render(formats[i].report, &context);

		assert_harmless(text, false);
		compare_golden("hostile", formats[i].kind, text);
		free(text);
	}
	run_free(run);
}

/* Whatever is said at length is cut; JSON alone is for programs, and keeps it. */
static void long_texts_are_cut(void **state)
{
	static const char *const pieces[] = { "a", "`", "\xff", "\xe2\x80\xae", "|", "&", "\"", "[" };

	(void)state;
	for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
		struct run *run = judged_run();
		char *text = new_array((1 << 20) + 4, 1), *end = text;

		while (end < text + (1 << 20))
			end = stpcpy(end, pieces[p]);
		spoil(run, text);
		free(text);
		for (size_t i = 1; i < N_FORMATS; i++) {
			struct report_context context = { .run = run, .sandbox = &sandbox };

			text = render(formats[i].report, &context);
			assert_harmless(text, false);
			assert_true(strlen(text) < (formats[i].report == &report_markdown ?
							    60000 : 2000000));
			free(text);
		}
		run_free(run);
	}
}

static void a_comment_stays_below_its_limit(void **state)
{
	struct run *run = open_run();
	struct report_context context = { .run = run, .sandbox = &sandbox };
	char *text;

	(void)state;
	run->results = grow_array(run->results, 5000, sizeof *run->results);
	for (unsigned i = N_ENTRIES; i < 5000; i++)
		run->results[i] = (struct result){ .entry = &entries[i % N_ENTRIES],
						   .status = STATUS_ACCESSED,
						   .objects = json_array(),
						   .evidence = json_object(),
						   .measured = json_object() };
	run->n_results = 5000;
	text = render(&report_markdown, &context);
	assert_true(strlen(text) < 60000 && strlen(text) > 50000);
	assert_non_null(strstr(text, "</details>"));
	assert_non_null(strstr(text, "The rest is left out"));
	free(text);
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed),
		cmocka_unit_test(no_isolation),
		cmocka_unit_test(judged),
		cmocka_unit_test(satisfied),
		cmocka_unit_test(incomplete),
		cmocka_unit_test(empty), cmocka_unit_test(unstarted),
		cmocka_unit_test(what_hides_files_leaves_calls_open),
		cmocka_unit_test(cases_that_differ_are_not_the_same_outside),
		cmocka_unit_test(hostile),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(a_comment_stays_below_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
