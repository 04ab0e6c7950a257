/* SPDX-License-Identifier: MIT */
/*
 * What the loaders of policies (policy_load.c) and targets (targets.c) are made of: faults with
 * their place, words of closed lists with the nearest name, and selectors that are checked against
 * the catalogue.
 */
#pragma once

#include "host/policy.h"
#include "host/yaml_tree.h"

#define FAULTS_KEPT 20

struct loader {
	const char *source;
	char **faults;
	unsigned n_faults;
	struct policy *policy; /* NULL where something else is read */
};

/* Notes a fault and returns false, so that "return fault(…)" reads well. */
bool loader_fault(struct loader *loader, const struct node *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* All of them, and how many are left out; NULL: there are none. The caller's. */
char **loader_faults(struct loader *loader);
bool loader_is_text(struct loader *loader, const struct node *node, const char *what);
/* The one member of the list that the text is: its number, or -1 and a fault. */
int loader_word(struct loader *loader, const struct node *node, const char *what,
		const char *const words[], size_t n);
/* A text, or a list of texts: calls `take` with each. */
void loader_each_text(struct loader *loader, const struct node *node, const char *what,
		      void (*take)(struct loader *, const struct node *, void *), void *to);

struct selector_list {
	struct selector **selectors;
	unsigned *n;
};

/* For loader_each_text: `to` is a struct selector_list. */
void loader_take_selector(struct loader *loader, const struct node *node, void *to);
