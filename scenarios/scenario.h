/* SPDX-License-Identifier: MIT */
/*
 * All that a scenario file sees. A scenario is one file, scenarios/<category>/<name>.c, that
 * holds one function and one record called scenario_<category>_<name>; the folder gives the
 * category, the file name the id ("system.cpu"), and nothing else needs an edit.
 *
 *	static void attempt(struct trial *trial)
 *	{
 *		struct sysinfo_facts facts;
 *		struct attempt a = try_call(trial, "sysinfo", __NR_sysinfo, &facts);
 *
 *		note_number(trial, WHOLE, "bytes", …);
 *		settle(trial, WHOLE, a);
 *	}
 *
 * attempt() runs in a guarded child of its own: it may be killed, hang or crash without harm to
 * the other scenarios. It must not allocate, print, call exit() or keep global state. System
 * calls go through the try_ functions: raw calls, the modern form first, siblings when a filter
 * refuses a form. A try_ function never changes errno and returns what happened as a value.
 *
 * A scenario names *controls*; settle() alone turns an attempt and its controls into a status
 * and a set of barriers. Calling it several times for one case adds up: accessed if any attempt
 * was, else unknown if any was, else denied by all the barriers shown.
 */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "base/vocabulary.h"

struct trial;
struct walk_entry;
struct walk_result;
struct tally;

/* ---------------------------------------------------------------- the record */

/* A system call to ask the filter about (control K1). It is never executed. */
struct question {
	long nr;
	unsigned long args[6];
};

/* One object or argument of a scenario. Kinds are bits of enum place. */
struct case_def {
	const char *name;        /* on the wire: lower case, hyphens */
	const char *path;        /* what it is about; see find_place() for patterns; may be NULL */
	uint8_t severity;        /* enum severity; SEVERITY_INHERIT: the scenario's */
	uint8_t level;           /* enum level: the lowest at which it is tried (0: observe) */
	uint16_t kind;
};

enum place {
	PLACE_PROGRAM = 1 << 0, /* runs: never opened for writing */
	PLACE_FOLDER = 1 << 1,
	PLACE_RESTRICTED = 1 << 2, /* holds hashes or keys */
	/* Named by the owner, path: "target.NAME"; where it is not, the case is left out. */
	PLACE_TARGET = 1 << 3,
};

enum view {
	VIEW_NUMBERS = 1 << 0, /* the filter's answer to every call's number: ask_number() */
	VIEW_WALK = 1 << 1,
	VIEW_MOUNTS = 1 << 2,
	VIEW_PROCESSES = 1 << 3,
	VIEW_SOCKETS = 1 << 4, /* see settle_sockets() */
};

/* What the guard must leave as the sandbox made it. */
enum keep { KEEP_LIMITS = 1 << 0, KEEP_STDIO = 1 << 1, KEEP_DESCRIPTORS = 1 << 2, KEEP_CWD = 1 << 3 };

/* What people and tests read. */
struct about {
	const char *title;    /* "Read the kernel and distribution" – no full stop */
	const char *accessed; /* two whole sentences about the sandbox: "Code in the sandbox can …" */
	const char *denied;   /* "Code in the sandbox cannot …" */
	const char *why;      /* why it matters; one to three sentences */
	const char *how;      /* how it is found out, where nobody would guess; or NULL */
	const char *see;      /* references: "T1082, CWE-497" */
	const char *paper;    /* its name in the paper's list, or NULL: beyond the paper */
	bool ours;            /* the paper names the group but not this member */
	const char *open, *closed; /* fixtures: see docs/fixtures.md */
	barrier_set closed_by;     /* barriers that the closed fixture must name */
};

/*
 * A third of the program that runs inside would be text that a run does not need: its records are
 * compiled without, and it has the text in one packed piece (probe/about.c).
 */
#ifdef COMPACT_RECORDS /* … and of the tables it has no more than their length. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunneeded-internal-declaration"
#endif
struct about_apart {};
#define ABOUT(...) {}
#else
#define about_apart about
#define ABOUT(...) { __VA_ARGS__ }
#endif

struct scenario {
	struct about_apart about; /* ABOUT(.title = …, …) */
	uint8_t severity; /* enum severity */
	uint8_t level;    /* enum level */
	bool exclusive;   /* runs alone, nothing beside it */
	bool overlaps;    /* waits (network): may run beside others that overlap */
	bool compares;    /* uses outside_status(): the host passes the baseline's status in */
	uint8_t needs;    /* enum need */
	uint8_t views;    /* enum view */
	uint8_t keep;     /* enum keep */
	remedy_set fix;   /* FIX(NET) | FIX(MASK) */

	uint16_t n_cases, n_asks;
#ifdef COMPACT_RECORDS
	const struct case_def **cases_at; /* where they are unpacked to */
	const struct question **asks_at;
#else
	const struct case_def *cases;
	const struct question *asks; /* questions beyond those every try_ function brings */
#endif

	void (*visit)(const struct walk_entry *entry, struct tally *tally);
	void (*attempt)(struct trial *trial);
};

#ifdef COMPACT_RECORDS
#define CASES(table)                                                                               \
	.n_cases = sizeof(table) / sizeof *(table), .cases_at = &(const struct case_def *){ NULL }
#define ASKS(table)                                                                                \
	.n_asks = sizeof(table) / sizeof *(table), .asks_at = &(const struct question *){ NULL }
#define cases_of(scenario) (*(scenario)->cases_at)
#define asks_of(scenario) (*(scenario)->asks_at)
#else
#define CASES(table) .cases = (table), .n_cases = sizeof(table) / sizeof *(table)
#define ASKS(table) .asks = (table), .n_asks = sizeof(table) / sizeof *(table)
#define cases_of(scenario) ((scenario)->cases)
#define asks_of(scenario) ((scenario)->asks)
#endif

/* ---------------------------------------------------------------- places: rows for case tables */

#define CRITICAL_TEXTS(sev)                                                                        \
	{ "etc-passwd", "/etc/passwd", sev, 0, 0 }, { "etc-group", "/etc/group", sev, 0, 0 },      \
		{ "etc-hosts", "/etc/hosts", sev, 0, 0 },                                          \
		{ "etc-resolv-conf", "/etc/resolv.conf", sev, 0, 0 },                              \
		{ "etc-sshd-config", "/etc/ssh/sshd_config", sev, 0, 0 },                          \
		{ "etc-crontab", "/etc/crontab", sev, 0, 0 },                                      \
		{ "etc-fstab", "/etc/fstab", sev, 0, 0 },                                          \
	{ "etc-ld-so-cache", "/etc/ld.so.cache", sev, 0, 0 }
/* Critical and restricted at once. */
#define CRITICAL_SECRETS(sev)                                                                      \
	{ "etc-shadow", "/etc/shadow", sev, 0, PLACE_RESTRICTED },                                 \
		{ "etc-gshadow", "/etc/gshadow", sev, 0, PLACE_RESTRICTED },                       \
	{ "etc-sudoers", "/etc/sudoers", sev, 0, PLACE_RESTRICTED }
/* By their usual names first, for the folder may not be listed. */
#define LOADERS                                                                                    \
	"/lib64/ld-linux-x86-64.so.2|/lib/ld-linux-aarch64.so.1|"                                  \
	"/lib64/ld-linux-*|/lib/ld-linux-*|/lib/ld-musl-*"
#define CRITICAL_PROGRAMS(sev)                                                                     \
	{ "bin-sh", "/bin/sh", sev, 0, PLACE_PROGRAM },                                            \
		{ "usr-bin-env", "/usr/bin/env", sev, 0, PLACE_PROGRAM },                          \
	{ "loader", LOADERS, sev, 0, PLACE_PROGRAM }
#define CRITICAL_FILES(sev) CRITICAL_TEXTS(sev), CRITICAL_SECRETS(sev), CRITICAL_PROGRAMS(sev)
/* Restricted, but not among the critical files. */
#define RESTRICTED_OTHERS(sev)                                                                     \
	{ "root-home", "/root", sev, 0, PLACE_RESTRICTED | PLACE_FOLDER },                         \
		{ "ssh-host-key", "/etc/ssh/*_key", sev, 0, PLACE_RESTRICTED },                    \
		{ "boot-file", "/boot/*", sev, 0, PLACE_RESTRICTED },                              \
	{ "auth-log", "/var/log/auth.log", sev, 0, PLACE_RESTRICTED }
