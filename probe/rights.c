/* SPDX-License-Identifier: MIT */
#include "probe/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "probe/abi.h"
#include "probe/lsm.h"
#include "probe/identity.h"
#include "probe/raw.h"
#include "scenarios/scenario.h"

#define OVERLAY_COPY_LIMIT 65536 /* opening a larger file for writing would copy it up */
#define MOST_COPIES 16           /* what one walk may copy up; the rest is left to the checks */
#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif
#define MFD_CLOSE 1u /* MFD_CLOEXEC */
#define ANY_EXECUTE 0111u
/* An open that neither waits nor follows nor becomes our terminal. */
#define QUIETLY (O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)

static const long numbers[N_WALK_CALLS] = {
	[WALK_OPENAT2] = __NR_openat2,     [WALK_STATX] = __NR_statx,
	[WALK_FACCESSAT2] = __NR_faccessat2, [WALK_FACCESSAT] = __NR_faccessat,
	[WALK_EXECVEAT] = __NR_execveat,
};

long walk_call_number(enum walk_call call)
{
	return numbers[call];
}

static bool is_usable(const struct walk_forms *forms, enum walk_call call)
{
	return forms->usable & 1u << call;
}

/* ---------------------------------------------------------------- calls */

static long call_openat2(int dir, const char *name, uint64_t flags)
{
	struct open_how how = { .flags = flags | O_NOFOLLOW | O_CLOEXEC,
				.resolve = RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS };

	if ((flags & O_TMPFILE) == O_TMPFILE)
		how.mode = 0600;
	return raw(__NR_openat2, dir, name, &how, sizeof how);
}

