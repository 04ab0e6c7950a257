/* SPDX-License-Identifier: MIT */
#include "host/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, enum exit_status status, const char *format, ...)
{
	va_list arguments;

	error->status = status;
	error->hint[0] = '\0';
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	return false;
}

bool error_hint(struct error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->hint, sizeof error->hint, format, arguments);
	va_end(arguments);
	return false;
}

bool error_context(struct error *error, const char *format, ...)
{
	char whole[sizeof error->text];
	va_list arguments;
	size_t used;

	va_start(arguments, format);
	vsnprintf(whole, sizeof whole, format, arguments);
	va_end(arguments);
	used = strlen(whole);
	snprintf(whole + used, sizeof whole - used, "%s", error->text);
	memcpy(error->text, whole, sizeof whole);
	return false;
}
