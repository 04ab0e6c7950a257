/* SPDX-License-Identifier: MIT */
/*
 * Counters of the whole machine: do they go on while we do nothing? They are read once, and again
 * after ever longer pauses, until one has moved.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <time.h>

#define PROC_MAGIC 0x9fa0

/* From the cheapest on. What is busy moves on every machine; the others only where there is work.
 */
static const struct source {
	const char *name, *path; /* NULL: sysinfo(2) */
	bool is_busy;
} sources[] = {
	{ "sysinfo", NULL, false },
	{ "loadavg", "/proc/loadavg", false },
	{ "pressure", "/proc/pressure/cpu", false },
	{ "pressure-memory", "/proc/pressure/memory", false },
	{ "pressure-io", "/proc/pressure/io", false },
	{ "diskstats", "/proc/diskstats", false },
	{ "softirqs", "/proc/softirqs", true },
	{ "stat", "/proc/stat", true },
	{ "vmstat", "/proc/vmstat", true },
	{ "interrupts", "/proc/interrupts", true },
};
enum { N_SOURCES = sizeof sources / sizeof *sources, PART = 4096, PARTS_AT_MOST = 16 };

struct look {
	struct trial *trial;
	uint64_t before[N_SOURCES]; /* hashes; 0: it cannot be read, or is not the machine's */
	struct attempt attempt[N_SOURCES];
	bool busy, any, idled;
};

/* What moves, not how long the machine is up. */
static struct attempt hash_sysinfo(struct trial *trial, uint64_t *ret_hash)
{
	struct sysinfo facts = { 0 };
	struct attempt a = try_call(trial, "sysinfo", __NR_sysinfo, &facts);

	facts.uptime = 0;
	*ret_hash = attempt_worked(a) ? keyed_hash(trial, &facts, sizeof facts) | 1 : 0;
	return a;
}

static struct attempt hash_file(struct trial *trial, const char *path, uint64_t *ret_hash)
{
	char part[PART];
	struct attempt a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY), read = a;
	uint64_t hash = 0;
	size_t n;

	for (unsigned i = 0; attempt_worked(a) && i < PARTS_AT_MOST; i++) {
		read = try_call_as(trial, "fpp", "read", __NR_read, a.value, part, sizeof part);
		if (read.value <= 0)
			break;
		n = (size_t)read.value;
		/* The last word of this one is the newest process's number, of our own namespace.
		 */
		for (; strcmp(path, "/proc/loadavg") == 0 && n > 0 && part[n - 1] != ' '; n--)
			;
		hash = (hash << 1 | hash >> 63) ^ keyed_hash(trial, part, n);
	}
	close_fd((int)a.value);
	*ret_hash = hash ? hash | 1 : 0;
	/* An empty file shows nothing. */
	return attempt_worked(read) && !hash ? found_nothing(read) : read;
}

static struct attempt hash_source(struct trial *trial, unsigned i, uint64_t *ret_hash)
{
	return sources[i].path ? hash_file(trial, sources[i].path, ret_hash)
			       : hash_sysinfo(trial, ret_hash);
}

/* Something else may lie over the kernel's file, and count for the sandbox alone. */
static struct attempt is_machines(struct trial *trial, unsigned i, struct attempt a)
{
	struct mount_facts mount;

	if (!sources[i].path)
		return a;
	if (ask_mount(trial, sources[i].path, &mount))
		return mount.type == PROC_MAGIC ? a : found_nothing(a);
	a.value = -1;
	a.error = ECANCELED;
	return a;
}

static void look_first(struct look *look)
{
	bool emulated = kernel_is_emulated(look->trial);
	char readable[128] = "";
	size_t used = 0;

	for (unsigned i = 0; i < N_SOURCES; i++) {
		struct attempt a = hash_source(look->trial, i, &look->before[i]);

		if (attempt_worked(a)) {
			a = emulated ? found_nothing(a) : is_machines(look->trial, i, a);
			look->before[i] = attempt_worked(a) ? look->before[i] : 0;
		}
		look->attempt[i] = a;
		if (!look->before[i])
			continue;
		look->any = true;
		look->busy |= sources[i].is_busy;
		used += (size_t)format_text(readable + used, sizeof readable - used,
					    used ? " %s" : "%s", sources[i].name);
	}
	if (used)
		note_text(look->trial, WHOLE, "readable", readable);
}

/* Its number, or -1. */
static int find_moved(struct look *look)
{
	for (unsigned i = 0; i < N_SOURCES; i++) {
		uint64_t now;

		if (!look->before[i])
			continue;
		hash_source(look->trial, i, &now);
		if (now && now != look->before[i])
			return (int)i;
	}
	return -1;
}

static void idle(struct look *look, long microseconds)
{
	struct timespec time = { 0, microseconds * 1000 };

	look->idled &= attempt_worked(
		try_call_as(look->trial, "pppp", "ppoll", __NR_ppoll, NULL, 0, &time, NULL, 0));
}

static void settle_still(struct look *look)
{
	for (unsigned i = 0; i < N_SOURCES; i++) {
		struct attempt a = look->attempt[i];

		settle(look->trial, WHOLE, look->before[i] ? found_nothing(a) : a,
		       .path = sources[i].path, .right = sources[i].path ? RIGHT_READ : 0);
	}
	if (look->any && !look->idled)
		settle_unknown(look->trial, WHOLE, REASON_CONTROL_FAILED);
	else if (look->any && !look->busy)
		/* A quiet machine's averages may stand as long. */
		settle_unknown(look->trial, WHOLE, REASON_TIMED_OUT);
}

static void attempt(struct trial *trial)
{
	/* 200 ms in all. */
	static const long pauses[] = { 500, 1000, 2500, 6000, 15000, 35000, 60000, 80000 };
	struct look look = { .trial = trial, .idled = true };
	int moved = -1;

	look_first(&look);
	for (unsigned i = 0; look.any && moved < 0 && i < sizeof pauses / sizeof *pauses; i++) {
		idle(&look, pauses[i]);
		moved = find_moved(&look);
	}
	if (moved >= 0) {
		measure_text(trial, WHOLE, "moved", sources[moved].name);
		settle(trial, WHOLE, found_in_process(true));
	} else {
		settle_still(&look);
	}
}

static const struct question asks[] = { { __NR_sysinfo, { 0 } } };

const struct scenario scenario_sidechannel_activity = {
	.about = ABOUT(
		.title = "Watch the machine's activity",
		.accessed = "Code in the sandbox can watch counters of the whole machine move.",
		.denied = "Code in the sandbox sees no counter of the whole machine move.",
		.why = "They tell when others work and how much: enough to notice a person's "
		       "keystrokes, to find out what runs beside one, or to pass messages to "
		       "another sandbox.",
		.see = "CWE-203",
		.open = "B",
		.closed = "S(sysinfo) -proc",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	ASKS(asks),
	.attempt = attempt,
};
