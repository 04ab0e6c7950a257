/* SPDX-License-Identifier: MIT */
#include "host/bundle.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "host/clean_text.h"
#include "host/control_groups.h"
#include "host/memory.h"
#include "host/throwaway.h"

#define PROBE_NAME "sandboxeval-probe"

/* ---------------------------------------------------------------- what the user wants */

/* The configuration's file; that of a bundle, where its folder is named. */
static char *config_file(const char *path)
{
	struct stat about;

	if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
		return print_text("%s/config.json", path);
	return copy_text(path);
}

/* "--bundle DIR", "--bundle=DIR", "-b DIR": the bundle is ours. */
static bool names_bundle(const struct sandbox_request *given, unsigned i, struct error *error)
{
	const char *word = given->arguments[i], *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const char *folder = equals ? equals + 1 :
			     i + 1 < given->n_arguments ? given->arguments[i + 1] : "DIR";

	if (!(length == 8 && strncmp(word, "--bundle", 8) == 0) &&
	    !(length == 2 && strncmp(word, "-b", 2) == 0))
		return false;
	error_set(error, EXIT_MISUSE, "the bundle is made by the launcher, so %.*s cannot be given",
		  (int)length, word);
	error_hint(error, "take the configuration of yours: --config %s/config.json", folder);
	return true;
}

static bool read_arguments(const struct sandbox_request *given, struct bundle *bundle,
			   struct error *error)
{
	for (unsigned i = 0; i < given->n_arguments; i++) {
		const char *word = given->arguments[i];

		if (names_bundle(given, i, error))
			return false;
		if (strncmp(word, "--config=", strlen("--config=")) == 0) {
			free(bundle->config);
			bundle->config = config_file(word + strlen("--config="));
		} else if (strcmp(word, "--config") == 0) {
			if (++i == given->n_arguments)
				return error_set(error, EXIT_MISUSE, "--config lacks its file");
			free(bundle->config);
			bundle->config = config_file(given->arguments[i]);
		} else if (word[0] != '-') {
			error_set(error, EXIT_MISUSE, "%s takes no command or container id: %s",
				  bundle->engine->program, word);
			return error_hint(error, "write values as --option=value");
		} else {
			bundle->words = list_add(bundle->words, copy_text(word));
		}
	}
	return true;
}

static bool check(const struct oci_engine *engine, const struct sandbox_request *given,
		  struct error *error)
{
	struct stat about;
	char *program;

	if (given->image)
		return error_set(error, EXIT_MISUSE, "%s has no images: name a root folder with "
				 "--rootfs FOLDER", engine->program);
	if (given->rootfs && (stat(given->rootfs, &about) < 0 || !S_ISDIR(about.st_mode)))
		return error_set(error, EXIT_MISUSE, "there is no folder %s", given->rootfs);
	program = program_find(engine->program);
	if (!program) {
		error_set(error, EXIT_INCOMPLETE, "%s is not installed", engine->program);
		return error_hint(error, "install it: %s", engine->install);
	}
	free(program);
	return true;
}

/* ---------------------------------------------------------------- the configuration */

static bool write_default_config(const struct oci_engine *engine, const char *folder,
				 struct error *error)
{
	bool rootless = engine->spec_is_rootless && geteuid() != 0;
	const char *const spec[] = { engine->program, "spec", "--bundle", folder,
				     rootless ? "--rootless" : NULL, NULL };
	struct child_plan plan = { .argv = (char *const *)spec, .seconds = 30 };
	struct child_end end;
	char *said;

