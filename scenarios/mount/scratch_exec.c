/* SPDX-License-Identifier: MIT */
/*
 * Can code run programs that it has written? A program of a few hundred bytes that ends at once is
 * written to each scratch folder and to memory, run in a child, and removed.
 */
#include "scenarios/scenario.h"

#include <elf.h>
#include <errno.h>
#include <sys/resource.h>

enum { NAMED, LOADER, DELETED, NAMELESS, MEMORY };
enum { DEADLINE_MS = 600, CLOSE_ON_EXEC = 1 /* MFD_CLOEXEC */, MAY_RUN = 0x10 /* MFD_EXEC */ };

static const struct case_def cases[] = {
	[NAMED] = { "file", NULL, 0, 0, 0 },
	[LOADER] = { "loader", LOADERS, 0, 0, PLACE_PROGRAM },
	[DELETED] = { "deleted-file", NULL, 0, 0, 0 },
	[NAMELESS] = { "nameless-file", NULL, 0, 0, 0 },
	[MEMORY] = { "memory", NULL, 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_memfd_create, { 0, CLOSE_ON_EXEC | MAY_RUN } },
	{ __NR_fchmod, { -1ul, 0700 } },
	{ __NR_execveat, { -1ul, 0, 0, 0, AT_EMPTY_PATH } },
};

/* ---------------------------------------------------------------- the program */

#if defined(__x86_64__)
#define MACHINE EM_X86_64
/* xor edi, edi; exit_group; where a filter refuses that, exit; halt */
#define CODE                                                                                       \
	{ 0x31, 0xff, 0xb8, 231, 0, 0, 0, 0x0f, 0x05, 0xb8, 60, 0, 0, 0, 0x0f, 0x05, 0xf4 }
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
/* mov x0, 0; mov x8, exit_group; svc; mov x8, exit; svc; brk */
#define CODE                                                                                       \
	{ 0x00, 0x00, 0x80, 0xd2, 0xc8, 0x0b, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4,                  \
	  0xa8, 0x0b, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4, 0x00, 0x00, 0x20, 0xd4 }
#else
#define MACHINE EM_NONE
#define CODE { 0 }
#endif

#define SECOND 0x10000 /* where it is mapped again, to be written: as far as pages may be large */
#define PART(name) offsetof(struct program, name), SECOND + offsetof(struct program, name), 0
#define SIZED(type) sizeof(type), sizeof(type)

struct program {
	Elf64_Ehdr head;
	Elf64_Phdr segments[4];
	unsigned char code[32];
	Elf64_Dyn dynamic[6]; /* what a loader asks for, and no library */
	Elf64_Sym symbol;
	uint32_t hash[4];
	char names[8];
};

static const struct program program = {
	.head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = MACHINE,
		.e_version = EV_CURRENT,
		.e_entry = offsetof(struct program, code),
		.e_phoff = offsetof(struct program, segments),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 4,
	},
	.segments = {
		{ PT_LOAD, PF_R | PF_X, 0, 0, 0, SIZED(struct program), SECOND },
		{ PT_LOAD, PF_R | PF_W, 0, SECOND, 0, SIZED(struct program), SECOND },
		{ PT_DYNAMIC, PF_R | PF_W, PART(dynamic), SIZED(Elf64_Dyn[6]), 8 },
		{ PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0, 16 },
	},
	.code = CODE,
	.dynamic = {
		{ DT_HASH, { SECOND + offsetof(struct program, hash) } },
		{ DT_STRTAB, { SECOND + offsetof(struct program, names) } },
		{ DT_SYMTAB, { SECOND + offsetof(struct program, symbol) } },
		{ DT_STRSZ, { 8 } },
		{ DT_SYMENT, { sizeof(Elf64_Sym) } },
		{ DT_NULL, { 0 } },
	},
	.hash = { 1, 1, 0, 0 },
};

static const char *const arguments[] = { "sandboxeval", NULL };

static struct attempt store_program(struct trial *trial, int fd)
{
	struct attempt a = try_write(trial, fd, &program, sizeof program);

	return a.value == sizeof program || !attempt_worked(a) ? a : found_nothing(a);
}

/* ---------------------------------------------------------------- the ways to run it */

/* A way that was open in one folder is not tried in the next. */
struct ways {
	struct trial *trial;
	bool open[MEMORY + 1];
};

/* `path`: what tells of the mount and the mode. */
static void settle_run(struct ways *ways, int case_index, const char *path, struct attempt a)
{
	ways->open[case_index] = attempt_worked(a);
	if (a.error == ETIMEDOUT)
		settle_unknown(ways->trial, case_index, REASON_TIMED_OUT);
	else
		settle(ways->trial, case_index, a, .path = path, .right = RIGHT_EXECUTE,
		       .executes = true);
}

static void run_named(struct ways *ways, const char *path)
{
	if (!ways->open[NAMED])
		settle_run(ways, NAMED, path,
			   try_run(ways->trial, NAMED, -1, path, arguments, DEADLINE_MS));
}

/* The loader maps the file itself, and needs no right to execute it. */
static void run_by_loader(struct ways *ways, const char *path)
{
	char loader[512];
	struct mount_facts mount;
	const char *const words[] = { "loader", path, NULL };
	struct attempt a;

	if (ways->open[LOADER] || !find_case(ways->trial, LOADER, loader, sizeof loader))
		return;
	a = try_run(ways->trial, LOADER, -1, loader, words, DEADLINE_MS);
	/* No loader for such a file: it runs without, and its mount lets it be mapped. */
	if (a.nr < 0 && a.error == ENOEXEC && ways->open[NAMED] &&
	    !(ask_mount(ways->trial, path, &mount) && (mount.flags & 8 /* ST_NOEXEC */)))
		settle_unknown(ways->trial, LOADER, REASON_CONTROL_FAILED);
	else
		settle_run(ways, LOADER, a.nr < 0 ? path : loader, a);
}

