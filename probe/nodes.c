/* SPDX-License-Identifier: MIT */
/*
 * Device nodes: which there are, and whether one may be opened. To open a node calls its driver,
 * and may load it, so that comes last: the access check answers for owner, mode and the control
 * group's device rules (devcgroup_inode_permission() is part of it, and alone says EPERM), the
 * mount for nodev, and only a driver that is there is ever called. Nothing is read from it.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "probe/abi.h"
#include "probe/attempts.h"
#include "probe/lsm.h"
#include "probe/trial.h"

#define NODES_AT_MOST 4096
#define DEPTH 5    /* /dev/bus/usb/001/001 */
#define READABLE 4 /* R_OK */
#define NODEV 4    /* ST_NODEV */
#define QUIETLY (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define MEMORY 1 /* majors */
#define MISC 10

/* ---------------------------------------------------------------- which there are */

struct node_search {
	struct trial *trial;
	bool (*each)(void *context, const struct node *node);
	void *context;
	bool unseen;
};

struct node node_at(const char *path, const struct object *object)
{
	return (struct node){
		.path = path,
		.is_block = S_ISBLK(object->mode),
		.major = (unsigned)(object->rdev >> 8 & 0xfff),
		.minor = (unsigned)((object->rdev & 0xff) | (object->rdev >> 12 & 0xfff00)),
	};
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	static const char *const others[] = { "pts", "shm", "mqueue", "hugepages" };
	struct node_search *search = context;
	struct object object;
	struct node node;
	struct attempt a;

	for (unsigned i = 0; entry->depth == 1 && i < sizeof others / sizeof *others; i++)
		if (strcmp(entry->name, others[i]) == 0)
			return SEARCH_PASS;
	/* A node that is mounted is listed as the plain file that it covers. */
	if (entry->type == DT_DIR || entry->type == DT_LNK)
		return SEARCH_ON;
	a = try_stat(search->trial, AT_FDCWD, entry->path, AT_SYMLINK_NOFOLLOW, &object);
	if (!attempt_worked(a)) {
		search->unseen |= a.error != ENOENT;
		return SEARCH_ON;
	}
	if (!S_ISCHR(object.mode) && !S_ISBLK(object.mode))
		return SEARCH_ON;
	node = node_at(entry->path, &object);
	return search->each(search->context, &node) ? SEARCH_ON : SEARCH_STOP;
}

struct attempt each_node(struct trial *trial, bool (*each)(void *context, const struct node *node),
			 void *context, bool *ret_all)
{
	struct node_search nodes = { .trial = trial, .each = each, .context = context };
	struct folder_search search = { .trial = trial,
					.depth = DEPTH,
					.at_most = NODES_AT_MOST,
					.each = take_entry,
					.context = &nodes };
	struct attempt a = search_folder(&search, "/dev");

	*ret_all = attempt_worked(a) && !search.cut && !search.unlisted && !nodes.unseen;
	return a;
}

/* ---------------------------------------------------------------- is its driver there? */

enum driver { DRIVER_NOT_TOLD, DRIVER_LOADED, DRIVER_MISSING };

struct number_search {
	unsigned fields, numbers[2]; /* one or two at the line's beginning */
	bool found, any;
};

static bool take_number(void *context, char *line)
{
	struct number_search *search = context;
	char field[16], wanted[16];
	bool same = true;

	for (unsigned i = 0; i < search->fields; i++) {
		format_text(wanted, sizeof wanted, "%u", search->numbers[i]);
		same = same && line_field(line, i, field, sizeof field) &&
		       strcmp(field, wanted) == 0;
	}
	search->any = true;
	search->found |= same;
	return !search->found;
}

static enum driver in_list(struct trial *trial, const char *path, struct number_search search)
{
	struct attempt a = try_lines(trial, path, take_number, &search);

	if (search.found)
		return DRIVER_LOADED;
	return attempt_worked(a) && search.any ? DRIVER_MISSING : DRIVER_NOT_TOLD;
}

static enum driver driver_of(struct trial *trial, const struct node *node)
{
	const char *list = node->is_block ? "/sys/dev/block" : "/sys/dev/char";
	char path[64];
	struct object object;

	/* Memory's is part of the kernel. */
	if ((!node->is_block && node->major == MEMORY) || kernel_is_emulated(trial))
		return DRIVER_LOADED;
	format_text(path, sizeof path, "%s/%u:%u", list, node->major, node->minor);
	if (attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)))
		return DRIVER_LOADED;
	if (node->is_block)
		return in_list(trial, "/proc/diskstats",
			       (struct number_search){ 2, { node->major, node->minor }, 0, 0 });
	if (node->major == MISC)
		return in_list(trial, "/proc/misc",
			       (struct number_search){ 1, { node->minor, 0 }, 0, 0 });
	return DRIVER_NOT_TOLD;
}

