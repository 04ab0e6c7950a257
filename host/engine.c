/* SPDX-License-Identifier: MIT */
/* What launchers have in common that find out whether a program is here, and why it fails. */
#include "host/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/child.h"

bool engine_ask(struct engine *engine, const char *const question[], const char *install,
		char *answer, size_t size)
{
	char *program = program_find(question[0]);

	*engine = (struct engine){ .available = program != NULL };
	free(program);
	if (engine->available)
		return child_first_line(question, answer, size);
	snprintf(engine->lacks, sizeof engine->lacks, "%s is not installed: %s", question[0],
		 install);
	return false;
}

const char *symptom_meaning(const struct symptom *table, const char *said)
{
	for (; table && table->text; table++)
		if (strstr(said, table->text))
			return table->meaning;
	return NULL;
}
