/* SPDX-License-Identifier: MIT */
/*
 * From the YAML tree to a policy. Every key, id, case and word that is not known is a fault with
 * its place and the nearest name; all of them are found, not only the first.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/policy.h"
#include "host/policy_loader.h"

/* ---------------------------------------------------------------- parts of a rule */

static void read_tolerance(struct loader *loader, const struct node *node, enum tolerance *ret)
{
	static const char *const words[] = { "fail", "warn", "ignore" };
	int word = loader_word(loader, node, "choice for unknown", words, N_TOLERANCES);

	if (word >= 0)
		*ret = (enum tolerance)word;
}

static void take_severity(struct loader *loader, const struct node *node, void *to)
{
	const char *words[N_SEVERITIES];
	int word;

	for (unsigned i = 0; i < N_SEVERITIES; i++)
		words[i] = severity_name((enum severity)i);
	/* "inherit" is no severity of a result. */
	word = loader_word(loader, node, "severity", words + 1, N_SEVERITIES - 1);
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

	if (!loader_is_text(loader, node, "a bound"))
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
	return loader_fault(loader, node, "'%s' is no number such as 64, 0.5 or 512 MiB",
			    node->text);
}

static void read_bounds(struct loader *loader, const struct node *node, bool at_least,
			struct rule *rule)
{
	if (node->kind != NODE_MAP || node->n == 0) {
		loader_fault(loader, node,
			     "a bound names a number of the evidence, as in { count: 4 }");
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
		loader_fault(loader, node,
			     "'names' says what is allowed: it does not go with deny");
	for (unsigned i = 0; conditional && i < rule->n_selectors; i++)
		if (rule->selectors[i].scope != SCOPE_SCENARIO && rule->selectors[i].name)
			loader_fault(loader, node,
				     "a condition speaks of a scenario's evidence: '%s' is none",
				     rule->selectors[i].text);
}

static const char *const rule_keys[] = { "deny",     "allow", "require", "severity", "at-most",
					 "at-least", "names", "unknown", "why" };
enum { KEY_SEVERITY = 3, KEY_AT_MOST, KEY_AT_LEAST, KEY_NAMES, KEY_UNKNOWN, KEY_WHY };

static void read_rule_member(struct loader *loader, const struct node *key,
			     const struct node *value, struct rule *rule)
{
	struct selector_list list = { &rule->selectors, &rule->n_selectors };
	int index = loader_word(loader, key, "key of a rule", rule_keys,
				sizeof rule_keys / sizeof *rule_keys);

	switch (index) {
	case EFFECT_DENY:
	case EFFECT_ALLOW:
	case EFFECT_REQUIRE:
		if (rule->n_selectors > 0)
			loader_fault(loader, key, "a rule has one of allow, deny and require");
		rule->effect = (enum effect)index;
		loader_each_text(loader, value, rule_keys[index], loader_take_selector, &list);
		break;
	case KEY_SEVERITY:
		loader_each_text(loader, value, "severity", take_severity, &rule->severities);
		break;
	case KEY_AT_MOST:
	case KEY_AT_LEAST:
		read_bounds(loader, value, index == KEY_AT_LEAST, rule);
		break;
	case KEY_NAMES:
		loader_each_text(loader, value, "names", take_name, &rule->names);
		break;
	case KEY_UNKNOWN:
		rule->has_unknown = true;
		read_tolerance(loader, value, &rule->unknown);
		break;
	case KEY_WHY:
		if (loader_is_text(loader, value, "why"))
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
		loader_fault(loader, node,
			     "a rule is written as 'allow: …', 'deny: …' or 'require: …'");
		return;
	}
	policy->rules = grow_array(policy->rules, policy->n_rules + 1, sizeof *policy->rules);
	rule = &policy->rules[policy->n_rules++];
	*rule = (struct rule){ .line = node->line };
	for (unsigned i = 0; i < node->n; i++)
		read_rule_member(loader, node->keys[i], node->members[i], rule);
	/* A misspelt key was told already. */
	if (rule->n_selectors == 0 && loader->n_faults == before)
		loader_fault(loader, node, "a rule begins with allow, deny or require");
	check_rule(loader, node, rule);
}

/* ---------------------------------------------------------------- waivers */

static bool read_date(struct loader *loader, const struct node *node, time_t *ret_ends)
{
	struct tm utc = { 0 };
	const char *end;
	char again[16];

	if (!loader_is_text(loader, node, "until"))
		return false;
	end = strptime(node->text, "%Y-%m-%d", &utc);
	/* strptime takes the 31st of any month. */
	*ret_ends = timegm(&utc) + 24 * 60 * 60;
	if (!end || *end || strftime(again, sizeof again, "%Y-%m-%d", &utc) == 0 ||
	    strcmp(again, node->text) != 0)
		return loader_fault(loader, node, "'%s' is no date such as 2026-12-31", node->text);
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
		loader_fault(loader, node, "a waiver has waive, reason and until");
		return;
	}
	policy->waivers =
		grow_array(policy->waivers, policy->n_waivers + 1, sizeof *policy->waivers);
	waiver = &policy->waivers[policy->n_waivers++];
	*waiver = (struct waiver){ .line = node->line };
	list = (struct selector_list){ &waiver->selectors, &waiver->n_selectors };
	for (unsigned i = 0; i < node->n; i++) {
		const struct node *value = node->members[i];
		int key = loader_word(loader, node->keys[i], "key of a waiver", keys, 3);

		seen |= key >= 0 ? 1U << key : 0;
		if (key == 0)
			loader_each_text(loader, value, "waive", loader_take_selector, &list);
		else if (key == 1 && loader_is_text(loader, value, "reason"))
			waiver->reason = copy_text(value->text);
		else if (key == 2 && read_date(loader, value, &waiver->ends))
			waiver->until = copy_text(value->text);
	}
	for (unsigned key = 0; key < 3; key++)
		if (!(seen & (1U << key)))
			loader_fault(loader, node, "a waiver needs '%s'", keys[key]);
}

