/* SPDX-License-Identifier: MIT */
/*
 * What the host knows and says on the command line: --facts name=value,name=value. Values hold
 * no comma; a name given twice keeps its first value. Nothing here is trusted to be there.
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
