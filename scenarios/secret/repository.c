/* SPDX-License-Identifier: MIT */
/*
 * Credentials in the settings of repositories: passwords in addresses of remotes, headers that a
 * pipeline adds to every request, sections that name a helper. The settings, and what they include
 * under whatever condition, are read line by line for their presence; what they are is told to nobody.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

enum { REMOTE, HEADER, SECTION, STORE, CASES_N };

static const struct case_def cases[] = {
	[REMOTE] = { "address-with-password", NULL, 0, 0, 0 },
	[HEADER] = { "extra-header", NULL, 0, 0, 0 },
	[SECTION] = { "credential-section", NULL, SEVERITY_LOW, 0, 0 },
	[STORE] = { "credentials-file", NULL, 0, 0, 0 },
};

enum {
	CONFIGS_AT_MOST = 64, ENTRIES_AT_MOST = 16384, STOREYS = 4, INNER_STOREYS = 6, SIZE = 512,
	INCLUDED_AT_MOST = 16, /* and still to be read */
	REFUSALS = 4,          /* settled: each asks many controls */
};

struct repositories {
	struct trial *trial;
	unsigned configs, found[CASES_N];
	uint64_t known[CONFIGS_AT_MOST]; /* device and number of those read */
	const char *path, *home;         /* being read, and whose it is; NULL: ours */
	unsigned here[CASES_N];          /* found in it */
	bool in_credential, in_include;
	bool cut;
	char blind_folder[256]; /* hides its names */
	unsigned refused, closed, n_included;
	char included[INCLUDED_AT_MOST][SIZE];
};

static bool is_missing(struct attempt a)
{
	return a.reached && (a.error == ENOENT || a.error == ENOTDIR);
}

/* ---------------------------------------------------------------- one file of settings */

static void take_found(struct repositories *all, int i, const char *path, struct attempt a)
{
	settle(all->trial, i, a);
	all->found[i]++;
	report_object(all->trial, case_of(all->trial, i)->name, path);
}

static void take_store(struct repositories *all, const char *path)
{
	char one;
	struct attempt a = try_read(all->trial, path, &one, 1);

	if (a.value > 0)
		take_found(all, STORE, path, a);
	else if (!is_missing(a) && all->closed++ < REFUSALS)
		settle(all->trial, STORE, found_nothing(a), .path = path, .right = RIGHT_READ);
	explicit_bzero(&one, 1);
}

/* A path as settings name it: "~/x", "/x", "x" beside them; its end is a quote or, of words, a blank. */
static bool find_named(const struct repositories *all, const char *text, const char *ends, char *path)
{
	const char *home = all->home ? all->home : given_variable("HOME");
	const char *slash = strrchr(all->path, '/');
	int n = text[0] == '/' ? 0 : (int)(slash + 1 - all->path);

	if (n >= SIZE)
		return false;
	if (text[0] == '~' && text[1] == '/' && home)
		n = format_text(path, SIZE, "%s", home), text++;
	else
		memcpy(path, all->path, (size_t)n);
	format_text(path + n, (size_t)(SIZE - n), "%s", text);
	n += (int)strcspn(path + n, ends);
	path[n] = '\0';
	return n < SIZE - 1;
}

/* The value of "key = value", if the key ends so; NULL otherwise. */
static const char *value_of(const char *line, const char *key)
{
	size_t n = strcspn(line, "= \t"), length = strlen(key);

	if (n < length || strncasecmp(line + n - length, key, length) != 0)
		return NULL;
	line += n;
	line += strspn(line, " \t");
	if (*line != '=')
		return NULL;
	line++;
	return line + strspn(line, " \t\"");
}

static bool has_secret(const char *text)
{
	enum shape shape = shape_of(NULL, text, NULL);

	return shape == SHAPE_CREDENTIAL || shape == SHAPE_KEY;
}

/* "store --file ~/.logins" */
static void take_helper(struct repositories *all, const char *value)
{
	const char *file = strstr(value, "--file");
	char path[SIZE];

	if (file && file[6] && find_named(all, file + 7, " \t\"\r", path))
		take_store(all, path);
}

static void take_setting(struct repositories *all, const char *line)
{
	const char *value = value_of(line, "");

	if (!value)
		return;
	if (all->in_credential) {
		value = value_of(line, "helper");
		if (value)
			take_helper(all, value);
		return;
	}
	all->here[REMOTE] += has_secret(value);
	value = value_of(line, "extraheader");
	all->here[HEADER] += value && *value;
	value = all->in_include ? value_of(line, "path") : NULL;
	if (!value)
		return;
	if (all->n_included == INCLUDED_AT_MOST ||
	    !find_named(all, value, "\"\r", all->included[all->n_included]))
		all->cut = true;
	else
		all->n_included++;
}

