/* SPDX-License-Identifier: MIT */
/*
 * Text for the probe's own modules, beyond what scenario.h offers to scenarios: no locale, no
 * stdio, no allocation; every function stays in its buffer and terminates it.
 *
 *	char path[64];
 *	size_t used = add_text(path, sizeof path, 0, "/dev/");
 *	used = add_text(path, sizeof path, used, name);
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int format_text_list(char *buffer, size_t size, const char *format, va_list list)
	__attribute__((format(printf, 3, 0)));
/* Adds text behind `used` bytes, cut where the buffer ends; returns the new length. */
size_t add_text(char *buffer, size_t size, size_t used, const char *text);
/* 64 bits as 16 hexadecimal digits, terminated; and back (false: not exactly 16 of them). */
void hex_text(char buffer[17], uint64_t bits);
bool read_hex(const char *text, uint64_t *ret_bits);
/* The same as matches_pattern(), on parts of texts. */
bool matches_part(const char *pattern, size_t n, const char *text, size_t length);
bool is_blank(char c);
char lower_case(char c);
