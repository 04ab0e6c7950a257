/* SPDX-License-Identifier: MIT */
/*
 * What the host knows and says on the command line: --facts name=value,name=value. Values hold
 * no comma; a name given twice keeps its first value. Nothing here is trusted to be there. A target
 * is a list whose members ":" separates; in them %2C stands for a comma, and so on.
 */
#include <string.h>

#include "probe/trial.h"

#define FACTS_MAX 16384

static char text[FACTS_MAX];
static const char *names[512], *values[512];
static unsigned n_facts;

bool facts_parse(const char *given, const char **ret_fault)
{
	size_t n = strlen(given);

	*ret_fault = NULL;
	if (n >= sizeof text) {
		*ret_fault = "they are longer than 16 KiB";
		return false;
	}
	memcpy(text, given, n + 1);
	for (char *next = text; next && *next;) {
		char *name = next, *comma = strchr(next, ','), *equals;

		next = comma ? comma + 1 : NULL;
		if (comma)
			*comma = '\0';
		equals = strchr(name, '=');
		if (!equals || equals == name) {
			*ret_fault = "each fact is name=value";
			return false;
		}
		*equals = '\0';
		if (n_facts == sizeof names / sizeof *names) {
			*ret_fault = "there are more than 512";
			return false;
		}
		names[n_facts] = name;
		values[n_facts++] = equals + 1;
	}
	return true;
}

const char *fact_value(const char *name)
{
	for (unsigned i = 0; i < n_facts; i++)
		if (strcmp(names[i], name) == 0)
			return values[i];
	return NULL;
}

const char *host_fact(const struct trial *trial, const char *name)
{
	(void)trial;
	return fact_value(name);
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One member, up to `n` bytes as written. False: it does not fit, or is no member. */
static bool read_member(const char *member, size_t n, char *buffer, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < n; used++) {
		int byte = (unsigned char)member[i++];

		if (byte == '%') {
			if (n - i < 2 || digit(member[i]) < 0 || digit(member[i + 1]) < 0)
				return false;
			byte = digit(member[i]) * 16 + digit(member[i + 1]);
			i += 2;
		}
		if (byte == 0 || used + 1 >= size)
			return false;
		buffer[used] = (char)byte;
	}
	buffer[used] = '\0';
	return used > 0;
}

bool next_target(const struct trial *trial, const char *name, size_t *at, char *buffer, size_t size)
{
	const char *value = host_fact(trial, name);

	while (value && value[*at]) {
		const char *member = value + *at;
		size_t n = strcspn(member, ":");

		*at += n + (member[n] == ':');
		if (read_member(member, n, buffer, size))
			return true;
	}
	return false;
}

bool is_target(const struct trial *trial, const char *name, const char *value)
{
	char member[512];

	for (size_t at = 0; next_target(trial, name, &at, member, sizeof member);)
		if (strcmp(member, value) == 0)
			return true;
	return false;
}

enum status outside_status(const struct trial *trial)
{
	char name[80];
	const char *value;
	int status;

	format_text(name, sizeof name, "outside.%s", trial->row->id);
	value = fact_value(name);
	status = value ? status_from_name(value) : -1;
	return status < 0 ? STATUS_UNKNOWN : (enum status)status;
}

const char *trial_nonce(const struct trial *trial)
{
	const char *nonce = fact_value("nonce");

	(void)trial;
	return nonce ? nonce : "0000000000000000";
}
