/* SPDX-License-Identifier: MIT */
#include "probe/about.h"

#ifdef COMPACT_RECORDS

#include <string.h>

#include "base/packed.h"

/* Written by tools/catalogue: of each row the seven texts of read_texts(), each with its end. */
extern const uint8_t about_packed[];
extern const unsigned about_packed_size, about_size;
extern char about_texts[];

/* An empty text stands for none. */
static const char *next_text(const char **at)
{
	const char *text = *at;

	*at += strlen(text) + 1;
	return *text ? text : NULL;
}

static struct about read_texts(const char **at)
{
	struct about about = { 0 };

	about.title = next_text(at);
	about.accessed = next_text(at);
	about.denied = next_text(at);
	about.why = next_text(at);
	about.how = next_text(at);
	about.see = next_text(at);
	about.paper = next_text(at);
	return about;
}

struct about about_scenario(unsigned index)
{
	const char *at = about_texts;
	struct about about = { 0 };

	if (!about_texts[0])
		unpack(about_packed, about_packed_size, (uint8_t *)about_texts, about_size);
	for (unsigned i = 0; i <= index && at < about_texts + about_size; i++)
		about = read_texts(&at);
	return about;
}

#else

struct about about_scenario(unsigned index)
{
	return scenario_registry[index].scenario->about;
}

#endif
