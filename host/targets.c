/* SPDX-License-Identifier: MIT */
#include "host/targets.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/policy_loader.h"

enum kind { VERSION, PATH, PATHS, ADDRESSES };

static const struct key {
	const char *name;
	enum kind kind;
	bool inside_only;
	unsigned at_most;
	const char *about;
} keys[] = {
	{ "kernel", VERSION, false, 1, "the oldest kernel that will do: kernel.release" },
	{ "engine", VERSION, true, 1, "the oldest version of the engine that will do: "
				       "kernel.release" },
	{ "output", PATH, true, 1, "the folder that results are collected from: artefact" },
	{ "mounts", PATHS, true, TARGETS_MOST_MEMBERS,
	  "mount points that are meant to be seen: mount.host-tree does not report their folders" },
	{ "answers", PATHS, false, TARGETS_MOST_MEMBERS,
	  "files and folders that hold what a task is judged by: assessment.expected-outputs" },
	{ "results", PATHS, false, TARGETS_MOST_MEMBERS,
	  "files and folders that only the judge may write: assessment.reward-files" },
	{ "harness", PATHS, false, TARGETS_MOST_MEMBERS,
	  "programs, scripts and folders of what runs the sandbox: tamper.harness" },
	{ "resolvers", ADDRESSES, false, 3,
	  "name servers that may be asked for a name that cannot exist: network.dns" },
};
#define N_KEYS (sizeof keys / sizeof *keys)

static bool is_list(enum kind kind)
{
	return kind == PATHS || kind == ADDRESSES;
}

/* ---------------------------------------------------------------- what a value may be */

/* NULL: it is one. Else what is wrong, to follow the value. */
static const char *fault_of_version(const char *text)
{
	const char *at = text;
	unsigned parts = 0;

	while (parts < 3) {
		size_t n = strspn(at, "0123456789");

		if (n == 0 || n > 8)
			break;
		parts++;
		at += n;
		if (!*at)
			return NULL;
		if (*at++ != '.')
			break;
	}
	return "is no version such as 6.1 or 6.1.90";
}

static const char *fault_of_path(const char *text)
{
	size_t n = strlen(text);

	if (text[0] != '/')
		return "is no absolute path";
	if (text[1] == '\0')
		return "is all there is: name what lies in it";
	if (n > TARGETS_LONGEST_PATH)
		return "is longer than 255 bytes";
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return "holds a control character";
	if (strpbrk(text, "*?"))
		return "holds a pattern, and patterns are not understood: name each path";
	for (const char *slash = text; slash; slash = strchr(slash + 1, '/')) {
		size_t part = strcspn(slash + 1, "/");

		if ((part == 0 && slash[1]) || (part == 1 && slash[1] == '.') ||
		    (part == 2 && slash[1] == '.' && slash[2] == '.'))
			return "holds '//', '.' or '..': write the path as it is";
	}
	return NULL;
}

static const char *fault_of_address(const char *text)
{
	unsigned char bytes[16];

	if (inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1)
		return NULL;
	return "is no address such as 10.0.2.3 or fd00::3";
}

static const char *fault_of(enum kind kind, const char *text)
{
	return kind == VERSION	   ? fault_of_version(text) :
	       kind == ADDRESSES ? fault_of_address(text) :
				     fault_of_path(text);
}

/* A folder is the same with a slash behind it. */
static json_t *value_of(enum kind kind, const char *text)
{
	size_t n = strlen(text);

	return json_stringn(text, kind != ADDRESSES && n > 1 && text[n - 1] == '/' ? n - 1 : n);
}

static bool holds(const json_t *list, const json_t *value)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), value))
			return true;
	return false;
}

/* ---------------------------------------------------------------- reading a file */

struct taking {
	const struct key *key;
	json_t *list;
};

static void take_value(struct loader *loader, const struct node *node, void *to)
{
	struct taking *taking = to;
	const char *wrong = fault_of(taking->key->kind, node->text);
	json_t *value;

	if (wrong) {
		loader_fault(loader, node, "%s: '%.80s%s' %s", taking->key->name, node->text,
			     strlen(node->text) > 80 ? "…" : "", wrong);
		return;
	}
	value = value_of(taking->key->kind, node->text);
	if (holds(taking->list, value))
		loader_fault(loader, node, "%s: '%s' is here for the second time",
			     taking->key->name, node->text);
	else if (json_array_size(taking->list) == taking->key->at_most)
		loader_fault(loader, node, "%s: more than %u are not taken", taking->key->name,
			     taking->key->at_most);
	else
		json_array_append(taking->list, value);
	json_decref(value);
}

static void read_key(struct loader *loader, const struct key *key, const struct node *value,
		     json_t *targets)
{
	struct taking taking = { key, json_array() };

	if (is_list(key->kind))
		loader_each_text(loader, value, key->name, take_value, &taking);
	else if (loader_is_text(loader, value, key->name))
		take_value(loader, value, &taking);
	json_object_set(targets, key->name,
			is_list(key->kind) ? taking.list : json_array_get(taking.list, 0));
	json_decref(taking.list);
}

