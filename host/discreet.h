/* SPDX-License-Identifier: MIT */
/*
 * Command lines without what may be secret: reports are published, and what a caller gives to an
 * engine (--env TOKEN=…) is not theirs to tell. Values of variables, of options that are named
 * after secrets, and the user in an address are replaced.
 *
 *	--env=TOKEN=abc      --env=TOKEN=***
 *	--setenv TOKEN abc   --setenv TOKEN ***
 */
#pragma once

/* In place; `words` may be NULL, and ends with NULL. */
void hide_values(char **words);
