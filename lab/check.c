/* SPDX-License-Identifier: MIT */
/*
 * The lab's own measure: asks in a box, without the probe and sharing no code with it, whether one
 * thing can be done. A control of the lab counts as what it says only if this program agrees.
 *
 *	check QUESTION [WORD ...] [, QUESTION [WORD ...]] ...
 *
 * One line for each question: "yes", or "no" and the error. Each is asked in a child of its own,
 * by the plainest call there is. Static, for boxes that hold nothing else.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define YES 0
#define MISUSE 255
#define MARKER ".sandboxeval-check"

/* The answer of a call: YES, or its error. */
static int told(long value)
{
	return value >= 0 ? YES : errno;
}

/* The answer to a plain question; errno has no better word for "it is not so" than ENOENT. */
static int so(int is_so)
{
	return is_so ? YES : ENOENT;
}

static unsigned long number(const char *word)
{
	return strtoul(word, NULL, 0);
}

/* ---------------------------------------------------------------- system calls by name */

static const struct {
	const char *name;
	long nr;
} calls[] = {
#define CALL(name)                                                                                 \
	{                                                                                          \
#name, SYS_##name                                                                  \
	}
	CALL(acct),
	CALL(add_key),
	CALL(adjtimex),
	CALL(bpf),
	CALL(chroot),
	CALL(clock_settime),
	CALL(clone),
	CALL(clone3),
	CALL(fanotify_init),
	CALL(fchmodat),
	CALL(finit_module),
	CALL(fsmount),
	CALL(fsopen),
	CALL(init_module),
	CALL(io_uring_enter),
	CALL(io_uring_register),
	CALL(io_uring_setup),
	CALL(kcmp),
	CALL(kexec_load),
	CALL(keyctl),
	CALL(mbind),
	CALL(memfd_create),
	CALL(migrate_pages),
	CALL(mount),
	CALL(mknodat),
	CALL(mmap),
	CALL(move_mount),
	CALL(move_pages),
	CALL(name_to_handle_at),
	CALL(open_by_handle_at),
	CALL(open_tree),
	CALL(perf_event_open),
	CALL(personality),
	CALL(pidfd_getfd),
	CALL(pivot_root),
	CALL(process_vm_readv),
	CALL(process_vm_writev),
	CALL(ptrace),
	CALL(quotactl),
	CALL(reboot),
	CALL(request_key),
	CALL(set_mempolicy),
	CALL(sethostname),
	CALL(setns),
	CALL(settimeofday),
	CALL(socket),
	CALL(swapon),
	CALL(syslog),
	CALL(umount2),
	CALL(unshare),
	CALL(userfaultfd),
	CALL(vmsplice),
#ifdef __x86_64__
	CALL(iopl),
	CALL(ioperm),
	CALL(lookup_dcookie),
	CALL(mknod),
	CALL(nfsservctl),
#endif
	/* Newer than some headers; the same numbers everywhere. */
	{ "memfd_secret", 447 },
	{ "listmount", 458 },
	{ "unassigned", 4000 },
};

static long call_number(const char *name)
{
	if (*name >= '0' && *name <= '9')
		return (long)number(name);
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].nr;
	fprintf(stderr, "check: unknown call '%s'\n", name);
	_exit(MISUSE);
}

/* "@" is room full of zeros, "$" our pid, "=text" a string; the rest are numbers. */
static long call_by_words(char **words)
{
	static char room[4096] __attribute__((aligned(64)));
	unsigned long args[6] = { 0 };
	long nr = call_number(words[0]);

	for (int i = 0; i < 6 && words[i + 1]; i++) {
		const char *word = words[i + 1];

		if (strcmp(word, "@") == 0)
			args[i] = (unsigned long)room;
		else if (strcmp(word, "$") == 0)
			args[i] = (unsigned long)getpid();
		else if (*word == '=')
			args[i] = (unsigned long)(word + 1);
		else
			args[i] = number(word);
	}
	return syscall(nr, args[0], args[1], args[2], args[3], args[4], args[5]);
}

/* Does this call with these arguments succeed? */
static int ask_call(char **words)
{
	return told(call_by_words(words));
}

