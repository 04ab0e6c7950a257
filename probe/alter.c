/* SPDX-License-Identifier: MIT */
/*
 * Could a place be altered that others run or trust? Whether a file opens, could be replaced, a
 * folder takes an entry, or a missing file could be created is one question with four ways; this is
 * the one place that asks it. Nothing foreign is written.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/identity.h"
#include "probe/text.h"
#include "probe/trial.h"

/* By how much they tell: what is there already is trusted, what is missing may be. */
enum way { CREATED, ENTERED, REPLACED, OPENED };
static const char *const way_names[] = { "creatable", "takes entries", "replaceable", "opens" };

enum { PATH_SIZE = 512, MATCHES = 8, TRIED_AT_MOST = 256, LINKS = 4, LISTED_AT_MOST = 4096 };

static bool is_missing(struct attempt a)
{
	return a.reached && (a.error == ENOENT || a.error == ENOTDIR);
}

/* ---------------------------------------------------------------- what is said */

/* How much a place tells: above all where it lies, then what could be done. */
static uint8_t telling_of(enum mount_from from, enum way way)
{
	static const uint8_t order[] = { [FROM_SANDBOX] = 0, [FROM_IMAGE] = 1, [FROM_NOT_TOLD] = 2,
					 [FROM_OUTSIDE] = 3 };

	return (uint8_t)(order[from] * 4 + way + 1);
}

/* Where only mounts from outside count: what lies elsewhere is gone before anybody trusts it. */
static void settle_elsewhere(struct alterations *all, int case_index, const char *path,
			     struct attempt a, enum mount_from from)
{
	struct mount_facts mount;

	note_text(all->trial, case_index, "not_counted", mount_from_name(from));
	/* A root file system may be thrown away with the sandbox, or not. */
	if (from == FROM_NOT_TOLD ||
	    (from == FROM_IMAGE && !(ask_mount(all->trial, path, &mount) &&
				     mount.type == 0x794c7630 /* OVERLAYFS_SUPER_MAGIC */)))
		settle_unknown(all->trial, case_index, REASON_NO_VIEW);
	else
		settle(all->trial, case_index, found_nothing(a));
}

/* `existing`: the object, or the folder in which it would be made. */
static void settle_found(struct alterations *all, int case_index, const char *path,
			 const char *existing, enum way way, struct attempt a)
{
	enum mount_from from = ask_mount_from(all->trial, existing);
	uint8_t telling = telling_of(from, way);

	if (all->outside_only && from != FROM_OUTSIDE) {
		settle_elsewhere(all, case_index, existing, a, from);
		return;
	}
	settle(all->trial, case_index, a);
	all->places++;
	if (all->places <= RECORD_OBJECTS)
		report_object(all->trial, way_names[way], path);
	if (telling > all->most)
		all->most = telling;
	if (telling <= all->telling[case_index])
		return;
	all->telling[case_index] = telling;
	note_text(all->trial, case_index, "by", way_names[way]);
	note_text(all->trial, case_index, "path", path);
	note_text(all->trial, case_index, "mount", mount_from_name(from));
}

void note_alterations(struct alterations *all)
{
	static const enum mount_from order[] = { FROM_SANDBOX, FROM_IMAGE, FROM_NOT_TOLD,
						 FROM_OUTSIDE };

	note_number(all->trial, WHOLE, "places", all->places);
	if (all->most)
		note_text(all->trial, WHOLE, "mount",
			  mount_from_name(order[(all->most - 1) / 4]));
}

/* ---------------------------------------------------------------- folders */

/* The same folder is asked many times in a row: for each file that it does not hold. */
static struct attempt ask_entry(struct alterations *all, const char *folder)
{
	if (strcmp(all->last.folder, folder) != 0) {
		all->last.attempt = try_dir_write(all->trial, folder);
		format_text(all->last.folder, sizeof all->last.folder, "%s", folder);
	}
	return all->last.attempt;
}

static void settle_no_entry(struct alterations *all, int case_index, const char *folder,
			    struct attempt a)
{
	/* Nobody tried, for it could not be removed; where it does not count that is no matter. */
	if (a.error == ECANCELED && all->outside_only) {
		enum mount_from from = ask_mount_from(all->trial, folder);

		if (from != FROM_OUTSIDE) {
			settle_elsewhere(all, case_index, folder, found_in_process(false), from);
			return;
		}
	}
	settle(all->trial, case_index, a, .path = folder, .right = RIGHT_ENTRY,
	       .id_unmapped = unmapped_refuses(all->trial, folder, a, RIGHT_ENTRY,
					       CAP_DAC_OVERRIDE));
}

