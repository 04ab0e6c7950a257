/* SPDX-License-Identifier: MIT */
/*
 * systemd-nspawn, with its plain defaults, on an empty root or on a user's root folder. The
 * probe is bound read-only below the container's own /run. A user's folder is put under an
 * overlay in memory (--volatile=overlay), because systemd-nspawn would make mount points and copy
 * files into it. All that a killed systemd-nspawn leaves is looked for by name, and removed.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "host/control_groups.h"
#include "host/leftovers.h"
#include "host/memory.h"
#include "host/sandbox.h"
#include "host/throwaway.h"

#define PROBE_PLACE "/run/sandboxeval-probe"
#define PACKAGE "systemd-container"
#define COPY ".#machine."

/* What stays of a launch until clean_up(). */
struct state {
	const char *machine; /* the last part of the launch's folder */
	char *root;
	char **made;      /* what the user's root lacks and systemd-nspawn may make there */
	char **locks;     /* its locks of the root that are not there yet */
	char **groups;    /* control groups with systemd-nspawn's names that are not ours */
	char **temporary; /* its temporary files that are not ours */
};

/* Without systemd there is no one to register with, and no scope to be put into. */
static bool systemd_is_there(void)
{
	return access("/run/systemd/system", F_OK) == 0;
}

/* ---------------------------------------------------------------- the user's arguments */

/* Options that take no value as a word of its own; after any other one may stand. */
static const char *const flags[] = {
	"-a",          "--as-pid2",       "-x",         "--ephemeral",
	"-q",          "--quiet",         "-U",         "--private-network",
	"-n",          "--network-veth",  "-j",         "--read-only",
	"--keep-unit", "--private-users", "--volatile", "-P",
	"--pipe",      "--share-system",  "--console",
};

/* Options that would take the place of what this launcher does itself. */
static const struct taken {
	const char *name, *way_out;
} taken[] = {
	{ "-b", "leave it out: the probe is started in place of an init" },
	{ "--boot", "leave it out: the probe is started in place of an init" },
	{ "-D", "name the root folder with --rootfs FOLDER, before the --" },
	{ "--directory", "name the root folder with --rootfs FOLDER, before the --" },
	{ "--template", "name the root folder with --rootfs FOLDER, before the --" },
	{ "-i", "mount the image, and name the root folder with --rootfs FOLDER" },
	{ "--image", "mount the image, and name the root folder with --rootfs FOLDER" },
	{ "--oci-bundle", "use the launcher runc" },
	{ "-M", "leave it out: each launch has a name of its own" },
	{ "--machine", "leave it out: each launch has a name of its own" },
};

static bool is_flag(const char *word)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (strcmp(word, flags[i]) == 0)
			return true;
	return false;
}

static bool check_word(const char *word, struct error *error)
{
	/* A short option's value may follow at once. */
	size_t n = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : 2;

	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		if (strlen(taken[i].name) != n || strncmp(word, taken[i].name, n) != 0)
			continue;
		error_set(error, EXIT_MISUSE, "systemd-nspawn's %s cannot be used here",
			  taken[i].name);
		return error_hint(error, "%s", taken[i].way_out);
	}
	return true;
}

static bool check_words(const struct sandbox_request *request, struct error *error)
{
	bool value_may_follow = false;

	for (unsigned i = 0; i < request->n_arguments; i++) {
		const char *word = request->arguments[i];
		bool is_value = value_may_follow && word[0] != '-';

		if (!is_value && (word[0] != '-' || strcmp(word, "--") == 0)) {
			error_set(error, EXIT_MISUSE,
				  "the systemd-nspawn arguments name a command: "
				  "%s",
				  word);
			return error_hint(error, "leave it out: the probe is the command");
		}
		if (!is_value && !check_word(word, error))
			return false;
		value_may_follow = !is_value && !is_flag(word) && !strchr(word, '=');
	}
	return true;
}

/* A read-only root, or a mode of its own: the user's, and then no overlay of ours. */
static bool chooses_the_root(const struct sandbox_request *request)
{
	for (unsigned i = 0; i < request->n_arguments; i++) {
		const char *word = request->arguments[i];

		if (strcmp(word, "--read-only") == 0 || strcmp(word, "-x") == 0 ||
		    strcmp(word, "--ephemeral") == 0 ||
		    strncmp(word, "--volatile", strlen("--volatile")) == 0)
			return true;
	}
	return false;
}

