/* SPDX-License-Identifier: MIT */
/*
 * What an engine makes in a user's root folder as places to mount on, and does not remove. Names
 * are relative to the root, those above before those below; no link in the root is followed, since
 * it might lead out of it.
 *
 *	char **names = leftovers_expect(root, made_by_engine);       before: those not there
 *	…
 *	leftovers_remove(root, names);                               after; folders only if empty
 *	list_free(names);
 */
#pragma once

char **leftovers_expect(const char *root, const char *const names[]);
void leftovers_remove(const char *root, char *const names[]);
