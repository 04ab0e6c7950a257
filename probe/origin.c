/* SPDX-License-Identifier: MIT */
/*
 * What the probe was given, recorded before its first fork: scenarios about limits, identity,
 * descriptors and environment judge from this record, so that the guard's own settings can never
 * be taken for the sandbox's. Calls are asked first; /proc/self/status, which may be missing or
 * lie, only for what no call tells. A filter may feign success: then an argument that the kernel
 * refuses is not refused, or nothing is written where the answer should stand.
 */
#include "probe/origin.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "probe/abi.h"
#include "probe/children.h"
#include "probe/raw.h"
#include "scenarios/scenario.h"

#ifndef TCGETS
#define TCGETS 0x5401
#endif
#ifndef CAP_LAST_CAP
#define CAP_LAST_CAP 40
#endif
#ifndef PR_CAP_AMBIENT
#define PR_CAP_AMBIENT 47
#define PR_CAP_AMBIENT_IS_SET 1
#endif

static struct origin given;

const struct origin *origin(void)
{
	return &given;
}

static void record_ids(void)
{
	long n;

	/* Where a filter refuses the calls, or feigns them, the kernel's word at the start holds: 0
	 * would mean root. */
	given.uid = (uint32_t)getauxval(AT_UID);
	given.euid = given.suid = (uint32_t)getauxval(AT_EUID);
	given.gid = (uint32_t)getauxval(AT_GID);
	given.egid = given.sgid = (uint32_t)getauxval(AT_EGID);
	raw(__NR_getresuid, &given.uid, &given.euid, &given.suid);
	raw(__NR_getresgid, &given.gid, &given.egid, &given.sgid);
	n = raw(__NR_getgroups, GROUPS_AT_MOST, given.groups);
	/* EINVAL: even more. A size below zero is refused by the kernel itself. */
	given.n_groups = n < 0 || raw(__NR_getgroups, -1, NULL) != -EINVAL ? -1 : (int)n;
	given.pid = (int)own_number();
	given.parent = (int)raw(__NR_getppid);
	given.session = (int)raw(__NR_getsid, 0);
}

/* False: whoever answered is not the kernel. */
static bool capability_bits(int option, int argument, uint64_t *ret_bits)
{
	*ret_bits = 0;
	/* Up to 63: capabilities newer than the headers count too. EINVAL ends the list. */
	for (int capability = 0; capability < 64; capability++) {
		long set = option == PR_CAPBSET_READ
				   ? raw(__NR_prctl, option, capability, 0, 0, 0)
				   : raw(__NR_prctl, option, argument, capability, 0, 0);
		if (set == -EINVAL)
			return true;
		if (set < 0 || set > 1)
			return false;
		*ret_bits |= (uint64_t)set << capability;
	}
	return false;
}

static void record_capabilities(void)
{
	enum { UNTOUCHED = 0x5a5a5a5a };
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { UNTOUCHED, UNTOUCHED, UNTOUCHED },
						  { UNTOUCHED, UNTOUCHED, UNTOUCHED } };

	if (raw(__NR_capget, &header, data) == 0 && data[1].permitted != UNTOUCHED) {
		given.effective = data[0].effective | (uint64_t)data[1].effective << 32;
		given.permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
		given.inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
		given.told |= GIVEN_EFFECTIVE | GIVEN_PERMITTED | GIVEN_INHERITABLE;
	}
	if (capability_bits(PR_CAPBSET_READ, 0, &given.bounding))
		given.told |= GIVEN_BOUNDING;
	if (capability_bits(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, &given.ambient))
		given.told |= GIVEN_AMBIENT;
}

static void record_no_new_privs(void)
{
	long flag = raw(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);

	given.no_new_privs = flag == 1;
	if ((flag == 0 || flag == 1) &&
	    raw(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 1) == -EINVAL)
		given.told |= GIVEN_NO_NEW_PRIVS;
}

/* "Groups:\t4 27 1000 \n" */
static void record_groups(const char *numbers)
{
	given.n_groups = 0;
	while (given.n_groups < GROUPS_AT_MOST && is_digit(*numbers)) {
		given.groups[given.n_groups++] = (uint32_t)leading_number(numbers, &numbers);
		numbers += *numbers == ' ';
	}
}

/* What no call told, from the file: proc_pid_status(5). */
static void record_status(void)
{
	static const struct {
		const char *name;
		enum given_fact fact;
		uint64_t *bits; /* NULL: the flag */
	} lines[] = {
		{ "\nCapInh:\t", GIVEN_INHERITABLE, &given.inheritable },
		{ "\nCapPrm:\t", GIVEN_PERMITTED, &given.permitted },
		{ "\nCapEff:\t", GIVEN_EFFECTIVE, &given.effective },
		{ "\nCapBnd:\t", GIVEN_BOUNDING, &given.bounding },
		{ "\nCapAmb:\t", GIVEN_AMBIENT, &given.ambient },
		{ "\nNoNewPrivs:\t", GIVEN_NO_NEW_PRIVS, NULL },
	};
	static const char groups[] = "\nGroups:\t", seccomp[] = "\nSeccomp:\t";
	char text[4096], *line;
	long fd = raw(__NR_openat, AT_FDCWD, "/proc/self/status",
		      O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	long n = fd >= 0 ? raw(__NR_read, fd, text, sizeof text - 1) : -1;

	close_fd((int)fd);
	text[n > 0 ? n : 0] = '\0';
	if (given.n_groups < 0 && strstr(text, groups))
		record_groups(strstr(text, groups) + strlen(groups));
	line = strstr(text, seccomp);
	/* Kernels without filters have no such line. */
	if (given.seccomp_mode < 0 && (line || (strstr(text, groups) && n < (long)sizeof text - 1)))
		given.seccomp_mode = line ? line[strlen(seccomp)] - '0' : 0;
	for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
		line = strstr(text, lines[i].name);
		if (!line || (given.told & lines[i].fact))
			continue;
		line += strlen(lines[i].name);
		if (lines[i].bits)
			*lines[i].bits = leading_hex(line);
		else
			given.no_new_privs = *line != '0';
		given.told |= lines[i].fact;
	}
}

