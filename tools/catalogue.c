/* SPDX-License-Identifier: MIT */
#include "scenarios/registry.h"
#include <stdio.h>
int main(void)
{
	return 0;
}
