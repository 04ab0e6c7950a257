/* SPDX-License-Identifier: MIT */
/*
 * What the tree walk asks of each file: facts, and may it be read, written, executed? Cheap
 * first: the mode where it decides alone, then an access check with the effective ids; one real
 * operation per folder and right confirms the checks, because they lie under some security
 * modules. Once a folder's checks were found to lie, every file in it is really tried.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Calls that have a sibling, or that the walk can do without. */
enum walk_call {
	WALK_OPENAT2,
	WALK_STATX,
	WALK_FACCESSAT2,
	WALK_FACCESSAT,
	WALK_EXECVEAT,
	N_WALK_CALLS,
};

/* Shared with the probe, so that it can see which call killed the walk and leave that one out. */
struct walk_forms {
	volatile uint32_t lethal; /* bits: not to be made */
	volatile int32_t trying;  /* the call being tried out, -1: none */
	uint32_t usable;          /* bits: they work here */
};

struct file_facts {
	uint64_t dev, ino, size;
	uint32_t mode, uid, gid;
	bool is_folder, is_plain;
};

enum trust { TRUST_UNTESTED, TRUST_CONFIRMED, TRUST_NONE };
/* How far the access checks are to be believed in one folder, by right. */
struct folder_trust {
	uint8_t read, write, execute;
	uint8_t nameless; /* a nameless file could be made here for writing */
	unsigned untold; /* files not to be opened, of which a security module may think otherwise */
	bool on_overlay; /* opening for writing would copy the file up */
	bool is_testable; /* inside a sandbox, and the level lets us open foreign files for writing */
};

/* Finds out which calls work; run it in the walk's child. */
void walk_forms_find(struct walk_forms *forms);
long walk_call_number(enum walk_call call);
/* Neither follows links. Returns a descriptor, or the negative errno. */
long walk_open(const struct walk_forms *forms, int dir, const char *name, uint64_t flags);
/* 0, or the negative errno. Triggers no automount and asks no server. */
long walk_stat(const struct walk_forms *forms, int dir, const char *name, struct file_facts *facts);
/*
 * RIGHT_READ | RIGHT_WRITE | RIGHT_EXECUTE of a plain file. `ret_refused` becomes the rights that
 * the access check promised and the real operation refused.
 */
unsigned file_rights(const struct walk_forms *forms, int dir, const char *name,
		     const struct file_facts *facts, struct folder_trust *trust,
		     unsigned *ret_refused);
/* RIGHT_ENTRY of an open folder, or 0. */
unsigned folder_rights(const struct walk_forms *forms, int dir, const struct file_facts *facts,
		       const struct folder_trust *trust, unsigned *ret_refused);
