/* SPDX-License-Identifier: MIT */
#include "probe/hash.h"

#include <string.h>
#include <sys/auxv.h>

#include "probe/text.h"
#include "probe/trial.h"

static uint64_t turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static uint64_t read_word(const unsigned char *bytes, size_t n)
{
	uint64_t word = 0;

	for (size_t i = 0; i < n; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

static void mix(uint64_t v[4], int rounds)
{
	while (rounds--) {
		v[0] += v[1];
		v[1] = turn(v[1], 13) ^ v[0];
		v[0] = turn(v[0], 32);
		v[2] += v[3];
		v[3] = turn(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = turn(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = turn(v[1], 17) ^ v[2];
		v[2] = turn(v[2], 32);
	}
}

uint64_t siphash(const unsigned char key[16], const void *data, size_t n)
{
	uint64_t k0 = read_word(key, 8), k1 = read_word(key + 8, 8), word;
	uint64_t v[4] = { k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
			  k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573 };
	const unsigned char *bytes = data;
	size_t left = n;

	for (; left >= 8; left -= 8, bytes += 8) {
		word = read_word(bytes, 8);
		v[3] ^= word;
		mix(v, 2);
		v[0] ^= word;
	}
	word = (uint64_t)n << 56 | read_word(bytes, left);
	v[3] ^= word;
	mix(v, 2);
	v[0] ^= word;
	v[2] ^= 0xff;
	mix(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/*
 * The run's key: 32 hexadecimal digits stand for its 16 bytes, another text is hashed into them.
 * Without one, the random bytes that the kernel gave this process: they are the same in all
 * children and nobody else knows them, so that no hash can be tried against guesses.
 */
static void run_key(unsigned char key[16])
{
	static const unsigned char nothing[16];
	const char *text = fact_value("key");
	uint64_t halves[2] = { 0 };
	char half[17];
	bool is_hex = text && strlen(text) == 32;

	if (!text || !*text) {
		const void *random = (const void *)getauxval(AT_RANDOM);

		memcpy(key, random ? random : nothing, 16);
		return;
	}
	for (int i = 0; is_hex && i < 2; i++) {
		format_text(half, sizeof half, "%s", text + 16 * i);
		is_hex = read_hex(half, &halves[i]);
	}
	if (!is_hex) {
		halves[0] = siphash(nothing, text, strlen(text));
		halves[1] = ~halves[0];
	}
	for (int i = 0; i < 16; i++)
		key[i] = (unsigned char)(halves[i / 8] >> (8 * (7 - i % 8)));
}

uint64_t keyed_hash(const struct trial *trial, const void *data, size_t n)
{
	unsigned char key[16];

	(void)trial;
	run_key(key);
	return siphash(key, data, n);
}
