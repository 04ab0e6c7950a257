/* SPDX-License-Identifier: MIT */
/*
 * The history and what is made of it: a run comes back as it went in, names find what they
 * should, old files are brought up to date and foreign ones refused, and a comparison of two
 * runs never takes what is unknown for closed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "host/difference.h"
#include "host/history.h"
#include "host/memory.h"

static char folder[] = "/tmp/history-test-XXXXXX";
static char *path;

static const struct catalogue_entry entries[] = {
	{ .id = "test.one", .category = "test", .severity = SEVERITY_LOW },
	{ .id = "test.two", .category = "test", .severity = SEVERITY_HIGH },
};

static int new_file(void **state)
{
	(void)state;
	free(path);
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	assert_non_null(mkdtemp(folder));
	path = print_text("%s/history.db", folder);
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static struct run *new_run(const char *label)
{
	struct run *run = run_new();

	run->sandbox = copy_text("bwrap");
	run->label = copy_text(label);
	run->argv = list_add(list_add(NULL, copy_text("bwrap")), copy_text("--x\xff"));
	run->started = 1700000000;
	run->n_results = 2;
	run->results = new_array(2, sizeof *run->results);
	for (unsigned i = 0; i < 2; i++)
		run->results[i] = (struct result){ .entry = &entries[i], .arrived = true,
						   .objects = json_array(),
						   .evidence = json_object(),
						   .measured = json_object() };
	return run;
}

static struct case_result *give_case(struct result *result, const char *name, enum status status)
{
	struct case_result *one;

	result->cases = grow_array(result->cases, result->n_cases + 1, sizeof *result->cases);
	one = &result->cases[result->n_cases++];
	*one = (struct case_result){ .name = copy_text(name), .status = status,
				     .severity = SEVERITY_HIGH, .evidence = json_object(),
				     .measured = json_object() };
	result->status = status_worse(result->n_cases > 1 ? result->status : STATUS_DENIED, status);
	return one;
}

static int64_t keep(const char *label)
{
	struct run *run = new_run(label);
	struct error error = { 0 };
	int64_t number = 0;

	if (!history_keep(path, run, &number, &error))
		fail_msg("%s", error.text);
	run_free(run);
	return number;
}

static void sql(const char *text)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

static void refuses(const char *word)
{
	struct run *run = new_run(NULL);
	struct error error = { 0 };
	int64_t number;

	assert_false(history_keep(path, run, &number, &error));
	assert_non_null(strstr(error.text, word));
	assert_non_null(strstr(error.text, path));
	assert_true(error.hint[0]);
	error = (struct error){ 0 };
	assert_null(history_open(path, &error));
	assert_non_null(strstr(error.text, word));
	run_free(run);
}

/* ---------------------------------------------------------------- keeping */

static void a_run_comes_back(void **state)
{
	struct run *run = new_run("'; DROP TABLE run; --\n\x1b[2J"), *back;
	struct case_result *one = give_case(&run->results[1], "first", STATUS_DENIED);
	struct error error = { 0 };
	struct history *history;
	int64_t number;

	(void)state;
	one->barriers = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_DAC);
	one->has_baseline = true;
	one->baseline = STATUS_ACCESSED;
	one->judged = (struct judged){ JUDGEMENT_VIOLATES, TOLERANCE_WARN, copy_text("a rule") };
	json_object_set_new(one->evidence, "path", json_string("/etc/\xe2\x80\xa6"));
	json_object_set_new(run->results[0].measured, "seconds", json_real(0.25));
	json_array_append_new(run->results[0].objects, json_pack("{ssss}", "kind", "file", "path", "/"));
	run->results[0].reason = REASON_TIMED_OUT;
	run_mark_incomplete(run, "the probe %s", "was lost");
	assert_true(history_keep(path, run, &number, &error));
	assert_int_equal(number, 1);

	history = history_open(path, &error);
	back = history_load(history, number, &error);
	assert_non_null(back);
	assert_string_equal(back->sandbox, "bwrap");
	assert_null(back->version);
	assert_non_null(strstr(back->label, "DROP TABLE"));
	assert_null(strchr(back->label, '\x1b'));
	assert_int_equal(list_length(back->argv), 2);
	assert_false(back->complete);
	assert_true(back->clean);
	assert_string_equal(back->incomplete_because[0], "the probe was lost");
	assert_int_equal(back->n_results, 2);
	assert_string_equal(back->results[1].entry->id, "test.two");
	assert_int_equal(back->results[0].status, STATUS_UNKNOWN);
	assert_int_equal(back->results[0].reason, REASON_TIMED_OUT);
	assert_true(json_equal(back->results[0].objects, run->results[0].objects));
	assert_true(json_equal(back->results[0].measured, run->results[0].measured));
	assert_int_equal(back->results[1].n_cases, 1);
	assert_int_equal(back->results[1].cases[0].barriers, one->barriers);
	assert_true(back->results[1].cases[0].has_baseline);
	assert_false(back->results[1].has_baseline);
	assert_int_equal(back->results[1].cases[0].judged.judgement, JUDGEMENT_VIOLATES);
	assert_string_equal(back->results[1].cases[0].judged.rule, "a rule");
	assert_true(json_equal(back->results[1].cases[0].evidence, one->evidence));
	run_free(back);
	run_free(run);
	history_close(history);
}

