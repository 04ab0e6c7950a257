/* SPDX-License-Identifier: MIT */
/*
 * Variables of processes that are not our own, those that started us and the first one included. A
 * sandbox that clears the environment on the way in leaves it in whoever did the clearing. Names
 * and shapes are told; values never leave this child, and are wiped.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { CREDENTIALS, VARIABLES };
enum { SETTLED_AT_MOST = 6, ENVIRONMENT = 32768 };

static const struct case_def cases[] = {
	[CREDENTIALS] = { "credentials", "/proc/PID/environ", 0, 0, 0 },
	[VARIABLES] = { "variables", "/proc/PID/environ", SEVERITY_LOW, 0, 0 },
};

/* Names without their doubles, in the order in which they were found. */
struct names {
	char text[400];
	int used;
	unsigned n;
};

struct look {
	struct trial *trial;
	unsigned tried, refused, readable;
	bool cut; /* one was longer than what is read */
	struct attempt read; /* one that worked */
	struct names names[2], families;
	struct kin kin[2];
};

static bool is_noted(const struct names *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = names->text; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == n && strncmp(at, name, n) == 0)
			return true;
	return false;
}

static void add_name(struct names *names, const char *name)
{
	if (is_noted(names, name))
		return;
	names->n++;
	names->used += format_text(names->text + names->used,
				   sizeof(names->text) - (size_t)names->used, "%s%s",
				   names->used ? " " : "", name);
}

/*
 * A program that writes its title over its variables leaves ends of their values, and such an end may
 * hold an equals sign: not all that stands before one is a name.
 */
static bool is_name(const char *text)
{
	static const char lower[] = "abcdefghijklmnopqrstuvwxyz";
	size_t n = 0, start = 0;
	bool small = false, other = false;

	for (; text[n]; n++) {
		if (text[n] == '_') {
			small = other = false;
			start = n + 1;
			continue;
		}
		if (!is_letter(text[n]) && (n == 0 || !is_digit(text[n])))
			return false;
		small |= text[n] >= 'a';
		other |= text[n] < 'a';
		/* Small letters among others, eight in a row: rather drawn by lot. */
		if (small && other && n - start >= 7)
			return false;
	}
	/* Of capitals alone few values are made. */
	return n < 64 && (text[strcspn(text, lower)] == '\0' ||
			  shape_of("KEY", text, NULL) == SHAPE_PLAIN);
}

/*
 * One "NAME=value" of another's. What we were given, too, is no news. After what is no variable
 * another may be left of which the beginning is gone (`torn`): what its name was is not known.
 */
static void take_variable(struct look *look, bool found[2], char *text, bool *torn)
{
	const char *entry = text;
	char *equals = strchr(text, '=');
	const char *family = NULL, *own;
	enum shape shape;
	bool was_torn = *torn;

	*torn = true;
	if (!equals || equals == entry)
		return;
	*equals = '\0';
	own = given_variable(entry);
	*torn = !own && !is_name(entry);
	if (!own && (*torn || was_torn))
		entry = "?";
	shape = shape_of(entry, equals + 1, &family);
	if (!own) {
		add_name(&look->names[VARIABLES], entry);
		found[VARIABLES] = true;
	}
	if ((shape != SHAPE_KEY && shape != SHAPE_CREDENTIAL) ||
	    (own && strcmp(own, equals + 1) == 0))
		return;
	add_name(&look->names[CREDENTIALS], entry);
	add_name(&look->families, family ? family : shape_name(shape));
	found[CREDENTIALS] = true;
}

/* The last entry may have been cut. */
static void take_environment(struct look *look, bool found[2], char *text, size_t n, bool whole)
{
	bool torn = false;
	size_t end;

	look->cut |= !whole;
	for (size_t at = 0; at < n; at = end + 1) {
		const char *zero = memchr(text + at, '\0', n - at);

		end = zero ? (size_t)(zero - text) : n;
		if (end == n && !whole)
			return;
		take_variable(look, found, text + at, &torn);
	}
}

static bool take_process(void *context, const struct process *process)
{
	struct look *look = context;
	bool found[2] = { false, false };
	char path[64], text[ENVIRONMENT + 1];
	struct attempt a;

	if (process->told && !process->has_memory)
		return true; /* kernel threads have none, and let everybody read it */
	format_text(path, sizeof(path), "/proc/%d/environ", process->pid);
	a = try_text(look->trial, path, text, ENVIRONMENT + 1);
	if (process_is_gone(a))
		return true;
	look->tried++;
	if (!attempt_worked(a)) {
		for (int i = CREDENTIALS; look->refused < SETTLED_AT_MOST && i <= VARIABLES; i++)
			settle_process(look->trial, i, a, process, PROCESS_INSPECT);
		look->refused++;
		return true;
	}
	look->readable++;
	look->read = a;
	take_environment(look, found, text, (size_t)a.value, a.value < ENVIRONMENT);
	explicit_bzero(text, sizeof(text));
	for (int i = CREDENTIALS; i <= VARIABLES; i++)
		if (found[i])
			add_kin(&look->kin[i], process);
	if (found[CREDENTIALS] && process->name[0])
		report_object(look->trial, "process", process->name);
	return true;
}

static void conclude(struct look *look, int i)
{
	if (look->names[i].n) {
		settle(look->trial, i, look->read);
		note_text(look->trial, i, "names", look->names[i].text);
		note_kin(look->trial, i, &look->kin[i]);
		measure_number(look->trial, i, "number", look->names[i].n);
		return;
	}
	if (!processes(look->trial)->complete || look->cut)
		settle_unknown(look->trial, i, REASON_TIMED_OUT);
	else if (look->readable)
		settle(look->trial, i, found_nothing(look->read));
	else if (!look->tried)
		settle_no_process(look->trial, i, true);
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial };

	each_process(trial, take_process, &look);
	measure_number(trial, WHOLE, "tried", look.tried);
	measure_number(trial, WHOLE, "readable", look.readable);
	conclude(&look, CREDENTIALS);
	conclude(&look, VARIABLES);
	if (look.families.n)
		note_text(trial, CREDENTIALS, "shapes", look.families.text);
}

const struct scenario scenario_secret_foreign_environment = {
	.about = ABOUT(
		.title = "Read the variables of other processes",
		.accessed = "Code in the sandbox can read variables that it was not given, in the "
			    "environment of processes that started it, of the first one, or of "
			    "others.",
		.denied = "Code in the sandbox can read no variable of another process that it "
			  "was not given itself.",
		.why = "Keys and passwords are handed to programs in variables. A launcher that "
		       "clears them for the sandbox still holds them itself.",
		.see = "T1003.007, CWE-526",
		.open = "env DATABASE_URL=postgres://a:dummy@db.test/x B",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.views = VIEW_PROCESSES,
	.fix = FIX(PID) | FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
