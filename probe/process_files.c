/* SPDX-License-Identifier: MIT */
/*
 * Files that another process runs, reads as its script, writes to or works in. Each is told by the
 * path that leads to it from our own root; what does not lie below that root is none of ours.
 */
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "probe/text.h"
#include "probe/trial.h"

enum { PATH_SIZE = 512, ARGUMENTS = 65536, SCRIPTS_AT_MOST = 8, LOGS_AT_MOST = 8 };

struct finder {
	struct trial *trial;
	const struct process *process;
	void (*each)(void *context, enum process_file kind, const char *path);
	void *context;
	char folder[PATH_SIZE]; /* that it works in; "": not told */
	unsigned found;         /* logs */
	bool untold[N_PROCESS_FILES];
};

static bool is_own_program(const struct object *object)
{
	return origin()->probe_ino && object->dev == origin()->probe_dev &&
	       object->ino == origin()->probe_ino;
}

/* What a link in /proc leads to, if its text leads to the same from our root. */
static struct attempt follow(struct finder *finder, const char *name, char *path,
			     struct object *object)
{
	char link[64];
	struct object seen;
	struct attempt a;

	format_text(link, sizeof link, "/proc/%d/%s", finder->process->pid, name);
	a = try_readlink(finder->trial, link, path, PATH_SIZE);
	if (!attempt_worked(a))
		return a;
	if (path[0] != '/')
		return found_nothing(a);
	a = try_stat(finder->trial, AT_FDCWD, link, 0, object);
	if (!attempt_worked(a))
		return a;
	a = try_stat(finder->trial, AT_FDCWD, path, 0, &seen);
	if (!attempt_worked(a))
		return a;
	return seen.dev == object->dev && seen.ino == object->ino ? a : found_nothing(a);
}

/* ---------------------------------------------------------------- program and folder */

/* By its first argument: a path, or a name that is looked up where commands lie. */
static bool guess_program(struct finder *finder, const char *word)
{
	static const char *const folders[] = { "/usr/bin", "/bin", "/usr/sbin", "/sbin",
					       "/usr/local/bin" };
	char path[PATH_SIZE];
	struct object object;

	for (unsigned i = 0; i < (strchr(word, '/') ? 1 : sizeof folders / sizeof *folders); i++) {
		if (word[0] == '/')
			format_text(path, sizeof path, "%s", word);
		else
			format_text(path, sizeof path, "%s/%s", folders[i], word);
		if (!attempt_worked(try_stat(finder->trial, AT_FDCWD, path, 0, &object)) ||
		    !S_ISREG(object.mode))
			continue;
		if (!is_own_program(&object))
			finder->each(finder->context, PROCESS_PROGRAM, path);
		return true;
	}
	return false;
}

/* Of another root, but what the link itself leads to may be altered all the same. */
static bool find_program(struct finder *finder, const char *first_word)
{
	char path[PATH_SIZE];
	struct object object = { 0 };
	struct attempt a = follow(finder, "exe", path, &object);

	if (object.ino && is_own_program(&object))
		return true;
	if (!attempt_worked(a) && object.ino)
		format_text(path, sizeof path, "/proc/%d/exe", finder->process->pid);
	if (!object.ino)
		return guess_program(finder, first_word);
	finder->each(finder->context, PROCESS_PROGRAM, path);
	return true;
}

static bool find_folder(struct finder *finder)
{
	char path[PATH_SIZE];
	struct object object = { 0 };
	struct attempt a = follow(finder, "cwd", path, &object);

	if (attempt_worked(a)) {
		format_text(finder->folder, sizeof finder->folder, "%s", path);
		finder->each(finder->context, PROCESS_FOLDER, path);
	}
	return attempt_worked(a) || object.ino;
}

/* ---------------------------------------------------------------- scripts */

