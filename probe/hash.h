/* SPDX-License-Identifier: MIT */
/*
 * SipHash-2-4 (Aumasson, Bernstein 2012): a short keyed hash, with which the host recognises the
 * same secret inside and outside without either side printing it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t siphash(const unsigned char key[16], const void *data, size_t n);
