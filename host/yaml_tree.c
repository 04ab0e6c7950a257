/* SPDX-License-Identifier: MIT */
#include "host/yaml_tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "host/memory.h"

struct reader {
	yaml_parser_t parser;
	const char *text;
	size_t n;
	struct node_fault *fault;
	unsigned n_nodes;
};

static struct node *fail(const struct reader *reader, const yaml_mark_t *mark, const char *format,
			 ...) __attribute__((format(printf, 3, 4)));

/* Fills the fault and returns NULL. */
static struct node *fail(const struct reader *reader, const yaml_mark_t *mark, const char *format,
			 ...)
{
	va_list arguments;

	reader->fault->line = (unsigned)mark->line + 1;
	reader->fault->column = (unsigned)mark->column + 1;
	va_start(arguments, format);
	vsnprintf(reader->fault->text, sizeof reader->fault->text, format, arguments);
	va_end(arguments);
	return NULL;
}

/* libyaml knows the byte of a wrong character, but not its line. */
static yaml_mark_t mark_of_offset(const struct reader *reader, size_t offset)
{
	yaml_mark_t mark = { 0 };

	for (size_t i = 0; i < offset && i < reader->n; i++) {
		mark.column++;
		if (reader->text[i] == '\n') {
			mark.line++;
			mark.column = 0;
		}
	}
	return mark;
}

/* The byte of a mark, which counts characters; the one before it too, where libyaml stops late. */
static const char *hint_of(const struct reader *reader, const yaml_mark_t *mark)
{
	size_t byte = 0;
	char before, at;

	for (size_t characters = 0; byte < reader->n; byte++)
		if (((unsigned char)reader->text[byte] & 0xc0) != 0x80 &&
		    characters++ == mark->index)
			break;
	at = byte < reader->n ? reader->text[byte] : '\0';
	before = byte > 0 ? reader->text[byte - 1] : '\0';
	if (at == '\t')
		return ": indent with blanks, not tabs";
	if ((at && strchr("*&@%!`", at)) || (before && strchr("*&", before)))
		return ": a text that begins like this must be quoted";
	return "";
}

static struct node *fail_parser(const struct reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	yaml_mark_t mark = parser->problem_mark;
	const char *problem = parser->problem ? parser->problem : "this cannot be read";

	if (parser->error == YAML_READER_ERROR)
		mark = mark_of_offset(reader, parser->problem_offset);
	return fail(reader, &mark, "this is no YAML: %s%s", problem, hint_of(reader, &mark));
}

static bool next_event(struct reader *reader, yaml_event_t *event)
{
	if (yaml_parser_parse(&reader->parser, event))
		return true;
	fail_parser(reader);
	return false;
}

void node_free(struct node *node)
{
	if (!node)
		return;
	for (unsigned i = 0; i < node->n; i++) {
		if (node->keys)
			node_free(node->keys[i]);
		node_free(node->members[i]);
	}
	free(node->keys);
	free(node->members);
	free(node->text);
	free(node);
}

static struct node *read_node(struct reader *reader, const yaml_event_t *event, unsigned depth);

/* Reads on until the collection's end; takes over the first event of each member. */
static bool read_members(struct reader *reader, struct node *node, unsigned depth)
{
	for (;;) {
		struct node *key = NULL, *member;
		yaml_event_t event;
		bool ends;

		if (!next_event(reader, &event))
			return false;
		ends = event.type == YAML_SEQUENCE_END_EVENT ||
		       event.type == YAML_MAPPING_END_EVENT;
		if (!ends && node->kind == NODE_MAP) {
			key = read_node(reader, &event, depth);
			if (key && key->kind != NODE_TEXT) {
				fail(reader, &event.start_mark, "a key must be a text");
				node_free(key);
				key = NULL;
			}
			yaml_event_delete(&event);
			if (!key || !next_event(reader, &event)) {
				node_free(key);
				return false;
			}
		}
		member = ends ? NULL : read_node(reader, &event, depth);
		yaml_event_delete(&event);
		if (!member) {
			node_free(key);
			return ends;
		}
		node->members = grow_array(node->members, node->n + 1, sizeof(struct node *));
		node->members[node->n] = member;
		if (key) {
			node->keys = grow_array(node->keys, node->n + 1, sizeof(struct node *));
			node->keys[node->n] = key;
		}
		node->n++;
	}
}

static bool keys_differ(const struct reader *reader, const struct node *map)
{
	for (unsigned i = 0; i < map->n; i++) {
		for (unsigned k = 0; k < i; k++) {
			const struct node *key = map->keys[i];
			yaml_mark_t mark = { 0, key->line - 1, key->column - 1 };

			if (strcmp(map->keys[k]->text, key->text) != 0)
				continue;
			fail(reader, &mark,
			     "'%.60s' is here for the second time; line %u has it "
			     "already",
			     key->text, map->keys[k]->line);
			return false;
		}
	}
	return true;
}