	if (!child_run(&plan, &end, error))
		return false;
	if (end.how == CHILD_EXITED && end.code == 0)
		return true;
	said = clean_lines(end.errors, end.n_errors, 300);
	error_set(error, EXIT_INCOMPLETE, "%s spec failed: %s", engine->program, said);
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

static char *absolute_root(const json_t *config, const struct sandbox_request *given,
			   const char *file, const char *folder)
{
	const char *named = json_string_value(
		json_object_get(json_object_get(config, "root"), "path"));
	const char *end = file ? strrchr(file, '/') : NULL;
	char *joined, *path;

	if (given->rootfs)
		return realpath(given->rootfs, NULL);
	if (!file)
		return print_text("%s/rootfs", folder);
	if (named && named[0] == '/')
		return copy_text(named);
	/* In a bundle of the user's the path is relative to its config.json. */
	joined = print_text("%.*s%s", end ? (int)(end + 1 - file) : 0, file,
			    named ? named : "rootfs");
	path = realpath(joined, NULL);
	free(joined);
	return path;
}

/*
 * Engines make the mount points that a root folder lacks, and leave them there. Only the first
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

/* The probe's own mount point, in a folder that may have been there before. */
static char **missing_place(char **missing, const char *place, const char *root)
{
	char *file = print_text("%s%s", root, place);
	struct stat about;
	bool is_link;

	/* Its folder is a top one (see mount_probe), and must not be a link out of the root. */
	*strrchr(file, '/') = '\0';
	is_link = lstat(file, &about) == 0 && !S_ISDIR(about.st_mode);
	free(file);
	file = print_text("%s%s", root, place);
	if (!is_link && lstat(file, &about) < 0)
		return list_add(missing, file);
	free(file);
	return missing;
}

static bool set_root(json_t *config, const struct bundle *bundle,
		     const struct sandbox_request *given, const char *folder, char **ret_root,
		     struct error *error)
{
	*ret_root = absolute_root(config, given, bundle->config, folder);
	if (!*ret_root)
		return error_set(error, EXIT_MISUSE, "the root folder of %s does not exist",
				 bundle->config ? bundle->config : given->rootfs);
	if (!json_is_object(json_object_get(config, "root")))
		json_object_set_new(config, "root", json_object());
	json_object_set_new(json_object_get(config, "root"), "path", json_string(*ret_root));
	return true;
}

/* Puts the probe into the configuration. Fills the launch's probe_path. */
static bool edit_config(json_t *config, const struct sandbox_request *given, const char *probe,
			char *const options[], struct launch *launch, struct error *error)
{
	struct bundle *bundle = launch->state;
	json_t *process = json_object_get(config, "process");
	json_t *mounts = json_object_get(config, "mounts");
	bool own_root = !given->rootfs && !bundle->config;
	char *root;

	if (!json_is_object(process) || !json_is_array(mounts))
		return error_set(error, EXIT_MISUSE, "%s has no process or no mounts",
				 bundle->config ? bundle->config : "the configuration");
	if (!set_root(config, bundle, given, launch->folder, &root, error))
		return false;
	if (!own_root)
		bundle->made = missing_folders(mounts, root);
	launch->probe_path = mount_probe(mounts, probe, own_root);
	if (launch->probe_path && !own_root && bundle->engine->mounts_below)
		bundle->made = missing_place(bundle->made, launch->probe_path, root);
	free(root);
	if (!launch->probe_path) {
		error_set(error, EXIT_MISUSE, "%s leaves no place for the probe",
			  bundle->config ? bundle->config : "the configuration");
		return error_hint(error, "add a tmpfs, for example on /dev, as %s spec does",
				  bundle->engine->program);
	}
	json_object_set_new(process, "args", word_list(launch->probe_path, options));
	json_object_set_new(process, "terminal", json_false());
	json_object_del(process, "consoleSize");
	return true;
}

static bool write_bundle(const struct sandbox_request *given, const char *probe,
			 char *const options[], struct launch *launch, struct error *error)
{
	const struct bundle *bundle = launch->state;
	char *file = print_text("%s/config.json", launch->folder);
	char *empty = print_text("%s/rootfs", launch->folder);
	const char *source = bundle->config ? bundle->config : file;
	json_error_t fault = { .line = -1 };
	json_t *config = NULL;
	bool written = false;

	if (mkdir(empty, 0755) < 0 || chmod(empty, 0755) < 0) {
		error_set(error, EXIT_INTERNAL, "cannot make %s", empty);
		source = NULL;
	} else if (bundle->config || write_default_config(bundle->engine, launch->folder, error)) {
		config = json_load_file(source, 0, &fault);
	} else {
		source = NULL;
	}
	if (config)
		written = edit_config(config, given, probe, options, launch, error);
	else if (source && fault.line > 0)
		error_set(error, EXIT_MISUSE, "cannot read %s: line %d: %s", source, fault.line,
			  fault.text);
	else if (source)
		error_set(error, EXIT_MISUSE, "cannot read %s: %s", source,
			  access(source, R_OK) < 0 ? strerror(errno) : fault.text);
	if (written && json_dump_file(config, file, JSON_INDENT(2)) < 0)
		written = error_set(error, EXIT_INTERNAL, "cannot write %s", file);
	json_decref(config);
	free(empty);
	free(file);
	return written;
}

/* ---------------------------------------------------------------- making and undoing */

static struct bundle *bundle_new(const struct oci_engine *engine)
{
	struct bundle *bundle = new_array(1, sizeof *bundle);
	char digits[17];

