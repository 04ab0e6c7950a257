/* SPDX-License-Identifier: MIT */
/*
 * Accounts of other people: the account file, who is logged in, folders in /home, and the owners
 * of what lies in scratch folders. Our own account and root say nothing that is not known.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { PASSWD, GROUP, UTMP, HOME, OWNERS };

static const struct case_def cases[] = {
	[PASSWD] = { "passwd", "/etc/passwd", 0, 0, 0 },
	[GROUP] = { "group", "/etc/group", 0, 0, 0 },
	[UTMP] = { "utmp", "/run/utmp|/var/run/utmp", 0, 0, 0 },
	[HOME] = { "home", "/home", 0, 0, 0 },
	[OWNERS] = { "owners", NULL, 0, 0, 0 },
};

enum { FIRST_PERSON = 1000, NOBODY = 65534, LISTED_AT_MOST = 4095 };

struct search {
	struct trial *trial;
	const char *folder;
	unsigned seen, people, hidden;
};

static bool is_shell(const char *path)
{
	static const char *const shells[] = { "sh",  "ash", "bash", "csh",  "dash", "fish",
					      "ksh", "nu",  "tcsh", "xonsh", "zsh", "busybox" };
	const char *name = strrchr(path, '/');

	for (size_t i = 0; name && i < sizeof(shells) / sizeof(*shells); i++) {
		if (strcmp(name + 1, shells[i]) == 0)
			return true;
	}
	return false;
}

static bool is_other_person(uint32_t uid)
{
	return uid >= FIRST_PERSON && uid != NOBODY && uid != origin()->euid;
}

static uint32_t id_in(const char *text)
{
	return (uint32_t)leading_number(text, NULL);
}

/* "alice:x:1000:1000::/home/alice:/bin/bash" */
static bool take_account(void *context, char *line)
{
	struct search *search = context;
	const char *fields[7];
	char *next = line;

	for (unsigned i = 0; i < 7; i++) {
		fields[i] = next ? next : "";
		next = next ? strchr(next, ':') : NULL;
		if (next)
			*next++ = '\0';
	}
	if (!is_digit(fields[2][0]))
		return true;
	search->seen++;
	if (is_other_person(id_in(fields[2])) ||
	    (is_shell(fields[6]) && id_in(fields[2]) != 0 &&
	     id_in(fields[2]) != origin()->euid)) {
		search->people++;
		report_object(search->trial, "account", fields[0]);
	}
	return true;
}

/* A list that was too long to be read to its end shows who is on it, not who is not. */
static void settle_list(struct trial *trial, int case_index, const struct search *search,
			struct attempt a)
{
	if (search->people)
		a = found_in_process(true);
	settle(trial, case_index, attempt_worked(a) && !search->people ? found_nothing(a) : a,
	       .path = case_of(trial, case_index)->path, .right = RIGHT_READ);
}

static void look_at_passwd(struct trial *trial)
{
	struct search search = { .trial = trial };
	const char *path = case_of(trial, PASSWD)->path;
	struct attempt a = try_lines(trial, path, take_account, &search);

	if (attempt_worked(a)) {
		note_number(trial, PASSWD, "accounts", search.seen);
		note_number(trial, PASSWD, "others", search.people);
	}
	settle_list(trial, PASSWD, &search, a);
}

/* "alice:x:1000:": a person's own group bears the person's name. */
static bool take_group(void *context, char *line)
{
	struct search *search = context;
	char *id = strchr(line, ':');
	uint32_t gid;

	id = id ? strchr(id + 1, ':') : NULL;
	if (!id || !is_digit(id[1]))
		return true;
	gid = id_in(id + 1);
	search->seen++;
	if (gid >= FIRST_PERSON && gid != NOBODY && gid != origin()->egid) {
		line[strcspn(line, ":")] = '\0';
		search->people++;
		report_object(search->trial, "group", line);
	}
	return true;
}

static void look_at_groups(struct trial *trial)
{
	struct search search = { .trial = trial };
	struct attempt a = try_lines(trial, case_of(trial, GROUP)->path, take_group, &search);

	settle_list(trial, GROUP, &search, a);
}

