/* SPDX-License-Identifier: MIT */
/*
 * Files that hold secrets: where they usually lie, whether they open, and that they are not empty.
 * See settle_secrets() of scenario.h. What is read is shown to nobody but the scenario's own
 * question "does this count?" and wiped.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/attempts.h"
#include "probe/text.h"
#include "probe/trial.h"

enum {
	PATH_SIZE = 512,
	PIECE = 8192,
	OVERLAP = 128,       /* of one piece and the next: what is looked for is shorter */
	READ_AT_MOST = 1 << 20,
	CASES_AT_MOST = 64,
	KNOWN_AT_MOST = 256,
	REFUSALS = 4,        /* settled of one case: each asks many controls */
	SHOWN = 3,           /* files of one case in the evidence */
	STOREYS_BELOW = 3, BELOW_AT_MOST = 1024,
	WORK_STOREYS = 3, WORK_AT_MOST = 16384,
};

struct part {
	unsigned count, refused;
	bool settled;
	bool cut;
	char blind[200]; /* a folder on the way that hides its names */
	char shown[240];
};

struct secrets {
	struct trial *trial;
	bool (*counts)(const struct secret_file *file);
	int case_index; /* being looked for */
	char closed_home[PATH_SIZE];
	unsigned n_known;
	uint64_t known[KNOWN_AT_MOST]; /* hashes of files that were seen */
	struct part parts[CASES_AT_MOST];
	char text[PIECE];
};

static struct part *part_of(struct secrets *secrets)
{
	return &secrets->parts[secrets->case_index];
}

static bool is_missing(struct attempt a)
{
	return a.reached && (a.error == ENOENT || a.error == ENOTDIR);
}

/* ---------------------------------------------------------------- one file */

static void take_refusal(struct secrets *secrets, const char *path, struct attempt a,
			 unsigned right)
{
	struct part *part = part_of(secrets);

	if (part->refused++ >= REFUSALS)
		return;
	settle(secrets->trial, secrets->case_index, a, .path = path, .right = right);
	part->settled = true;
}

static void take_secret(struct secrets *secrets, const char *path, const struct object *object,
			struct attempt a)
{
	struct part *part = part_of(secrets);
	size_t used = strlen(part->shown);

	settle(secrets->trial, secrets->case_index, a);
	part->settled = true;
	report_object(secrets->trial,
		      case_of(secrets->trial, secrets->case_index)->name, path);
	if (part->count++ >= SHOWN)
		return;
	if (!object->mode) {
		format_text(part->shown + used, sizeof part->shown - used, "%s%s",
			    used ? ", " : "", path);
		return;
	}
	format_text(part->shown + used, sizeof part->shown - used, "%s%s (%lu, %c%c%c%c)",
		    used ? ", " : "", path, (unsigned long)object->size, '0',
		    (int)('0' + (object->mode >> 6 & 7)), (int)('0' + (object->mode >> 3 & 7)),
		    (int)('0' + (object->mode & 7)));
}

/* A file may be met by several ways: two names of one home, links, folders in each other. */
static bool is_known(struct secrets *secrets, const char *path, const struct object *object)
{
	uint64_t key[3] = { object->dev, object->ino, (uint64_t)secrets->case_index }, hash;

	if (!object->ino)
		key[0] = keyed_hash(secrets->trial, path, strlen(path));
	hash = keyed_hash(secrets->trial, key, sizeof key);
	for (unsigned i = 0; i < secrets->n_known; i++)
		if (secrets->known[i] == hash)
			return true;
	if (secrets->n_known < KNOWN_AT_MOST)
		secrets->known[secrets->n_known++] = hash;
	return false;
}

/* Every other byte of UTF-16 is zero, which would end the text. */
static size_t drop_zeros(char *text, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (text[i])
			text[kept++] = text[i];
	text[kept] = '\0';
	return kept;
}

/* Piece by piece: a key may stand behind all its certificates. False: its end was not reached. */
static bool read_pieces(struct secrets *secrets, int fd, const char *path, struct attempt *ret,
			bool *ret_counts)
{
	const char *slash = strrchr(path, '/');
	struct secret_file file = { .case_index = secrets->case_index, .path = path,
				    .name = slash ? slash + 1 : path, .text = secrets->text };
	size_t at = 0, kept = 0;

	while (at < READ_AT_MOST) {
		struct attempt a = try_read_part(secrets->trial, fd, secrets->text + kept,
						 PIECE - 1 - kept, at);

		if (at == 0)
			*ret = a;
		if (a.value <= 0)
			return true;
		at += (size_t)a.value;
		kept = drop_zeros(secrets->text, kept + (size_t)a.value);
		*ret_counts = !secrets->counts || secrets->counts(&file);
		if (*ret_counts)
			return true;
		if (kept > OVERLAP)
			memmove(secrets->text, secrets->text + kept - OVERLAP, OVERLAP);
		kept = kept > OVERLAP ? OVERLAP : kept;
	}
	return false;
}

