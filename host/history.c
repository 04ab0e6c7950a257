/* SPDX-License-Identifier: MIT */
#include "host/history.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/database.h"
#include "host/history_record.h"
#include "host/memory.h"
#include "host/suggest.h"

#define APPLICATION 0x5b0e7a1 /* any number that no other program uses */
#define LEAST_ID_DIGITS 8

extern const char history_schema[];

static const struct database_form form = {
	.what = "history",
	.application = APPLICATION,
	.sections = history_schema,
	.otherwise = "--history FILE names another file",
};

struct history {
	char *path;
	struct database *database; /* NULL: there is no file */
};

/* ---------------------------------------------------------------- the file */

static const char *home_folder(void)
{
	const char *home = getenv("HOME");
	const struct passwd *user = home && *home ? NULL : getpwuid(getuid());

	return home && *home ? home : user ? user->pw_dir : NULL;
}

char *history_default_path(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = home_folder();

	/* A relative path is to be ignored: so says the specification. */
	if (data && *data == '/')
		return print_text("%s/sandboxeval/history.db", data);
	return home ? print_text("%s/.local/share/sandboxeval/history.db", home) : NULL;
}

/* Makes what is missing of the folders above the file, for the user alone. */
static bool make_folders(const char *path, struct error *error)
{
	char *folder = copy_text(path);
	bool made = true;

	for (char *slash = strchr(folder + 1, '/'); made && slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		made = mkdir(folder, 0700) == 0 || errno == EEXIST || errno == EROFS;
		if (!made) {
			error_set(error, EXIT_INTERNAL, "cannot make the folder %s: %s", folder,
				  strerror(errno));
			error_hint(error, "%s", form.otherwise);
		}
		*slash = '/';
	}
	free(folder);
	return made;
}

static char *choose_path(const char *path, struct error *error)
{
	char *chosen = path ? copy_text(path) : history_default_path();

	if (!chosen) {
		error_set(error, EXIT_INTERNAL, "there is no home folder for the history");
		error_hint(error, "%s", form.otherwise);
	}
	return chosen;
}

/* ---------------------------------------------------------------- writing */

static bool keep_in(struct database *database, const struct run *run, int64_t *ret_number,
		    struct error *error)
{
	return database_begin(database, error) && history_record(database, run, error) &&
	       (*ret_number = database_last_row(database), true) &&
	       history_record_results(database, *ret_number, run, error) &&
	       database_commit(database, error);
}

bool history_keep(const char *path, const struct run *run, int64_t *ret_number,
		  struct error *error)
{
	char *chosen = choose_path(path, error);
	struct database *database = NULL;
	bool kept;

	if (chosen && (path || make_folders(chosen, error)))
		database = database_open(chosen, &form, DATABASE_WRITE, error);
	kept = database && keep_in(database, run, ret_number, error);
	database_close(database);
	free(chosen);
	return kept;
}

/* ---------------------------------------------------------------- reading */

struct history *history_open(const char *path, struct error *error)
{
	struct history *history;
	char *chosen = choose_path(path, error);

	if (!chosen)
		return NULL;
	history = new_array(1, sizeof *history);
	history->path = chosen;
	history->database = database_open(chosen, &form, DATABASE_READ, error);
	/* Where there is no file, there are no runs. */
	if (history->database || error->status == EXIT_SATISFIED)
		return history;
	history_close(history);
	return NULL;
}

void history_close(struct history *history)
{
	if (!history)
		return;
	database_close(history->database);
	free(history->path);
	free(history);
}

const char *history_path(const struct history *history)
{
	return history->path;
}

static void take_row(struct statement *query, struct history_row *row)
{
	const char *id;

	*row = (struct history_row){ .number = take_number(query) };
	id = take_text(query);
	strncpy(row->id, id ? id : "", sizeof row->id - 1);
	row->started = (time_t)take_number(query);
	row->sandbox = copy_text(take_text(query));
	row->version = copy_text(take_text(query));
	row->image = copy_text(take_text(query));
	row->label = copy_text(take_text(query));
	row->complete = take_number(query) != 0;
	row->clean = take_number(query) != 0;
	row->accessed = (unsigned)take_number(query);
	row->denied = (unsigned)take_number(query);
	row->unknown = (unsigned)take_number(query);
}

bool history_list(struct history *history, const struct history_filter *filter,
		  struct history_rows *ret_rows, struct error *error)
{
	struct statement query;

	*ret_rows = (struct history_rows){ 0 };
	if (!history->database)
		return true;
	query = statement_new(history->database,
			      "SELECT number, id, started, sandbox, version, image, label, complete, "
			      "clean, accessed, denied, unknown FROM run "
			      "WHERE (?1 IS NULL OR sandbox = ?1) AND (?2 IS NULL OR label = ?2) "
			      "AND (?3 = 0 OR label IS NULL) AND (?4 = 0 OR number = ?4) "
			      "AND (?5 = 0 OR complete) ORDER BY number DESC LIMIT ?6");
	put_text(&query, filter->sandbox);
	put_text(&query, filter->label);
	put_number(&query, filter->unlabelled);
	put_number(&query, filter->number);
	put_number(&query, filter->complete);
	put_number(&query, filter->limit ? (int64_t)filter->limit : -1);
	while (statement_step(&query)) {
		ret_rows->rows = grow_array(ret_rows->rows, ret_rows->n + 1,
					    sizeof *ret_rows->rows);
		take_row(&query, &ret_rows->rows[ret_rows->n++]);
	}
	return statement_end(&query, error);
}