static bool take_line(void *context, char *line)
{
	struct repositories *all = context;
	const char *quote;

	line += strspn(line, " \t\xef\xbb\xbf"); /* the mark that some editors put first */
	if (*line == '[') {
		all->in_credential = strncasecmp(line, "[credential", 11) == 0;
		all->in_include = strncasecmp(line, "[include", 8) == 0;
		all->here[SECTION] += all->in_credential;
		/* [url "https://user:password@host/"] */
		quote = strchr(line, '"');
		all->here[REMOTE] += quote && has_secret(quote + 1);
		/* [http] extraheader = … */
		line += strcspn(line, "]");
		line += strspn(line, "] \t");
	}
	take_setting(all, line);
	return true;
}

static bool is_known(struct repositories *all, const char *path)
{
	struct object object;
	uint64_t key = keyed_hash(all->trial, path, strlen(path));

	if (attempt_worked(try_stat(all->trial, AT_FDCWD, path, 0, &object)))
		key = object.dev << 40 ^ object.ino;
	for (unsigned i = 0; i < all->configs; i++)
		if (all->known[i] == key)
			return true;
	if (all->configs < CONFIGS_AT_MOST)
		all->known[all->configs] = key;
	return false;
}

static void refuse(struct repositories *all, const char *path, struct attempt a)
{
	if (all->refused++ >= REFUSALS)
		return;
	for (int i = REMOTE; i <= SECTION; i++)
		settle(all->trial, i, a, .path = path, .right = RIGHT_READ);
}

static void read_one(struct repositories *all, const char *path)
{
	struct attempt a;

	if (all->configs == CONFIGS_AT_MOST) {
		all->cut = true;
		return;
	}
	if (is_known(all, path))
		return;
	memset(all->here, 0, sizeof all->here);
	all->in_credential = all->in_include = false;
	all->path = path;
	a = try_lines(all->trial, path, take_line, all);
	if (is_missing(a) || a.error == EISDIR)
		return;
	if (!attempt_worked(a)) {
		refuse(all, path, a);
		return;
	}
	all->configs++;
	for (int i = REMOTE; i <= SECTION; i++)
		if (all->here[i])
			take_found(all, i, path, a);
}

static void read_config(struct repositories *all, const char *path)
{
	char included[SIZE];

	read_one(all, path);
	while (all->n_included > 0) {
		memcpy(included, all->included[--all->n_included], SIZE);
		read_one(all, included);
	}
}

static void read_in(struct repositories *all, const char *folder, const char *rest)
{
	char path[SIZE];

	if (format_text(path, sizeof path, "%s/%s", folder, rest) < SIZE - 1)
		read_config(all, path);
}

/* ---------------------------------------------------------------- repositories */

/* modules/NAME/config, modules/A/modules/B/config, worktrees/NAME/config.worktree */
static enum search_step take_inner(void *context, const struct search_entry *entry)
{
	if (entry->type == DT_REG && starts_with(entry->name, "config") &&
	    (entry->name[6] == '\0' || strcmp(entry->name, "config.worktree") == 0))
		read_config(context, entry->path);
	return entry->type == DT_DIR && (is_package_folder(entry->name) ||
					 strcmp(entry->name, "refs") == 0 ||
					 strcmp(entry->name, "logs") == 0 ||
					 strcmp(entry->name, "hooks") == 0) ? SEARCH_PASS :
									      SEARCH_ON;
}

static void look_into(struct repositories *all, const char *folder, const char *rest)
{
	struct folder_search inner = { .trial = all->trial, .depth = INNER_STOREYS,
				       .at_most = ENTRIES_AT_MOST / 4, .each = take_inner,
				       .context = all };
	char path[SIZE];

	if (format_text(path, sizeof path, "%s/%s", folder, rest) >= SIZE - 1)
		return;
	if (!is_missing(search_folder(&inner, path)))
		all->cut |= inner.cut;
}

static void take_repository(struct repositories *all, const char *folder)
{
	read_in(all, folder, "config");
	read_in(all, folder, "config.worktree");
	look_into(all, folder, "modules");
	look_into(all, folder, "worktrees");
}

