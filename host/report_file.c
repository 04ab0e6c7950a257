/* SPDX-License-Identifier: MIT */
#include "host/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/suggest.h"
#include "host/throwaway.h"

bool report_file_is_standard_output(const struct report_file *file)
{
	return strcmp(file->path, "-") == 0;
}

static bool cannot_write(const struct report_file *file, int cause, struct error *error)
{
	return error_set(error, EXIT_INTERNAL, "cannot write the %s report to %s: %s",
			 file->report->name,
			 report_file_is_standard_output(file) ? "standard output" : file->path,
			 cause ? strerror(cause) : "an earlier write failed");
}

static void hint_formats(const char *const names[], size_t n, struct error *error)
{
	char *list = copy_text("");

	for (size_t i = 0; i < n; i++) {
		char *longer = print_text("%s%s%s", list, i ? ", " : "", names[i]);

		free(list);
		list = longer;
	}
	error_hint(error, "the formats are: %s", list);
	free(list);
}

static bool find_format(struct report_file *file, const char *text, struct error *error)
{
	char *name = copy_bytes(text, strcspn(text, "="));
	const char *names[64], *near;
	size_t n = 0;

	file->report = report_find(name);
	for (const struct report_row *row = reports; row->report && n < 64; row++)
		names[n++] = row->report->name;
	near = suggest(name, names, n);
	if (!file->report)
		error_set(error, EXIT_MISUSE, "there is no report format '%s'%s%s%s", name,
			  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	if (!file->report)
		hint_formats(names, n, error);
	free(name);
	return file->report != NULL;
}

/* Pipes and devices cannot be replaced by a file: they are written in place. */
static bool is_written_in_place(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* Beside the file that a link leads to, so that the link stays. */
static char *final_path(const char *path)
{
	char *final = realpath(path, NULL);

	return final ? final : copy_text(path);
}

static bool open_file(struct report_file *file, struct error *error)
{
	char *final = final_path(file->path), digits[17];
	struct stat before;
	int fd, cause;

	if (is_written_in_place(file->path)) {
		fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	} else {
		random_digits(digits, 8);
		file->temporary = print_text("%s.%s", final, digits);
		fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	cause = errno;
	/* Who may read the old report may read the new one, and nobody else. */
	if (fd >= 0 && file->temporary && stat(final, &before) == 0)
		(void)!fchmod(fd, before.st_mode & 0777);
	free(final);
	if (fd >= 0)
		file->out = fdopen(fd, "w");
	if (file->out)
		return true;
	free(file->temporary);
	file->temporary = NULL;
	return cannot_write(file, cause, error);
}

bool report_file_open(struct report_file *file, const char *text, struct error *error)
{
	const char *equals = strchr(text, '=');

	*file = (struct report_file){ .path = copy_text(equals && equals[1] ? equals + 1 : "-") };
	if (!find_format(file, text, error))
		return false;
	if (equals && !equals[1])
		return error_set(error, EXIT_MISUSE, "--report %s names no file; '-' is standard "
				 "output", text);
	if (report_file_is_standard_output(file)) {
		file->out = stdout;
		return true;
	}
	return open_file(file, error);
}

/* The name is given last, when nothing can fail any more. */
static bool take_name(struct report_file *file, struct error *error)
{
	char *final;
	bool renamed;

	if (!file->temporary)
		return true;
	final = final_path(file->path);
	renamed = rename(file->temporary, final) == 0;
	free(final);
	if (!renamed)
		return cannot_write(file, errno, error);
	free(file->temporary);
	file->temporary = NULL;
	return true;
}

bool report_file_write(struct report_file *file, const struct report_context *context,
		       struct error *error)
{
	struct report_context own = *context;
	bool standard = file->out == stdout, written;

	if (!report_file_is_standard_output(file)) {
		own.color = false;
		own.width = 0;
	}
	errno = 0;
	if (!(own.matrix ? file->report->compare : file->report->write)(&own, file->out, error))
		return false;
	written = fflush(file->out) == 0 && !ferror(file->out);
	/* Some disks tell only at the end that they are full. */
	if (file->out != stdout)
		written = fclose(file->out) == 0 && written;
	file->out = NULL;
	/* A reader who has seen enough, as in "| head", is no failure. */
	if (!written && errno == EPIPE && standard)
		return true;
	if (!written)
		return cannot_write(file, errno, error);
	return take_name(file, error);
}

void report_file_close(struct report_file *file)
{
	if (file->out && file->out != stdout)
		fclose(file->out);
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	free(file->path);
	*file = (struct report_file){ 0 };
}
