/* SPDX-License-Identifier: MIT */
/*
 * The right to change modes and owners. It is really used on a nameless file of our own only; for
 * foreign objects it follows from what the kernel asks: owner or capability over mapped ids (K5),
 * a writable mount (K6), no immutable flag, and a filter that lets the call through (K1).
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/stat.h>
#include <sys/stat.h>

#include "probe/abi.h"
#include "probe/identity.h"
#include "probe/trial.h"

#define READ_ONLY_MOUNT 1 /* ST_RDONLY */

/* The object itself would refuse: by its mount, or by a flag that binds even its owner. */
static struct attempt ask_object(struct trial *trial, const char *path, const struct object *object)
{
	uint64_t bound = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;
	struct attempt a = found_in_process(true);
	struct mount_facts mount;

	bool known = ask_mount(trial, path, &mount);

	if (known && (mount.flags & READ_ONLY_MOUNT))
		a = (struct attempt){ .value = -1, .error = EROFS, .nr = -1, .reached = true };
	else if (!known || !mount.flags_told)
		a = (struct attempt){ .value = -1, .error = ECANCELED, .nr = -1, .reached = true };
	else if (object->attributes & object->attributes_mask & bound)
		a = (struct attempt){ .value = -1, .error = EPERM, .nr = -1, .reached = true };
	return a;
}

/* ---------------------------------------------------------------- modes */

/* An access control list that says what a mode says: owner, group and others alike. */
static struct attempt try_access_list(struct trial *trial, int fd, uint16_t permissions)
{
	const struct {
		uint32_t version;
		struct {
			uint16_t tag, permissions;
			uint32_t id;
		} entries[3]; /* user, group, others */
	} list = { 2,
		   { { 1, permissions, UINT32_MAX },
		     { 4, permissions, UINT32_MAX },
		     { 0x20, permissions, UINT32_MAX } } };

	return try_call_as(trial, "fpppv", "fsetxattr", __NR_fsetxattr, fd, "system.posix_acl_access", &list,
			sizeof list, 0);
}

/* What was done to our own marker. */
struct mode_right {
	bool stored;
	struct attempt by_mode, by_list;
};

static struct mode_right try_mode_right(struct trial *trial, bool widen)
{
	mode_t wanted = widen ? 0666 : 0;
	struct mode_right right = { .by_mode = found_in_process(false) };
	struct attempt store = try_store(trial);
	int fd = (int)store.value;
	struct object object;

	right.stored = attempt_worked(store);
	if (!right.stored)
		return right;
	right.by_mode = try_chmod(trial, fd, NULL, wanted);
	if (attempt_worked(right.by_mode) &&
	    attempt_worked(try_stat(trial, fd, "", AT_EMPTY_PATH, &object)) &&
	    (object.mode & 0777) != wanted)
		right.by_mode = found_nothing(right.by_mode);
	right.by_list = try_access_list(trial, fd, widen ? 6 : 0);
	close_fd(fd);
	note_flag(trial, WHOLE, "own_marker", attempt_worked(right.by_mode));
	note_flag(trial, WHOLE, "access_list", attempt_worked(right.by_list));
	return right;
}

/* K1: would the filter let through any form with this very mode? Nothing is called. */
static struct attempt ask_mode_call(struct trial *trial, mode_t mode)
{
	const struct question questions[] = {
		{ __NR_fchmodat, { (unsigned long)AT_FDCWD, 0, mode } },
		{ __NR_fchmod, { (unsigned long)-1, mode } },
		{ __NR_fchmodat2, { (unsigned long)AT_FDCWD, 0, mode, 0 } },
#ifdef __NR_chmod
		{ __NR_chmod, { 0, mode } },
#endif
	};
	struct attempt a = { .value = -1, .nr = __NR_fchmodat, .call = "fchmodat" };

	for (unsigned i = 0; i < sizeof questions / sizeof *questions; i++) {
		int error = EPERM;

		if (!filter_refuses(ask_filter(trial, questions[i].nr, questions[i].args, &error)))
			return found_in_process(true);
		if (!a.error)
			a.error = error;
	}
	return a;
}

/* A file system that keeps access lists answers that there is none. */
static bool keeps_access_lists(struct trial *trial, const char *path)
{
	struct attempt a = try_call(trial, "getxattr", __NR_getxattr, path,
				    "system.posix_acl_access", NULL, 0);

	return attempt_worked(a) || (a.reached && a.error == ENODATA);
}

/* The calls alone, whatever the object says: by mode, or by an access list that says the same. */
static struct attempt try_mode_calls(struct trial *trial, const char *path, mode_t mode,
				     const struct mode_right *right)
{
	struct attempt by_mode = attempt_worked(right->by_mode) || !right->stored
					 ? ask_mode_call(trial, mode)
					 : right->by_mode;

	if (!attempt_worked(by_mode) && attempt_worked(right->by_list) &&
	    keeps_access_lists(trial, path))
		return right->by_list;
	/* Without a marker of our own the call was never really made. */
	if (attempt_worked(by_mode) && !right->stored)
		by_mode = (struct attempt){
			.value = -1, .error = ECANCELED, .nr = -1, .reached = true
		};
	return by_mode;
}

/* The object alone: its mount and flags, and its owner. */
static struct attempt ask_owned(struct trial *trial, const char *path, const struct object *object)
{
	struct attempt a = ask_object(trial, path, object);