#define CRITICAL_ROOT(sev) { "root-folder", "/", sev, 0, PLACE_FOLDER }
#define CRITICAL_FOLDERS(sev)                                                                      \
	{ "boot", "/boot", sev, 0, PLACE_FOLDER }, { "etc", "/etc", sev, 0, PLACE_FOLDER },        \
		{ "etc-cron-d", "/etc/cron.d", sev, 0, PLACE_FOLDER },                             \
		{ "home", "/home", sev, 0, PLACE_FOLDER }, { "lib", "/lib", sev, 0, PLACE_FOLDER },\
		{ "opt", "/opt", sev, 0, PLACE_FOLDER }, { "root", "/root", sev, 0, PLACE_FOLDER },\
		{ "sbin", "/sbin", sev, 0, PLACE_FOLDER }, { "srv", "/srv", sev, 0, PLACE_FOLDER },\
		{ "usr", "/usr", sev, 0, PLACE_FOLDER },                                           \
		{ "usr-bin", "/usr/bin", sev, 0, PLACE_FOLDER },                                   \
		{ "usr-lib", "/usr/lib", sev, 0, PLACE_FOLDER },                                   \
		{ "usr-local-bin", "/usr/local/bin", sev, 0, PLACE_FOLDER },                       \
		{ "var", "/var", sev, 0, PLACE_FOLDER },                                           \
		{ "var-lib", "/var/lib", sev, 0, PLACE_FOLDER },                                   \
	{ "var-log", "/var/log", sev, 0, PLACE_FOLDER }

/*
 * Resolve a case's path into `buffer`: alternatives are separated by "|", the last component
 * may hold one "*"; the first that exists wins. Returns false when none exists (then `buffer`
 * holds the first alternative, for the control on its parent).
 */
bool find_place(struct trial *trial, const char *pattern, char *buffer, size_t size);
/* The next that matches a pattern with a "*", in order after `buffer`; false: no more. */
bool find_next_place(struct trial *trial, const char *pattern, char *buffer, size_t size);

/* ---------------------------------------------------------------- the trial */

#define WHOLE (-1) /* in place of a case index: the scenario as a whole */

const struct scenario *trial_scenario(const struct trial *trial);
/* A row of its case table. */
const struct case_def *case_of(const struct trial *trial, int case_index);
/* A row of its .asks. Tables are read by these two alone: the probe has them packed. */
const struct question *question_of(const struct trial *trial, int index);
enum level trial_level(const struct trial *trial);
/* False for a case that the level excludes: skip it, it is not emitted and does not count. */
bool case_is_planned(const struct trial *trial, int case_index);
/*
 * True where we may be outside any sandbox (baseline, `none`, or nobody said): foreign files
 * are never opened for writing there, proxies decide (and the evidence says "proxy").
 */
bool trial_is_outside(const struct trial *trial);
/* The value of a host fact ("ns.net", "target.NAME"), or NULL. */
const char *host_fact(const struct trial *trial, const char *name);
/*
 * What the owner declares ("target.mounts"), one after another; false: no more.
 *
 *	for (size_t at = 0; next_target(trial, "target.mounts", &at, path, sizeof path);)
 */
bool next_target(const struct trial *trial, const char *name, size_t *at, char *buffer,
		 size_t size);
bool is_target(const struct trial *trial, const char *name, const char *value);
/* The baseline's status of this scenario; STATUS_UNKNOWN when there is none. Needs .compares. */
enum status outside_status(const struct trial *trial);
/* SipHash-2-4 of the data under the run's key: the same secret can be recognised, never read. */
uint64_t keyed_hash(const struct trial *trial, const void *data, size_t n);
/*
 * Things that are known by their keyed hash alone. measure_hash() says the case's; compare_hash()
 * whether the baseline measured the same for this case. Outside it is the same by itself. Needs
 * .compares.
 */
enum likeness {
	LIKENESS_NOT_TOLD, /* no baseline */
	LIKENESS_SAME,
	LIKENESS_OTHER,
	LIKENESS_NONE, /* the baseline found none */
};
void measure_hash(struct trial *trial, int case_index, const char *text);
enum likeness compare_hash(struct trial *trial, int case_index, const char *text);
/* The run's nonce for markers, 16 hexadecimal digits. */
const char *trial_nonce(const struct trial *trial);

/*
 * Evidence is what is the same in a second run of the same sandbox, measured is what varies.
 * Text is copied (cut at 400 bytes) and cleaned on the wire. Never the content of a secret.
 * Writing the same name for the same case again replaces it.
 */
void note_text(struct trial *trial, int case_index, const char *name, const char *text);
void note_number(struct trial *trial, int case_index, const char *name, int64_t number);
void note_flag(struct trial *trial, int case_index, const char *name, bool flag);
void measure_number(struct trial *trial, int case_index, const char *name, int64_t number);
void measure_text(struct trial *trial, int case_index, const char *name, const char *text);
/* A number of /proc/sys, by the name of sysctl(8): "kernel.dmesg_restrict". False: not told. */
bool read_setting(struct trial *trial, const char *name, int64_t *ret_value);
/* Does the kernel, as far as it tells, keep even root from altering it? kernel_lockdown(7) */
bool is_locked_down(struct trial *trial);
/* Does the kernel count how often another one is prepared, and would it count a refused call, too? */
bool kexec_is_counted(struct trial *trial);
/*
 * What uname(2) tells, its release from the file where the call is refused, feigned or disguised.
 * False: that is not told. Asks for uname and personality(0xffffffff).
 */
struct utsname;
bool read_release(struct trial *trial, struct utsname *name);
/* A thing discovered at run time: at most 16 are kept, the rest are counted. */
void report_object(struct trial *trial, const char *kind, const char *path);

/* ---------------------------------------------------------------- attempts */

/* What one call did. */
struct attempt {
	long value;       /* ≥ 0: it worked (descriptor, count, pid …); < 0: it did not */
	const char *call; /* the form that answered, for the evidence */
	int nr;           /* its number */
	int error;        /* errno of the refusal; 0 with value < 0: worked, but found nothing */
	bool reached;     /* false: the filter refuses every form (K1), the kernel was not asked */
};

#define attempt_worked(a) ((a).value >= 0)
/* The call worked but did not return the expected outcome (an empty file, an empty list). */
struct attempt found_nothing(struct attempt a);
/* Nothing was called: a thing that was looked up in what the process was given. */
struct attempt found_in_process(bool found);

/*
 * One call with no siblings; arguments as for syscall(2), at most six. K1 is asked first with
 * the same arguments: if the filter refuses, the call is not made.
 */
#define try_call(trial, name, nr, ...)                                                             \
	try_call_six(trial, name, nr, CALL_PAD(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0))
/*
 * The same with a letter for each argument, so that the filter's answer is known beforehand: v a
 * value that filters look at, f a descriptor, i a pid, p a pointer or size (attempts.h).
 */
#define try_call_as(trial, letters, name, nr, ...)                                                 \
	try_call_six_as(trial, letters, name, nr,                                                  \
			CALL_PAD(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0))
#define CALL_PAD(...) CALL_FIRST_6(__VA_ARGS__)
#define CALL_CAST(...)                                                                             \
	CALL_PICK(__VA_ARGS__ __VA_OPT__(, ) CALL_6, CALL_5, CALL_4, CALL_3, CALL_2, CALL_1, CALL_0)\
	(__VA_ARGS__)
#define CALL_PICK(...) CALL_PICK_(__VA_ARGS__)
#define CALL_PICK_(...) CALL_PICK7(__VA_ARGS__)
/* One by one: that takes less room at each of the many calls than an array. */
struct attempt try_call_six(struct trial *trial, const char *name, long nr, unsigned long a,
			    unsigned long b, unsigned long c, unsigned long d, unsigned long e,
			    unsigned long f);
struct attempt try_call_six_as(struct trial *trial, const char *letters, const char *name, long nr,
			       unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			       unsigned long e, unsigned long f);
struct attempt try_call_with(struct trial *trial, const char *name, long nr,
			     const unsigned long args[6]);
struct attempt try_call_by_letters(struct trial *trial, const char *letters, const char *name,
				   long nr, const unsigned long args[6]);

/*
 * Files. Each tries its siblings (openat2, openat, open …). `dir` is a descriptor or AT_FDCWD.
 * O_CLOEXEC is added to every open. try_read reads at most `size` bytes of a file into
 * `buffer` (opens, reads, closes; value = bytes; not NUL-terminated). try_list counts the
 * entries of a folder besides "." and "..", calling `each` (may be NULL) until it returns false.
 */
