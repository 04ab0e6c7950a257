/* SPDX-License-Identifier: MIT */
/*
 * What the commands share in reading their options and in saying what is wrong.
 *
 *	if (!options_are_known(option_table, argc, argv))
 *		return EXIT_MISUSE;
 *	argp_parse(&parser, argc, argv, 0, NULL, &options);
 *	…
 *	return complain_error(&error);
 */
#pragma once

#include <argp.h>
#include <stdbool.h>

#include "base/vocabulary.h"
#include "host/error.h"

/* argp says that an option is not known; this says which one was meant. */
bool options_are_known(const struct argp_option table[], int argc, char *argv[]);
/*
 * The place of the first word from `first` on that is an option, and none of the table's nor near
 * to one; 0: there is none.
 */
int find_foreign_option(const struct argp_option table[], int first, int argc, char *argv[]);
/* How many words the option at that place takes, itself included; 0: it is none of the table's. */
int option_words(const struct argp_option table[], int argc, char *argv[], int place);
/* Prints the error and its way out, escaped, to standard error. Returns its exit status. */
int complain_error(const struct error *error);
/* A whole number from `least` to `most`, or a message of argp's kind and the end. */
unsigned parse_count(struct argp_state *state, const char *option, const char *value,
		     unsigned least, unsigned most);
enum level parse_level(struct argp_state *state, const char *value);