static bool is_plain_node(const struct reader *reader, const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;

	if (event->type == YAML_ALIAS_EVENT)
		anchor = event->data.alias.anchor;
	else if (event->type == YAML_SCALAR_EVENT)
		anchor = event->data.scalar.anchor, tag = event->data.scalar.tag;
	else if (event->type == YAML_SEQUENCE_START_EVENT)
		anchor = event->data.sequence_start.anchor, tag = event->data.sequence_start.tag;
	else if (event->type == YAML_MAPPING_START_EVENT)
		anchor = event->data.mapping_start.anchor, tag = event->data.mapping_start.tag;
	if (!anchor && !tag)
		return true;
	fail(reader, &event->start_mark, "%s are not used here%s",
	     anchor ? "anchors and aliases" : "tags",
	     event->type == YAML_ALIAS_EVENT ? "; a text that begins with * must be quoted" : "");
	return false;
}

static struct node *read_node(struct reader *reader, const yaml_event_t *event, unsigned depth)
{
	struct node *node;

	if (!is_plain_node(reader, event))
		return NULL;
	if (depth > NODE_DEEPEST)
		return fail(reader, &event->start_mark, "this is nested too deep");
	if (reader->n_nodes++ >= NODE_MOST)
		return fail(reader, &event->start_mark, "there is too much in this file");
	node = new_array(1, sizeof *node);
	node->line = (unsigned)event->start_mark.line + 1;
	node->column = (unsigned)event->start_mark.column + 1;
	if (event->type == YAML_SCALAR_EVENT) {
		const char *value = (const char *)event->data.scalar.value;

		node->text = copy_bytes(value, event->data.scalar.length);
		if (strlen(node->text) == event->data.scalar.length)
			return node;
		node_free(node);
		return fail(reader, &event->start_mark, "a text cannot hold the character 0");
	}
	node->kind = event->type == YAML_MAPPING_START_EVENT ? NODE_MAP : NODE_LIST;
	if (read_members(reader, node, depth + 1) &&
	    (node->kind == NODE_LIST || keys_differ(reader, node)))
		return node;
	node_free(node);
	return NULL;
}

/* From the start of the stream to its end: exactly one document. */
static struct node *read_document(struct reader *reader)
{
	struct node *root = NULL;
	yaml_event_t event;
	bool ends = false;

	while (!ends && next_event(reader, &event)) {
		bool starts = event.type == YAML_STREAM_START_EVENT ||
			      event.type == YAML_DOCUMENT_START_EVENT ||
			      event.type == YAML_DOCUMENT_END_EVENT;

		ends = event.type == YAML_STREAM_END_EVENT;
		if (ends && !root) {
			fail(reader, &event.start_mark, "there is nothing in it");
			reader->fault->empty = true;
		}
		if (!starts && !ends) {
			if (root) {
				fail(reader, &event.start_mark, "this is a second document");
				yaml_event_delete(&event);
				break;
			}
			root = read_node(reader, &event, 0);
			if (!root) {
				yaml_event_delete(&event);
				return NULL;
			}
		}
		yaml_event_delete(&event);
	}
	if (ends)
		return root;
	node_free(root);
	return NULL;
}

struct node *node_read(const char *text, size_t n, struct node_fault *ret_fault)
{
	/* Some editors begin a file with the mark that it is UTF-8. */
	size_t mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	struct reader reader = { .text = text + mark, .n = n - mark, .fault = ret_fault };
	struct node *root;

	ret_fault->empty = false;
	if (n > NODE_MOST_BYTES) {
		yaml_mark_t start = { 0 };

		return fail(&reader, &start, "this is longer than %zu KiB", NODE_MOST_BYTES >> 10);
	}
	if (!yaml_parser_initialize(&reader.parser)) {
		yaml_mark_t start = { 0 };

		return fail(&reader, &start, "out of memory");
	}
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)reader.text, reader.n);
	root = read_document(&reader);
	yaml_parser_delete(&reader.parser);
	return root;
}

/* One byte more than is allowed is enough to see that it is too long. */
char *node_read_file(const char *path, const char *what, size_t *ret_n, struct error *error)
{
	FILE *in = fopen(path, "re");
	char *text;

	if (!in) {
		error_set(error, EXIT_MISUSE, "cannot read the %s %s: %s", what, path,
			  strerror(errno));
		return NULL;
	}
	text = new_array(NODE_MOST_BYTES + 1, 1);
	errno = 0;
	*ret_n = fread(text, 1, NODE_MOST_BYTES + 1, in);
	if (ferror(in)) {
		error_set(error, EXIT_MISUSE, "cannot read the %s %s: %s", what, path,
			  strerror(errno));
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}
