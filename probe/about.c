/* SPDX-License-Identifier: MIT */
#include "probe/about.h"

#ifdef COMPACT_RECORDS

#include <string.h>

#include "base/packed.h"

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

static struct case_def read_case(const char **at)
{
	struct case_def row = { .name = next_text(at), .path = next_text(at) };
	const unsigned char *bytes = (const unsigned char *)*at;

	row.severity = bytes[0];
	row.level = bytes[1];
	row.kind = (uint16_t)(bytes[2] | bytes[3] << 8);
	*at += 4;
	return row;
}

static unsigned long read_packed(const char **at)
{
	unsigned long number = 0;
	unsigned char byte;

	for (unsigned shift = 0;; shift += 7) {
		byte = (unsigned char)*(*at)++;
		number |= (byte & 0x7ful) << shift;
		if (byte < 0x80)
			return number;
	}
}

static struct question read_question(const char **at)
{
	struct question question = { .nr = (long)read_packed(at) };

	for (size_t i = 0; i < sizeof question.args / sizeof *question.args; i++)
		question.args[i] = read_packed(at);
	return question;
}

void about_unpack(void)
{
	struct case_def *cases = about_cases;
	struct question *asks = about_asks;
	const char *at = about_texts;

	unpack(about_packed, about_packed_size, (uint8_t *)about_texts, about_size);
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario *scenario = scenario_registry[i].scenario;

		read_texts(&at);
		if (scenario->n_cases)
			cases_of(scenario) = cases;
		for (unsigned n = 0; n < scenario->n_cases; n++)
			*cases++ = read_case(&at);
		if (scenario->n_asks)
			asks_of(scenario) = asks;
		for (unsigned n = 0; n < scenario->n_asks; n++)
			*asks++ = read_question(&at);
	}
}

struct about about_scenario(unsigned index)
{
	const char *at = about_texts;

	for (unsigned i = 0; i < index; i++) {
		read_texts(&at);
		for (unsigned n = 0; n < scenario_registry[i].scenario->n_cases; n++)
			read_case(&at);
		for (unsigned n = 0; n < scenario_registry[i].scenario->n_asks; n++)
			read_question(&at);
	}
	return read_texts(&at);
}

#else

void about_unpack(void)
{
}

struct about about_scenario(unsigned index)
{
	return scenario_registry[index].scenario->about;
}

#endif