/* Is the kernel's own code reached: another error than a refusal? */
static int ask_reaches(char **words)
{
	int error = told(call_by_words(words));

	return error == EPERM || error == EACCES || error == ENOSYS ? error : YES;
}

/*
 * Does the outer filter let this call pass? A second filter of ours answers RET_TRACE, which with
 * no tracer becomes ENOSYS; any stricter answer of the outer one takes precedence.
 */
static int ask_passes(char **words)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call_number(words[0]), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };
	int error;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return errno;
	error = told(call_by_words(words));
	return error == ENOSYS ? YES : error;
}

/* The old gate for 32-bit programs: getpid is number 20 there. */
static int ask_foreign_abi(char **words)
{
	long value = -ENOSYS;

	(void)words;
#ifdef __x86_64__
	__asm__ volatile("int $0x80" : "=a"(value) : "a"(20) : "r8", "r9", "r10", "r11", "memory");
#endif
	return value == getpid() ? YES : (int)-value;
}

/* ---------------------------------------------------------------- who we are */

static int ask_uid(char **words)
{
	return so(geteuid() == number(words[0]));
}

static int ask_group(char **words)
{
	gid_t groups[64];
	int n = getgroups(64, groups);

	for (int i = 0; i < n; i++)
		if (groups[i] == number(words[0]))
			return YES;
	return ENOENT;
}

static int ask_gains_privileges(char **words)
{
	(void)words;
	return so(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
}

static int ask_capability(char **words)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	unsigned long n = number(words[0]);

	if (syscall(SYS_capget, &header, data) < 0)
		return errno;
	return so(data[n / 32].effective >> (n % 32) & 1);
}

static int ask_bounding(char **words)
{
	return so(prctl(PR_CAPBSET_READ, number(words[0]), 0, 0, 0) == 1);
}

static int ask_setuid(char **words)
{
	return told(syscall(SYS_setuid, number(words[0])));
}

static int ask_setgid(char **words)
{
	return told(syscall(SYS_setgid, number(words[0])));
}

static int ask_nice(char **words)
{
	return told(setpriority(PRIO_PROCESS, 0, atoi(words[0])));
}

static int ask_variable(char **words)
{
	return so(getenv(words[0]) != NULL);
}

/* ---------------------------------------------------------------- files */

static int ask_read(char **words)
{
	char byte;
	int fd = open(words[0], O_RDONLY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, &byte, 1);

	return n < 0 ? errno : so(n == 1);
}

static int ask_open(char **words)
{
	return told(open(words[0], O_RDWR | O_NONBLOCK));
}

/* One of "PATH|PATH|…". */
static int ask_writable(char **words)
{
	int error = ENOENT;

	for (char *path = strtok(words[0], "|"); path; path = strtok(NULL, "|")) {
		error = told(open(path, O_WRONLY | O_NONBLOCK));
		if (error != ENOENT && error != ENOTDIR)
			break;
	}
	return error;
}

/* Does an open get as far as the driver, which may well be missing? */
static int ask_asks_driver(char **words)
{
	int error = told(open(words[0], O_RDONLY | O_NONBLOCK));

	return error == ENXIO || error == ENODEV ? YES : error;
}

static int ask_exists(char **words)
{
	struct stat status;

	return told(stat(words[0], &status));
}

/* Is it a plain file, and no device that covers one? */
static int ask_plain(char **words)
{
	struct stat status;

	return stat(words[0], &status) < 0 ? errno : so(S_ISREG(status.st_mode));
}

/* How many entries a folder has besides "." and ".."; -1: it cannot be listed. */
static int entries(const char *path)
{
	DIR *folder = opendir(path);
	int n = -2;

	if (!folder)
		return -1;
	while (readdir(folder))
		n++;
	return n;
}

static int ask_lists(char **words)
{
	int n = entries(words[0]);

	return n < 0 ? errno : so(n > 0);
}

/* Is there a plain file below, at most four levels down, that opens for writing? */
static int writable_below(const char *path, int depth)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char name[1024];
		struct stat status;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		if (lstat(name, &status) < 0)
			continue;
		if (S_ISREG(status.st_mode) && open(name, O_WRONLY | O_NONBLOCK) >= 0)
			return YES;
		if (S_ISDIR(status.st_mode) && depth < 4 && writable_below(name, depth + 1) == YES)
			return YES;
	}
	if (folder)
		closedir(folder);
	return ENOENT;
}

