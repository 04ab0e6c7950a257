/* SPDX-License-Identifier: MIT */
#include "probe/raw.h"

#include <errno.h>
#include <stdbool.h>

#define CALLS 512 /* above all numbers of both architectures */

/* Children inherit it; only the probe itself writes to it. */
static bool forbidden[CALLS];

void raw_forbid(long nr)
{
	if (nr >= 0 && nr < CALLS)
		forbidden[nr] = true;
}

long raw6(long nr, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
	  unsigned long e, unsigned long f)
{
	if (nr >= 0 && nr < CALLS && forbidden[nr])
		return -ENOSYS;
	return raw6_now(nr, a, b, c, d, e, f);
}
