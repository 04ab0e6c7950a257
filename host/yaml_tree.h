/* SPDX-License-Identifier: MIT */
/*
 * A YAML text as a small tree in which every node knows its line and column. Only what a file
 * for people needs: texts, lists, maps, one document. Anchors, aliases, tags, repeated keys and
 * texts that are too long, too deep or not UTF-8 are faults.
 *
 *	struct node *root = node_read(text, n, &fault);
 *	if (!root)
 *		printf("%u:%u: %s", fault.line, fault.column, fault.text);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "host/error.h"

#define NODE_MOST_BYTES ((size_t)256 << 10)
#define NODE_DEEPEST 8
#define NODE_MOST 20000

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	unsigned line, column; /* from 1 */
	char *text;            /* NODE_TEXT */
	struct node **keys;    /* NODE_MAP: texts */
	struct node **members; /* NODE_LIST and NODE_MAP */
	unsigned n;
};

struct node_fault {
	unsigned line, column;
	bool empty; /* there is nothing in it */
	char text[256];
};

struct node *node_read(const char *text, size_t n, struct node_fault *ret_fault);
/*
 * A file's text for node_read(): never much more than that takes. `what` is for the error, as in
 * "cannot read the policy FILE". NULL: the error says why. Malloc'd.
 */
char *node_read_file(const char *path, const char *what, size_t *ret_n, struct error *error);
void node_free(struct node *node); /* accepts NULL */
