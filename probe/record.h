/* SPDX-License-Identifier: MIT */
/*
 * The page a trial reports on: a fixed layout shared between the probe and the guarded child.
 * The child writes, the probe reads it only through the functions below, which treat every
 * index and offset as hostile: the child may have been killed half way, or be insane.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/scenario.h"

#define RECORD_CASES 256
#define RECORD_FACTS 768
#define RECORD_POOL 49152
#define RECORD_OBJECTS 16

enum fact_kind { FACT_EVIDENCE, FACT_MEASURED };
enum fact_type { FACT_TEXT, FACT_NUMBER, FACT_FLAG };

struct fact {
	char name[40];
	uint8_t kind, type;
	int16_t case_index; /* WHOLE or an index */
	uint32_t offset, length; /* of the text in the pool */
	int64_t number;
};

struct case_record {
	uint8_t status;  /* enum status; zero is Unknown */
	uint8_t reason;  /* enum reason; zero is no-report */
	uint8_t settled; /* somebody said something */
	uint8_t planned;
	uint8_t milder;  /* than its definition says, by one step */
	barrier_set barriers;
};

struct record {
	volatile uint32_t sealed;   /* the attempt function returned */
	volatile int64_t calling;   /* number of the call about to be made, -1: none */
	char step[48];              /* its name */
	uint32_t n_facts, pool_used, n_objects, objects_seen;
	struct case_record whole, cases[RECORD_CASES];
	struct fact facts[RECORD_FACTS];
	struct {
		char kind[24], path[256];
	} objects[RECORD_OBJECTS];
	char pool[RECORD_POOL];
};

/* Empties the record for a scenario: every planned case unknown/no-report. */
void record_begin(struct record *record, const struct scenario *scenario, enum level level);
/* The case's part, or the whole's; NULL for an index that is not the scenario's. */
struct case_record *record_part(struct record *record, int case_index);
/* Fact i if it is sound (bounds, termination), else NULL; `ret_text` is NUL-terminated. */
const struct fact *record_fact(const struct record *record, uint32_t i, const char **ret_text);
void record_add_fact(struct record *record, enum fact_kind kind, enum fact_type type,
		     int case_index, const char *name, const char *text, int64_t number);
/* Evidence of that name is no longer true. */
void record_drop_fact(struct record *record, int case_index, const char *name);
void record_add_object(struct record *record, const char *kind, const char *path);
/*
 * What came of it, after the child ended: repairs impossible values (they become
 * unknown/crashed) and folds the cases into the whole. `n_cases` is the scenario's.
 */
void record_conclude(struct record *record, unsigned n_cases);
