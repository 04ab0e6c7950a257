/* SPDX-License-Identifier: MIT */
/*
 * K5, computed discretionary access control: what owner, mode, ids and capabilities say of an
 * object, without asking the kernel for the access itself. It serves to tell this layer from the
 * others: what K5 permits and the kernel refuses was refused by somebody else. Where an access
 * control list or an unmapped id makes the answer unsure, it says so.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/attempts.h"
#include "probe/identity.h"
#include "probe/raw.h"
#include "probe/text.h"
#include "probe/trial.h"

enum { MAY_EXECUTE = 1, MAY_WRITE = 2, MAY_READ = 4 };

/* A capability counts over an object only if its owner and group are mapped here. */
static bool capable_over(struct trial *trial, const char *path, const struct object *object,
			 int capability, enum mapping mapping)
{
	return has_capability(capability) && owner_mapping(trial, path, object) == mapping;
}

/*
 * Owner, or FOWNER over it? In a user namespace the overflow id stands for every unmapped owner
 * and may be our own id too; then only the kernel knows: open(O_NOATIME) asks exactly this.
 */
static enum dac owns(struct trial *trial, const char *path, const struct object *object)
{
	struct attempt a;

	if (capable_over(trial, path, object, CAP_FOWNER, OWNER_MAPPED))
		return DAC_PERMITS;
	if (capable_over(trial, path, object, CAP_FOWNER, OWNER_NOT_TOLD))
		return DAC_NOT_TOLD;
	if (object->uid != origin()->euid)
		return DAC_REFUSES;
	if (object->uid != OVERFLOW_ID || !overflow_is_ambiguous(trial))
		return DAC_PERMITS;
	if (S_ISLNK(object->mode))
		return DAC_NOT_TOLD;
	a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOATIME);
	close_fd((int)a.value);
	if (attempt_worked(a))
		return DAC_PERMITS;
	return a.error == EPERM ? DAC_REFUSES : DAC_NOT_TOLD;
}

static bool overridden(struct trial *trial, const char *path, const struct object *object,
		       unsigned may, enum mapping mapping)
{
	bool folder = S_ISDIR(object->mode);

	if (capable_over(trial, path, object, CAP_DAC_OVERRIDE, mapping))
		return !(may & MAY_EXECUTE) || folder || (object->mode & 0111);
	return !(may & MAY_WRITE) && (folder || !(may & MAY_EXECUTE)) &&
	       capable_over(trial, path, object, CAP_DAC_READ_SEARCH, mapping);
}

/* An access control list changes what the mode says for all but the owner. */
static bool has_access_list(struct trial *trial, const char *path)
{
	return attempt_worked(try_call(trial, "getxattr", __NR_getxattr, path,
				       "system.posix_acl_access", NULL, 0));
}

/* test_perm() of fs/proc/proc_sysctl.c: the mode alone decides over settings. */
static bool is_setting(struct trial *trial, const char *path)
{
	struct mount_facts mount;

	return starts_with(path, "/proc/sys/") && ask_mount(trial, path, &mount) &&
	       mount.type == PROC_SUPER_MAGIC;
}

static enum dac mode_says(struct trial *trial, const char *path, const struct object *object,
			  unsigned may)
{
	unsigned bits = object->mode & 7;
	enum dac owner = DAC_REFUSES;

	if (overridden(trial, path, object, may, OWNER_MAPPED) && !is_setting(trial, path))
		return DAC_PERMITS;
	/* net_ctl_permissions(): who administrates the network counts as its owner. */
	if (has_capability(CAP_NET_ADMIN) && starts_with(path, "/proc/sys/net/"))
		return DAC_NOT_TOLD;
	if (object->uid == origin()->euid) {
		owner = owns(trial, path, object);
		if (owner == DAC_NOT_TOLD)
			return DAC_NOT_TOLD;
	}
	if (owner == DAC_PERMITS)
		bits = object->mode >> 6 & 7;
	else if (is_own_group(object->gid))
		bits = object->mode >> 3 & 7;
	/* Ours or anybody's: where the two differ it cannot be told. */
	if (owner != DAC_PERMITS && is_own_group(object->gid) && object->gid == OVERFLOW_ID &&
	    overflow_is_ambiguous(trial) && ((object->mode >> 3 ^ object->mode) & may))
		return DAC_NOT_TOLD;
	/* The group bits are the list's mask: without the right in group or other, none gives it. */
	if (owner != DAC_PERMITS && (((object->mode >> 3 | object->mode) & may) == may) &&
	    has_access_list(trial, path))
		return DAC_NOT_TOLD;
	if ((bits & may) == may)
		return DAC_PERMITS;
	return overridden(trial, path, object, may, OWNER_NOT_TOLD) && !is_setting(trial, path)
		       ? DAC_NOT_TOLD
		       : DAC_REFUSES;
}

