/* SPDX-License-Identifier: MIT */
/* Attempts on files and single calls: see attempts.h for forms, scenario.h for promises. */
#include "probe/attempts.h"

#include <dirent.h>
#include <errno.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <sched.h>
#include <signal.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "probe/abi.h"
#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "probe/surroundings.h"
#include "probe/text.h"
#include "probe/trial.h"

#define N_OF(array) (unsigned)(sizeof(array) / sizeof *(array))
/* What makes an open quick and quiet and is not needed for it: a filter may know it not. */
#define OPEN_MANNERS (O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_NOATIME | O_DIRECTORY)
#define NO_SUCH_PID 0x7fffffff

struct open_request {
	uint64_t flags, mode, resolve;
};

/*
 * In a child of the trial: the trial does not die of its calls, and one under way in there must not
 * be taken for the one that the trial dies of.
 */
static bool is_descendant;

void trial_descend(void)
{
	is_descendant = true;
}

void trial_step(struct trial *trial, const char *name, long nr)
{
	strncpy(trial->record->step, name, sizeof trial->record->step - 1);
	if (!is_descendant)
		trial->record->calling = nr;
}

/* ---------------------------------------------------------------- forms */

struct question form_question(const struct form *form)
{
	struct question question = { .nr = form->nr };

	for (unsigned i = 0; form->letters[i] && i < 6; i++) {
		unsigned long value = form->args[i];

		switch (form->letters[i]) {
		case 'v':
			question.args[i] = value;
			break;
		case 'd':
			question.args[i] = (unsigned long)AT_FDCWD;
			break;
		case 'u':
			/* Root and "unchanged" are what a filter can mean; all others are alike. */
			question.args[i] = value == 0 || (uint32_t)value == UINT32_MAX ? value : 1;
			break;
		case 'f':
			question.args[i] = (unsigned long)-1;
			break;
		case 'i':
			question.args[i] = NO_SUCH_PID;
			break;
		default:
			break; /* a pointer: asked as 0 */
		}
	}
	return question;
}

/*
 * Makes one form. Returns true when it answered for the operation: ENOSYS means that this form
 * is missing, and where the filter cannot be asked EPERM, or what else a tracer likes to say, may be
 * a refusal of this form alone.
 */
static bool make_form(struct trial *trial, const struct form *form, enum answer answer,
		      struct attempt *attempt)
{
	long got;

	trial_step(trial, form->name, form->nr);
	got = raw6_now(form->nr, form->args[0], form->args[1], form->args[2], form->args[3],
		       form->args[4], form->args[5]);
	if (!is_descendant)
		trial->record->calling = -1;
	*attempt = (struct attempt){ .value = got < 0 ? -1 : got,
				     .error = got < 0 ? (int)-got : 0,
				     .nr = form->nr,
				     .call = form->name,
				     .reached = true };
	if (answer == ANSWER_NOT_TOLD && (got == -EPERM || got == -EACCES || got == -ENOENT))
		return false;
	return got != -ENOSYS;
}

/*
 * Under a notify agent nobody knows who answered the question, the agent or the kernel behind it.
 * But the kernel finds fault with the arguments that we left empty: any other errno, which the real
 * call met as well, is the agent's.
 */
static bool agent_refuses(const struct form *form, enum answer answer, int asked, int met)
{
	size_t emptied = strcspn(form->letters, "pfi");

	if (answer != ANSWER_NOT_TOLD || asked != met || emptied > 4 || !form->letters[emptied])
		return false;
	return asked != 0 && asked != ENOSYS && asked != EFAULT && asked != EBADF &&
	       asked != EINVAL && asked != ESRCH;
}

struct attempt try_forms(struct trial *trial, const struct form forms[], unsigned n)
{
	struct attempt refused = { .value = -1, .error = EPERM, .nr = -1 }, made = refused, last;
	bool any_refused = false, any_made = false, answered;

