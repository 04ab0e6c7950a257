/* SPDX-License-Identifier: MIT */
/*
 * FNV-1a, 64 bits: a fingerprint that tells accidental differences. It resists no attacker.
 *
 *	uint64_t hash = fnv_add(FNV_START, text, strlen(text));
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)

uint64_t fnv_add(uint64_t hash, const void *data, size_t n);
