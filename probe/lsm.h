/* SPDX-License-Identifier: MIT */
/*
 * Which security module may be at work: the label of the process, and the number of Landlock
 * layers above us, counted by stacking rulesets in a child until the kernel's bound of 16.
 */
#pragma once

#include <stdbool.h>

struct trial;

struct lsm_facts {
	bool landlock_told;  /* false: could not be counted */
	int landlock_layers;
	char label[64];      /* of /proc/self/attr/current; "": none or not told */
};

/* In a throw-away child only: it restricts the caller for good. */
void lsm_look(struct trial *trial, struct lsm_facts *facts);
/* The facts of the surroundings view. */
const struct lsm_facts *lsm_facts(void);
/* True when a module may restrict us: a layer, a confining label, or layers uncountable. */
bool lsm_may_confine(void);
/*
 * True where who may make an entry may remove that one: under AppArmor alone, whose labels end with their
 * mode in brackets. Its one right to write holds both (map_old_perms(), security/apparmor/).
 */
bool lsm_pairs_removal(void);
/* True when one is known to. */
bool lsm_confines(void);
