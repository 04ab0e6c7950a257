/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that the sandbox was started with beyond input, output and errors: each is a door
 * that stands open whatever the sandbox's mounts and modes say. What they are is told by the
 * numbers recorded at the start; nothing is read from them, and no folder is left through them.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { FILE_, FOLDER, UNKNOWN_MOUNT, SOCKET, PIPE, DEVICE, OTHER, KINDS };

static const struct case_def cases[] = {
	[FILE_] = { "file", NULL, 0, 0, 0 },
	[FOLDER] = { "folder", NULL, 0, 0, 0 },
	[UNKNOWN_MOUNT] = { "folder-on-unknown-mount", NULL, SEVERITY_CRITICAL, 0, 0 },
	[SOCKET] = { "socket", NULL, 0, 0, 0 },
	[PIPE] = { "pipe", NULL, 0, 0, 0 },
	[DEVICE] = { "device", NULL, 0, 0, 0 },
	[OTHER] = { "other", NULL, 0, 0, 0 },
};

enum { KEPT = 64, NUMBERS_RECORDED = 4096 };

struct descriptor {
	int fd, kind;
	uint64_t mount_id;
	bool mount_known;
};

struct descriptors {
	struct trial *trial;
	unsigned n;
	bool mounts_told;
	struct descriptor list[KEPT];
};

/* ---------------------------------------------------------------- what they are */

static int kind_of(const struct object *object)
{
	switch (object->mode & S_IFMT) {
	case S_IFREG:
		return FILE_;
	case S_IFDIR:
		return FOLDER;
	case S_IFSOCK:
		return SOCKET;
	case S_IFIFO:
		return PIPE;
	case S_IFCHR:
	case S_IFBLK:
		return DEVICE;
	default:
		return OTHER; /* epoll, events, processes … */
	}
}

static void take_number(struct descriptors *all, int fd)
{
	struct descriptor *one = &all->list[all->n];
	struct object object;
	struct attempt a;

	if (all->n == KEPT)
		return;
	a = try_stat(all->trial, fd, "", AT_EMPTY_PATH, &object);
	if (a.reached && a.error == EBADF)
		return;
	*one = (struct descriptor){ .fd = fd, .kind = attempt_worked(a) ? kind_of(&object) : OTHER,
				    .mount_id = object.mount_id };
	all->n++;
}

/* The record ends at a number; /proc knows those beyond, and the probe has none so high. */
static bool take_entry(void *context, const char *name, unsigned char type)
{
	uint64_t fd;

	(void)type;
	if (read_number(name, &fd) && fd >= NUMBERS_RECORDED)
		take_number(context, (int)fd);
	return true;
}

/* A mount that our own list does not have belongs to another mount namespace, or to none. */
static bool take_mount(void *context, const struct mount_line *mount)
{
	struct descriptors *all = context;

	for (unsigned i = 0; i < all->n; i++)
		if (all->list[i].mount_id == (uint64_t)mount->id)
			all->list[i].mount_known = true;
	return true;
}

static bool any_folder(const struct descriptors *all)
{
	for (unsigned i = 0; i < all->n; i++)
		if (all->list[i].kind == FOLDER)
			return true;
	return false;
}

/* ---------------------------------------------------------------- how they are told */

static const char *access_of(struct trial *trial, int fd)
{
	static const char *const words[] = { "read-only", "write-only", "read-write", "no access" };
	struct attempt a = try_call_as(trial, "fv", "fcntl", __NR_fcntl, fd, F_GETFL);

	if (!attempt_worked(a))
		return "access not told";
	return a.value & O_PATH ? "location only" : words[a.value & O_ACCMODE];
}

static const char *family_of(struct trial *trial, int fd)
{
	static const struct {
		int number;
		const char *name;
	} families[] = { { AF_UNIX, "unix" }, { AF_INET, "inet" }, { AF_INET6, "inet6" },
			 { AF_NETLINK, "netlink" }, { AF_PACKET, "packet" }, { 40, "vsock" } };
	int family = -1;
	socklen_t size = sizeof family;

	try_call_as(trial, "fvvpp", "getsockopt", __NR_getsockopt, fd, SOL_SOCKET, SO_DOMAIN,
		    &family, &size);
	for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
		if (families[i].number == family)
			return families[i].name;
	return "family not told";
}