struct attempt try_open(struct trial *trial, const char *path, int flags);
struct attempt try_open_at(struct trial *trial, int dir, const char *path, int flags, mode_t mode);
struct attempt try_read(struct trial *trial, const char *path, void *buffer, size_t size);
/* The same for text: at most size - 1 bytes, terminated; "" when it could not be read. */
struct attempt try_text(struct trial *trial, const char *path, char *buffer, size_t size);
struct attempt try_write(struct trial *trial, int fd, const void *data, size_t n);
struct attempt try_access(struct trial *trial, const char *path, int mode);
struct attempt try_readlink(struct trial *trial, const char *path, char *buffer, size_t size);
struct attempt try_list(struct trial *trial, const char *path,
			bool (*each)(void *context, const char *name, unsigned char type),
			void *context);

/* What statx (or its older siblings) says of an object. */
struct object {
	uint64_t ino, size, dev, rdev, mount_id;
	int64_t birth, changed, modified; /* seconds since 1970, 0: not told */
	uint32_t mode, uid, gid, links;
	uint64_t attributes, attributes_mask; /* STATX_ATTR_ bits */
};
/* AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH as for statx(2). */
struct attempt try_stat(struct trial *trial, int dir, const char *path, int flags,
			struct object *object);

struct attempt try_chmod(struct trial *trial, int fd, const char *path, mode_t mode);
struct attempt try_chown(struct trial *trial, int fd, uid_t uid, gid_t gid);
struct attempt try_unlink(struct trial *trial, int dir, const char *name);
struct attempt try_rename(struct trial *trial, int from, const char *name, int to,
			  const char *new_name);
void close_fd(int fd); /* closes a descriptor ≥ 0; ignores -1 */

/* Processes. try_fork: value 0 in the child, which must end with end_child(). */
struct attempt try_fork(struct trial *trial);
_Noreturn void end_child(int code);
/* The same by one form, __NR_clone or __NR_clone3, and with CLONE_ flags: for new namespaces. */
struct attempt try_fork_as(struct trial *trial, long nr, uint64_t flags);
/* Zeroed memory that the trial shares with its children; NULL when refused. */
void *share_memory(struct trial *trial, size_t size);
/* Becomes that program, in a child of ours; with an empty environment. Returns when refused. */
struct attempt try_execute(struct trial *trial, const char *path, const char *const argv[]);
/*
 * Runs a program in a child to its end: the one at `path`, or NULL: the open file. Worked: it ended
 * with success. ENOEXEC: it ran and did not, noted; ETIMEDOUT: it had to be ended; EAGAIN: no child.
 */
struct attempt try_run(struct trial *trial, int case_index, int fd, const char *path,
		       const char *const argv[], int milliseconds);
/* Waits for a child of ours at most `milliseconds`; its wait status, or -1 (then it is killed). */
int wait_child(struct trial *trial, pid_t pid, int milliseconds);
/* The number of this process. */
struct attempt try_own_number(struct trial *trial);
/* Signal 0 only: "could it be signalled?" */
struct attempt try_signal(struct trial *trial, pid_t pid);

/* Sockets: value is a descriptor for try_socket, 0 for try_connect (non-blocking, with deadline). */
struct attempt try_socket(struct trial *trial, int family, int type, int protocol);
struct attempt try_connect(struct trial *trial, int fd, const void *address, unsigned length,
			   int milliseconds);

/* ---------------------------------------------------------------- own markers, rights over folders */

/*
 * The scratch folder: the first of $TMPDIR, cwd, /tmp, /var/tmp, /dev/shm, /run/user/UID, $HOME
 * that takes a marker and is neither a critical folder nor above one. NULL: there is none.
 * scratch_folders gives all of them (at most 8) and their number.
 */
const char *scratch_folder(struct trial *trial);
unsigned scratch_folders(struct trial *trial, const char *folders[8]);
/* False: the look for them did not come to its end, so there may be others. */
bool scratch_is_known(struct trial *trial);
/* Where there is none, to be settled: nothing found, refused by a filter, or not known. */
struct attempt no_scratch(struct trial *trial);
bool is_below_scratch(struct trial *trial, const char *path);

/* A nameless file (O_TMPFILE) in the folder, else a named marker unlinked at once: value = fd. */
struct attempt try_marker(struct trial *trial, const char *folder, int access);
/* A nameless file in scratch, else a memfd: value = fd, open for reading and writing. */
struct attempt try_store(struct trial *trial);
/* "dir-write": may an entry be made in this folder? At level observe, or outside: by proxy. */
struct attempt try_dir_write(struct trial *trial, const char *folder);
/* The same for taking entries out: a security module may permit one and refuse the other. */
struct attempt try_dir_remove(struct trial *trial, const char *folder);
/* "removable": may this file be unlinked from its folder? Nothing is removed. */
struct attempt try_removable(struct trial *trial, const char *path);
/*
 * Rule 6: open an existing plain file for writing, write nothing, close. Outside, and for
 * programs and large files on overlays, a proxy decides and the case's evidence says so.
 */
struct attempt try_open_for_writing(struct trial *trial, int case_index, const char *path,
				    unsigned kind);

/* Stores n zero bytes in a nameless file of our own, and drops it: value = the bytes it held. */
struct attempt try_keep(struct trial *trial, size_t n);

/*
 * Own markers of other kinds. own_name() finds a name in the folder, between `before` and `after`
 * (a dash, a newline, mostly ""), which the probe sees removed; false: it may not be removed, so
 * nothing is to be made. drop_name() removes what bears it: a file, a link, an empty folder.
 */
bool own_name(struct trial *trial, const char *folder, const char *before, const char *after,
	      char *path, size_t size);
struct attempt drop_name(struct trial *trial, const char *path);
struct attempt try_make_node(struct trial *trial, const char *path, mode_t mode, unsigned major,
			     unsigned minor);
struct attempt try_make_folder(struct trial *trial, const char *path, mode_t mode);
struct attempt try_make_link(struct trial *trial, const char *target, const char *path);
struct attempt try_make_hard_link(struct trial *trial, const char *path, const char *new_path);
/*
 * Settles that a device node was made or not. `twin`: another node, which the device rules may let
 * pass, made in the same folder; without one a pipe is.
 */
void settle_make_node(struct trial *trial, int case_index, const char *folder, struct attempt a,
		      const struct attempt *twin);

/*
 * Where results are collected from: the operator's target "output", else the working folder if it
 * is a scratch folder, else the first that is. NULL: nothing can be kept, and every planned case,
 * or the whole, is settled.
 */
const char *collected_folder(struct trial *trial);

/* ---------------------------------------------------------------- settling */

/* What an attempt needs of `path` (control K5: computed from owner, mode, ids, capabilities). */
enum right {
	RIGHT_READ = 1 << 0,
	RIGHT_WRITE = 1 << 1,
	RIGHT_EXECUTE = 1 << 2, /* of a file; searching of a folder */
	RIGHT_ENTRY = 1 << 3,   /* make an entry in this folder: write and search */
	RIGHT_REMOVE = 1 << 4,  /* remove this file from its folder: parent, sticky bit, flags */
	RIGHT_OWNER = 1 << 5,   /* be its owner or hold FOWNER over it: chmod */
	RIGHT_STAT = 1 << 6,    /* search the folders above it */
	RIGHT_ALTER = 1 << 7,   /* change what no mode permits: chown; mounts and flags may refuse */
	RIGHT_CONNECT = 1 << 8, /* to this socket: its write bit, whatever the mount says */
};

enum route { ROUTE_NOT_ASKED, ROUTE_NONE, ROUTE_EXISTS };

/*
 * The controls of one attempt. All optional; each adds barriers that it can show.
 * Capabilities are CAP_ numbers plus one, so that zero means "none": NEEDS_CAP(CAP_CHOWN).
 */
struct controls {
	const char *path;            /* K3, K5, K6: the object */
	unsigned right;              /* K5: what the attempt needs of it */
	int capability;              /* NEEDS_CAP(): what would permit it */
	const struct attempt *twin;  /* K2: the same call on an object of our own */
	const struct attempt *check; /* K4: the same call with an argument refused after the check */
	const char *sysctl;          /* name of a setting read and found to refuse; evidence */
	bool executes;               /* K6: noexec of the path's mount refuses */
	bool set_id;                 /* K6: nosuid of the path's mount, and no-new-privs, refuse */
	bool device;                 /* K6: nodev of the path's mount refuses */
	bool id_unmapped;            /* the id the attempt needs has no mapping here */
	bool not_held;               /* the capability is missing in the set that was asked about */
	bool other_id;               /* we are somebody else than the one who may */
	bool ids_permit;             /* K5: we are the one who may, and hold what it holds */
	bool elsewhere;              /* K9: baseline or namespaces show it exists outside */
	const char *module;          /* name of a security module shown to refuse; evidence */
	bool traced;                 /* another tracer is there already: it keeps us from it */
	bool lacking;                /* K4: the kernel knows the call, not what it was asked for */
	bool hidden;                 /* K6: another call knows what this view does not list */
	bool rlimit;                 /* K8: a finite resource limit bounds it */
	bool cgroup;                 /* K8: a finite control group limit bounds it */
	bool filter_active;          /* K1: the attempt was to run without a filter, and there is one */
	enum route route;            /* K7 */
	bool proxy_refused, interposed, filtered, auth_refused;
};
#define NEEDS_CAP(number) ((number) + 1)

