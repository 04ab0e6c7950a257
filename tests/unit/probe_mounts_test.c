/* SPDX-License-Identifier: MIT */
/*
 * The mounts are the same by /proc/self/mountinfo and by the calls of Linux 6.8: each of the two
 * serves where the other is not there. Only texts of the file system's own options may differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "probe/mount_calls.h"
#include "probe/trial.h"

struct options options = { .level = LEVEL_TOUCH, .timeout = 2 };

static const struct scenario scenario;
static const struct scenario_row row = { .id = "system.storage", .scenario = &scenario };
static struct record record;
static struct trial trial = { .row = &row, .record = &record };

enum { MOST = 128 };
struct lines {
	unsigned n;
	char text[MOST][512];
};

/* "relatime" and its like have no place in struct mount_line's users: the words that count do. */
static bool take(void *context, const struct mount_line *mount)
{
	static const char *const words[] = { "ro", "nosuid", "nodev", "noexec", "nosymfollow" };
	struct lines *lines = context;
	char options_told[64] = "", *line = lines->text[lines->n];

	if (lines->n == MOST)
		return false;
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
		strcat(options_told, has_option(mount->options, words[i]) ? words[i] : "");
		strcat(options_told, has_option(mount->super_options, words[i]) ? words[i] : "");
	}
	snprintf(line, sizeof lines->text[0], "%d %d %u:%u %s %s %s %s %s %d %d", mount->id,
		 mount->parent, mount->major, mount->minor, mount->root, mount->point, mount->type,
		 mount->source, options_told, mount->shared, mount->master);
	lines->n++;
	return true;
}

static bool holds(const struct lines *lines, const char *line)
{
	for (unsigned i = 0; i < lines->n; i++)
		if (strcmp(lines->text[i], line) == 0)
			return true;
	return false;
}

static void both_tell_the_same(void **state)
{
	static struct lines by_file, by_calls;

	(void)state;
	if (!attempt_worked(each_mount_by_calls(&trial, take, &by_calls)))
		skip();
	assert_true(attempt_worked(each_mount(&trial, take, &by_file)));
	assert_true(by_file.n > 0);
	for (unsigned i = 0; i < by_file.n; i++)
		if (!holds(&by_calls, by_file.text[i]))
			fail_msg("only the file says: %s", by_file.text[i]);
	assert_int_equal(by_calls.n, by_file.n);
}

static void options_are_words(void **state)
{
	(void)state;
	assert_true(has_option("rw,nosuid", "nosuid"));
	assert_true(has_option("ro", "ro"));
	assert_false(has_option("rw,errors=remount-ro", "ro"));
	assert_false(has_option("nosuidx,x", "nosuid"));
	assert_false(has_option("", "ro"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_tell_the_same),
		cmocka_unit_test(options_are_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