static void read_secret(struct secrets *secrets, const char *path, const struct object *object)
{
	struct attempt a = try_open(secrets->trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	int fd = (int)a.value;
	bool counts = false;

	if (attempt_worked(a)) {
		part_of(secrets)->cut |= !read_pieces(secrets, fd, path, &a, &counts);
		explicit_bzero(secrets->text, PIECE);
		close_fd(fd);
	}
	if (counts)
		take_secret(secrets, path, object, a);
	else if (a.value <= 0 && !is_missing(a) && a.error != EISDIR)
		take_refusal(secrets, path, found_nothing(a), RIGHT_READ);
}

static enum search_step take_below(void *context, const struct search_entry *entry);

static void look_below(struct secrets *secrets, const char *folder)
{
	struct folder_search search = { .trial = secrets->trial, .depth = STOREYS_BELOW,
					.at_most = BELOW_AT_MOST, .each = take_below,
					.context = secrets };
	struct attempt a = search_folder(&search, folder);

	if (!attempt_worked(a))
		take_refusal(secrets, folder, a, RIGHT_READ);
	part_of(secrets)->cut |= search.cut;
}

/* `below`: of a folder, whatever lies in it counts; else a folder is not what was looked for. */
static void examine(struct secrets *secrets, const char *path, bool below)
{
	struct object object = { 0 };
	struct attempt a = try_stat(secrets->trial, AT_FDCWD, path, 0, &object);

	if (is_missing(a))
		return;
	/* Where no form of stat is let through, opening may be. */
	if (a.reached && !attempt_worked(a)) {
		take_refusal(secrets, path, a, RIGHT_STAT);
		return;
	}
	if (attempt_worked(a) && S_ISDIR(object.mode)) {
		if (below)
			look_below(secrets, path);
		return;
	}
	if (is_known(secrets, path, &object))
		return;
	if (attempt_worked(a) && !S_ISREG(object.mode))
		take_refusal(secrets, path, found_nothing(a), RIGHT_READ); /* a mask, say */
	else
		read_secret(secrets, path, &object);
}

/* One file is enough to know that the folder is open. */
static enum search_step take_below(void *context, const struct search_entry *entry)
{
	struct secrets *secrets = context;
	unsigned before = part_of(secrets)->count;

	if (entry->type == DT_REG || entry->type == DT_LNK)
		examine(secrets, entry->path, false);
	return part_of(secrets)->count > before ? SEARCH_STOP : SEARCH_ON;
}

/* ---------------------------------------------------------------- words */

struct branch {
	struct secrets *secrets;
	char *path;
	size_t length;
	const char *pattern, *rest;
	size_t n;
};

static void expand(struct secrets *secrets, char *path, size_t length, const char *rest);

static bool take_name(void *context, const char *name, unsigned char type)
{
	struct branch *branch = context;
	size_t n = strlen(name);

	(void)type;
	if (!matches_part(branch->pattern, branch->n, name, n) ||
	    branch->length + n + 2 > PATH_SIZE)
		return true;
	branch->path[branch->length] = '/';
	memcpy(branch->path + branch->length + 1, name, n + 1);
	expand(branch->secrets, branch->path, branch->length + 1 + n, branch->rest);
	branch->path[branch->length] = '\0';
	return true;
}

static void mark_blind(struct secrets *secrets, char *word, const char *folder)
{
	struct part *part = part_of(secrets);

	(void)word;
	if (!part->blind[0])
		add_text(part->blind, sizeof part->blind, 0, folder);
}

static void take_names(struct branch *branch)
{
	struct secrets *secrets = branch->secrets;
	const char *folder = branch->length ? branch->path : "/";
	struct attempt a = try_list(secrets->trial, folder, take_name, branch);

	branch->path[branch->length] = '\0';
	if (attempt_worked(a) || is_missing(a))
		return;
	/* Where no form of open is let through, no name would help. */
	if (!a.reached && strcmp(a.call, "getdents64") != 0) {
		settle(secrets->trial, secrets->case_index, a);
		part_of(secrets)->settled = true;
		return;
	}
	if (a.reached && a.error == EACCES &&
	    ask_dac(secrets->trial, folder, RIGHT_EXECUTE) == DAC_REFUSES)
		take_refusal(secrets, folder, a, RIGHT_READ);
	else
		mark_blind(secrets, NULL, folder);
}

/* What a path and the rest of a word lead to: "/home/a" and "/.ssh/id_*". */
static void expand(struct secrets *secrets, char *path, size_t length, const char *rest)
{
	struct branch branch = { .secrets = secrets, .path = path, .length = length };

	if (!rest[0] || !rest[1]) {
		examine(secrets, path, rest[0] == '/');
		return;
	}
	branch.pattern = rest + 1;
	branch.n = strcspn(branch.pattern, "/");
	branch.rest = branch.pattern + branch.n;
	if (memchr(branch.pattern, '*', branch.n)) {
		take_names(&branch);
		return;
	}
	if (length + 1 + branch.n + 1 > PATH_SIZE)
		return;
	path[length] = '/';
	memcpy(path + length + 1, branch.pattern, branch.n);
	path[length + 1 + branch.n] = '\0';
	expand(secrets, path, length + 1 + branch.n, branch.rest);
	path[length] = '\0';
}

/* "$NAME", "$NAME/file", "$NAME="; the value may be several places, or "FILE:/place". */
static void take_variable(struct secrets *secrets, char *word)
{
	size_t n = 1 + strcspn(word + 1, "/=");
	char path[PATH_SIZE], end = word[n];
	const char *value;
	size_t length;

	word[n] = '\0';
	value = given_variable(word + 1);
	if (!value || !*value)
		return;
	if (end == '=') {
		settle(secrets->trial, secrets->case_index, found_in_process(true));
		report_object(secrets->trial, "variable", word + 1);
		part_of(secrets)->settled = true;
		part_of(secrets)->count++;
		return;
	}
	word[n] = end;
	for (; *value; value += length + (value[length] == ':')) {
		length = strcspn(value, ":");
		if (value[0] != '/' || length >= sizeof path)
			continue;
		memcpy(path, value, length);
		path[length] = '\0';
		expand(secrets, path, length, word + n);
	}
}

/* Every word of every case that begins with `first`. */
static void each_word(struct secrets *secrets, const char *first,
		      void (*take)(struct secrets *secrets, char *word, const char *context),
		      const char *context)
{
	const struct scenario *scenario = trial_scenario(secrets->trial);
	char word[PATH_SIZE];

	for (unsigned i = 0; i < scenario->n_cases && i < CASES_AT_MOST; i++) {
		const char *next = cases_of(scenario)[i].path;

		secrets->case_index = (int)i;
		for (size_t n; next && *next && case_is_planned(secrets->trial, (int)i);
		     next += n + (next[n] == '|')) {
			n = strcspn(next, "|");
			if (n >= sizeof word || !starts_with(next, first))
				continue;
			memcpy(word, next, n);
			word[n] = '\0';
			take(secrets, word, context);
		}
	}
}

static void take_place(struct secrets *secrets, char *word, const char *unused)
{
	char path[PATH_SIZE] = "";

	(void)unused;
	if (word[1] != '/')
		expand(secrets, path, 0, word);
}

static void take_value(struct secrets *secrets, char *word, const char *unused)
{
	(void)unused;
	take_variable(secrets, word);
}

/* ---------------------------------------------------------------- homes and workspaces */

static void take_in_home(struct secrets *secrets, char *word, const char *home)
{
	char path[PATH_SIZE];

	expand(secrets, path, (size_t)format_text(path, sizeof path, "%s", home), word + 1);
}

/* What lies in ~/.config, in the folder that stands for it. */
static void take_in_settings(struct secrets *secrets, char *word, const char *folder)
{
	char path[PATH_SIZE];

	expand(secrets, path, (size_t)format_text(path, sizeof path, "%s", folder),
	       word + sizeof "~/.config" - 1);
}

static bool take_home(void *context, const char *home)
{
	struct secrets *secrets = context;
	struct object object;
	struct attempt a = try_stat(secrets->trial, AT_FDCWD, home, 0, &object), searched;

	if (is_missing(a))
		return true;
	/* One look tells for all that would lie in it. */
	searched = try_access(secrets->trial, home, 1 /* X_OK */);
	if (searched.reached && searched.error == EACCES) {
		format_text(secrets->closed_home, sizeof secrets->closed_home, "%s", home);
		return true;
	}
	each_word(secrets, "~/", take_in_home, home);
	return true;
}

static void take_if_named(struct secrets *secrets, char *word, const char *path)
{
	if (matches_pattern(word + 2, strrchr(path, '/') + 1))
		examine(secrets, path, false);
}

static enum search_step take_work(void *context, const struct search_entry *entry)
{
	if (entry->type == DT_DIR)
		return is_package_folder(entry->name) ? SEARCH_PASS : SEARCH_ON;
	each_word(context, "//", take_if_named, entry->path);
	return SEARCH_ON;
}

static void mark_cut(struct secrets *secrets, char *word, const char *unused)
{
	(void)word;
	(void)unused;
	part_of(secrets)->cut = true;
}

static void search_work(struct secrets *secrets, const char *folder, unsigned depth)
{
	struct folder_search search = { .trial = secrets->trial, .depth = depth,
					.at_most = WORK_AT_MOST, .each = take_work,
					.context = secrets };
	struct attempt a = search_folder(&search, folder);

	if (search.cut) {
		each_word(secrets, "//", mark_cut, NULL);
		/* What lies at the top may come after all that was seen below. */
		if (depth > 1)
			search_work(secrets, folder, 1);
	}
	if (!attempt_worked(a) && !is_missing(a) &&
	    (a.reached || strcmp(a.call, "getdents64") == 0) &&
	    ask_dac(secrets->trial, folder, RIGHT_EXECUTE) != DAC_REFUSES)
		each_word(secrets, "//", mark_blind, folder);
}

static void search_workspace(void *context, const char *folder, bool shallow)
{
	search_work(context, folder, shallow ? 1 : WORK_STOREYS);
}

static bool search_home(void *context, const char *home)
{
	search_work(context, home, 1);
	return true;
}

/* ---------------------------------------------------------------- the end of it */

static bool has_word(const struct scenario *scenario, const char *first)
{
	for (unsigned i = 0; i < scenario->n_cases; i++)
		if (cases_of(scenario)[i].path && strstr(cases_of(scenario)[i].path, first))
			return true;
	return false;
}

static void settle_part(struct secrets *secrets, int i)
{
	struct part *part = &secrets->parts[i];
	const char *words = case_of(secrets->trial, i)->path;
	struct attempt closed = { .value = -1, .error = EACCES, .nr = -1, .reached = true };

	if (part->count) {
		note_number(secrets->trial, i, "count", part->count);
		if (part->shown[0])
			note_text(secrets->trial, i, "files", part->shown);
		return;
	}
	if (secrets->closed_home[0] && strstr(words, "~/"))
		settle(secrets->trial, i, closed, .path = secrets->closed_home,
		       .right = RIGHT_EXECUTE);
	else if (!part->settled)
		settle(secrets->trial, i, found_in_process(false));
	if (part->cut)
		settle_unknown(secrets->trial, i, REASON_TIMED_OUT);
	else if (part->blind[0])
		settle_not_listed(secrets->trial, i, part->blind);
}

void settle_secrets(struct trial *trial, bool (*counts)(const struct secret_file *file))
{
	struct secrets secrets = { .trial = trial, .counts = counts };
	const struct scenario *scenario = trial_scenario(trial);
	const char *home = given_variable("HOME"), *settings = given_variable("XDG_CONFIG_HOME");
	bool at_top = home && strcmp(home, "/") == 0; /* for want of another; not of each_home() */

	if (has_word(scenario, "~/") && !each_home(trial, take_home, &secrets))
		each_word(&secrets, "~/", mark_cut, NULL);
	if (at_top)
		each_word(&secrets, "~/", take_in_home, "");
	if (settings && settings[0] == '/')
		each_word(&secrets, "~/.config/", take_in_settings, settings);
	each_word(&secrets, "/", take_place, NULL);
	each_word(&secrets, "$", take_value, NULL);
	if (has_word(scenario, "//")) {
		if (!each_workspace(trial, search_workspace, &secrets))
			each_word(&secrets, "//", mark_cut, NULL);
		each_home(trial, search_home, &secrets);
		if (at_top)
			search_home(&secrets, home);
	}
	for (unsigned i = 0; i < scenario->n_cases && i < CASES_AT_MOST; i++)
		if (case_is_planned(trial, (int)i))
			settle_part(&secrets, (int)i);
}
