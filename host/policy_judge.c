/* SPDX-License-Identifier: MIT */
/*
 * The judgement of a run: pure, from the policy, the run and the time. A case is judged by
 * itself, a trial by its worst case and by what only the whole tells. Nothing that is not known
 * ever conforms to a rule that needs to know it.
 */
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/policy.h"
#include "host/policy_conditions.h"

static bool selector_matches(const struct selector *selector, const struct catalogue_entry *entry,
			     const char *case_name, const char *object)
{
	if (selector->scope == SCOPE_CATEGORY && strcmp(selector->name, entry->category) != 0)
		return false;
	if (selector->scope == SCOPE_SCENARIO && strcmp(selector->name, entry->id) != 0)
		return false;
	if (selector->case_glob && (!case_name || !glob_matches(selector->case_glob, case_name)))
		return false;
	return !selector->object_glob || (object && glob_matches(selector->object_glob, object));
}

struct found_rule {
	const struct rule *rule; /* NULL: the default */
	const struct selector *selector;
};

static struct found_rule find_rule(const struct policy *policy, const struct catalogue_entry *entry,
				   const char *case_name, enum severity severity,
				   const char *object)
{
	struct found_rule best = { 0 };
	unsigned best_rank = 0;

	for (unsigned i = 0; i < policy->n_rules; i++) {
		const struct rule *rule = &policy->rules[i];

		if (rule->severities && !(rule->severities & (1U << severity)))
			continue;
		for (unsigned k = 0; k < rule->n_selectors; k++) {
			const struct selector *selector = &rule->selectors[k];
			unsigned rank = policy_rank(selector, rule->severities != 0);

			if (rank < best_rank ||
			    !selector_matches(selector, entry, case_name, object))
				continue;
			best_rank = rank;
			best = (struct found_rule){ rule, selector };
		}
	}
	return best;
}

/* ---------------------------------------------------------------- one judgement */

static const char *effect_name(enum effect effect)
{
	static const char *const names[] = { "deny", "allow", "require" };

	return names[effect];
}

/* "deny network.ftp (line 12)" and, after a colon, what it missed. */
static char *rule_text(const struct policy *policy, const struct found_rule *found,
		       const char *missed)
{
	const char *why = found->rule ? found->rule->why : NULL;
	char *name = found->rule ? print_text("%s %s (line %u)", effect_name(found->rule->effect),
					      found->selector->text, found->rule->line)
				 : print_text("default: %s", effect_name(policy->fallback));
	char *text = print_text("%s%s%s%s%s", name, missed ? ": " : "", missed ? missed : "",
				why ? missed ? "; " : ": " : "", why ? why : "");

	free(name);
	return text;
}

/* Takes over what it missed. */
static struct judged judged_by(const struct policy *policy, const struct found_rule *found,
			       enum judgement judgement, char *missed)
{
	enum effect effect = found->rule ? found->rule->effect : policy->fallback;
	struct judged judged = { .judgement = judgement };

	judged.rule = rule_text(policy, found, missed);
	judged.tolerance = policy->unknown;
	/* What is required is needed: only its own rule can say that it may stay unknown. */
	if (effect == EFFECT_REQUIRE)
		judged.tolerance = TOLERANCE_FAIL;
	if (found->rule && found->rule->has_unknown)
		judged.tolerance = found->rule->unknown;
	free(missed);
	return judged;
}

/* What was asked for came about: it must also be within the rule's conditions. */
static struct judged check_conditions(const struct policy *policy, const struct found_rule *found,
				      const struct subject *subject)
{
	enum judgement judgement = JUDGEMENT_CONFORMS;
	char *missed = NULL;

	if (found->rule)
		judgement = rule_bounds_hold(found->rule, subject, &missed);
	if (found->rule && judgement == JUDGEMENT_CONFORMS)
		judgement = rule_names_hold(found->rule, subject->result, &missed);
	return judged_by(policy, found, judgement, missed);
}

static struct judged apply(const struct policy *policy, const struct found_rule *found,
			   const struct subject *subject)
{
	enum effect effect = found->rule ? found->rule->effect : policy->fallback;
	bool conditional = found->rule && (found->rule->n_bounds || found->rule->names);
	enum status wanted = effect == EFFECT_DENY ? STATUS_DENIED : STATUS_ACCESSED;
	enum status status = subject->status;
	enum reason reason = subject->reason;

	/* Of a whole scenario that is required one case is enough. */
	if (effect == EFFECT_REQUIRE && found->selector && !found->selector->case_glob) {
		status = subject->result->status;
		reason = subject->result->reason;
	}
	/* What may be, and was not possible, or is not known, is no fault. */
	if (effect == EFFECT_ALLOW && status != STATUS_ACCESSED &&
	    !(conditional && status == STATUS_UNKNOWN))
		return judged_by(policy, found, JUDGEMENT_CONFORMS, NULL);
	if (status == STATUS_UNKNOWN)
		return judged_by(policy, found, JUDGEMENT_UNMEASURED,
				 print_text("unknown, %s", reason_name(reason)));
	if (status == wanted)
		return check_conditions(policy, found, subject);
	return judged_by(policy, found, JUDGEMENT_VIOLATES,
			 effect == EFFECT_REQUIRE ? copy_text("it is denied")
			 : subject->object        ? copy_text(subject->object)
						  : NULL);
}