/* The C library's record of a session: the same head on every architecture, another length. */
static void look_at_sessions(struct trial *trial)
{
#ifdef __x86_64__
	enum { RECORD = 384, USER_PROCESS = 7 }; /* times of 32 bits, for the sake of i386 */
#else
	enum { RECORD = 400, USER_PROCESS = 7 };
#endif
	const char *own = given_variable("USER") ? given_variable("USER") : "";
	char path[64], text[RECORD * 16];
	struct attempt a;
	unsigned sessions = 0;

	find_place(trial, case_of(trial, UTMP)->path, path, sizeof(path));
	a = try_read(trial, path, text, sizeof(text));
	for (long at = 0; at + RECORD <= a.value; at += RECORD) {
		char name[33] = "";

		memcpy(name, text + at + 44, 32);
		if (text[at] != USER_PROCESS || strcmp(name, "root") == 0 || strcmp(name, own) == 0)
			continue;
		sessions++;
		report_object(trial, "session", name);
	}
	settle(trial, UTMP, sessions ? a : found_nothing(a), .path = path, .right = RIGHT_READ);
}

static bool take_owner(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	struct object object;
	char path[320];

	(void)type;
	format_text(path, sizeof(path), "%s/%s", search->folder, name);
	if (!attempt_worked(try_stat(search->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)))
		return true;
	search->seen++;
	if (object.uid == NOBODY && !uid_is_mapped(search->trial, NOBODY, NULL))
		search->hidden++;
	else if (is_other_person(object.uid))
		search->people++;
	return true;
}

/* A folder of another owner in /home; its name is an account's, whoever owns it in here. */
static bool take_home(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	unsigned before = search->people + search->hidden;

	if ((type != 4 /* DT_DIR */ && type != 10 /* DT_LNK */ && type != 0) ||
	    strcmp(name, "lost+found") == 0)
		return true;
	take_owner(context, name, type);
	if (search->people + search->hidden > before)
		report_object(search->trial, "home", name);
	return true;
}

static void look_at_home(struct trial *trial)
{
	struct search search = { .trial = trial, .folder = case_of(trial, HOME)->path };
	struct attempt a = try_list(trial, search.folder, take_home, &search);
	unsigned others = search.people + search.hidden;

	settle(trial, HOME, others ? a : found_nothing(a), .path = search.folder,
	       .right = RIGHT_READ);
}

static void look_at_owners(struct trial *trial)
{
	struct search search = { .trial = trial };
	struct attempt a = found_in_process(false), last;
	const char *folders[8];
	unsigned n = scratch_folders(trial, folders);

	for (unsigned i = 0; i < n; i++) {
		search.folder = folders[i];
		last = try_list(trial, folders[i], take_owner, &search);
		if (attempt_worked(last) || !attempt_worked(a))
			a = last;
	}
	measure_number(trial, OWNERS, "entries", search.seen);
	if (!search.people && (search.seen >= LISTED_AT_MOST || !scratch_is_known(trial))) {
		settle_unknown(trial, OWNERS, scratch_is_known(trial) ? REASON_TIMED_OUT :
								       REASON_SETUP_FAILED);
		return;
	}
	settle(trial, OWNERS, search.people ? a : found_nothing(a),
	       .id_unmapped = search.hidden > 0);
}

static void attempt(struct trial *trial)
{
	look_at_passwd(trial);
	look_at_groups(trial);
	look_at_sessions(trial);
	look_at_home(trial);
	look_at_owners(trial);
}

const struct scenario scenario_system_users = {
	.about = ABOUT(
		.title = "Find names of other accounts",
		.accessed = "Code in the sandbox can learn of accounts besides its own and root.",
		.denied = "Code in the sandbox learns of no account besides its own and root.",
		.why = "Names of accounts are what passwords are tried against, and often name "
		       "people.",
		.see = "T1087.001, T1033",
		.paper = "Users",
		.open = "B --ro-bind $D/passwd /etc/passwd",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
