/* SPDX-License-Identifier: MIT */
/*
 * Which capabilities can really be used here: each is tried on something of our own, in this
 * trial's process, which ends with it. Those that only reach foreign things are the matter of other
 * scenarios. What works without the capability, because a setting or a limit permits it, counts.
 */
#include "scenarios/scenario.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* What is at hand for the tries. */
struct bench {
	struct trial *trial;
	struct chown_right chown;
	int store;   /* a nameless file of our own, or -1 */
	int foreign; /* another, given to somebody else; or -1 */
};

/* There was nothing to try it on. */
static const struct attempt not_tried = {
	.value = -1, .error = ECANCELED, .nr = -1, .reached = true
};

/* An errno that the kernel gives after its check of the capability, or for want of the object. */
static struct attempt as_worked(struct attempt a, int after_check)
{
	if (!attempt_worked(a) && a.reached && a.error == after_check) {
		a.value = 0;
		a.error = 0;
	}
	return a;
}

static struct attempt unless(struct attempt a, int missing)
{
	return a.reached && !attempt_worked(a) && a.error == missing ? not_tried : a;
}

/* ---------------------------------------------------------------- files */

static struct attempt use_chown(struct bench *bench)
{
	return bench->chown.held ? bench->chown.given : not_tried;
}

/* A file that somebody else owns, whose id is mapped: ours to begin with, else of the system. */
static int open_foreign(struct bench *bench, bool only_program)
{
	static const char *const places[] = { "/proc/self/exe", "/", "/usr", "/etc", "/dev/null" };
	struct trial *trial = bench->trial;
	unsigned n = only_program ? 1 : sizeof places / sizeof *places;

	for (unsigned i = 0; i < n; i++) {
		struct object object;
		struct attempt a = try_stat(trial, AT_FDCWD, places[i], 0, &object);

		if (!attempt_worked(a) || object.uid == origin()->euid ||
		    owner_mapping(trial, places[i], &object) != OWNER_MAPPED)
			continue;
		a = try_open(trial, places[i], O_RDONLY | O_NONBLOCK | O_NOCTTY);
		if (attempt_worked(a))
			return (int)a.value;
	}
	return -1;
}

/* Only the owner may ask that access times stay as they are, or who acts as any owner. */
static struct attempt use_fowner(struct bench *bench)
{
	int fd = bench->foreign >= 0 ? bench->foreign : open_foreign(bench, false);
	struct attempt a = not_tried;

	if (fd >= 0)
		a = try_call_as(bench->trial, "fvv", "fcntl", __NR_fcntl, fd, F_SETFL, O_NOATIME);
	if (fd != bench->foreign)
		close_fd(fd);
	return a;
}

static struct attempt use_dac_override(struct bench *bench)
{
	struct trial *trial = bench->trial;
	struct attempt store = try_store(trial), a;
	int fd = (int)store.value;
	char path[32];

	if (!attempt_worked(store))
		return not_tried;
	if (!attempt_worked(try_chmod(trial, fd, NULL, 0))) {
		close_fd(fd);
		return not_tried;
	}
	format_text(path, sizeof path, "/proc/self/fd/%d", fd);
	a = try_open(trial, path, O_RDWR);
	close_fd((int)a.value);
	if (!attempt_worked(a) && a.error != EACCES && a.error != EPERM) {
		/* Without /proc nothing leads to a file without a name. */
		a = try_call_as(trial, "fpvv", "faccessat2", 439, fd, "", 2 /* W_OK */,
				AT_EACCESS | AT_EMPTY_PATH);
		a = unless(unless(a, EINVAL), ENOSYS);
	}
	close_fd(fd);
	return a;
}

/* A set of no capabilities: version 2 of struct vfs_cap_data. */
static struct attempt use_setfcap(struct bench *bench)
{
	const uint32_t none[5] = { 0x02000000 };

	if (bench->store < 0)
		return not_tried;
	return unless(try_call_as(bench->trial, "fpppv", "fsetxattr", __NR_fsetxattr, bench->store,
				  "security.capability", none, sizeof none, 0),
		      EOPNOTSUPP);
}

static struct attempt use_linux_immutable(struct bench *bench)
{
	struct trial *trial = bench->trial;
	int flags = 0, with;
	struct attempt a;