/* ---------------------------------------------------------------- waivers */

static const struct waiver *find_waiver(const struct policy *policy, const struct subject *subject,
					time_t now, bool expired)
{
	for (unsigned i = 0; i < policy->n_waivers; i++) {
		const struct waiver *waiver = &policy->waivers[i];

		if ((waiver->ends <= now) != expired)
			continue;
		for (unsigned k = 0; k < waiver->n_selectors; k++)
			if (selector_matches(&waiver->selectors[k], subject->result->entry,
					     subject->one ? subject->one->name : NULL,
					     subject->object))
				return waiver;
	}
	return NULL;
}

static void waive(const struct policy *policy, const struct subject *subject, time_t now,
		  struct judged *judged)
{
	const struct waiver *valid = find_waiver(policy, subject, now, false);
	const struct waiver *expired = find_waiver(policy, subject, now, true);
	char *text = judged->rule;

	if (judged->judgement < JUDGEMENT_UNMEASURED)
		return;
	if (valid) {
		judged->judgement = JUDGEMENT_WAIVED;
		judged->rule = print_text("waived until %s (line %u): %s", valid->until,
					  valid->line, valid->reason);
	} else if (expired) {
		judged->rule = print_text("%s; the waiver (line %u) expired after %s", text,
					  expired->line, expired->until);
	} else {
		return;
	}
	free(text);
}

/* ---------------------------------------------------------------- cases and trials */

static unsigned badness(const struct judged *judged)
{
	unsigned mildness = judged->judgement == JUDGEMENT_UNMEASURED ? judged->tolerance : 0;

	return N_TOLERANCES * (unsigned)judged->judgement + N_TOLERANCES - 1 - mildness;
}

/* Keeps the worse of the two, and the earlier among equals; frees the other's text. */
static void keep_worse(struct judged *so_far, struct judged next)
{
	struct judged other = next;

	if (badness(&next) > badness(so_far)) {
		other = *so_far;
		*so_far = next;
	}
	free(other.rule);
}

static struct judged judge_subject(const struct policy *policy, const struct subject *subject,
				   time_t now)
{
	const char *name = subject->one ? subject->one->name : NULL;
	struct found_rule found =
		find_rule(policy, subject->result->entry, name, subject->severity, subject->object);
	struct judged judged = apply(policy, &found, subject);

	waive(policy, subject, now, &judged);
	return judged;
}

/* Does any rule or waiver of this trial speak of objects? `*ret_denies`: does one forbid some? */
static bool objects_matter(const struct policy *policy, const struct subject *subject,
			   bool *ret_denies)
{
	const char *name = subject->one ? subject->one->name : NULL;
	bool matter = false;

	*ret_denies = false;
	for (unsigned i = 0; i < policy->n_rules + policy->n_waivers; i++) {
		const struct rule *rule = i < policy->n_rules ? &policy->rules[i] : NULL;
		const struct waiver *waiver = rule ? NULL : &policy->waivers[i - policy->n_rules];
		unsigned n = rule ? rule->n_selectors : waiver->n_selectors;

		for (unsigned k = 0; k < n; k++) {
			struct selector one = rule ? rule->selectors[k] : waiver->selectors[k];

			if (!one.object_glob)
				continue;
			one.object_glob = NULL;
			if (!selector_matches(&one, subject->result->entry, name, NULL))
				continue;
			matter = true;
			*ret_denies = *ret_denies || (rule && rule->effect == EFFECT_DENY);
		}
	}
	return matter;
}

/* What was accessed is judged object by object where the policy speaks of objects. */
static struct judged judge_objects(const struct policy *policy, struct subject subject, time_t now)
{
	const struct result *result = subject.result;
	struct judged judged = { 0 };
	unsigned unlisted = result_unlisted(result);
	size_t n = json_array_size(result->objects);
	bool denies;