	for (unsigned i = 0; i < n; i++) {
		struct question question = form_question(&forms[i]);
		int error;
		enum answer answer = ask_filter(trial, question.nr, question.args, &error);

		if (filter_refuses(answer)) {
			if (!any_refused)
				refused = (struct attempt){ .value = -1, .error = error,
							    .nr = forms[i].nr,
							    .call = forms[i].name };
			any_refused = true;
			continue;
		}
		answered = make_form(trial, &forms[i], answer, &last);
		if (agent_refuses(&forms[i], answer, error, last.error)) {
			last.reached = false;
			if (!any_refused)
				refused = last;
			any_refused = true;
			continue;
		}
		made = last;
		any_made = true;
		if (answered)
			return made;
	}
	/* The forms that the filter let through are missing in the kernel: both layers refuse. */
	if (any_made && any_refused && made.error == ENOSYS)
		return refused;
	return any_made ? made : refused;
}

struct attempt found_nothing(struct attempt a)
{
	if (a.value >= 0) {
		a.value = -1;
		a.error = 0;
	}
	return a;
}

struct attempt found_in_process(bool found)
{
	return (struct attempt){ .value = found ? 0 : -1, .nr = -1, .reached = true };
}

extern const char __executable_start[], _end[];

/* A pointer into our own memory means nothing to a filter; small numbers and -errno do. */
static bool looks_like_pointer(unsigned long value)
{
	return (value >= (unsigned long)__executable_start && value < (unsigned long)_end) ||
	       (value > UINT32_MAX && value < (unsigned long)-4096);
}

struct attempt try_call_six(struct trial *trial, const char *name, long nr, unsigned long a,
			    unsigned long b, unsigned long c, unsigned long d, unsigned long e,
			    unsigned long f)
{
	return try_call_with(trial, name, nr, (const unsigned long[6]){ a, b, c, d, e, f });
}

struct attempt try_call_six_as(struct trial *trial, const char *letters, const char *name, long nr,
			       unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			       unsigned long e, unsigned long f)
{
	return try_call_by_letters(trial, letters, name, nr,
				   (const unsigned long[6]){ a, b, c, d, e, f });
}

struct attempt try_call_by_letters(struct trial *trial, const char *letters, const char *name,
				   long nr, const unsigned long args[6])
{
	struct form form = { name, nr, letters, { 0 } };

	memcpy(form.args, args, sizeof form.args);
	return try_forms(trial, &form, 1);
}

struct attempt try_call_with(struct trial *trial, const char *name, long nr,
			     const unsigned long args[6])
{
	char letters[7] = "";

	for (unsigned i = 0; i < 6; i++)
		letters[i] = looks_like_pointer(args[i]) ? 'p' : 'v';
	/* The oracle's cookie takes the sixth argument's place. */
	letters[5] = 'p';
	return try_call_by_letters(trial, letters, name, nr, args);
}

/* ---------------------------------------------------------------- files */

/* Nothing was tried: a look must not mount anything. */
static const struct attempt left_alone = {
	.value = -1, .error = ECANCELED, .nr = -1, .reached = true
};

static bool would_mount(int dir, const char *path, bool enters)
{
	return (dir == AT_FDCWD || path[0] == '/') &&
	       is_left_alone(&surroundings()->automounts, path, enters);
}

struct attempt try_open_at(struct trial *trial, int dir, const char *path, int flags, mode_t mode)
{
	int all = flags | O_CLOEXEC;
	/* openat2 refuses a mode without O_CREAT or O_TMPFILE. */
	bool makes = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
	int bare = (flags & O_TMPFILE) == O_TMPFILE ? (all & ~OPEN_MANNERS) | O_TMPFILE
						    : all & ~OPEN_MANNERS;
	struct open_request request = { .flags = (unsigned)all, .mode = makes ? mode : 0 };
	const struct form forms[] = {
		FORM("openat2", __NR_openat2, "dppv", dir, path, &request, sizeof request),
		FORM("openat", __NR_openat, "dpvv", dir, path, all, request.mode),
		/* Last, for it may wait at a pipe: filters that compare with O_RDONLY are common. */
		FORM("openat", __NR_openat, "dpvv", dir, path, bare, request.mode),
#ifdef __NR_open
		FORM("open", __NR_open, "pvv", path, all, request.mode),
		FORM("open", __NR_open, "pvv", path, bare, request.mode),
#endif
	};
	/* The oldest form knows no folder to start from. */
	unsigned n = dir == AT_FDCWD || path[0] == '/' ? N_OF(forms) : 3;
	bool enters = !(flags & O_PATH) || (flags & O_DIRECTORY);

