/* SPDX-License-Identifier: MIT */
/*
 * runc, with its plain defaults ("runc spec"), on a user's root folder or an empty one. Bundle
 * and state live in a throw-away folder. The probe is mounted below a tmpfs of the container, so
 * that no mount point stays behind in the user's folder.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "host/clean_text.h"
#include "host/memory.h"
#include "host/sandbox.h"
#include "host/throwaway.h"

#define PROBE_NAME "sandboxeval-probe"

/* What stays of a launch until clean_up(). */
struct state {
	char *root, *id;
	char **made; /* top folders of the user's root that runc makes as mount points */
};

struct request {
	const struct sandbox_request *given;
	const char *config; /* --config FILE, or NULL */
	char **words;       /* the rest, for "runc run" */
};

static bool read_request(const struct sandbox_request *given, struct request *request,
			 struct error *error)
{
	*request = (struct request){ .given = given };
	for (unsigned i = 0; i < given->n_arguments; i++) {
		const char *word = given->arguments[i];

		if (strncmp(word, "--config=", strlen("--config=")) == 0) {
			request->config = word + strlen("--config=");
		} else if (strcmp(word, "--config") == 0) {
			if (++i == given->n_arguments)
				return error_set(error, EXIT_MISUSE, "--config lacks its file");
			request->config = given->arguments[i];
		} else if (word[0] != '-') {
			error_set(error, EXIT_MISUSE, "runc takes no command or container id: %s",
				  word);
			return error_hint(error, "write values as --option=value");
		} else {
			request->words = list_add(request->words, copy_text(word));
		}
	}
	return true;
}

static bool check(const struct sandbox_request *given, struct error *error)
{
	struct stat about;
	char *program;

	if (given->image)
		return error_set(error, EXIT_MISUSE, "runc has no images: name a root folder with "
				 "--rootfs FOLDER");
	if (given->rootfs && (stat(given->rootfs, &about) < 0 || !S_ISDIR(about.st_mode)))
		return error_set(error, EXIT_MISUSE, "there is no folder %s", given->rootfs);
	program = program_find("runc");
	if (!program) {
		error_set(error, EXIT_INCOMPLETE, "runc is not installed");
		return error_hint(error, "install it: apt-get install runc");
	}
	free(program);
	return true;
}

/* ---------------------------------------------------------------- the configuration */

static bool write_default_config(const char *bundle, struct error *error)
{
	const char *const spec[] = { "runc", "spec", "--bundle", bundle,
				     geteuid() == 0 ? NULL : "--rootless", NULL };
	struct child_plan plan = { (char *const *)spec, 30, NULL, NULL };
	struct child_end end;
	char *said;

	if (!child_run(&plan, &end, error))
		return false;
	if (end.how == CHILD_EXITED && end.code == 0)
		return true;
	said = clean_lines(end.errors, end.n_errors, 300);
	error_set(error, EXIT_INCOMPLETE, "runc spec failed: %s", said);
	free(said);
	return false;
}

/* The place of the first tmpfs among the mounts, /dev preferred, or NULL. */
static const char *tmpfs_place(const json_t *mounts)
{
	const char *first = NULL;

	for (size_t i = 0; i < json_array_size(mounts); i++) {
		const json_t *mount = json_array_get(mounts, i);
		const char *type = json_string_value(json_object_get(mount, "type"));
		const char *place = json_string_value(json_object_get(mount, "destination"));

		if (!type || !place || strcmp(type, "tmpfs") != 0)
			continue;
		if (strcmp(place, "/dev") == 0)
			return place;
		if (!first)
			first = place;
	}
	return first;
}

/* Adds the probe to the mounts; its path inside is malloc'd, NULL when there is no place for it. */
static char *mount_probe(json_t *mounts, const char *probe, bool own_root)
{
	const char *folder = tmpfs_place(mounts);
	char *place;

	if (!folder && !own_root)
		return NULL;
	place = print_text("%s/" PROBE_NAME, folder ? folder : "");
	json_array_append_new(mounts, json_pack("{ss ss ss s[sssss]}", "destination", place, "type",
						"bind", "source", probe, "options", "bind", "ro",
						"nosuid", "nodev", "exec"));
	return place;
}

static json_t *word_list(const char *probe, char *const options[])
{
	json_t *list = json_pack("[s]", probe);

	for (size_t i = 0; options[i]; i++)
		json_array_append_new(list, json_string(options[i]));
	return list;
}