void history_rows_free(struct history_rows *rows)
{
	for (unsigned i = 0; i < rows->n; i++) {
		free(rows->rows[i].sandbox);
		free(rows->rows[i].version);
		free(rows->rows[i].image);
		free(rows->rows[i].label);
	}
	free(rows->rows);
	*rows = (struct history_rows){ 0 };
}

/* ---------------------------------------------------------------- names of runs */

/* The one number that a query with a text and a number gives; 0: no row. -1: it failed. */
static int64_t ask(struct history *history, const char *sql, const char *text, int64_t number,
		   struct error *error)
{
	struct statement query = statement_new(history->database, sql);
	int64_t found = 0;

	put_text(&query, text);
	put_number(&query, number);
	if (statement_step(&query))
		found = take_number(&query);
	return statement_end(&query, error) ? found : -1;
}

static const char by_label[] = "SELECT number FROM run WHERE label = ?1 "
			       "ORDER BY number DESC LIMIT 1 OFFSET ?2";
static const char latest[] = "SELECT number FROM run WHERE ?1 = 'latest' "
			     "ORDER BY number DESC LIMIT 1 OFFSET ?2";
static const char by_number[] = "SELECT number FROM run WHERE ?1 IS NOT NULL AND number = ?2";
static const char by_id[] = "SELECT min(number) FROM run WHERE substr(id, 1, ?2) = ?1 "
			    "HAVING count(*) = 1";

static bool is_digits(const char *text, const char *digits)
{
	return *text && text[strspn(text, digits)] == '\0';
}

/* Each way to name a run, in the order in which they are tried. */
static int64_t look_up(struct history *history, const char *word, struct error *error)
{
	const char *tilde = strrchr(word, '~');
	int64_t found = 0;

	if (is_digits(word, "0123456789") && strlen(word) < 18)
		found = ask(history, by_number, word, strtoll(word, NULL, 10), error);
	if (found == 0)
		found = ask(history, latest, word, 0, error);
	if (found == 0)
		found = ask(history, by_label, word, 0, error);
	if (found == 0 && is_digits(word, "0123456789abcdef") && strlen(word) >= LEAST_ID_DIGITS)
		found = ask(history, by_id, word, (int64_t)strlen(word), error);
	if (found == 0 && tilde && is_digits(tilde + 1, "0123456789") && strlen(tilde) < 18) {
		char *base = copy_bytes(word, (size_t)(tilde - word));
		int64_t back = strtoll(tilde + 1, NULL, 10);

		found = ask(history, strcmp(base, "latest") == 0 ? latest : by_label, base, back,
			    error);
		free(base);
	}
	return found;
}

static void suggest_label(struct history *history, const char *word, struct error *error)
{
	const char *names[256] = { "latest" }, *near;
	struct error ignored = { 0 };
	struct statement query;
	size_t n = 1;

	if (!history->database)
		return;
	query = statement_new(history->database,
			      "SELECT label FROM run WHERE label IS NOT NULL GROUP BY label "
			      "ORDER BY max(number) DESC LIMIT 255");
	while (n < 256 && statement_step(&query))
		names[n++] = copy_text(take_text(&query));
	statement_end(&query, &ignored);
	near = suggest(word, names, n);
	if (near)
		error_hint(error, "did you mean '%s'?", near);
	for (size_t i = 1; i < n; i++)
		free((char *)names[i]);
}

int64_t history_find(struct history *history, const char *word, struct error *error)
{
	int64_t found = history->database ? look_up(history, word, error) : 0;

	if (found > 0)
		return found;
	if (found < 0)
		return 0;
	error_set(error, EXIT_MISUSE, "there is no run '%s' in the history %s", word,
		  history->path);
	error_hint(error, "'sandboxeval history' lists the runs; a path of a JSON report names one "
		   "too");
	suggest_label(history, word, error);
	return 0;
}

struct run *history_load(struct history *history, int64_t number, struct error *error)
{
	struct run *run = history_restore(history->database, number, error);

	if (run && history_restore_results(history->database, number, run, error))
		return run;
	run_free(run);
	return NULL;
}

/* ---------------------------------------------------------------- removing */

/* The results of a run go with it. */
static unsigned remove_where(struct database *database, const char *sql, int64_t number,
			     struct error *error, bool *ret_done)
{
	struct statement query = statement_new(database, sql);
	unsigned n = 0;

	put_number(&query, number);
	while (statement_step(&query))
		n++;
	*ret_done = statement_end(&query, error);
	return n;
}

bool history_remove(const char *path, const int64_t numbers[], unsigned n, struct error *error)
{
	char *chosen = choose_path(path, error);
	struct database *database =
		chosen ? database_open(chosen, &form, DATABASE_WRITE, error) : NULL;
	bool done = database && database_begin(database, error);

	for (unsigned i = 0; done && i < n; i++)
		remove_where(database, "DELETE FROM run WHERE number = ?1 RETURNING number",
			     numbers[i], error, &done);
	done = done && database_commit(database, error);
	database_close(database);
	free(chosen);
	return done;
}

bool history_keep_newest(const char *path, unsigned keep, unsigned *ret_removed,
			 struct error *error)
{
	char *chosen = choose_path(path, error);
	struct database *database =
		chosen ? database_open(chosen, &form, DATABASE_WRITE, error) : NULL;
	bool done = database && database_begin(database, error);

	*ret_removed = 0;
	if (done)
		*ret_removed = remove_where(database, "DELETE FROM run WHERE number NOT IN (SELECT "
					    "number FROM run ORDER BY number DESC LIMIT ?1) "
					    "RETURNING number", keep, error, &done);
	done = done && database_commit(database, error);
	database_close(database);
	free(chosen);
	return done;
}
