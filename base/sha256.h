/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for tokens that one side must recognise and may not know: the probe is
 * given the hash of the witness's token, from which nobody can make the token.
 *
 *	char hash[SHA256_TEXT];
 *	sha256_text(hash, token, strlen(token));
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT 65 /* 64 hexadecimal digits and NUL */

void sha256(unsigned char digest[32], const void *data, size_t n);
/* The digest as hexadecimal digits, terminated. */
void sha256_text(char text[SHA256_TEXT], const void *data, size_t n);
