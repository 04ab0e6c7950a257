/* SPDX-License-Identifier: MIT */
#include "host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"

static void *or_end(void *memory)
{
	if (!memory) {
		fputs("sandboxeval: out of memory\n", stderr);
		_Exit(EXIT_INTERNAL);
	}
	return memory;
}

void *new_array(size_t n, size_t size)
{
	return or_end(calloc(n ? n : 1, size ? size : 1));
}

void *grow_array(void *array, size_t n, size_t size)
{
	return or_end(reallocarray(array, n ? n : 1, size ? size : 1));
}

char *copy_text(const char *text)
{
	return text ? or_end(strdup(text)) : NULL;
}

char *copy_bytes(const char *text, size_t length)
{
	return or_end(strndup(text, length));
}

char *print_text_list(const char *format, va_list arguments)
{
	char *text = NULL;

	return vasprintf(&text, format, arguments) < 0 ? or_end(NULL) : text;
}

char *print_text(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = print_text_list(format, arguments);
	va_end(arguments);
	return text;
}

size_t list_length(char *const list[])
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

char **list_copy(char *const list[])
{
	size_t n = list_length(list);
	char **copy;

	if (!list)
		return NULL;
	copy = new_array(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = copy_text(list[i]);
	return copy;
}

char **list_add(char **list, char *text)
{
	size_t n = list_length(list);

	list = grow_array(list, n + 2, sizeof *list);
	list[n] = text;
	list[n + 1] = NULL;
	return list;
}

char **list_join(char **list, char *const more[])
{
	for (size_t i = 0; more && more[i]; i++)
		list = list_add(list, copy_text(more[i]));
	return list;
}

void list_free(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}