static int ask_writable_below(char **words)
{
	return writable_below(words[0], 0);
}

static void marker(char *path, size_t size, const char *folder)
{
	snprintf(path, size, "%s/%s-%d", folder, MARKER, (int)getpid());
}

static int own_file(const char *folder, char *path, size_t size)
{
	marker(path, size, folder);
	return open(path, O_CREAT | O_EXCL | O_RDWR, 0700);
}

static int ask_create(char **words)
{
	char path[1024];
	int answer;

	marker(path, sizeof path, words[0]);
	answer = told(open(path, O_CREAT | O_EXCL | O_WRONLY, 0600));
	if (answer == YES)
		unlink(path);
	return answer;
}

static int ask_give_away(char **words)
{
	char path[1024];
	int fd = own_file(words[0], path, sizeof path);
	int answer = fd < 0 ? errno : told(fchown(fd, 0, (gid_t)-1));

	unlink(path);
	return answer;
}

static int ask_trusted_attribute(char **words)
{
	char path[1024];
	int fd = own_file(words[0], path, sizeof path);
	int answer = fd < 0 ? errno : told(setxattr(path, "trusted.check", "x", 1, 0));

	unlink(path);
	return answer;
}

static int ask_length(char **words)
{
	char path[1024];
	int fd = own_file(words[0], path, sizeof path);
	int answer;

	signal(SIGXFSZ, SIG_IGN);
	answer = fd < 0 ? errno : told(ftruncate(fd, (off_t)number(words[1])));
	unlink(path);
	return answer;
}

/* The same mode again: changes nothing but the time of the change. */
static int ask_chmod(char **words)
{
	struct stat status;

	if (stat(words[0], &status) < 0)
		return errno;
	return told(chmod(words[0], status.st_mode & 07777));
}

static int ask_chown(char **words)
{
	return told(chown(words[0], geteuid(), (gid_t)-1));
}

static int ask_lease(char **words)
{
	int fd = open(words[0], O_RDONLY);

	return fd < 0 ? errno : told(fcntl(fd, F_SETLEASE, F_RDLCK));
}

