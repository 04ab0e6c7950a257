/* SPDX-License-Identifier: MIT */
/*
 * The folders from "/" to the one being read stay open, one descriptor and one buffer each, so
 * that every folder is read once, every name is looked up relative to its folder, and a rename
 * above us changes nothing:
 *
 *	levels[0]  /          buffer: … usr ▸var …     getdents64 goes on where it was
 *	levels[1]  /var       buffer: … ▸lib …
 *	levels[2]  /var/lib   buffer: ▸apt …
 */
#include "probe/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/statfs.h>
#include <time.h>

#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "probe/rights.h"
#include "probe/text.h"
#include "probe/trial.h"

#define MOST_ENTRIES 1000000
#define MOST_NS INT64_C(3000000000)
#define MOST_CPU_NS INT64_C(750000000)
#define CHECK_EVERY 256 /* entries between two looks at the clock */
#define GUARD_MS 4000   /* for a call that hangs; the walk itself ends before */
#define MOST_VISITORS 256
#define GUESSED 96 /* bytes of a name that was not listed but guessed; aligned */

enum bound { BOUND_NONE, BOUND_DEPTH, BOUND_ENTRIES, BOUND_TIME, BOUND_KILLED, BOUND_MEANS };

/* The shared region: written by the walk's child, sealed after it. */
struct walk_view {
	struct walk_forms forms;
	uint32_t started, finished;
	uint32_t bound;
	uint64_t entries, folders, unlisted, deepest, contradictions, untold;
	unsigned n_tallies;
	struct tally tallies[];
};

struct open_folder {
	int fd;
	size_t path_length; /* of the folder's own path */
	uint64_t mount_type;
	struct file_facts facts;
	struct folder_trust trust;
	bool in_scratch, is_listed;
	unsigned readable, writable, executable;
	size_t used, at; /* bytes in the buffer, and where the next entry begins */
	_Alignas(8) char buffer[32768];
};

static struct walk_view *view;
/* Which tally a scenario has, by its row; -1: none. */
static int16_t tally_of_row[1024];
static struct {
	void (*visit)(const struct walk_entry *entry, struct tally *tally);
	struct tally *tally;
} visitors[MOST_VISITORS];

/* The walker's own state: used in its child only. */
static struct open_folder levels[WALK_DEPTH];
static char path[WALK_DEPTH * 257 + 64];
static size_t path_length;
static int64_t end_ns;
static struct {
	uint64_t dev, ino;
} scratch[8];
static unsigned n_scratch;
static bool is_testable;

/* ---------------------------------------------------------------- what is not walked */

/* Pseudo file systems hold no files, network ones may hang, autofs would mount something. */
static const struct {
	uint64_t type;
	const char *name;
} skipped[] = {
	{ 0x9fa0, "proc" },           { 0x62656572, "sysfs" },      { 0x27e0eb, "cgroup" },
	{ 0x63677270, "cgroup2" },    { 0x1cd1, "devpts" },         { 0x19800202, "mqueue" },
	{ 0x64626720, "debugfs" },    { 0x74726163, "tracefs" },    { 0x73636673, "securityfs" },
	{ 0xcafe4a11, "bpf" },        { 0x6165676c, "pstore" },     { 0x62656570, "configfs" },
	{ 0x65735543, "fusectl" },    { 0x42494e4d, "binfmt_misc" }, { 0xde5e81e4, "efivarfs" },
	{ 0xf97cff8c, "selinuxfs" },  { 0x43415d53, "smackfs" },    { 0x958458f6, "hugetlbfs" },
	{ 0x6e736673, "nsfs" },       { 0x67596969, "rpc_pipefs" }, { 0x7655821, "resctrl" },
	{ 0x0187, "autofs" },         { 0x6969, "nfs" },            { 0xff534d42, "cifs" },
	{ 0xfe534d42, "smb2" },       { 0x517b, "smb" },            { 0x00c36400, "ceph" },
	{ 0x5346414f, "openafs" },    { 0x6b414653, "afs" },        { 0x73757245, "coda" },
	{ 0x0bd00bd0, "lustre" },
};
#define OVERLAY_TYPE 0x794c7630

