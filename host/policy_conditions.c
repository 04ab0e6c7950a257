/* SPDX-License-Identifier: MIT */
#include "host/policy_conditions.h"

#include "host/memory.h"

static const json_t *find_evidence(const struct subject *subject, const char *name)
{
	const json_t *places[] = { subject->one ? subject->one->evidence : NULL,
				   subject->one ? subject->one->measured : NULL,
				   subject->result->evidence, subject->result->measured };
	const json_t *value = NULL;

	for (size_t i = 0; i < sizeof places / sizeof *places && !value; i++)
		value = json_object_get(places[i], name);
	return value;
}

unsigned result_unlisted(const struct result *result)
{
	json_int_t seen = json_integer_value(json_object_get(result->evidence, "objects_seen"));
	json_int_t listed = (json_int_t)json_array_size(result->objects);

	return seen > listed ? (unsigned)(seen - listed) : 0;
}

const char *result_object(const struct result *result, size_t i)
{
	const char *path =
		json_string_value(json_object_get(json_array_get(result->objects, i), "path"));

	return path ? path : "";
}

enum judgement rule_bounds_hold(const struct rule *rule, const struct subject *subject,
				char **ret_missed)
{
	for (unsigned i = 0; i < rule->n_bounds; i++) {
		const struct bound *bound = &rule->bounds[i];
		const json_t *value = find_evidence(subject, bound->name);
		double number = json_number_value(value);

		if (!json_is_number(value)) {
			*ret_missed = print_text("the evidence has no number '%s'", bound->name);
			return JUDGEMENT_UNMEASURED;
		}
		if (bound->at_least ? number < bound->value : number > bound->value) {
			*ret_missed = print_text("%s is %.12g, %s than %s", bound->name, number,
						 bound->at_least ? "less" : "more", bound->text);
			return JUDGEMENT_VIOLATES;
		}
	}
	return JUDGEMENT_CONFORMS;
}

enum judgement rule_names_hold(const struct rule *rule, const struct result *result,
			       char **ret_missed)
{
	unsigned unlisted = result_unlisted(result);

	for (size_t i = 0; rule->names && i < json_array_size(result->objects); i++) {
		bool allowed = false;

		for (size_t k = 0; rule->names[k] && !allowed; k++)
			allowed = glob_matches(rule->names[k], result_object(result, i));
		if (!allowed) {
			*ret_missed =
				print_text("%s is not among the names", result_object(result, i));
			return JUDGEMENT_VIOLATES;
		}
	}
	if (!rule->names || (json_array_size(result->objects) > 0 && unlisted == 0))
		return JUDGEMENT_CONFORMS;
	*ret_missed = unlisted ? print_text("%u more were seen, and not listed", unlisted)
			       : copy_text("no names were reported");
	return JUDGEMENT_UNMEASURED;
}
