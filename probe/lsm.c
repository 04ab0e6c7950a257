/* SPDX-License-Identifier: MIT */
#include "probe/lsm.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "probe/abi.h"
#include "probe/surroundings.h"
#include "probe/trial.h"

/* LANDLOCK_MAX_NUM_LAYERS of security/landlock/limits.h, since Linux 5.13. */
#define LANDLOCK_LAYERS 16
/* LANDLOCK_ACCESS_FS_MAKE_BLOCK: something no trial does. */
#define HARMLESS_ACCESS (UINT64_C(1) << 11)

static int count_landlock_layers(struct trial *trial)
{
	const uint64_t ruleset = HARMLESS_ACCESS;
	struct attempt a = try_call_as(trial, "ppv", "landlock_create_ruleset", __NR_landlock_create_ruleset,
				    &ruleset, sizeof ruleset, 0);

	/* Not built in, or not enabled at boot: then nobody can have used it. */
	if (a.reached && (a.error == ENOSYS || a.error == EOPNOTSUPP))
		return 0;
	if (!attempt_worked(a))
		return -1;
	try_call(trial, "prctl", __NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (int own = 0; own <= LANDLOCK_LAYERS; own++) {
		struct attempt b = try_call_as(trial, "fv", "landlock_restrict_self",
					    __NR_landlock_restrict_self, a.value, 0);

		if (!attempt_worked(b))
			return b.error == E2BIG ? LANDLOCK_LAYERS - own : -1;
	}
	return -1;
}

void lsm_look(struct trial *trial, struct lsm_facts *facts)
{
	char label[sizeof facts->label];
	struct attempt a = try_text(trial, "/proc/self/attr/current", label, sizeof label);

	if (a.value > 0) {
		label[strcspn(label, "\n")] = '\0';
		memcpy(facts->label, label, sizeof facts->label);
	}
	facts->landlock_layers = count_landlock_layers(trial);
	facts->landlock_told = facts->landlock_layers >= 0;
}

const struct lsm_facts *lsm_facts(void)
{
	return &surroundings()->lsm;
}

static bool label_confines(void)
{
	const char *label = lsm_facts()->label;

	return label[0] && strcmp(label, "unconfined") != 0 && !strstr(label, "unconfined_t") &&
	       strcmp(label, "kernel") != 0;
}

bool lsm_pairs_removal(void)
{
	return lsm_facts()->landlock_layers == 0 && strstr(lsm_facts()->label, " (");
}

bool lsm_may_confine(void)
{
	return !lsm_facts()->landlock_told || lsm_confines();
}

bool lsm_confines(void)
{
	return lsm_facts()->landlock_layers > 0 || label_confines();
}