/* "gitdir: ../.git/modules/x": a submodule, or a worktree whose repository lies elsewhere; or a link. */
static void follow(struct repositories *all, const struct search_entry *entry)
{
	struct git_place git;

	if (attempt_worked(find_git(all->trial, entry->path, &git))) {
		take_repository(all, git.folder);
		if (strcmp(git.folder, git.common) != 0)
			take_repository(all, git.common);
	} else if (entry->type == DT_DIR) {
		take_repository(all, entry->path);
	}
}

/* A repository without a checkout has its parts where others have their work. */
static bool take_bare(struct repositories *all, const char *folder)
{
	bool is_bare = is_bare_repository(all->trial, folder);

	if (is_bare)
		take_repository(all, folder);
	return is_bare;
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct repositories *all = context;

	if (strcmp(entry->name, ".git") == 0) {
		follow(all, entry);
		return SEARCH_PASS;
	}
	if (strcmp(entry->name, ".git-credentials") == 0)
		take_store(all, entry->path);
	if (entry->type != DT_DIR)
		return SEARCH_ON;
	if (matches_pattern("*.git", entry->name))
		take_repository(all, entry->path);
	return is_package_folder(entry->name) || take_bare(all, entry->path) ? SEARCH_PASS :
									       SEARCH_ON;
}

static void search_in(void *context, const char *folder, bool shallow)
{
	struct repositories *all = context;
	struct folder_search search = { .trial = all->trial, .depth = shallow ? 1 : STOREYS,
					.at_most = ENTRIES_AT_MOST, .each = take_entry,
					.context = all };
	struct attempt a = search_folder(&search, folder);

	take_bare(all, folder);
	all->cut |= search.cut;
	/* Where no form of open is let through, no name would help. */
	if (!a.reached && strcmp(a.call, "getdents64") != 0) {
		for (int i = 0; i < CASES_N; i++)
			settle(all->trial, i, a);
		return;
	}
	if (!is_missing(a) && !all->blind_folder[0])
		memcpy(all->blind_folder, search.blind_folder, sizeof all->blind_folder);
}

/* A folder of settings: ~/.config, or another in its stead. */
static void take_settings(struct repositories *all, const char *folder)
{
	char path[SIZE];

	read_in(all, folder, "git/config");
	if (format_text(path, sizeof path, "%s/git/credentials", folder) < SIZE - 1)
		take_store(all, path);
}

/* ~/.gitconfig and the system's are read by every repository. */
static bool search_home(void *context, const char *home)
{
	struct repositories *all = context;
	char path[SIZE];

	all->home = home;
	read_in(all, home, ".gitconfig");
	format_text(path, sizeof path, "%s/.config", home);
	take_settings(all, path);
	search_in(all, home, false);
	return true;
}

/* Which settings are whose may be said, too. */
static void take_variables(struct repositories *all)
{
	static const char *const names[] = { "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM" };
	const char *folder = given_variable("XDG_CONFIG_HOME"), *path;

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		path = given_variable(names[i]);
		if (path && path[0] == '/')
			read_config(all, path);
	}
	if (folder && folder[0] == '/')
		take_settings(all, folder);
}

static void attempt(struct trial *trial)
{
	struct repositories all = { .trial = trial };

	read_config(&all, "/etc/gitconfig");
	take_variables(&all);
	all.cut |= !each_workspace(trial, search_in, &all);
	all.cut |= !each_home(trial, search_home, &all);
	note_number(trial, WHOLE, "settings_read", all.configs);
	for (int i = 0; i < CASES_N; i++) {
		if (all.found[i]) {
			note_number(trial, i, "count", all.found[i]);
			continue;
		}
		settle(trial, i, found_in_process(false));
		if (all.cut)
			settle_unknown(trial, i, REASON_TIMED_OUT);
		else if (all.blind_folder[0])
			settle_not_listed(trial, i, all.blind_folder);
	}
}

const struct scenario scenario_secret_repository = {
	.about = ABOUT(
		.title = "Read credentials in the settings of repositories",
		.accessed = "Code in the sandbox can read credentials in the settings of "
			    "repositories.",
		.denied = "Code in the sandbox finds no credentials in the settings of any "
			  "repository.",
		.why = "Checkouts keep the password or token by which they were fetched, and it "
		       "often opens more than the one repository.",
		.see = "T1552.001",
		.open = "B --ro-bind $D/repo /workspace",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(APART),
	CASES(cases),
	.attempt = attempt,
};
