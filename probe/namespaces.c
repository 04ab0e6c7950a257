/* SPDX-License-Identifier: MIT */
/*
 * Which namespaces a process is in. They are told apart by the inode numbers that the kernel gives
 * them: namespaces(7). Those of its first ones are fixed: include/uapi/linux/nsfs.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statfs.h>

#include "base/sha256.h"
#include "probe/abi.h"
#include "probe/identity.h"
#include "probe/text.h"
#include "probe/trial.h"

#define PROC_MAGIC 0x9fa0
/* Linux always sets this flag of statfs(2). */
#define ST_VALID 0x20
/* All that Linux ever gives are greater. */
#define LEAST_NUMBER UINT64_C(0xeffffff8)
/* PIDFD_GET_CGROUP_NAMESPACE … of linux/pidfd.h, Linux 6.11. */
#define PIDFD_GET(n) (0xff00ul | (n))

static const struct {
	const char *name;
	unsigned long flag, get;
	uint64_t first;
	bool always; /* the first one had this number before Linux 6.18, too */
} kinds[N_NAMESPACES] = {
	[NAMESPACE_PID] = { "pid", 0x20000000, PIDFD_GET(5), 0xeffffffc, true },
	[NAMESPACE_NET] = { "net", 0x40000000, PIDFD_GET(4), 0xeffffff9, false },
	[NAMESPACE_MNT] = { "mnt", 0x00020000, PIDFD_GET(3), 0xeffffff8, false },
	[NAMESPACE_IPC] = { "ipc", 0x08000000, PIDFD_GET(2), 0xefffffff, true },
	[NAMESPACE_UTS] = { "uts", 0x04000000, PIDFD_GET(10), 0xeffffffe, true },
	[NAMESPACE_USER] = { "user", 0x10000000, PIDFD_GET(9), 0xeffffffd, true },
	[NAMESPACE_CGROUP] = { "cgroup", 0x02000000, PIDFD_GET(1), 0xeffffffb, true },
	[NAMESPACE_TIME] = { "time", 0x00000080, PIDFD_GET(7), 0xeffffffa, true },
};

const char *namespace_name(enum namespace_kind kind)
{
	return kinds[kind].name;
}

unsigned long namespace_flag(enum namespace_kind kind)
{
	return kinds[kind].flag;
}

/* ---------------------------------------------------------------- numbers */

/* "net:[4026531840]" */
static bool number_of_link(const char *link, uint64_t *ret_number)
{
	const char *from = strchr(link, '[');
	char digits[24];
	size_t n = from ? strcspn(from + 1, "]") : 0;

	if (n == 0 || n >= sizeof digits)
		return false;
	memcpy(digits, from + 1, n);
	digits[n] = '\0';
	return read_number(digits, ret_number);
}

/* Is there a link to be looked at, and is it the kernel's? Others can make some that name anything. */
static bool has_link(struct trial *trial, const struct process *process)
{
	char folder[32] = "/proc/self/ns";

	if (process && !process->listed && !process->told)
		return false;
	if (process)
		format_text(folder, sizeof folder, "/proc/%d/ns", process->pid);
	return !is_disguised(trial, folder);
}

static void link_path(char *path, size_t size, const struct process *process,
		      enum namespace_kind kind)
{
	char who[16] = "self";

	if (process)
		format_text(who, sizeof who, "%d", process->pid);
	format_text(path, size, "/proc/%s/ns/%s", who, kinds[kind].name);
}

static struct attempt by_link(struct trial *trial, const struct process *process,
			      enum namespace_kind kind, uint64_t *ret_number)
{
	char path[64], link[64];
	struct object object;
	struct attempt a, b;

	link_path(path, sizeof path, process, kind);
	a = try_readlink(trial, path, link, sizeof link);
	/* The kernel says this, too, of a process that has ended since. */
	if (process && a.reached && a.error == EACCES) {
		format_text(path, sizeof path, "/proc/%d", process->pid);
		b = try_stat(trial, AT_FDCWD, path, 0, &object);
		if (process_is_gone(b))
			return b;
	}
	return attempt_worked(a) && !number_of_link(link, ret_number) ? found_nothing(a) : a;
}

static struct attempt open_by_number(struct trial *trial, int number, enum namespace_kind kind)
{
	struct attempt a = try_call_as(trial, "iv", "pidfd_open", __NR_pidfd_open, number, 0);
	int process = (int)a.value;

	if (!attempt_worked(a))
		return a;
	a = try_call_as(trial, "fvp", "ioctl", __NR_ioctl, process, kinds[kind].get, 0);
	close_fd(process);
	return a;
}

