/* SPDX-License-Identifier: MIT */
#include "host/run_text.h"

#include <stdlib.h>
#include <string.h>

#include "host/clean_text.h"
#include "host/memory.h"

#define HANG 9
#define LONGEST_WORD 4096

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

static unsigned count_word(char *const list[], const char *word, size_t end)
{
	unsigned n = 0;

	for (size_t i = 0; list && list[i] && i < end; i++)
		n += strcmp(list[i], word) == 0;
	return n;
}

/* The words that occur more often in `list` than in `other`, in their order. */
static char *surplus(char *const list[], char *const other[])
{
	char *text = copy_text("");

	for (size_t i = 0; list && list[i]; i++)
		if (count_word(list, list[i], i) >= count_word(other, list[i], SIZE_MAX))
			text = join(text, *text ? " " : "", list[i]);
	return text;
}

void run_text_arguments(const struct screen *screen, const struct run *before,
			const struct run *after)
{
	char *went = surplus(before->argv, after->argv), *came = surplus(after->argv, before->argv);

	if (*went)
		screen_paragraph(screen, 0, "without", HANG, went);
	if (*came)
		screen_paragraph(screen, 0, "with", HANG, came);
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
