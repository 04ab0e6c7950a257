/* SPDX-License-Identifier: MIT */
/*
 * The time zone that the sandbox passes on. UTC under any of its names places nobody, so only
 * another zone counts, or an offset that the kernel itself was given.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/time.h>

enum { ENVIRONMENT, ETC_TIMEZONE, ETC_LOCALTIME, KERNEL };

static const struct case_def cases[] = {
	[ENVIRONMENT] = { "environment", NULL, 0, 0, 0 },
	[ETC_TIMEZONE] = { "etc-timezone", "/etc/timezone", 0, 0, 0 },
	[ETC_LOCALTIME] = { "etc-localtime", "/etc/localtime", 0, 0, 0 },
	[KERNEL] = { "kernel", NULL, 0, 0, 0 },
};

static const struct question asks[] = { { __NR_gettimeofday, { 0 } } };

/* "Europe/Berlin" of ":/usr/share/zoneinfo/Europe/Berlin". */
static const char *zone_name(const char *text)
{
	const char *folder = strstr(text, "zoneinfo/");

	text += *text == ':';
	return folder ? folder + strlen("zoneinfo/") : text;
}

static bool is_neutral(const char *zone)
{
	static const char *const neutral[] = {
		"",	"UTC",	"UCT",	"GMT",	"UTC0", "UTC+0", "UTC-0",     "GMT0",
		"GMT+0", "GMT-0", "<UTC>0", "Zulu", "Universal", "Greenwich", "Factory",
		"/etc/localtime", /* TZ: the file is another case */
	};

	if (starts_with(zone, "posix/") || starts_with(zone, "right/"))
		zone += 6;
	if (starts_with(zone, "Etc/"))
		zone += 4;
	for (size_t i = 0; i < sizeof(neutral) / sizeof(*neutral); i++) {
		if (strcmp(zone, neutral[i]) == 0)
			return true;
	}
	return false;
}

static void settle_zone(struct trial *trial, int case_index, struct attempt a, const char *zone)
{
	bool found = attempt_worked(a) && !is_neutral(zone);

	if (found)
		note_text(trial, case_index, "zone", zone);
	settle(trial, case_index, found ? a : found_nothing(a), .path = case_of(trial, case_index)->path,
	       .right = RIGHT_READ);
}

static void look_at_environment(struct trial *trial)
{
	const char *value = given_variable("TZ");

	settle_zone(trial, ENVIRONMENT, found_in_process(true), value ? zone_name(value) : "");
}

static void look_at_name(struct trial *trial)
{
	char text[128];
	struct attempt a = try_text(trial, "/etc/timezone", text, sizeof(text));

	text[strcspn(text, " \t\r\n")] = '\0';
	settle_zone(trial, ETC_TIMEZONE, a, text);
}

/* A link names its zone; a copy ends in a line that says how the zone reckons ("JST-9"). */
static void look_at_localtime(struct trial *trial)
{
	char text[8192], *line;
	struct attempt a = try_readlink(trial, "/etc/localtime", text, sizeof(text));

	if (attempt_worked(a) && strstr(text, "zoneinfo/")) {
		settle_zone(trial, ETC_LOCALTIME, a, zone_name(text));
		return;
	}
	a = try_text(trial, "/etc/localtime", text, sizeof(text));
	line = text;
	if (a.value > 2 && memcmp(text, "TZif", 4) == 0 && text[a.value - 1] == '\n') {
		line = text + a.value - 1;
		*line = '\0';
		while (line > text && line[-1] && line[-1] != '\n')
			line--;
	} else {
		*line = '\0';
	}
	settle_zone(trial, ETC_LOCALTIME, a, line);
}

static void ask_kernel(struct trial *trial)
{
	struct timeval now;
	struct timezone zone = { 0 };
	struct attempt a = try_call(trial, "gettimeofday", __NR_gettimeofday, &now, &zone);

	if (attempt_worked(a) && zone.tz_minuteswest)
		note_number(trial, KERNEL, "minutes-west", zone.tz_minuteswest);
	settle(trial, KERNEL, zone.tz_minuteswest ? a : found_nothing(a));
}

static void attempt(struct trial *trial)
{
	look_at_environment(trial);
	look_at_name(trial);
	look_at_localtime(trial);
	ask_kernel(trial);
}

const struct scenario scenario_system_timezone = {
	.about = ABOUT(
		.title = "Read the time zone",
		.accessed = "Code in the sandbox can tell the time zone of whoever runs it.",
		.denied = "Code in the sandbox sees no time zone but UTC, which places nobody.",
		.why = "A time zone tells roughly where the host stands, and when nobody is "
		       "watching it.",
		.see = "T1614",
		.paper = "Time zone",
		.ours = true,
		.open = "B --setenv TZ Asia/Tokyo",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ENV) | FIX(BIND),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
