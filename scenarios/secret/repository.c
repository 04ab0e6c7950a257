/* SPDX-License-Identifier: MIT */
/*
 * Credentials in the settings of repositories: passwords in addresses of remotes, headers that a
 * pipeline adds to every request, sections that name a helper. The settings are read line by line
 * for their presence; what they are is told to nobody.
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

enum { CONFIGS_AT_MOST = 64, ENTRIES_AT_MOST = 16384, STOREYS = 4, INNER_STOREYS = 6, SIZE = 512 };

struct repositories {
	struct trial *trial;
	unsigned configs, found[CASES_N];
	uint64_t known[CONFIGS_AT_MOST]; /* device and number of those read */
	const char *path;                /* being read */
	unsigned here[CASES_N];          /* found in it */
	bool in_credential;
	bool cut, blind;
	unsigned refused;
};

static bool is_missing(struct attempt a)
{
	return a.reached && (a.error == ENOENT || a.error == ENOTDIR);
}

/* ---------------------------------------------------------------- one file of settings */

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
	return line + strspn(line, " \t");
}

static bool has_secret(const char *address)
{
	enum shape shape = shape_of(NULL, address, NULL);

	return shape == SHAPE_CREDENTIAL || shape == SHAPE_KEY;
}

static bool take_line(void *context, char *line)
{
	struct repositories *all = context;
	const char *value;

	line += strspn(line, " \t");
	if (*line == '[') {
		all->in_credential = strncasecmp(line, "[credential", 11) == 0;
		all->here[SECTION] += all->in_credential;
		/* [url "https://user:password@host/"] */
		value = strchr(line, '"');
		all->here[REMOTE] += value && has_secret(value + 1);
		return true;
	}
	value = value_of(line, "url");
	all->here[REMOTE] += value && has_secret(value);
	value = value_of(line, "extraheader");
	all->here[HEADER] += value && *value;
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

static void take_found(struct repositories *all, int i, const char *path, struct attempt a)
{
	settle(all->trial, i, a);
	all->found[i]++;
	report_object(all->trial, case_of(all->trial, i)->name, path);
}

static void refuse(struct repositories *all, const char *path, struct attempt a)
{
	if (all->refused++ >= 4)
		return;
	for (int i = REMOTE; i <= SECTION; i++)
		settle(all->trial, i, a, .path = path, .right = RIGHT_READ);
}

static void read_config(struct repositories *all, const char *path)
{
	struct attempt a;

	if (all->configs == CONFIGS_AT_MOST) {
		all->cut = true;
		return;
	}
	if (is_known(all, path))
		return;
	memset(all->here, 0, sizeof all->here);
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
	if (entry->type == DT_REG && strncmp(entry->name, "config", 6) == 0 &&
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

/* "gitdir: ../.git/modules/x": a submodule, or a worktree whose repository lies elsewhere. */
static void follow_file(struct repositories *all, const char *path)
{
	char text[SIZE], folder[SIZE];
	struct attempt a = try_read(all->trial, path, text, sizeof text - 1);
	size_t n;

	if (a.value <= 8)
		return;
	text[a.value] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	if (strncmp(text, "gitdir: ", 8) != 0)
		return;
	/* A relative place is one from the folder that holds the file. */
	n = text[8] == '/' ? 0 : (size_t)(strrchr(path, '/') + 1 - path);
	if (n + strlen(text + 8) >= sizeof folder)
		return;
	memcpy(folder, path, n);
	memcpy(folder + n, text + 8, strlen(text + 8) + 1);
	read_in(all, folder, "config");
	read_in(all, folder, "config.worktree");
	read_in(all, folder, "../../config");
}

static bool ends_so(const char *name, const char *end)
{
	size_t n = strlen(name), length = strlen(end);

	return n > length && strcmp(name + n - length, end) == 0;
}

static void take_store(struct repositories *all, const char *path)
{
	char one;
	struct attempt a = try_read(all->trial, path, &one, 1);

	if (a.value > 0)
		take_found(all, STORE, path, a);
	else if (!is_missing(a))
		settle(all->trial, STORE, found_nothing(a), .path = path, .right = RIGHT_READ);
	explicit_bzero(&one, 1);
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct repositories *all = context;

	if (strcmp(entry->name, ".git") == 0) {
		if (entry->type == DT_DIR)
			take_repository(all, entry->path);
		else
			follow_file(all, entry->path);
		return SEARCH_PASS;
	}
	if (strcmp(entry->name, ".git-credentials") == 0)
		take_store(all, entry->path);
	if (entry->type != DT_DIR)
		return SEARCH_ON;
	if (ends_so(entry->name, ".git")) {
		take_repository(all, entry->path);
		return SEARCH_PASS;
	}
	return is_package_folder(entry->name) ? SEARCH_PASS : SEARCH_ON;
}

static void search_in(void *context, const char *folder, bool shallow)
{
	struct repositories *all = context;
	struct folder_search search = { .trial = all->trial, .depth = shallow ? 1 : STOREYS,
					.at_most = ENTRIES_AT_MOST, .each = take_entry,
					.context = all };
	struct attempt a = search_folder(&search, folder);

	if (is_bare_repository(all->trial, folder))
		take_repository(all, folder);
	all->cut |= search.cut;
	/* Where no form of open is let through, no name would help. */
	if (!a.reached && strcmp(a.call, "getdents64") != 0) {
		for (int i = 0; i < CASES_N; i++)
			settle(all->trial, i, a);
		return;
	}
	all->blind |= !is_missing(a) && search.blind > 0;
}

/* ~/.gitconfig and the system's are read by every repository. */
static bool search_home(void *context, const char *home)
{
	read_in(context, home, ".gitconfig");
	read_in(context, home, ".config/git/config");
	search_in(context, home, false);
	return true;
}

static void attempt(struct trial *trial)
{
	struct repositories all = { .trial = trial };

	read_config(&all, "/etc/gitconfig");
	all.cut |= !each_workspace(trial, search_in, &all);
	each_home(trial, search_home, &all);
	note_number(trial, WHOLE, "settings_read", all.configs);
	for (int i = 0; i < CASES_N; i++) {
		if (all.found[i]) {
			note_number(trial, i, "count", all.found[i]);
			continue;
		}
		settle(trial, i, found_in_process(false));
		if (all.cut)
			settle_unknown(trial, i, REASON_TIMED_OUT);
		else if (all.blind)
			settle_unknown(trial, i, REASON_NO_VIEW);
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
