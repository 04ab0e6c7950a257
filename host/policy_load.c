/* SPDX-License-Identifier: MIT */
/*
 * From the YAML tree to a policy. Every key, id, case and word that is not known is a fault with
 * its place and the nearest name; all of them are found, not only the first.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/policy.h"
#include "host/suggest.h"
#include "host/yaml_tree.h"

#define FAULTS_KEPT 20

struct loader {
	const char *source;
	char **faults;
	unsigned n_faults;
	struct policy *policy;
};

static bool fault(struct loader *loader, const struct node *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Notes a fault and returns false, so that "return fault(…)" reads well. */
static bool fault(struct loader *loader, const struct node *at, const char *format, ...)
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

/* ---------------------------------------------------------------- words */

static bool fault_word(struct loader *loader, const struct node *at, const char *what,
		       const char *word, const char *const known[], size_t n)
{
	const char *near = suggest(word, known, n);
	char *all = copy_text("");

	if (near) {
		free(all);
		return fault(loader, at, "there is no %s '%s'; did you mean '%s'?", what, word, near);
	}
	for (size_t i = 0; i < n && n <= 12; i++) {
		char *longer = print_text("%s%s%s", all, i ? ", " : "", known[i]);

		free(all);
		all = longer;
	}
	fault(loader, at, "there is no %s '%s'%s%s", what, word, *all ? "; there are: " : "", all);
	free(all);
	return false;
}

static bool is_text(struct loader *loader, const struct node *node, const char *what)
{
	if (node->kind != NODE_TEXT)
		return fault(loader, node, "%s must be a text", what);
	if (!*node->text)
		return fault(loader, node, "%s is empty", what);
	return true;
}

/* The one member of the list that the text is: its number, or -1 and a fault. */
static int read_word(struct loader *loader, const struct node *node, const char *what,
		     const char *const words[], size_t n)
{
	if (!is_text(loader, node, what))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], node->text) == 0)
			return (int)i;
	fault_word(loader, node, what, node->text, words, n);
	return -1;
}

static void read_tolerance(struct loader *loader, const struct node *node, enum tolerance *ret)
{
	static const char *const words[] = { "fail", "warn", "ignore" };
	int word = read_word(loader, node, "choice for unknown", words, N_TOLERANCES);

	if (word >= 0)
		*ret = (enum tolerance)word;
}

/* A text, or a list of texts: calls `take` with each. */
static void for_each_text(struct loader *loader, const struct node *node, const char *what,
			  void (*take)(struct loader *, const struct node *, void *), void *to)
{
	if (node->kind == NODE_LIST && node->n == 0)
		fault(loader, node, "%s is empty", what);
	else if (node->kind == NODE_MAP)
		fault(loader, node, "%s must be a text or a list of texts", what);
	for (unsigned i = 0; node->kind == NODE_LIST && i < node->n; i++)
		if (is_text(loader, node->members[i], what))
			take(loader, node->members[i], to);
	if (node->kind == NODE_TEXT && is_text(loader, node, what))
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
			return fault(loader, at, "there is no scenario '%s'; did you mean '%s'?",
				     name, catalogue[i].id);
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
		return fault(loader, at, "%s has no cases", entry->id);
	if (entry->n_cases > 0 && selector->object_glob && !selector->case_glob)
		return fault(loader, at, "%s has cases: say which of them the objects belong to, as "
					 "in '%s/%s@%s'", entry->id, entry->id,
			     entry->cases[0].name, selector->object_glob);
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
		return fault(loader, at, "'%s' ends too early", selector->text);
	if (entry) {
		selector->scope = SCOPE_SCENARIO;
		return check_case(loader, at, entry, selector);
	}
	selector->scope = strcmp(selector->name, "all") == 0 ? SCOPE_ALL : SCOPE_CATEGORY;
	if (selector->scope == SCOPE_CATEGORY && !is_category(selector->name))
		return fault_scenario(loader, at, selector->name);
	if (selector->case_glob || selector->object_glob)
		return fault(loader, at, "only a scenario has cases and objects, '%s' is %s",
			     selector->name,
			     selector->scope == SCOPE_ALL ? "all of them" : "a category");
	return true;
}

