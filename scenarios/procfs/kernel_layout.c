/* SPDX-License-Identifier: MIT */
/*
 * Does the kernel tell where it lies in memory, or how exactly it was built? Files of addresses are
 * read until one shows that is not blanked out; of the others one byte is. Nothing of it is kept.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SYSTEM_MAP = 9, KCORE_SIZE, PAGEMAP };
enum { LINES_AT_MOST = 64 };

static const struct case_def cases[] = {
	{ "kallsyms", "/proc/kallsyms", 0, 0, 0 },
	{ "modules", "/proc/modules", 0, 0, 0 },
	{ "iomem", "/proc/iomem", 0, 0, 0 },
	{ "vmallocinfo", "/proc/vmallocinfo", 0, 0, 0 },
	{ "slabinfo", "/proc/slabinfo", 0, 0, 0 },
	{ "pagetypeinfo", "/proc/pagetypeinfo", 0, 0, 0 },
	{ "config", "/proc/config.gz", 0, 0, 0 },
	{ "notes", "/sys/kernel/notes", 0, 0, 0 },
	{ "vmcoreinfo", "/sys/kernel/vmcoreinfo", 0, 0, 0 },
	[SYSTEM_MAP] = { "system-map", "/boot/System.map*|/boot/System.map", 0, 0, 0 },
	[KCORE_SIZE] = { "kcore-size", "/proc/kcore", 0, 0, 0 },
	[PAGEMAP] = { "pagemap", "/proc/self/pagemap", 0, 0, 0 },
};

/* Files of addresses: in which field they stand, and what shows more than zeros. */
static const struct blanked {
	bool blanks;
	unsigned field;
	int capability;
	bool by_setting; /* kallsyms_show_value(): two settings count besides */
} blanked[] = {
	{ true, 0, NEEDS_CAP(CAP_SYSLOG), true },
	{ true, 5, NEEDS_CAP(CAP_SYSLOG), true },
	{ true, 0, NEEDS_CAP(CAP_SYS_ADMIN), false },
	{ true, 0, NEEDS_CAP(CAP_SYSLOG), true },
	[SYSTEM_MAP] = { true, 0, 0, false },
	[PAGEMAP] = { false, 0, NEEDS_CAP(CAP_SYS_ADMIN), false },
};

struct look {
	unsigned field, lines;
	bool found;
};

/*
 * Zeros stand for what is not told, and Debian's stand-in for the map is all ones: any other digit
 * is an address.
 */
static bool take_line(void *context, char *line)
{
	struct look *look = context;
	char text[64];

	if (line_field(line, look->field, text, sizeof text))
		look->found = text[strspn(text, "0xfF-")] != '\0';
	return !look->found && ++look->lines < LINES_AT_MOST;
}

/* No call said no, but what it gave was blanked out. */
static struct attempt blanked_out(void)
{
	return (struct attempt){ .value = -1, .error = EPERM, .nr = -1, .reached = true };
}

/* The setting that keeps addresses from who lacks the capability, or from everybody. */
static const char *refusing_setting(struct trial *trial)
{
	int64_t value;

	if (read_setting(trial, "kernel.kptr_restrict", &value) && value > 0)
		return "kernel.kptr_restrict";
	if (read_setting(trial, "kernel.perf_event_paranoid", &value) && value > 1)
		return "kernel.perf_event_paranoid";
	return NULL;
}

static void settle_layout(struct trial *trial, int case_index, const char *path, struct attempt a)
{
	const struct blanked *how = &blanked[case_index];
	bool is_blanked = a.error == EPERM && a.nr == -1;

	settle(trial, case_index, a, .path = path, .right = RIGHT_READ,
	       .capability = is_blanked ? how->capability : 0,
	       .sysctl = is_blanked && how->by_setting ? refusing_setting(trial) : NULL,
	       .id_unmapped = unmapped_refuses(trial, path, a, RIGHT_READ, CAP_DAC_OVERRIDE));
}

static struct attempt look_into(struct trial *trial, int case_index, const char *path)
{
	const struct blanked *how = &blanked[case_index];
	struct look look = { .field = how->field };
	struct object object;
	struct attempt a = try_place(trial, path, &object);
	char byte;

	if (case_index == KCORE_SIZE)
		return S_ISREG(object.mode) && object.size ? a : found_nothing(a);
	/* Where no form of stat is let through, reading may be. */
	if (!attempt_worked(a) && a.reached)
		return a;
	if (!how->blanks) {
		a = try_read(trial, path, &byte, 1);
		return a.value == 0 ? found_nothing(a) : a;
	}
	a = try_lines(trial, path, take_line, &look);
	if (attempt_worked(a) && !look.found)
		return look.lines ? blanked_out() : found_nothing(a);
	return a;
}

/* Which frame of memory does a page of our own lie in? Bits 0 to 54, and 63: it is there. */
static struct attempt look_at_frame(struct trial *trial, const char *path)
{
	volatile char page = 1;
	uint64_t entry = 0, at = (uintptr_t)&page / getauxval(AT_PAGESZ) * sizeof entry;
	struct attempt a = try_open(trial, path, O_RDONLY | O_NONBLOCK), got;

	if (!attempt_worked(a))
		return a;
	got = try_call_as(trial, "fppp", "pread64", __NR_pread64, a.value, &entry, sizeof entry,
			  at);
	if (!got.reached &&
	    attempt_worked(try_call_as(trial, "fpv", "lseek", __NR_lseek, a.value, at, SEEK_SET)))
		got = try_call_as(trial, "fpp", "read", __NR_read, a.value, &entry, sizeof entry);
	close_fd((int)a.value);
	if (got.value == sizeof entry && !(entry << 9))
		return entry >> 63 ? blanked_out() : found_nothing(got);
	return got.value == 0 ? found_nothing(got) : got;
}

static void attempt(struct trial *trial)
{
	for (int i = 0; i < PAGEMAP; i++) {
		char path[512];

		if (find_case(trial, i, path, sizeof path))
			settle_layout(trial, i, path, look_into(trial, i, path));
	}
	settle_layout(trial, PAGEMAP, case_of(trial, PAGEMAP)->path,
		      look_at_frame(trial, case_of(trial, PAGEMAP)->path));
}

const struct scenario scenario_procfs_kernel_layout = {
	.about = ABOUT(
		.title = "Read where the kernel lies in memory",
		.accessed = "Code in the sandbox can read where the kernel or its pages lie in "
			    "memory, or how the kernel was built.",
		.denied = "Code in the sandbox can read neither where the kernel and its pages "
			  "lie in memory nor how it was built.",
		.why = "The kernel lies at random addresses so that a flaw in it is hard to use; "
		       "these files undo that.",
		.see = "CWE-497",
		.open = "O -sys +mask:/proc/config.gz +SYS_ADMIN",
		.closed = "O -sys +mask:/proc/config.gz",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_DAC)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