	return would_mount(dir, path, enters) ? left_alone : try_forms(trial, forms, n);
}

struct attempt try_open(struct trial *trial, const char *path, int flags)
{
	return try_open_at(trial, AT_FDCWD, path, flags, 0);
}

void close_fd(int fd)
{
	if (fd >= 0)
		raw(__NR_close, fd);
}

struct attempt try_read_part(struct trial *trial, int fd, void *buffer, size_t size, size_t at)
{
	const struct iovec part = { buffer, size };
	const struct form forms[] = {
		FORM("read", __NR_read, "fpp", fd, buffer, size),
		FORM("pread64", __NR_pread64, "fppp", fd, buffer, size, at),
		FORM("readv", __NR_readv, "fpv", fd, &part, 1),
		FORM("preadv", __NR_preadv, "fpvpp", fd, &part, 1, at, 0),
	};

	return try_forms(trial, forms, N_OF(forms));
}

/*
 * A pipe with a name is waited at by who writes into it, and what is read is gone; a device acts when
 * it is opened. The kernel's own files are neither, nor is the null device that masks a file.
 */
bool is_to_be_read(struct trial *trial, const char *path)
{
	struct object object;

	if (starts_with(path, "/proc/") || starts_with(path, "/sys/") ||
	    !attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)))
		return true;
	return S_ISREG(object.mode) || S_ISDIR(object.mode) || object.rdev == 0x103;
}

struct attempt try_read(struct trial *trial, const char *path, void *buffer, size_t size)
{
	struct attempt a = { .value = 0, .nr = -1, .reached = true };
	size_t total = 0;
	int fd;

	if (!is_to_be_read(trial, path))
		return a;
	a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	fd = (int)a.value;
	if (!attempt_worked(a))
		return a;
	while (total < size) {
		a = try_read_part(trial, fd, (char *)buffer + total, size - total, total);
		if (a.value <= 0)
			break;
		total += (size_t)a.value;
	}
	close_fd(fd);
	if (total > 0 || a.value == 0) {
		a.value = (long)total;
		a.error = 0;
	}
	return a;
}

struct attempt try_text(struct trial *trial, const char *path, char *buffer, size_t size)
{
	struct attempt a = try_read(trial, path, buffer, size - 1);

	buffer[attempt_worked(a) ? a.value : 0] = '\0';
	return a;
}

struct attempt try_write(struct trial *trial, int fd, const void *data, size_t n)
{
	const struct iovec part = { (void *)(uintptr_t)data, n };
	const struct form forms[] = {
		FORM("write", __NR_write, "fpp", fd, data, n),
		FORM("writev", __NR_writev, "fpv", fd, &part, 1),
	};

	return try_forms(trial, forms, N_OF(forms));
}

struct attempt try_access(struct trial *trial, const char *path, int mode)
{
	const struct form forms[] = {
		FORM("faccessat2", __NR_faccessat2, "dpvv", AT_FDCWD, path, mode, AT_EACCESS),
		FORM("faccessat", __NR_faccessat, "dpv", AT_FDCWD, path, mode),
#ifdef __NR_access
		FORM("access", __NR_access, "pv", path, mode),
#endif
	};

	return would_mount(AT_FDCWD, path, false) ? left_alone : try_forms(trial, forms, N_OF(forms));
}

struct attempt try_readlink(struct trial *trial, const char *path, char *buffer, size_t size)
{
	const struct form forms[] = {
		FORM("readlinkat", __NR_readlinkat, "dppp", AT_FDCWD, path, buffer, size - 1),
#ifdef __NR_readlink
		FORM("readlink", __NR_readlink, "ppp", path, buffer, size - 1),
#endif
	};
	struct attempt a = would_mount(AT_FDCWD, path, false) ? left_alone :
								 try_forms(trial, forms, N_OF(forms));

