/* SPDX-License-Identifier: MIT */
/*
 * A launcher: one way to start the probe inside something. One file in host/sandboxes/ that
 * defines `const struct sandbox sandbox_NAME`; the folder is the registry.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/vocabulary.h"
#include "host/error.h"

/* What the user asked for; strings are borrowed from the command line. */
struct sandbox_request {
	const char *image, *rootfs; /* or NULL */
	char **arguments;           /* engine arguments after "--", NULL-terminated; never NULL */
	unsigned n_arguments;
};

/* A launch that has been prepared: how to exec it, and what must be undone. */
struct launch {
	char **argv;      /* the whole command line, NULL-terminated, malloc'd */
	char **report_argv; /* the same for the report: without temporary folders; or NULL */
	char *input;      /* a file that it gets as standard input, or NULL */
	char *probe_path; /* the probe's path inside */
	char *image;      /* for the report; malloc'd */
	char *folder;     /* temporary folder to remove, or NULL */
	void *state;      /* the launcher's own */
	bool whole_start; /* see struct child_plan: the engine would leave half a start behind */
	char *left;       /* by clean_up: what could not be removed, and how to; or NULL */
};

/* Is the engine here? Filled by find(). */
struct engine {
	bool available;
	char version[128]; /* "bubblewrap 0.8.0"; "" when there is none */
	char lacks[512];   /* what is missing and how to get it; "" when available */
};

/*
 * For find(): is the program here, and what is the first line of its answer? False: it has none, or
 * is not here; then `lacks` says so, with how to `install` it.
 */
bool engine_ask(struct engine *engine, const char *const question[], const char *install,
		char *answer, size_t size);

/* What an engine says when it fails, and what it means: the cause and the way out. */
struct symptom {
	const char *text, *meaning;
};
/* Of the first whose text is in what was said; NULL: of none. The table ends with a NULL text. */
const char *symptom_meaning(const struct symptom *table, const char *said);

struct sandbox {
	const char *name;     /* "bwrap" */
	const char *title;    /* "bubblewrap" */
	const char *summary;  /* one line for `sandboxeval sandboxes` and --help */
	const char *defaults; /* the default engine arguments, for --help; or NULL */
	bool outside;         /* the probe runs in no sandbox (`none`) */
	bool unsure;          /* may or may not be one (`command`) */
	bool no_baseline;     /* runs elsewhere: a baseline here would compare nothing */
	unsigned trial_seconds; /* one trial may take, where calls are slow; 0: as the probe has it */
	/* The remedy for a code in this engine's words, or NULL: indexed by enum remedy. */
	const char *const *remedies;
	/* What only this engine says; ends with a NULL text; or NULL. */
	const struct symptom *symptoms;
	/* Is it here, which version, what does it lack? Never fails. NULL: always available. */
	void (*find)(struct engine *engine);
	/*
	 * Prepares a launch of `probe` (a host path, executable, mode 0755, in a folder that
	 * others may search) with its options. On failure nothing is left behind.
	 */
	bool (*prepare)(const struct sandbox_request *request, const char *probe,
			char *const probe_options[], struct launch *ret_launch,
			struct error *error);
	/* After the launch ended or was killed: containers, mounts. NULL: nothing to do. */
	void (*clean_up)(struct launch *launch);
	/*
	 * For a launcher without an engine, whose launch is "/proc/self/exe --start NAME WORD…":
	 * the words, NULL-terminated. It becomes the probe, or returns an exit status. NULL: none.
	 */
	int (*start)(int n_words, char *words[]);
};

struct sandbox_row {
	const char *source;
	const struct sandbox *sandbox;
};
extern const struct sandbox_row sandboxes[]; /* ends with a NULL sandbox */
const struct sandbox *sandbox_find(const char *name);