/* ---------------------------------------------------------------- may it be opened? */

/* Without the forms that would wait for a device, or for what is to be put into it. */
struct attempt try_node(struct trial *trial, const char *path)
{
	const struct {
		uint64_t flags, mode, resolve;
	} request = { .flags = QUIETLY };
	const struct form forms[] = {
		FORM("openat2", __NR_openat2, "dppv", AT_FDCWD, path, &request, sizeof request),
		FORM("openat", __NR_openat, "dpvv", AT_FDCWD, path, QUIETLY, 0),
#ifdef __NR_open
		FORM("open", __NR_open, "pvv", path, QUIETLY, 0),
#endif
	};
	struct attempt a = try_forms(trial, forms, sizeof forms / sizeof *forms);

	close_fd((int)a.value);
	return a;
}

/* The access check let it pass, so this EPERM is the driver's own. */
static void settle_driver(struct trial *trial, int case_index, const char *path, struct attempt a,
			  int capability)
{
	int64_t restricted = 0;

	if (capability == NODE_NEEDS_SYSLOG)
		read_setting(trial, "kernel.dmesg_restrict", &restricted);
	settle(trial, case_index, a, .path = path, .right = RIGHT_READ, .capability = capability,
	       .sysctl = restricted ? "kernel.dmesg_restrict" : NULL,
	       .module = capability == NODE_NEEDS_RAWIO && is_locked_down(trial) ? "lockdown" : NULL);
}

static void settle_refused(struct trial *trial, int case_index, const char *path, struct attempt a,
			   bool by_group)
{
	settle(trial, case_index, a, .path = path, .right = RIGHT_READ, .device = true,
	       .cgroup = by_group);
}

/* The access check says yes, and is all that is asked. */
static void settle_by_proxy(struct trial *trial, int case_index, struct attempt asked)
{
	note_flag(trial, case_index, "proxy", true);
	/* Modules that judge paths are asked by an open alone. */
	if (!asked.reached || (!trial_is_outside(trial) && lsm_may_confine()))
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
	else
		settle(trial, case_index, asked);
}

static void settle_by_open(struct trial *trial, int case_index, const char *path,
			   const struct node *node, int capability)
{
	enum driver driver = driver_of(trial, node);
	struct attempt a;

	if (driver == DRIVER_NOT_TOLD) {
		note_text(trial, case_index, "not_visible",
			  node->is_block ? "/proc/diskstats" : "/proc/misc");
		settle_unknown(trial, case_index, REASON_NO_VIEW);
		return;
	}
	if (driver == DRIVER_MISSING) {
		/* To open it would load one. */
		note_text(trial, case_index, "not_opened", "its driver is not loaded");
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
		return;
	}
	a = try_node(trial, path);
	/* So says a driver, of a device that is in use or has nothing in it. */
	if (a.reached && (a.error == EBUSY || a.error == ENOMEDIUM)) {
		a.value = 0;
		a.error = 0;
	}
	if (a.reached && a.error == EPERM)
		settle_driver(trial, case_index, path, a, capability);
	else
		settle_refused(trial, case_index, path, a, false);
}

bool settle_node(struct trial *trial, int case_index, const char *path, enum node_way way,
		 int capability)
{
	struct object object;
	struct mount_facts mount = { 0 };
	struct attempt a = try_stat(trial, AT_FDCWD, path, 0, &object), asked;
	struct node node;

	if (settle_unseen(trial, case_index, path, a))
		return false;
	node = node_at(path, &object);
	/* A null device or an ordinary file stands where the real one would. */
	if ((!S_ISCHR(object.mode) && !S_ISBLK(object.mode)) ||
	    (!node.is_block && node.major == MEMORY && node.minor == 3)) {
		settle(trial, case_index, found_nothing(a), .path = path);
		return false;
	}
	asked = try_access(trial, path, READABLE);
	if (asked.reached && !attempt_worked(asked))
		settle_refused(trial, case_index, path, asked, asked.error == EPERM);
	else if (ask_mount(trial, path, &mount) && (mount.flags & NODEV))
		/* The kernel refuses before it looks for a driver. */
		settle_refused(trial, case_index, path, try_node(trial, path), false);
	else if (way == NODE_LOOK || (way == NODE_OPEN && trial_is_outside(trial)))
		settle_by_proxy(trial, case_index, asked);
	else
		settle_by_open(trial, case_index, path, &node, capability);
	return record_part(trial->record, case_index)->status == STATUS_ACCESSED;
}