	if (bench->store < 0 || !attempt_worked(try_call_as(trial, "fvp", "ioctl", __NR_ioctl,
							    bench->store, FS_IOC_GETFLAGS, &flags)))
		return not_tried;
	with = flags | FS_APPEND_FL;
	a = try_call_as(trial, "fvp", "FS_IOC_SETFLAGS", __NR_ioctl, bench->store, FS_IOC_SETFLAGS,
			&with);
	if (attempt_worked(a))
		try_call_as(trial, "fvp", "FS_IOC_SETFLAGS", __NR_ioctl, bench->store,
			    FS_IOC_SETFLAGS, &flags);
	return unless(unless(a, EOPNOTSUPP), ENOTTY);
}

/* On our own program, or a file of ours given away; it is dropped at once. */
static struct attempt use_lease(struct bench *bench)
{
	int fd = bench->foreign >= 0 ? bench->foreign : open_foreign(bench, true);
	struct attempt a = not_tried;

	if (fd >= 0)
		/* EAGAIN: permitted, but the file is open for writing. */
		a = unless(as_worked(try_call_as(bench->trial, "fvv", "F_SETLEASE", __NR_fcntl, fd,
						 F_SETLEASE, F_RDLCK),
				     EAGAIN),
			   EINVAL);
	if (attempt_worked(a))
		try_call_as(bench->trial, "fvv", "F_SETLEASE", __NR_fcntl, fd, F_SETLEASE, F_UNLCK);
	if (fd != bench->foreign)
		close_fd(fd);
	return a;
}

/* ---------------------------------------------------------------- network */

/* Ports that nobody uses. One that is used is as good: permission is asked first. */
static struct attempt use_net_bind_service(struct bench *bench)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons(2),
					     .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct attempt made = try_socket(bench->trial, AF_INET, SOCK_DGRAM, 0), a;

	if (!attempt_worked(made))
		return made.reached ? not_tried : made;
	a = try_call_as(bench->trial, "fpp", "bind", __NR_bind, made.value, &address,
			sizeof address);
	close_fd((int)made.value);
	return unless(as_worked(a, EADDRINUSE), EADDRNOTAVAIL);
}

/* To drop the IPsec policy of a socket of our own, which has none. */
static struct attempt use_net_admin(struct bench *bench)
{
	struct attempt made = try_socket(bench->trial, AF_INET, SOCK_DGRAM, 0), a;

	if (!attempt_worked(made))
		return made.reached ? not_tried : made;
	a = try_call_as(bench->trial, "fvvpp", "setsockopt", __NR_setsockopt, made.value,
			IPPROTO_IP, 17 /* IP_XFRM_POLICY */, NULL, 0);
	/* To read one from nowhere fails, unless somebody says yes to everything. */
	if (attempt_worked(a) &&
	    attempt_worked(try_call_as(bench->trial, "fvvpp", "setsockopt", __NR_setsockopt,
				       made.value, IPPROTO_IP, 17, NULL, 1)))
		a = not_tried;
	close_fd((int)made.value);
	return unless(unless(a, ENOPROTOOPT), EOPNOTSUPP);
}

/* ---------------------------------------------------------------- the process itself */

/* To where the root is already. */
static struct attempt use_sys_chroot(struct bench *bench)
{
	return try_call(bench->trial, "chroot", __NR_chroot, "/");
}

/* The first version of the kernel's struct sched_attr, of 48 bytes. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static struct attempt use_sys_nice(struct bench *bench)
{
	struct attempt now =
		try_call(bench->trial, "getpriority", __NR_getpriority, PRIO_PROCESS, 0);
	long nice = 20 - now.value; /* the call answers 20 - nice */
	int lower = nice > 0 ? -1 : (int)nice - 1;
	const struct scheduling wanted = { .size = sizeof wanted, .nice = lower };
	struct attempt a;

	if (!attempt_worked(now) || nice <= -20)
		return not_tried;
	a = try_call(bench->trial, "setpriority", __NR_setpriority, PRIO_PROCESS, 0, lower);
	if (!a.reached)
		a = try_call_as(bench->trial, "vpv", "sched_setattr", __NR_sched_setattr, 0,
				&wanted, 0);
	if (attempt_worked(a))
		try_call(bench->trial, "setpriority", __NR_setpriority, PRIO_PROCESS, 0, nice);
	return a;
}

