/* SPDX-License-Identifier: MIT */
/*
 * LXC: a container for one program (lxc-execute), on an empty root or on a user's root folder.
 * Its configuration is what lxc-create gives every container (common.conf) and an empty network;
 * container path and configuration live in a throw-away folder. The probe is bound read-only
 * below /dev, which LXC makes anew, so that no mount point stays in the user's folder.
 *
 * What LXC leaves on its own account, and this launcher does not touch: the empty control groups
 * "lxc.pivot", one in each hierarchy, that its monitors move into when they end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "host/control_groups.h"
#include "host/leftovers.h"
#include "host/memory.h"
#include "host/sandbox.h"
#include "host/throwaway.h"

#define PROBE_IN_ROOT "dev/sandboxeval-probe"
#define PROBE_PLACE "/" PROBE_IN_ROOT
#define COMMON_CONFIG "/usr/share/lxc/config/common.conf"
#define LOCKS "/run/lxc/lock"

/* What stays of a launch until clean_up(). */
struct state {
	const char *name; /* the last part of the launch's folder */
	char *root;
	char **made; /* what the user's root lacks and LXC may make there */
};

struct request {
	const struct sandbox_request *given;
	char *config;  /* --config FILE, absolute; or NULL */
	char **words;  /* the rest, for lxc-execute */
	bool has_root; /* the user's configuration names a root */
};

/* ---------------------------------------------------------------- the user's arguments */

/* Keys that would take the place of what this launcher does itself. */
static bool check_definition(const char *definition, struct error *error)
{
	if (strncmp(definition, "lxc.rootfs.path", strlen("lxc.rootfs.path")) != 0)
		return true;
	error_set(error, EXIT_MISUSE, "lxc.rootfs.path cannot be defined here");
	return error_hint(error, "name the root folder with --rootfs FOLDER, before the --");
}

/* Is the next word this option? Then its value too, which may be a word of its own. */
static bool is_option(const struct sandbox_request *given, unsigned *index, const char *name,
		      const char **ret_value)
{
	const char *word = given->arguments[*index];
	size_t n = strlen(name);

	if (strncmp(word, name, n) != 0 || (word[n] && name[1] == '-' && word[n] != '='))
		return false;
	*ret_value = word + n + (word[n] == '=');
	if (!word[n] && *index + 1 < given->n_arguments)
		*ret_value = given->arguments[++*index];
	return true;
}

static bool read_word(const struct sandbox_request *given, unsigned *index, struct request *request,
		      struct error *error)
{
	const char *word = given->arguments[*index], *value;

	if (is_option(given, index, "--config", &value)) {
		free(request->config);
		request->config = realpath(value, NULL);
		return request->config ||
		       error_set(error, EXIT_MISUSE, "there is no configuration %s", value);
	}
	if (is_option(given, index, "--define", &value) || is_option(given, index, "-s", &value)) {
		request->words = list_add(request->words, copy_text("-s"));
		request->words = list_add(request->words, copy_text(value));
		return check_definition(value, error);
	}
	if (strncmp(word, "-f", 2) == 0 || strncmp(word, "--rcfile", strlen("--rcfile")) == 0) {
		error_set(error, EXIT_MISUSE, "lxc-execute's %s cannot be used here", word);
		return error_hint(error, "name the configuration with --config FILE");
	}
	if (word[0] != '-' || strcmp(word, "--") == 0) {
		error_set(error, EXIT_MISUSE, "lxc takes no command or container: %s", word);
		return error_hint(error, "definitions are -s KEY=VALUE, options --option=VALUE");
	}
	request->words = list_add(request->words, copy_text(word));
	return true;
}

/* Does the configuration choose a root, as far as can be told without LXC's own reading of it? */
static bool names_a_root(const char *config)
{
	FILE *file = config ? fopen(config, "re") : NULL;
	char line[512], key[64];
	bool named = false;

	while (file && !named && fgets(line, sizeof line, file))
		named = sscanf(line, " %63[a-z.]", key) == 1 &&
			(strcmp(key, "lxc.rootfs.path") == 0 || strcmp(key, "lxc.include") == 0);
	if (file)
		fclose(file);
	return named;
}

static void request_free(struct request *request)
{
	free(request->config);
	list_free(request->words);
}

static bool read_request(const struct sandbox_request *given, struct request *request,
			 struct error *error)
{
	*request = (struct request){ .given = given };
	for (unsigned i = 0; i < given->n_arguments; i++)
		if (!read_word(given, &i, request, error)) {
			request_free(request);
			return false;
		}
	request->has_root = names_a_root(request->config);
	return true;
}

