/* SPDX-License-Identifier: MIT */
/*
 * Counting for the scenarios that list plain files by a right. One tally serves two purposes:
 * while nothing was found its objects are refused files, which tell what to ask the controls
 * about; from the first find on they are the top folders ("/usr") of what was found.
 */
#include <string.h>

#include "probe/text.h"
#include "scenarios/scenario.h"

#define PRIVATE_OBJECT 15 /* the last one */
#define MOST_TOPS PRIVATE_OBJECT
#define WORLD_READ 04

/* "/usr/lib/x" → "/usr"; a file in the root itself → "/". */
static size_t top_folder_length(const char *path, size_t most)
{
	size_t length = 1;

	while (path[length] && path[length] != '/')
		length++;
	if (!path[length])
		return 1;
	return length < most ? length : most;
}

static void count_top(struct tally *tally, const char *path)
{
	char top[sizeof *tally->objects];
	size_t length = top_folder_length(path, sizeof top - 1);

	/* For each file of the tree and each right of it: in place, without a copy. */
	for (unsigned i = 0; i < tally->n_objects; i++) {
		const char *object = tally->objects[i];

		if (strncmp(object, path, length) == 0 && !object[length]) {
			tally->count[TALLY_TOP + i]++;
			return;
		}
	}
	if (tally->n_objects == MOST_TOPS)
		return;
	memcpy(top, path, length);
	top[length] = '\0';
	tally->count[TALLY_TOP + tally->n_objects] = 1;
	tally_object(tally, top);
}

/* The folder that the right of a file is counted for. */
static unsigned files_with(const struct walk_entry *entry, unsigned right)
{
	return right == RIGHT_READ ? entry->readable :
	       right == RIGHT_WRITE ? entry->writable : entry->executable;
}

void tally_right(const struct walk_entry *entry, struct tally *tally, unsigned right)
{
	if (entry->in_scratch || entry->is_own)
		return;
	if (entry->is_folder) {
		tally->count[TALLY_FOLDERS] += files_with(entry, right) > 0;
		return;
	}
	if (!entry->is_plain)
		return;
	if (!(entry->rights & right)) {
		if (!(entry->mode & WORLD_READ) && !tally->objects[PRIVATE_OBJECT][0])
			add_text(tally->objects[PRIVATE_OBJECT], sizeof *tally->objects, 0,
				 entry->path);
		/* The first one, and the first whose access check and real operation disagree. */
		if (tally->count[TALLY_FILES] == 0 &&
		    (tally->n_objects == 0 || (tally->n_objects == 1 && entry->refused & right)))
			tally_object(tally, entry->path);
		return;
	}
	if (tally->count[TALLY_FILES]++ == 0)
		tally->n_objects = 0;
	tally->count[TALLY_PRIVATE] += !(entry->mode & WORLD_READ);
	count_top(tally, entry->path);
}

static void measure_top(struct trial *trial, const char *top, uint64_t count)
{
	char name[40];

	format_text(name, sizeof name, "files.%s", top[1] ? top + 1 : "root");
	measure_number(trial, WHOLE, name, (int64_t)count);
}

/* The next name in alphabetical order after `last` (NULL: the first); -1: none is left. */
static int next_top(const struct tally *tally, const char *last)
{
	int next = -1;

	for (unsigned i = 0; i < tally->n_objects; i++) {
		if (last && strcmp(tally->objects[i], last) <= 0)
			continue;
		if (next < 0 || strcmp(tally->objects[i], tally->objects[next]) < 0)
			next = (int)i;
	}
	return next;
}

void note_right(struct trial *trial, const struct walk_result *result)
{
	const struct tally *tally = result->tally;
	char tops[400];
	size_t used = 0;

	tops[0] = '\0';
	/* Sorted: the order in which a folder lists its entries is not evidence. */
	for (int i = next_top(tally, NULL); tally->count[TALLY_FILES] && i >= 0;
	     i = next_top(tally, tally->objects[i])) {
		used = add_text(tops, sizeof tops, used, used ? " " : "");
		used = add_text(tops, sizeof tops, used, tally->objects[i]);
		measure_top(trial, tally->objects[i], tally->count[TALLY_TOP + i]);
	}
	if (used)
		note_text(trial, WHOLE, "top_folders", tops);
	measure_text(trial, WHOLE, "bound", result->bound ? result->bound : "none");
	measure_number(trial, WHOLE, "files", (int64_t)tally->count[TALLY_FILES]);
	measure_number(trial, WHOLE, "folders", (int64_t)tally->count[TALLY_FOLDERS]);
	measure_number(trial, WHOLE, "entries", (int64_t)result->entries);
	measure_number(trial, WHOLE, "unlisted", (int64_t)result->unlisted);
	measure_number(trial, WHOLE, "contradictions", (int64_t)result->contradictions);
}

void settle_root(struct trial *trial, int case_index, const struct walk_result *result)
{
	struct attempt a = try_list(trial, "/", NULL, NULL);

	/* Listing works here, but did not in the walk: then it tells nothing. */
	if (attempt_worked(a) && !result->made)
		settle_unknown(trial, case_index, REASON_SETUP_FAILED);
	else if (attempt_worked(a) && a.value > 0 && result->entries == 0)
		settle_unknown(trial, case_index, REASON_CONTRADICTORY);
	else
		settle(trial, case_index, attempt_worked(a) ? found_nothing(a) : a, .path = "/",
		       .right = RIGHT_READ);
}

bool settle_walked(struct trial *trial, int case_index, const struct walk_result *result,
		   uint64_t found)
{
	if (!result->made)
		settle_root(trial, case_index, result);
	else if (found)
		settle(trial, case_index, found_in_process(true));
	else if (!result->complete)
		settle_unknown(trial, case_index, REASON_TIMED_OUT);
	else
		return false;
	return true;
}