static struct attempt set_limit(struct bench *bench, int resource, uint64_t soft, uint64_t hard)
{
	const uint64_t pair[2] = { soft, hard };
	struct attempt a = try_call_as(bench->trial, "vvpp", "prlimit64", __NR_prlimit64, 0,
				       resource, pair, NULL);

	return a.reached ? a
			 : try_call_as(bench->trial, "vp", "setrlimit", __NR_setrlimit, resource,
				       pair);
}

/* A hard limit, lowered and raised again: of memory dumps, which a trial does not make. */
static struct attempt use_sys_resource(struct bench *bench)
{
	struct attempt lowered = set_limit(bench, RLIMIT_CORE, 0, 0);

	return attempt_worked(lowered) ? set_limit(bench, RLIMIT_CORE, 0, 4096)
	       : lowered.reached       ? not_tried
				       : lowered;
}

static struct attempt use_ipc_lock(struct bench *bench)
{
	char byte = 0;
	struct attempt lowered = set_limit(bench, RLIMIT_MEMLOCK, 0, 0), a;

	if (!attempt_worked(lowered))
		return not_tried;
	a = try_call_as(bench->trial, "pp", "mlock", __NR_mlock, &byte, 1);
	if (!a.reached)
		a = try_call_as(bench->trial, "ppv", "mlock2", __NR_mlock2, &byte, 1, 0);
	if (attempt_worked(a))
		try_call_as(bench->trial, "pp", "munlock", __NR_munlock, &byte, 1);
	return a;
}

#define ALARM_CLOCK 8 /* CLOCK_REALTIME_ALARM */

/* Not armed: the clock that would wake the machine is only opened. */
static struct attempt use_wake_alarm(struct bench *bench)
{
	struct attempt a = try_call(bench->trial, "timerfd_create", __NR_timerfd_create,
				    ALARM_CLOCK, O_CLOEXEC);
	int timer = -1;

	close_fd((int)a.value);
	if (!a.reached)
		a = try_call_as(bench->trial, "vpp", "timer_create", __NR_timer_create, ALARM_CLOCK,
				NULL, &timer);
	return unless(unless(a, EINVAL), EOPNOTSUPP);
}

/* One of the least, that was tried before. */
static struct attempt use_setpcap(struct bench *bench)
{
	return try_call(bench->trial, "prctl", __NR_prctl, PR_CAPBSET_DROP, CAP_WAKE_ALARM, 0, 0,
			0);
}

static gid_t other_gid(struct trial *trial)
{
	const struct origin *given = origin();
	const gid_t own = given->egid, likely[] = { 0, 1, 1000, 65534, own + 1 };

	for (unsigned i = 0; i < sizeof likely / sizeof *likely; i++)
		if (likely[i] != own && likely[i] != given->gid && likely[i] != given->sgid &&
		    gid_is_mapped(trial, likely[i], NULL))
			return likely[i];
	return own + 1;
}

/* Calls of three, two and one number; the first that the filter lets pass is made. */
static const struct id_call {
	const char *name;
	long nr;
} gid_calls[3] = { { "setresgid", __NR_setresgid },
		   { "setregid", __NR_setregid },
		   { "setgid", __NR_setgid } },
  uid_calls[3] = { { "setresuid", __NR_setresuid },
		   { "setreuid", __NR_setreuid },
		   { "setuid", __NR_setuid } };

static struct attempt take_id(struct trial *trial, const struct id_call calls[3], uint32_t to)
{
	static const char *const letters[3] = { "uuu", "uu", "u" };
	struct attempt a = not_tried;

	for (unsigned i = 0; i < 3; i++) {
		a = try_call_as(trial, letters[i], calls[i].name, calls[i].nr, to, to, to);
		if (a.reached)
			break;
	}
	return a;
}

static struct attempt use_setgid(struct bench *bench)
{
	gid_t to = other_gid(bench->trial);

	return take_id(bench->trial, gid_calls, to);
}

static struct attempt use_setuid(struct bench *bench)
{
	return take_id(bench->trial, uid_calls, bench->chown.to);
}

/* ---------------------------------------------------------------- others */

struct killing {
	struct trial *trial;
	struct attempt answer;
};

/* Signal 0, which only asks. The capability may count over one and not over another. */
static bool ask_process(void *context, const struct process *process)
{
	struct killing *killing = context;
	struct attempt a;

	if (!process->other_uid || process->number <= 0)
		return true;
	a = unless(try_signal(killing->trial, process->number), ESRCH);
	if (a.error == ECANCELED)
		return true;
	killing->answer = a;
	return !attempt_worked(a) && has_capability(CAP_KILL);
}