static bool check(const struct sandbox_request *given, struct error *error)
{
	struct stat about;
	char *program;

	if (given->image) {
		error_set(error, EXIT_MISUSE, "lxc has no images by name");
		return error_hint(error, "name a root folder with --rootfs FOLDER");
	}
	if (given->rootfs && (stat(given->rootfs, &about) < 0 || !S_ISDIR(about.st_mode)))
		return error_set(error, EXIT_MISUSE, "there is no folder %s", given->rootfs);
	program = program_find("lxc-execute");
	if (!program) {
		error_set(error, EXIT_INCOMPLETE, "lxc-execute is not installed");
		return error_hint(error, "install it: apt-get install lxc");
	}
	free(program);
	if (geteuid() == 0)
		return true;
	error_set(error, EXIT_INCOMPLETE, "lxc is used here by root only");
	return error_hint(error, "start this program with sudo");
}

/* ---------------------------------------------------------------- the container */

/* In a root folder, by LXC and its init: those above before those below. */
static const char *const made_by_lxc[] = {
	"dev",        "proc",       "sys",         PROBE_IN_ROOT, "dev/stdin",
	"dev/stdout", "dev/stderr", "dev/fd",      "dev/ptmx",    "dev/pts",
	"dev/shm",    "dev/mqueue", "dev/console", "dev/lxc",     "dev/lxc/console",
	NULL,
};

/* A path for a line of mounts: blanks there end a field. */
static void write_field(FILE *file, const char *path)
{
	for (; *path; path++)
		fprintf(file, strchr(" \t\\", *path) ? "\\%03o" : "%c", (unsigned char)*path);
}

/*
 * Ours comes first, so that a configuration of the user's may choose otherwise; a root folder that
 * was asked for comes last.
 */
static bool write_config(const struct request *request, const struct launch *launch,
			 const char *root, const char *probe, struct error *error)
{
	char *path = print_text("%s/config", launch->folder);
	FILE *file = fopen(path, "wxe");
	bool written;

	if (!file) {
		error_set(error, EXIT_INTERNAL, "cannot write %s", path);
		free(path);
		return false;
	}
	if (!request->given->rootfs)
		fprintf(file, "lxc.rootfs.path = dir:%s\n", root);
	if (request->config)
		fprintf(file, "lxc.include = %s\n", request->config);
	else if (access(COMMON_CONFIG, R_OK) == 0)
		fprintf(file, "lxc.include = " COMMON_CONFIG "\n");
	if (!request->config)
		fprintf(file, "lxc.net.0.type = empty\n");
	if (request->given->rootfs)
		fprintf(file, "lxc.rootfs.path = dir:%s\n", root);
	fprintf(file, "lxc.mount.entry = ");
	write_field(file, probe);
	fprintf(file, " " PROBE_IN_ROOT " none bind,ro,create=file 0 0\n");
	written = !ferror(file);
	written = fclose(file) == 0 && written;
	if (!written)
		error_set(error, EXIT_INTERNAL, "cannot write %s", path);
	free(path);
	return written;
}

static void command_line(const struct request *request, char *const options[],
			 struct launch *launch)
{
	const struct state *state = launch->state;
	char **argv = list_add(NULL, copy_text("lxc-execute")), **shown = list_copy(argv);

	argv = list_add(argv, print_text("--lxcpath=%s", launch->folder));
	argv = list_add(argv, print_text("--name=%s", state->name));
	argv = list_add(argv, print_text("--rcfile=%s/config", launch->folder));
	if (request->config)
		shown = list_add(shown, print_text("--rcfile=%s", request->config));
	else
		shown = list_add(shown, copy_text("--define=lxc.net.0.type=empty"));
	argv = list_join(argv, request->words);
	argv = list_add(argv, copy_text("--"));
	argv = list_add(argv, copy_text(PROBE_PLACE));
	launch->argv = list_join(argv, options);
	shown = list_join(shown, request->words);
	launch->report_argv = list_add(shown, copy_text("{probe}"));
}

static char *make_root(const struct request *request, const char *folder, struct error *error)
{
	char *root;

	if (request->given->rootfs) {
		root = realpath(request->given->rootfs, NULL);
		if (!root || strchr(root, '\n')) {
			error_set(error, EXIT_MISUSE, "cannot use %s", request->given->rootfs);
			free(root);
			return NULL;
		}
		return root;
	}
	root = print_text("%s/rootfs", folder);
	if (mkdir(root, 0755) == 0 && chmod(root, 0755) == 0)
		return root;
	error_set(error, EXIT_INTERNAL, "cannot make %s", root);
	free(root);
	return NULL;
}

static char *image_of(const struct request *request)
{
	if (request->given->rootfs)
		return print_text("files of %s", request->given->rootfs);
	return request->has_root ? print_text("root of %s", request->config)
				 : copy_text("empty image");
}

