/* SPDX-License-Identifier: MIT */
#include "base/fnv.h"

uint64_t fnv_add(uint64_t hash, const void *data, size_t n)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < n; i++) {
		hash ^= byte[i];
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}
