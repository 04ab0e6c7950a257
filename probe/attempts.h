/* SPDX-License-Identifier: MIT */
/*
 * An attempt in its forms: the modern call first, then its siblings. The filter is asked about a
 * form before it is made (K1), so a filter that kills costs nothing; a refused form is passed
 * over; "refused by the filter" takes all forms.
 *
 * The letters say what an argument is, so that the question to the filter holds no pointer and
 * no number of ours: v value, d descriptor of a folder (asked as AT_FDCWD), u an id (asked as 0, as
 * -1, or as 1 for any other), f descriptor (asked as -1), i pid (asked as one that cannot be), p
 * pointer or size (asked as 0).
 */
#pragma once

#include "scenarios/scenario.h"

struct form {
	const char *name;
	long nr;
	const char *letters;
	unsigned long args[6];
};
#define FORM(name_, nr_, letters_, ...) { name_, nr_, letters_, { CALL_CAST(__VA_ARGS__) } }

/* False: a pipe, a socket or a device, which are not opened to be read. */
bool is_to_be_read(struct trial *trial, const char *path);
/* The part of an open file that begins at `at`, up to which it was read before. */
struct attempt try_read_part(struct trial *trial, int fd, void *buffer, size_t size, size_t at);
/* Is what was made under a name to be removed again, as far as filters go? */
bool may_remove_names(struct trial *trial);
/* May this folder only be added to? What is made there stays. */
bool keeps_entries(struct trial *trial, const char *folder);
struct attempt try_forms(struct trial *trial, const struct form forms[], unsigned n);
/* The question that a form asks the filter. */
struct question form_question(const struct form *form);
/* The questions of the usual attempts, for the filter's view: fills at most n, returns how many. */
unsigned usual_questions(struct question questions[], unsigned n);