static void only_the_owner_may_read_it(void **state)
{
	struct stat about;

	(void)state;
	keep(NULL);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
}

static void many_writers_lose_nothing(void **state)
{
	struct history_filter filter = { 0 };
	struct error error = { 0 };
	struct history_rows rows;
	struct history *history;
	int status;

	(void)state;
	for (int i = 0; i < 8; i++) {
		if (fork() == 0) {
			for (int k = 0; k < 5; k++)
				keep("many");
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		assert_int_equal(status, 0);
	history = history_open(path, &error);
	assert_true(history_list(history, &filter, &rows, &error));
	assert_int_equal(rows.n, 40);
	assert_int_equal(rows.rows[0].number, 40);
	history_rows_free(&rows);
	history_close(history);
}

static void names_find_runs(void **state)
{
	static const struct {
		const char *word;
		int64_t number;
	} names[] = {
		{ "latest", 5 }, { "latest~0", 5 }, { "latest~1", 4 }, { "latest~4", 1 },
		{ "latest~5", 0 }, { "nightly", 4 }, { "nightly~1", 2 }, { "nightly~2", 0 },
		{ "odd~1", 3 }, { "3", 3 }, { "6", 0 }, { "0", 0 }, { "-1", 0 }, { "", 0 },
		{ "nothing", 0 }, { "latest~", 0 }, { "99999999999999999999999", 0 },
		{ "%", 0 }, { "' OR 1 --", 0 },
	};
	struct history_filter filter = { .number = 3 };
	struct error error = { 0 };
	struct history_rows rows;
	struct history *history;

	(void)state;
	keep(NULL);
	keep("nightly");
	keep("odd~1");
	keep("nightly");
	keep("other");
	history = history_open(path, &error);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (history_find(history, names[i].word, &error) != names[i].number)
			fail_msg("'%s'", names[i].word);
	assert_int_equal(history_find(history, "nihgtly", &error), 0);
	assert_string_equal(error.hint, "did you mean 'nightly'?");
	assert_int_equal(error.status, EXIT_MISUSE);
	assert_true(history_list(history, &filter, &rows, &error));
	assert_int_equal(rows.n, 1);
	assert_int_equal(history_find(history, rows.rows[0].id, &error), 3);
	rows.rows[0].id[8] = '\0';
	assert_int_equal(history_find(history, rows.rows[0].id, &error), 3);
	history_rows_free(&rows);
	history_close(history);
}

static void no_file_is_an_empty_history(void **state)
{
	struct history_filter filter = { 0 };
	struct error error = { 0 };
	struct history *history = history_open(path, &error);
	struct history_rows rows;

	(void)state;
	assert_non_null(history);
	assert_true(history_list(history, &filter, &rows, &error));
	assert_int_equal(rows.n, 0);
	assert_int_equal(history_find(history, "latest", &error), 0);
	history_close(history);
	assert_int_equal(access(path, F_OK), -1);
	keep(NULL);
}

/* ---------------------------------------------------------------- other files */

/* A file as version 1 made it: the first section of the schema, applied here by hand. */
static void an_older_file_is_brought_up_to_date(void **state)
{
	extern const char history_schema[];
	const char *from = strstr(history_schema, "\n-- version 1\n");
	const char *to = strstr(history_schema, "\n-- version 2\n");
	char *first = copy_bytes(from, (size_t)(to - from));
	struct error error = { 0 };
	struct history *history;
	struct run *run;

	(void)state;
	sql(first);
	sql("PRAGMA application_id = 95479713; PRAGMA user_version = 1;"
	    "INSERT INTO run VALUES (7, '0123456789abcdef', 1, 1.5, 'old', NULL, NULL, NULL, NULL, "
	    "1, 1, NULL, 0, '0.0.1', '', NULL, NULL, NULL, 0, 1, 0);"
	    "INSERT INTO result VALUES (7, 0, 'gone.away', 'high', 1, 'denied', NULL, 'dac', NULL, "
	    "'', NULL, 0, '[]', '{}', '{}');");
	free(first);
	assert_int_equal(keep(NULL), 8);
	history = history_open(path, &error);
	run = history_load(history, 7, &error);
	assert_non_null(run);
	assert_string_equal(run->results[0].entry->id, "gone.away");
	assert_int_equal(run->results[0].barriers, BARRIER_BIT(BARRIER_DAC));
	assert_int_equal(run->results[0].judged.judgement, JUDGEMENT_NONE);
	run_free(run);
	history_close(history);
}

static void a_newer_file_is_refused(void **state)
{
	(void)state;
	keep(NULL);
	sql("PRAGMA user_version = 99");
	refuses("a newer sandboxeval wrote it");
}

static void another_programs_file_is_refused(void **state)
{
	(void)state;
	sql("CREATE TABLE mine (x)");
	refuses("belongs to another program");
}

static void a_damaged_file_is_refused(void **state)
{
	FILE *file = fopen(path, "w");

	(void)state;
	assert_non_null(file);
	for (int i = 0; i < 400; i++)
		fputs("no database at all ", file);
	fclose(file);
	refuses("damaged");
}

/* Pages in the middle are lost, the first one is fine: it must not crash, nor seem empty. */
static void a_damaged_page_is_told(void **state)
{
	struct error error = { 0 };
	struct history *history;
	FILE *file;

	(void)state;
	for (int i = 0; i < 20; i++)
		keep("a label that takes some room, so that there are several pages of them");
	file = fopen(path, "r+");
	assert_non_null(file);
	fseek(file, 4096, SEEK_SET);
	for (int i = 0; i < 60000; i++)
		fputc('x', file);
	fclose(file);
	history = history_open(path, &error);
	if (history) {
		struct history_filter filter = { 0 };
		struct history_rows rows;

		assert_false(history_list(history, &filter, &rows, &error));
		history_rows_free(&rows);
	}
	assert_non_null(strstr(error.text, "damaged"));
	history_close(history);
}

static void a_folder_is_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	refuses("not a regular file");
	rmdir(path);
	keep(NULL);
}

/* ---------------------------------------------------------------- comparing */

static enum change change_between(enum status before, enum status after)
{
	struct run *one = new_run(NULL), *other = new_run(NULL);
	struct difference difference;
	enum change change;

	one->results[0].status = before;
	other->results[0].status = after;
	difference = difference_of(one, other);
	assert_int_equal(difference.n, 2);
	change = difference.rows[0].change;
	difference_free(&difference);
	run_free(one);
	run_free(other);
	return change;
}

static void unknown_is_never_closed(void **state)
{
	(void)state;
	assert_int_equal(change_between(STATUS_DENIED, STATUS_ACCESSED), CHANGE_OPENED);
	assert_int_equal(change_between(STATUS_UNKNOWN, STATUS_ACCESSED), CHANGE_FOUND_OPEN);
	assert_int_equal(change_between(STATUS_ACCESSED, STATUS_UNKNOWN), CHANGE_LOST);
	assert_int_equal(change_between(STATUS_DENIED, STATUS_UNKNOWN), CHANGE_LOST);
	assert_int_equal(change_between(STATUS_ACCESSED, STATUS_DENIED), CHANGE_CLOSED);
	assert_int_equal(change_between(STATUS_UNKNOWN, STATUS_DENIED), CHANGE_FOUND_CLOSED);
	for (unsigned s = 0; s < N_STATUSES; s++)
		assert_int_equal(change_between((enum status)s, (enum status)s), CHANGE_NONE);
}

/* The scenario is open in both: only its cases tell. */
static void cases_are_compared(void **state)
{
	struct run *one = new_run(NULL), *other = new_run(NULL);
	struct difference difference;

	(void)state;
	give_case(&one->results[1], "always", STATUS_ACCESSED);
	give_case(&one->results[1], "door", STATUS_DENIED)->barriers = BARRIER_BIT(BARRIER_DAC);
	give_case(&one->results[1], "wall", STATUS_DENIED)->barriers = BARRIER_BIT(BARRIER_DAC);
	give_case(&one->results[1], "old", STATUS_ACCESSED);
	give_case(&other->results[1], "always", STATUS_ACCESSED);
	give_case(&other->results[1], "door", STATUS_ACCESSED);
	give_case(&other->results[1], "wall", STATUS_DENIED)->barriers = BARRIER_BIT(BARRIER_LSM);
	give_case(&other->results[1], "new", STATUS_ACCESSED);
	difference = difference_of(one, other);
	assert_int_equal(difference.count[CHANGE_OPENED], 1);
	assert_int_equal(difference.count[CHANGE_BARRIERS], 1);
	assert_int_equal(difference.count[CHANGE_ADDED], 1);
	assert_int_equal(difference.count[CHANGE_REMOVED], 1);
	assert_int_equal(difference.count[CHANGE_NONE], 2);
	difference_free(&difference);
	run_free(one);
	run_free(other);
}

/* A scenario that was lost whole has no cases: they were not closed. */
static void a_lost_scenario_loses_its_cases(void **state)
{
	struct run *one = new_run(NULL), *other = new_run(NULL);
	struct difference difference;

	(void)state;
	give_case(&one->results[1], "a", STATUS_ACCESSED);
	give_case(&one->results[1], "b", STATUS_DENIED);
	difference = difference_of(one, other);
	assert_int_equal(difference.count[CHANGE_LOST], 2);
	difference_free(&difference);
	difference = difference_of(other, one);
	assert_int_equal(difference.count[CHANGE_FOUND_OPEN], 1);
	assert_int_equal(difference.count[CHANGE_FOUND_CLOSED], 1);
	difference_free(&difference);
	run_free(one);
	run_free(other);
}

/* What no case says is said by the scenario: here all of it is denied by one thing. */
static void a_scenario_speaks_for_itself(void **state)
{
	struct run *one = new_run(NULL), *other = new_run(NULL);
	struct difference difference;

	(void)state;
	one->results[1].status = STATUS_DENIED;
	give_case(&other->results[1], "a", STATUS_ACCESSED);
	difference = difference_of(one, other);
	assert_int_equal(difference.count[CHANGE_OPENED], 1);
	difference_free(&difference);
	run_free(one);
	run_free(other);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, new_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FILE(a_run_comes_back),
		WITH_FILE(only_the_owner_may_read_it),
		WITH_FILE(many_writers_lose_nothing),
		WITH_FILE(names_find_runs),
		WITH_FILE(no_file_is_an_empty_history),
		WITH_FILE(an_older_file_is_brought_up_to_date),
		WITH_FILE(a_newer_file_is_refused),
		WITH_FILE(another_programs_file_is_refused),
		WITH_FILE(a_damaged_file_is_refused),
		WITH_FILE(a_damaged_page_is_told),
		WITH_FILE(a_folder_is_refused),
		cmocka_unit_test(unknown_is_never_closed),
		cmocka_unit_test(cases_are_compared),
		cmocka_unit_test(a_lost_scenario_loses_its_cases),
		cmocka_unit_test(a_scenario_speaks_for_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