static char *absolute_root(const json_t *config, const struct request *request, const char *bundle)
{
	const char *named = json_string_value(
		json_object_get(json_object_get(config, "root"), "path"));
	const char *end = request->config ? strrchr(request->config, '/') : NULL;
	char *joined, *path;

	if (request->given->rootfs)
		return realpath(request->given->rootfs, NULL);
	if (!request->config)
		return print_text("%s/rootfs", bundle);
	if (named && named[0] == '/')
		return copy_text(named);
	/* In a bundle of the user's the path is relative to its config.json. */
	joined = print_text("%.*s%s", end ? (int)(end + 1 - request->config) : 0, request->config,
			    named ? named : "rootfs");
	path = realpath(joined, NULL);
	free(joined);
	return path;
}

/*
 * runc makes the mount points that a root folder lacks, and leaves them there. Only the first
 * component is looked at: below it a link might lead out of the root.
 */
static char **missing_folders(const json_t *mounts, const char *root)
{
	char **missing = NULL;

	for (size_t i = 0; i < json_array_size(mounts); i++) {
		const json_t *mount = json_array_get(mounts, i);
		const char *place = json_string_value(json_object_get(mount, "destination"));
		struct stat about;
		char *folder;

		if (!place || place[0] != '/' || place[1] == '\0' || place[1] == '.')
			continue;
		folder = print_text("%s/%.*s", root, (int)strcspn(place + 1, "/"), place + 1);
		if (lstat(folder, &about) < 0)
			missing = list_add(missing, folder);
		else
			free(folder);
	}
	return missing;
}

/* Puts the probe into the configuration. Fills the launch's probe_path. */
static bool edit_config(json_t *config, const struct request *request, const char *bundle,
			const char *probe, char *const options[], struct launch *launch,
			struct error *error)
{
	json_t *process = json_object_get(config, "process");
	json_t *mounts = json_object_get(config, "mounts");
	bool own_root = !request->given->rootfs && !request->config;
	char *root = absolute_root(config, request, bundle);

	if (!root)
		return error_set(error, EXIT_MISUSE, "the root folder of %s does not exist",
				 request->config ? request->config : request->given->rootfs);
	if (!json_is_object(json_object_get(config, "root")))
		json_object_set_new(config, "root", json_object());
	json_object_set_new(json_object_get(config, "root"), "path", json_string(root));
	if (!own_root)
		((struct state *)launch->state)->made = missing_folders(mounts, root);
	free(root);
	if (!json_is_object(process) || !json_is_array(mounts))
		return error_set(error, EXIT_MISUSE, "%s has no process or no mounts",
				 request->config ? request->config : "the configuration");
	launch->probe_path = mount_probe(mounts, probe, own_root);
	if (!launch->probe_path) {
		error_set(error, EXIT_MISUSE, "%s leaves no place for the probe", request->config);
		return error_hint(error, "add a tmpfs, for example on /dev, as runc spec does");
	}
	json_object_set_new(process, "args", word_list(launch->probe_path, options));
	json_object_set_new(process, "terminal", json_false());
	json_object_del(process, "consoleSize");
	return true;
}

static bool write_bundle(const struct request *request, const char *probe, char *const options[],
			 struct launch *launch, struct error *error)
{
	char *file = print_text("%s/config.json", launch->folder);
	char *empty = print_text("%s/rootfs", launch->folder);
	const char *source = request->config ? request->config : file;
	json_error_t fault = { .line = -1 };
	json_t *config = NULL;
	bool written = false;

	if (mkdir(empty, 0755) < 0 || chmod(empty, 0755) < 0) {
		error_set(error, EXIT_INTERNAL, "cannot make %s", empty);
		source = NULL;
	} else if (request->config || write_default_config(launch->folder, error)) {
		config = json_load_file(source, 0, &fault);
	} else {
		source = NULL;
	}
	if (config)
		written = edit_config(config, request, launch->folder, probe, options, launch, error);
	else if (source && fault.line > 0)
		error_set(error, EXIT_MISUSE, "cannot read %s: line %d: %s", source, fault.line,
			  fault.text);
	else if (source)
		error_set(error, EXIT_MISUSE, "cannot read it: %s", fault.text);
	if (written && json_dump_file(config, file, JSON_INDENT(2)) < 0)
		written = error_set(error, EXIT_INTERNAL, "cannot write %s", file);
	json_decref(config);
	free(empty);
	free(file);
	return written;
}

/* ---------------------------------------------------------------- the launcher */

static void state_free(struct state *state)
{
	if (state) {
		free(state->root);
		free(state->id);
		list_free(state->made);
	}
	free(state);
}