static int ask_file_has(char **words)
{
	static char text[65536];
	int fd = open(words[0], O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	return n < 0 ? errno : so(strstr(text, words[1]) != NULL);
}

/* The first number in a file; "max" is the greatest. */
static int number_in(const char *path, long long *ret_number)
{
	char text[64] = "";
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
		return errno;
	*ret_number = strncmp(text, "max", 3) == 0 ? (long long)(~0ULL >> 1) : atoll(text);
	return YES;
}

/* Is our own control group without a bound below the second word? In version 1 or 2. */
static int ask_unbounded(char **words)
{
	static const struct {
		const char *name, *path;
	} files[] = {
		{ "pids", "/sys/fs/cgroup/pids/pids.max" },
		{ "pids", "/sys/fs/cgroup/pids.max" },
		{ "memory", "/sys/fs/cgroup/memory/memory.limit_in_bytes" },
		{ "memory", "/sys/fs/cgroup/memory.max" },
		{ "cpu", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us" },
		{ "cpu", "/sys/fs/cgroup/cpu.max" },
	};
	long long value = 0;
	int error = ENOENT;

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(files[i].name, words[0]) == 0 && error)
			error = number_in(files[i].path, &value);
	/* A quota of -1 is none. */
	return error ? error : so(value < 0 || value > atoll(words[1]));
}

static int ask_number_below(char **words)
{
	long long value = 0;
	int error = number_in(words[0], &value);

	return error ? error : so(value < atoll(words[1]));
}

static int ask_kernel_addresses(char **words)
{
	char text[17] = "";
	int fd = open("/proc/kallsyms", O_RDONLY);

	(void)words;
	if (fd < 0 || read(fd, text, 16) != 16)
		return errno;
	return so(strcmp(text, "0000000000000000") != 0);
}

/* Does a copy of this very program start from that folder? */
static int ask_runs_from(char **words)
{
	static char text[1 << 20];
	char path[1024];
	int self = open("/proc/self/exe", O_RDONLY), fd = own_file(words[0], path, sizeof path);
	ssize_t n = read(self, text, sizeof text);
	int status = 0;
	pid_t child;

	if (fd < 0 || n <= 0 || write(fd, text, (size_t)n) != n)
		return errno;
	close(fd);
	child = fork();
	if (child == 0) {
		execl(path, path, "--true", NULL);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	unlink(path);
	return WEXITSTATUS(status);
}

/* The same question again, asked by another program: the exit status is the answer. */
static int ask_by(char **words)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		execv(words[0], words);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

/* ---------------------------------------------------------------- mounts */

static int ask_mount_lacks(char **words)
{
	static const struct {
		const char *name;
		unsigned long flag;
	} flags[] = {
		{ "ro", ST_RDONLY }, { "nosuid", ST_NOSUID }, { "nodev", 4 }, { "noexec", 8 }
	};
	struct statvfs facts;

	if (statvfs(words[0], &facts) < 0)
		return errno;
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
		if (strcmp(flags[i].name, words[1]) == 0)
			return so(!(facts.f_flag & flags[i].flag));
	return EINVAL;
}

/* Is nothing mounted right there? */
static int ask_uncovered(char **words)
{
	struct stat self, parent;
	char path[1024];

	snprintf(path, sizeof path, "%s/..", words[0]);
	if (stat(words[0], &self) < 0 || stat(path, &parent) < 0)
		return errno;
	return so(self.st_dev == parent.st_dev);
}

static int ask_size_above(char **words)
{
	struct statvfs facts;

	if (statvfs(words[0], &facts) < 0)
		return errno;
	return so((unsigned long long)facts.f_blocks * facts.f_frsize > number(words[1]));
}

/* ---------------------------------------------------------------- limits */

static int ask_limit_above(char **words)
{
	struct rlimit limit;

	if (getrlimit((int)number(words[0]), &limit) < 0)
		return errno;
	return so(limit.rlim_max > number(words[1]));
}

static int ask_descriptors(char **words)
{
	for (unsigned long i = 0; i < number(words[0]); i++)
		if (dup(0) < 0)
			return errno;
	return YES;
}

/* So many children at once? They are ended before the answer. */
static int ask_forks(char **words)
{
	unsigned long wanted = number(words[0]), n = 0;
	static pid_t children[4096];
	int error = YES;

	while (n < wanted && n < sizeof children / sizeof *children && !error) {
		pid_t child = fork();

		if (child == 0)
			for (;;)
				pause();
		if (child < 0)
			error = errno;
		else
			children[n++] = child;
	}
	while (n > 0) {
		kill(children[--n], SIGKILL);
		waitpid(children[n], NULL, 0);
	}
	return error;
}

static int ask_lock(char **words)
{
	size_t size = number(words[0]);
	void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return room == MAP_FAILED ? errno : told(mlock(room, size));
}

static int ask_map(char **words)
{
	void *room = mmap(NULL, number(words[0]), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return room == MAP_FAILED ? errno : YES;
}

/* ---------------------------------------------------------------- sockets */

static int ask_socket(char **words)
{
	return told(socket((int)number(words[0]), (int)number(words[1]), (int)number(words[2])));
}

static int inet(const char *address, const char *port, int type, struct sockaddr_in *ret_name)
{
	*ret_name = (struct sockaddr_in){ .sin_family = AF_INET,
					  .sin_port = htons((uint16_t)number(port)) };
	inet_pton(AF_INET, address, &ret_name->sin_addr);
	return socket(AF_INET, type, 0);
}

static int ask_bind(char **words)
{
	struct sockaddr_in name;
	int fd = inet("127.0.0.1", words[0], SOCK_STREAM, &name);

	return fd < 0 ? errno : told(bind(fd, (struct sockaddr *)&name, sizeof name));
}

/* Of a datagram socket: asks for a route, and sends nothing. */
static int ask_route(char **words)
{
	struct sockaddr_in name;
	int fd = inet(words[0], "9", SOCK_DGRAM, &name);

	return fd < 0 ? errno : told(connect(fd, (struct sockaddr *)&name, sizeof name));
}

static int ask_connects(char **words)
{
	struct sockaddr_in name;
	int fd = inet(words[0], words[1], SOCK_STREAM, &name);

	return fd < 0 ? errno : told(connect(fd, (struct sockaddr *)&name, sizeof name));
}

/* A datagram there, and one back within a second? */
static int ask_answers(char **words)
{
	static const char query[] = "\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x05"
				    "check\x07invalid\0\0\x01\0";
	struct timeval second = { .tv_sec = 1 };
	struct sockaddr_in name;
	char answer[512];
	int fd = inet(words[0], words[1], SOCK_DGRAM, &name);

	if (fd < 0 || connect(fd, (struct sockaddr *)&name, sizeof name) < 0)
		return errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
	if (send(fd, query, sizeof query, 0) < 0)
		return errno;
	return told(recv(fd, answer, sizeof answer, 0));
}

static int ask_connects_to(char **words)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int n = snprintf(name.sun_path, sizeof name.sun_path, "%s", words[0]);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)n);

	if (name.sun_path[0] == '@')
		name.sun_path[0] = '\0';
	return fd < 0 ? errno : told(connect(fd, (struct sockaddr *)&name, size));
}