static bool check(const struct sandbox_request *request, struct error *error)
{
	struct stat about;
	char *program;

	if (request->image) {
		error_set(error, EXIT_MISUSE, "nspawn has no images by name");
		return error_hint(error, "name a root folder with --rootfs FOLDER");
	}
	if (request->rootfs && (stat(request->rootfs, &about) < 0 || !S_ISDIR(about.st_mode)))
		return error_set(error, EXIT_MISUSE, "there is no folder %s", request->rootfs);
	if (!check_words(request, error))
		return false;
	program = program_find("systemd-nspawn");
	if (!program) {
		error_set(error, EXIT_INCOMPLETE, "systemd-nspawn is not installed");
		return error_hint(error, "install it: apt-get install " PACKAGE);
	}
	free(program);
	if (geteuid() == 0)
		return true;
	error_set(error, EXIT_INCOMPLETE, "systemd-nspawn can be used by root only");
	return error_hint(error, "start this program with sudo");
}

/* ---------------------------------------------------------------- what it may leave */

/* In a root that is not under an overlay: those above before those below. */
static const char *const made_by_nspawn[] = {
	"dev", "etc", "etc/resolv.conf", "etc/localtime",   "proc", "root", "run", "sys",
	"tmp", "var", "var/log",         "var/log/journal", NULL,
};

/* The lock files that systemd-nspawn makes for a root folder, those that are not there yet. */
static char **missing_locks(const char *root)
{
	const char *name = strrchr(root, '/');
	struct stat about;
	char *locks[2], **missing = NULL;

	if (stat(root, &about) < 0)
		return NULL;
	locks[0] = print_text("%.*s/.#%s.lck", (int)(name - root), root, name + 1);
	locks[1] = print_text("/run/systemd/nspawn/locks/inode-%lu:%lu",
			      (unsigned long)about.st_dev, (unsigned long)about.st_ino);
	for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
		if (access(locks[i], F_OK) < 0)
			missing = list_add(missing, locks[i]);
		else
			free(locks[i]);
	return missing;
}

static char **control_groups(void)
{
	/* Made below the group that it was started in, when no scope is (--keep-unit). */
	static const char *const names[] = { "payload", "supervisor", NULL };

	return systemd_is_there() ? NULL : control_groups_find(names);
}

/* Those of a folder whose names begin so. */
static char **add_entries(char **found, const char *place, const char *prefix)
{
	DIR *folder = opendir(place);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
			found = list_add(found, print_text("%s/%s", place, entry->d_name));
	if (folder)
		closedir(folder);
	return found;
}

/*
 * Files that carry no name of ours: mount points in /tmp, which serve in systemd-nspawn's own
 * mount namespace only, the locks of ranges of ids, and beside the root its copies (--ephemeral)
 * with their locks.
 */
static char **temporary_files(const char *root)
{
	const char *name = strrchr(root, '/');
	char *parent = print_text("%.*s/", (int)(name - root), root);
	char *copies = print_text(COPY "%s", name + 1),
	     *locks = print_text(".#" COPY "%s", name + 1);
	char **found = add_entries(NULL, "/tmp", "nspawn-");

	found = add_entries(found, "/run/systemd/nspawn-uid", "");
	found = add_entries(found, parent, copies);
	found = add_entries(found, parent, locks);
	free(parent);
	free(copies);
	free(locks);
	return found;
}

static bool runs_elsewhere(void)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	bool found = false;

	while (processes && !found && (entry = readdir(processes))) {
		char path[64], name[32] = "";
		FILE *file;

		snprintf(path, sizeof path, "/proc/%.20s/comm", entry->d_name);
		file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "re")
									  : NULL;
		if (!file)
			continue;
		found = fgets(name, sizeof name, file) && strcmp(name, "systemd-nspawn\n") == 0;
		fclose(file);
	}
	if (processes)
		closedir(processes);
	return found;
}

static bool is_among(const char *path, char *const list[])
{
	for (size_t i = 0; list && list[i]; i++)
		if (strcmp(list[i], path) == 0)
			return true;
	return false;
}

/* What is in `now` and was not in `before`. Takes both lists. */
static char **new_ones(char **now, char *const before[])
{
	char **fresh = NULL;

	for (size_t i = 0; now && now[i]; i++)
		if (!is_among(now[i], before))
			fresh = list_add(fresh, copy_text(now[i]));
	list_free(now);
	return fresh;
}

