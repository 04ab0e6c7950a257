/* SPDX-License-Identifier: MIT */
/*
 * An SQLite file that several programs may use at once: brought up to date by numbered sections
 * of SQL, changed only in transactions, waited for when another program holds it. Every failure
 * is a sentence that names the file and the way out.
 *
 *	struct database *base = database_open(path, &form, DATABASE_WRITE, error);
 *	if (!base || !database_begin(base, error)) …
 *	struct statement insert = statement_new(base, "INSERT INTO run VALUES (?, ?)");
 *	put_number(&insert, 1);
 *	put_text(&insert, "one");
 *	statement_step(&insert);               and again, with other values
 *	if (!statement_end(&insert, error) || !database_commit(base, error)) …
 *	database_close(base);                  what was not committed is undone
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "host/error.h"

struct sqlite3_stmt;

/* What a file must be: whose it is, and the sections of SQL that make it. */
struct database_form {
	const char *what;      /* "history", for the sentences */
	int application;       /* SQLite's application_id */
	const char *sections;  /* "-- version 1\n…-- version 2\n…" */
	const char *otherwise; /* the way out when the file cannot be used at all */
};

enum database_use { DATABASE_READ, DATABASE_WRITE };

struct database;

/*
 * DATABASE_WRITE makes the file (mode 0600) where there is none. DATABASE_READ does not: then,
 * and only then, NULL with error->status EXIT_SATISFIED means that there is no file.
 */
struct database *database_open(const char *path, const struct database_form *form,
			       enum database_use use, struct error *error);
void database_close(struct database *database); /* accepts NULL */
bool database_begin(struct database *database, struct error *error);
bool database_commit(struct database *database, struct error *error);
/* The key of the last row inserted. */
int64_t database_last_row(struct database *database);

struct statement {
	struct database *database;
	struct sqlite3_stmt *prepared;
	int column; /* of the value put or taken last, from 1 */
	bool row;   /* the last step gave a row */
	int failed; /* SQLite's code of the first failure, or 0 */
};

struct statement statement_new(struct database *database, const char *sql);
/* Values of the next step, in the order of the question marks. */
void put_number(struct statement *statement, int64_t number);
void put_real(struct statement *statement, double number);
void put_text(struct statement *statement, const char *text); /* NULL: NULL */
/* True while there is a row; its values are then taken in order, and live until the next step. */
bool statement_step(struct statement *statement);
int64_t take_number(struct statement *statement);
double take_real(struct statement *statement);
const char *take_text(struct statement *statement); /* NULL: NULL */
/* Ends the statement; false when anything of it failed. */
bool statement_end(struct statement *statement, struct error *error);
