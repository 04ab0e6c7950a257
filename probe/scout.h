/* SPDX-License-Identifier: MIT */
/*
 * The probe's own calls, tried by a child first: a filter that kills for one of them then costs a
 * child, not the run. The probe does without such a call: raw() says ENOSYS. Needs fork, shared
 * memory and wait4, as the whole probe does; where these are refused it changes nothing. A call that
 * a filter traps is EPERM in the probe itself.
 */
#pragma once

/* Before anything else is asked. */
void scout_own_calls(void);
