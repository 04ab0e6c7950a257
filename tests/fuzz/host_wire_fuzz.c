/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer on the reader of the probe's output, which is the one place where bytes from inside
 * a sandbox are parsed. Beside memory errors it looks for answers that must not be: an accessed
 * result with barriers, a denied one without, more results than were planned.
 *
 *	clang -g -O1 -std=gnu17 -D_GNU_SOURCE -I. -fsanitize=fuzzer,address,undefined \
 *		tests/fuzz/host_wire_fuzz.c host/wire.c host/clean_text.c host/memory.c \
 *		host/catalogue.c base/vocabulary.c -ljansson -o wire_fuzz && ./wire_fuzz -max_len=4096
 */
#include <stdint.h>
#include <stdlib.h>

#include "host/wire.h"

static const struct catalogue_case cases[] = {
	{ "one", NULL, SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "two", NULL, SEVERITY_LOW, LEVEL_OBSERVE },
};
const struct catalogue_entry catalogue[] = {
	{ .id = "a.a", .category = "a" },
	{ .id = "a.b", .category = "a", .cases = cases, .n_cases = 2 },
	{ .id = "b.c", .category = "b" },
};
const unsigned catalogue_count = 3;
const char catalogue_hash[] = "0";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct result *result)
{
	if (!result->arrived)
		require(result->status == STATUS_UNKNOWN && result->n_cases == 0);
	if (result->status == STATUS_ACCESSED)
		require(result->barriers == 0);
	if (result->status == STATUS_DENIED)
		require(result->barriers != 0);
	require(result->n_cases <= result->entry->n_cases);
	require(result->objects && result->evidence && result->measured);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char header[] =
		"{\"sandboxeval\":1,\"version\":\"0\",\"arch\":\"x\",\"planned\":2,"
		"\"catalogue\":\"0\",\"level\":\"touch\"}\n";
	const bool planned[] = { true, true, false };
	struct wire *wire = wire_new(planned);
	struct wire_result *said;

	/* With a right header in front the rest is reached sooner; every other input goes bare. */
	if (size > 0 && data[0] % 2)
		wire_feed(wire, header, sizeof header - 1);
	for (size_t i = 1; i < size; i += 512)
		wire_feed(wire, (const char *)data + i, size - i < 512 ? size - i : 512);
	said = wire_end(wire);
	for (unsigned i = 0; i < catalogue_count; i++)
		check(&said->results[i]);
	require(said->n_arrived <= 2 && !said->results[2].arrived);
	wire_free(wire);
	return 0;
}