/* Where a link leads, from the root on. False: it is none, or leads from another's root on. */
static bool read_target(struct alterations *all, const char *link, char target[PATH_SIZE])
{
	char text[PATH_SIZE], folder[PATH_SIZE] = "";

	if (starts_with(link, "/proc/") ||
	    try_readlink(all->trial, link, text, sizeof text).value <= 0)
		return false;
	if (text[0] != '/')
		parent_folder(link, folder, sizeof folder);
	return format_text(target, PATH_SIZE, "%s%s%s", folder, folder[0] ? "/" : "", text) <
	       PATH_SIZE;
}

/* As the name of an entry: these are in every folder, and nobody's to remove. */
static bool is_dots(const char *path)
{
	return ends_with(path, "/.") || ends_with(path, "/..");
}

/*
 * What is not to be altered itself may go with a folder above that can be moved away, and another
 * be put in its place; so may what a link on the way leads to. Beyond a mount point that matters
 * only where the one who trusts it comes the same way: on a mount from outside.
 */
static bool settle_replaced_at(struct alterations *all, int case_index, const char *path,
			       const char *existing, bool crossed, unsigned links)
{
	char at[PATH_SIZE], above[PATH_SIZE], target[PATH_SIZE];

	format_text(at, sizeof at, "%s", existing);
	while (at[0] == '/' && at[1]) {
		parent_folder(at, above, sizeof above);
		if (!is_dots(at) && attempt_worked(ask_entry(all, above))) {
			struct attempt a = try_removable(all->trial, at);

			if (attempt_worked(a) &&
			    (!crossed || ask_mount_from(all->trial, above) == FROM_OUTSIDE)) {
				note_flag(all->trial, case_index, "proxy", true);
				settle_found(all, case_index, path, above, REPLACED, a);
				return true;
			}
		}
		if (links > 0 && read_target(all, at, target) &&
		    settle_replaced_at(all, case_index, path, target, crossed, links - 1))
			return true;
		crossed = crossed || is_mount_root(all->trial, at);
		format_text(at, sizeof at, "%s", above);
	}
	return false;
}

static bool settle_replaced(struct alterations *all, int case_index, const char *path,
			    const char *existing)
{
	return settle_replaced_at(all, case_index, path, existing, false, LINKS);
}

static uint64_t hash_of(const struct alterations *all, const char *path)
{
	return keyed_hash(all->trial, path, strlen(path));
}

static bool take_point(void *context, const struct mount_line *mount)
{
	struct alterations *all = context;
	char folder[PATH_SIZE];

	if (all->n_above == sizeof all->above / sizeof *all->above) {
		all->no_view = true;
		return false;
	}
	parent_folder(mount->point, folder, sizeof folder);
	all->above[all->n_above++] = hash_of(all, folder);
	return true;
}

/* May another mount lie in this folder, one that takes what its own mount refuses? */
static bool may_hold_mounts(struct alterations *all, const char *folder)
{
	char real[1024];

	if (!all->looked) {
		all->looked = true;
		if (!attempt_worked(each_mount(all->trial, take_point, all)))
			all->no_view = true;
	}
	if (all->no_view || !real_path(all->trial, folder, real, sizeof real))
		return true;
	for (unsigned i = 0; i < all->n_above; i++)
		if (all->above[i] == hash_of(all, real))
			return true;
	return false;
}

struct listing {
	struct alterations *all;
	int case_index;
	const char *folder;
};

static void alter_entry(struct alterations *all, int case_index, const char *path,
			const struct object *object);

/* The cheap question first: most entries are not ours to write. */
static bool take_entry(void *context, const char *name, unsigned char type)
{
	struct listing *listing = context;
	struct alterations *all = listing->all;
	char path[PATH_SIZE];
	struct object object;
	struct attempt a;
	int n = format_text(path, sizeof path, "%s/%s", listing->folder, name);

	(void)type;
	if (n >= (int)sizeof path || starts_with(name, ".sandboxeval-"))
		return true;
	/* Where no access check is let through, opening may be. */
	a = try_access(all->trial, path, 2 /* W_OK */);
	if ((!attempt_worked(a) && a.reached) ||
	    !attempt_worked(try_place(all->trial, path, &object)) || all->tried == TRIED_AT_MOST)
		return true;
	all->tried++;
	alter_entry(all, listing->case_index, path, &object);
	return true;
}

