/* SPDX-License-Identifier: MIT */
/*
 * Folders from which interpreters load modules, some of them at every start (sitecustomize.py,
 * *.pth): of the system, of each home, and those that variables given from outside name.
 */
#include "scenarios/scenario.h"

enum { VARIABLES = 8, VARIABLE_PLACES };

static const struct case_def cases[] = {
	{ "python",
	  "/usr/lib/python3*|/usr/lib/python3*/site-packages|/usr/lib/python3*/dist-packages|"
	  "/usr/local/lib/python3*|/usr/local/lib/python3*/site-packages|"
	  "/usr/local/lib/python3*/dist-packages", 0, 0, 0 },
	{ "home-python", "~/.local/lib/python3*|~/.local/lib/python3*/site-packages", 0, 0, 0 },
	{ "node", "/usr/lib/node_modules|/usr/local/lib/node_modules|/usr/share/nodejs", 0, 0, 0 },
	{ "home-node", "~/.node_modules|~/.node_libraries", 0, 0, 0 },
	{ "perl", "/etc/perl|/usr/local/lib/site_perl|/usr/share/perl5|/usr/lib/perl5", 0, 0, 0 },
	{ "home-perl", "~/perl5", 0, 0, 0 },
	{ "ruby", "/usr/local/lib/site_ruby|/usr/lib/ruby|/var/lib/gems", 0, 0, 0 },
	{ "home-ruby", "~/.gem|~/.local/share/gem", 0, 0, 0 },
	[VARIABLES] = { "variables", NULL, SEVERITY_LOW, 0, 0 },
	[VARIABLE_PLACES] = { "variable-places", NULL, 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	static const char *const names[] = { "PYTHONPATH",	 "PYTHONSTARTUP", "PYTHONHOME",
					     "PYTHONUSERBASE", "NODE_OPTIONS",	  "NODE_PATH",
					     "PERL5OPT",	 "PERL5LIB",	  "RUBYOPT",
					     "RUBYLIB",	 "BASH_ENV",
					     "JAVA_TOOL_OPTIONS" };
	struct alterations all = { .trial = trial };

	settle_alterations(&all);
	settle_variables(&all, VARIABLES, VARIABLE_PLACES, names, sizeof names / sizeof *names);
	note_alterations(&all);
}

const struct scenario scenario_tamper_interpreter_paths = {
	.about = ABOUT(
		.title = "Alter modules that interpreters load",
		.accessed = "Code in the sandbox can alter or add modules that interpreters load, "
			    "or was started with variables that direct them.",
		.denied = "Code in the sandbox cannot alter or add modules that interpreters "
			  "load, nor was it started with variables that direct them.",
		.why = "A module with the right name runs whenever somebody starts that "
		       "interpreter: the grader, a later job, a person. Places on file systems of "
		       "the sandbox's own matter only where something outside runs from them: see "
		       "`mount`.",
		.see = "T1574",
		.open = "B --bind $D/h /home/x --setenv HOME /home/x",
		.closed = "B --ro-bind $D/h /home/x --setenv HOME /home/x",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO) | FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