static bool is_skipped(uint64_t type)
{
	for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
		if (skipped[i].type == type)
			return true;
	return false;
}

/* 0: not told. Works on a descriptor opened with O_PATH, which mounts nothing. */
static uint64_t mount_type(int fd)
{
	struct statfs facts = { 0 };

	/* A filter may refuse or feign the one and not the other; `path` is where the descriptor is. */
	if (raw(__NR_fstatfs, fd, &facts) < 0 || !facts.f_type)
		raw(__NR_statfs, path_length ? path : "/", &facts);
	return (uint32_t)facts.f_type;
}

/* Where no call tells the type, the name must do. */
static bool is_kernels(uint64_t type)
{
	return is_skipped(type) || (!type && (!strcmp(path, "/proc") || !strcmp(path, "/sys")));
}

/* ---------------------------------------------------------------- bounds */

static bool is_time_over(void)
{
	struct timespec spent = { 0 };

	if (now_ns() >= end_ns)
		return true;
	return raw(__NR_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &spent) == 0 &&
	       spent.tv_sec * INT64_C(1000000000) + spent.tv_nsec >= MOST_CPU_NS;
}

/* A folder that did not open for want of our own descriptors or memory was not refused: a cut. */
static void note_failure(long error)
{
	bool is_ours = error == -EMFILE || error == -ENFILE || error == -ENOMEM;

	if (is_ours && view->bound <= BOUND_DEPTH)
		view->bound = BOUND_MEANS;
}

static bool is_bound_reached(void)
{
	if (view->entries >= MOST_ENTRIES)
		view->bound = BOUND_ENTRIES;
	else if (view->entries % CHECK_EVERY == 0 && is_time_over())
		view->bound = BOUND_TIME;
	return view->bound == BOUND_ENTRIES || view->bound == BOUND_TIME;
}

/* ---------------------------------------------------------------- visiting */

static void visit(struct walk_entry *entry, const struct file_facts *facts, unsigned depth)
{
	entry->path = path_length ? path : "/";
	/* Behind the path of the folder above, and a slash; the root has no name. */
	entry->name = depth ? path + levels[depth - 1].path_length + 1 : path;
	entry->depth = (int)depth;
	entry->mode = facts->mode;
	entry->uid = facts->uid;
	entry->gid = facts->gid;
	if (depth > view->deepest)
		view->deepest = depth;
	if (entry->refused)
		view->contradictions += (unsigned)__builtin_popcount(entry->refused);
	for (unsigned i = 0; i < view->n_tallies; i++)
		visitors[i].visit(entry, visitors[i].tally);
}

static bool is_own_file(const struct file_facts *facts)
{
	return facts->ino == origin()->probe_ino && facts->dev == origin()->probe_dev;
}

static void visit_plain(struct open_folder *level, const char *name, const struct file_facts *facts,
			unsigned depth)
{
	struct walk_entry entry = { .is_plain = true, .in_scratch = level->in_scratch };
	/* What cannot be told of our own program says nothing of the others. */
	struct folder_trust apart = level->trust;

	entry.is_own = is_own_file(facts);
	entry.rights = file_rights(&view->forms, level->fd, name, facts,
				   entry.is_own ? &apart : &level->trust, &entry.refused);
	if (!entry.is_own) {
		level->readable += !!(entry.rights & RIGHT_READ);
		level->writable += !!(entry.rights & RIGHT_WRITE);
		level->executable += !!(entry.rights & RIGHT_EXECUTE);
	}
	visit(&entry, facts, depth);
}

/* A folder whose entries are not read: refused, or below the last level. */
static void visit_unlisted(struct open_folder *parent, const char *name,
			   const struct file_facts *facts, bool in_scratch, unsigned depth)
{
	struct walk_entry entry = { .is_folder = true, .in_scratch = in_scratch };
	long fd = walk_open(&view->forms, parent->fd, name, O_PATH | O_DIRECTORY);

	if (fd >= 0) {
		entry.rights = folder_rights(&view->forms, (int)fd, facts, &parent->trust,
					     &entry.refused);
		raw(__NR_close, fd);
	}
	visit(&entry, facts, depth);
}