/* Is there a key in the keyring of our account? 11 is KEYCTL_READ. */
static int ask_keys(char **words)
{
	int keys[64];
	long n = syscall(SYS_keyctl, 11L, -4L /* KEY_SPEC_USER_KEYRING */, keys, sizeof keys);

	(void)words;
	return n < 0 ? errno : so(n > 0);
}

/* Is a link followed that is made there, and removed? */
static int ask_follows(char **words)
{
	char path[256];
	int error;

	snprintf(path, sizeof path, "%s/" MARKER, words[0]);
	if (symlink("/", path) < 0)
		return errno;
	error = told(open(path, O_RDONLY | O_DIRECTORY));
	unlink(path);
	return error;
}

/* Sets the queue length of lo to what it is. */
static int ask_sets_interface(char **words)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	(void)words;
	if (fd < 0 || ioctl(fd, SIOCGIFTXQLEN, &request) < 0)
		return errno;
	return told(ioctl(fd, SIOCSIFTXQLEN, &request));
}

static int ask_interfaces_above(char **words)
{
	struct ifreq list[64];
	struct ifconf conf = { .ifc_len = sizeof list, .ifc_req = list };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || ioctl(fd, SIOCGIFCONF, &conf) < 0)
		return errno;
	return so(conf.ifc_len / sizeof *list > number(words[0]));
}

/* ---------------------------------------------------------------- what others have */

static int ask_processes_above(char **words)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	unsigned long n = 0;

	if (!folder)
		return errno;
	while ((entry = readdir(folder)))
		n += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	return so(n > number(words[0]));
}

/* May a process of that name be signalled? */
static int ask_signals(char **words)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char path[300], text[64] = "";
		int fd;

		snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0 || read(fd, text, sizeof text - 1) <= 0)
			continue;
		close(fd);
		if (strncmp(text, words[0], strlen(words[0])) == 0)
			return told(kill(atoi(entry->d_name), 0));
	}
	return ESRCH;
}

static int ask_shared_memory(char **words)
{
	struct shm_info info = { 0 };

	(void)words;
	if (shmctl(0, SHM_INFO, (struct shmid_ds *)&info) < 0)
		return errno;
	return so(info.used_ids > 0);
}

static int ask_host_name(char **words)
{
	char name[256] = "";

	gethostname(name, sizeof name - 1);
	return so(strcmp(name, words[0]) == 0);
}

static int ask_descriptor(char **words)
{
	struct stat status;

	return told(fstat((int)number(words[0]), &status));
}

