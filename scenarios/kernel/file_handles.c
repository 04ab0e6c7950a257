/* SPDX-License-Identifier: MIT */
/*
 * Can files be opened by their number in the file system, past all folders? A marker of our own is
 * asked for its handle and opened again by it; the same inode must come back.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>

/* MAX_HANDLE_SZ of the kernel is 128. */
struct handle {
	uint32_t bytes;
	int32_t type;
	unsigned char data[128];
};

static struct attempt take_handle(struct trial *trial, int fd, struct handle *handle)
{
	int mount;

	*handle = (struct handle){ .bytes = sizeof handle->data };
	return try_call_as(trial, "fpppv", "name_to_handle_at", __NR_name_to_handle_at, fd, "",
			   handle, &mount, AT_EMPTY_PATH);
}

static struct attempt open_handle(struct trial *trial, int mount, struct handle *handle)
{
	return try_call_as(trial, "fpv", "open_by_handle_at", __NR_open_by_handle_at, mount, handle,
			   O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* Does the descriptor that came back lead to the very same inode? */
static bool is_same(struct trial *trial, int fd, int again)
{
	struct object first, second;

	if (!attempt_worked(try_stat(trial, fd, "", AT_EMPTY_PATH, &first)) ||
	    !attempt_worked(try_stat(trial, again, "", AT_EMPTY_PATH, &second)))
		return true; /* nobody tells, and the kernel took it */
	return first.ino == second.ino && first.dev == second.dev;
}

/* The file system makes no handles, or does not know this one: another may. */
static bool tells_nothing(const struct attempt *a)
{
	return a->reached &&
	       (a->error == EOPNOTSUPP || a->error == ESTALE || a->error == EOVERFLOW);
}

/*
 * Handles can be guessed. This one leads nowhere, but ESTALE, which says so, is for those alone who
 * may ask; the rest of them meets EPERM.
 */
static struct attempt guess(struct trial *trial, int mount)
{
	struct handle handle = { .bytes = 8, .type = 1 };
	struct attempt a = open_handle(trial, mount, &handle);

	close_fd((int)a.value);
	if (a.reached && a.error == ESTALE) {
		note_flag(trial, WHOLE, "proxy", true);
		a.value = 0;
	}
	return a;
}

static struct attempt reopen(struct trial *trial, int fd)
{
	struct handle handle;
	struct attempt a = take_handle(trial, fd, &handle);

	if (!attempt_worked(a))
		return tells_nothing(&a) ? a : guess(trial, fd);
	a = open_handle(trial, fd, &handle);
	if (attempt_worked(a)) {
		int again = (int)a.value;

		if (!is_same(trial, fd, again))
			a = found_nothing(a);
		close_fd(again);
	}
	return a;
}

/* A marker in each scratch folder, then those folders and the root folder themselves. */
static struct attempt try_objects(struct trial *trial)
{
	const char *folders[9];
	unsigned n = scratch_folders(trial, folders);
	struct attempt last = { .value = -1, .error = ECANCELED, .nr = -1, .reached = true };

	folders[n] = "/";
	for (unsigned i = 0; i <= 2 * n; i++) {
		struct attempt a = i < n ? try_marker(trial, folders[i], O_RDWR) :
					   try_open(trial, folders[i - n], O_RDONLY | O_DIRECTORY);
		int fd = (int)a.value;

		if (!attempt_worked(a))
			continue;
		last = reopen(trial, fd);
		close_fd(fd);
		if (!tells_nothing(&last))
			return last;
	}
	/* Nothing of ours could be had, or nothing that makes handles: but what is mounted beside may. */
	return last.error == ESTALE ? last : guess(trial, AT_FDCWD);
}

static void attempt(struct trial *trial)
{
	struct attempt a = try_objects(trial);

	if (!attempt_worked(a) && a.reached && a.error == ESTALE)
		settle_unknown(trial, WHOLE, REASON_SETUP_FAILED);
	else
		settle(trial, WHOLE, a, .capability = NEEDS_CAP(CAP_DAC_READ_SEARCH));
}

static const struct question asks[] = {
	{ __NR_name_to_handle_at, { -1ul, 0, 0, 0, AT_EMPTY_PATH } },
	{ __NR_open_by_handle_at, { -1ul, 0, O_RDONLY | O_NONBLOCK | O_CLOEXEC } },
};

const struct scenario scenario_kernel_file_handles = {
	.about = ABOUT(
		.title = "Open files by handle",
		.accessed = "Code in the sandbox can open files by their number, wherever they "
			    "lie in a file system.",
		.denied = "Code in the sandbox cannot open files by their number.",
		.why = "A number leads past all folders: where the sandbox shares a file system "
		       "with the machine, every file of it can be read, whatever is mounted "
		       "inside.",
		.see = "T1611, CWE-22",
		.open = "O +DAC_READ_SEARCH +call:name_to_handle_at,open_by_handle_at",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP),
	ASKS(asks),
	.attempt = attempt,
};