/* ---------------------------------------------------------------- folders */

static bool is_scratch(const struct file_facts *facts)
{
	for (unsigned i = 0; i < n_scratch; i++)
		if (scratch[i].ino == facts->ino && scratch[i].dev == facts->dev)
			return true;
	return false;
}

/* A bind mount of a folder below itself: its entries were seen already. */
static bool is_above(unsigned depth, const struct file_facts *facts)
{
	for (unsigned i = 0; i < depth; i++)
		if (levels[i].facts.ino == facts->ino && levels[i].facts.dev == facts->dev)
			return true;
	return false;
}

static void begin_level(struct open_folder *level, int fd, const struct file_facts *facts,
			uint64_t type, bool in_scratch)
{
	level->fd = fd;
	level->path_length = path_length;
	level->mount_type = type;
	level->facts = *facts;
	level->trust = (struct folder_trust){ .on_overlay = type == OVERLAY_TYPE,
					      .is_testable = is_testable };
	level->in_scratch = in_scratch;
	level->is_listed = false;
	level->readable = level->writable = level->executable = 0;
	level->used = level->at = 0;
}

static void leave_level(unsigned depth)
{
	struct open_folder *level = &levels[depth];
	struct walk_entry entry = { .is_folder = true, .is_listed = level->is_listed,
				    .in_scratch = level->in_scratch, .readable = level->readable,
				    .writable = level->writable, .executable = level->executable };

	path_length = level->path_length;
	path[path_length] = '\0';
	view->untold += level->trust.untold;
	if (level->is_listed)
		view->folders++;
	else
		view->unlisted++;
	entry.rights = folder_rights(&view->forms, level->fd, &level->facts, &level->trust,
				     &entry.refused);
	visit(&entry, &level->facts, depth);
	raw(__NR_close, level->fd);
}

/* The type of the mount that a folder is on; asked only where the device changes. */
static uint64_t type_below(const struct open_folder *parent, const char *name,
			   const struct file_facts *facts)
{
	uint64_t type = parent->mount_type;
	long fd;

	if (facts->dev == parent->facts.dev)
		return type;
	/* Without O_DIRECTORY, which would mount what is mounted when it is walked into. */
	fd = walk_open(&view->forms, parent->fd, name, O_PATH);
	if (fd < 0)
		return type;
	type = mount_type((int)fd);
	raw(__NR_close, fd);
	return type;
}

/* True when the folder became a level of its own. */
static bool enter_folder(unsigned depth, const char *name, const struct file_facts *facts)
{
	struct open_folder *parent = &levels[depth];
	uint64_t type = type_below(parent, name, facts);
	bool in_scratch = parent->in_scratch || is_scratch(facts);
	long fd;

	if (is_kernels(type) || is_above(depth + 1, facts))
		return false;
	if (depth + 1 == WALK_DEPTH) {
		if (view->bound == BOUND_NONE)
			view->bound = BOUND_DEPTH;
		visit_unlisted(parent, name, facts, in_scratch, depth + 1);
		return false;
	}
	fd = walk_open(&view->forms, parent->fd, name, O_RDONLY | O_DIRECTORY);
	if (fd < 0) {
		note_failure(fd);
		view->unlisted++;
		visit_unlisted(parent, name, facts, in_scratch, depth + 1);
		return false;
	}
	begin_level(&levels[depth + 1], (int)fd, facts, type, in_scratch);
	return true;
}

/* ---------------------------------------------------------------- entries */

/* What getdents64 fills in; every C library has it under another name. */
struct listed {
	uint64_t ino;
	int64_t next;
	unsigned short length;
	unsigned char type;
	char name[];
};

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* The next entry besides "." and "..", or NULL: none is left. */
static const struct listed *next_entry(struct open_folder *level)
{
	for (;;) {
		const struct listed *entry;

		if (level->at + offsetof(struct listed, name) >= level->used) {
			long n = raw(__NR_getdents64, level->fd, level->buffer,
				     sizeof level->buffer);

			if (n >= 0)
				level->is_listed = true;
			if (n <= 0)
				return NULL;
			level->used = (size_t)n;
			level->at = 0;
		}
		entry = (const struct listed *)(level->buffer + level->at);
		/* Never zero from a kernel; an emulator's mistake must not hold us here. */
		level->at += entry->length ? entry->length : sizeof level->buffer;
		if (!is_dots(entry->name))
			return entry;
	}
}