struct attempt try_open_namespace(struct trial *trial, const struct process *process,
				  enum namespace_kind kind)
{
	struct attempt a = { .value = -1, .error = ENOENT, .nr = -1, .reached = true }, b;
	int number = process ? process->number : (int)try_own_number(trial).value;
	char path[64];

	if (has_link(trial, process)) {
		link_path(path, sizeof path, process, kind);
		a = try_open(trial, path, O_RDONLY | O_NONBLOCK);
	}
	if (attempt_worked(a) || number <= 0)
		return a;
	b = open_by_number(trial, number, kind);
	/* An older kernel knows no such request: then the first answer stands. */
	return attempt_worked(b) || (b.reached && b.error == EPERM) ? b : a;
}

struct attempt try_namespace(struct trial *trial, const struct process *process,
			     enum namespace_kind kind, uint64_t *ret_number)
{
	struct attempt a = { .value = -1, .error = ENOENT, .nr = -1, .reached = true }, b;
	struct object object;
	int fd;

	if (has_link(trial, process))
		a = by_link(trial, process, kind, ret_number);
	if (attempt_worked(a))
		return a;
	b = try_open_namespace(trial, process, kind);
	fd = (int)b.value;
	if (!attempt_worked(b))
		return a.reached ? a : b;
	b = try_stat(trial, fd, "", AT_EMPTY_PATH, &object);
	close_fd(fd);
	*ret_number = object.ino;
	return b;
}

/* ---------------------------------------------------------------- ours and the host's */

bool kernel_is_emulated(struct trial *trial)
{
	struct statfs facts;
	uint64_t number = 0;

	if (attempt_worked(try_statfs(trial, "/", &facts)) && !(facts.f_flags & ST_VALID))
		return true;
	return has_link(trial, NULL) &&
	       attempt_worked(by_link(trial, NULL, NAMESPACE_USER, &number)) &&
	       number < LEAST_NUMBER;
}

/* Told by the number of its start, unless somebody put a file over that. */
static bool is_other_kernel(struct trial *trial)
{
	static const char path[] = "/proc/sys/kernel/random/boot_id";
	const char *host = host_fact(trial, "kernel");
	char boot[64], hash[SHA256_TEXT];
	struct statfs facts;
	struct attempt a;

	if (!host || !attempt_worked(try_statfs(trial, path, &facts)) ||
	    (facts.f_type & UINT32_MAX) != PROC_MAGIC)
		return false;
	a = try_read(trial, path, boot, sizeof boot);
	if (a.value < 32)
		return false;
	sha256_text(hash, boot, (size_t)a.value);
	return !starts_with(hash, host);
}

bool shares_kernel(struct trial *trial)
{
	return !kernel_is_emulated(trial) && !is_other_kernel(trial);
}

enum sharing namespace_sharing(struct trial *trial, enum namespace_kind kind,
			       struct attempt *ret_attempt)
{
	uint64_t number = 0, host = 0;
	struct attempt a = try_namespace(trial, NULL, kind, &number);
	char name[16];
	const char *fact;
	bool same;

	if (ret_attempt)
		*ret_attempt = a;
	/* An emulator may hand the host's network through, whatever number it shows. */
	if (kernel_is_emulated(trial))
		return kind == NAMESPACE_NET ? SHARING_NOT_TOLD : SHARING_OWN;
	if (!attempt_worked(a))
		return SHARING_NOT_TOLD;
	format_text(name, sizeof name, "ns.%s", kinds[kind].name);
	fact = host_fact(trial, name);
	if (fact && is_other_kernel(trial))
		return SHARING_OWN;
	same = number == (fact && read_number(fact, &host) ? host : kinds[kind].first);
	if (same)
		return SHARING_SHARED;
	return host || kinds[kind].always ? SHARING_OWN : SHARING_NOT_TOLD;
}

/* ---------------------------------------------------------------- mounts of our own */

/* The number of the mount at "/"; 0: not told. */
static uint64_t root_mount(struct trial *trial)
{
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, "/", 0, &object);

	return attempt_worked(a) ? object.mount_id : 0;
}

struct attempt try_own_mounts(struct trial *trial, unsigned long flags)
{
	uint64_t before = root_mount(trial), after;
	struct attempt a = try_call(trial, "unshare", __NR_unshare, flags), b;

	if (!attempt_worked(a))
		return a;
	/* Emulated kernels have been seen that say yes and make none: nothing is changed there. */
	after = root_mount(trial);
	if (!before || !after || before == after)
		return found_nothing(a);
	b = try_call_as(trial, "pppvp", "mount", __NR_mount, NULL, "/", NULL, MS_REC | MS_PRIVATE,
			NULL);
	return attempt_worked(b) ? a : b;
}
