/* SPDX-License-Identifier: MIT */
#include "host/named_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/results_read.h"

static bool ends_with(const char *text, const char *ending)
{
	size_t length = strlen(text), n = strlen(ending);

	return length >= n && strcmp(text + length - n, ending) == 0;
}

static bool read_file(struct named_run *named, const char *path, struct error *error)
{
	named->run = run_read_file(path, error);
	if (!named->run)
		return false;
	named->name = copy_text(path);
	return true;
}

bool named_run_load(struct named_run *named, struct history *history, int64_t number,
		    struct error *error)
{
	struct history_filter filter = { .number = number };
	struct history_rows rows;

	*named = (struct named_run){ .number = number };
	if (!history_list(history, &filter, &rows, error))
		return false;
	if (rows.n == 1)
		memcpy(named->id, rows.rows[0].id, sizeof named->id);
	history_rows_free(&rows);
	named->run = history_load(history, number, error);
	if (!named->run)
		return false;
	named->name = print_text("run %lld", (long long)number);
	return true;
}

bool named_run_get(struct named_run *named, const char *word, const char *history_file,
		   struct error *error)
{
	struct history *history;
	int64_t number;
	bool got = false;

	*named = (struct named_run){ 0 };
	if (strchr(word, '/') || ends_with(word, ".json"))
		return read_file(named, word, error);
	history = history_open(history_file, error);
	number = history ? history_find(history, word, error) : 0;
	if (number)
		got = named_run_load(named, history, number, error);
	history_close(history);
	if (!got && !number && access(word, F_OK) == 0)
		return read_file(named, word, error);
	return got;
}

void named_run_free(struct named_run *named)
{
	run_free(named->run);
	free(named->name);
	*named = (struct named_run){ 0 };
}
