/* SPDX-License-Identifier: MIT */
/*
 * Disks and mounts: sizes of file systems that are not ours to write to, and the devices behind
 * them. listmount(2) and statmount(2) answer without /proc, so hiding /proc is not enough.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/vfs.h>

#ifndef __NR_statmount
#define __NR_statmount 457 /* Linux 6.8 */
#define __NR_listmount 458
#endif
#define CAP_SYS_ADMIN 21

enum { ROOT, WORKING, MOUNTINFO, MOUNT_CALLS, PARTITIONS, BLOCK_DEVICES };

static const struct case_def cases[] = {
	[ROOT] = { "root-size", "/", 0, 0, 0 },
	[WORKING] = { "working-size", ".", 0, 0, 0 },
	[MOUNTINFO] = { "mountinfo", "/proc/self/mountinfo", 0, 0, 0 },
	[MOUNT_CALLS] = { "mount-calls", NULL, 0, 0, 0 },
	[PARTITIONS] = { "partitions", "/proc/partitions", 0, 0, 0 },
	[BLOCK_DEVICES] = { "block-devices", "/sys/class/block", 0, 0, 0 },
};

/* struct mnt_id_req and the head of struct statmount; headers of today have neither. */
struct mount_request {
	uint32_t size, spare;
	uint64_t id, parameter;
};
struct mount_answer {
	uint32_t size, options;
	uint64_t mask;
	uint32_t device_major, device_minor;
	uint32_t rest[122];
	char text[256];
};
enum { ASK_SUPERBLOCK = 1, MOUNTS = 64 };

static const struct question asks[] = {
	{ __NR_listmount, { 0, 0, MOUNTS } },
	{ __NR_statmount, { 0, 0, sizeof(struct mount_answer) } },
};

static void look_at_size(struct trial *trial, int case_index)
{
	const char *path = case_of(trial, case_index)->path, *place = path;
	struct statfs facts = { 0 };
	struct attempt a = try_statfs(trial, path, &facts);

	if (case_index == WORKING)
		place = origin()->cwd;
	/* Scratch of the sandbox's own tells of no storage but itself. */
	if (attempt_worked(a) && facts.f_blocks &&
	    (!is_below_scratch(trial, place) || ask_mount_from(trial, place) == FROM_OUTSIDE))
		note_number(trial, case_index, "bytes",
			    (int64_t)((uint64_t)facts.f_blocks * (uint64_t)facts.f_bsize));
	else
		a = found_nothing(a);
	settle(trial, case_index, a, .path = path, .right = RIGHT_STAT);
}

struct search {
	struct trial *trial;
	int case_index;
	unsigned lines, found;
};

static void found_device(struct search *search, const char *name)
{
	if (search->found++ == 0)
		note_text(search->trial, search->case_index, "device", name);
}

/* "36 35 254:0 / /mnt rw … - ext4 /dev/vda rw": numbers beginning with 0: no device behind it. */
static bool take_mount(void *context, char *line)
{
	struct search *search = context;
	char *rest = strstr(line, " - ");
	char place[256], number[32], type[24], source[128];

	if (!rest || !line_field(line, 2, number, sizeof(number)) ||
	    !line_field(line, 4, place, sizeof(place)) ||
	    !line_field(rest, 1, type, sizeof(type)) ||
	    !line_field(rest, 2, source, sizeof(source)))
		return true;
	search->lines++;
	report_object(search->trial, type, place);
	if (!starts_with(number, "0:"))
		found_device(search, source);
	return true;
}

static bool take_partition(void *context, char *line)
{
	struct search *search = context;
	char major[16], name[64];

	if (line_field(line, 0, major, sizeof(major)) && is_digit(major[0]) &&
	    line_field(line, 3, name, sizeof(name))) {
		search->lines++;
		found_device(search, name);
	}
	return true;
}

static bool take_block(void *context, const char *name, unsigned char type)
{
	struct search *search = context;

	(void)type;
	search->lines++;
	found_device(search, name);
	return true;
}

static void look_at_source(struct trial *trial, int case_index)
{
	struct search search = { .trial = trial, .case_index = case_index };
	const char *path = case_of(trial, case_index)->path;
	char text[16384];
	struct attempt a;

	if (case_index == BLOCK_DEVICES) {
		a = try_list(trial, path, take_block, &search);
	} else {
		a = try_text(trial, path, text, sizeof(text));
		if (attempt_worked(a))
			each_line(text, case_index == MOUNTINFO ? take_mount : take_partition,
				  &search);
	}
	if (attempt_worked(a))
		note_number(trial, case_index, "entries", search.lines);
	settle(trial, case_index, search.found ? a : found_nothing(a), .path = path,
	       .right = RIGHT_READ);
}

static void call_for_mounts(struct trial *trial)
{
	struct search search = { .trial = trial, .case_index = MOUNT_CALLS };
	struct mount_request request = { 24, 0, UINT64_MAX /* from our root */, 0 };
	uint64_t ids[MOUNTS];
	struct attempt a = try_call(trial, "listmount", __NR_listmount, &request, ids,
				    MOUNTS, 0), b = a;

	if (attempt_worked(a))
		note_number(trial, MOUNT_CALLS, "entries", a.value);
	for (long i = 0; i < a.value; i++) {
		struct mount_answer answer = { 0 };
		char number[32];

		request.id = ids[i];
		request.parameter = ASK_SUPERBLOCK;
		b = try_call(trial, "statmount", __NR_statmount, &request, &answer, sizeof(answer), 0);
		if (!attempt_worked(b) || !answer.device_major)
			continue;
		format_text(number, sizeof(number), "%u:%u", answer.device_major,
			    answer.device_minor);
		found_device(&search, number);
	}
	if (attempt_worked(a) && !search.found)
		a = found_nothing(b);
	/* Only mounts that our root does not lead to need the capability; the filter needs none. */
	settle(trial, MOUNT_CALLS, a, .capability = a.reached ? NEEDS_CAP(CAP_SYS_ADMIN) : 0);
}

static void attempt(struct trial *trial)
{
	look_at_size(trial, ROOT);
	look_at_size(trial, WORKING);
	look_at_source(trial, MOUNTINFO);
	call_for_mounts(trial);
	look_at_source(trial, PARTITIONS);
	look_at_source(trial, BLOCK_DEVICES);
}

const struct scenario scenario_system_storage = {
	.about = ABOUT(
		.title = "Read disks and mounts",
		.accessed = "Code in the sandbox can tell the size of a file system, or the "
			    "device behind one, that is not its own scratch space.",
		.denied = "Code in the sandbox can tell neither size nor device of any file "
			  "system but its own scratch space.",
		.why = "Mounts and devices show how the host is laid out and where data of others "
		       "lies.",
		.see = "T1082",
		.paper = "Storage",
		.ours = true,
		.open = "B",
		.closed = "S(statfs,fstatfs,statmount,listmount) -proc",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.keep = KEEP_CWD,
	.fix = FIX(MASK),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
