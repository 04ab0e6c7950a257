/* SPDX-License-Identifier: MIT */
/*
 * The five sets of capabilities as they were given, one case for each set and capability. What is
 * effective counts at once; permitted and ambient ones can be made so; inheritable ones wait for a
 * program that asks for them; the bounding set only says what could still be gained.
 */
#include "scenarios/scenario.h"

#include <errno.h>

/* In the kernel's order: linux/capability.h, up to Linux 5.9. */
#define CAPABILITIES(row, set)                                                                     \
	row(set, "chown", HIGH), row(set, "dac-override", HIGH),                                   \
		row(set, "dac-read-search", CRITICAL), row(set, "fowner", HIGH),                   \
		row(set, "fsetid", HIGH), row(set, "kill", HIGH), row(set, "setgid", HIGH),        \
		row(set, "setuid", HIGH), row(set, "setpcap", HIGH),                               \
		row(set, "linux-immutable", HIGH), row(set, "net-bind-service", HIGH),             \
		row(set, "net-broadcast", HIGH), row(set, "net-admin", HIGH),                      \
		row(set, "net-raw", HIGH), row(set, "ipc-lock", HIGH),                             \
		row(set, "ipc-owner", HIGH), row(set, "sys-module", CRITICAL),                     \
		row(set, "sys-rawio", CRITICAL), row(set, "sys-chroot", HIGH),                     \
		row(set, "sys-ptrace", CRITICAL), row(set, "sys-pacct", HIGH),                     \
		row(set, "sys-admin", CRITICAL), row(set, "sys-boot", HIGH),                       \
		row(set, "sys-nice", HIGH), row(set, "sys-resource", HIGH),                        \
		row(set, "sys-time", HIGH), row(set, "sys-tty-config", HIGH),                      \
		row(set, "mknod", HIGH), row(set, "lease", HIGH), row(set, "audit-write", HIGH),   \
		row(set, "audit-control", HIGH), row(set, "setfcap", HIGH),                        \
		row(set, "mac-override", HIGH), row(set, "mac-admin", HIGH),                       \
		row(set, "syslog", HIGH), row(set, "wake-alarm", HIGH),                            \
		row(set, "block-suspend", HIGH), row(set, "audit-read", HIGH),                     \
		row(set, "perfmon", HIGH), row(set, "bpf", CRITICAL),                              \
		row(set, "checkpoint-restore", HIGH)
#define HELD(set, name, severity)                                                                  \
	{                                                                                          \
		set "-" name, NULL, SEVERITY_##severity, 0, 0                                      \
	}
/* By itself it gives nothing. */
#define BOUND(set, name, severity)                                                                 \
	{                                                                                          \
		set "-" name, NULL, SEVERITY_LOW, 0, 0                                             \
	}

static const struct case_def cases[] = {
	CAPABILITIES(HELD, "effective"),   CAPABILITIES(HELD, "permitted"),
	CAPABILITIES(HELD, "inheritable"), CAPABILITIES(HELD, "ambient"),
	CAPABILITIES(BOUND, "bounding"),   { "newer", NULL, 0, 0, 0 },
};

enum { SETS = 5, KNOWN = 41, NEWER = SETS * KNOWN };
_Static_assert(sizeof cases / sizeof *cases == NEWER + 1, "each set has all capabilities");

static const struct attempt not_there = { .value = -1, .error = EPERM, .nr = -1, .reached = true };

struct set {
	const char *name;
	uint64_t bits;
	bool told;
};

static void settle_case(struct trial *trial, int case_index, bool held)
{
	settle(trial, case_index, held ? found_in_process(true) : not_there, .not_held = true);
}

static void look_at_set(struct trial *trial, const struct set *set, int first)
{
	char digits[20];

	if (set->told) {
		format_text(digits, sizeof digits, "%lx", (unsigned long)set->bits);
		note_text(trial, WHOLE, set->name, digits);
	}
	for (int i = 0; i < KNOWN; i++) {
		if (set->told)
			settle_case(trial, first + i, set->bits >> i & 1);
		else
			settle_unknown(trial, first + i, REASON_NO_VIEW);
	}
}

/* Capabilities that this program has no name for. */
static void look_at_newer(struct trial *trial, const struct set sets[SETS])
{
	char numbers[64] = "";
	uint64_t bits = 0;
	bool told = true;
	int n = 0;

	for (unsigned i = 0; i < SETS; i++) {
		told &= sets[i].told;
		bits |= sets[i].told ? sets[i].bits >> KNOWN : 0;
	}
	for (int i = KNOWN; i < 64 && n < (int)sizeof numbers - 4; i++)
		if (bits >> (i - KNOWN) & 1)
			n += format_text(numbers + n, sizeof numbers - (size_t)n, n ? " %d" : "%d",
					 i);
	if (n)
		note_text(trial, NEWER, "numbers", numbers);
	if (n || told)
		settle_case(trial, NEWER, n > 0);
	else
		settle_unknown(trial, NEWER, REASON_NO_VIEW);
}

static void attempt(struct trial *trial)
{
	const struct origin *given = origin();
	const struct set sets[SETS] = {
		{ "effective", given->effective, given->told & GIVEN_EFFECTIVE },
		{ "permitted", given->permitted, given->told & GIVEN_PERMITTED },
		{ "inheritable", given->inheritable, given->told & GIVEN_INHERITABLE },
		{ "ambient", given->ambient, given->told & GIVEN_AMBIENT },
		{ "bounding", given->bounding, given->told & GIVEN_BOUNDING },
	};
	bool is_inner = in_user_namespace(trial);

	/* There they hold for what the namespace owns, and for nothing of the host's. */
	note_flag(trial, WHOLE, "in_user_namespace", is_inner);
	for (int i = 0; is_inner && i <= NEWER; i++)
		settle_milder(trial, i);
	if ((given->told | GIVEN_NO_NEW_PRIVS) != GIVEN_ALL)
		note_text(trial, WHOLE, "not_visible", "capget, prctl, /proc/self/status");
	for (int i = 0; i < SETS; i++)
		look_at_set(trial, &sets[i], i * KNOWN);
	look_at_newer(trial, sets);
}

const struct scenario scenario_privilege_capability_sets = {
	.about = ABOUT(
		.title = "Hold capabilities",
		.accessed = "Code in the sandbox holds capabilities, or could still gain them.",
		.denied = "Code in the sandbox holds no capability and can gain none: all five "
			  "sets are empty.",
		.why = "Each capability is a part of root's power, and several of them are as "
		       "good as all of it. In a user namespace they hold for what belongs to the "
		       "namespace alone, but open much of the kernel to whoever looks for flaws "
		       "in it.",
		.how = "The sets are read as they were given. In a user namespace each case "
		       "counts one step less.",
		.see = "CWE-250",
		.open = "O +SYS_CHROOT",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(CAP),
	CASES(cases),
	.attempt = attempt,
};