static bool prepare(const struct sandbox_request *given, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	struct request request;
	struct state *state;
	char *root = NULL;

	if (!check(given, error) || !read_request(given, &request, error))
		return false;
	*ret_launch = (struct launch){ .folder = throwaway_folder(NULL, error) };
	if (!ret_launch->folder || !(root = make_root(&request, ret_launch->folder, error)) ||
	    !write_config(&request, ret_launch, root, probe, error)) {
		throwaway_remove(ret_launch->folder);
		*ret_launch = (struct launch){ 0 };
		request_free(&request);
		free(root);
		return false;
	}
	state = new_array(1, sizeof *state);
	state->name = strrchr(ret_launch->folder, '/') + 1;
	state->root = root;
	if (given->rootfs)
		state->made = leftovers_expect(root, made_by_lxc);
	ret_launch->state = state;
	ret_launch->probe_path = copy_text(PROBE_PLACE);
	ret_launch->image = image_of(&request);
	command_line(&request, probe_options, ret_launch);
	request_free(&request);
	return true;
}

/* ---------------------------------------------------------------- afterwards */

static void remove_groups(const struct state *state)
{
	char *payload = print_text("lxc.payload.%s", state->name);
	char *monitor = print_text("lxc.monitor.%s", state->name);
	const char *const names[] = { payload, monitor, NULL };
	char **groups = control_groups_find(names);

	control_groups_remove(groups);
	list_free(groups);
	free(payload);
	free(monitor);
}

/* LXC makes the container path once more below its folder of locks, and never removes it. */
static void remove_locks(const char *folder)
{
	char *locks = print_text(LOCKS "%s", folder);

	if (access(locks, F_OK) == 0)
		throwaway_remove(copy_text(locks));
	/* The folders above, as far as no other container's lock is in them. */
	do
		*strrchr(locks, '/') = '\0';
	while (strlen(locks) > strlen(LOCKS) && rmdir(locks) == 0);
	free(locks);
}

static void clean_up(struct launch *launch)
{
	struct state *state = launch->state;

	remove_groups(state);
	remove_locks(launch->folder);
	leftovers_remove(state->root, state->made);
	list_free(state->made);
	free(state->root);
	free(state);
	launch->state = NULL;
}

static void find(struct engine *engine)
{
	const char *const question[] = { "lxc-execute", "--version", NULL };
	char version[64];

	if (engine_ask(engine, question, "apt-get install lxc", version, sizeof version))
		snprintf(engine->version, sizeof engine->version, "LXC %s", version);
	if (!engine->available || geteuid() == 0)
		return;
	engine->available = false;
	strcpy(engine->lacks, "lxc is used here by root only: start this with sudo");
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "lxc.net.0.type = empty",
	[REMEDY_UID] = "lxc.init.uid = 65534, lxc.init.gid = 65534",
	[REMEDY_MAP] = "lxc.idmap = u 0 100000 65536, and the same with g",
	[REMEDY_CAP] = "lxc.cap.drop = (nothing), then lxc.cap.keep = none",
	[REMEDY_NNP] = "lxc.no_new_privs = 1",
	[REMEDY_SEC] = "lxc.seccomp.profile = FILE, an allow list",
	[REMEDY_NUN] = "lxc.seccomp.profile: refuse new user namespaces",
	[REMEDY_RO] = "lxc.rootfs.options = ro",
	[REMEDY_BIND] = "lxc.mount.entry: fewer, with the option ro",
	[REMEDY_TMP] = "lxc.mount.entry = tmpfs tmp tmpfs noexec,nosuid,nodev,size=64m",
	[REMEDY_MASK] = "lxc.mount.auto = proc:mixed sys:ro",
	[REMEDY_PID] = "no lxc.namespace.share.pid",
	[REMEDY_IPC] = "no lxc.namespace.share.ipc",
	[REMEDY_UTS] = "no lxc.namespace.share.uts",
	[REMEDY_CG] = "lxc.mount.auto = cgroup:ro, or no cgroup there",
	[REMEDY_DEV] = "lxc.cgroup2.devices.deny = a (lxc.cgroup.devices.deny)",
	[REMEDY_ENV] = "no lxc.environment but what is needed",
	[REMEDY_FD] = "lxc-start --close-all-fds",
	[REMEDY_TTY] = "no terminal: standard input from /dev/null",
	[REMEDY_MEM] = "lxc.cgroup2.memory.max, lxc.cgroup2.memory.swap.max = 0",
	[REMEDY_PRC] = "lxc.cgroup2.pids.max",
	[REMEDY_CPU] = "lxc.cgroup2.cpu.max",
	[REMEDY_RL] = "lxc.prlimit.NAME = VALUE",
	[REMEDY_ONE] = "lxc.ephemeral = 1",
	[REMEDY_MD] = "lxc.net.0.type = empty",
	[REMEDY_SOCK] = "lxc.mount.entry: no daemon socket",
	[REMEDY_OUT] = "the collector opens with openat2 RESOLVE_BENEATH",
	[REMEDY_KEY] = "lxc.keyring.session = 1",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_lxc = {
	.name = "lxc",
	.title = "LXC",
	.summary = "an LXC container for one program, on an empty root or on --rootfs FOLDER",
	.defaults = "LXC's common.conf and lxc.net.0.type = empty; -- --config FILE replaces both, "
		    "-- -s KEY=VALUE adds to them",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
	.clean_up = clean_up,
};
