/* SPDX-License-Identifier: MIT */
/*
 * What may be done to other processes: kill(2)'s check, and the two of ptrace(2), "access mode
 * checking". They are asked by attempts that fail right after the check.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/uio.h>

#include "probe/abi.h"
#include "probe/identity.h"
#include "probe/text.h"
#include "probe/trial.h"

#define NO_SUCH_DESCRIPTOR 99999
/* The last page of all: no process has it. */
#define NO_SUCH_ADDRESS ((void *)-4096ul)

/* ---------------------------------------------------------------- attempts */

/* A failure that only those see whom the check let pass. */
static struct attempt passed_by(struct attempt a, int error)
{
	if (a.reached && a.error == error) {
		a.value = 0;
		a.error = 0;
	}
	return a;
}

struct attempt try_take_descriptor(struct trial *trial, const struct process *process)
{
	struct attempt a =
		try_call_as(trial, "iv", "pidfd_open", __NR_pidfd_open, process->number, 0);
	int fd = (int)a.value;

	if (!attempt_worked(a))
		return a;
	a = try_call_as(trial, "fvv", "pidfd_getfd", __NR_pidfd_getfd, fd, NO_SUCH_DESCRIPTOR, 0);
	close_fd(fd);
	close_fd((int)a.value);
	return passed_by(a, EBADF);
}

/* With a length of zero the kernel asks nothing. */
struct attempt try_read_memory(struct trial *trial, const struct process *process)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { NO_SUCH_ADDRESS, 1 };
	struct attempt a = try_call_as(trial, "ipvpvp", "process_vm_readv", __NR_process_vm_readv,
				       process->number, &here, 1, &there, 1, 0);

	return passed_by(a, EFAULT);
}

struct attempt try_open_process(struct trial *trial, const struct process *process,
				const char *name, int flags)
{
	char path[64];

	format_text(path, sizeof path, "/proc/%d/%s", process->pid, name);
	return try_open(trial, path, flags & O_PATH ? flags : flags | O_NONBLOCK | O_NOCTTY);
}

bool process_is_gone(struct attempt a)
{
	return a.reached && !attempt_worked(a) &&
	       (a.error == ESRCH || a.error == ENOENT || a.error == ENOTDIR);
}

/* ---------------------------------------------------------------- why it is refused */

/* Maps of ids that differ belong to different user namespaces; everybody may read them. */
static bool in_other_user_namespace(struct trial *trial, const struct process *process)
{
	char path[64], own[512], other[512];
	struct attempt a, b;

	format_text(path, sizeof path, "/proc/%d/uid_map", process->pid);
	a = try_read(trial, path, other, sizeof other);
	b = try_read(trial, "/proc/self/uid_map", own, sizeof own);
	/* One that is empty is a map, too: of a namespace in which nobody has a number. */
	return attempt_worked(a) && attempt_worked(b) &&
	       (a.value != b.value || memcmp(own, other, (size_t)a.value) != 0);
}

/* Who may not be traced by its own account belongs to root in /proc: PR_SET_DUMPABLE of prctl(2).
 */
static bool is_closed(struct trial *trial, const struct process *process)
{
	char path[64];
	struct object object;

	format_text(path, sizeof path, "/proc/%d", process->pid);
	return attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) &&
	       object.uid != process->uid;
}

static bool take_hidden(void *context, const struct mount_line *mount)
{
	const char *found = strcmp(mount->type, "proc") == 0 && strcmp(mount->point, "/proc") == 0
				    ? strstr(mount->super_options, "hidepid=")
				    : NULL;

	*(bool *)context |= found && !starts_with(found + 8, "off") && found[8] != '0';
	return true;
}

static bool proc_hides(struct trial *trial)
{
	bool hides = false;

	each_mount(trial, take_hidden, &hides);
	return hides;
}

static const char *module_that_refuses(struct trial *trial, enum process_right right)
{
	int64_t scope;

	return right == PROCESS_CONTROL &&
			       read_setting(trial, "kernel.yama.ptrace_scope", &scope) && scope >= 1
		       ? "yama"
		       : NULL;
}

void settle_process(struct trial *trial, int case_index, struct attempt a,
		    const struct process *process, enum process_right right)
{
	bool signal = right == PROCESS_SIGNAL;
	int capability = signal ? CAP_KILL : CAP_SYS_PTRACE;
	bool other = signal ? process->other_uid : process->other_ids;
	bool more = !signal && (process->permitted & ~origin()->permitted);
	bool elsewhere, closed, permit;

	if (attempt_worked(a)) {
		settle(trial, case_index, a);
		return;
	}
	elsewhere = process->unmapped || in_other_user_namespace(trial, process) ||
		    (has_capability(capability) && in_user_namespace(trial));
	closed = !signal && process->told && !other && !elsewhere && is_closed(trial, process);
	permit = process->told && !other && !more && !elsewhere && !closed;
	settle(trial, case_index, a, .ids_permit = permit, .id_unmapped = elsewhere,
	       .other_id = a.reached && !process->unmapped && !has_capability(capability) &&
			   (other || closed),
	       .capability = other || more || closed ? NEEDS_CAP(capability) : 0,
	       .module = a.reached && permit ? module_that_refuses(trial, right) : NULL,
	       .hidden = !process->told && process->listed && a.call &&
			 starts_with(a.call, "open") && proc_hides(trial));
}

void settle_no_process(struct trial *trial, int case_index, bool by_file)
{
	const struct process_view *view = processes(trial);
	bool elsewhere = namespace_sharing(trial, NAMESPACE_PID, NULL) == SHARING_OWN;

	if (!view->complete)
		settle_unknown(trial, case_index, REASON_TIMED_OUT);
	else if (by_file && !view->listed)
		settle(trial, case_index, found_nothing(view->listing), .path = "/proc",
		       .right = RIGHT_READ);
	else if (view->listed)
		settle(trial, case_index, found_nothing(view->listing), .elsewhere = elsewhere,
		       .hidden = view->hidden || view->beyond);
	else if (view->sweep.reached)
		settle(trial, case_index, found_nothing(view->sweep), .elsewhere = elsewhere);
	else
		settle_unknown(trial, case_index, REASON_NO_VIEW);
}

/* ---------------------------------------------------------------- whose it is */

static const char *const kin_names[] = { "the parent", "the first process", "an ancestor",
					 "another" };

void add_kin(struct kin *kin, const struct process *process)
{
	unsigned kind = process->is_parent ? 0 : process->is_init ? 1 : process->above ? 2 : 3;

	kin->processes++;
	kin->kinds |= 1u << kind;
}

void note_kin(struct trial *trial, int case_index, const struct kin *kin)
{
	char text[80] = "";
	size_t used = 0;

	if (!kin->processes)
		return;
	for (unsigned i = 0; i < sizeof kin_names / sizeof *kin_names; i++) {
		if (!(kin->kinds >> i & 1))
			continue;
		used = add_text(text, sizeof text, used, used ? ", " : "");
		used = add_text(text, sizeof text, used, kin_names[i]);
	}
	note_text(trial, case_index, "of", text);
	measure_number(trial, case_index, "processes", kin->processes);
}
