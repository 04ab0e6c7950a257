/* SPDX-License-Identifier: MIT */
/*
 * Folders in which a bare command name is looked up: those of the PATH that we were given, and
 * those of root's usual one. An element that is not absolute leads wherever its reader stands.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { OWN, RELATIVE, ROOTS };

static const struct case_def cases[] = {
	[OWN] = { "own-path", NULL, 0, 0, PLACE_FOLDER },
	[RELATIVE] = { "relative-element", NULL, 0, 0, 0 },
	[ROOTS] = { "root-path",
		    "/usr/local/sbin|/usr/local/bin|/usr/sbin|/usr/bin|/sbin|/bin", 0, 0,
		    PLACE_FOLDER },
};

static void attempt(struct trial *trial)
{
	struct alterations all = { .trial = trial };
	const char *element = given_variable("PATH"), *end;
	unsigned relative = 0;

	for (; element; element = *end ? end + 1 : NULL) {
		char folder[512];
		size_t n = strcspn(element, ":");

		end = element + n;
		if (*element != '/') {
			relative++;
		} else if (n < sizeof folder) {
			memcpy(folder, element, n);
			folder[n] = '\0';
			settle_alteration(&all, OWN, folder, PLACE_FOLDER);
		}
	}
	if (relative)
		note_number(trial, RELATIVE, "elements", relative);
	settle(trial, RELATIVE, found_in_process(relative > 0));
	settle_alterations(&all);
	settle_unasked(&all);
	note_alterations(&all);
}

const struct scenario scenario_tamper_search_path = {
	.about = ABOUT(
		.title = "Add programs to the search path",
		.accessed = "Code in the sandbox can put a program where commands are looked up.",
		.denied = "Code in the sandbox cannot put a program where commands are looked up.",
		.why = "Whoever puts a program before the real one is run in its place, with the "
		       "rights of whoever typed its name. Folders of the sandbox's own matter "
		       "only where something outside runs from them: see `mount`.",
		.see = "T1574.007",
		.open = "B --bind $D/w /w --setenv PATH /usr/bin:/w",
		.closed = "B --ro-bind $D/w /w --setenv PATH /usr/bin:/w",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