	if (subject.status != STATUS_ACCESSED || !objects_matter(policy, &subject, &denies))
		return judge_subject(policy, &subject, now);
	for (size_t i = 0; i < n; i++) {
		subject.object = result_object(result, i);
		keep_worse(&judged, judge_subject(policy, &subject, now));
	}
	subject.object = NULL;
	if (n == 0 || unlisted > 0)
		keep_worse(&judged, judge_subject(policy, &subject, now));
	if (unlisted > 0 && denies && judged.judgement < JUDGEMENT_UNMEASURED) {
		free(judged.rule);
		judged = (struct judged){
			.judgement = JUDGEMENT_UNMEASURED,
			.tolerance = policy->unknown,
			.rule = print_text("%u more were seen, and not listed: some may be denied",
					   unlisted),
		};
	}
	return judged;
}

static struct subject subject_of(const struct result *result, const struct case_result *one)
{
	return (struct subject){
		.result = result,
		.one = one,
		.status = one ? one->status : result->status,
		.reason = one ? one->reason : result->reason,
		.severity = one ? one->severity : result->entry->severity,
	};
}

/* A case that a rule requires by name must be there. */
static void require_cases(const struct policy *policy, struct result *result)
{
	const struct catalogue_entry *entry = result->entry;

	for (unsigned i = 0; i < entry->n_cases; i++) {
		const struct catalogue_case *one = &entry->cases[i];
		struct found_rule found = find_rule(policy, entry, one->name, one->severity, NULL);
		bool there = false;

		if (!found.rule || found.rule->effect != EFFECT_REQUIRE ||
		    !found.selector->case_glob)
			continue;
		for (unsigned k = 0; k < result->n_cases && !there; k++)
			there = strcmp(result->cases[k].name, one->name) == 0;
		if (!there)
			keep_worse(&result->judged,
				   judged_by(policy, &found, JUDGEMENT_UNMEASURED,
					     print_text("%s was not tried", one->name)));
	}
}

static void judged_clear(struct judged *judged)
{
	free(judged->rule);
	*judged = (struct judged){ 0 };
}

static void judge_result(const struct policy *policy, struct result *result, time_t now)
{
	enum status folded = STATUS_DENIED;
	struct judged worst = { 0 };

	judged_clear(&result->judged);
	for (unsigned i = 0; i < result->n_cases; i++) {
		struct case_result *one = &result->cases[i];

		judged_clear(&one->judged);
		one->judged = judge_objects(policy, subject_of(result, one), now);
		folded = status_worse(folded, one->status);
		if (badness(&one->judged) > badness(&worst))
			worst = one->judged;
	}
	result->judged = worst;
	result->judged.rule = copy_text(worst.rule);
	/* What the cases do not tell. */
	if (result->n_cases == 0 || result->status != folded)
		keep_worse(&result->judged, judge_objects(policy, subject_of(result, NULL), now));
	require_cases(policy, result);
}

/* ---------------------------------------------------------------- the run */

/* What is required and was not even planned (--only, --skip) leaves the run incomplete. */
static void require_scenarios(const struct policy *policy, struct run *run)
{
	for (unsigned i = 0; i < catalogue_count; i++) {
		const struct catalogue_entry *entry = &catalogue[i];
		struct found_rule found = find_rule(policy, entry, NULL, entry->severity, NULL);
		bool required = found.rule && found.rule->effect == EFFECT_REQUIRE &&
				!(found.rule->has_unknown && found.rule->unknown != TOLERANCE_FAIL);

		for (unsigned k = 0; k < entry->n_cases && !required; k++) {
			found = find_rule(policy, entry, entry->cases[k].name,
					  entry->cases[k].severity, NULL);
			required =
				found.rule && found.rule->effect == EFFECT_REQUIRE &&
				!(found.rule->has_unknown && found.rule->unknown != TOLERANCE_FAIL);
		}
		if (required && !run_find(run, entry->id))
			run_mark_incomplete(run, "The policy requires %s, which was not tried.",
					    entry->id);
	}
}

static enum policy_verdict verdict_of(const struct run *run)
{
	bool unmeasured = !run->complete || !run->clean || run->n_results == 0;

	for (unsigned i = 0; i < run->n_results; i++) {
		const struct judged *judged = &run->results[i].judged;

		/* A violation that was seen is one, whatever else is missing. */
		if (judged->judgement == JUDGEMENT_VIOLATES)
			return VERDICT_VIOLATED;
		unmeasured = unmeasured || (judged->judgement == JUDGEMENT_UNMEASURED &&
					    judged->tolerance == TOLERANCE_FAIL);
	}
	return unmeasured ? VERDICT_INCOMPLETE : VERDICT_SATISFIED;
}

void policy_judge(const struct policy *policy, struct run *run, time_t now)
{
	for (unsigned i = 0; i < run->n_results; i++)
		judge_result(policy, &run->results[i], now);
	require_scenarios(policy, run);
	free(run->policy);
	free(run->policy_source);
	run->policy = copy_text(policy->name);
	run->policy_source = copy_text(policy->source);
	run->verdict = verdict_of(run);
}