/* A folder only if it is empty; links are not followed. */
static void remove_empty(const char *path)
{
	struct stat about;

	if (lstat(path, &about) < 0)
		return;
	if (S_ISDIR(about.st_mode))
		rmdir(path);
	else
		unlink(path);
}

/* A copy of a root holds files of anyone: rm does not lose its way when one of them is swapped. */
static void remove_copy(const char *path, const char *root)
{
	const char *const words[] = { "rm", "-rf", "--one-file-system", "--", path, NULL };
	struct stat copy, original;

	if (lstat(path, &copy) == 0 && stat(root, &original) == 0 && S_ISDIR(copy.st_mode) &&
	    copy.st_uid == original.st_uid)
		child_undo(words);
}

/*
 * Removing a mount point unmounts it wherever it is mounted, so those of another systemd-nspawn
 * must not be touched: with one alive nobody can tell whose they are, and they stay.
 */
static void remove_temporary(const struct state *state)
{
	char **fresh = new_ones(temporary_files(state->root), state->temporary);

	for (size_t i = 0; fresh && fresh[i] && !runs_elsewhere(); i++)
		if (strstr(fresh[i], "/" COPY))
			remove_copy(fresh[i], state->root);
		else
			remove_empty(fresh[i]);
	list_free(fresh);
}

/* ---------------------------------------------------------------- the launcher */

static void state_free(struct state *state)
{
	if (state) {
		free(state->root);
		list_free(state->made);
		list_free(state->locks);
		list_free(state->groups);
		list_free(state->temporary);
	}
	free(state);
}

/* All that systemd-nspawn asks of a root folder is /usr; the rest it makes. */
static bool make_root(const char *folder, char **ret_root, struct error *error)
{
	char *usr = print_text("%s/rootfs/usr", folder);

	*ret_root = print_text("%s/rootfs", folder);
	if (mkdir(*ret_root, 0755) < 0 || chmod(*ret_root, 0755) < 0 || mkdir(usr, 0755) < 0 ||
	    chmod(usr, 0755) < 0)
		error_set(error, EXIT_INTERNAL, "cannot make %s", usr);
	else
		folder = NULL;
	free(usr);
	return !folder;
}

/* A colon in the probe's path would end it there. */
static char *escape_colons(const char *path)
{
	char *escaped = new_array(2 * strlen(path) + 1, 1), *at = escaped;

	for (; *path; path++) {
		if (strchr(":\\", *path))
			*at++ = '\\';
		*at++ = *path;
	}
	return escaped;
}

static void command_line(const struct sandbox_request *request, const char *root, const char *probe,
			 char *const options[], struct launch *launch)
{
	const struct state *state = launch->state;
	char **shown = list_add(NULL, copy_text("systemd-nspawn")), **argv;
	char *source = escape_colons(probe);

	if (!systemd_is_there()) {
		shown = list_add(shown, copy_text("--register=no"));
		shown = list_add(shown, copy_text("--keep-unit"));
	}
	if (request->rootfs && !chooses_the_root(request))
		shown = list_add(shown, copy_text("--volatile=overlay"));
	argv = list_copy(shown);
	argv = list_add(argv, copy_text("--quiet"));
	argv = list_add(argv, copy_text("--pipe"));
	argv = list_add(argv, print_text("--machine=%s", state->machine));
	argv = list_add(argv, print_text("--directory=%s", root));
	argv = list_add(argv, print_text("--bind-ro=%s:" PROBE_PLACE, source));
	free(source);
	argv = list_join(argv, request->arguments);
	argv = list_add(argv, copy_text(PROBE_PLACE));
	launch->argv = list_join(argv, options);
	shown = list_join(shown, request->arguments);
	launch->report_argv = list_add(shown, copy_text("{probe}"));
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	char *root = NULL;
	struct state *state;

	if (!check(request, error))
		return false;
	*ret_launch = (struct launch){ .folder = throwaway_folder(NULL, error) };
	if (!ret_launch->folder)
		return false;
	if (request->rootfs)
		root = realpath(request->rootfs, NULL);
	if (request->rootfs ? !root : !make_root(ret_launch->folder, &root, error)) {
		if (request->rootfs)
			error_set(error, EXIT_MISUSE, "cannot reach %s", request->rootfs);
		throwaway_remove(ret_launch->folder);
		*ret_launch = (struct launch){ 0 };
		free(root);
		return false;
	}
	state = new_array(1, sizeof *state);
	state->machine = strrchr(ret_launch->folder, '/') + 1;
	state->root = root;
	state->groups = control_groups();
	state->temporary = temporary_files(root);
	state->locks = missing_locks(root);
	if (request->rootfs)
		state->made = leftovers_expect(root, made_by_nspawn);
	ret_launch->state = state;
	ret_launch->probe_path = copy_text(PROBE_PLACE);
	ret_launch->image = request->rootfs ? print_text("files of %s", request->rootfs)
					    : copy_text("empty image");
	command_line(request, root, probe, probe_options, ret_launch);
	return true;
}

