/* SPDX-License-Identifier: MIT */
#include "host/policy.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/suggest.h"
#include "host/yaml_tree.h"

static void selectors_done(struct selector *selectors, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		free(selectors[i].text);
		free(selectors[i].name);
		free(selectors[i].case_glob);
		free(selectors[i].object_glob);
	}
	free(selectors);
}

static void rule_done(struct rule *rule)
{
	selectors_done(rule->selectors, rule->n_selectors);
	for (unsigned i = 0; i < rule->n_bounds; i++) {
		free(rule->bounds[i].name);
		free(rule->bounds[i].text);
	}
	free(rule->bounds);
	list_free(rule->names);
	free(rule->why);
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	for (unsigned i = 0; i < policy->n_rules; i++)
		rule_done(&policy->rules[i]);
	for (unsigned i = 0; i < policy->n_waivers; i++) {
		selectors_done(policy->waivers[i].selectors, policy->waivers[i].n_selectors);
		free(policy->waivers[i].reason);
		free(policy->waivers[i].until);
	}
	free(policy->rules);
	free(policy->waivers);
	free(policy->name);
	free(policy->about);
	free(policy->source);
	free(policy);
}

/* ---------------------------------------------------------------- globs */

bool glob_is_exact(const char *glob)
{
	for (; *glob; glob++) {
		if (*glob == '*' || *glob == '?')
			return false;
		if (*glob == '\\' && glob[1])
			glob++;
	}
	return true;
}

/* Goes back to the last star only, so that no pattern takes more than n times m steps. */
bool glob_matches(const char *glob, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text) {
		const char *literal = *glob == '\\' && glob[1] ? glob + 1 : glob;

		if (*glob == '*') {
			star = ++glob;
			from = text;
		} else if (*glob && ((*glob == '?' && literal == glob) || *literal == *text)) {
			glob = literal + 1;
			text++;
		} else if (star) {
			glob = star;
			text = ++from;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return *glob == '\0';
}

unsigned policy_rank(const struct selector *selector, bool narrowed)
{
	unsigned cases = !selector->case_glob ? 0 : glob_is_exact(selector->case_glob) ? 2 : 1;
	unsigned objects = !selector->object_glob                 ? 0
			   : glob_is_exact(selector->object_glob) ? 2
								  : 1;

	return 100 * objects + 10 * ((unsigned)selector->scope + cases) + narrowed;
}

enum exit_status policy_exit(enum policy_verdict verdict)
{
	switch (verdict) {
	case VERDICT_NONE:
	case VERDICT_SATISFIED:
		return EXIT_SATISFIED;
	case VERDICT_VIOLATED:
		return EXIT_VIOLATED;
	case VERDICT_INCOMPLETE:
		break;
	}
	return EXIT_INCOMPLETE;
}

/* ---------------------------------------------------------------- where policies are */

const struct policy_text *policy_text_find(const char *name)
{
	for (const struct policy_text *one = policy_texts; one->name; one++)
		if (strcmp(one->name, name) == 0)
			return one;
	return NULL;
}

static void fail_unknown(const char *name, struct error *error)
{
	const char *names[64], *near;
	size_t n = 0;

	for (const struct policy_text *one = policy_texts; one->name && n < 64; one++)
		names[n++] = one->name;
	near = suggest(name, names, n);
	error_set(error, EXIT_MISUSE, "there is no policy '%s', and no such file%s%s%s", name,
		  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	if (!near)
		error_hint(error, "'sandboxeval policy list' names those that there are");
}

struct policy *policy_open(const char *name, char ***ret_faults, struct error *error)
{
	const struct policy_text *known = policy_text_find(name);
	struct policy *policy;
	size_t n = 0;
	FILE *file;
	char *text;

	*ret_faults = NULL;
	*error = (struct error){ .status = EXIT_MISUSE };
	if (known) {
		policy = policy_load(known->text, strlen(known->text), known->name, ret_faults);
		if (policy) {
			free(policy->source);
			policy->source = copy_text("built in");
		}
		return policy;
	}
	file = strchr(name, '/') || strchr(name, '.') ? NULL : fopen(name, "re");
	if (!file && !strchr(name, '/') && !strchr(name, '.')) {
		fail_unknown(name, error);
		return NULL;
	}
	if (file)
		fclose(file);
	text = node_read_file(name, "policy", &n, error);
	if (!text)
		return NULL;
	policy = policy_load(text, n, name, ret_faults);
	free(text);
	return policy;
}
