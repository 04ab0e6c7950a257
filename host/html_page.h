/* SPDX-License-Identifier: MIT */
/*
 * The frame of every HTML page that we write: one file that loads nothing. Its own policy allows
 * our one style sheet and our one script by their hashes, and nothing else: no network, no
 * inline handler, no style attribute. Whatever got past the escaper would still be inert.
 *
 *	html_begin(out, "bwrap: 9 of 51 open");
 *	… sections …
 *	html_end(out);
 */
#pragma once

#include <stdio.h>
#include <time.h>

#include "host/results.h"

/* Up to and including <main>; the theme's button is in it, hidden until the script shows it. */
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/* <time>, in UTC: a report is read elsewhere. */
void html_time(FILE *out, time_t time);
/* The words of a command line, quoted for a shell. */
void html_command(FILE *out, char *const argv[]);
/* A mark with which a status can be told without its colour. */
const char *html_mark(enum status status, enum severity severity);
/* With its first letter as at the beginning of a sentence. */
void html_name(FILE *out, const char *name);
/* An option of a <select>. */
void html_option(FILE *out, const char *value);
/* A bar of all scenarios, worst first; its parts are to be named in words beside it. */
void html_bar(FILE *out, const struct run *run);
/* How many scenarios are open, and that bad. */
unsigned html_open_of(const struct run *run, enum severity severity);
