/* SPDX-License-Identifier: MIT */
#include "host/policy_loader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/suggest.h"

bool loader_fault(struct loader *loader, const struct node *at, const char *format, ...)
{
	va_list arguments;
	char *text;

	if (loader->n_faults++ >= FAULTS_KEPT)
		return false;
	va_start(arguments, format);
	text = print_text_list(format, arguments);
	va_end(arguments);
	loader->faults = list_add(loader->faults, print_text("%s:%u:%u: %s", loader->source,
							     at->line, at->column, text));
	free(text);
	return false;
}

char **loader_faults(struct loader *loader)
{
	if (loader->n_faults > FAULTS_KEPT)
		loader->faults =
			list_add(loader->faults, print_text("%s: and %u more", loader->source,
							    loader->n_faults - FAULTS_KEPT));
	return loader->faults;
}

/* ---------------------------------------------------------------- words */

static bool fault_word(struct loader *loader, const struct node *at, const char *what,
		       const char *word, const char *const known[], size_t n)
{
	const char *near = suggest(word, known, n);
	char *all = copy_text("");

	if (near) {
		free(all);
		return loader_fault(loader, at, "there is no %s '%s'; did you mean '%s'?", what,
				    word, near);
	}
	for (size_t i = 0; i < n && n <= 12; i++) {
		char *longer = print_text("%s%s%s", all, i ? ", " : "", known[i]);

		free(all);
		all = longer;
	}
	loader_fault(loader, at, "there is no %s '%s'%s%s", what, word, *all ? "; there are: " : "",
		     all);
	free(all);
	return false;
}

bool loader_is_text(struct loader *loader, const struct node *node, const char *what)
{
	if (node->kind != NODE_TEXT)
		return loader_fault(loader, node, "%s must be a text", what);
	if (!*node->text)
		return loader_fault(loader, node, "%s is empty", what);
	return true;
}

/* The one member of the list that the text is: its number, or -1 and a fault. */
int loader_word(struct loader *loader, const struct node *node, const char *what,
		const char *const words[], size_t n)
{
	if (!loader_is_text(loader, node, what))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], node->text) == 0)
			return (int)i;
	fault_word(loader, node, what, node->text, words, n);
	return -1;
}

/* A text, or a list of texts: calls `take` with each. */
void loader_each_text(struct loader *loader, const struct node *node, const char *what,
		      void (*take)(struct loader *, const struct node *, void *), void *to)
{
	if (node->kind == NODE_LIST && node->n == 0)
		loader_fault(loader, node, "%s is empty", what);
	else if (node->kind == NODE_MAP)
		loader_fault(loader, node, "%s must be a text or a list of texts", what);
	for (unsigned i = 0; node->kind == NODE_LIST && i < node->n; i++)
		if (loader_is_text(loader, node->members[i], what))
			take(loader, node->members[i], to);
	if (node->kind == NODE_TEXT && loader_is_text(loader, node, what))
		take(loader, node, to);
}

/* ---------------------------------------------------------------- selectors */

static bool is_category(const char *name)
{
	for (unsigned i = 0; i < catalogue_count; i++)
		if (strcmp(catalogue[i].category, name) == 0)
			return true;
	return false;
}

static bool fault_scenario(struct loader *loader, const struct node *at, const char *name)
{
	const char **known = new_array(2 * (size_t)catalogue_count + 1, sizeof *known);
	size_t n = 0;

	/* The category is what people leave out. */
	for (unsigned i = 0; i < catalogue_count; i++)
		if (strcmp(strchr(catalogue[i].id, '.') + 1, name) == 0) {
			free(known);
			return loader_fault(loader, at,
					    "there is no scenario '%s'; did you mean '%s'?", name,
					    catalogue[i].id);
		}
	known[n++] = "all";
	for (unsigned i = 0; i < catalogue_count; i++) {
		known[n++] = catalogue[i].id;
		if (i == 0 || strcmp(catalogue[i].category, catalogue[i - 1].category) != 0)
			known[n++] = catalogue[i].category;
	}
	fault_word(loader, at, strchr(name, '.') ? "scenario" : "scenario or category", name, known,
		   n);
	free(known);
	return false;
}

static bool check_case(struct loader *loader, const struct node *at,
		       const struct catalogue_entry *entry, const struct selector *selector)
{
	const char **known;
	char *what;

	if (entry->n_cases == 0 && selector->case_glob)
		return loader_fault(loader, at, "%s has no cases", entry->id);
	if (entry->n_cases > 0 && selector->object_glob && !selector->case_glob)
		return loader_fault(loader, at,
				    "%s has cases: say which of them the objects belong to, as "
				    "in '%s/%s@%s'",
				    entry->id, entry->id, entry->cases[0].name,
				    selector->object_glob);
	for (unsigned i = 0; selector->case_glob && i < entry->n_cases; i++)
		if (glob_matches(selector->case_glob, entry->cases[i].name))
			return true;
	if (!selector->case_glob)
		return true;
	known = new_array(entry->n_cases, sizeof *known);
	for (unsigned i = 0; i < entry->n_cases; i++)
		known[i] = entry->cases[i].name;
	what = print_text("case in %s like", entry->id);
	fault_word(loader, at, what, selector->case_glob, known, entry->n_cases);
	free(what);
	free(known);
	return false;
}

static bool check_selector(struct loader *loader, const struct node *at, struct selector *selector)
{
	const struct catalogue_entry *entry = catalogue_find(selector->name);

	if ((selector->case_glob && !*selector->case_glob) ||
	    (selector->object_glob && !*selector->object_glob))
		return loader_fault(loader, at, "'%s' ends too early", selector->text);
	if (entry) {
		selector->scope = SCOPE_SCENARIO;
		return check_case(loader, at, entry, selector);
	}
	selector->scope = strcmp(selector->name, "all") == 0 ? SCOPE_ALL : SCOPE_CATEGORY;
	if (selector->scope == SCOPE_CATEGORY && !is_category(selector->name))
		return fault_scenario(loader, at, selector->name);
	if (selector->case_glob || selector->object_glob)
		return loader_fault(loader, at, "only a scenario has cases and objects, '%s' is %s",
				    selector->name,
				    selector->scope == SCOPE_ALL ? "all of them" : "a category");
	return true;
}

void loader_take_selector(struct loader *loader, const struct node *node, void *to)
{
	const struct selector_list *list = to;
	size_t place = strcspn(node->text, "/@");
	const char *at = strchr(node->text, '@');
	const char *slash = node->text[place] == '/' ? node->text + place : NULL;
	struct selector *one;

	*list->selectors = grow_array(*list->selectors, *list->n + 1, sizeof **list->selectors);
	one = &(*list->selectors)[(*list->n)++];
	*one = (struct selector){
		.text = copy_text(node->text),
		.name = copy_bytes(node->text, place),
		.case_glob = !slash ? NULL
			     : at   ? copy_bytes(slash + 1, (size_t)(at - slash - 1))
				    : copy_text(slash + 1),
		.object_glob = copy_text(at ? at + 1 : NULL),
	};
	check_selector(loader, node, one);
}
