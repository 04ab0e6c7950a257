/* SPDX-License-Identifier: MIT */
/*
 * A run in memory: what the launches of one sandbox and its baseline brought. It is the only
 * input of every report. Strings that came from inside are cleaned by the wire reader (valid
 * UTF-8, no control characters), but stay hostile: every report escapes them for its format.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <time.h>

#include "base/vocabulary.h"
#include "host/catalogue.h"

/* What a policy says of a trial or case; all zero without one (host/policy.h fills it). */
struct judged {
	enum judgement judgement;
	enum tolerance tolerance; /* meaningful when unmeasured */
	char *rule;               /* the rule and what it missed, in a few words; may be NULL */
};

struct case_result {
	char *name;
	const struct catalogue_case *definition; /* NULL: not in the catalogue (never trusted) */
	enum severity severity;
	enum status status;
	enum reason reason; /* meaningful when unknown */
	barrier_set barriers;
	bool has_baseline;
	enum status baseline;
	json_t *evidence, *measured; /* flat objects, never NULL */
	struct judged judged;
};

struct result {
	const struct catalogue_entry *entry;
	bool arrived; /* false: planned, but no line came; then unknown/no-report */
	enum status status;
	enum reason reason;
	barrier_set barriers;
	bool has_baseline;
	enum status baseline;
	barrier_set baseline_barriers;
	bool has_second; /* only scenarios that need a second launch */
	enum status second;
	bool witnessed; /* else self-reported */
	struct case_result *cases;
	unsigned n_cases;
	json_t *objects;             /* array of {"kind":…,"path":…}, never NULL */
	json_t *evidence, *measured; /* flat objects, never NULL */
	struct judged judged;        /* the worst of its cases, and of what only the whole tells */
};

/* What one launch of the probe brought, or a whole run merged from several. */
struct run {
	char *sandbox;          /* launcher's name */
	char **argv;            /* the sandbox's command line, NULL-terminated; may be NULL */
	char *version;          /* engine version, or NULL */
	char *image;            /* what is inside: image name, "empty image", "the host's files" … */
	char *label;            /* --label, or NULL */
	json_t *targets;        /* what the owner declares (host/targets.h), or NULL */
	time_t started;
	double seconds;
	bool complete, clean;
	char **incomplete_because; /* sentences, NULL-terminated; may be NULL */
	char *probe_version, *probe_arch;
	json_t *origin;         /* the header's origin object, or NULL */
	bool has_baseline;
	struct result *results; /* one per planned scenario, in the catalogue's order */
	unsigned n_results;
	char *policy, *policy_source; /* its name; "built in" or its file; NULL: nobody judged */
	enum policy_verdict verdict;
	/* Stand-ins for scenarios that this catalogue no longer has; the run owns them. */
	struct catalogue_entry **retired;
	unsigned n_retired;
};

struct summary {
	unsigned accessed, denied, unknown;
	unsigned contained; /* denied inside, accessed in the baseline: the sandbox's merit */
	unsigned partly;    /* accessed in both, but cases of it are contained */
	unsigned same;      /* same status and, if denied, same barriers as the baseline */
	unsigned conforms, violates, unmeasured, waived;
};

/* "dac, seccomp" with that separator, malloc'd; "" for none. */
char *barriers_text(barrier_set set, const char *separator);

struct run *run_new(void);
void run_free(struct run *run); /* accepts NULL */
/* Adds a sentence to incomplete_because and clears `complete`. */
void run_mark_incomplete(struct run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
struct result *run_find(struct run *run, const char *id);
/* The catalogue's entry of that id, or a stand-in: what an older program measured stays known. */
const struct catalogue_entry *run_entry(struct run *run, const char *id, enum severity severity);
struct summary run_summary(const struct run *run);
/* True when the baseline is there, nothing differs from it, and something is open. */
bool run_shows_no_isolation(const struct run *run);
/* Was every scenario of the catalogue tried? Only then a sandbox as a whole can be judged. */
bool run_is_whole(const struct run *run);
/* Did anything begin at all? Else every result says no-report, and only the cause says anything. */
bool run_began(const struct run *run);
/* Is a case's status another one than in the baseline? */
bool result_cases_differ(const struct result *result);
/*
 * The findings, worst first: accessed results, by severity of the worst accessed case, then by
 * id. Fills at most `n` pointers and returns how many there are in all.
 */
unsigned run_worst(const struct run *run, const struct result *worst[], unsigned n);
/* The severity of the worst accessed case, or the scenario's own. */
enum severity result_severity(const struct result *result);