struct selector_list {
	struct selector **selectors;
	unsigned *n;
};

static void take_selector(struct loader *loader, const struct node *node, void *to)
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
		.case_glob = !slash ? NULL :
			     at	    ? copy_bytes(slash + 1, (size_t)(at - slash - 1)) :
				      copy_text(slash + 1),
		.object_glob = copy_text(at ? at + 1 : NULL),
	};
	check_selector(loader, node, one);
}

/* ---------------------------------------------------------------- parts of a rule */

static void take_severity(struct loader *loader, const struct node *node, void *to)
{
	const char *words[N_SEVERITIES];
	int word;

	for (unsigned i = 0; i < N_SEVERITIES; i++)
		words[i] = severity_name((enum severity)i);
	/* "inherit" is no severity of a result. */
	word = read_word(loader, node, "severity", words + 1, N_SEVERITIES - 1);
	if (word >= 0)
		*(unsigned *)to |= 1U << (word + 1);
}

static void take_name(struct loader *loader, const struct node *node, void *to)
{
	(void)loader;
	*(char ***)to = list_add(*(char ***)to, copy_text(node->text));
}

static bool read_number(struct loader *loader, const struct node *node, double *ret)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = { { "", 1 },
		      { "KiB", 1024 },
		      { "MiB", 1048576 },
		      { "GiB", 1073741824 },
		      { "TiB", 1099511627776 } };
	char *end = NULL;

	if (!is_text(loader, node, "a bound"))
		return false;
	*ret = isdigit((unsigned char)*node->text) ? strtod(node->text, &end) : 0;
	while (end && *end == ' ')
		end++;
	for (size_t i = 0; end && i < sizeof units / sizeof *units; i++) {
		if (strcmp(end, units[i].unit) == 0) {
			*ret *= units[i].factor;
			return true;
		}
	}
	return fault(loader, node, "'%s' is no number such as 64, 0.5 or 512 MiB", node->text);
}

static void read_bounds(struct loader *loader, const struct node *node, bool at_least,
			struct rule *rule)
{
	if (node->kind != NODE_MAP || node->n == 0) {
		fault(loader, node, "a bound names a number of the evidence, as in { count: 4 }");
		return;
	}
	for (unsigned i = 0; i < node->n; i++) {
		struct bound bound = { .at_least = at_least };

		if (!read_number(loader, node->members[i], &bound.value))
			continue;
		bound.name = copy_text(node->keys[i]->text);
		bound.text = copy_text(node->members[i]->text);
		rule->bounds = grow_array(rule->bounds, rule->n_bounds + 1, sizeof bound);
		rule->bounds[rule->n_bounds++] = bound;
	}
}

/* What no single key can tell. */
static void check_rule(struct loader *loader, const struct node *node, const struct rule *rule)
{
	bool conditional = rule->n_bounds > 0 || rule->names;

	if (rule->names && rule->effect == EFFECT_DENY)
		fault(loader, node, "'names' says what is allowed: it does not go with deny");
	for (unsigned i = 0; conditional && i < rule->n_selectors; i++)
		if (rule->selectors[i].scope != SCOPE_SCENARIO && rule->selectors[i].name)
			fault(loader, node, "a condition speaks of a scenario's evidence: '%s' is none",
			      rule->selectors[i].text);
}

static const char *const rule_keys[] = { "deny",     "allow", "require", "severity", "at-most",
					 "at-least", "names", "unknown", "why" };
enum { KEY_SEVERITY = 3, KEY_AT_MOST, KEY_AT_LEAST, KEY_NAMES, KEY_UNKNOWN, KEY_WHY };