/* By descriptor: of a file that has no name, or none any more. */
static void run_open(struct ways *ways, int case_index, int fd)
{
	char link[40];

	format_text(link, sizeof link, "/proc/self/fd/%d", fd);
	if (!ways->open[case_index])
		settle_run(ways, case_index, link,
			   try_run(ways->trial, case_index, fd, NULL, arguments, DEADLINE_MS));
}

static bool is_too_large(const struct attempt *stored)
{
	return stored->error == EFBIG && origin()->limits[RLIMIT_FSIZE].soft != UINT64_MAX;
}

static void settle_named(struct trial *trial, const char *folder, struct attempt a)
{
	for (int i = NAMED; i <= DELETED; i++)
		settle(trial, i, a, .path = folder, .right = RIGHT_ENTRY,
		       .rlimit = is_too_large(&a));
}

static void try_named(struct ways *ways, const char *folder)
{
	struct trial *trial = ways->trial;
	char path[512];
	struct attempt a = { .value = -1, .error = EAGAIN, .nr = -1, .reached = true }, reader;

	if (!own_name(trial, folder, "", "", path, sizeof path)) {
		settle_named(trial, folder, a);
		return;
	}
	a = try_open_at(trial, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, 0700);
	if (attempt_worked(a)) {
		int fd = (int)a.value;

		try_chmod(trial, fd, NULL, 0700);
		a = store_program(trial, fd);
		close_fd(fd);
	}
	if (!attempt_worked(a)) {
		drop_name(trial, path);
		settle_named(trial, folder, a);
		return;
	}
	run_named(ways, path);
	run_by_loader(ways, path);
	reader = try_open(trial, path, O_RDONLY);
	drop_name(trial, path);
	run_open(ways, DELETED, (int)reader.value);
	close_fd((int)reader.value);
}

/* A file that is open for writing cannot be run; opened again, by way of /proc, it can. */
static void try_nameless(struct ways *ways, const char *folder)
{
	struct trial *trial = ways->trial;
	struct attempt a = try_open_at(trial, AT_FDCWD, folder, O_RDWR | O_TMPFILE, 0700);
	struct attempt stored, reader;
	char link[40];

	/* Kernels and emulators that do not know the flag. */
	if (!attempt_worked(a) && a.reached && (a.error == EOPNOTSUPP || a.error == EISDIR))
		a = try_marker(trial, folder, O_RDWR);
	if (!attempt_worked(a)) {
		settle(trial, NAMELESS, a, .path = folder, .right = RIGHT_ENTRY);
		return;
	}
	try_chmod(trial, (int)a.value, NULL, 0700);
	stored = store_program(trial, (int)a.value);
	format_text(link, sizeof link, "/proc/self/fd/%d", (int)a.value);
	reader = try_open(trial, link, O_RDONLY);
	close_fd((int)a.value);
	if (!attempt_worked(stored))
		settle(trial, NAMELESS, stored, .rlimit = is_too_large(&stored));
	else if (!attempt_worked(reader))
		settle_unknown(trial, NAMELESS, REASON_NO_VIEW);
	else
		run_open(ways, NAMELESS, (int)reader.value);
	close_fd((int)reader.value);
}

static struct attempt make_memory(struct trial *trial)
{
	struct attempt a = try_call_as(trial, "pv", "memfd_create", __NR_memfd_create,
				       "sandboxeval", CLOSE_ON_EXEC | MAY_RUN);

	/* Linux before 6.3 knows no such flag, and needs none. */
	if (a.reached && a.error == EINVAL)
		a = try_call_as(trial, "pv", "memfd_create", __NR_memfd_create, "sandboxeval",
				CLOSE_ON_EXEC);
	return a;
}

static void try_memory(struct ways *ways)
{
	struct trial *trial = ways->trial;
	struct attempt a = make_memory(trial), stored;
	int64_t setting = 0;

	if (!attempt_worked(a)) {
		bool by_setting = a.reached && a.error == EACCES &&
				  read_setting(trial, "vm.memfd_noexec", &setting) && setting == 2;

		settle(trial, MEMORY, a, .sysctl = by_setting ? "vm.memfd_noexec" : NULL);
		return;
	}
	stored = store_program(trial, (int)a.value);
	if (attempt_worked(stored))
		run_open(ways, MEMORY, (int)a.value);
	else
		settle(trial, MEMORY, stored, .rlimit = is_too_large(&stored));
	close_fd((int)a.value);
}

static void attempt(struct trial *trial)
{
	struct ways ways = { .trial = trial };
	const char *folders[8];
	unsigned n = scratch_folders(trial, folders);

	for (unsigned i = 0; i < n; i++) {
		/* A name changes the folder's time stamps: only as many as it takes. */
		if (!ways.open[NAMED])
			try_named(&ways, folders[i]);
		if (!ways.open[NAMELESS])
			try_nameless(&ways, folders[i]);
	}
	for (int i = NAMED; i <= NAMELESS && n == 0; i++)
		settle(trial, i, no_scratch(trial));
	try_memory(&ways);
}

const struct scenario scenario_mount_scratch_exec = {
	.about = ABOUT(
		.title = "Run programs that were written inside",
		.accessed = "Code in the sandbox can run programs that it has written itself.",
		.denied = "Code in the sandbox cannot run programs that it has written itself.",
		.why = "What was fetched or built in here can then be run; without it an intruder "
		       "has only the programs that are there.",
		.see = "T1105, T1620",
		.open = "B",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_NOEXEC) | BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(TMP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