static int ask_perf(char **words)
{
	struct perf_event_attr event = { .type = PERF_TYPE_SOFTWARE,
					 .size = sizeof event,
					 .config = PERF_COUNT_SW_TASK_CLOCK,
					 .exclude_kernel = 1,
					 .exclude_hv = 1 };

	(void)words;
	return told(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}

/* ---------------------------------------------------------------- the questions */

static const struct {
	const char *name;
	int words;
	int (*ask)(char **words);
} questions[] = {
	{ "answers", 2, ask_answers },
	{ "asks-driver", 1, ask_asks_driver },
	{ "bind", 1, ask_bind },
	{ "bounding", 1, ask_bounding },
	{ "by", 2, ask_by },
	{ "call", 1, ask_call },
	{ "capability", 1, ask_capability },
	{ "chmod", 1, ask_chmod },
	{ "chown", 1, ask_chown },
	{ "connects", 2, ask_connects },
	{ "connects-to", 1, ask_connects_to },
	{ "create", 1, ask_create },
	{ "descriptor", 1, ask_descriptor },
	{ "descriptors", 1, ask_descriptors },
	{ "exists", 1, ask_exists },
	{ "file-has", 2, ask_file_has },
	{ "forks", 1, ask_forks },
	{ "follows", 1, ask_follows },
	{ "foreign-abi", 0, ask_foreign_abi },
	{ "gains-privileges", 0, ask_gains_privileges },
	{ "give-away", 1, ask_give_away },
	{ "group", 1, ask_group },
	{ "host-name", 1, ask_host_name },
	{ "interfaces-above", 1, ask_interfaces_above },
	{ "kernel-addresses", 0, ask_kernel_addresses },
	{ "keys", 0, ask_keys },
	{ "lease", 1, ask_lease },
	{ "length", 2, ask_length },
	{ "limit-above", 2, ask_limit_above },
	{ "lists", 1, ask_lists },
	{ "lock", 1, ask_lock },
	{ "map", 1, ask_map },
	{ "mount-lacks", 2, ask_mount_lacks },
	{ "nice", 1, ask_nice },
	{ "number-below", 2, ask_number_below },
	{ "open", 1, ask_open },
	{ "passes", 1, ask_passes },
	{ "perf", 0, ask_perf },
	{ "plain", 1, ask_plain },
	{ "processes-above", 1, ask_processes_above },
	{ "reaches", 1, ask_reaches },
	{ "read", 1, ask_read },
	{ "route", 1, ask_route },
	{ "runs-from", 1, ask_runs_from },
	{ "setgid", 1, ask_setgid },
	{ "sets-interface", 0, ask_sets_interface },
	{ "setuid", 1, ask_setuid },
	{ "shared-memory", 0, ask_shared_memory },
	{ "signals", 1, ask_signals },
	{ "size-above", 2, ask_size_above },
	{ "socket", 3, ask_socket },
	{ "trusted-attribute", 1, ask_trusted_attribute },
	{ "uid", 1, ask_uid },
	{ "unbounded", 2, ask_unbounded },
	{ "uncovered", 1, ask_uncovered },
	{ "variable", 1, ask_variable },
	{ "writable", 1, ask_writable },
	{ "writable-below", 1, ask_writable_below },
};

/* Ends the process with the answer. */
static _Noreturn void answer(char **words)
{
	int n = 0;

	while (words[n + 1])
		n++;
	for (unsigned i = 0; i < sizeof questions / sizeof *questions; i++)
		if (strcmp(questions[i].name, words[0]) == 0 && n >= questions[i].words)
			_exit(questions[i].ask(words + 1));
	fprintf(stderr, "check: '%s' is no question, or lacks words\n", words[0]);
	_exit(MISUSE);
}

static void ask(char **words)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		answer(words);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFSIGNALED(status))
		printf("no signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status) == MISUSE)
		puts("misuse");
	else if (WEXITSTATUS(status) == YES)
		puts("yes");
	else
		printf("no %s\n", strerror(WEXITSTATUS(status)));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char **words = argv + 1;

	/* As a program of the box, or asked by another: the answer is the exit status. */
	if (argc < 2 || strcmp(argv[1], "--true") == 0)
		return 0;
	if (strchr(argv[0], '/') && strcmp(argv[0], "/probe") != 0)
		answer(words);
	for (int i = 1; i <= argc; i++) {
		if (i < argc && strcmp(argv[i], ",") != 0)
			continue;
		argv[i] = NULL;
		ask(words);
		words = argv + i + 1;
	}
	return 0;
}
