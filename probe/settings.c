/* SPDX-License-Identifier: MIT */
/* Settings of the kernel: one number each, below /proc/sys. */
#include <string.h>

#include "probe/text.h"
#include "probe/trial.h"

bool read_setting(struct trial *trial, const char *name, int64_t *ret_value)
{
	char path[128], text[32];
	bool negative;
	uint64_t number;
	struct attempt a;

	format_text(path, sizeof path, "/proc/sys/%s", name);
	for (char *dot = path; (dot = strchr(dot, '.'));)
		*dot = '/';
	a = try_read(trial, path, text, sizeof text - 1);
	if (a.value <= 0)
		return false;
	text[a.value] = '\0';
	text[strcspn(text, "\n")] = '\0';
	negative = text[0] == '-';
	if (!read_number(text + negative, &number) || number > INT64_MAX)
		return false;
	*ret_value = negative ? -(int64_t)number : (int64_t)number;
	return true;
}