static void record_limits(void)
{
	for (int i = 0; i < 16; i++) {
		uint64_t pair[2] = { UINT64_MAX, UINT64_MAX };

		if (raw(__NR_prlimit64, 0, i, 0, pair) < 0)
			raw(__NR_getrlimit, i, pair);
		given.limits[i].soft = pair[0];
		given.limits[i].hard = pair[1];
	}
}

/* 1: open, 0: not, -1: nobody says. What calls no number wrong that is none is feigned. */
static int ask_descriptor(int fd)
{
	struct stat status;
	long got = raw(__NR_fcntl, fd, F_GETFD), none = raw(__NR_fcntl, -1, F_GETFD);

	if (none != -EBADF || (got < 0 && got != -EBADF)) {
		got = raw(__NR_newfstatat, fd, "", &status, AT_EMPTY_PATH);
		none = raw(__NR_newfstatat, -1, "", &status, AT_EMPTY_PATH);
	}
	return none != -EBADF ? -1 : got >= 0 ? 1 : got == -EBADF ? 0 : -1;
}

/* Numbers reach as far as the limit; a limit that was lowered later leaves higher ones open. */
static int last_descriptor(void)
{
	uint64_t limit = given.limits[RLIMIT_NOFILE].soft;

	return limit <= 1024 ? 1023 : limit < 4096 ? (int)limit - 1 : 4095;
}

static void record_descriptors(void)
{
	char termios[256];
	int last = last_descriptor();

	for (int fd = 0; fd <= last; fd++) {
		int says = ask_descriptor(fd);
		bool open = says == 1;

		if (fd > 2 && says < 0) {
			given.descriptors = -1;
			return;
		}
		if (fd > 2) {
			if (open && given.descriptors < 64)
				given.numbers[given.descriptors] = fd;
			given.descriptors += open;
			continue;
		}
		given.stdio_open[fd] = open;
		given.stdio_tty[fd] = open && raw(__NR_ioctl, fd, TCGETS, termios) == 0;
	}
}

/* By one form or another: without its inode the probe would not know its own program. */
static bool find_inode(const char *path, uint64_t *ret_dev, uint64_t *ret_ino)
{
	struct stat status = { 0 };
	struct statx extended = { 0 };
	long got = raw(__NR_newfstatat, AT_FDCWD, path, &status, 0);

#ifdef __NR_stat
	if (got < 0 || !status.st_ino)
		got = raw(__NR_stat, path, &status);
#endif
	if (got < 0 || !status.st_ino) {
		got = raw(__NR_statx, AT_FDCWD, path, 0, STATX_INO, &extended);
		status.st_dev = makedev(extended.stx_dev_major, extended.stx_dev_minor);
		status.st_ino = extended.stx_ino;
	}
	if (got < 0 || !status.st_ino)
		return false;
	*ret_dev = status.st_dev;
	*ret_ino = status.st_ino;
	return true;
}

static void record_place(void)
{
	long n = raw(__NR_getcwd, given.cwd, sizeof given.cwd);

	if (n < 0) {
		given.cwd[0] = '\0';
		given.cwd_error = (int)-n;
	}
	given.umask = (unsigned)raw(__NR_umask, 077);
	raw(__NR_umask, given.umask);
	find_inode("/", &given.root_dev, &given.root_ino);
	find_inode("/proc/self/exe", &given.probe_dev, &given.probe_ino);
}

void origin_record(char **environment, const char *program)
{
	struct timespec now = { 0 };
	long mode = raw(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0);

	raw(__NR_clock_gettime, CLOCK_REALTIME, &now);
	given.started = now.tv_sec;
	given.environment = environment;
	record_no_new_privs();
	/* A prctl that finds fault with nothing is feigned. */
	given.seccomp_mode = mode < 0 || !(given.told & GIVEN_NO_NEW_PRIVS) ? -1 : (int)mode;
	record_ids();
	record_capabilities();
	if (given.told != GIVEN_ALL || given.n_groups < 0 || given.seccomp_mode < 0)
		record_status();
	record_limits();
	record_descriptors();
	record_place();
	/* Without /proc the program's name may lead to its file; it may also lead nowhere. */
	if (!given.probe_ino && program && strchr(program, '/'))
		find_inode(program, &given.probe_dev, &given.probe_ino);
}

void origin_mark_traced(void)
{
	given.traced = true;
}

const char *given_variable(const char *name)
{
	size_t n = strlen(name);

	for (char **entry = given.environment; entry && *entry; entry++)
		if (strncmp(*entry, name, n) == 0 && (*entry)[n] == '=')
			return *entry + n + 1;
	return NULL;
}

bool has_capability(int capability)
{
	return capability >= 0 && capability < 64 && (given.effective >> capability & 1);
}
