/* SPDX-License-Identifier: MIT */
/*
 * Three ways to become root: to have the id or take it, to run a set-id program of root's, and to
 * be named in a rule that asks for no password. The ids are taken in this trial's own process,
 * which ends with it; no program is run, and no rule is used.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>

enum { OWN_ID, SET_ID_PROGRAM, PASSWORDLESS_RULE };

static const struct case_def cases[] = {
	[OWN_ID] = { "own-id", NULL, 0, 0, 0 },
	[SET_ID_PROGRAM] = { "set-id-program", NULL, 0, 0, 0 },
	[PASSWORDLESS_RULE] = { "passwordless-rule", NULL, 0, 0, 0 },
};

enum tally_here { PROGRAMS };
/* What stat shows for an owner that is not mapped here. */
#define UNMAPPED 65534

/* As execve(2) would answer, which is not asked. */
static const struct attempt would_be_refused = { .value = -1, .error = EPERM, .nr = -1,
						 .reached = true };

/* ---------------------------------------------------------------- set-id programs */

static void visit(const struct walk_entry *entry, struct tally *tally)
{
	if (!entry->is_plain || entry->is_own || !(entry->mode & S_ISUID) ||
	    !(entry->mode & 0111) || (entry->uid != 0 && entry->uid != UNMAPPED))
		return;
	tally->count[PROGRAMS]++;
	tally_object(tally, entry->path);
}

/* Settles the case with what this program would do; true when it would make us root. */
static bool judge_program(struct trial *trial, int case_index, const char *path)
{
	struct mount_facts mount;
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, path, 0, &object);
	bool unmapped = !uid_is_mapped(trial, 0, NULL), usable;

	if (attempt_worked(a) && (!(object.mode & S_ISUID) || (object.uid != 0 && !unmapped)))
		a = found_nothing(a);
	if (attempt_worked(a))
		a = try_access(trial, path, 1); /* X_OK */
	if (!attempt_worked(a)) {
		settle(trial, case_index, a, .path = path, .right = RIGHT_EXECUTE,
		       .set_id = a.error != ENOENT);
		return false;
	}
	usable = !origin()->no_new_privs && !unmapped && ask_mount(trial, path, &mount) &&
		 !(mount.flags & 2); /* ST_NOSUID */
	if (!usable)
		settle(trial, case_index, would_be_refused, .path = path, .right = RIGHT_EXECUTE,
		       .set_id = true, .executes = true, .id_unmapped = unmapped);
	return usable;
}

static void try_programs(struct trial *trial)
{
	struct walk_result result = walk_result(trial);
	unsigned n = result.made ? result.tally->n_objects : 0, usable = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!judge_program(trial, SET_ID_PROGRAM, result.tally->objects[i]))
			continue;
		usable++;
		report_object(trial, "set-id-root", result.tally->objects[i]);
		settle(trial, SET_ID_PROGRAM, found_in_process(true));
	}
	if (result.made)
		note_number(trial, SET_ID_PROGRAM, "programs",
			    (int64_t)result.tally->count[PROGRAMS]);
	if (usable)
		return;
	if (origin()->no_new_privs)
		/* Whatever else there may be, it makes nobody root. */
		settle(trial, SET_ID_PROGRAM, would_be_refused, .set_id = true);
	else if (!result.made)
		settle_unknown(trial, SET_ID_PROGRAM, REASON_SETUP_FAILED);
	else if (!result.complete || result.tally->count[PROGRAMS] > n)
		settle_unknown(trial, SET_ID_PROGRAM, REASON_TIMED_OUT);
	else if (n == 0)
		settle(trial, SET_ID_PROGRAM, found_in_process(false));
}

/* ---------------------------------------------------------------- rules without a password */

/* Looks for our account's or a group's name in a file of "name:…:id:…". */
struct name_search {
	uint32_t id;
	char name[64];
};

static bool take_name(void *context, char *line)
{
	struct name_search *search = context;
	size_t n = strcspn(line, ":");
	char *id = line + n, number[16];

	id += *id == ':';
	id += strcspn(id, ":");
	id += *id == ':';
	id[strcspn(id, ":")] = '\0';
	format_text(number, sizeof number, "%u", search->id);
	if (n >= sizeof search->name || strcmp(id, number) != 0)
		return true;
	memcpy(search->name, line, n);
	search->name[n] = '\0';
	return false;
}

/* Is the rule's subject us? "ALL", "alice", "#1000"; "%group" and "%#gid" are `group`'s. */
static bool is_named(struct trial *trial, const char *word, const char *file, uint32_t id)
{
	static char text[32768];
	struct name_search search = { .id = id };
	char number[16];
	struct attempt a;

	format_text(number, sizeof number, "#%u", id);
	if (strcmp(word, number) == 0)
		return true;
	a = try_text(trial, file, text, sizeof text);
	if (a.value <= 0)
		return false;
	each_line(text, take_name, &search);
	return search.name[0] && strcmp(search.name, word) == 0;
}

static bool is_our_group(struct trial *trial, const char *word)
{
	if (is_named(trial, word, "/etc/group", origin()->egid))
		return true;
	for (int i = 0; i < origin()->n_groups; i++)
		if (is_named(trial, word, "/etc/group", origin()->groups[i]))
			return true;
	return false;
}

struct rules {
	struct trial *trial;
	bool found;
};

static bool is_subject(struct trial *trial, const char *word, char group_mark)
{
	if (strcmp(word, "ALL") == 0)
		return true;
	return word[0] == group_mark ? is_our_group(trial, word + 1) :
				       is_named(trial, word, "/etc/passwd", origin()->uid);
}