static void read_rule_member(struct loader *loader, const struct node *key,
			     const struct node *value, struct rule *rule)
{
	struct selector_list list = { &rule->selectors, &rule->n_selectors };
	int index = read_word(loader, key, "key of a rule", rule_keys,
			      sizeof rule_keys / sizeof *rule_keys);

	switch (index) {
	case EFFECT_DENY:
	case EFFECT_ALLOW:
	case EFFECT_REQUIRE:
		if (rule->n_selectors > 0)
			fault(loader, key, "a rule has one of allow, deny and require");
		rule->effect = (enum effect)index;
		for_each_text(loader, value, rule_keys[index], take_selector, &list);
		break;
	case KEY_SEVERITY:
		for_each_text(loader, value, "severity", take_severity, &rule->severities);
		break;
	case KEY_AT_MOST:
	case KEY_AT_LEAST:
		read_bounds(loader, value, index == KEY_AT_LEAST, rule);
		break;
	case KEY_NAMES:
		for_each_text(loader, value, "names", take_name, &rule->names);
		break;
	case KEY_UNKNOWN:
		rule->has_unknown = true;
		read_tolerance(loader, value, &rule->unknown);
		break;
	case KEY_WHY:
		if (is_text(loader, value, "why"))
			rule->why = copy_text(value->text);
		break;
	}
}

static void read_rule(struct loader *loader, const struct node *node)
{
	struct policy *policy = loader->policy;
	unsigned before = loader->n_faults;
	struct rule *rule;

	if (node->kind != NODE_MAP) {
		fault(loader, node, "a rule is written as 'allow: …', 'deny: …' or 'require: …'");
		return;
	}
	policy->rules = grow_array(policy->rules, policy->n_rules + 1, sizeof *policy->rules);
	rule = &policy->rules[policy->n_rules++];
	*rule = (struct rule){ .line = node->line };
	for (unsigned i = 0; i < node->n; i++)
		read_rule_member(loader, node->keys[i], node->members[i], rule);
	/* A misspelt key was told already. */
	if (rule->n_selectors == 0 && loader->n_faults == before)
		fault(loader, node, "a rule begins with allow, deny or require");
	check_rule(loader, node, rule);
}

/* ---------------------------------------------------------------- waivers */

static bool read_date(struct loader *loader, const struct node *node, time_t *ret_ends)
{
	struct tm utc = { 0 };
	const char *end;
	char again[16];

	if (!is_text(loader, node, "until"))
		return false;
	end = strptime(node->text, "%Y-%m-%d", &utc);
	/* strptime takes the 31st of any month. */
	*ret_ends = timegm(&utc) + 24 * 60 * 60;
	if (!end || *end || strftime(again, sizeof again, "%Y-%m-%d", &utc) == 0 ||
	    strcmp(again, node->text) != 0)
		return fault(loader, node, "'%s' is no date such as 2026-12-31", node->text);
	return true;
}

static void read_waiver(struct loader *loader, const struct node *node)
{
	static const char *const keys[] = { "waive", "reason", "until" };
	struct policy *policy = loader->policy;
	struct selector_list list;
	struct waiver *waiver;
	unsigned seen = 0;

	if (node->kind != NODE_MAP) {
		fault(loader, node, "a waiver has waive, reason and until");
		return;
	}
	policy->waivers = grow_array(policy->waivers, policy->n_waivers + 1, sizeof *policy->waivers);
	waiver = &policy->waivers[policy->n_waivers++];
	*waiver = (struct waiver){ .line = node->line };
	list = (struct selector_list){ &waiver->selectors, &waiver->n_selectors };
	for (unsigned i = 0; i < node->n; i++) {
		const struct node *value = node->members[i];
		int key = read_word(loader, node->keys[i], "key of a waiver", keys, 3);

		seen |= key >= 0 ? 1U << key : 0;
		if (key == 0)
			for_each_text(loader, value, "waive", take_selector, &list);
		else if (key == 1 && is_text(loader, value, "reason"))
			waiver->reason = copy_text(value->text);
		else if (key == 2 && read_date(loader, value, &waiver->ends))
			waiver->until = copy_text(value->text);
	}
	for (unsigned key = 0; key < 3; key++)
		if (!(seen & (1U << key)))
			fault(loader, node, "a waiver needs '%s'", keys[key]);
}

