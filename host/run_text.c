/* SPDX-License-Identifier: MIT */
#include "host/run_text.h"

#include <stdlib.h>
#include <string.h>

#include "host/clean_text.h"
#include "host/memory.h"

#define HANG 9
#define LONGEST_WORD 4096
#define MOST_WORDS 1000

char *time_text(time_t time)
{
	char text[sizeof "2026-01-02 03:04"] = "";
	struct tm local;

	if (localtime_r(&time, &local))
		strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
	return copy_text(text);
}

json_t *time_json(time_t time)
{
	char text[sizeof "2026-01-02T03:04:05Z"];
	struct tm utc;

	if (!gmtime_r(&time, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
		return json_null();
	return json_string(text);
}

static char *join(char *so_far, const char *separator, const char *word)
{
	char *text = word && *word ? print_text("%s%s%s", so_far, separator, word) :
				     copy_text(so_far);

	free(so_far);
	return text;
}

char *run_text(const struct run *run)
{
	char *text = copy_text(run->sandbox && *run->sandbox ? run->sandbox : "unnamed sandbox");
	char *when = time_text(run->started);

	if (run->version && *run->version)
		text = join(join(text, " (", run->version), "", ")");
	text = join(text, ", ", run->image);
	text = join(text, ", ", when);
	text = join(text, ", label: ", run->label);
	free(when);
	return run->complete ? text : join(text, ", ", "INCOMPLETE");
}

void run_text_header(const struct screen *screen, const char *label, const char *name,
		     const struct run *run)
{
	char *what = run_text(run), *text = print_text("%s: %s", name, what);

	screen_paragraph(screen, 0, label, HANG, text);
	free(text);
	free(what);
}

/* ---------------------------------------------------------------- command lines */

/*
 * kept[i * (n + 1) + k]: how many words the rests of both lists, from i and from k on, have in
 * common in one order.
 */
static unsigned *common_words(char *const one[], size_t m, char *const other[], size_t n)
{
	unsigned *kept = new_array((m + 1) * (n + 1), sizeof *kept);

	for (size_t i = m; i-- > 0;) {
		for (size_t k = n; k-- > 0;) {
			unsigned down = kept[(i + 1) * (n + 1) + k];
			unsigned right = kept[i * (n + 1) + k + 1];

			kept[i * (n + 1) + k] = strcmp(one[i], other[k]) == 0 ?
				kept[(i + 1) * (n + 1) + k + 1] + 1 : down > right ? down : right;
		}
	}
	return kept;
}

/*
 * An option and the words after it, as one: half of "--bind a a" would tell nothing. A command line
 * that is too long came from a report, and is none.
 */
static char **options_of(char *const words[])
{
	size_t n = list_length(words), options = 0;
	char **list = new_array((n > MOST_WORDS ? 0 : n) + 1, sizeof *list);

	for (size_t i = 0; n <= MOST_WORDS && i < n; i++) {
		if (options > 0 && list[options - 1][0] == '-' && words[i][0] != '-')
			list[options - 1] = join(list[options - 1], " ", words[i]);
		else
			list[options++] = copy_text(words[i]);
	}
	return list;
}

void run_text_arguments(const struct screen *screen, const struct run *before,
			const struct run *after)
{
	char **one = options_of(before->argv), **other = options_of(after->argv);
	size_t m = list_length(one), n = list_length(other), i = 0, k = 0;
	char *went = copy_text(""), *came = copy_text("");
	unsigned *kept = common_words(one, m, other, n);

	while (i < m || k < n) {
		unsigned here = kept[i * (n + 1) + k];

		if (k < n && kept[i * (n + 1) + k + 1] == here)
			came = join(came, *came ? " " : "", other[k++]);
		else if (i < m && kept[(i + 1) * (n + 1) + k] == here)
			went = join(went, *went ? " " : "", one[i++]);
		else
			i++, k++;
	}
	if (*went)
		screen_paragraph(screen, 0, "without", HANG, went);
	if (*came)
		screen_paragraph(screen, 0, "with", HANG, came);
	list_free(one);
	list_free(other);
	free(kept);
	free(went);
	free(came);
}

/* ---------------------------------------------------------------- for programs */

static json_t *text_json(const char *text)
{
	char *clean = text ? clean_text(text, strlen(text), LONGEST_WORD) : NULL;
	json_t *string = clean ? json_string(clean) : json_null();

	free(clean);
	return string;
}

json_t *run_text_json(const char *name, const struct run *run)
{
	json_t *argv = json_array();

	for (size_t i = 0; run->argv && run->argv[i]; i++)
		json_array_append_new(argv, text_json(run->argv[i]));
	return json_pack("{so so so so so so so sb}", "name", text_json(name), "sandbox",
			 text_json(run->sandbox), "version", text_json(run->version), "image",
			 text_json(run->image), "label", text_json(run->label), "argv", argv,
			 "started", time_json(run->started), "complete", run->complete);
}