/* sudo: "SUBJECT HOST=(RUNAS) NOPASSWD: COMMANDS"; doas: "permit nopass … SUBJECT …". */
static bool take_rule(void *context, char *line)
{
	struct rules *rules = context;
	char word[64];

	if (!line_field(line, 0, word, sizeof word))
		return true;
	if (strcmp(word, "permit") == 0 && strstr(line, "nopass")) {
		for (unsigned i = 1; !rules->found && line_field(line, i, word, sizeof word); i++)
			rules->found = is_subject(rules->trial, word, ':');
	} else if (word[0] != '#' || is_digit(word[1])) {
		rules->found = strstr(line, "NOPASSWD:") && is_subject(rules->trial, word, '%');
	}
	return !rules->found;
}

/* True when a rule for us was read; `ret_hidden` becomes true for a file that we may not read. */
static bool has_rule(struct trial *trial, const char *file, bool *ret_hidden)
{
	char text[16384];
	struct rules rules = { .trial = trial };
	struct attempt a = try_text(trial, file, text, sizeof text);

	*ret_hidden |= !attempt_worked(a) && a.error != ENOENT && a.error != ENOTDIR;
	if (a.value <= 0)
		return false;
	each_line(text, take_rule, &rules);
	/* Nor is what comes behind the part that was read known. */
	*ret_hidden |= !rules.found && a.value == (long)sizeof text - 1;
	return rules.found;
}

struct rule_folder {
	struct trial *trial;
	bool found, hidden;
};

static bool take_rule_file(void *context, const char *name, unsigned char type)
{
	struct rule_folder *folder = context;
	char path[300];

	(void)type;
	format_text(path, sizeof path, "/etc/sudoers.d/%s", name);
	folder->found |= has_rule(folder->trial, path, &folder->hidden);
	return !folder->found;
}

static void try_rules(struct trial *trial)
{
	static const char *const programs[] = { "/usr/bin/sudo", "/usr/local/bin/sudo",
						"/usr/bin/doas", "/usr/local/bin/doas" };
	struct rule_folder folder = { .trial = trial };
	struct attempt a;
	unsigned usable = 0;

	for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
		usable += judge_program(trial, PASSWORDLESS_RULE, programs[i]);
	if (!usable)
		return;
	a = try_list(trial, "/etc/sudoers.d", take_rule_file, &folder);
	folder.hidden |= !attempt_worked(a) && a.error != ENOENT;
	folder.found |= has_rule(trial, "/etc/sudoers", &folder.hidden);
	folder.found |= has_rule(trial, "/etc/doas.conf", &folder.hidden);
	note_flag(trial, PASSWORDLESS_RULE, "rules_hidden", folder.hidden);
	if (folder.found)
		settle(trial, PASSWORDLESS_RULE, found_in_process(true));
	else if (folder.hidden) {
		note_text(trial, PASSWORDLESS_RULE, "not_visible", "/etc/sudoers");
		settle_unknown(trial, PASSWORDLESS_RULE, REASON_NO_VIEW);
	} else
		settle(trial, PASSWORDLESS_RULE, found_in_process(false));
}

/* ---------------------------------------------------------------- the id itself */

/* Last of all: from here on this process may be root. */
static void take_root(struct trial *trial)
{
	struct attempt forms[3];
	uint32_t outer;
	bool mapped = uid_is_mapped(trial, 0, &outer);

	note_flag(trial, OWN_ID, "root_already", origin()->euid == 0);
	if (mapped)
		note_number(trial, OWN_ID, "outer_id_of_root", outer);
	note_flag(trial, OWN_ID, "takes_root_group",
		  attempt_worked(try_call(trial, "setresgid", __NR_setresgid, 0, 0, 0)));
	note_flag(trial, OWN_ID, "drops_groups",
		  attempt_worked(try_call(trial, "setgroups", __NR_setgroups, 0, NULL)));
	forms[0] = try_call(trial, "setresuid", __NR_setresuid, 0, 0, 0);
	forms[1] = try_call(trial, "setreuid", __NR_setreuid, 0, 0);
	forms[2] = try_call(trial, "setuid", __NR_setuid, 0);
	for (unsigned i = 0; i < 3; i++)
		/* EINVAL says so itself, where no map can be read. */
		settle(trial, OWN_ID, forms[i], .capability = NEEDS_CAP(CAP_SETUID),
		       .id_unmapped = !mapped ||
				      (forms[i].reached && forms[i].error == EINVAL));
}

static void attempt(struct trial *trial)
{
	try_programs(trial);
	try_rules(trial);
	take_root(trial);
}

static const struct question asks[] = {
	{ __NR_setresgid, { 0 } }, { __NR_setgroups, { 0 } }, { __NR_setresuid, { 0 } },
	{ __NR_setreuid, { 0 } },  { __NR_setuid, { 0 } },
};

const struct scenario scenario_danger_seek_root = {
	.about = ABOUT(
		.title = "Become root",
		.accessed = "Code in the sandbox is root, or has a program at hand that would "
			    "make it root.",
		.denied = "Code in the sandbox is not root and finds no way to become root.",
		.why = "Most boundaries are drawn for ordinary accounts, and root may move them. "
		       "In a user namespace root is root there only: then another scenario tells "
		       "whose id it is outside.",
		.see = "T1548, T1068",
		.paper = "Obtain root privileges",
		.open = "O +uid:0",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_NO_NEW_PRIVS)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.views = VIEW_WALK,
	.fix = FIX(UID) | FIX(NNP) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.visit = visit,
	.attempt = attempt,
};