/* Of a folder that may be entered and not be listed, files may be opened by name. */
static void settle_unlisted(struct alterations *all, int case_index, const char *path,
			    struct attempt listed)
{
	bool unseen = attempt_worked(listed) ? listed.value >= LISTED_AT_MOST :
		      listed.reached ? ask_dac(all->trial, path, RIGHT_READ) == DAC_REFUSES :
				       listed.nr == __NR_getdents64;
	struct attempt a;

	if (!unseen)
		return;
	a = try_access(all->trial, path, 1 /* X_OK */);
	if (a.reached && !attempt_worked(a))
		return;
	note_text(all->trial, case_index, "not_visible", path);
	settle_unknown(all->trial, case_index, REASON_NO_VIEW);
}

static void alter_folder(struct alterations *all, int case_index, const char *path, bool entries)
{
	struct attempt a = ask_entry(all, path);
	struct listing listing = { all, case_index, path };

	if (trial_is_outside(all->trial) && !is_below_scratch(all->trial, path))
		note_flag(all->trial, case_index, "proxy", true);
	if (attempt_worked(a)) {
		settle_found(all, case_index, path, path, ENTERED, a);
		return;
	}
	settle_no_entry(all, case_index, path, a);
	if (settle_replaced(all, case_index, path, path))
		return;
	/* Where the whole mount is read-only, only another mount in it is worth a look. */
	if (entries && (!a.reached || a.error != EROFS || may_hold_mounts(all, path)))
		settle_unlisted(all, case_index, path,
				try_list(all->trial, path, take_entry, &listing));
}

/* ---------------------------------------------------------------- files */

static void alter_file(struct alterations *all, int case_index, const char *path,
		       const struct object *object, unsigned kind, bool is_entry)
{
	struct attempt a = try_open_for_writing(all->trial, case_index, path,
						is_entry && object->mode & 0111 ? PLACE_PROGRAM :
										  kind);

	if (attempt_worked(a)) {
		settle_found(all, case_index, path, path, OPENED, a);
		return;
	}
	/*
	 * A program, and a security module that may name it alone: not asked, not told. The folder
	 * that it lies in has refused.
	 */
	if (is_entry && a.error == ECANCELED)
		return;
	settle(all->trial, case_index, a, .path = path, .right = RIGHT_WRITE,
	       .id_unmapped = unmapped_refuses(all->trial, path, a, RIGHT_WRITE,
					       CAP_DAC_OVERRIDE));
	settle_replaced(all, case_index, path, path);
}

static void alter_entry(struct alterations *all, int case_index, const char *path,
			const struct object *object)
{
	struct attempt a;

	if (!S_ISDIR(object->mode)) {
		alter_file(all, case_index, path, object, 0, true);
		return;
	}
	a = try_dir_write(all->trial, path);
	if (attempt_worked(a))
		settle_found(all, case_index, path, path, ENTERED, a);
	else if (a.error != ECANCELED)
		settle_no_entry(all, case_index, path, a);
}

/*
 * A home lacks most of what is asked for, and its folder refuses each alike: the controls are asked
 * once.
 */
static bool settle_as_before(struct alterations *all, int case_index, const char *folder)
{
	struct case_record *part = record_part(all->trial->record, case_index);

	if (!part || !part->settled || strcmp(all->refused.folder, folder) != 0)
		return false;
	if (part->status != STATUS_ACCESSED)
		part->barriers |= all->refused.barriers;
	return true;
}

static void settle_refused(struct alterations *all, int case_index, const char *path,
			   const char *folder, struct attempt a)
{
	struct case_record *part = record_part(all->trial->record, case_index);
	barrier_set before = part ? part->barriers : 0;

	if (!part)
		return;
	part->barriers = 0;
	settle_no_entry(all, case_index, folder, a);
	all->refused.barriers = part->barriers;
	part->barriers |= before;
	/* Of a case that is settled otherwise nothing was learnt. */
	all->refused.folder[0] = '\0';
	if (!settle_replaced(all, case_index, path, folder) && part->status == STATUS_DENIED)
		format_text(all->refused.folder, sizeof all->refused.folder, "%s", folder);
}

