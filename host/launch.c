/* SPDX-License-Identifier: MIT */
#include "host/launch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/clean_text.h"
#include "host/memory.h"
#include "host/throwaway.h"

#if defined(__x86_64__)
#define PROBE_ARCHITECTURE "x86-64"
#elif defined(__aarch64__)
#define PROBE_ARCHITECTURE "arm64"
#else
#define PROBE_ARCHITECTURE "the host's"
#endif

static bool wants_all(const bool wanted[])
{
	for (unsigned i = 0; i < catalogue_count; i++)
		if (!wanted[i])
			return false;
	return true;
}

/* The ids, separated by commas. */
static char *id_list(const bool wanted[])
{
	char *list = new_array(catalogue_count * 96 + 1, 1), *at = list;

	for (unsigned i = 0; i < catalogue_count; i++)
		if (wanted[i])
			at += snprintf(at, 96, "%s%s", at == list ? "" : ",", catalogue[i].id);
	return list;
}

static char **probe_options(const struct launch_order *order)
{
	char **options = list_add(NULL, copy_text("--level"));

	options = list_add(options, copy_text(level_name(order->level)));
	if (order->sandbox->trial_seconds) {
		options = list_add(options, copy_text("--timeout"));
		options = list_add(options, print_text("%u", order->sandbox->trial_seconds));
	}
	if (!wants_all(order->wanted)) {
		options = list_add(options, copy_text("--only"));
		options = list_add(options, id_list(order->wanted));
	}
	options = list_add(options, copy_text("--facts"));
	return list_add(options, copy_text(order->facts));
}

struct reader {
	const struct launch_order *order;
	struct wire *wire;
};

static bool read_output(void *context, const char *bytes, size_t n)
{
	struct reader *reader = context;
	bool more = wire_feed(reader->wire, bytes, n);

	if (reader->order->progress)
		reader->order->progress(reader->order->context, wire_arrived(reader->wire));
	return more;
}

/* What was left behind is the caller's to tell. */
static void launch_done(const struct sandbox *sandbox, struct launch *launch, char **ret_left)
{
	if (sandbox->clean_up)
		sandbox->clean_up(launch);
	*ret_left = launch->left;
	list_free(launch->argv);
	list_free(launch->report_argv);
	free(launch->input);
	free(launch->probe_path);
	free(launch->image);
	throwaway_remove(launch->folder);
}

bool launch_probe(const struct launch_order *order, struct launch_end *ret_end,
		  struct error *error)
{
	char **options = probe_options(order);
	struct launch launch = { 0 };
	struct reader reader = { .order = order };
	struct child_plan plan = {
		.seconds = order->seconds, .output = read_output, .context = &reader
	};
	bool prepared = order->sandbox->prepare(order->request, order->probe, options, &launch, error);

	list_free(options);
	*ret_end = (struct launch_end){ 0 };
	if (!prepared)
		return false;
	reader.wire = ret_end->wire = wire_new(order->wanted);
	plan.argv = launch.argv;
	plan.input = launch.input;
	plan.whole_start = launch.whole_start;
	ret_end->started = child_run(&plan, &ret_end->end, error);
	ret_end->said = wire_end(ret_end->wire);
	ret_end->report_argv = list_copy(launch.report_argv ? launch.report_argv : launch.argv);
	ret_end->image = copy_text(launch.image);
	ret_end->symptoms = order->sandbox->symptoms;
	launch_done(order->sandbox, &launch, &ret_end->left);
	return true;
}

void launch_end_free(struct launch_end *end)
{
	wire_free(end->wire);
	list_free(end->report_argv);
	free(end->image);
	free(end->left);
	*end = (struct launch_end){ 0 };
}

/* ---------------------------------------------------------------- what became of it */

int launch_signal(const struct child_end *end)
{
	if (end->how == CHILD_SIGNALLED)
		return end->code;
	return end->how == CHILD_EXITED && end->code > 128 && end->code <= 128 + SIGRTMAX ?
		       end->code - 128 : 0;
}

const char *launch_ending(const struct launch_end *end, double seconds)
{
	static char text[96];

	switch (end->end.how) {
	case CHILD_EXITED:
		snprintf(text, sizeof text, launch_signal(&end->end) ? "exit status %d (%s)" :
								       "exit status %d",
			 end->end.code, strsignal(launch_signal(&end->end)));
		break;
	case CHILD_SIGNALLED:
		snprintf(text, sizeof text, "signal %d (%s)", end->end.code,
			 strsignal(end->end.code));
		break;
	case CHILD_TIMED_OUT:
		snprintf(text, sizeof text, "the time limit of %.0f s", seconds);
		break;
	case CHILD_CUT_OFF:
		snprintf(text, sizeof text, "too much output");
		break;
	case CHILD_INTERRUPTED:
		snprintf(text, sizeof text, "an interrupt");
		break;
	}
	return text;
}

#define HOW_TO_SHOW \
	"make its path visible, put it into a folder that is (TMPDIR=/some/folder), or copy it in"

/* What every engine and the kernel say when a program cannot be started. */
static const struct symptom symptoms[] = {
	{ "xec format error", "the probe is not for this architecture (" PROBE_ARCHITECTURE
			      "): use a sandbox of the same one" },
	{ "ermission denied", "the probe may not be executed in there: give it a place that is not "
			      "mounted noexec and that the sandbox's user may enter" },
	{ "peration not permitted", "something was not permitted: see the engine's words; it may "
				    "take another account or fewer restrictions at the start" },
	{ "o such file or directory", "the probe, or something that starts it, is not visible in "
				      "there: " HOW_TO_SHOW },
	{ "not found", "the probe, or something that starts it, is not found in there: " HOW_TO_SHOW },
	/* firejail's words, where the folder of the probe is private */
	{ "no suitable", "the probe is not visible in there: " HOW_TO_SHOW },
	{ NULL, NULL },
};

static const char *meaning_of(const struct launch_end *end, const char *said)
{
	const char *meaning = symptom_meaning(end->symptoms, said);

	/* The engine's own words are the nearer cause. */
	if (!meaning)
		meaning = symptom_meaning(symptoms, said);
	if (meaning)
		return meaning;
	if (launch_signal(&end->end) == SIGSYS)
		return "a system-call filter kills it before it can measure anything: refuse with an "
		       "error instead of a kill (SECCOMP_RET_ERRNO) to see the rest";
	if (end->end.how == CHILD_TIMED_OUT)
		return "a slow start needs a longer --timeout";
	if (end->end.how == CHILD_EXITED && end->end.code == 126)
		return "the probe may not be executed in there (noexec, mode or architecture)";
	if (end->end.how == CHILD_EXITED && end->end.code == 127)
		return "the probe, or something that starts it, is not found in there";
	return "try the command line by hand, with --version in place of the probe's options";
}

char *launch_failure(const struct launch_end *end, double seconds)
{
	char *said = clean_lines(end->end.errors, end->end.n_errors, 300);
	const char *words = said[0] ? said : end->said->n_foreign ? end->said->foreign[0] : "";
	/* With a header it did start, and only its first trial was never reached. */
	char *sentence = print_text("%s: it ended with %s%s%s%s%s%s",
				    end->said->header ? "nothing was tried" : "the probe did not start",
				    launch_ending(end, seconds), words[0] ? " and said “" : "",
				    words, words[0] ? "”" : "", end->said->header ? "" : "; ",
				    end->said->header ? "" : meaning_of(end, words));

	free(said);
	return sentence;
}