static bool append_name(const struct open_folder *level, const char *name)
{
	path_length = add_text(path, sizeof path, level->path_length, "/");
	path_length = add_text(path, sizeof path, path_length, name);
	return path_length + 1 < sizeof path;
}

/* True when the entry is a folder that became a level of its own. */
static bool take_entry(unsigned depth, const struct listed *listed)
{
	struct open_folder *level = &levels[depth];
	struct walk_entry entry = { .in_scratch = level->in_scratch };
	struct file_facts facts = { .mode = 0 };
	long error;

	if (!append_name(level, listed->name))
		return false;
	/* Links, devices and sockets count as entries; their type is all that is looked at. */
	if (listed->type != DT_REG && listed->type != DT_DIR && listed->type != DT_UNKNOWN) {
		facts.mode = (uint32_t)listed->type << 12;
		visit(&entry, &facts, depth + 1);
		return false;
	}
	error = walk_stat(&view->forms, level->fd, listed->name, &facts);
	if (error == -ENOENT) /* gone meanwhile, or only guessed */
		return false;
	/* Listed, but not to be searched: the name is all there is. */
	if (error < 0) {
		entry.is_folder = listed->type == DT_DIR;
		entry.is_plain = listed->type == DT_REG;
		view->unlisted += entry.is_folder;
		visit(&entry, &facts, depth + 1);
		return false;
	}
	if (facts.is_folder)
		return enter_folder(depth, listed->name, &facts);
	if (facts.is_plain)
		visit_plain(level, listed->name, &facts, depth + 1);
	else
		visit(&entry, &facts, depth + 1);
	return false;
}

/* ---------------------------------------------------------------- the walk */

