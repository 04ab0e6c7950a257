/* SPDX-License-Identifier: MIT */
/*
 * The mounts by listmount(2) and statmount(2), Linux 6.8, for where /proc does not tell them: the
 * same lines as mount_lines.c reads.
 */
#include "probe/mount_calls.h"

#include <errno.h>

#include "probe/abi.h"
#include "probe/text.h"

#define FROM_OUR_ROOT UINT64_MAX /* LSMT_ROOT */
enum { IDS = 64, IDS_AT_MOST = 8192, SB_RDONLY = 1 };
/* What is asked for: device, mount, root, point, type, options, subtype, source. */
enum { WANTED = 0x1 | 0x2 | 0x8 | 0x10 | 0x20 | 0x80 | 0x100 | 0x200, NEEDED = 0x3b };

/* struct mnt_id_req in its first form; struct statmount, whose texts are offsets into `text`. */
struct mount_request {
	uint32_t size, spare;
	uint64_t id, parameter;
};
struct mount_answer {
	uint32_t size, options;
	uint64_t mask;
	uint32_t major, minor;
	uint64_t magic;
	uint32_t super_flags, type;
	uint64_t id, parent;
	uint32_t old_id, old_parent;
	uint64_t attributes, propagation, shared, master, from;
	uint32_t root, point;
	uint64_t namespace;
	uint32_t subtype, source;
	uint32_t later[96];
	char text[4096];
};
_Static_assert(offsetof(struct mount_answer, text) == 512, "as the kernel has it");

static const char *text_of(const struct mount_answer *answer, unsigned bit, uint32_t offset)
{
	return (answer->mask & bit) && offset < sizeof answer->text ? answer->text + offset : "";
}

static void name_attributes(uint64_t attributes, char *text, size_t size)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} known[] = { { 2, ",nosuid" },
		      { 4, ",nodev" },
		      { 8, ",noexec" },
		      { 0x200000, ",nosymfollow" } };
	size_t used = add_text(text, size, 0, attributes & 1 ? "ro" : "rw");

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (attributes & known[i].bit)
			used = add_text(text, size, used, known[i].name);
}

static bool tell(struct mount_answer *answer, bool (*each)(void *, const struct mount_line *),
		 void *context)
{
	char options[64], type[64], super_options[1024];
	const char *subtype = text_of(answer, 0x100, answer->subtype);

	answer->text[sizeof answer->text - 1] = '\0';
	name_attributes(answer->attributes, options, sizeof options);
	format_text(type, sizeof type, "%s%s%s", text_of(answer, 0x20, answer->type),
		    *subtype ? "." : "", subtype);
	format_text(super_options, sizeof super_options, "%s,%s",
		    answer->super_flags & SB_RDONLY ? "ro" : "rw",
		    text_of(answer, 0x80, answer->options));
	return each(context, &(const struct mount_line){
		.id = (int)answer->old_id,
		.parent = (int)answer->old_parent,
		.major = answer->major,
		.minor = answer->minor,
		.root = text_of(answer, 0x8, answer->root),
		.point = text_of(answer, 0x10, answer->point),
		.options = options,
		.type = type,
		.source = text_of(answer, 0x200, answer->source),
		.super_options = super_options,
		.shared = (int)answer->shared,
		.master = (int)answer->master,
	});
}

struct attempt each_mount_by_calls(struct trial *trial,
				   bool (*each)(void *context, const struct mount_line *mount),
				   void *context)
{
	struct mount_request request = { .size = sizeof request };
	struct mount_answer answer;
	uint64_t ids[IDS], last = 0;
	struct attempt list, told;
	long total = 0;

	do {
		request.id = FROM_OUR_ROOT;
		request.parameter = last;
		list = try_call(trial, "listmount", __NR_listmount, &request, ids, IDS, 0);
		for (long i = 0; i < list.value; i++) {
			request.id = last = ids[i];
			request.parameter = WANTED;
			told = try_call(trial, "statmount", __NR_statmount, &request, &answer,
					sizeof answer, 0);
			if (!attempt_worked(told))
				return told;
			if ((answer.mask & NEEDED) != NEEDED)
				list.error = EBADMSG;
			else if (!tell(&answer, each, context))
				return told;
		}
		total += list.value;
	} while (list.value == IDS && total < IDS_AT_MOST);
	if (attempt_worked(list))
		list.value = list.error || total == IDS_AT_MOST ? -1 : total;
	return list;
}