/* In the order of the table, whatever that of the file: two files that say the same are alike. */
static void read_targets(struct loader *loader, const struct node *root, json_t *targets)
{
	const char *names[N_KEYS + 1] = { "sandboxeval-targets" };
	int at[N_KEYS + 1];

	for (size_t k = 0; k <= N_KEYS; k++)
		at[k] = -1;
	for (size_t k = 0; k < N_KEYS; k++)
		names[k + 1] = keys[k].name;
	if (root->kind != NODE_MAP) {
		loader_fault(loader, root, "targets begin with 'sandboxeval-targets: 1'");
		return;
	}
	for (unsigned i = 0; i < root->n; i++) {
		int key = loader_word(loader, root->keys[i], "target", names, N_KEYS + 1);

		if (key >= 0)
			at[key] = (int)i;
	}
	if (at[0] < 0)
		loader_fault(loader, root, "targets need 'sandboxeval-targets: 1'");
	else if (loader_is_text(loader, root->members[at[0]], "the format") &&
		 strcmp(root->members[at[0]]->text, "1") != 0)
		loader_fault(loader, root->members[at[0]],
			     "this program knows format 1 of targets, not '%.80s'",
			     root->members[at[0]]->text);
	for (size_t k = 0; k < N_KEYS; k++)
		if (at[k + 1] >= 0)
			read_key(loader, &keys[k], root->members[at[k + 1]], targets);
}

static void check_room(struct loader *loader, const struct node *root, const json_t *targets)
{
	char *facts = targets_facts(targets, TARGETS_INSIDE);

	if (json_object_size(targets) == 0)
		loader_fault(loader, root, "no target is named");
	if (strlen(facts) > TARGETS_MOST_BYTES)
		loader_fault(loader, root, "all targets together are longer than %d KiB, which is "
			     "what the probe is given: name folders instead of files",
			     TARGETS_MOST_BYTES >> 10);
	free(facts);
}

json_t *targets_load(const char *text, size_t n, const char *source, char ***ret_faults)
{
	struct loader loader = { .source = source };
	struct node_fault broken;
	struct node *root = node_read(text, n, &broken);
	json_t *targets = json_object();

	if (root) {
		read_targets(&loader, root, targets);
		if (loader.n_faults == 0)
			check_room(&loader, root, targets);
	} else {
		struct node at = { .line = broken.line, .column = broken.column };

		loader_fault(&loader, &at, "%s", broken.text);
	}
	node_free(root);
	*ret_faults = loader_faults(&loader);
	if (!*ret_faults)
		return targets;
	json_decref(targets);
	return NULL;
}

json_t *targets_open(const char *path, char ***ret_faults, struct error *error)
{
	json_t *targets = NULL;
	size_t n = 0;
	char *text;

	*ret_faults = NULL;
	*error = (struct error){ .status = EXIT_MISUSE };
	text = node_read_file(path, "targets", &n, error);
	if (text)
		targets = targets_load(text, n, path, ret_faults);
	free(text);
	return targets;
}

/* ---------------------------------------------------------------- those of a report */

static bool is_well_formed(const struct key *key, const json_t *value)
{
	const char *text = json_string_value(value);

	if (!is_list(key->kind))
		return text && !fault_of(key->kind, text);
	for (size_t i = 0; i < json_array_size(value); i++) {
		text = json_string_value(json_array_get(value, i));
		if (!text || fault_of(key->kind, text))
			return false;
	}
	return json_array_size(value) > 0 && json_array_size(value) <= key->at_most;
}

json_t *targets_take(const json_t *from)
{
	json_t *targets = json_object();

	for (size_t k = 0; k < N_KEYS; k++) {
		json_t *value = json_object_get(from, keys[k].name);

		if (value && is_well_formed(&keys[k], value))
			json_object_set_new(targets, keys[k].name, json_deep_copy(value));
	}
	if (json_object_size(targets) > 0)
		return targets;
	json_decref(targets);
	return NULL;
}

/* ---------------------------------------------------------------- for the probe */

/*
 * A value as the probe and every shell on the way read it back: what separates facts, members and
 * words is escaped as in an address of the web.
 */
static char *add_member(char *facts, const char *separator, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "/._-";
	size_t n = strlen(facts) + strlen(separator) + 3 * strlen(text) + 1;
	char *longer = new_array(n, 1), *end = stpcpy(stpcpy(longer, facts), separator);

	for (; *text; text++) {
		if (strchr(plain, *text))
			*end++ = *text;
		else
			end += sprintf(end, "%%%02X", (unsigned char)*text);
	}
	free(facts);
	return longer;
}

char *targets_facts(const json_t *targets, enum targets_place place)
{
	char *facts = copy_text("");

	for (size_t k = 0; k < N_KEYS; k++) {
		const json_t *value = json_object_get(targets, keys[k].name);
		char *longer;

		if (!value || (keys[k].inside_only && place == TARGETS_OUTSIDE))
			continue;
		longer = print_text("%s,target.%s=", facts, keys[k].name);
		free(facts);
		facts = longer;
		if (json_is_string(value))
			facts = add_member(facts, "", json_string_value(value));
		for (size_t i = 0; i < json_array_size(value); i++)
			facts = add_member(facts, i ? ":" : "",
					   json_string_value(json_array_get(value, i)));
	}
	return facts;
}

/* ---------------------------------------------------------------- for people */

static char *add_text(char *text, const char *separator, const char *more)
{
	char *longer = print_text("%s%s%s", text, separator, more);

	free(text);
	return longer;
}

char *targets_text(const json_t *targets, const char *separator)
{
	char *text = copy_text("");

	for (size_t k = 0; k < N_KEYS; k++) {
		const json_t *value = json_object_get(targets, keys[k].name);

		if (!value)
			continue;
		text = add_text(text, *text ? separator : "", keys[k].name);
		if (json_is_string(value))
			text = add_text(text, " ", json_string_value(value));
		for (size_t i = 0; i < json_array_size(value); i++)
			text = add_text(text, i ? ", " : " ",
					json_string_value(json_array_get(value, i)));
	}
	return text;
}

void targets_help(const struct screen *screen)
{
	for (size_t k = 0; k < N_KEYS; k++)
		screen_paragraph(screen, 2, keys[k].name, 12, keys[k].about);
}