/* True: what follows are arguments of what it starts, which is us. */
static bool take_word(struct finder *finder, const char *word, unsigned *scripts)
{
	char path[PATH_SIZE];
	struct object object;
	int n;

	if (word[0] == '-' || word[0] == '\0')
		return false;
	if (word[0] != '/' && !finder->folder[0]) {
		finder->untold[PROCESS_SCRIPT] = true;
		return false;
	}
	n = format_text(path, sizeof path, "%s%s%s", word[0] == '/' ? "" : finder->folder,
			word[0] == '/' || ends_with(finder->folder, "/") ? "" : "/", word);
	if (n >= (int)sizeof path - 1 ||
	    !attempt_worked(try_stat(finder->trial, AT_FDCWD, path, 0, &object)) ||
	    !S_ISREG(object.mode))
		return false;
	if (is_own_program(&object))
		return true;
	if (++*scripts <= SCRIPTS_AT_MOST)
		finder->each(finder->context, PROCESS_SCRIPT, path);
	else
		finder->untold[PROCESS_SCRIPT] = true;
	return false;
}

/* Launchers of sandboxes have long ones: all their mounts. */
static struct attempt read_arguments(struct finder *finder, char text[ARGUMENTS + 1])
{
	char path[64];

	format_text(path, sizeof path, "/proc/%d/cmdline", finder->process->pid);
	return try_text(finder->trial, path, text, ARGUMENTS + 1);
}

static void find_scripts(struct finder *finder, const char *text, size_t n)
{
	unsigned scripts = 0, pass = 0;

	for (size_t at = strlen(text) + 1; at < n; at += strlen(text + at) + 1) {
		const char *word = text + at;

		/* What bubblewrap mounts, and where, it does not run. */
		if (starts_with(word, "--") && strstr(word, "bind"))
			pass = 2;
		else if (pass > 0)
			pass--;
		else if (take_word(finder, word, &scripts))
			return;
	}
	/* What starts us stands at the end. */
	finder->untold[PROCESS_SCRIPT] |= n >= ARGUMENTS;
}

/* ---------------------------------------------------------------- logs */

static bool take_descriptor(void *context, const char *name, unsigned char type)
{
	struct finder *finder = context;
	char link[32], path[PATH_SIZE];
	struct object object = { 0 };
	struct attempt a;

	(void)type;
	format_text(link, sizeof link, "fd/%s", name);
	a = follow(finder, link, path, &object);
	finder->untold[PROCESS_LOG] |= !a.reached || a.error == EACCES || a.error == EPERM;
	if (!attempt_worked(a) || !S_ISREG(object.mode))
		return true;
	/* Its outputs, and what calls itself a log. */
	if (strcmp(name, "1") != 0 && strcmp(name, "2") != 0 && !strstr(path, ".log"))
		return true;
	finder->each(finder->context, PROCESS_LOG, path);
	finder->untold[PROCESS_LOG] |= ++finder->found == LOGS_AT_MOST;
	return finder->found < LOGS_AT_MOST;
}

unsigned each_process_file(struct trial *trial, const struct process *process,
			   void (*each)(void *context, enum process_file kind, const char *path),
			   void *context)
{
	struct finder finder = {
		.trial = trial, .process = process, .each = each, .context = context
	};
	static char text[ARGUMENTS + 1];
	char folder[64];
	struct attempt a;
	unsigned told = 0;

	if (!process->listed && !process->told)
		return 0;
	told |= (unsigned)find_folder(&finder) << PROCESS_FOLDER;
	a = read_arguments(&finder, text);
	told |= (unsigned)find_program(&finder, text) << PROCESS_PROGRAM;
	if (attempt_worked(a))
		find_scripts(&finder, text, (size_t)a.value);
	told |= (unsigned)(attempt_worked(a) && !finder.untold[PROCESS_SCRIPT]) << PROCESS_SCRIPT;
	explicit_bzero(text, sizeof text);
	format_text(folder, sizeof folder, "/proc/%d/fd", process->pid);
	a = try_list(trial, folder, take_descriptor, &finder);
	return told | (unsigned)(attempt_worked(a) && !finder.untold[PROCESS_LOG]) << PROCESS_LOG;
}

bool find_own_program(struct trial *trial, char *path, size_t size)
{
	struct object object;
	const char *given = (const char *)getauxval(AT_EXECFN);

	if (attempt_worked(try_readlink(trial, "/proc/self/exe", path, size)) && path[0] == '/' &&
	    attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) && is_own_program(&object))
		return true;
	if (!given || given[0] != '/')
		return false;
	format_text(path, size, "%s", given);
	return attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) &&
	       (!origin()->probe_ino || is_own_program(&object));
}