long walk_open(const struct walk_forms *forms, int dir, const char *name, uint64_t flags)
{
	if (is_usable(forms, WALK_OPENAT2))
		return call_openat2(dir, name, flags);
	return raw(__NR_openat, dir, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static void read_mode(struct file_facts *facts, uint32_t mode)
{
	facts->mode = mode & 07777;
	facts->is_folder = S_ISDIR(mode);
	facts->is_plain = S_ISREG(mode);
}

static long call_statx(int dir, const char *name, struct file_facts *facts)
{
	struct statx status = { 0 };
	long error = raw(__NR_statx, dir, name,
			 AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
			 STATX_BASIC_STATS, &status);

	if (error < 0)
		return error;
	facts->dev = makedev(status.stx_dev_major, status.stx_dev_minor);
	facts->ino = status.stx_ino;
	facts->size = status.stx_size;
	facts->uid = status.stx_uid;
	facts->gid = status.stx_gid;
	read_mode(facts, status.stx_mode);
	return 0;
}

long walk_stat(const struct walk_forms *forms, int dir, const char *name, struct file_facts *facts)
{
	struct stat status = { 0 };
	long error;

	if (is_usable(forms, WALK_STATX))
		return call_statx(dir, name, facts);
	/* Mounts nothing since Linux 4.14, and emulated kernels know no flag that says so. */
	error = raw(__NR_newfstatat, dir, name, &status, AT_SYMLINK_NOFOLLOW);
	if (error < 0)
		return error;
	facts->dev = status.st_dev;
	facts->ino = status.st_ino;
	facts->size = (uint64_t)status.st_size;
	facts->uid = status.st_uid;
	facts->gid = status.st_gid;
	read_mode(facts, status.st_mode);
	return 0;
}

static long call_execute_check(int dir, const char *name)
{
	const char *arguments[] = { name, NULL }, *environment[] = { NULL };

	return raw(__NR_execveat, dir, name, arguments, environment,
		   AT_EXECVE_CHECK | AT_SYMLINK_NOFOLLOW);
}

/*
 * Only Linux 6.14 and later knows the flag; who ignores it would run the file. So it is tried on
 * a file of ours that cannot run: a script without an interpreter. Asked, the kernel looks at the
 * script alone and says yes; run, it misses the interpreter; unknown, the flag is refused.
 */
static long try_execute_check(void)
{
	static const char script[] = "#!/.sandboxeval-no-such-interpreter\n";
	const char *arguments[] = { "check", NULL }, *environment[] = { NULL };
	long error, fd = raw(__NR_memfd_create, "check", MFD_EXEC);

	if (fd < 0)
		fd = raw(__NR_memfd_create, "check", 0);
	if (fd < 0)
		return fd;
	raw(__NR_write, fd, script, sizeof script - 1);
	raw(__NR_fchmod, fd, 0700);
	error = raw(__NR_execveat, fd, "", arguments, environment, AT_EXECVE_CHECK | AT_EMPTY_PATH);
	raw(__NR_close, fd);
	return error;
}

static long try_out(enum walk_call call)
{
	struct file_facts facts;
	long value = -ENOSYS;

	switch (call) {
	case WALK_OPENAT2:
		value = call_openat2(AT_FDCWD, "/", O_PATH);
		if (value >= 0)
			raw(__NR_close, value);
		break;
	case WALK_STATX:
		value = call_statx(AT_FDCWD, "/", &facts);
		if (value >= 0 && !facts.is_folder) /* feigned */
			value = -ENOSYS;
		break;
	case WALK_FACCESSAT2:
		value = raw(__NR_faccessat2, AT_FDCWD, "/", F_OK, AT_EACCESS);
		break;
	case WALK_FACCESSAT:
		/* Asks for the real ids: no sibling when the effective ones differ. */
		value = -EPERM;
		if (origin()->uid == origin()->euid && origin()->gid == origin()->egid)
			value = raw(__NR_faccessat, AT_FDCWD, "/", F_OK);
		break;
	case WALK_EXECVEAT:
		value = try_execute_check();
		break;
	case N_WALK_CALLS:
		break;
	}
	return value;
}

void walk_forms_find(struct walk_forms *forms)
{
	forms->usable = 0;
	for (int call = 0; call < N_WALK_CALLS; call++) {
		if (forms->lethal & 1u << call)
			continue;
		forms->trying = call;
		if (try_out((enum walk_call)call) >= 0)
			forms->usable |= 1u << call;
		forms->trying = -1;
	}
}

/* ---------------------------------------------------------------- access checks */

/* What mode and ids say; blind to access control lists, hence the last resort. */
static bool is_computed(const struct file_facts *facts, unsigned mode)
{
	unsigned shift = facts->uid == origin()->euid ? 6 : is_own_group(facts->gid) ? 3 : 0;

	if (mode != X_OK && has_capability(CAP_DAC_OVERRIDE))
		return true;
	return (facts->mode >> shift & mode) == mode;
}

static bool is_permitted(const struct walk_forms *forms, int dir, const char *name,
			 const struct file_facts *facts, unsigned mode)
{
	if (is_usable(forms, WALK_FACCESSAT2))
		return raw(__NR_faccessat2, dir, name, mode, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0;
	if (is_usable(forms, WALK_FACCESSAT))
		return raw(__NR_faccessat, dir, name, mode) == 0;
	return is_computed(facts, mode);
}

/*
 * Can a bit of the mode alone rule a right out? Yes, exactly: somebody who is not the owner and
 * overrides nothing gets it by group, others or an access control list, and the list's mask
 * *is* the group bits, so with neither bit set no entry of it can give the right.
 */
static bool is_ruled_out(const struct file_facts *facts, unsigned mode)
{
	if (mode == X_OK) /* without any x bit even the overriding cannot execute a file */
		return !(facts->mode & ANY_EXECUTE);
	if (facts->uid == origin()->euid || has_capability(CAP_DAC_OVERRIDE) ||
	    (mode == R_OK && has_capability(CAP_DAC_READ_SEARCH)))
		return false;
	return !(facts->mode & (mode << 3 | mode));
}

/*
 * Where one file of the folder was really tried, one that its owner, group and all others may use
 * is not asked about: only an access control list against us in person could refuse it. Such a
 * list makes a count too high, never a status wrong, and asking would take half of the time.
 */
static bool is_for_everybody(const struct file_facts *facts, unsigned mode)
{
	unsigned all = mode << 6 | mode << 3 | mode;

	return (facts->mode & all) == all;
}

/* ---------------------------------------------------------------- confirmations */

/* These mean no; anything else (busy, gone, out of descriptors) means that we cannot tell. */
static bool is_refusal(long value)
{
	return value == -EACCES || value == -EPERM || value == -EROFS;
}

static long close_opened(long fd)
{
	if (fd >= 0)
		raw(__NR_close, fd);
	return fd;
}

static long confirm_read(const struct walk_forms *forms, int dir, const char *name)
{
	return close_opened(walk_open(forms, dir, name, O_RDONLY | QUIETLY));
}

/*
 * On an overlay even an open for writing copies the file and its folders up. A few prove that
 * the checks tell the truth; a whole tree would fill the upper layer.
 */
static bool may_change(const struct folder_trust *trust)
{
	static unsigned copies;

	return trust->is_testable && (!trust->on_overlay || copies++ < MOST_COPIES);
}

/*
 * For a file that is not to be opened: a security module is asked of a nameless file beside it.
 * Only its yes carries over, because a rule may name a file alone. -ECANCELED: it cannot be told.
 */
static long confirm_beside(const struct walk_forms *forms, int dir, struct folder_trust *trust)
{
	if (!lsm_may_confine() || !trust->is_testable)
		return -EAGAIN;
	if (trust->nameless == TRUST_UNTESTED && may_change(trust))
		trust->nameless =
			close_opened(walk_open(forms, dir, ".", O_TMPFILE | O_WRONLY)) >= 0 ?
				TRUST_CONFIRMED : TRUST_NONE;
	if (trust->nameless == TRUST_CONFIRMED)
		return 0;
	return trust->nameless == TRUST_NONE || lsm_confines() ? -ECANCELED : -EAGAIN;
}

/* Nothing is written, truncated or created. -EAGAIN: not tried, the check is believed. */
static long confirm_write(const struct walk_forms *forms, int dir, const char *name,
			  const struct file_facts *facts, struct folder_trust *trust)
{
	long fd;

	/* Opening a program for writing would make a simultaneous start of it fail. */
	if (facts->mode & ANY_EXECUTE ||
	    (trust->on_overlay && facts->size > OVERLAY_COPY_LIMIT) || !may_change(trust))
		return confirm_beside(forms, dir, trust);
	fd = walk_open(forms, dir, name, O_WRONLY | QUIETLY);
	if (fd == -EPERM) /* an append-only file can be added to */
		fd = walk_open(forms, dir, name, O_WRONLY | O_APPEND | QUIETLY);
	return close_opened(fd);
}

static long confirm_execute(const struct walk_forms *forms, int dir, const char *name)
{
	return is_usable(forms, WALK_EXECVEAT) ? call_execute_check(dir, name) : -EAGAIN;
}

/* One of the three rights of a file: what is asked, and what really tries it. */
struct asked {
	unsigned mode, right;
	uint8_t *trust;
};

/* Whether the right counts, after `value` came of the real operation; learns for the folder. */
static bool believe(const struct asked *asked, long value, unsigned *ret_refused)
{
	if (value >= 0 && *asked->trust == TRUST_UNTESTED)
		*asked->trust = TRUST_CONFIRMED;
	if (is_refusal(value)) {
		*asked->trust = TRUST_NONE;
		*ret_refused |= asked->right;
		return false;
	}
	return value >= 0 || (*asked->trust != TRUST_NONE && value != -ECANCELED);
}

unsigned file_rights(const struct walk_forms *forms, int dir, const char *name,
		     const struct file_facts *facts, struct folder_trust *trust,
		     unsigned *ret_refused)
{
	const struct asked list[] = { { R_OK, RIGHT_READ, &trust->read },
				      { W_OK, RIGHT_WRITE, &trust->write },
				      { X_OK, RIGHT_EXECUTE, &trust->execute } };
	unsigned rights = 0;

	*ret_refused = 0;
	for (unsigned i = 0; i < 3; i++) {
		const struct asked *asked = &list[i];
		long value = 0;

		if (*asked->trust == TRUST_CONFIRMED && is_for_everybody(facts, asked->mode)) {
			rights |= asked->right;
			continue;
		}
		if (is_ruled_out(facts, asked->mode) ||
		    !is_permitted(forms, dir, name, facts, asked->mode))
			continue;
		if (*asked->trust == TRUST_CONFIRMED) {
			rights |= asked->right;
			continue;
		}
		if (asked->right == RIGHT_READ)
			value = confirm_read(forms, dir, name);
		else if (asked->right == RIGHT_WRITE)
			value = confirm_write(forms, dir, name, facts, trust);
		else
			value = confirm_execute(forms, dir, name);
		trust->untold += value == -ECANCELED;
		if (believe(asked, value, ret_refused))
			rights |= asked->right;
	}
	return rights;
}

unsigned folder_rights(const struct walk_forms *forms, int dir, const struct file_facts *facts,
		       const struct folder_trust *trust, unsigned *ret_refused)
{
	*ret_refused = 0;
	/* At once, as the kernel asks for a new entry: one rule of a list must give us both. */
	if (is_ruled_out(facts, W_OK) || !is_permitted(forms, dir, ".", facts, W_OK | X_OK))
		return 0;
	/* A nameless file: no entry is made, no time stamp changes. */
	if (may_change(trust) &&
	    is_refusal(close_opened(walk_open(forms, dir, ".", O_TMPFILE | O_WRONLY))))
		*ret_refused = RIGHT_ENTRY;
	return RIGHT_ENTRY & ~*ret_refused;
}
