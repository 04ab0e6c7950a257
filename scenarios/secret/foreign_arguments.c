/* SPDX-License-Identifier: MIT */
/*
 * Arguments of processes that are not our own, those that started us and the first one included.
 * What looks like a credential among them is counted; no word of them is told.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { SETTLED_AT_MOST = 6, ARGUMENTS = 8192 };

struct look {
	struct trial *trial;
	unsigned tried, refused, readable, status, group, descriptors, credentials;
	const char *own_key, *family;
	struct attempt read;
	struct kin kin;
};

static bool can_open(struct look *look, const struct process *process, const char *name, int flags)
{
	struct attempt a = try_open_process(look->trial, process, name, flags);

	close_fd((int)a.value);
	return attempt_worked(a);
}

/* The probe's own arguments hold a key, and stand behind the name of what started it. */
static bool is_ours(const struct look *look, const char *word)
{
	return look->own_key && strstr(word, look->own_key);
}

static void judge(struct look *look, const char *name, const char *value)
{
	const char *family = NULL;
	enum shape shape = is_ours(look, value) ? SHAPE_PLAIN : shape_of(name, value, &family);

	if (shape != SHAPE_KEY && shape != SHAPE_CREDENTIAL)
		return;
	look->credentials++;
	look->family = family ? family : shape_name(shape);
}

/* "--token=VALUE", "--token VALUE", "TOKEN=VALUE", "--setenv TOKEN VALUE", "VALUE" */
static void take_words(struct look *look, char *text, size_t n)
{
	const char *option = "";

	for (size_t at = 0; at < n; at += strlen(text + at) + 1) {
		char *word = text + at, *name = word + strspn(word, "-");
		char *equals = strchr(name, '=');

		if (equals && equals - name < 64 && !strchr(name, ':')) {
			*equals = '\0';
			judge(look, name, equals + 1);
			*equals = 'x'; /* so that the word's length is what it was */
			option = "";
		} else if (name > word) {
			option = name;
		} else {
			judge(look, option, word);
			option = strcmp(option, "setenv") == 0 ? word : "";
		}
	}
}

static bool take_process(void *context, const struct process *process)
{
	struct look *look = context;
	char path[64], text[ARGUMENTS + 1];
	struct attempt a;

	if (process->told && !process->has_memory)
		return true;
	format_text(path, sizeof(path), "/proc/%d/cmdline", process->pid);
	a = try_text(look->trial, path, text, ARGUMENTS + 1);
	if (process_is_gone(a))
		return true;
	look->tried++;
	look->status += can_open(look, process, "status", 0);
	look->group += can_open(look, process, "cgroup", 0);
	look->descriptors += can_open(look, process, "fd", O_DIRECTORY);
	if (attempt_worked(a) && a.value > 0) {
		look->readable++;
		look->read = a;
		add_kin(&look->kin, process);
		if (process->name[0])
			report_object(look->trial, "process", process->name);
		take_words(look, text, (size_t)a.value);
		explicit_bzero(text, sizeof(text));
	} else if (look->refused++ < SETTLED_AT_MOST) {
		settle_process(look->trial, WHOLE, found_nothing(a), process, PROCESS_INSPECT);
	}
	return true;
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial, .own_key = host_fact(trial, "key") };

	each_process(trial, take_process, &look);
	measure_number(trial, WHOLE, "tried", look.tried);
	measure_number(trial, WHOLE, "readable", look.readable);
	measure_number(trial, WHOLE, "credentials", look.credentials);
	note_flag(trial, WHOLE, "status_readable", look.status);
	note_flag(trial, WHOLE, "group_readable", look.group);
	note_flag(trial, WHOLE, "descriptors_listed", look.descriptors);
	note_flag(trial, WHOLE, "looks_like_credential", look.credentials);
	if (look.family)
		note_text(trial, WHOLE, "shape", look.family);
	if (look.readable) {
		settle(trial, WHOLE, look.read);
		note_kin(trial, WHOLE, &look.kin);
	} else if (!processes(trial)->complete) {
		settle_unknown(trial, WHOLE, REASON_TIMED_OUT);
	} else if (!look.tried) {
		settle_no_process(trial, WHOLE, true);
	}
}

const struct scenario scenario_secret_foreign_arguments = {
	.about = ABOUT(
		.title = "Read the arguments of other processes",
		.accessed = "Code in the sandbox can read the arguments of processes that it did "
			    "not start: of those that started it, of the first one, or of others.",
		.denied = "Code in the sandbox can read no arguments but its own.",
		.why = "Command lines show what runs, with which files and options, and sometimes "
		       "a password; those of the sandbox's launcher show how the sandbox is "
		       "built.",
		.see = "CWE-214, T1057",
		.open = "B",
		.closed = "B --as-pid-1",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.views = VIEW_PROCESSES,
	.fix = FIX(PID),
	.attempt = attempt,
};
