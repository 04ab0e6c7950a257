/* SPDX-License-Identifier: MIT */
/*
 * /proc/self/mountinfo, line by line: proc_pid_mountinfo(5). Its fields are separated by single
 * blanks; blanks, tabs, newlines and backslashes in them are written as a backslash and three
 * octal digits.
 */
#include <errno.h>
#include <string.h>

#include "probe/mount_calls.h"

enum { FIELDS_AT_MOST = 32 };

struct mount_reader {
	bool (*each)(void *context, const struct mount_line *mount);
	void *context;
	bool odd; /* a line was not understood */
	bool any;
};

bool has_option(const char *options, const char *word)
{
	size_t n = strlen(word);

	for (size_t length; *options; options += length + (options[length] == ',')) {
		length = strcspn(options, ",");
		if (length == n && strncmp(options, word, n) == 0)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- what a mount is */

static bool is_among(const char *type, const char *const types[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

/* As stat(2) tells it. */
static uint64_t device_of(const struct mount_line *mount)
{
	return (mount->minor & 0xff) | (uint64_t)mount->major << 8 |
	       (uint64_t)(mount->minor & ~0xffu) << 12;
}

/* File systems that are mounted here as a whole: parts of them were not handed in. */
static struct {
	bool told;
	unsigned n;
	uint64_t devices[64];
} wholes;

static bool take_whole(void *context, const struct mount_line *mount)
{
	(void)context;
	if (mount->major == 0 && strcmp(mount->root, "/") == 0)
		wholes.devices[wholes.n++] = device_of(mount);
	return wholes.n < sizeof wholes.devices / sizeof *wholes.devices;
}

static bool is_whole_here(struct trial *trial, uint64_t device)
{
	if (!wholes.told)
		each_mount(trial, take_whole, NULL);
	wholes.told = true;
	for (unsigned i = 0; i < wholes.n; i++)
		if (wholes.devices[i] == device)
			return true;
	return device == origin()->root_dev;
}

/* The host had it mounted before there was a sandbox. */
bool is_of_host(struct trial *trial, const struct mount_line *mount)
{
	char device[24];

	format_text(device, sizeof device, "%u.%u", mount->major, mount->minor);
	return is_target(trial, "mounts", device) && !trial_is_outside(trial) &&
	       namespace_sharing(trial, NAMESPACE_MNT, NULL) == SHARING_OWN &&
	       shares_kernel(trial);
}

enum mount_source mount_source(struct trial *trial, const struct mount_line *mount)
{
	static const char *const shares[] = { "9p", "virtiofs", "fuse", "nfs", "nfs4", "cifs",
					      "smb3", "ceph", "afs", "vboxsf", "prl_fs" };
	/* On disks, without a device number of one. */
	static const char *const disks[] = { "btrfs", "zfs", "bcachefs" };
	/* Each sandbox may have its own, and make its root of it. */
	static const char *const layers[] = { "tmpfs", "ramfs", "overlay", "aufs" };
	bool is_part = strcmp(mount->root, "/") != 0;

	if (is_among(mount->type, shares, sizeof shares / sizeof *shares) ||
	    starts_with(mount->type, "fuse."))
		return MOUNT_SHARE;
	if (mount->major != 0 || is_among(mount->type, disks, sizeof disks / sizeof *disks))
		return is_part || is_of_host(trial, mount) ? MOUNT_FOLDER : MOUNT_VOLUME;
	if (is_among(mount->type, layers, sizeof layers / sizeof *layers) &&
	    ((is_part && !is_whole_here(trial, device_of(mount))) || is_of_host(trial, mount)))
		return MOUNT_FOLDER;
	return MOUNT_INNER;
}

bool is_covered(struct trial *trial, const struct mount_line *mount)
{
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, mount->point, 0, &object);

	if (!attempt_worked(a))
		return a.reached && (a.error == ENOENT || a.error == ENOTDIR);
	return object.mount_id && object.mount_id != (uint64_t)mount->id;
}

/* ---------------------------------------------------------------- lines */

static bool is_octal(const char *text)
{
	for (unsigned i = 0; i < 3; i++)
		if (text[i] < '0' || text[i] > '7')
			return false;
	return true;
}

static void unescape(char *text)
{
	char *to = text;

	for (; *text; to++) {
		if (text[0] == '\\' && is_octal(text + 1)) {
			*to = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			*to = *text++;
		}
	}
	*to = '\0';
}

static unsigned split(char *line, char *fields[])
{
	unsigned n = 0;

	for (char *next; line && n < FIELDS_AT_MOST; line = next) {
		next = strchr(line, ' ');
		if (next)
			*next++ = '\0';
		fields[n++] = line;
	}
	return n;
}

static int number_after(const char *text, const char *head)
{
	return starts_with(text, head) ? (int)leading_number(text + strlen(head), NULL) : 0;
}

/* ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAG …] - TYPE SOURCE SUPER-OPTIONS */
static bool take_line(void *context, char *line)
{
	struct mount_reader *reader = context;
	char *fields[FIELDS_AT_MOST];
	unsigned n = split(line, fields), dash = 6;
	struct mount_line mount;
	const char *minor;

	reader->any = true;
	while (dash < n && strcmp(fields[dash], "-") != 0)
		dash++;
	if (dash + 3 >= n) {
		reader->odd = true;
		return true;
	}
	unescape(fields[3]);
	unescape(fields[4]);
	unescape(fields[dash + 2]);
	mount = (struct mount_line){
		.root = fields[3],
		.point = fields[4],
		.options = fields[5],
		.type = fields[dash + 1],
		.source = fields[dash + 2],
		.super_options = fields[dash + 3],
	};
	mount.id = (int)leading_number(fields[0], NULL);
	mount.parent = (int)leading_number(fields[1], NULL);
	mount.major = (unsigned)leading_number(fields[2], &minor);
	mount.minor = (unsigned)leading_number(minor + (*minor == ':'), NULL);
	for (unsigned i = 6; i < dash; i++) {
		mount.shared += number_after(fields[i], "shared:");
		mount.master += number_after(fields[i], "master:");
	}
	return reader->each(reader->context, &mount);
}

struct attempt each_mount(struct trial *trial,
			  bool (*each)(void *context, const struct mount_line *mount),
			  void *context)
{
	struct mount_reader reader = { .each = each, .context = context };
	struct attempt a = try_lines(trial, "/proc/self/mountinfo", take_line, &reader), b;

	if (!reader.any) {
		b = each_mount_by_calls(trial, each, context);
		return attempt_worked(b) ? b : found_nothing(a);
	}
	if (attempt_worked(a) && reader.odd) {
		a.value = -1;
		a.error = EBADMSG;
	}
	return a;
}
