/* SPDX-License-Identifier: MIT */
/*
 * Is the kernel, or the engine as far as it shows its version, older than a minimum: the one that
 * the owner names (targets "kernel" and "engine"), or the oldest series of the kernel that is still
 * looked after? No flaw is tried, and what a distribution has mended in an old series is not seen.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/utsname.h>

/* kernel.org/releases.html: of the longterm series the oldest; it ends in December 2026. */
#define OLDEST_MAINTAINED "5.10"

static const struct question asks[] = {
	{ __NR_uname, { 0 } },
	{ __NR_personality, { 0xffffffff } },
};

struct version {
	uint64_t part[3];
};

/* The first numbers of a text such as "6.1.0-18-amd64" or "podman-4.9.3". */
static bool read_version(const char *text, struct version *version)
{
	unsigned n = 0;

	*version = (struct version){ { 0 } };
	text += strcspn(text, "0123456789");
	for (; n < 3 && is_digit(*text); n++) {
		version->part[n] = leading_number(text, &text);
		text += *text == '.';
	}
	return n > 0;
}

static bool is_older(const struct version *a, const struct version *b)
{
	for (unsigned i = 0; i < 3; i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i];
	return false;
}

/* Settles one thing whose version is seen against a minimum. */
static void compare(struct trial *trial, const char *seen, const char *minimum)
{
	struct version has, needs;

	if (!read_version(minimum, &needs))
		settle_unknown(trial, WHOLE, REASON_NO_TARGET);
	else if (!read_version(seen, &has))
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
	else
		settle(trial, WHOLE, found_in_process(is_older(&has, &needs)));
}

/* ---------------------------------------------------------------- the kernel */

static void compare_kernel(struct trial *trial)
{
	const char *minimum = host_fact(trial, "target.kernel");
	struct utsname name = { .release = "" };

	note_text(trial, WHOLE, "minimum", minimum ? minimum : OLDEST_MAINTAINED);
	note_text(trial, WHOLE, "minimum_is",
		  minimum ? "the owner's" : "the oldest series that was maintained at build time");
	if (read_release(trial, &name))
		note_text(trial, WHOLE, "release", name.release);
	/* What it tells is the kernel that it imitates; its own version it keeps to itself. */
	if (kernel_is_emulated(trial)) {
		note_flag(trial, WHOLE, "emulated_kernel", true);
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
	} else {
		compare(trial, name.release, minimum ? minimum : OLDEST_MAINTAINED);
	}
}

/* ---------------------------------------------------------------- the engine */

/* Files in which an engine tells the sandbox its own version, and the line's beginning. */
static const struct engine_file {
	const char *path, *start, *engine;
} engine_files[] = {
	{ "/run/.containerenv", "engine=", "" },
	{ "/.flatpak-info", "flatpak-version=", "flatpak-" },
};

struct engine_search {
	const struct engine_file *file;
	char version[64];
};

static bool take_engine(void *context, char *line)
{
	struct engine_search *search = context;
	size_t n = strlen(search->file->start);

	if (strncmp(line, search->file->start, n) != 0)
		return true;
	line += n + strspn(line + n, "\"");
	line[strcspn(line, "\"")] = '\0';
	format_text(search->version, sizeof search->version, "%s%s", search->file->engine, line);
	return false;
}

/* What it tells in no file is known to who started it. */
static void compare_engine_outside(struct trial *trial, const char *minimum)
{
	const char *version = host_fact(trial, "engine");

	note_text(trial, WHOLE, "engine_minimum", minimum);
	if (version) {
		note_text(trial, WHOLE, "engine", version);
		note_text(trial, WHOLE, "engine_told_by", "the host");
	}
	compare(trial, version ? version : "", minimum);
}

/* Without the owner's minimum there is nothing to compare with. */
static void compare_engine(struct trial *trial)
{
	const char *minimum = host_fact(trial, "target.engine");
	bool seen = false;

	for (unsigned i = 0; i < sizeof engine_files / sizeof *engine_files; i++) {
		struct engine_search search = { .file = &engine_files[i] };

		try_lines(trial, search.file->path, take_engine, &search);
		if (!search.version[0])
			continue;
		note_text(trial, WHOLE, "engine", search.version);
		seen = true;
		if (!minimum)
			continue;
		note_text(trial, WHOLE, "engine_minimum", minimum);
		compare(trial, search.version, minimum);
	}
	if (minimum && !seen)
		compare_engine_outside(trial, minimum);
}

static void attempt(struct trial *trial)
{
	compare_kernel(trial);
	compare_engine(trial);
}

const struct scenario scenario_kernel_release = {
	.about = ABOUT(
		.title = "Run on a kernel or engine older than the minimum",
		.accessed = "Code in the sandbox runs on a kernel or engine that is older than "
			    "the minimum.",
		.denied = "Code in the sandbox sees no kernel or engine that is older than the "
			  "minimum.",
		.why = "What is no longer looked after has known flaws that nobody mends, and a "
		       "flaw of the kernel opens every sandbox on it.",
		.how = "The kernel's release is compared with the minimum that the owner names, "
		       "else with the oldest series that was maintained when the probe was built. "
		       "No flaw is tried: a distribution may have mended an old release, and a "
		       "new one has flaws nobody knows.",
		.see = "T1082",
		.open = "B +fact:target.kernel=99",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(KRN),
	ASKS(asks),
	.attempt = attempt,
};
