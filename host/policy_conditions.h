/* SPDX-License-Identifier: MIT */
/*
 * The conditions of a rule, and whether the evidence of what is judged fulfils them: numbers
 * within bounds, names among those that are allowed. What the evidence does not tell is
 * unmeasured, never fulfilled.
 */
#pragma once

#include "host/policy.h"

/* What is judged: a case, or a trial without cases, and perhaps one of its objects. */
struct subject {
	const struct result *result;
	const struct case_result *one; /* or NULL */
	const char *object;            /* or NULL */
	enum status status;
	enum reason reason;
	enum severity severity;
};

/* How many objects were seen that the result does not list. */
unsigned result_unlisted(const struct result *result);
/* The path of its object i; never NULL. */
const char *result_object(const struct result *result, size_t i);

/* Where they do not hold, *ret_missed is malloc'd and says what was missed. */
enum judgement rule_bounds_hold(const struct rule *rule, const struct subject *subject,
				char **ret_missed);
enum judgement rule_names_hold(const struct rule *rule, const struct result *result,
			       char **ret_missed);
