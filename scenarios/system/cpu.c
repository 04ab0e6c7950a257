/* SPDX-License-Identifier: MIT */
/*
 * Processor model and number of processors as the kernel tells them. The CPUID instruction needs
 * no kernel, so no sandbox short of a virtual machine can hide it: it is evidence, and decides
 * nothing.
 */
#include "scenarios/scenario.h"

#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#define ARCH_GET_CPUID 0x1011
#endif

/* Bits for 8,192 processors: as many as any kernel is built for. */
#define MASK_BYTES 1024

enum { AFFINITY, CPUINFO, ONLINE, STATISTICS, FOLDERS };

static const struct case_def cases[] = {
	[AFFINITY] = { "affinity", NULL, 0, 0, 0 },
	[CPUINFO] = { "cpuinfo", "/proc/cpuinfo", 0, 0, 0 },
	[ONLINE] = { "online", "/sys/devices/system/cpu/online", 0, 0, 0 },
	[STATISTICS] = { "statistics", "/proc/stat", 0, 0, 0 },
	[FOLDERS] = { "folders", "/sys/devices/system/cpu", 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_sched_getaffinity, { 0, MASK_BYTES } },
#ifdef __x86_64__
	{ __NR_arch_prctl, { ARCH_GET_CPUID } },
#endif
};

#ifdef __x86_64__
static void note_instruction(struct trial *trial)
{
	unsigned words[13] = { 0 };
	struct attempt a = try_call(trial, "arch_prctl", __NR_arch_prctl, ARCH_GET_CPUID, 0);

	/* Where the instruction is made to fault it would end the trial. */
	if (a.value != 1 || (unsigned)__get_cpuid_max(0x80000000, NULL) < 0x80000004)
		return;
	for (unsigned i = 0; i < 3; i++) {
		unsigned *part = words + 4 * i;

		__get_cpuid(0x80000002 + i, &part[0], &part[1], &part[2], &part[3]);
	}
	note_text(trial, WHOLE, "instruction", (const char *)words);
}
#else
static void note_instruction(struct trial *trial)
{
	(void)trial;
}
#endif

static void count_processors(struct trial *trial)
{
	unsigned long mask[MASK_BYTES / sizeof(long)] = { 0 };
	struct attempt a = try_call(trial, "sched_getaffinity", __NR_sched_getaffinity, 0,
				    sizeof(mask), mask);
	int count = 0;

	for (size_t i = 0; i < sizeof(mask) / sizeof(*mask); i++)
		count += __builtin_popcountl(mask[i]);
	if (attempt_worked(a))
		note_number(trial, AFFINITY, "count", count);
	settle(trial, AFFINITY, count ? a : found_nothing(a));
}

struct search {
	struct trial *trial;
	bool found;
};

/* Names of the model differ by architecture; the first that comes is taken. */
static bool take_model(void *context, char *line)
{
	static const char *const names[] = { "model name", "CPU part", "cpu model", "uarch" };
	struct search *search = context;
	char *value = strchr(line, ':');

	for (size_t i = 0; value && i < sizeof(names) / sizeof(*names); i++) {
		if (!starts_with(line, names[i]))
			continue;
		note_text(search->trial, CPUINFO, "model", value + 1 + strspn(value + 1, " \t"));
		search->found = true;
	}
	search->found |= starts_with(line, "processor");
	return true;
}

static void look_at_file(struct trial *trial, int case_index)
{
	struct search search = { trial, false };
	const char *path = case_of(trial, case_index)->path;
	char text[2048]; /* the first processor: the others repeat it */
	struct attempt a = try_text(trial, path, text, sizeof(text));

	if (attempt_worked(a)) {
		if (case_index == CPUINFO) {
			each_line(text, take_model, &search);
		} else {
			text[strcspn(text, "\n")] = '\0';
			search.found = text[0] != '\0';
			note_text(trial, ONLINE, "online", text);
		}
		if (!search.found)
			a = found_nothing(a);
	}
	settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
}

/* "cpu0", "cpu11 1 2 3", but not "cpufreq" or the sum "cpu". */
static bool names_processor(const char *text)
{
	return starts_with(text, "cpu") && is_digit(text[3]);
}

static bool take_statistics(void *context, char *line)
{
	*(int *)context += names_processor(line);
	return starts_with(line, "cpu"); /* they come first */
}

static bool take_folder(void *context, const char *name, unsigned char type)
{
	(void)type;
	*(int *)context += names_processor(name);
	return true;
}

static void settle_count(struct trial *trial, int case_index, struct attempt a, int count)
{
	if (count)
		note_number(trial, case_index, "count", count);
	settle(trial, case_index, count || !attempt_worked(a) ? a : found_nothing(a),
	       .path = case_of(trial, case_index)->path, .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	int lines = 0, folders = 0;
	struct attempt a;

	count_processors(trial);
	look_at_file(trial, CPUINFO);
	look_at_file(trial, ONLINE);
	a = try_lines(trial, case_of(trial, STATISTICS)->path, take_statistics, &lines);
	settle_count(trial, STATISTICS, a, lines);
	a = try_list(trial, case_of(trial, FOLDERS)->path, take_folder, &folders);
	settle_count(trial, FOLDERS, a, folders);
	note_instruction(trial);
}

const struct scenario scenario_system_cpu = {
	.about = ABOUT(
		.title = "Read the processor's model and count",
		.accessed = "Code in the sandbox can learn the processor's model or count from "
			    "the kernel.",
		.denied = "Code in the sandbox learns neither the processor's model nor its count "
			  "from the kernel.",
		.why = "Model and count identify the machine again, and tell whether mining or "
		       "other abuse would pay. The processor itself answers too, whatever the "
		       "kernel hides.",
		.see = "T1082",
		.paper = "CPU",
		.ours = true,
		.open = "B",
		.closed = "S(sched_getaffinity) -proc",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