/* Nothing there: the nearest folder above decides, for folders on the way can be made, too. */
static void alter_missing(struct alterations *all, int case_index, const char *path,
			  struct attempt looked)
{
	char folder[PATH_SIZE], above[PATH_SIZE];
	struct object object;
	struct attempt a;

	if (!all->absent[case_index])
		settle(all->trial, case_index, looked, .path = path);
	all->absent[case_index] = true;
	format_text(folder, sizeof folder, "%s", path);
	/* A link that leads nowhere may be replaced; and who writes to it makes what it leads to. */
	for (unsigned i = 0; i < LINKS && read_target(all, folder, above); i++) {
		if (i == 0)
			settle_replaced(all, case_index, path, path);
		format_text(folder, sizeof folder, "%s", above);
	}
	do {
		parent_folder(folder, above, sizeof above);
		format_text(folder, sizeof folder, "%s", above);
		a = try_stat(all->trial, AT_FDCWD, folder, 0, &object);
	} while (is_missing(a) && folder[0] == '/' && folder[1]);
	if (attempt_worked(a) && !S_ISDIR(object.mode))
		settle_replaced(all, case_index, path, folder);
	if (!attempt_worked(a) || !S_ISDIR(object.mode))
		return;
	if (settle_as_before(all, case_index, folder))
		return;
	a = ask_entry(all, folder);
	if (attempt_worked(a))
		settle_found(all, case_index, path, folder, CREATED, a);
	else
		settle_refused(all, case_index, path, folder, a);
}

/* Where no form of stat is let through, writing may be. */
static void alter_unseen(struct alterations *all, int case_index, const char *path)
{
	struct attempt a = try_open_for_writing(all->trial, case_index, path, 0);

	if (attempt_worked(a))
		settle_found(all, case_index, path, path, OPENED, a);
	else
		settle_unknown(all->trial, case_index, REASON_CONTROL_FAILED);
}

void settle_alteration(struct alterations *all, int case_index, const char *path, unsigned kind)
{
	struct object object;
	struct attempt a = try_place(all->trial, path, &object);

	all->asked |= UINT64_C(1) << case_index;
	if (!a.reached)
		alter_unseen(all, case_index, path);
	else if (is_missing(a))
		alter_missing(all, case_index, path, a);
	else if (settle_unseen(all->trial, case_index, path, a))
		settle_replaced(all, case_index, path, path);
	else if (S_ISDIR(object.mode))
		alter_folder(all, case_index, path, !(kind & PLACE_FOLDER));
	else
		alter_file(all, case_index, path, &object, kind, false);
}

/* ---------------------------------------------------------------- patterns */

struct matches {
	const char *prefix, *suffix;
	size_t n_prefix, n_suffix;
	unsigned n;
	char names[MATCHES][64]; /* in order, so that two runs agree */
};

static bool take_match(void *context, const char *name, unsigned char type)
{
	struct matches *matches = context;
	size_t n = strlen(name);
	unsigned at = matches->n;

	(void)type;
	if (n < matches->n_prefix + matches->n_suffix || n >= sizeof matches->names[0] ||
	    strncmp(name, matches->prefix, matches->n_prefix) != 0 ||
	    strncmp(name + n - matches->n_suffix, matches->suffix, matches->n_suffix) != 0)
		return true;
	while (at > 0 && strcmp(matches->names[at - 1], name) > 0)
		at--;
	if (at == MATCHES)
		return true;
	if (matches->n < MATCHES)
		matches->n++;
	memmove(matches->names[at + 1 < MATCHES ? at + 1 : at], matches->names[at],
		(at + 1 < MATCHES ? matches->n - at - 1 : 0) * sizeof *matches->names);
	memcpy(matches->names[at], name, n + 1);
	return true;
}