	random_digits(digits, 8);
	bundle->engine = engine;
	bundle->id = print_text("sandboxeval-%s", digits);
	return bundle;
}

static void bundle_free(struct bundle *bundle)
{
	free(bundle->root);
	free(bundle->id);
	free(bundle->config);
	list_free(bundle->words);
	list_free(bundle->made);
	free(bundle);
}

bool bundle_make(const struct oci_engine *engine, const struct sandbox_request *given,
		 const char *probe, char *const options[], struct launch *ret_launch,
		 struct error *error)
{
	struct bundle *bundle = bundle_new(engine);

	*ret_launch = (struct launch){ .state = bundle };
	if (!check(engine, given, error) || !read_arguments(given, bundle, error) ||
	    !(ret_launch->folder = throwaway_folder(NULL, error)) ||
	    !write_bundle(given, probe, options, ret_launch, error)) {
		throwaway_remove(ret_launch->folder);
		free(ret_launch->probe_path);
		bundle_free(bundle);
		*ret_launch = (struct launch){ 0 };
		return false;
	}
	bundle->root = print_text("%s/state", ret_launch->folder);
	ret_launch->image = given->rootfs  ? print_text("files of %s", given->rootfs) :
			    bundle->config ? print_text("root of %s", bundle->config) :
					     copy_text("empty image");
	return true;
}

/* Only what is empty goes; what something was put into stays. */
static void remove_empty(const char *path)
{
	struct stat about;

	if (lstat(path, &about) < 0)
		return;
	if (S_ISDIR(about.st_mode))
		rmdir(path);
	else if (S_ISREG(about.st_mode) && about.st_size == 0)
		unlink(path);
}

void bundle_undo(struct launch *launch)
{
	struct bundle *bundle = launch->state;
	const char *const words[] = { bundle->engine->program, "--root",   bundle->root, "delete",
				      "--force",	       bundle->id, NULL };
	const char *const names[] = { bundle->id, NULL };
	char **groups;

	/* After a regular end there is nothing to delete, and the engine says so: no matter. */
	child_undo(words);
	/* An engine that was killed before it noted what it made does not know it any more. */
	groups = control_groups_find(names);
	control_groups_remove(groups);
	list_free(groups);
	for (size_t i = list_length(bundle->made); i > 0; i--)
		remove_empty(bundle->made[i - 1]);
	bundle_free(bundle);
	launch->state = NULL;
}

void bundle_find_engine(const struct oci_engine *oci, struct engine *engine)
{
	const char *const question[] = { oci->program, "--version", NULL };

	engine_ask(engine, question, oci->install, engine->version, sizeof engine->version);
}
