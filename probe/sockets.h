/* SPDX-License-Identifier: MIT */
/*
 * The sockets of others: files that a bounded search meets below the folders where they usually
 * lie, those that variables and scenarios name, and abstract names. Looked for once, in a guarded
 * child; connected to by the scenarios whose cases claim them.
 *
 *	variables, places ──▶ list ◀── /proc/net/unix, or sock_diag
 *	/run /tmp homes …  ──▶  │
 *	                        └─▶ each belongs to one case of one scenario, by its name
 */
#pragma once

#include "scenarios/scenario.h"

#define SOCKETS_AT_MOST 256

struct found_socket {
	char name[256];    /* the path; an abstract name without its leading zero */
	uint16_t length;   /* an abstract name may hold zeroes */
	uint8_t type;      /* SOCK_…; 0: not told */
	bool is_abstract;
	bool listens;      /* the kernel's list says so */
	bool talks;        /* the list says that it is connected: it may take nothing from others */
	int16_t row, case_index; /* whose it is, by the registry; -1: nobody's */
	uint64_t dev, ino;
};

struct sockets_view {
	bool finished;
	bool cut;           /* the search reached a bound */
	bool full;          /* what was found had no room */
	bool names_told;    /* the kernel's list of abstract names was read to its end */
	const char *source; /* of that list */
	uint32_t blind_roots, blind; /* folders that were not listed, yet lead to what is in them */
	char blind_folder[256], blind_root[256]; /* the first of each */
	char closed_folder[256]; /* one that nobody without rights gets into */
	uint32_t n;
	struct found_socket list[]; /* SOCKETS_AT_MOST */
};

/* Makes the view if a selected scenario declares VIEW_SOCKETS; `record` is lent to its trial. */
struct record;
void sockets_make_view(const bool selected[], struct record *record);
const struct sockets_view *sockets_view(void);

/* One of the words that "|" separates; false: no more. */
bool next_word(const char **rest, const char **ret_word, size_t *ret_length);
/* The place that a word names, "UID" in it replaced by ours. */
void socket_place(const char *word, size_t n, char *path, size_t size);

/*
 * "/path", "unix:///path", "unix:path=/path,guid=…", "unix:abstract=name,…", "@name": the path, or the
 * name behind an "@". False: it is neither.
 */
bool socket_address(const char *value, char *text, size_t size);

/* Connects to an abstract name, given without its zero. */
struct attempt try_abstract_name(struct trial *trial, const char *name, size_t n, int type);
/* Not reached: a filter lets no Unix socket be made at all, of whatever type. */
struct attempt try_any_unix_socket(struct trial *trial);
/* The same on a listener of our own (K2). */
struct attempt try_own_name(struct trial *trial);