/* Nothing fits. In a home it could be made; elsewhere nobody would look at it. */
static void settle_no_match(struct alterations *all, int case_index, char *path, char *star,
			    const char *folder, struct attempt listed, bool in_home)
{
	struct object object;
	struct attempt a = try_stat(all->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object);

	/* Where no name is looked up, nothing is reached that a list would show. */
	if (a.reached && !attempt_worked(a) && !is_missing(a)) {
		settle(all->trial, case_index, a, .path = path, .right = RIGHT_STAT);
		return;
	}
	if (attempt_worked(listed) ? listed.value < LISTED_AT_MOST : is_missing(listed)) {
		*star = '\0';
		if (in_home)
			settle_alteration(all, case_index, path, 0);
		else
			settle(all->trial, case_index, found_nothing(listed), .path = path);
		return;
	}
	/* Nothing can be opened at all, and so not for writing. */
	if (!attempt_worked(listed) && !listed.reached &&
	    strcmp(listed.call, "getdents64") != 0) {
		settle(all->trial, case_index, listed);
		return;
	}
	note_text(all->trial, case_index, "not_visible", folder);
	settle_unknown(all->trial, case_index, REASON_NO_VIEW);
}

/* A path whose "*" stands for whatever fits; `path` is used up. */
static void settle_pattern(struct alterations *all, int case_index, char *path, unsigned kind,
			   bool in_home)
{
	char *star = strchr(path, '*'), *head = star, *tail, folder[PATH_SIZE];
	struct matches matches = { .n = 0 };
	struct attempt listed;

	if (!star) {
		settle_alteration(all, case_index, path, kind);
		return;
	}
	while (head > path && head[-1] != '/')
		head--;
	tail = star + strcspn(star, "/");
	matches.prefix = head;
	matches.n_prefix = (size_t)(star - head);
	matches.suffix = star + 1;
	matches.n_suffix = (size_t)(tail - star - 1);
	format_text(folder, sizeof folder, "%s", path);
	folder[head - path - 1 > 0 ? head - path - 1 : 1] = '\0';
	listed = try_list(all->trial, folder, take_match, &matches);
	for (unsigned i = 0; i < matches.n; i++) {
		char place[PATH_SIZE];

		format_text(place, sizeof place, "%s/%s%s", folder, matches.names[i], tail);
		settle_alteration(all, case_index, place, kind);
	}
	if (!matches.n)
		settle_no_match(all, case_index, path, star, folder, listed, in_home);
}

/* All alternatives of a case that lie in a home (`home`), or all that do not (NULL). */
static void settle_alternatives(struct alterations *all, int case_index, const char *home)
{
	const struct case_def *part = case_of(all->trial, case_index);
	const char *next = part->path;

	for (size_t n; next && *next; next += n + (next[n] == '|')) {
		char pattern[PATH_SIZE], path[PATH_SIZE];

		n = strcspn(next, "|");
		if (n >= sizeof pattern || (*next == '~') != (home != NULL))
			continue;
		memcpy(pattern, next, n);
		pattern[n] = '\0';
		if (format_text(path, sizeof path, "%s%s", home ? home : "",
				pattern + (home ? 1 : 0)) < (int)sizeof path)
			settle_pattern(all, case_index, path, part->kind, home != NULL);
	}
}

static bool take_home(void *context, const char *home)
{
	struct alterations *all = context;
	unsigned n = trial_scenario(all->trial)->n_cases;

	for (unsigned i = 0; i < n; i++)
		if (case_is_planned(all->trial, (int)i))
			settle_alternatives(all, (int)i, home);
	return true;
}

void settle_alterations(struct alterations *all)
{
	const struct scenario *scenario = trial_scenario(all->trial);
	bool homes = false;

	for (unsigned i = 0; i < scenario->n_cases && i < ALTERATION_CASES; i++) {
		if (!case_is_planned(all->trial, (int)i))
			continue;
		settle_alternatives(all, (int)i, NULL);
		homes |= cases_of(scenario)[i].path && strchr(cases_of(scenario)[i].path, '~');
	}
	if (homes)
		each_home(all->trial, take_home, all);
}

void settle_declared_alterations(struct alterations *all, int case_index, unsigned kind)
{
	const char *name = case_of(all->trial, case_index)->path;
	char path[PATH_SIZE];

	if (!case_is_planned(all->trial, case_index))
		return;
	for (size_t at = 0; next_target(all->trial, name, &at, path, sizeof path);)
		settle_alteration(all, case_index, path, kind);
}

/* ---------------------------------------------------------------- variables */