	if (!attempt_worked(a))
		return a;
	switch (ask_dac(trial, path, RIGHT_OWNER)) {
	case DAC_REFUSES:
		return (struct attempt){ .value = -1, .error = EPERM, .nr = -1, .reached = true };
	case DAC_NOT_TOLD:
		return (struct attempt){
			.value = -1, .error = ECANCELED, .nr = -1, .reached = true
		};
	case DAC_PERMITS:
		break;
	}
	return a;
}

void settle_modes(struct trial *trial, bool widen)
{
	struct mode_right right = try_mode_right(trial, widen);

	for (unsigned i = 0; i < trial_scenario(trial)->n_cases; i++) {
		char path[512];
		struct object object;
		struct attempt a, calls;

		if (!find_case(trial, (int)i, path, sizeof path))
			continue;
		a = try_place(trial, path, &object);
		if (settle_unseen(trial, (int)i, path, a))
			continue;
		note_flag(trial, (int)i, "proxy", true);
		calls = try_mode_calls(trial, path, widen ? (object.mode & 07777) | 022 : 0,
				       &right);
		a = ask_owned(trial, path, &object);
		if (!calls.reached) {
			settle(trial, (int)i, calls);
			if (attempt_worked(a) || a.error == ECANCELED)
				continue;
		} else if (attempt_worked(a)) {
			a = calls;
		}
		settle(trial, (int)i, a, .path = path, .right = RIGHT_OWNER,
		       .capability = origin()->euid == 0 ? NEEDS_CAP(CAP_FOWNER) : 0,
		       .id_unmapped = unmapped_refuses(trial, path, a, RIGHT_OWNER, CAP_FOWNER));
	}
}

/* ---------------------------------------------------------------- owners */

static uid_t some_other_id(struct trial *trial)
{
	const struct origin *given = origin();
	const uid_t own = given->euid, likely[] = { 0, 1, 1000, 65534, own + 1 };

	for (unsigned i = 0; i < sizeof likely / sizeof *likely; i++)
		if (likely[i] != own && likely[i] != given->uid && likely[i] != given->suid &&
		    uid_is_mapped(trial, likely[i], NULL))
			return likely[i];
	return own + 1;
}

struct chown_right try_chown_right(struct trial *trial, uid_t to)
{
	struct chown_right right = { .to = to == ANY_OTHER_ID ? some_other_id(trial) : to };
	struct attempt store = try_store(trial), twin;
	int fd = (int)store.value;
	struct object object;

	if (!attempt_worked(store))
		return right;
	right.held = true;
	/* K2: to ourselves, which an owner may always do. EINVAL then speaks of the id alone. */
	twin = try_chown(trial, fd, origin()->euid, (gid_t)-1);
	right.given = try_chown(trial, fd, right.to, (gid_t)-1);
	if (attempt_worked(right.given) &&
	    attempt_worked(try_stat(trial, fd, "", AT_EMPTY_PATH, &object)) &&
	    object.uid != right.to)
		right.given = found_nothing(right.given);
	right.unmapped = !attempt_worked(right.given) &&
			 ((attempt_worked(twin) && right.given.error == EINVAL) ||
			  !uid_is_mapped(trial, right.to, NULL));
	if (attempt_worked(right.given) && right.to != origin()->euid)
		note_flag(trial, WHOLE, "taken_back",
			  attempt_worked(try_chown(trial, fd, origin()->euid, (gid_t)-1)));
	close_fd(fd);
	return right;
}

/* Ours already? The overflow id may stand for somebody else's: then only the kernel knows. */
static bool is_ours(struct trial *trial, const char *path, const struct object *object)
{
	if (object->uid != origin()->euid)
		return false;
	return object->uid != OVERFLOW_ID || !in_user_namespace(trial) ||
	       ask_dac(trial, path, RIGHT_OWNER) == DAC_PERMITS;
}

void settle_owner(struct trial *trial, int case_index, const char *path, uid_t to,
		  const struct chown_right *right)
{
	struct object object;
	struct attempt a = try_place(trial, path, &object), refused;
	enum mapping mapping;

	if (settle_unseen(trial, case_index, path, a))
		return;
	note_flag(trial, case_index, "proxy", true);
	mapping = owner_mapping(trial, path, &object);
	a = ask_object(trial, path, &object);
	if (to == origin()->euid && is_ours(trial, path, &object))
		note_flag(trial, case_index, "owned_already", true);
	else if (!right->held) {
		settle_unknown(trial, case_index, REASON_SETUP_FAILED);
	} else if (!attempt_worked(right->given) || mapping == OWNER_UNMAPPED) {
		refused = right->given;
		if (attempt_worked(refused))
			refused = (struct attempt){
				.value = -1, .error = EPERM, .nr = -1, .reached = true
			};
		settle(trial, case_index, refused, .capability = NEEDS_CAP(CAP_CHOWN),
		       .id_unmapped = right->unmapped || mapping == OWNER_UNMAPPED);
		if (attempt_worked(a))
			return;
	} else if (mapping == OWNER_NOT_TOLD && attempt_worked(a)) {
		a.value = -1;
		a.error = ECANCELED;
	}
	settle(trial, case_index, a, .path = path, .right = RIGHT_ALTER);
}
