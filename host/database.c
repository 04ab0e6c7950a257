/* SPDX-License-Identifier: MIT */
#include "host/database.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"

#define PATIENCE 30000 /* milliseconds that another program may hold the file */

struct database {
	sqlite3 *handle;
	char *path;
	const struct database_form *form;
};

/* ---------------------------------------------------------------- failures */

static bool is_damage(int code)
{
	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

/* What SQLite's codes mean to a person; other codes are told in its own words. */
static const char *cause_of(int code)
{
	switch (code) {
	case SQLITE_FULL:
		return "the disk is full";
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return "it may not be written";
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return "another program has held it for too long";
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return "it is damaged, or something else";
	default:
		return NULL;
	}
}

static bool fail(const struct database *database, int code, struct error *error)
{
	const char *cause = cause_of(code & 0xff);

	error_set(error, EXIT_INTERNAL, "cannot use the %s %s: %s", database->form->what,
		  database->path, cause ? cause : sqlite3_errmsg(database->handle));
	if (is_damage(code & 0xff))
		return error_hint(error, "move it away (mv %s %s.damaged) and a new one is begun",
				  database->path, database->path);
	return error_hint(error, "%s", database->form->otherwise);
}

static bool fail_open(const struct database *database, const char *cause, struct error *error)
{
	error_set(error, EXIT_INTERNAL, "cannot use the %s %s: %s", database->form->what,
		  database->path, cause);
	return error_hint(error, "%s", database->form->otherwise);
}

/* ---------------------------------------------------------------- versions */

static bool execute(const struct database *database, const char *sql, struct error *error)
{
	int code = sqlite3_exec(database->handle, sql, NULL, NULL, NULL);

	return code == SQLITE_OK || fail(database, code, error);
}

/* The section that leads to a version, from its heading on; NULL: there is none. */
static const char *find_section(const struct database_form *form, int version)
{
	char *heading = print_text("\n-- version %d\n", version);
	const char *section = strstr(form->sections, heading);

	free(heading);
	return section ? section + 1 : NULL;
}

static int latest_version(const struct database_form *form)
{
	int version = 0;

	while (find_section(form, version + 1))
		version++;
	return version;
}

static bool read_number(struct database *database, const char *sql, int *ret_number,
			struct error *error)
{
	struct statement query = statement_new(database, sql);

	*ret_number = 0;
	if (statement_step(&query))
		*ret_number = (int)take_number(&query);
	return statement_end(&query, error);
}

/* Sections are applied one by one: each ends where the next begins. */
static bool apply_sections(struct database *database, int version, struct error *error)
{
	int latest = latest_version(database->form);

	while (version < latest) {
		const char *section = find_section(database->form, ++version);
		const char *next = find_section(database->form, version + 1);
		char *sql = next ? copy_bytes(section, (size_t)(next - section)) :
				   copy_text(section);
		bool applied = execute(database, sql, error);

		free(sql);
		if (!applied)
			return false;
	}
	return true;
}

static bool mark(struct database *database, struct error *error)
{
	char *sql = print_text("PRAGMA application_id = %d; PRAGMA user_version = %d;",
			       database->form->application, latest_version(database->form));
	bool marked = execute(database, sql, error);

	free(sql);
	return marked;
}

/* Whose file is it, and is it older or newer than this program? An empty one is nobody's. */
static bool judge(struct database *database, int *ret_version, struct error *error)
{
	int application, tables;

	if (!read_number(database, "PRAGMA user_version", ret_version, error) ||
	    !read_number(database, "PRAGMA application_id", &application, error) ||
	    !read_number(database, "SELECT count(*) FROM sqlite_schema", &tables, error))
		return false;
	if (application != database->form->application && (application || tables || *ret_version))
		return fail_open(database, "it belongs to another program", error);
	if (*ret_version <= latest_version(database->form))
		return true;
	error_set(error, EXIT_INTERNAL,
		  "cannot use the %s %s: a newer sandboxeval wrote it (its version is %d, this "
		  "program knows up to %d)", database->form->what, database->path, *ret_version,
		  latest_version(database->form));
	return error_hint(error, "use the newer program for it, or another file");
}

static bool bring_up_to_date(struct database *database, struct error *error)
{
	int version = 0;

	/* Asked again in the transaction: another program may have been faster. */
	return database_begin(database, error) && judge(database, &version, error) &&
	       apply_sections(database, version, error) && mark(database, error) &&
	       database_commit(database, error);
}

/* ---------------------------------------------------------------- opening */

/* SQLite would make a new file readable for others; what is in it is its owner's. */
static bool make_file(const struct database *database, struct error *error)
{
	int fd = open(database->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);

	if (fd < 0)
		return fail_open(database, strerror(errno), error);
	close(fd);
	return true;
}

static bool check_file(const struct database *database, enum database_use use,
		       struct error *error)
{
	struct stat about;

	if (stat(database->path, &about) < 0) {
		bool none = errno == ENOENT || errno == ENOTDIR;

		if (none && use == DATABASE_WRITE)
			return make_file(database, error);
		fail_open(database, strerror(errno), error);
		if (none)
			error->status = EXIT_SATISFIED;
		return false;
	}
	if (!S_ISREG(about.st_mode))
		return fail_open(database, "it is not a regular file", error);
	return use == DATABASE_READ || make_file(database, error);
}

static bool open_handle(struct database *database, struct error *error)
{
	/* A path without a slash might be a word that SQLite understands, such as :memory:. */
	char *path = strchr(database->path, '/') ? copy_text(database->path) :
						   print_text("./%s", database->path);
	/* Where the file may not be written, SQLite opens it for reading. */
	int code = sqlite3_open_v2(path, &database->handle, SQLITE_OPEN_READWRITE, NULL);

	free(path);
	if (code != SQLITE_OK)
		return fail(database, code, error);
	sqlite3_extended_result_codes(database->handle, 0);
	sqlite3_busy_timeout(database->handle, PATIENCE);
	/* A file may come from anywhere: nothing in it is run. */
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	return execute(database, "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON;", error);
}

struct database *database_open(const char *path, const struct database_form *form,
			       enum database_use use, struct error *error)
{
	struct database *database = new_array(1, sizeof *database);
	int version = 0;

	database->path = copy_text(path);
	database->form = form;
	if (check_file(database, use, error) && open_handle(database, error) &&
	    judge(database, &version, error) &&
	    (version == latest_version(form) || bring_up_to_date(database, error)))
		return database;
	database_close(database);
	return NULL;
}

void database_close(struct database *database)
{
	if (!database)
		return;
	sqlite3_close(database->handle);
	free(database->path);
	free(database);
}

bool database_begin(struct database *database, struct error *error)
{
	/* At once the writer: two readers that both want to become it would block each other. */
	return execute(database, "BEGIN IMMEDIATE", error);
}

bool database_commit(struct database *database, struct error *error)
{
	return execute(database, "COMMIT", error);
}

int64_t database_last_row(struct database *database)
{
	return sqlite3_last_insert_rowid(database->handle);
}

/* ---------------------------------------------------------------- statements */

static void note(struct statement *statement, int code)
{
	if (code != SQLITE_OK && !statement->failed)
		statement->failed = code;
}

struct statement statement_new(struct database *database, const char *sql)
{
	struct statement statement = { .database = database };

	note(&statement,
	     sqlite3_prepare_v2(database->handle, sql, -1, &statement.prepared, NULL));
	return statement;
}

void put_number(struct statement *statement, int64_t number)
{
	note(statement, sqlite3_bind_int64(statement->prepared, ++statement->column, number));
}

void put_real(struct statement *statement, double number)
{
	note(statement, sqlite3_bind_double(statement->prepared, ++statement->column, number));
}

void put_text(struct statement *statement, const char *text)
{
	note(statement, sqlite3_bind_text(statement->prepared, ++statement->column, text, -1,
					  SQLITE_TRANSIENT));
}

bool statement_step(struct statement *statement)
{
	int code;

	statement->row = false;
	statement->column = 0;
	if (statement->failed)
		return false;
	code = sqlite3_step(statement->prepared);
	statement->row = code == SQLITE_ROW;
	if (code == SQLITE_DONE)
		code = sqlite3_reset(statement->prepared);
	if (!statement->row)
		note(statement, code);
	return statement->row;
}

int64_t take_number(struct statement *statement)
{
	return sqlite3_column_int64(statement->prepared, statement->column++);
}

double take_real(struct statement *statement)
{
	return sqlite3_column_double(statement->prepared, statement->column++);
}

const char *take_text(struct statement *statement)
{
	return (const char *)sqlite3_column_text(statement->prepared, statement->column++);
}

bool statement_end(struct statement *statement, struct error *error)
{
	int failed = statement->failed;

	sqlite3_finalize(statement->prepared);
	statement->prepared = NULL;
	return !failed || fail(statement->database, failed, error);
}
