/* SPDX-License-Identifier: MIT */
/*
 * The closed lists that the probe, the host, the policies and the reports share: statuses,
 * reasons, barriers, levels, severities, needs and remedy codes. Each list has a name per
 * member (what stands on the wire) and a look-up by that name. A member is never renamed.
 *
 *	enum barrier b = BARRIER_SECCOMP;
 *	puts(barrier_name(b));                  "seccomp"
 *	int s = status_from_name("denied");     STATUS_DENIED, or -1
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero is Unknown: memory that nobody wrote to is never a reassuring answer. */
enum status { STATUS_UNKNOWN, STATUS_ACCESSED, STATUS_DENIED };
#define N_STATUSES 3

/* Zero is no-report, for the same reason. */
enum reason {
	REASON_NO_REPORT,
	REASON_SETUP_FAILED,
	REASON_CONTROL_FAILED,
	REASON_TIMED_OUT,
	REASON_CRASHED,
	REASON_CONTRADICTORY,
	REASON_LEVEL,
	REASON_NO_WITNESS,
	REASON_NO_TARGET,
	REASON_NO_SECOND_RUN,
	REASON_NO_BASELINE,
	REASON_NO_VIEW,
	REASON_UNSUPPORTED,
};
#define N_REASONS 13

/* In the order in which a set of barriers is printed. */
enum barrier {
	BARRIER_ABSENT,
	BARRIER_MASKED,
	BARRIER_READ_ONLY,
	BARRIER_DAC,
	BARRIER_IMMUTABLE,
	BARRIER_CAPABILITY,
	BARRIER_NAMESPACE,
	BARRIER_SECCOMP,
	BARRIER_LSM,
	BARRIER_SYSCTL,
	BARRIER_SUPERVISOR,
	BARRIER_UNIMPLEMENTED,
	BARRIER_NO_ROUTE,
	BARRIER_FILTERED,
	BARRIER_PROXY_REFUSED,
	BARRIER_INTERPOSED,
	BARRIER_AUTH_REFUSED,
	BARRIER_RLIMIT,
	BARRIER_CGROUP,
	BARRIER_FS_LIMIT,
	BARRIER_NOSUID,
	BARRIER_NODEV,
	BARRIER_NOEXEC,
	BARRIER_NOSYMFOLLOW,
	BARRIER_NO_NEW_PRIVS,
	BARRIER_TIMEOUT,
	BARRIER_KILLED,
	BARRIER_UNATTRIBUTED,
};
#define N_BARRIERS 28

/* A set of barriers: bit b is set when barrier b was shown to refuse. */
typedef uint32_t barrier_set;
#define BARRIER_BIT(barrier) ((barrier_set)1 << (barrier))

/* observe reads; touch also makes and removes own inert markers; act has bounded real effects. */
enum level { LEVEL_OBSERVE, LEVEL_TOUCH, LEVEL_ACT };
#define N_LEVELS 3

/* SEVERITY_INHERIT, in a case: the scenario's own severity. */
enum severity {
	SEVERITY_INHERIT,
	SEVERITY_INFO,
	SEVERITY_LOW,
	SEVERITY_MEDIUM,
	SEVERITY_HIGH,
	SEVERITY_CRITICAL,
};
#define N_SEVERITIES 6

/* What a trial needs from outside (a set of bits). */
enum need {
	NEEDS_WITNESS = 1 << 0,
	NEEDS_SECOND_RUN = 1 << 1,
	NEEDS_BASELINE = 1 << 2,
	NEEDS_TARGET = 1 << 3,
};
#define N_NEEDS 4

/* Remedy codes: each launcher file says what a code means in its engine's words. */
enum remedy {
	REMEDY_NET,
	REMEDY_UID,
	REMEDY_MAP,
	REMEDY_CAP,
	REMEDY_NNP,
	REMEDY_SEC,
	REMEDY_NUN,
	REMEDY_RO,
	REMEDY_BIND,
	REMEDY_TMP,
	REMEDY_MASK,
	REMEDY_PID,
	REMEDY_IPC,
	REMEDY_UTS,
	REMEDY_CG,
	REMEDY_DEV,
	REMEDY_ENV,
	REMEDY_SA,
	REMEDY_FD,
	REMEDY_TTY,
	REMEDY_MEM,
	REMEDY_PRC,
	REMEDY_CPU,
	REMEDY_RL,
	REMEDY_ONE,
	REMEDY_MD,
	REMEDY_SOCK,
	REMEDY_OUT,
	REMEDY_KEY,
	REMEDY_KRN,
	REMEDY_APART,
};
#define N_REMEDIES 31
typedef uint32_t remedy_set;
#define FIX(code) ((remedy_set)1 << REMEDY_##code)

/* What a policy says of a trial or a case. Zero: nobody judged. */
enum judgement {
	JUDGEMENT_NONE,
	JUDGEMENT_CONFORMS,
	JUDGEMENT_WAIVED,
	JUDGEMENT_UNMEASURED,
	JUDGEMENT_VIOLATES,
};
#define N_JUDGEMENTS 5

/* What it means to a policy that a trial is unmeasured. Zero is the strict one. */
enum tolerance { TOLERANCE_FAIL, TOLERANCE_WARN, TOLERANCE_IGNORE };
#define N_TOLERANCES 3

/* What a policy says of a whole run. Zero: nobody judged. */
enum policy_verdict { VERDICT_NONE, VERDICT_SATISFIED, VERDICT_VIOLATED, VERDICT_INCOMPLETE };
#define N_VERDICTS 4

/* The name on the wire; never NULL, "?" for a value outside the list. */
const char *status_name(enum status status);
const char *reason_name(enum reason reason);
const char *barrier_name(enum barrier barrier);
const char *level_name(enum level level);
const char *severity_name(enum severity severity);
const char *need_name(unsigned index); /* index 0 … N_NEEDS-1: the bit's number */
const char *remedy_name(enum remedy remedy);
const char *judgement_name(enum judgement judgement);
const char *tolerance_name(enum tolerance tolerance);
const char *verdict_name(enum policy_verdict verdict);

/* One sentence for people: what the barrier is, what the reason means. */
const char *barrier_meaning(enum barrier barrier);
const char *reason_meaning(enum reason reason);

/* The member of that name, or -1. */
int status_from_name(const char *name);
int reason_from_name(const char *name);
int barrier_from_name(const char *name);
int level_from_name(const char *name);
int severity_from_name(const char *name);
int judgement_from_name(const char *name);
int tolerance_from_name(const char *name);
int verdict_from_name(const char *name);

/*
 * The status of a whole from the statuses of its parts: accessed if any is, else unknown if
 * any is, else denied. Fold from the left, starting with STATUS_DENIED.
 */
enum status status_worse(enum status so_far, enum status next);
