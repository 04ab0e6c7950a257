/* SPDX-License-Identifier: MIT */
/*
 * What the owner of a sandbox declares for some scenarios: paths inside it, minimum versions,
 * resolvers that may be asked. A small YAML file, read strictly; in memory a JSON object as in the
 * report, each member a text or a list of texts, in the order of targets_help().
 *
 *	json_t *targets = targets_open("targets.yaml", &faults, &error);
 *	char *facts = targets_facts(targets, TARGETS_INSIDE);   ",target.kernel=6.1,target.mounts=/w"
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "host/error.h"
#include "host/screen.h"

/* All facts of a file: what the probe is started with has little room. */
#define TARGETS_MOST_BYTES 4096
#define TARGETS_MOST_MEMBERS 32
#define TARGETS_LONGEST_PATH 255

/* NULL: *ret_faults is a list of "source:line:column: sentence", and has at least one. */
json_t *targets_load(const char *text, size_t n, const char *source, char ***ret_faults);
/* The same from a file. Where it cannot be read there are no faults, and the error says why. */
json_t *targets_open(const char *path, char ***ret_faults, struct error *error);
/* Those of an earlier report: a copy of what is known and well-formed; NULL: nothing is. */
json_t *targets_take(const json_t *from);

/* Outside, nothing is made in a folder that is meant for the sandbox; engine and mounts are its own. */
enum targets_place { TARGETS_INSIDE, TARGETS_OUTSIDE };
/* For --facts of the probe, with a leading comma; "" where there are none. Malloc'd. */
char *targets_facts(const json_t *targets, enum targets_place place);
/* "kernel 6.1 · mounts /work, /data", malloc'd. */
char *targets_text(const json_t *targets, const char *separator);
/* The keys and what each is for. */
void targets_help(const struct screen *screen);