#define settle(trial, case_index, attempt, ...)                                                    \
	settle_with(trial, case_index, attempt, &(const struct controls){ __VA_ARGS__ })
void settle_with(struct trial *trial, int case_index, struct attempt attempt,
		 const struct controls *controls);
/* It could not be told. An accessed case stays accessed; a denied one becomes unknown. */
void settle_unknown(struct trial *trial, int case_index, enum reason reason);
/* Unknown because this folder does not show what lies in it, which the evidence says. */
void settle_not_listed(struct trial *trial, int case_index, const char *folder);
/* Here the case, if it is accessed, means less than its definition says: one step milder. */
void settle_milder(struct trial *trial, int case_index);

/* ---------------------------------------------------------------- places and what may befall them */

/*
 * The place of a planned case: `path` becomes it, whether it exists or not. False: the case is
 * excluded, or its pattern matched nothing (then it is settled already, with controls).
 */
bool find_case(struct trial *trial, int case_index, char *path, size_t size);
/* stat of a place: found nothing, if it is neither plain file nor folder (a null device). */
struct attempt try_place(struct trial *trial, const char *path, struct object *object);
/*
 * True: that look did not show the object, and the case is settled. A filter that refuses the
 * look says nothing of what was to be asked: unknown.
 */
bool settle_unseen(struct trial *trial, int case_index, const char *path, struct attempt looked);
/* Rule 6 for a file, settled with its controls; anything else is found to be nothing. */
struct attempt settle_write(struct trial *trial, int case_index, const char *path, unsigned kind);
/* dir-write of a folder, settled with its controls. */
struct attempt settle_dir_write(struct trial *trial, int case_index, const char *folder);
/* The same for taking entries out. */
void settle_dir_remove(struct trial *trial, int case_index, const char *folder);
/*
 * Was the attempt refused although `capability` is held, because the object's ids are not mapped
 * here (or ours not there)? For the control `id_unmapped`.
 */
bool unmapped_refuses(struct trial *trial, const char *path, struct attempt a, unsigned right,
		      int capability);

enum removal { REMOVAL_DELETE, REMOVAL_RENAME, REMOVAL_MOVE };
/*
 * May every case's file be deleted, renamed in its folder, moved to another? Settled; by proxy
 * always.
 */
void settle_removals(struct trial *trial, enum removal removal);

/*
 * May the mode of every case's object be changed – widened to 0666 or narrowed to 0? Done to an
 * own marker; for the objects by proxy: owner, mount, flags, and the filter's answer.
 */
void settle_modes(struct trial *trial, bool widen);

/* An own marker given to another id: CAP_CHOWN that counts here. */
struct chown_right {
	struct attempt given;
	bool held; /* false: nothing was stored, so it could not be tried */
	bool unmapped; /* the id is not mapped in this user namespace */
	uid_t to;
};
#define ANY_OTHER_ID ((uid_t)-1) /* some mapped id that is not ours */
struct chown_right try_chown_right(struct trial *trial, uid_t to);
/* May the object be given to that id? Settled, by proxy: the right, ids, mount, flags. */
void settle_owner(struct trial *trial, int case_index, const char *path, uid_t to,
		  const struct chown_right *right);

/* ---------------------------------------------------------------- what the process was given */

struct given_limit {
	uint64_t soft, hard; /* UINT64_MAX: unlimited */
};

/* What may be refused or feigned, so that its value means nothing. */
enum given_fact {
	GIVEN_EFFECTIVE = 1 << 0,
	GIVEN_PERMITTED = 1 << 1,
	GIVEN_INHERITABLE = 1 << 2,
	GIVEN_BOUNDING = 1 << 3,
	GIVEN_AMBIENT = 1 << 4,
	GIVEN_NO_NEW_PRIVS = 1 << 5,
	GIVEN_ALL = (1 << 6) - 1,
};

/* A directory of accounts may put one into hundreds. */
#define GROUPS_AT_MOST 1024

/* Recorded before the probe's first fork: the sandbox's doing, never the guard's. */
struct origin {
	uint32_t uid, euid, suid, gid, egid, sgid;
	uint32_t groups[GROUPS_AT_MOST];
	int n_groups; /* -1: not told */
	uint64_t inheritable, permitted, effective, bounding, ambient;
	bool no_new_privs;
	unsigned told; /* enum given_fact: which of these are known */
	int seccomp_mode; /* 0, 2; -1: not told */
	struct given_limit limits[16]; /* by RLIMIT_ number */
	char cwd[1024];   /* "": not told */
	int cwd_error;
	unsigned umask;
	int descriptors;  /* open ones besides 0–2, among the first 4096; -1: not told */
	int numbers[64];  /* of the first of them */
	bool stdio_open[3], stdio_tty[3];
	char **environment;
	int pid, parent, session;
	bool traced; /* somebody traces us */
	uint64_t root_dev, root_ino, probe_dev, probe_ino;
	int64_t started; /* seconds since 1970: what is older was not made by this run */
};
const struct origin *origin(void);
/* The value of a variable in the given environment, or NULL. */
const char *given_variable(const char *name);
bool has_capability(int capability); /* in the given effective set */
/*
 * Is this id of the current user namespace mapped? By /proc/self/{uid,gid}_map; without the
 * file: true. `outer` (may be NULL) becomes the id in the parent namespace.
 */
bool uid_is_mapped(struct trial *trial, uint32_t uid, uint32_t *outer);
bool gid_is_mapped(struct trial *trial, uint32_t gid, uint32_t *outer);
/*
 * Are owner and group mapped? What is not is shown as the overflow id, and may be what is shown so
 * where that is mapped, too: then the kernel is asked, if we could act as any owner.
 */
struct object;
enum mapping { OWNER_MAPPED, OWNER_UNMAPPED, OWNER_NOT_TOLD };
enum mapping owner_mapping(struct trial *trial, const char *path, const struct object *object);
/* True in any but the first, by the id map or its number; false too where nothing tells. */
bool in_user_namespace(struct trial *trial);
/*
 * Each user namespace may mount binfmt_misc for itself, since Linux 6.7: is the one at this path ours?
 * Its owner tells, which is root of the host in the host's.
 */
bool is_own_instance(struct trial *trial, const char *path);
/*
 * The id that root of the host has here; the overflow id when it has none. `ret_is_ours` (may be
 * NULL): do we own what it owns? True, too, with CAP_FOWNER where it is mapped. False: not told.
 */
bool host_root_id(struct trial *trial, uint32_t *ret_id, bool *ret_is_ours);

/* ---------------------------------------------------------------- controls asked for directly */

enum answer { ANSWER_PASSES, ANSWER_REFUSED, ANSWER_TRAPPED, ANSWER_KILLED, ANSWER_NOT_TOLD };
/*
 * K1: what does the outer filter say to this call? `ret_error` (may be NULL) is its errno.
 * NOT_TOLD: the instrument does not work here. The call is not made.
 */
enum answer ask_filter(struct trial *trial, long nr, const unsigned long args[6], int *ret_error);
#define filter_refuses(answer) ((answer) >= ANSWER_REFUSED && (answer) <= ANSWER_KILLED)
/*
 * True when K1 works in its full form, or there is no filter: it can tell the filter's ENOSYS from
 * the kernel's, and nobody but the filter hears what is asked.
 */
bool filter_tells_enosys(void);
/*
 * Where K1 says that a number passes, and does not work in its full form: nobody else who would be
 * asked feigns ENOSYS. A notify agent may make the call: only for numbers that no call has.
 */
bool filter_surely_passes(unsigned nr);
/*
 * What the filter answers to a number when all arguments are zero. Told for 0 to NUMBERS_LAST, if
 * the scenario's views hold VIEW_NUMBERS and filter_tells_enosys().
 */
enum answer ask_number(unsigned nr, int *ret_error);
#define NUMBER_HIGHEST 470 /* that a kernel has: listns, Linux 6.19 */
#define NUMBERS_LAST (NUMBER_HIGHEST + 64)
/* Numbers without a call: a little above all others (and above x32's 512 to 547), and far above. */
#define NUMBER_NEW (NUMBER_HIGHEST + 128)
#define NUMBER_FAR 4000
/*
 * Evidence: how many numbers pass and what the rest meet; with `ranges` also which ones pass.
 */