static void command_line(const struct request *request, struct launch *launch)
{
	const struct state *state = launch->state;
	char **shown = NULL, **argv = NULL;

	argv = list_add(argv, copy_text("runc"));
	argv = list_add(argv, copy_text("--root"));
	argv = list_add(argv, copy_text(state->root));
	argv = list_add(argv, copy_text("run"));
	argv = list_add(argv, copy_text("--bundle"));
	argv = list_add(argv, copy_text(launch->folder));
	shown = list_add(shown, copy_text("runc"));
	shown = list_add(shown, copy_text("run"));
	for (size_t i = 0; request->words && request->words[i]; i++) {
		argv = list_add(argv, copy_text(request->words[i]));
		shown = list_add(shown, copy_text(request->words[i]));
	}
	if (request->config)
		shown = list_add(shown, print_text("--config=%s", request->config));
	launch->argv = list_add(argv, copy_text(state->id));
	launch->report_argv = list_add(shown, copy_text("{probe}"));
}

static struct state *state_new(void)
{
	struct state *state = new_array(1, sizeof *state);
	char digits[17];

	random_digits(digits, 8);
	state->id = print_text("sandboxeval-%s", digits);
	return state;
}

static bool prepare(const struct sandbox_request *given, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	struct request request = { .given = given };
	struct state *state = state_new();

	*ret_launch = (struct launch){ .state = state };
	if (!check(given, error) || !read_request(given, &request, error) ||
	    !(ret_launch->folder = throwaway_folder(NULL, error)) ||
	    !write_bundle(&request, probe, probe_options, ret_launch, error)) {
		throwaway_remove(ret_launch->folder);
		free(ret_launch->probe_path);
		list_free(request.words);
		state_free(state);
		*ret_launch = (struct launch){ 0 };
		return false;
	}
	state->root = print_text("%s/state", ret_launch->folder);
	ret_launch->image = given->rootfs  ? print_text("files of %s", given->rootfs) :
			    request.config ? print_text("root of %s", request.config) :
					     copy_text("empty image");
	command_line(&request, ret_launch);
	list_free(request.words);
	return true;
}

static void clean_up(struct launch *launch)
{
	struct state *state = launch->state;
	const char *const words[] = { "runc",	"--root",  state->root, "delete",
				      "--force", state->id, NULL };

	/* After a regular end there is nothing to delete, and runc says so: no matter. */
	child_undo(words);
	/* Only what is empty goes; a folder that something was put into stays. */
	for (size_t i = list_length(state->made); i > 0; i--)
		rmdir(state->made[i - 1]);
	state_free(state);
	launch->state = NULL;
}

static void find(struct engine *engine)
{
	const char *const question[] = { "runc", "--version", NULL };
	char *program = program_find("runc");

	*engine = (struct engine){ .available = program != NULL };
	if (program)
		child_first_line(question, engine->version, sizeof engine->version);
	else
		strcpy(engine->lacks, "runc is not installed: apt-get install runc");
	free(program);
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "linux.namespaces: network",
	[REMEDY_UID] = "process.user: uid and gid 65534",
	[REMEDY_MAP] = "linux.uidMappings, linux.gidMappings",
	[REMEDY_CAP] = "process.capabilities: five empty sets",
	[REMEDY_NNP] = "process.noNewPrivileges: true",
	[REMEDY_SEC] = "linux.seccomp, for all architectures",
	[REMEDY_NUN] = "linux.seccomp: refuse new user namespaces",
	[REMEDY_RO] = "root.readonly: true",
	[REMEDY_BIND] = "mounts: fewer, read-only",
	[REMEDY_TMP] = "mounts: noexec, nosuid, nodev, size=, nr_inodes=",
	[REMEDY_MASK] = "linux.maskedPaths, linux.readonlyPaths",
	[REMEDY_PID] = "linux.namespaces: pid",
	[REMEDY_IPC] = "linux.namespaces: ipc",
	[REMEDY_UTS] = "linux.namespaces: uts",
	[REMEDY_CG] = "linux.namespaces: cgroup; its mount read-only",
	[REMEDY_DEV] = "linux.resources.devices: deny all",
	[REMEDY_ENV] = "process.env: only what is needed",
	[REMEDY_FD] = "no --preserve-fds",
	[REMEDY_TTY] = "process.terminal: false",
	[REMEDY_MEM] = "linux.resources.memory: limit = swap",
	[REMEDY_PRC] = "linux.resources.pids.limit",
	[REMEDY_CPU] = "linux.resources.cpu.quota",
	[REMEDY_RL] = "process.rlimits",
	[REMEDY_ONE] = "a fresh bundle for each",
	[REMEDY_MD] = "linux.namespaces: network, its own",
	[REMEDY_SOCK] = "mounts: no daemon socket",
	[REMEDY_OUT] = "mounts: nosymfollow, nosuid, nodev",
	[REMEDY_KEY] = "default: no --no-new-keyring",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_runc = {
	.name = "runc",
	.title = "runc",
	.summary = "an OCI container on an empty root, or on --rootfs FOLDER",
	.defaults = "the configuration of \"runc spec\"; -- --config FILE replaces it",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
	.clean_up = clean_up,
};
