/* SPDX-License-Identifier: MIT */
/*
 * Home folders: the one that $HOME names, the one that the account file gives us, root's, and
 * those of others. An empty one is as good as none, and "/" is nobody's home.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>

enum { VARIABLE, PASSWD, ROOT, OTHERS };

static const struct case_def cases[] = {
	[VARIABLE] = { "variable", NULL, 0, 0, 0 },
	[PASSWD] = { "passwd", NULL, 0, 0, 0 },
	[ROOT] = { "root", "/root", 0, 0, PLACE_FOLDER },
	[OTHERS] = { "others", "/home", 0, 0, PLACE_FOLDER },
};

struct search {
	struct trial *trial;
	int case_index;
	char folder[320];
	unsigned entries, homes;
};

/* Our own program and markers are no find. */
static bool take_entry(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	struct object object;
	char path[600];

	(void)type;
	format_text(path, sizeof(path), "%s/%s", search->folder, name);
	if (starts_with(name, ".sandboxeval-") ||
	    (attempt_worked(try_stat(search->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) &&
	     object.ino == origin()->probe_ino && object.dev == origin()->probe_dev))
		return true;
	search->entries++;
	return true;
}

static bool look_at_folder(struct search *search)
{
	struct attempt a;

	search->entries = 0;
	a = try_list(search->trial, search->folder, take_entry, search);
	if (search->entries) {
		report_object(search->trial, "home", search->folder);
		measure_number(search->trial, WHOLE, case_of(search->trial, search->case_index)->name,
			       search->entries);
	}
	settle(search->trial, search->case_index, search->entries ? a : found_nothing(a),
	       .path = search->folder, .right = RIGHT_READ);
	return search->entries > 0;
}

static void look_at(struct trial *trial, int case_index, const char *folder)
{
	struct search search = { .trial = trial, .case_index = case_index };

	if (!folder || folder[0] != '/' || !folder[1]) {
		settle(trial, case_index, found_in_process(false));
		return;
	}
	format_text(search.folder, sizeof(search.folder), "%s", folder);
	look_at_folder(&search);
}

static bool take_home(void *context, const char *name, unsigned char type)
{
	struct search *search = context;

	if (type != 4 /* DT_DIR */ && type != 10 /* DT_LNK */ && type != 0)
		return true;
	format_text(search->folder, sizeof(search->folder), "/home/%s", name);
	search->homes++;
	look_at_folder(search);
	return true;
}

/* "name:password:uid:gid:comment:home:shell" in place; false: it is none. */
static bool split_account(char *line, char *fields[7])
{
	fields[0] = line;
	for (unsigned i = 1; i < 7; i++) {
		fields[i] = strchr(fields[i - 1], ':');
		if (!fields[i])
			return false;
		*fields[i]++ = '\0';
	}
	return true;
}

enum { HOMES_AT_MOST = 256 };

/* A home that the account file names is there even where /home may not be listed. */
static bool take_named_home(void *context, char *line)
{
	struct search *search = context;
	char *fields[7];

	if (!split_account(line, fields) || !starts_with(fields[5], "/home/") || !fields[5][6])
		return true;
	format_text(search->folder, sizeof(search->folder), "%s", fields[5]);
	return !look_at_folder(search) && ++search->homes < HOMES_AT_MOST;
}

static void look_at_others(struct trial *trial)
{
	struct search search = { .trial = trial, .case_index = OTHERS };
	struct attempt a = try_list(trial, "/home", take_home, &search);

	if (!attempt_worked(a) && a.error != ENOENT)
		try_lines(trial, "/etc/passwd", take_named_home, &search);
	if (search.homes >= HOMES_AT_MOST)
		settle_unknown(trial, OTHERS, REASON_TIMED_OUT);
	if (!attempt_worked(a) || !search.homes)
		settle(trial, OTHERS, found_nothing(a), .path = "/home", .right = RIGHT_READ);
}

struct account {
	char uid[16], home[256];
};

static bool take_account(void *context, char *line)
{
	struct account *account = context;
	char *fields[7];

	if (!split_account(line, fields) || strcmp(fields[2], account->uid) != 0)
		return true;
	format_text(account->home, sizeof(account->home), "%s", fields[5]);
	return false;
}

static void look_at_own(struct trial *trial)
{
	struct account account = { "", "" };
	struct attempt a;

	format_text(account.uid, sizeof(account.uid), "%u", origin()->euid);
	a = try_lines(trial, "/etc/passwd", take_account, &account);
	if (!attempt_worked(a)) {
		settle(trial, PASSWD, a, .path = "/etc/passwd", .right = RIGHT_READ);
		return;
	}
	look_at(trial, PASSWD, account.home);
}

static void attempt(struct trial *trial)
{
	look_at(trial, VARIABLE, given_variable("HOME"));
	look_at_own(trial);
	look_at(trial, ROOT, case_of(trial, ROOT)->path);
	look_at_others(trial);
}

const struct scenario scenario_directory_home = {
	.about = ABOUT(
		.title = "List home folders",
		.accessed = "Code in the sandbox can list a home folder that holds something.",
		.denied = "Code in the sandbox cannot list any home folder that holds something.",
		.why = "Keys, tokens, histories and settings of people live in their home "
		       "folders.",
		.see = "T1083",
		.paper = "Home directory",
		.open = "B --ro-bind $D/h /home/alice",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