void note_numbers(struct trial *trial, int case_index, bool ranges);

/*
 * A call that is made with arguments which every kernel refuses, to see whether it comes as far as
 * the kernel. All arguments are values; they stand in the question, which .asks holds.
 */
struct refused_call {
	const char *call;
	int errors[2];   /* the kernel's besides EINVAL, EFAULT, EBADF and ESRCH; or ONLY_VALUE */
	int capability;  /* NEEDS_CAP(): what its work needs, or 0 */
	bool never_made; /* no argument is refused: the filter is asked, and no more */
};
#define ONLY_VALUE (-1) /* what it returns harms nobody, and an error is no answer */
/*
 * Settles a case: accessed when the filter lets the call pass and the kernel found fault with the
 * arguments (for what needs a capability: or refused for want of it). `ret` is what was settled.
 */
bool settle_reach(struct trial *trial, int case_index, const struct question *question,
		  const struct refused_call *call, struct attempt *ret);

/* K5: does the discretionary access control permit it? */
enum dac { DAC_NOT_TOLD, DAC_PERMITS, DAC_REFUSES };
enum dac ask_dac(struct trial *trial, const char *path, unsigned rights);

/* K6: the mount that a path lies on. False when it could not be told. */
struct mount_facts {
	uint64_t type;      /* f_type of statfs: TMPFS_MAGIC … */
	uint64_t flags;     /* ST_RDONLY, ST_NOSUID, ST_NODEV, ST_NOEXEC, ST_NOSYMFOLLOW … */
	bool flags_told;    /* false: the kernel is an emulated one that does not say */
	uint64_t bytes, bytes_free, files, files_free; /* of the file system */
};
/* statfs(2), or fstatfs(2) where a filter refuses that. */
struct statfs;
struct attempt try_statfs(struct trial *trial, const char *path, struct statfs *facts);
bool ask_mount(struct trial *trial, const char *path, struct mount_facts *facts);
/* True when something was mounted at this very path (a mask, a bind mount). */
bool is_mount_root(struct trial *trial, const char *path);

/* A place where something is mounted as soon as somebody walks through it. Not walked through. */
bool is_automount(struct trial *trial, const char *path);

/* One line of /proc/self/mountinfo, its texts unescaped; where /proc is not there, by statmount(2). */
struct mount_line {
	int id, parent;
	unsigned major, minor;
	const char *root;    /* the folder of its file system that is mounted */
	const char *point;   /* where */
	const char *options; /* of the mount: "rw,nosuid" */
	const char *type, *source;
	const char *super_options; /* of the file system */
	int shared, master;  /* peer groups; 0: none */
};
/* Where do a mount's files come from? */
enum mount_source {
	MOUNT_INNER,  /* the kernel, or memory of the sandbox itself */
	MOUNT_VOLUME, /* a whole file system on a disk */
	MOUNT_FOLDER, /* of a file system that is elsewhere, too: a folder or file of it, or all */
	MOUNT_SHARE,  /* somebody who serves files: another machine, the host, a program */
};
enum mount_source mount_source(struct trial *trial, const struct mount_line *mount);
/* The host had the same file system mounted before, as it says itself. */
bool is_of_host(struct trial *trial, const struct mount_line *mount);
/* Another mount lies over it, or over a folder above it. */
bool is_covered(struct trial *trial, const struct mount_line *mount);
/* Is this word among the comma-separated ones? */
bool has_option(const char *options, const char *word);
/*
 * Calls `each` for every mount, in the kernel's order: of two at one place the later is on top.
 * As try_lines(); a line that is not understood is left out, and then nothing counts as absent:
 * error EBADMSG.
 */
struct attempt each_mount(struct trial *trial,
			  bool (*each)(void *context, const struct mount_line *mount),
			  void *context);

/* Where the mount that a path lies on comes from, as far as mounts tell. */
enum mount_from {
	FROM_NOT_TOLD,
	FROM_SANDBOX, /* a tmpfs of the sandbox's own, gone with it */
	FROM_IMAGE,   /* the sandbox's root file system */
	FROM_OUTSIDE, /* brought in; outside any sandbox: all of them */
};
const char *mount_from_name(enum mount_from from); /* "own tmpfs", "from outside" … */
enum mount_from ask_mount_from(struct trial *trial, const char *path);

/* K7: does a route exist? connect() of a datagram socket; no packet leaves. */
enum route ask_route(struct trial *trial, int family, struct attempt *ret_attempt);

/*
 * Does net.ipv4.ping_group_range, where it can be read, let our group make ICMP datagram sockets?
 * "1 0", which includes nobody, is what every new network namespace begins with.
 */
enum dac ask_ping_range(struct trial *trial);

/* Network interfaces, from a netlink dump or its siblings. */
struct interfaces {
	unsigned total;         /* links seen */
	unsigned beyond_lo;     /* links besides loopback that are up or have an address */
	unsigned addresses;     /* addresses besides loopback's */
	unsigned routes, neighbours;
	const char *source;     /* "netlink", "SIOCGIFCONF", "/proc/net" */
	struct attempt attempt; /* the last attempt made */
};
void list_interfaces(struct trial *trial, struct interfaces *interfaces);

/*
 * The way out that a network scenario is about. A socket that opens, a route, a connection say
 * nothing of what is let through: it is accessed when the witness outside has shown its token, to
 * whom the line with the nonce was sent. Without a witness it can only be shown that there is no
 * way.
 *
 *	static const struct net_protocol ftp = { .ports = { 21 }, .request = "NOOP %s" };
 *	try_net(trial, WHOLE, &ftp);
 */
struct net_protocol {
	enum net_kind { NET_TCP, NET_UDP, NET_ICMP, NET_DNS /* UDP and TCP */ } kind;
	uint16_t ports[4];   /* of the witness; 0 ends them; an echo has none */
	const char *request; /* the one line to send, "%s" is the nonce; NULL: the nonce alone */
};
/*
 * Accessed by the witness's token, directly or by a proxy; denied where no way out exists, or a
 * witness that the user named was tried in vain and is reached from outside; else unknown. Notes
 * what was seen.
 */
void try_net(struct trial *trial, int case_index, const struct net_protocol *protocol);
/* Did the witness itself say these bytes? (Its token is among them.) */
bool comes_from_witness(struct trial *trial, const void *bytes, size_t n);
/* Is this the run's own witness, which the sandbox did not let in? */
bool is_witness_process(struct trial *trial, int pid);
/* The nonce that the witness looks for, of this scenario; the trial's own without a witness. */
const char *witness_nonce(struct trial *trial, char nonce[21]);
/*
 * Notes the names, never the values, of the given variables that are not empty and whose name
 * matches; returns how many.
 */
unsigned note_variables(struct trial *trial, int case_index, const char *fact,
			bool (*matches)(const char *name));

/* The shape of a value: what it looks like, without saying what it is. */
enum shape {
	SHAPE_PLAIN,
	SHAPE_KEY,         /* a known key family's prefix, PEM, JWT, or high entropy under a key's name */
	SHAPE_CREDENTIAL,  /* URL with user info, connection string, web hook, password by name */
	SHAPE_ADDRESS,     /* internal address: private, link-local, unique-local, .internal, .local */
	SHAPE_DIGEST,      /* 64 hexadecimal digits */
};
/* `ret_family` (may be NULL) becomes a constant name such as "cloud-access-key". */
enum shape shape_of(const char *name, const char *value, const char **ret_family);
const char *shape_name(enum shape shape);
/*
 * What a key of this family opens: "cloud", "forge", "model", "package", "chat", "payment"; the
 * family itself where it is no known service's.
 */
const char *family_kind(const char *family);

/* ---------------------------------------------------------------- control groups */

/*
 * The group of ours in which a controller ("memory", "pids", "cpu", "cpuset") works, version 1
 * or 2: at first our own, after each parent_group() the one above, up to the visible root.
 *
 *	for (bool more = find_group(trial, "cpu", &group); more; more = parent_group(&group))
 *		read_group(trial, &group, "cpu.max", text, sizeof text);
 */
struct control_group {
	char path[1024]; /* its folder */
	size_t top;      /* length of the mount point, where parent_group() ends */
	int version;     /* of the hierarchy: 1 or 2 */
	bool hidden;     /* the mount does not show the groups above its root */
	unsigned other_mounts; /* later ones, which may show it, too */
};
/* False: no view of it, so nothing is known of its bounds. */
bool find_group(struct trial *trial, const char *controller, struct control_group *group);
/* The same by way of the nth mount that shows it, from 0 on. */
bool find_group_in(struct trial *trial, const char *controller, unsigned nth,
		   struct control_group *group);