static struct attempt use_kill(struct bench *bench)
{
	struct killing killing = { bench->trial, not_tried };

	each_process(bench->trial, ask_process, &killing);
	return killing.answer;
}

/* In the order of trying: from SETPCAP on this process is another than it was. */
enum { MAKE_NODE = 12, FIRST_ID = 16 };

static const struct use {
	int capability;
	struct attempt (*use)(struct bench *bench);
	bool by_others; /* a setting or a limit may permit it, too */
} uses[] = {
	{ CAP_CHOWN, use_chown, false },
	{ CAP_FOWNER, use_fowner, false },
	{ CAP_DAC_OVERRIDE, use_dac_override, false },
	{ CAP_SETFCAP, use_setfcap, false },
	{ CAP_LINUX_IMMUTABLE, use_linux_immutable, false },
	{ CAP_LEASE, use_lease, false },
	{ CAP_NET_BIND_SERVICE, use_net_bind_service, true },
	{ CAP_NET_ADMIN, use_net_admin, false },
	{ CAP_SYS_CHROOT, use_sys_chroot, false },
	{ CAP_SYS_NICE, use_sys_nice, true },
	{ CAP_SYS_RESOURCE, use_sys_resource, false },
	{ CAP_IPC_LOCK, use_ipc_lock, false },
	{ CAP_MKNOD, NULL, false },
	{ CAP_KILL, use_kill, false },
	{ CAP_WAKE_ALARM, use_wake_alarm, false },
	{ CAP_SETPCAP, use_setpcap, false },
	{ CAP_SETGID, use_setgid, false },
	{ CAP_SETUID, use_setuid, false },
};

static const struct case_def cases[] = {
	{ "chown", NULL, 0, 0, 0 },
	{ "fowner", NULL, 0, 0, 0 },
	{ "dac-override", NULL, 0, 0, 0 },
	{ "setfcap", NULL, 0, 0, 0 },
	{ "linux-immutable", NULL, 0, 0, 0 },
	{ "lease", NULL, 0, 0, 0 },
	{ "net-bind-service", NULL, 0, 0, 0 },
	{ "net-admin", NULL, 0, 0, 0 },
	{ "sys-chroot", NULL, 0, 0, 0 },
	{ "sys-nice", NULL, 0, 0, 0 },
	{ "sys-resource", NULL, 0, 0, 0 },
	{ "ipc-lock", NULL, 0, 0, 0 },
	{ "mknod", NULL, 0, 0, 0 },
	{ "kill", NULL, 0, 0, 0 },
	{ "wake-alarm", NULL, 0, 0, 0 },
	{ "setpcap", NULL, 0, 0, 0 },
	{ "setgid", NULL, 0, 0, 0 },
	{ "setuid", NULL, 0, 0, 0 },
};
_Static_assert(sizeof cases / sizeof *cases == sizeof uses / sizeof *uses, "one case for each use");

/* ---------------------------------------------------------------- settling */

/* There was nothing to try it on: whoever lacks the capability could not have used it, either. */
static void settle_untried(struct trial *trial, int case_index)
{
	const struct use *use = &uses[case_index];
	struct attempt a = not_tried;

	note_flag(trial, case_index, "tried", false);
	if (use->by_others || !(origin()->told & GIVEN_EFFECTIVE) ||
	    has_capability(use->capability)) {
		settle_unknown(trial, case_index, REASON_SETUP_FAILED);
		return;
	}
	a.error = EPERM;
	settle(trial, case_index, a, .not_held = true);
}

static void settle_use(struct trial *trial, int case_index, struct attempt a)
{
	const struct use *use = &uses[case_index];
	bool is_id = case_index >= FIRST_ID || use->capability == CAP_CHOWN;

	if (a.error == ECANCELED && !attempt_worked(a)) {
		settle_untried(trial, case_index);
		return;
	}
	if (attempt_worked(a) && (origin()->told & GIVEN_EFFECTIVE) &&
	    !has_capability(use->capability)) {
		note_flag(trial, case_index, "without_capability", true);
		if (use->capability == CAP_NET_BIND_SERVICE) /* Linux 4.11; docker sets it to 0 */
			note_text(trial, case_index, "setting",
				  "net.ipv4.ip_unprivileged_port_start");
		/* What takes the kernel's place may take it lightly: nothing of the host's is
		 * meant. */
		if (kernel_is_emulated(trial)) {
			a = not_tried;
			a.error = EPERM;
			settle(trial, case_index, a, .not_held = true);
			return;
		}
	}
	settle(trial, case_index, a, .capability = NEEDS_CAP(use->capability),
	       .id_unmapped = is_id && a.reached && a.error == EINVAL);
}