/* A path: absolute, or from where we stand on; behind an option only the former. */
static void settle_word(struct alterations *all, int case_index, const char *word, size_t n,
			bool is_path)
{
	char path[PATH_SIZE];
	const char *slash = memchr(word, '/', n), *cwd = origin()->cwd;
	size_t used = 0;

	if (n > 0 && (word[0] == '/' || (word[0] == '-' && slash))) {
		n -= (size_t)(slash - word);
		word = slash;
	} else if (cwd[0] == '/' && (is_path || (n > 0 && word[0] == '.'))) {
		used = add_text(path, sizeof path, used, cwd);
		used = add_text(path, sizeof path, used, n > 0 && cwd[1] ? "/" : "");
	} else {
		return;
	}
	if (used + n >= sizeof path)
		return;
	memcpy(path + used, word, n);
	path[used + n] = '\0';
	settle_alteration(all, case_index, path, 0);
}

/* Each path in a value: alone, in a list, behind an option ("-I/lib", "--require=/x"). */
static void settle_value(struct alterations *all, int case_index, const char *name,
			 const char *value)
{
	bool is_list = ends_with(name, "PATH") || ends_with(name, "LIB"), more = true;
	bool is_path = is_list || ends_with(name, "ENV") || ends_with(name, "STARTUP");

	while (more) {
		/* An empty member is where one stands, too. */
		size_t n = strcspn(value, is_list ? ":" : ": \t,=\n");

		settle_word(all, case_index, value, n, is_path);
		more = value[n];
		value += n + more;
	}
}

void settle_variables(struct alterations *all, int set, int places, const char *const names[],
		      unsigned n)
{
	char given[300] = "";
	size_t used = 0;

	for (unsigned i = 0; i < n; i++) {
		const char *value = given_variable(names[i]);

		if (!value || !*value)
			continue;
		used = add_text(given, sizeof given, used, used ? " " : "");
		used = add_text(given, sizeof given, used, names[i]);
		settle_value(all, places, names[i], value);
	}
	if (used)
		note_text(all->trial, set, "variables", given);
	settle(all->trial, set, found_in_process(used > 0));
	/* None is set, or what is set names no place. */
	if (!(all->asked & UINT64_C(1) << places))
		settle(all->trial, places, found_in_process(false));
}

static bool take_below(void *context, const struct mount_line *mount)
{
	const char **folder = context;
	size_t n = strlen(*folder);

	if (strncmp(mount->point, *folder, n) == 0 && mount->point[n] == '/')
		*folder = NULL;
	return *folder != NULL;
}

/* Is all below a folder read-only, whatever lies there, and nothing above to be moved away? */
static bool is_shut(struct alterations *all, const char *folder)
{
	char at[PATH_SIZE], above[PATH_SIZE];
	const char *no_mount_below = folder;
	struct mount_facts mount;

	if (!ask_mount(all->trial, folder, &mount) || !mount.flags_told ||
	    !(mount.flags & 1 /* ST_RDONLY */))
		return false;
	/* Behind a link mounts are called otherwise, and there are more folders above. */
	if (!real_path(all->trial, folder, at, sizeof at) || strcmp(at, folder) != 0)
		return false;
	while (at[0] == '/' && at[1]) {
		parent_folder(at, above, sizeof above);
		if (attempt_worked(ask_entry(all, above)))
			return false;
		format_text(at, sizeof at, "%s", above);
	}
	return attempt_worked(each_mount(all->trial, take_below, &no_mount_below)) &&
	       no_mount_below;
}

bool settle_shut(struct alterations *all, const char *folder)
{
	struct attempt a;

	if (!is_shut(all, folder))
		return false;
	a = ask_entry(all, folder);
	for (unsigned i = 0; !attempt_worked(a) && i < trial_scenario(all->trial)->n_cases; i++) {
		all->asked |= UINT64_C(1) << i;
		settle_no_entry(all, (int)i, folder, a);
	}
	return !attempt_worked(a);
}

void settle_unasked(struct alterations *all)
{
	for (unsigned i = 0; i < trial_scenario(all->trial)->n_cases; i++)
		if (!(all->asked & UINT64_C(1) << i))
			settle(all->trial, (int)i, found_in_process(false));
}

void settle_all_alterations(struct trial *trial)
{
	struct alterations all = { .trial = trial };

	settle_alterations(&all);
	note_alterations(&all);
}