static bool has_peer(struct trial *trial, int fd)
{
	char address[128];
	socklen_t size = sizeof address;

	return attempt_worked(try_call_as(trial, "fpp", "getpeername", __NR_getpeername, fd,
					  address, &size));
}

/* "9: read-only", "7: read-write, unix, connected" */
static void report(struct descriptors *all, const struct descriptor *one)
{
	struct trial *trial = all->trial;
	bool on_mount = one->kind == FILE_ || one->kind == FOLDER;
	const char *more = !on_mount ? "" : !all->mounts_told ? ", mount not told" :
			   one->mount_known ? "" : ", mount unknown here";
	char text[96];

	if (one->kind == SOCKET)
		format_text(text, sizeof text, "%d: %s%s", one->fd, family_of(trial, one->fd),
			    has_peer(trial, one->fd) ? ", connected" : "");
	else
		format_text(text, sizeof text, "%d: %s%s", one->fd, access_of(trial, one->fd),
			    more);
	report_object(trial, case_of(trial, one->kind)->name, text);
}

static void settle_descriptor(struct descriptors *all, const struct descriptor *one)
{
	int kind = one->kind;

	if (kind == FOLDER && all->mounts_told && one->mount_id && !one->mount_known)
		kind = UNKNOWN_MOUNT;
	else if (kind == FOLDER && (!all->mounts_told || !one->mount_id))
		settle_unknown(all->trial, UNKNOWN_MOUNT, REASON_NO_VIEW);
	settle(all->trial, kind, found_in_process(true));
	report(all, one);
}

/* A terminal usually is; a file or socket is a way in for whoever should only print. */
static void note_streams(struct trial *trial)
{
	static const char *const names[] = { "input", "output", "errors" };

	for (int fd = 0; fd < 3; fd++)
		if (origin()->stdio_open[fd])
			note_text(trial, WHOLE, names[fd], access_of(trial, fd));
}

static void attempt(struct trial *trial)
{
	struct descriptors all = { .trial = trial };
	int count = origin()->descriptors;

	for (int i = 0; i < count && i < KEPT; i++)
		take_number(&all, origin()->numbers[i]);
	try_list(trial, "/proc/self/fd", take_entry, &all);
	if (any_folder(&all))
		all.mounts_told = attempt_worked(each_mount(trial, take_mount, &all));
	note_streams(trial);
	note_number(trial, WHOLE, "count", count > (int)all.n ? count : (int)all.n);
	for (unsigned i = 0; i < all.n; i++)
		settle_descriptor(&all, &all.list[i]);
	for (int kind = 0; kind < KINDS; kind++) {
		/* Where nobody says what is open, or too much is, the rest is not told. */
		if (count < 0 || count > KEPT)
			settle_unknown(trial, kind, REASON_NO_VIEW);
		else
			settle(trial, kind, found_in_process(false));
	}
}

const struct scenario scenario_secret_descriptors = {
	.about = ABOUT(
		.title = "Use descriptors that were left open",
		.accessed = "Code in the sandbox holds open descriptors beyond input, output and "
			    "errors.",
		.denied = "Code in the sandbox holds no open descriptor beyond input, output and "
			  "errors.",
		.why = "What is open stays open: modes, mounts and namespaces are asked when a "
		       "file is opened, not when it is used. A folder from outside leads to all "
		       "that lies around it.",
		.see = "CWE-403, CVE-2024-21626",
		.open = "sh -c 'exec 9<$D/w/file; exec \"$@\"' sh B",
		.closed = "sh -c 'exec 9<&-; exec \"$@\"' sh B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.keep = KEEP_DESCRIPTORS | KEEP_STDIO,
	.fix = FIX(FD),
	CASES(cases),
	.attempt = attempt,
};
