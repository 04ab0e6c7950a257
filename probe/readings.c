/* SPDX-License-Identifier: MIT */
/*
 * Counters and sensors of the machine's devices. One that tells a number is enough, and the number
 * is dropped; where none does, the first that refused says why.
 */
#include "probe/attempts.h"
#include "probe/trial.h"

struct reader {
	struct trial *trial;
	int case_index;
	const char *kind, *device;
	const struct device_file *files;
	unsigned n_files;
	char folder[192], refused_path[256];
	struct attempt refused;
	unsigned read, unread;
};

static bool is_wanted(const struct reader *reader, const char *name)
{
	for (unsigned i = 0; i < reader->n_files; i++) {
		const struct device_file *file = &reader->files[i];

		if (file->case_index == reader->case_index &&
		    matches_pattern(file->device, reader->device) &&
		    matches_pattern(file->name, name))
			return true;
	}
	return false;
}

static bool read_file(void *context, const char *name, unsigned char type)
{
	struct reader *reader = context;
	char path[256], text[32];
	struct attempt a;

	(void)type;
	if (!is_wanted(reader, name))
		return true;
	format_text(path, sizeof path, "%s/%s", reader->folder, name);
	a = try_read(reader->trial, path, text, sizeof text);
	if (a.value > 0 && (text[0] == '-' || is_digit(text[0]))) {
		if (reader->read++ == 0)
			report_object(reader->trial, reader->kind, path);
	} else if (reader->unread++ == 0) {
		reader->refused = attempt_worked(a) ? found_nothing(a) : a;
		format_text(reader->refused_path, sizeof reader->refused_path, "%s", path);
	}
	return true;
}

static bool look_at_device(void *context, const char *name, unsigned char type)
{
	struct reader *reader = context;

	(void)type;
	reader->device = name;
	format_text(reader->folder, sizeof reader->folder, "%s/%s",
		    case_of(reader->trial, reader->case_index)->path, name);
	try_list(reader->trial, reader->folder, read_file, reader);
	return true;
}

static void settle_class(struct reader *reader)
{
	const char *path = case_of(reader->trial, reader->case_index)->path;
	struct attempt a = try_list(reader->trial, path, look_at_device, reader);
	char counted[24];

	format_text(counted, sizeof counted, "%ss", reader->kind);
	if (attempt_worked(a))
		note_number(reader->trial, reader->case_index, counted, reader->read);
	if (attempt_worked(a) && !reader->read && reader->unread)
		settle(reader->trial, reader->case_index, reader->refused,
		       .path = reader->refused_path, .right = RIGHT_READ);
	else
		settle(reader->trial, reader->case_index, reader->read ? a : found_nothing(a),
		       .path = path, .right = RIGHT_READ);
}

void settle_device_files(struct trial *trial, const char *kind, const struct device_file files[],
			 unsigned n)
{
	for (unsigned i = 0; i < trial_scenario(trial)->n_cases; i++) {
		struct reader reader = { .trial = trial, .case_index = (int)i, .kind = kind,
					 .files = files, .n_files = n };

		settle_class(&reader);
	}
}
