/* SPDX-License-Identifier: MIT */
/*
 * Allocation for the host program. There is nothing sensible to do when memory runs out, so
 * these end the program with one message (exit 70) and never return NULL.
 *
 *	char *name = copy_text(given);             NULL stays NULL
 *	char *text = print_text("%u of %u", a, b);
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Zeroed memory for `n` members of `size` bytes. */
void *new_array(size_t n, size_t size) __attribute__((malloc));
/* Grows an array; what is new is not zeroed. */
void *grow_array(void *array, size_t n, size_t size);
char *copy_text(const char *text);
char *copy_bytes(const char *text, size_t length);
char *print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *print_text_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/*
 * A NULL-terminated list of strings: how many, a deep copy, one more (taken, not copied), copies of
 * all those of another (or NULL), none.
 */
size_t list_length(char *const list[]);
char **list_copy(char *const list[]);
char **list_add(char **list, char *text);
char **list_join(char **list, char *const more[]);
void list_free(char **list);