static void try_node_of_our_own(struct trial *trial)
{
	const char *folder = scratch_folder(trial);
	char path[512];
	struct attempt a;

	if (!folder || !own_name(trial, folder, "", "", path, sizeof path)) {
		settle_untried(trial, MAKE_NODE);
		return;
	}
	a = try_make_node(trial, path, S_IFCHR | 0600, 1, 3); /* the null device */
	if (attempt_worked(a))
		drop_name(trial, path);
	settle_make_node(trial, MAKE_NODE, folder, a, NULL);
}

static int give_away(struct trial *trial, const struct chown_right *right)
{
	struct attempt store;

	if (!attempt_worked(right->given) || right->to == origin()->euid)
		return -1;
	store = try_store(trial);
	if (attempt_worked(store) &&
	    attempt_worked(try_chown(trial, (int)store.value, right->to, (gid_t)-1)))
		return (int)store.value;
	close_fd((int)store.value);
	return -1;
}

static void attempt(struct trial *trial)
{
	struct bench bench = { .trial = trial, .chown = try_chown_right(trial, ANY_OTHER_ID) };

	bench.store = (int)try_store(trial).value;
	bench.foreign = give_away(trial, &bench.chown);
	for (int i = 0; i < (int)(sizeof uses / sizeof *uses); i++) {
		if (i == MAKE_NODE)
			try_node_of_our_own(trial);
		else
			settle_use(trial, i, uses[i].use(&bench));
	}
	close_fd(bench.store);
	close_fd(bench.foreign);
}

#define NOBODY_ELSE 1 /* how any other id is asked about */
static const struct question asks[] = {
	{ __NR_fcntl, { -1, F_SETFL, O_NOATIME } },
	{ __NR_fcntl, { -1, F_SETLEASE, F_RDLCK } },
	{ __NR_fcntl, { -1, F_SETLEASE, F_UNLCK } },
	{ __NR_openat2, { (unsigned long)AT_FDCWD, 0, 0, 24 } },
	{ __NR_ioctl, { -1, FS_IOC_SETFLAGS } },
	{ __NR_bind, { -1 } },
	{ __NR_setsockopt, { -1, IPPROTO_IP, 17, 0, 0 } },
	{ __NR_chroot, { 0 } },
	{ __NR_getpriority, { PRIO_PROCESS, 0 } },
	{ __NR_setpriority, { PRIO_PROCESS, 0, -1 } },
	{ __NR_prlimit64, { 0, RLIMIT_CORE } },
	{ __NR_prlimit64, { 0, RLIMIT_MEMLOCK } },
	{ __NR_mlock, { 0 } },
	{ __NR_munlock, { 0 } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFCHR | 0600, 1 << 8 | 3 } },
	{ __NR_timerfd_create, { ALARM_CLOCK, O_CLOEXEC } },
	{ __NR_prctl, { PR_CAPBSET_DROP, CAP_WAKE_ALARM } },
	{ __NR_setresgid, { 0 } },
	{ __NR_setresgid, { NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE } },
	{ __NR_setresuid, { 0 } },
	{ __NR_setresuid, { NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE } },
};

const struct scenario scenario_privilege_capability_use = {
	.about = ABOUT(
		.title = "Use capabilities",
		.accessed = "Code in the sandbox can do what takes a capability.",
		.denied = "Code in the sandbox can do nothing of what takes a capability.",
		.why = "A capability that is held may still be of no use, and one that is not "
		       "may be given back by a setting. What works is what counts.",
		.how = "Each is tried on something of our own, in a process that ends with the "
		       "trial. What only reaches foreign things is the matter of other "
		       "scenarios. What works without the capability (without_capability) no "
		       "dropping of capabilities closes: low ports are closed by "
		       "net.ipv4.ip_unprivileged_port_start=1024, which docker sets to 0.",
		.see = "CWE-250",
		.open = "O +NET_BIND_SERVICE",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.views = VIEW_PROCESSES,
	.fix = FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
