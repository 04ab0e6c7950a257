/* SPDX-License-Identifier: MIT */
/*
 * NET's stage with a witness: is it reached from here? Plans the paths, tries them, notes what came
 * of them, and where it was tried in vain turns their ends into barriers.
 */
#pragma once

#include "probe/trial.h"

enum reach {
	REACH_NOT_TRIED, /* there is no witness, or it listens to nothing of this */
	REACH_SETTLED,   /* reached; or, in vain, settled with all barriers shown */
	REACH_NOT_TOLD,  /* in vain, and that says nothing of other destinations; see the reason */
};

/*
 * `shut`: it is shown already that nothing can leave; then a witness that was not reached is left
 * to that. `ret_reason`: with REACH_NOT_TOLD, why.
 */
enum reach reach_witness(struct trial *trial, int case_index, const struct net_protocol *protocol,
			 bool shut, enum reason *ret_reason);
