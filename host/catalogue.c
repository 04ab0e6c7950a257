/* SPDX-License-Identifier: MIT */
#include "host/catalogue.h"

#include <stdlib.h>
#include <string.h>

const struct catalogue_entry *catalogue_find(const char *id)
{
	for (unsigned i = 0; i < catalogue_count; i++) {
		if (strcmp(catalogue[i].id, id) == 0)
			return &catalogue[i];
	}
	return NULL;
}

const struct catalogue_case *catalogue_case_find(const struct catalogue_entry *entry,
						 const char *name)
{
	for (unsigned i = 0; i < entry->n_cases; i++) {
		if (strcmp(entry->cases[i].name, name) == 0)
			return &entry->cases[i];
	}
	return NULL;
}

/* Steps to the next element of a comma-separated list: true and its place, or false at the end. */
static bool next_element(const char **list, const char **ret_element, size_t *ret_length)
{
	if (!*list)
		return false;
	*ret_element = *list;
	*ret_length = strcspn(*list, ",");
	*list = (*list)[*ret_length] ? *list + *ret_length + 1 : NULL;
	return true;
}

static bool element_is(const char *element, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(element, name, length) == 0;
}

bool catalogue_selects(const char *list, const struct catalogue_entry *entry)
{
	const char *element;
	size_t length;

	while (next_element(&list, &element, &length)) {
		if (element_is(element, length, entry->id) ||
		    element_is(element, length, entry->category))
			return true;
	}
	return false;
}

/* An empty element names nothing either: "a,,b" is a slip that the user should hear of. */
char *catalogue_unknown_element(const char *list)
{
	const char *element;
	size_t length;

	while (next_element(&list, &element, &length)) {
		bool known = false;

		for (unsigned i = 0; i < catalogue_count && !known; i++)
			known = element_is(element, length, catalogue[i].id) ||
				element_is(element, length, catalogue[i].category);
		if (!known)
			return strndup(element, length);
	}
	return NULL;
}