bool parent_group(struct control_group *group);
/* One of the group's files into `buffer`, NUL-terminated. ENOENT: the group has no such file. */
struct attempt read_group(struct trial *trial, const struct control_group *group,
			  const char *file, char *buffer, size_t size);

/* The strictest number of these files in our group and its visible parents. */
struct group_bound {
	bool visible;     /* our own group is */
	bool hidden;      /* groups above the visible ones are not */
	bool unread;      /* a file is there and could not be read */
	int version;
	uint64_t value;   /* UINT64_MAX: none */
	const char *file; /* which of the names it came from */
};
/* A name is "pids.max", or "memory.stat:hierarchical_memory_limit" for one line of a file. */
struct group_bound find_group_bound(struct trial *trial, const char *controller,
				    const char *const files[], unsigned n);

/*
 * What a given resource limit bounds: its hard value, for the soft one may be raised to it.
 * UINT64_MAX: nothing, or we hold the capability to lift it.
 */
uint64_t given_bound(struct trial *trial, int resource);
/*
 * Settles "is it bounded?": denied by the limits found, else accessed where the own group is
 * visible, else unknown. Notes what the groups say.
 */
void settle_bound(struct trial *trial, int case_index, bool by_rlimit, bool by_group,
		  const struct group_bound *group);

/*
 * How many processes there may be at once: by the resource limit, where it binds us at all (K8),
 * and by the control groups. The kernel gives every account a limit of some ten thousand, which
 * does not stop a fork storm, so only a bound below 4,096 counts. Notes what the limit says.
 */
struct process_bound {
	bool by_rlimit, by_group;
	bool untold;     /* there is a limit, and whether it binds could not be found out */
	uint64_t number; /* UINT64_MAX: not bounded */
	struct group_bound group;
};
struct process_bound find_process_bound(struct trial *trial, int case_index);
/* Why it is untold. */
enum reason process_bound_reason(const struct trial *trial);

/* ---------------------------------------------------------------- processes */

#define PROCESSES_KEPT 512

/* One process that is there, by /proc or, where that lists none, by signal 0. */
struct process {
	int pid;         /* as /proc numbers it; 0: /proc shows another namespace, and not which it is */
	int number;      /* for calls; 0: /proc shows another namespace's numbers */
	int parent;
	bool listed;     /* by /proc; else it was found by its number */
	bool other_ids;  /* one of its ids is not ours: what tracing asks */
	bool other_uid;  /* what signals ask */
	bool told;       /* its status could be read; else nothing up to `name` is known */
	bool has_memory; /* neither a kernel thread nor dead */
	bool unmapped;   /* an id of it is not mapped in our user namespace */
	uint32_t uid;
	int seccomp, no_new_privs; /* -1: not told */
	uint64_t permitted, effective;
	char name[20];
	bool own;        /* the probe, what it started, the run's own witness */
	bool above;      /* it started us, directly or not */
	bool is_parent, is_init;
	bool foreign;    /* somebody else's: not ours, and not above us under our account */
};

/* The processes: needs VIEW_PROCESSES. Kin come first, then others by number. */
struct process_view {
	bool complete;       /* false: the look was cut, what was not found may be there */
	bool same_namespace; /* numbers in /proc are numbers of calls */
	struct attempt listing; /* of /proc */
	struct attempt sweep;   /* signal 0 to all low numbers, where nothing foreign is listed */
	unsigned listed;     /* how many /proc lists; the first PROCESSES_KEPT are looked at */
	unsigned vanished;   /* listed, but it ended before it was looked at */
	unsigned hidden;     /* swept, not listed, and another account's */
	unsigned beyond;     /* swept, not listed, and older than the probe */
	unsigned unlisted;   /* of the list, those found by number */
	unsigned n;
	struct process list[PROCESSES_KEPT];
};
const struct process_view *processes(const struct trial *trial);
/*
 * Calls `each` for every process that is not our own until it returns false: the parent, the first
 * one, those with our ids, the others.
 * Where /proc lists none: for the parent, the first process and those that signal 0 finds.
 */
void each_process(const struct trial *trial,
		  bool (*each)(void *context, const struct process *process), void *context);

/* What may be done to a process; each is asked harmlessly. */
enum process_right {
	PROCESS_SIGNAL,  /* kill(2) */
	PROCESS_INSPECT, /* ptrace(2)'s check for reading: environ, root, maps */
	PROCESS_CONTROL, /* and for attaching: memory and descriptors */
};
/* To take a descriptor that it cannot have: EBADF comes after the check. */
struct attempt try_take_descriptor(struct trial *trial, const struct process *process);
/* To read a byte where no memory can be: EFAULT comes after the check. */
struct attempt try_read_memory(struct trial *trial, const struct process *process);
/* To open /proc/PID/NAME for reading; nothing is read. */
struct attempt try_open_process(struct trial *trial, const struct process *process,
				const char *name, int flags);
/* The questions that these ask the filter. */
#define PROCESS_QUESTIONS                                                                          \
	{ __NR_pidfd_open, { 0x7fffffff, 0 } },                                                    \
		{ __NR_pidfd_getfd, { (unsigned long)-1, 99999, 0 } },                             \
	{ __NR_process_vm_readv, { 0x7fffffff, 0, 1, 0, 1, 0 } }
/* It has ended, or is none that this could be asked of: it says nothing. */
bool process_is_gone(struct attempt a);
/* An attempt on a process, settled with its controls: ids, capabilities, namespaces, modules. */
void settle_process(struct trial *trial, int case_index, struct attempt a,
		    const struct process *process, enum process_right right);
/* There was none to try it on; `by_file`: it needs /proc, not only a number. */
void settle_no_process(struct trial *trial, int case_index, bool by_file);
/* Whose processes it worked on: evidence `of`: "the parent, another"; how many is measured. */
struct kin {
	unsigned processes, kinds;
};
void add_kin(struct kin *kin, const struct process *process);
void note_kin(struct trial *trial, int case_index, const struct kin *kin);

/* A file of a process, as far as it lies below our own root. */
enum process_file {
	PROCESS_PROGRAM,
	PROCESS_SCRIPT, /* a plain file among its arguments */
	PROCESS_FOLDER, /* that it works in */
	PROCESS_LOG,    /* a plain file that it has open for its output */
};
#define N_PROCESS_FILES 4
/*
 * Calls `each` for every such file. Returns which kinds could be told: bits of 1 << PROCESS_…; what
 * /proc refuses is guessed, of a program by its first argument. Our own program is not among them.
 */
unsigned each_process_file(struct trial *trial, const struct process *process,
			   void (*each)(void *context, enum process_file kind, const char *path),
			   void *context);
/* Where our own program lies. False: it cannot be told. */
bool find_own_program(struct trial *trial, char *path, size_t size);

/* ---------------------------------------------------------------- namespaces */

enum namespace_kind {
	NAMESPACE_PID,
	NAMESPACE_NET,
	NAMESPACE_MNT,
	NAMESPACE_IPC,
	NAMESPACE_UTS,
	NAMESPACE_USER,
	NAMESPACE_CGROUP,
	NAMESPACE_TIME,
};
#define N_NAMESPACES 8
const char *namespace_name(enum namespace_kind kind); /* "pid" */
unsigned long namespace_flag(enum namespace_kind kind); /* CLONE_NEWPID */
/*
 * The number of a process's namespace (NULL: our own), by /proc, else by a process descriptor
 * (Linux 6.11). Numbers are alike exactly where the namespaces are.
 */
struct attempt try_namespace(struct trial *trial, const struct process *process,
			     enum namespace_kind kind, uint64_t *ret_number);
/* The same as a descriptor, for setns(2). */
struct attempt try_open_namespace(struct trial *trial, const struct process *process,
				  enum namespace_kind kind);

enum sharing { SHARING_NOT_TOLD, SHARING_SHARED, SHARING_OWN };
/*
 * Is our namespace the host's, by the host's facts; without those, the kernel's first? OWN is the
 * control `elsewhere` for what such a namespace keeps apart. `ret_attempt` may be NULL.
 */
enum sharing namespace_sharing(struct trial *trial, enum namespace_kind kind,
			       struct attempt *ret_attempt);
/*
 * Takes a mount namespace of our own, and others by `flags`, in which all is private: what this
 * process mounts from then on is seen by nobody else, and ends with it.
 */
