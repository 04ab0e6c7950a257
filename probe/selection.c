/* SPDX-License-Identifier: MIT */
#include "probe/selection.h"

#include <string.h>

#include "probe/about.h"
#include "probe/trial.h"

static bool equals(const char *name, const char *element, size_t n)
{
	return strlen(name) == n && strncmp(name, element, n) == 0;
}

static bool names_row(const struct scenario_row *row, const char *element, size_t n)
{
	return equals(row->id, element, n) || equals(row->category, element, n);
}

/* Does an element of the list name this row? */
static bool list_names(const char *list, const struct scenario_row *row)
{
	while (*list) {
		size_t n = strcspn(list, ",");

		if (names_row(row, list, n))
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

const char *selection_fault(const char *list)
{
	static char fault[128];

	while (*list) {
		size_t n = strcspn(list, ",");
		bool found = false;

		for (unsigned i = 0; i < scenario_registry_count && !found; i++)
			found = names_row(&scenario_registry[i], list, n);
		if (!found) {
			char element[64];

			if (n >= sizeof element)
				n = sizeof element - 1;
			memcpy(element, list, n);
			element[n] = '\0';
			format_text(fault, sizeof fault, "'%s' is no scenario or category (--list)",
				    element);
			return fault;
		}
		list += n + (list[n] == ',');
	}
	return NULL;
}

unsigned selection_make(bool selected[SELECTION_MAX])
{
	unsigned count = 0;

	for (unsigned i = 0; i < scenario_registry_count && i < SELECTION_MAX; i++) {
		const struct scenario_row *row = &scenario_registry[i];

		selected[i] = (!options.only || list_names(options.only, row)) &&
			      !(options.skip && list_names(options.skip, row)) &&
			      (options.output != OUTPUT_PAPER || about_scenario(i).paper);
		count += selected[i];
	}
	return count;
}