	buffer[attempt_worked(a) ? a.value : 0] = '\0';
	return a;
}

struct folder_entry {
	uint64_t ino;
	int64_t next;
	uint16_t length;
	uint8_t type;
	char name[];
};

struct attempt try_list(struct trial *trial, const char *path,
			bool (*each)(void *context, const char *name, unsigned char type),
			void *context)
{
	_Alignas(struct folder_entry) char buffer[8192];
	struct attempt a = try_open(trial, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
	int fd = (int)a.value;
	long count = 0;
	bool more = true;

	if (!attempt_worked(a))
		return a;
	while (more) {
		const struct form forms[] = {
			FORM("getdents64", __NR_getdents64, "fpp", fd, buffer, sizeof buffer),
		};

		a = try_forms(trial, forms, N_OF(forms));
		if (a.value <= 0)
			break;
		for (long at = 0; more && at < a.value;) {
			struct folder_entry *entry = (void *)(buffer + at);

			at += entry->length;
			if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
				continue;
			/* Rule: at most 4,096 entries of one folder. */
			more = ++count < 4096 && (!each || each(context, entry->name, entry->type));
		}
	}
	close_fd(fd);
	if (a.value >= 0 || count > 0) {
		a.value = count;
		a.error = 0;
	}
	return a;
}

/* The kernel's encoding of a device number, as stat(2) reports it. */
static uint64_t device_number(uint32_t major, uint32_t minor)
{
	return (minor & 0xff) | (uint64_t)major << 8 | (uint64_t)(minor & ~0xffu) << 12;
}

static void object_from_statx(struct object *object, const struct statx *from)
{
	*object = (struct object){
		.ino = from->stx_ino,
		.size = from->stx_size,
		.dev = device_number(from->stx_dev_major, from->stx_dev_minor),
		.rdev = device_number(from->stx_rdev_major, from->stx_rdev_minor),
		.mount_id = from->stx_mask & 0x1000 /* STATX_MNT_ID, Linux 5.8 */
				    ? from->stx_mnt_id : 0,
		.birth = from->stx_btime.tv_sec,
		.changed = from->stx_ctime.tv_sec,
		.modified = from->stx_mtime.tv_sec,
		.mode = from->stx_mode,
		.uid = from->stx_uid,
		.gid = from->stx_gid,
		.links = from->stx_nlink,
		.attributes = from->stx_attributes,
		.attributes_mask = from->stx_attributes_mask,
	};
}

/* The head of the kernel's struct stat, the same on x86-64 and arm64 where it is used. */
static void object_from_stat(struct object *object, const struct stat *from)
{
	*object = (struct object){
		.ino = from->st_ino,   .size = (uint64_t)from->st_size,
		.dev = from->st_dev,   .rdev = from->st_rdev,
		.changed = from->st_ctim.tv_sec, .modified = from->st_mtim.tv_sec,
		.mode = from->st_mode, .uid = from->st_uid,
		.gid = from->st_gid,   .links = (uint32_t)from->st_nlink,
	};
}

struct attempt try_stat(struct trial *trial, int dir, const char *path, int flags,
			struct object *object)
{
	struct statx extended;
	struct stat plain;
	bool follows = !(flags & AT_SYMLINK_NOFOLLOW), by_path = !(flags & AT_EMPTY_PATH);
	/* Its siblings mount nothing in any case; emulated kernels know no such flag. */
	int all = flags | (surroundings()->automounts.n ? AT_NO_AUTOMOUNT : 0);
	const struct form forms[] = {
		FORM("statx", __NR_statx, "dpvvp", dir, path, all,
		     STATX_BASIC_STATS | STATX_BTIME | 0x1000, &extended),
		FORM("newfstatat", __NR_newfstatat, "dppv", dir, path, &plain, flags),
#ifdef __NR_stat
		FORM("stat", follows ? __NR_stat : __NR_lstat, "pp", path, &plain),
#endif
	};
	const struct form by_fd[] = { forms[0], forms[1], FORM("fstat", __NR_fstat, "fp", dir, &plain) };
	unsigned n = dir == AT_FDCWD && by_path ? N_OF(forms) : 2;
	struct attempt a = would_mount(dir, path, false) ? left_alone :
			   by_path || *path		  ? try_forms(trial, forms, n) :
							    try_forms(trial, by_fd, N_OF(by_fd));

	if (!attempt_worked(a))
		*object = (struct object){ 0 };
	else if (a.nr == __NR_statx)
		object_from_statx(object, &extended);
	else
		object_from_stat(object, &plain);
	return a;
}

struct attempt try_chmod(struct trial *trial, int fd, const char *path, mode_t mode)
{
	const struct form by_path[] = {
		FORM("fchmodat", __NR_fchmodat, "dpv", AT_FDCWD, path, mode),
		FORM("fchmodat2", __NR_fchmodat2, "dpvv", AT_FDCWD, path, mode, 0),
#ifdef __NR_chmod
		FORM("chmod", __NR_chmod, "pv", path, mode),
#endif
	};
	const struct form by_fd[] = {
		FORM("fchmod", __NR_fchmod, "fv", fd, mode),
		FORM("fchmodat2", __NR_fchmodat2, "dpvv", fd, "", mode, AT_EMPTY_PATH),
	};

	return path ? try_forms(trial, by_path, N_OF(by_path))
		    : try_forms(trial, by_fd, N_OF(by_fd));
}

struct attempt try_chown(struct trial *trial, int fd, uid_t uid, gid_t gid)
{
	const struct form forms[] = {
		FORM("fchownat", __NR_fchownat, "dpuuv", fd, "", uid, gid, AT_EMPTY_PATH),
		FORM("fchown", __NR_fchown, "fuu", fd, uid, gid),
	};

	return try_forms(trial, forms, N_OF(forms));
}

struct attempt try_unlink(struct trial *trial, int dir, const char *name)
{
	const struct form forms[] = {
		FORM("unlinkat", __NR_unlinkat, "dpv", dir, name, 0),
#ifdef __NR_unlink
		FORM("unlink", __NR_unlink, "p", name),
#endif
	};

	return try_forms(trial, forms, dir == AT_FDCWD ? N_OF(forms) : 1);
}

struct attempt try_rename(struct trial *trial, int from, const char *name, int to,
			  const char *new_name)
{
	const struct form forms[] = {
		FORM("renameat2", __NR_renameat2, "dpdpv", from, name, to, new_name, 1),
#ifdef __NR_renameat
		FORM("renameat", __NR_renameat, "dpdp", from, name, to, new_name),
#endif
#ifdef __NR_rename
		FORM("rename", __NR_rename, "pp", name, new_name),
#endif
	};
	bool by_path = from == AT_FDCWD && to == AT_FDCWD;

	return try_forms(trial, forms, by_path ? N_OF(forms) : N_OF(forms) - 1);
}

/* ---------------------------------------------------------------- what the view asks at once */

#define STATX_ASKED (STATX_BASIC_STATS | STATX_BTIME | 0x1000)
/* Asked once for everybody; a question missing here costs time when it comes, not truth. */
static const struct form usual[] = {
	FORM("openat2", __NR_openat2, "dppv", 0, 0, 0, sizeof(struct open_request)),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC, 0),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_PATH | O_CLOEXEC, 0),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_RDONLY, 0),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_WRONLY, 0),
	FORM("openat", __NR_openat, "dpvv", 0, 0, O_PATH, 0),
	FORM("read", __NR_read, "fpp"),
	FORM("pread64", __NR_pread64, "fppp"),
	FORM("write", __NR_write, "fpp"),
	FORM("getdents64", __NR_getdents64, "fpp"),
	FORM("faccessat2", __NR_faccessat2, "dpvv", 0, 0, 4, AT_EACCESS),
	FORM("faccessat2", __NR_faccessat2, "dpvv", 0, 0, 2, AT_EACCESS),
	FORM("faccessat2", __NR_faccessat2, "dpvv", 0, 0, 1, AT_EACCESS),
	FORM("faccessat2", __NR_faccessat2, "dpvv", 0, 0, 3, AT_EACCESS),
	FORM("faccessat2", __NR_faccessat2, "dpvv", 0, 0, 0, AT_EACCESS),
	FORM("statx", __NR_statx, "dpvvp", 0, 0, 0, STATX_ASKED, 0),
	FORM("statx", __NR_statx, "dpvvp", 0, 0, AT_SYMLINK_NOFOLLOW, STATX_ASKED, 0),
	FORM("statx", __NR_statx, "dpvvp", 0, 0, AT_EMPTY_PATH, STATX_ASKED, 0),
	FORM("clone3", __NR_clone3, "pv", 0, 64),
	FORM("clone", __NR_clone, "vpppp", SIGCHLD, 0, 0, 0, 0),
	FORM("unlinkat", __NR_unlinkat, "dpv", 0, 0, 0),
	FORM("renameat2", __NR_renameat2, "dpdpv", 0, 0, 0, 0, 1),
	FORM("fchmod", __NR_fchmod, "fv", 0, 0666),
	FORM("fchmod", __NR_fchmod, "fv", 0, 0),
	FORM("fchownat", __NR_fchownat, "dpuuv", 0, 0, 0, -1u, AT_EMPTY_PATH),
	FORM("fchownat", __NR_fchownat, "dpuuv", 0, 0, 1, -1u, AT_EMPTY_PATH),
	FORM("fchownat", __NR_fchownat, "dpuuv", 0, 0, 1, 1, AT_EMPTY_PATH),
	FORM("fsetxattr", __NR_fsetxattr, "fpppv"),
	FORM("kill", __NR_kill, "iv", 0, 0),
	FORM("execveat", __NR_execveat, "dpppv", 0, 0, 0, 0, 0),
	FORM("execve", __NR_execve, "ppp", 0, 0, 0),
	FORM("statfs", __NR_statfs, "pp", 0, 0),
	FORM("fstatfs", __NR_fstatfs, "fp", 0, 0),
	FORM("readlinkat", __NR_readlinkat, "dppp"),
	FORM("getxattr", __NR_getxattr, "pppp"),
	FORM("socket", __NR_socket, "vvv", AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
	FORM("socket", __NR_socket, "vvv", AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
	FORM("socket", __NR_socket, "vvv", AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0),
	FORM("socket", __NR_socket, "vvv", AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
	FORM("socket", __NR_socket, "vvv", AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0),
	FORM("socket", __NR_socket, "vvv", AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0),
	FORM("socket", __NR_socket, "vvv", AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP),
	FORM("socket", __NR_socket, "vvv", AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP),
	FORM("socket", __NR_socket, "vvv", AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMPV6),
	FORM("socket", __NR_socket, "vvv", AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMPV6),
	FORM("connect", __NR_connect, "fpp"),
	FORM("sendto", __NR_sendto, "fppvpp"),
	FORM("recvfrom", __NR_recvfrom, "fppvpp", 0, 0, 0, MSG_DONTWAIT),
	FORM("ppoll", __NR_ppoll, "pppp"),
	FORM("pipe2", __NR_pipe2, "pv", 0, O_CLOEXEC),
	FORM("getcwd", __NR_getcwd, "pp"),
	FORM("prctl", __NR_prctl, "vvvvv", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
	FORM("landlock_create_ruleset", __NR_landlock_create_ruleset, "ppv"),
	FORM("landlock_restrict_self", __NR_landlock_restrict_self, "fv"),
	FORM("ioctl", __NR_ioctl, "fvp", 0, FS_IOC_GETFLAGS, 0),
};

unsigned usual_questions(struct question questions[], unsigned n)
{
	unsigned filled = 0;

	for (; filled < n && filled < N_OF(usual); filled++)
		questions[filled] = form_question(&usual[filled]);
	return filled;
}