struct attempt try_own_mounts(struct trial *trial, unsigned long flags);
/* Not Linux, but what answers in its place: its namespaces and modules are not the host's. */
bool kernel_is_emulated(struct trial *trial);
/* False: an emulated one, or another than the host says that it has. */
bool shares_kernel(struct trial *trial);

/* ---------------------------------------------------------------- the walk */

#define WALK_DEPTH 10

struct walk_entry {
	const char *path; /* absolute */
	const char *name;
	int depth;        /* "/usr" is 1 */
	bool is_folder, is_plain;
	bool is_listed;   /* folder: it could be listed; called after its listing */
	bool in_scratch, is_own; /* below a scratch folder; the probe's own file */
	unsigned rights;  /* plain file: RIGHT_READ/WRITE/EXECUTE confirmed; folder: RIGHT_ENTRY */
	unsigned refused; /* rights that access checks promised and a real operation refused */
	uint32_t mode, uid, gid;
	/* folder: plain files directly in it with each right */
	unsigned readable, writable, executable;
};

/* What a scenario's visit() has counted; its attempt() reads it with walk_result(). */
struct tally {
	uint64_t count[24];
	unsigned n_objects;
	char objects[16][256];
};
void tally_object(struct tally *tally, const char *path);

/*
 * For scenarios that count plain files with a right: outside scratch, our own file apart. The
 * objects are the top folders of what was found; when nothing is found, files that were refused.
 * The last object (or "") is a refused file that not everybody may read, whatever was found.
 */
enum tally_part { TALLY_FILES, TALLY_FOLDERS, TALLY_PRIVATE, TALLY_TOP };
void tally_right(const struct walk_entry *entry, struct tally *tally, unsigned right);
/* Evidence: top folders, the bound; measured: files, folders, files by top folder. */
void note_right(struct trial *trial, const struct walk_result *result);
/* For a walk that could not be made or found nothing: settles a case by what listing "/" says. */
void settle_root(struct trial *trial, int case_index, const struct walk_result *result);

struct walk_result {
	bool made, complete;   /* made: false when the walk could not run at all */
	const char *bound;     /* "entries", "time", "depth" – the bound reached, or NULL */
	uint64_t entries, folders, unlisted, deepest, contradictions;
	uint64_t untold; /* programs that a security module may keep from being written, or not */
	const struct tally *tally; /* of this scenario */
};
struct walk_result walk_result(const struct trial *trial);
/*
 * Settles a case by how much of it the walk found. False: nothing, though all was walked; it is yet
 * to be settled by what refused.
 */
bool settle_walked(struct trial *trial, int case_index, const struct walk_result *result,
		   uint64_t found);

/* ---------------------------------------------------------------- a search of a few folders */

enum search_step { SEARCH_ON, SEARCH_PASS /* do not enter this folder */, SEARCH_STOP };

struct search_entry {
	const char *path; /* absolute */
	const char *name;
	unsigned depth;   /* below the root: 1 for what lies directly in it */
	unsigned char type; /* DT_REG, DT_DIR, DT_LNK, DT_SOCK … as the folder says, or by stat */
};

/*
 * What one scenario looks for below some folders: links are not followed; of "/" the folders of
 * the system are not entered, which are roots for whoever wants them. The bound holds for all its
 * roots together; `cut` means it was reached, and what was not found may still be there.
 */
struct folder_search {
	struct trial *trial;
	unsigned depth;        /* folders deeper than this are not entered; 1: the root's own entries */
	unsigned at_most;      /* entries */
	enum search_step (*each)(void *context, const struct search_entry *entry);
	/* A folder, or the root, that could not be listed, and why. May be NULL. */
	void (*refused)(void *context, const char *path, struct attempt a);
	void *context;

	unsigned entries, folders, unlisted; /* seen; listed; refused */
	unsigned blind; /* of the refused: what lies in them may be reached by name */
	char blind_folder[256]; /* the first of these */
	bool cut, stopped;
	bool in_kernels; /* the root lies in a file system of the kernel's; others are not entered */
};
/* Searches below one more root. The result is that of listing the root itself. */
struct attempt search_folder(struct folder_search *search, const char *root);
/* Not all was seen, so that what was not found need not be missing: then unknown. */
void settle_unsearched(const struct folder_search *search, int case_index);

/*
 * Is one of the plain files below some folders writable (rule 6)? Links are not followed, other file
 * systems not entered.
 *
 *	struct write_search search = { .trial = trial, .case_index = i, .at_most = 1024 };
 *	search_writable(&search, "/proc/irq", 2);
 *	settle_writable(&search, "/proc/irq");
 */
struct write_search {
	struct trial *trial;
	int case_index;
	const char *name; /* only files of this name; NULL: any */
	const char *pass; /* folders not to enter, as words of has_option() */
	unsigned at_most; /* entries, of all folders together */

	unsigned entries, read_only; /* looked at, of all mounts and of those that are read-only */
	bool found, cut, asked, by_mount;
	uint64_t device;
	char first[512];       /* a file, to tell why none could be written */
	struct attempt listed; /* the first folder's listing, or one that worked */
};
/* False: there is no need to look into another folder. */
bool search_writable(struct write_search *search, const char *folder, unsigned depth);
/* Where nothing was found: settles by the first file, or by the folder that holds none. */
void settle_writable(struct write_search *search, const char *folder);

/*
 * Calls `each` once for every home folder: $HOME, those of /etc/passwd, /root, each in /home; not
 * "/" and not the folders of programs and devices that accounts of services name. False: there are
 * more.
 */
bool each_home(struct trial *trial, bool (*each)(void *context, const char *home), void *context);
/*
 * The same for folders where work usually lies: the working folder and those above it on its mount,
 * /app, /workspace, /srv …, and what is mounted from outside. `shallow`: its own entries alone are
 * of interest. False: there are more.
 */
typedef void workspace_function(void *context, const char *folder, bool shallow);
bool each_workspace(struct trial *trial, workspace_function *each, void *context);
/* Packages and stored objects: many folders, and nothing that a search of work looks for. */
bool is_package_folder(const char *name);

/* ---------------------------------------------------------------- files that hold secrets */

/*
 * Opens what the cases' paths name and settles every case: accessed when one of its files opens and
 * is not empty. Words are separated by "|"; a "*" in any component stands for whatever fits:
 *
 *	~/.netrc            in every home
 *	/run/key-*          a place; a folder in its stead is passed over
 *	~/.password-store/  any file below this folder, three storeys
 *	//.env*             in the folders where work lies, two storeys below, and in homes
 *	$TOKEN_FILE         the file that this variable names
 *	$TOKENS/x*          a file in the folder that it names
 *	$TOKEN=             this variable itself is set
 *
 * Names, sizes and modes are told. What is in a file is shown to `counts` (may be NULL) alone, piece
 * by piece until that says that it counts, and wiped.
 */
struct secret_file {
	int case_index;
	const char *path, *name;
	const char *text; /* a piece of it, terminated */
};
void settle_secrets(struct trial *trial, bool (*counts)(const struct secret_file *file));

/* ---------------------------------------------------------------- device nodes */

struct node {
	const char *path;
	bool is_block;
	unsigned major, minor;
};
struct node node_at(const char *path, const struct object *object);
/*
 * Calls `each` for every device node below /dev, terminals' own folder apart, until it returns
 * false. The result is that of listing /dev; `ret_all`: nothing was hidden or left out.
 */
struct attempt each_node(struct trial *trial, bool (*each)(void *context, const struct node *node),
			 void *context, bool *ret_all);

/* Opens a node for reading, never waiting, and closes it: only one that is known to be harmless. */
struct attempt try_node(struct trial *trial, const char *path);
/*
 * May this node be opened for reading? Settled. A node that is there and not refused by owner,
 * mode, device rules or mount is opened, if its driver is loaded; NODE_LOOK, and NODE_OPEN outside:
 * that alone decides, and the evidence says "proxy". `capability` as in struct controls: what the
 * driver itself asks for. True: the case is accessed.
 */
enum node_way { NODE_LOOK, NODE_OPEN, NODE_OPEN_ANYWHERE };
#define NODE_NEEDS_SYSLOG NEEDS_CAP(34 /* CAP_SYSLOG */)
#define NODE_NEEDS_RAWIO NEEDS_CAP(17 /* CAP_SYS_RAWIO */)
bool settle_node(struct trial *trial, int case_index, const char *path, enum node_way way,
		 int capability);

/*
 * For scenarios whose cases' paths are classes of devices ("/sys/class/hwmon"): settles every case,
 * accessed when one of these files tells a number, which is reported as an object of that kind.
 */