/* ---------------------------------------------------------------- the whole */

static void read_list(struct loader *loader, const struct node *node, const char *what,
		      void (*read)(struct loader *, const struct node *))
{
	if (node->kind != NODE_LIST)
		fault(loader, node, "%s must be a list", what);
	for (unsigned i = 0; node->kind == NODE_LIST && i < node->n; i++)
		read(loader, node->members[i]);
}

static void read_default(struct loader *loader, const struct node *node)
{
	static const char *const words[] = { "deny", "allow" };
	int word = read_word(loader, node, "default", words, 2);

	if (word >= 0)
		loader->policy->fallback = (enum effect)word;
}

static const char *const top_keys[] = { "sandboxeval-policy", "name",  "about",  "unknown",
					"default",	      "rules", "waivers" };
enum { TOP_FORMAT, TOP_NAME, TOP_ABOUT, TOP_UNKNOWN, TOP_DEFAULT, TOP_RULES, TOP_WAIVERS };

static void read_top(struct loader *loader, int key, const struct node *value)
{
	struct policy *policy = loader->policy;

	switch (key) {
	case TOP_FORMAT:
		if (is_text(loader, value, "the format") && strcmp(value->text, "1") != 0)
			fault(loader, value, "this program knows format 1 of policies, not '%s'",
			      value->text);
		break;
	case TOP_NAME:
		if (is_text(loader, value, "name"))
			policy->name = copy_text(value->text);
		break;
	case TOP_ABOUT:
		if (is_text(loader, value, "about"))
			policy->about = copy_text(value->text);
		break;
	case TOP_UNKNOWN:
		read_tolerance(loader, value, &policy->unknown);
		break;
	case TOP_DEFAULT:
		read_default(loader, value);
		break;
	case TOP_RULES:
		read_list(loader, value, "rules", read_rule);
		break;
	case TOP_WAIVERS:
		read_list(loader, value, "waivers", read_waiver);
		break;
	}
}

static void read_policy(struct loader *loader, const struct node *root)
{
	bool has_format = false, has_default = false;

	if (root->kind != NODE_MAP) {
		fault(loader, root, "a policy begins with 'sandboxeval-policy: 1'");
		return;
	}
	for (unsigned i = 0; i < root->n; i++) {
		int key = read_word(loader, root->keys[i], "key", top_keys,
				    sizeof top_keys / sizeof *top_keys);

		has_format = has_format || key == TOP_FORMAT;
		has_default = has_default || key == TOP_DEFAULT;
		read_top(loader, key, root->members[i]);
	}
	if (!has_format)
		fault(loader, root, "a policy needs 'sandboxeval-policy: 1'");
	/* Whatever is left out must not be what the owner did not think of. */
	if (!has_default)
		fault(loader, root, "a policy needs 'default: deny' or 'default: allow'");
}

/* "policies/mine.yaml" is called "mine" when it does not say otherwise. */
static char *name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot > base ? copy_bytes(base, (size_t)(dot - base)) : copy_text(base);
}

struct policy *policy_load(const char *text, size_t n, const char *source, char ***ret_faults)
{
	struct loader loader = { .source = source, .policy = new_array(1, sizeof *loader.policy) };
	struct node_fault broken;
	struct node *root = node_read(text, n, &broken);

	if (root) {
		read_policy(&loader, root);
	} else {
		struct node at = { .line = broken.line, .column = broken.column };

		fault(&loader, &at, "%s", broken.text);
	}
	node_free(root);
	if (loader.n_faults > FAULTS_KEPT)
		loader.faults = list_add(loader.faults, print_text("%s: and %u more", source,
								   loader.n_faults - FAULTS_KEPT));
	*ret_faults = loader.faults;
	if (loader.n_faults > 0) {
		policy_free(loader.policy);
		return NULL;
	}
	loader.policy->source = copy_text(source);
	if (!loader.policy->name)
		loader.policy->name = name_of_file(source);
	return loader.policy;
}
