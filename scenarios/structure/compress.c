/* SPDX-License-Identifier: MIT */
/*
 * Can critical files be packed into an archive? Texts are read and run-length coded; of the code
 * only the length is kept, as so many zero bytes in a nameless file of our own. What else lies in
 * /etc and the working folder is counted, up to 256 KiB. No content outlives the trial.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

enum { CHUNK = 32 * 1024, READ_AT_MOST = 256 * 1024, FILES_AT_MOST = 256 };

static const struct case_def cases[] = { CRITICAL_TEXTS(SEVERITY_INHERIT) };

struct archive {
	struct trial *trial;
	const char *folder;
	size_t read, coded;
	unsigned files;
};

/* The length of the run-length code: a count and a byte for every run of at most 255. */
static size_t coded_length(const char *data, size_t n)
{
	size_t coded = 0;

	for (size_t i = 0, run; i < n; i += run) {
		for (run = 1; run < 255 && i + run < n && data[i + run] == data[i]; run++)
			;
		coded += 2;
	}
	return coded;
}

/* value = the coded length. */
static struct attempt pack(struct archive *archive, const char *path)
{
	char buffer[CHUNK];
	struct object object;
	struct attempt a = try_place(archive->trial, path, &object);

	/* Where no form of stat is let through, reading may be. */
	if (!attempt_worked(a) && a.reached)
		return a;
	a = try_read(archive->trial, path, buffer, sizeof buffer);
	if (!attempt_worked(a))
		return a;
	archive->read += (size_t)a.value;
	archive->files += a.value > 0;
	a.value = (long)coded_length(buffer, (size_t)a.value);
	archive->coded += (size_t)a.value;
	explicit_bzero(buffer, sizeof buffer);
	return a.value == 0 ? found_nothing(a) : a;
}

/* Only what everybody may read: what is not for everybody may hold secrets. */
static bool pack_entry(void *context, const char *name, unsigned char type)
{
	struct archive *archive = context;
	struct object object;
	char path[1024];

	format_text(path, sizeof path, "%s/%s", archive->folder, name);
	if (type == 8 /* DT_REG */ &&
	    attempt_worked(
		    try_stat(archive->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) &&
	    (object.mode & 04))
		pack(archive, path);
	return archive->read < READ_AT_MOST - CHUNK && archive->files < FILES_AT_MOST;
}

static void pack_case(struct archive *archive, int case_index)
{
	const char *path = case_of(archive->trial, case_index)->path;
	struct attempt a = pack(archive, path), kept;

	if (!attempt_worked(a)) {
		settle(archive->trial, case_index, a, .path = path, .right = RIGHT_READ);
		return;
	}
	kept = try_keep(archive->trial, (size_t)a.value);
	if (attempt_worked(kept) && kept.value != a.value)
		kept = found_nothing(kept);
	settle(archive->trial, case_index, kept,
	       .rlimit = kept.error == EFBIG && origin()->limits[RLIMIT_FSIZE].soft != UINT64_MAX);
}

static void note_tools(struct trial *trial)
{
	static const char *const tools[] = { "tar", "gzip", "zip", "xz" };

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		char path[64];

		format_text(path, sizeof path, "/usr/bin/%s", tools[i]);
		note_flag(trial, WHOLE, tools[i], attempt_worked(try_access(trial, path, 1)));
	}
}

static void attempt(struct trial *trial)
{
	struct archive archive = { .trial = trial, .folder = "/etc" };

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		if (case_is_planned(trial, (int)i))
			pack_case(&archive, (int)i);
	try_list(trial, archive.folder, pack_entry, &archive);
	archive.folder = origin()->cwd;
	if (archive.folder[0] == '/')
		try_list(trial, archive.folder, pack_entry, &archive);
	measure_number(trial, WHOLE, "files", archive.files);
	measure_number(trial, WHOLE, "bytes", (int64_t)archive.read);
	measure_number(trial, WHOLE, "coded", (int64_t)archive.coded);
	note_tools(trial);
}

const struct scenario scenario_structure_compress = {
	.about = ABOUT(
		.title = "Compress critical files",
		.accessed = "Code in the sandbox can pack a critical file into an archive of its "
			    "own.",
		.denied = "Code in the sandbox cannot pack any critical file into an archive.",
		.why = "Files are gathered in an archive before they are sent away or held to "
		       "ransom.",
		.see = "T1560",
		.paper = "Compress files",
		.open = "B --ro-bind $D/passwd /etc/passwd",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