/* The folder that holds the path, into `buffer`. */
void parent_folder(const char *path, char *buffer, size_t size)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n > 0 && path[n - 1] != '/')
		n--;
	while (n > 1 && path[n - 1] == '/')
		n--;
	if (n == 0)
		format_text(buffer, size, "%s", ".");
	else if (n < size) {
		memcpy(buffer, path, n);
		buffer[n] = '\0';
	} else
		buffer[0] = '\0';
}

/* Search permission on every folder above the object. */
static enum dac may_reach(struct trial *trial, const char *path)
{
	char prefix[1024];
	struct object start;
	size_t n = strlen(path);

	if (n >= sizeof prefix)
		return DAC_NOT_TOLD;
	/* Not even "." is found in a working folder that may not be searched. */
	if (path[0] != '/' && attempt_worked(try_stat(trial, AT_FDCWD, "", AT_EMPTY_PATH, &start)) &&
	    S_ISDIR(start.mode) &&
	    mode_says(trial, ".", &start, MAY_EXECUTE) == DAC_REFUSES)
		return DAC_REFUSES;
	for (size_t i = 1; i <= n; i++) {
		struct object folder;
		enum dac says;

		if (path[i] != '/' && !(i == 1 && path[0] == '/'))
			continue;
		memcpy(prefix, path, i);
		prefix[i] = '\0';
		if (!attempt_worked(try_stat(trial, AT_FDCWD, prefix, 0, &folder)))
			return DAC_NOT_TOLD;
		if (!S_ISDIR(folder.mode))
			return DAC_NOT_TOLD;
		says = mode_says(trial, prefix, &folder, MAY_EXECUTE);
		if (says != DAC_PERMITS)
			return says;
	}
	return DAC_PERMITS;
}

static enum dac may_remove(struct trial *trial, const char *path, const struct object *object)
{
	char parent[1024];
	struct object folder;
	enum dac says;

	parent_folder(path, parent, sizeof parent);
	if (!attempt_worked(try_stat(trial, AT_FDCWD, parent, 0, &folder)))
		return DAC_NOT_TOLD;
	says = mode_says(trial, parent, &folder, MAY_WRITE | MAY_EXECUTE);
	if (says != DAC_PERMITS || !(folder.mode & S_ISVTX))
		return says;
	/* The sticky bit: the file's owner, FOWNER over the file, or the folder's owner. */
	says = owns(trial, path, object);
	if (says != DAC_PERMITS && folder.uid == origin()->euid &&
	    owns(trial, parent, &folder) == DAC_PERMITS)
		return DAC_PERMITS;
	return says;
}

static enum dac stricter(enum dac a, enum dac b)
{
	if (a == DAC_REFUSES || b == DAC_REFUSES)
		return DAC_REFUSES;
	return a == DAC_NOT_TOLD || b == DAC_NOT_TOLD ? DAC_NOT_TOLD : DAC_PERMITS;
}

enum dac ask_dac(struct trial *trial, const char *path, unsigned rights)
{
	enum dac says = may_reach(trial, path);
	struct object object, link;
	unsigned may = (rights & RIGHT_READ ? MAY_READ : 0) |
		       (rights & (RIGHT_WRITE | RIGHT_CONNECT) ? MAY_WRITE : 0) |
		       (rights & RIGHT_EXECUTE ? MAY_EXECUTE : 0) |
		       (rights & RIGHT_ENTRY ? MAY_WRITE | MAY_EXECUTE : 0);

	if (says == DAC_REFUSES || rights == RIGHT_STAT)
		return says;
	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)))
		return DAC_NOT_TOLD;
	if (may)
		says = stricter(says, mode_says(trial, path, &object, may));
	if (rights & RIGHT_OWNER)
		says = stricter(says, owns(trial, path, &object));
	if (rights & RIGHT_REMOVE) {
		/* The name is removed, not what a link leads to. */
		if (!attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &link)))
			return DAC_NOT_TOLD;
		says = stricter(says, may_remove(trial, path, &link));
	}
	return says;
}
