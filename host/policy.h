/* SPDX-License-Identifier: MIT */
/*
 * A policy: what the owner of a sandbox intends, and the judgement of a run by it. Loading and
 * judging do no output; judging does no input either. docs/policies.md explains the format.
 *
 *	struct policy *policy = policy_open("ci-runner", &faults, error);    or "./mine.yaml"
 *	policy_judge(policy, run, time(NULL));
 *	if (run->verdict == VERDICT_VIOLATED)
 *		…
 *
 * Of the rules that match, the most specific decides (policy_rank), the later among equals;
 * waivers come last. Whatever no rule speaks of is judged by the default.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "host/error.h"
#include "host/results.h"

enum effect { EFFECT_DENY, EFFECT_ALLOW, EFFECT_REQUIRE };
enum scope { SCOPE_ALL, SCOPE_CATEGORY, SCOPE_SCENARIO };

/* "category.name[/case-glob][@object-glob]", a category, or "all". */
struct selector {
	char *text; /* as written */
	enum scope scope;
	char *name;        /* of the category or scenario; NULL for all */
	char *case_glob;   /* or NULL */
	char *object_glob; /* or NULL */
};

/* A condition on a number in the evidence. */
struct bound {
	char *name, *text; /* of the number; the bound as written */
	bool at_least;     /* else at most */
	double value;
};

struct rule {
	enum effect effect;
	struct selector *selectors;
	unsigned n_selectors;
	unsigned severities; /* bits 1 << severity; 0: any */
	struct bound *bounds;
	unsigned n_bounds;
	char **names; /* globs of the only objects allowed; NULL: any */
	bool has_unknown;
	enum tolerance unknown;
	char *why; /* or NULL */
	unsigned line;
};

struct waiver {
	struct selector *selectors;
	unsigned n_selectors;
	char *reason, *until; /* "2026-12-31": the last day, in UTC */
	time_t ends;
	unsigned line;
};

struct policy {
	char *name, *about, *source;
	enum tolerance unknown;
	enum effect fallback; /* the default */
	struct rule *rules;
	unsigned n_rules;
	struct waiver *waivers;
	unsigned n_waivers;
};

/* A policy that comes with the program: one file in host/policies/; the folder is the registry. */
struct policy_text {
	const char *name, *text;
};
extern const struct policy_text policy_texts[]; /* ends with a NULL name */
const struct policy_text *policy_text_find(const char *name);

/* NULL: *ret_faults is a list of "source:line:column: sentence", and has at least one. */
struct policy *policy_load(const char *text, size_t n, const char *source, char ***ret_faults);
/*
 * By the name of one that comes with the program, or by the path of a file. NULL: the error says
 * why; where it is the content, ret_faults holds it all, and the error's text is empty.
 */
struct policy *policy_open(const char *name, char ***ret_faults, struct error *error);
void policy_free(struct policy *policy); /* accepts NULL */

/* Fills run->policy, its verdict, and the `judged` of every result and case. */
void policy_judge(const struct policy *policy, struct run *run, time_t now);
/* The exit status that goes with the verdict. */
enum exit_status policy_exit(enum policy_verdict verdict);

/* '*' is any text, '?' any character, '\' takes the next one as it is. */
bool glob_matches(const char *glob, const char *text);
bool glob_is_exact(const char *glob);
/* How specific a selector is: scope, then case, then object; exact names before globs. */
unsigned policy_rank(const struct selector *selector, bool narrowed);

/* A policy that accepts exactly what the run showed. */
void policy_write(const struct run *run, FILE *out);