/* ---------------------------------------------------------------- the whole */

static void read_list(struct loader *loader, const struct node *node, const char *what,
		      void (*read)(struct loader *, const struct node *))
{
	if (node->kind != NODE_LIST)
		loader_fault(loader, node, "%s must be a list", what);
	for (unsigned i = 0; node->kind == NODE_LIST && i < node->n; i++)
		read(loader, node->members[i]);
}

static void read_default(struct loader *loader, const struct node *node)
{
	static const char *const words[] = { "deny", "allow" };
	int word = loader_word(loader, node, "default", words, 2);

	if (word >= 0)
		loader->policy->fallback = (enum effect)word;
}

static const char *const top_keys[] = {
	"sandboxeval-policy", "name", "about", "unknown", "default", "rules", "waivers"
};
enum { TOP_FORMAT, TOP_NAME, TOP_ABOUT, TOP_UNKNOWN, TOP_DEFAULT, TOP_RULES, TOP_WAIVERS };

static void read_top(struct loader *loader, int key, const struct node *value)
{
	struct policy *policy = loader->policy;

	switch (key) {
	case TOP_FORMAT:
		if (loader_is_text(loader, value, "the format") && strcmp(value->text, "1") != 0)
			loader_fault(loader, value,
				     "this program knows format 1 of policies, not '%s'",
				     value->text);
		break;
	case TOP_NAME:
		if (loader_is_text(loader, value, "name"))
			policy->name = copy_text(value->text);
		break;
	case TOP_ABOUT:
		if (loader_is_text(loader, value, "about"))
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
		loader_fault(loader, root, "a policy begins with 'sandboxeval-policy: 1'");
		return;
	}
	for (unsigned i = 0; i < root->n; i++) {
		int key = loader_word(loader, root->keys[i], "key", top_keys,
				      sizeof top_keys / sizeof *top_keys);

		has_format = has_format || key == TOP_FORMAT;
		has_default = has_default || key == TOP_DEFAULT;
		read_top(loader, key, root->members[i]);
	}
	if (!has_format)
		loader_fault(loader, root, "a policy needs 'sandboxeval-policy: 1'");
	/* Whatever is left out must not be what the owner did not think of. */
	if (!has_default)
		loader_fault(loader, root, "a policy needs 'default: deny' or 'default: allow'");
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

		loader_fault(&loader, &at, "%s%s", broken.text,
			     broken.empty ? "; 'sandboxeval policy init RUN' writes a policy" : "");
	}
	node_free(root);
	*ret_faults = loader_faults(&loader);
	if (*ret_faults) {
		policy_free(loader.policy);
		return NULL;
	}
	loader.policy->source = copy_text(source);
	if (!loader.policy->name)
		loader.policy->name = name_of_file(source);
	return loader.policy;
}