struct device_file {
	int case_index;
	const char *device, *name; /* patterns */
};
void settle_device_files(struct trial *trial, const char *kind, const struct device_file files[],
			 unsigned n);

/* ---------------------------------------------------------------- where people work */

enum work {
	WORK_HERE = 1 << 0,   /* the working folder, and those above it on its mount */
	WORK_HOME = 1 << 1,   /* $HOME */
	WORK_USUAL = 1 << 2,  /* /workspace, /app, /repo, /src, /testbed, /code */
	WORK_MOUNTS = 1 << 3, /* folders mounted from outside, but the system's own */
	WORK_PROGRAM = 1 << 4, /* of our own program, unless the system's: its own entries */
};
#define WORKSPACES_AT_MOST 16
struct workspaces {
	unsigned n;
	bool cut; /* there are more */
	struct workspace {
		char path[256];
		bool shallow; /* only its own entries are of interest */
	} list[WORKSPACES_AT_MOST];
};
/* Those that are there, none below another. `which`: bits of enum work. */
void find_workspaces(struct trial *trial, unsigned which, struct workspaces *found);
/* One more, if it is a folder and not known yet. */
void add_workspace(struct trial *trial, struct workspaces *found, const char *path, bool shallow);
/* search_folder() below each, to the search's own depth. */
void search_workspaces(struct folder_search *search, const struct workspaces *found);

/* The name of a folder full of what others wrote and somebody fetches anew: nobody's work. */
bool is_fetched(const char *name);

/* Where a ".git" leads: to itself, or where the file of that name says. */
struct git_place {
	char folder[512]; /* of its HEAD */
	char common[512]; /* of what its worktrees share: references, hooks, configuration */
};
struct attempt find_git(struct trial *trial, const char *path, struct git_place *git);
/* Is the folder itself a repository, without a checkout around it? */
bool is_bare_repository(struct trial *trial, const char *folder);

/*
 * Does a file's name hold this word: whole, its plural too, in any case? "expected_output.txt",
 * "ExpectedOutput.txt" hold "expected"; "unexpected" does not.
 */
bool name_has_word(const char *name, const char *word);

/* ---------------------------------------------------------------- what others trust */

/*
 * What something outside may later run or trust: could it be altered? A file that is there is opened
 * for writing, or could be replaced in its folder; a folder takes an entry, or an entry of it could
 * be altered; where nothing is, the nearest folder above takes an entry, so that it can be created.
 * What a link on the way leads to counts as well.
 * Each case that is accessed notes `by` ("opens", "takes entries", "replaceable", "creatable"),
 * `path` and `mount` of the place that comes most from outside.
 *
 *	struct alterations all = { .trial = trial };
 *
 *	settle_alterations(&all);
 *	note_alterations(&all);
 */
#define ALTERATION_CASES 48
struct alterations {
	struct trial *trial;
	bool outside_only; /* what is not on a mount from outside does not count */
	unsigned places;   /* that can be altered */
	unsigned tried;
	/* Kept from one place to the next. */
	uint8_t telling[ALTERATION_CASES]; /* how much what a case notes tells */
	bool absent[ALTERATION_CASES];     /* it is said already that something is missing */
	uint8_t most;
	struct {
		char folder[512];
		struct attempt attempt;
	} last; /* folder asked for an entry */
	struct {
		char folder[512];
		uint32_t barriers;
	} refused; /* folder in which nothing can be created */
	uint64_t above[64]; /* hashes of the folders that hold mount points */
	unsigned n_above;
	bool looked, no_view; /* for those; not seen, or not all */
	uint64_t asked;       /* bits: cases for which there was a place */
};
/*
 * One place for a case. PLACE_FOLDER: only the folder itself counts, not what lies in it;
 * PLACE_PROGRAM: it runs, so it is never opened for writing.
 */
void settle_alteration(struct alterations *all, int case_index, const char *path, unsigned kind);
/* Each path that the owner names for a case of PLACE_TARGET, whether it is there yet or not. */
void settle_declared_alterations(struct alterations *all, int case_index, unsigned kind);
/*
 * Every case that has a path, each alternative of it ("|"): "~/" stands for every home, one "*" in
 * any component for whatever fits.
 */
void settle_alterations(struct alterations *all);
/*
 * Variables that name such places: `set` is accessed when one was given from outside, `places` when
 * what one names can be altered.
 */
void settle_variables(struct alterations *all, int set, int places, const char *const names[],
		      unsigned n);
/*
 * All that lies below this folder is on one read-only mount, and no folder above could be replaced:
 * settled so for every case, and no need to look. False: not so.
 */
bool settle_shut(struct alterations *all, const char *folder);
/* The cases for which there was no place: nothing of the kind is there. */
void settle_unasked(struct alterations *all);
/* How many places there are, and where the most telling one lies. */
void note_alterations(struct alterations *all);
/* The whole attempt of a scenario that is nothing but its places. */
void settle_all_alterations(struct trial *trial);

/* ---------------------------------------------------------------- sockets that others listen at */

/*
 * Connects to a socket file, of whatever type its socket is, and closes it at once: nothing is
 * sent. A full queue counts as connected; a file that nobody listens behind is found_nothing().
 */
struct attempt try_socket_file(struct trial *trial, const char *path);
/* The same, settled with its controls. */
struct attempt settle_socket_file(struct trial *trial, int case_index, const char *path);

/*
 * For scenarios with VIEW_SOCKETS: connects to what is theirs of the sockets that were found, and
 * settles every case. A case's path says what is its own, in words that "|" separates:
 *
 *	/run/docker.sock   a place, tried whether it was found or not; "UID" stands for ours
 *	docker.sock        the end of a path: whole components, each with any "*"
 *	$DOCKER_HOST       whatever this variable names
 *	@*dbus-*           an abstract name
 *
 * A socket that several cases claim is the first one's; "*" and "@*" take what nobody claims.
 * Outside any sandbox, where somebody listens by the kernel's own list, a connection might start
 * a service: there the right to connect decides, and the evidence says "proxy".
 */
void settle_sockets(struct trial *trial);

/* ---------------------------------------------------------------- text without libc databases */

/* Does the text have the pattern's form? Each "*" stands for any number of characters. */
bool matches_pattern(const char *pattern, const char *text);
bool starts_with(const char *text, const char *prefix);
bool ends_with(const char *text, const char *suffix);
/* Is it the folder, or does it lie below? By the texts alone; "/" holds no more than itself. */
bool is_at_or_below(const char *path, const char *folder);
bool is_digit(char c);
bool is_letter(char c);
/* A decimal number that fills the whole text; false otherwise. */
bool read_number(const char *text, uint64_t *ret_number);
/*
 * The decimal number that a text begins with, blanks before it apart: 0 where there is none,
 * UINT64_MAX where it is higher. `ret_rest` (may be NULL) becomes what follows.
 */
uint64_t leading_number(const char *text, const char **ret_rest);
/* The same with the digits of 16, of which the last sixteen count. */
uint64_t leading_hex(const char *text);

/*
 * try_read by lines, each without its newline, until `each` returns false: no buffer cuts it.
 * value = bytes read; ECANCELED when even 4 MiB were not all, so that the rest stays untold.
 */
struct attempt try_lines(struct trial *trial, const char *path,
			 bool (*each)(void *context, char *line), void *context);
/* snprintf restricted to %s %d %u %x %ld %lu %lx %zu %c %% ; always terminates. Returns length. */
int format_text(char *buffer, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Calls `each` for every line of a text (without newline; the buffer is changed). */
void each_line(char *text, bool (*each)(void *context, char *line), void *context);
/* The n-th (from 0) blank-separated field of a line into `buffer`; false when there is none. */
bool line_field(const char *line, unsigned n, char *buffer, size_t size);

/* ---------------------------------------------------------------- plumbing of try_call */

#define CALL_FIRST_6(a, b, c, d, e, f, ...)                                                        \
	(unsigned long)(a), (unsigned long)(b), (unsigned long)(c), (unsigned long)(d),            \
		(unsigned long)(e), (unsigned long)(f)
#define CALL_PICK7(a1, a2, a3, a4, a5, a6, pick, ...) pick
#define CALL_0() 0
#define CALL_1(a) (unsigned long)(a)
#define CALL_2(a, b) CALL_1(a), (unsigned long)(b)
#define CALL_3(a, b, c) CALL_2(a, b), (unsigned long)(c)
#define CALL_4(a, b, c, d) CALL_3(a, b, c), (unsigned long)(d)
#define CALL_5(a, b, c, d, e) CALL_4(a, b, c, d), (unsigned long)(e)
#define CALL_6(a, b, c, d, e, f) CALL_5(a, b, c, d, e), (unsigned long)(f)
