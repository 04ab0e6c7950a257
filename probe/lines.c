/* SPDX-License-Identifier: MIT */
/*
 * Files of any length by lines. A list of accounts or mounts may be longer than any buffer that a
 * trial should hold, and what stands at its end counts as much as what stands at its head.
 */
#include <errno.h>
#include <string.h>

#include "probe/attempts.h"
#include "probe/trial.h"

enum { PART = 8192, READ_AT_MOST = 4 << 20 };

struct reader {
	char text[PART + 1];
	size_t held; /* bytes of an unfinished line */
	bool over;   /* the caller has enough */
};

/* Hands over the whole lines that are held, at the end of the file the last one, too. */
static void hand_over(struct reader *reader, bool at_end,
		      bool (*each)(void *context, char *line), void *context)
{
	char *line = reader->text, *end;

	reader->text[reader->held] = '\0';
	while (!reader->over && (end = memchr(line, '\n', reader->held))) {
		*end = '\0';
		reader->over = !each(context, line);
		reader->held -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	/* A line as long as the buffer is handed over in parts. */
	if (!reader->over && reader->held && (at_end || reader->held == PART)) {
		reader->over = !each(context, line);
		reader->held = 0;
	}
	memmove(reader->text, line, reader->held);
}

struct attempt try_lines(struct trial *trial, const char *path,
			 bool (*each)(void *context, char *line), void *context)
{
	struct attempt a = { .value = 0, .nr = -1, .reached = true }, got;
	struct reader reader = { .held = 0 };
	long total = 0;
	int fd;

	if (!is_to_be_read(trial, path))
		return a;
	a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	fd = (int)a.value;
	if (!attempt_worked(a))
		return a;
	do {
		got = try_read_part(trial, fd, reader.text + reader.held, PART - reader.held,
				    (size_t)total);
		total += got.value > 0 ? got.value : 0;
		reader.held += got.value > 0 ? (size_t)got.value : 0;
		hand_over(&reader, got.value <= 0, each, context);
	} while (got.value > 0 && !reader.over && total < READ_AT_MOST);
	close_fd(fd);
	explicit_bzero(reader.text, sizeof reader.text);
	if (!attempt_worked(got) && total == 0)
		return got;
	a = got;
	a.value = total;
	a.error = 0;
	/* Cut: what was found is there, of the rest nothing is known. */
	if (!reader.over && (total >= READ_AT_MOST || !attempt_worked(got))) {
		a.value = -1;
		a.error = ECANCELED;
	}
	return a;
}