static void clean_up(struct launch *launch)
{
	/* Folders in which a machine of this name has mounts or a socket out here. */
	static const char *const places[] = { "propagate", "unix-export" };
	struct state *state = launch->state;
	const char *const terminate[] = { "machinectl", "terminate", state->machine, NULL };
	char **groups;

	/* After a regular end there is no such machine, and machinectl says so: no matter. */
	if (systemd_is_there())
		child_undo(terminate);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *path = print_text("/run/systemd/nspawn/%s/%s", places[i], state->machine);

		if (access(path, F_OK) == 0) {
			umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW);
			throwaway_remove(copy_text(path));
		}
		free(path);
	}
	leftovers_remove(state->root, state->made);
	for (size_t i = 0; state->locks && state->locks[i]; i++)
		unlink(state->locks[i]);
	if (!systemd_is_there()) {
		groups = new_ones(control_groups(), state->groups);
		control_groups_remove(groups);
		list_free(groups);
	}
	remove_temporary(state);
	state_free(state);
	launch->state = NULL;
}

static void find(struct engine *engine)
{
	const char *const question[] = { "systemd-nspawn", "--version", NULL };

	engine_ask(engine, question, "apt-get install " PACKAGE, engine->version,
		   sizeof engine->version);
	if (!engine->available || geteuid() == 0)
		return;
	engine->available = false;
	strcpy(engine->lacks, "systemd-nspawn can be used by root only: start this with sudo");
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "--private-network",
	[REMEDY_UID] = "--user=NAME, an account of the root folder",
	[REMEDY_MAP] = "--private-users=pick",
	[REMEDY_CAP] = "--drop-capability=all",
	[REMEDY_NNP] = "--no-new-privileges=yes",
	[REMEDY_SEC] = "--system-call-filter=\"~NAME…\"",
	[REMEDY_NUN] = "sysctl user.max_user_namespaces=0",
	[REMEDY_RO] = "--read-only",
	[REMEDY_BIND] = "bind less: --bind-ro=, --inaccessible=",
	[REMEDY_TMP] = "--tmpfs=/tmp:mode=1777,noexec,nosuid,nodev,size=64m",
	[REMEDY_MASK] = "--inaccessible=PATH",
	[REMEDY_PID] = "default: no SYSTEMD_NSPAWN_SHARE_NS_PID",
	[REMEDY_IPC] = "default: no SYSTEMD_NSPAWN_SHARE_NS_IPC",
	[REMEDY_UTS] = "default: no SYSTEMD_NSPAWN_SHARE_NS_UTS",
	[REMEDY_CG] = "default: no SYSTEMD_NSPAWN_USE_CGNS=0",
	[REMEDY_DEV] = "no --bind=/dev/…, no --property=DeviceAllow=",
	[REMEDY_ENV] = "only what is needed of --setenv=",
	[REMEDY_TTY] = "no --console=interactive, nor --pipe on a terminal",
	[REMEDY_MEM] = "--property=MemoryMax=M --property=MemorySwapMax=0",
	[REMEDY_PRC] = "--property=TasksMax=",
	[REMEDY_CPU] = "--property=CPUQuota=",
	[REMEDY_RL] = "--rlimit=NAME=VALUE",
	[REMEDY_ONE] = "--ephemeral or --volatile=overlay",
	[REMEDY_MD] = "--private-network, or --property=IPAddressDeny=link-local",
	[REMEDY_SOCK] = "no --bind of a daemon's socket",
	[REMEDY_OUT] = "the collector opens with openat2 RESOLVE_BENEATH",
	[REMEDY_KEY] = "default: no --system-call-filter=@keyring",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_nspawn = {
	.name = "nspawn",
	.title = "systemd-nspawn",
	.summary = "a systemd-nspawn container on an empty root, or on --rootfs FOLDER",
	.defaults = "none, with --rootfs FOLDER --volatile=overlay; without systemd --register=no "
		    "--keep-unit; options after -- are added",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
	.clean_up = clean_up,
};
