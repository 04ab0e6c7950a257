/* SPDX-License-Identifier: MIT */
/*
 * The set-user-id bit on an own, empty marker that nobody may execute, by each call that can set
 * it. The bit that is there afterwards counts, whatever the call said.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { CHMOD, FCHMOD, FCHMODAT, FCHMODAT2, OPEN_MODE, NODE_MODE };

static const struct case_def cases[] = {
	[CHMOD] = { "chmod", NULL, 0, LEVEL_TOUCH, 0 },
	[FCHMOD] = { "fchmod", NULL, 0, LEVEL_TOUCH, 0 },
	[FCHMODAT] = { "fchmodat", NULL, 0, LEVEL_TOUCH, 0 },
	[FCHMODAT2] = { "fchmodat2", NULL, 0, LEVEL_TOUCH, 0 },
	[OPEN_MODE] = { "open-mode", NULL, 0, LEVEL_TOUCH, 0 },
	[NODE_MODE] = { "mknod-mode", NULL, 0, LEVEL_TOUCH, 0 },
};

enum { PLAIN = 0600, SET_ID = S_ISUID | 0600 };

static struct attempt make_file(struct trial *trial, const char *path, mode_t mode)
{
	return try_open_at(trial, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, mode);
}

static struct attempt set_bit(struct trial *trial, int way, const char *path, int fd)
{
	switch (way) {
#ifdef __NR_chmod
	case CHMOD:
		return try_call_as(trial, "pv", "chmod", __NR_chmod, path, SET_ID);
#endif
	case FCHMOD:
		return try_call_as(trial, "fv", "fchmod", __NR_fchmod, fd, SET_ID);
	case FCHMODAT:
		return try_call_as(trial, "dpv", "fchmodat", __NR_fchmodat, AT_FDCWD, path, SET_ID);
	default:
		return try_call_as(trial, "dpvv", "fchmodat2", 452 /* Linux 6.6 */, AT_FDCWD, path,
				   SET_ID, 0);
	}
}

/* Is the bit there? A file system without it may say yes and drop it. */
static struct attempt look(struct trial *trial, const char *path, struct attempt a)
{
	struct object object;
	struct attempt seen;

	if (!attempt_worked(a))
		return a;
	seen = try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object);
	if (attempt_worked(seen) && (object.mode & S_ISUID))
		return a;
	a.value = -1;
	a.error = attempt_worked(seen) ? EOPNOTSUPP : ECANCELED;
	return a;
}

static void try_way(struct trial *trial, int way, const char *folder)
{
	char path[512];
	struct attempt a, made;

	if (!own_name(trial, folder, "", "", path, sizeof path)) {
		settle_unknown(trial, way, REASON_CONTROL_FAILED);
		return;
	}
	if (way == NODE_MODE) {
		a = try_make_node(trial, path, S_IFREG | SET_ID, 0, 0);
	} else if (way == OPEN_MODE) {
		a = make_file(trial, path, SET_ID);
		close_fd((int)a.value);
	} else {
		made = make_file(trial, path, PLAIN);
		a = attempt_worked(made) ? set_bit(trial, way, path, (int)made.value) : made;
		close_fd((int)made.value);
	}
	a = look(trial, path, a);
	drop_name(trial, path);
	settle(trial, way, a, .path = folder, .right = RIGHT_ENTRY);
}

static void attempt(struct trial *trial)
{
	const char *folder = collected_folder(trial);
	struct mount_facts mount;

	if (!folder)
		return;
	note_text(trial, WHOLE, "folder", folder);
	if (ask_mount(trial, folder, &mount) && mount.flags_told)
		note_flag(trial, WHOLE, "inert_here", mount.flags & 2 /* ST_NOSUID */);
	for (int way = CHMOD; way <= NODE_MODE; way++) {
#ifndef __NR_chmod
		if (way == CHMOD) {
			settle_unknown(trial, way, REASON_UNSUPPORTED);
			continue;
		}
#endif
		try_way(trial, way, folder);
	}
}

static const struct question asks[] = {
#ifdef __NR_chmod
	{ __NR_chmod, { 0, SET_ID } },
#endif
	{ __NR_fchmod, { (unsigned long)-1, SET_ID } },
	{ __NR_fchmodat, { (unsigned long)AT_FDCWD, 0, SET_ID } },
	{ 452, { (unsigned long)AT_FDCWD, 0, SET_ID } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFREG | SET_ID } },
#ifdef __NR_mknod
	{ __NR_mknod, { 0, S_IFREG | SET_ID } },
#endif
};

const struct scenario scenario_artefact_set_id_bit = {
	.about = ABOUT(
		.title = "Leave a file with the set-id bit",
		.accessed = "Code in the sandbox can leave a file with the set-user-id bit among "
			    "its results.",
		.denied = "Code in the sandbox cannot set the set-user-id bit on a file of its "
			  "own.",
		.why = "Where the results are unpacked or mounted with the bit kept, whoever runs "
		       "the file becomes its owner; if that is root, so does anybody.",
		.see = "T1548.001",
		.open = "B",
		.closed = "S(chmod@1&2048=2048,fchmod@1&2048=2048,fchmodat@2&2048=2048,fchmodat2@2&2048=2048,openat2,openat@3&2048=2048,open@2&2048=2048,creat@1&2048=2048,mknod@1&2048=2048,mknodat@2&2048=2048)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(OUT) | FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