static void find_scratch(void)
{
	const char *folders[8];
	unsigned n = scratch_folders(NULL, folders);

	n_scratch = 0;
	for (unsigned i = 0; i < n && i < 8; i++) {
		struct file_facts facts;
		/* The path may end in a link; we want the folder. */
		long fd = raw(__NR_openat, AT_FDCWD, folders[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (walk_stat(&view->forms, (int)fd, ".", &facts) == 0) {
			scratch[n_scratch].dev = facts.dev;
			scratch[n_scratch++].ino = facts.ino;
		}
		raw(__NR_close, fd);
	}
}

/* "code" of "/code/src rw", unless it is there already. */
static void guess_name(struct open_folder *root, const char *path_text)
{
	struct listed *entry = (struct listed *)(root->buffer + root->used);
	size_t n = 0;

	while (*path_text == '/')
		path_text++;
	while (path_text[n] && !strchr("/: \n", path_text[n]))
		n++;
	if (n == 0 || n >= GUESSED - offsetof(struct listed, name) ||
	    root->used + GUESSED > sizeof root->buffer)
		return;
	for (size_t at = 0; at < root->used; at += GUESSED) {
		const char *known = ((struct listed *)(root->buffer + at))->name;

		if (strncmp(known, path_text, n) == 0 && known[n] == '\0')
			return;
	}
	entry->type = DT_UNKNOWN;
	entry->length = GUESSED;
	memcpy(entry->name, path_text, n);
	entry->name[n] = '\0';
	root->used += GUESSED;
}

/* The fifth word of each line of mountinfo is a place; so may be the values of variables. */
static void guess_from_process(struct open_folder *root)
{
	static char text[65536];
	long fd = raw(__NR_openat, AT_FDCWD, "/proc/self/mountinfo",
		      O_RDONLY | O_NONBLOCK | O_CLOEXEC), n;
	size_t used = 0;

	while (fd >= 0 && (n = raw(__NR_read, fd, text + used, sizeof text - 1 - used)) > 0)
		used += (size_t)n;
	if (fd >= 0)
		raw(__NR_close, fd);
	text[used] = '\0';
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		const char *word = line + (*line == '\n');

		for (unsigned i = 0; word && i < 4; i++) {
			word = strchr(word, ' ');
			word += word != NULL;
		}
		if (word)
			guess_name(root, word);
		line += *line == '\n';
	}
	guess_name(root, origin()->cwd);
	for (char **variable = origin()->environment; variable && *variable; variable++) {
		const char *value = strchr(*variable, '=');

		if (value && value[1] == '/')
			guess_name(root, value + 1);
	}
}

/* A root that cannot be listed can perhaps be searched: everybody knows what to look for. */
static void guess_names(struct open_folder *root)
{
	static const char names[][16] = {
		"app", "bin", "boot", "data", "dev", "etc", "home", "host", "lib",
		"lib64", "media", "mnt", "nix", "opt", "root", "run", "sandbox", "sbin",
		"srv", "tmp", "usr", "var", "work", "workdir", "workspace",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		guess_name(root, names[i]);
	guess_from_process(root);
}

static bool enter_root(void)
{
	struct file_facts facts;
	long fd = walk_open(&view->forms, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
	bool is_guessed = fd < 0;

	path[0] = '\0';
	path_length = 0;
	if (walk_stat(&view->forms, AT_FDCWD, "/", &facts) < 0)
		memset(&facts, 0, sizeof facts);
	if (is_guessed)
		fd = walk_open(&view->forms, AT_FDCWD, "/", O_PATH | O_DIRECTORY);
	if (fd < 0) {
		note_failure(fd);
		view->unlisted++;
		return false;
	}
	begin_level(&levels[0], (int)fd, &facts, mount_type((int)fd), false);
	if (is_guessed)
		guess_names(&levels[0]);
	return true;
}

/* Opens and closes a folder; true: the call succeeded. */
static bool can_open(long fd)
{
	if (fd >= 0)
		raw(__NR_close, fd);
	return fd >= 0;
}

/*
 * A filter may look at what only we do: start from an open folder, or say how to open. Then we
 * cannot walk, but others can reach what we would have found.
 */
static bool is_hindered(bool is_open)
{
	static const unsigned long asked[6] = { (unsigned long)AT_FDCWD, 0, 0, AT_SYMLINK_NOFOLLOW };
	struct file_facts facts;
	char buffer[512]; /* larger than any of the kernel's records */
	int root = is_open ? levels[0].fd : -1;
	uint64_t flags = O_RDONLY | O_DIRECTORY;
	bool by_path = can_open(raw(__NR_openat, AT_FDCWD, "/", O_RDONLY)) ||
		       can_open(raw(__NR_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY));

	if (by_path && (!is_open || !can_open(walk_open(&view->forms, root, ".", flags))))
		return can_open(raw(__NR_openat, AT_FDCWD, "/.", O_RDONLY));
	if (is_open && walk_stat(&view->forms, root, ".", &facts) == 0)
		return !facts.is_folder; /* feigned */
	return is_open &&
	       /* What cannot be looked at can be opened all the same. */
	       (filter_refuses(ask_filter(NULL, __NR_newfstatat, asked, NULL)) ||
		raw(__NR_statx, AT_FDCWD, "/.", 0, STATX_BASIC_STATS, buffer) >= 0 ||
		raw(__NR_newfstatat, AT_FDCWD, "/.", buffer, 0) >= 0);
}

static void walk(void *unused)
{
	int depth = 0;

	(void)unused;
	view->started = 1;
	end_ns = now_ns() + MOST_NS;
	walk_forms_find(&view->forms);
	find_scratch();
	if (!enter_root())
		depth = -1;
	if (is_hindered(depth == 0))
		view->bound = BOUND_MEANS;
	while (depth >= 0) {
		const struct listed *listed = next_entry(&levels[depth]);

		if (listed)
			view->entries++;
		if (!listed)
			leave_level((unsigned)depth--);
		else if (take_entry((unsigned)depth, listed))
			depth++;
		/* Cut: the open folders were listed as far as we came. */
		while (listed && depth >= 0 && is_bound_reached())
			leave_level((unsigned)depth--);
	}
	view->finished = 1;
}

/* What a hostile or killed child may have left in the region must not harm its readers. */
static void repair_tallies(void)
{
	for (unsigned i = 0; i < view->n_tallies; i++) {
		struct tally *tally = &view->tallies[i];

		if (tally->n_objects > 16)
			tally->n_objects = 16;
		for (unsigned k = 0; k < 16; k++)
			tally->objects[k][sizeof tally->objects[k] - 1] = '\0';
	}
}

/* Starts from nothing, with what is known of the calls. */
static void empty_view(size_t size)
{
	uint32_t lethal = view->forms.lethal;
	unsigned n = view->n_tallies;

	memset(view, 0, size);
	view->forms.lethal = lethal;
	view->forms.trying = -1;
	view->n_tallies = n;
}

static void run_walk(size_t size)
{
	const struct guard_options guard = { .deadline_ms = GUARD_MS, .cpu_seconds = 2 };

	/* A filter that kills tells one call each time; those are done without. */
	for (int tries = 0; tries <= N_WALK_CALLS; tries++) {
		struct cell cell = { .pid = 0 };
		enum ending ending;

		empty_view(size);
		ending = guard_run(&cell, &guard, walk, NULL);
		if (ending == ENDING_NOT_STARTED)
			walk(NULL);
		if (view->finished)
			return;
		view->bound = ending == ENDING_DEADLINE ? BOUND_TIME : BOUND_KILLED;
		if (ending != ENDING_SIGSYS || view->forms.trying < 0 ||
		    view->forms.trying >= N_WALK_CALLS)
			return;
		filter_mark_lethal(walk_call_number((enum walk_call)view->forms.trying));
		view->forms.lethal |= 1u << view->forms.trying;
	}
}

void walk_make_view(const bool selected[])
{
	unsigned n = 0;
	size_t size;

	memset(tally_of_row, -1, sizeof tally_of_row);
	for (unsigned i = 0; i < scenario_registry_count && i < 1024; i++)
		if (selected[i] && scenario_registry[i].scenario->visit && n < MOST_VISITORS)
			tally_of_row[i] = (int16_t)n++;
	if (n == 0)
		return;
	size = sizeof *view + n * sizeof(struct tally);
	view = shared_memory(size);
	if (!view)
		return;
	view->n_tallies = n;
	for (unsigned i = 0; i < scenario_registry_count && i < 1024; i++) {
		if (tally_of_row[i] < 0)
			continue;
		visitors[tally_of_row[i]].visit = scenario_registry[i].scenario->visit;
		visitors[tally_of_row[i]].tally = &view->tallies[tally_of_row[i]];
	}
	is_testable = options.level >= LEVEL_TOUCH && !trial_is_outside(NULL);
	run_walk(size);
	view->n_tallies = n;
	repair_tallies();
	seal_memory(view, size);
}

struct walk_result walk_result(const struct trial *trial)
{
	static const char *const bounds[] = { NULL,   "depth",  "entries",
					      "time", "killed", "descriptors" };
	static struct tally nothing; /* not const: 4 KiB of zeros need no place in the file */
	struct walk_result result = { .tally = &nothing };

	if (!view || !view->started || trial->index >= 1024 || tally_of_row[trial->index] < 0)
		return result;
	/* Killed at the very start, say by a filter: not made, so that others ask why. */
	result.made = view->entries > 0 || view->finished;
	result.bound = bounds[view->bound <= BOUND_MEANS ? view->bound : BOUND_MEANS];
	/* Ten levels are what is searched, so more folders below them cut nothing. */
	result.complete = view->finished && view->bound <= BOUND_DEPTH;
	result.entries = view->entries;
	result.folders = view->folders;
	result.unlisted = view->unlisted;
	result.deepest = view->deepest;
	result.contradictions = view->contradictions;
	result.untold = view->untold;
	result.tally = &view->tallies[tally_of_row[trial->index]];
	return result;
}

void tally_object(struct tally *tally, const char *object)
{
	if (tally->n_objects >= 16)
		return;
	add_text(tally->objects[tally->n_objects++], sizeof *tally->objects, 0, object);
}
