/* SPDX-License-Identifier: MIT */
/*
 * Can settings of the kernel be written that make it run programs, or weaken it? Each is opened for
 * writing inside a sandbox and closed again, which has no effect; the trigger of emergency
 * functions is never opened, and outside a sandbox none is: there the access check decides.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#define SETTING(name, path) { name, "/proc/sys/" path, 0, 0, 0 }
#define NETWORK(name, path) { name, "/proc/sys/net/ipv4/" path, SEVERITY_MEDIUM, 0, 0 }
#define FOLDER(name, path) { name, path, 0, 0, PLACE_FOLDER }
#define BINFMT "/proc/sys/fs/binfmt_misc"
enum { FOLDER_DEPTH = 4, FOLDER_ENTRIES = 4096, MOUNTS_AT_MOST = 4 };

/* All interfaces of a network share owner, mode and mount of their settings: "all" is asked. */
static const struct case_def cases[] = {
	SETTING("core-pattern", "kernel/core_pattern"),
	SETTING("modprobe", "kernel/modprobe"),
	SETTING("hotplug", "kernel/hotplug"),
	SETTING("poweroff-command", "kernel/poweroff_cmd"),
	SETTING("panic", "kernel/panic"),
	SETTING("panic-on-oops", "kernel/panic_on_oops"),
	SETTING("kptr-restrict", "kernel/kptr_restrict"),
	SETTING("randomize-va-space", "kernel/randomize_va_space"),
	SETTING("yama", "kernel/yama/*"),
	SETTING("sysrq", "kernel/sysrq"),
	SETTING("panic-on-oom", "vm/panic_on_oom"),
	SETTING("overcommit-memory", "vm/overcommit_memory"),
	SETTING("drop-caches", "vm/drop_caches"),
	SETTING("suid-dumpable", "fs/suid_dumpable"),
	SETTING("protected-files", "fs/protected_*"),
	{ "binfmt-register", BINFMT "/register", 0, 0, 0 },
	{ "uevent-helper", "/sys/kernel/uevent_helper", 0, 0, 0 },
	{ "sysrq-trigger", "/proc/sysrq-trigger", 0, 0, PLACE_PROGRAM /* never opened */ },
	FOLDER("bus", "/proc/bus"),
	FOLDER("fs", "/proc/fs"),
	FOLDER("irq", "/proc/irq"),
	FOLDER("scsi", "/proc/scsi"),
	NETWORK("net-ip-forward", "ip_forward"),
	NETWORK("net-route-localnet", "conf/all/route_localnet"),
	NETWORK("net-accept-local", "conf/all/accept_local"),
	NETWORK("net-rp-filter", "conf/all/rp_filter"),
	NETWORK("net-forwarding", "conf/all/forwarding"),
};

/* ---------------------------------------------------------------- other mounts of the same */

/* A second procfs, or a part of one, may be writable where /proc is not. */
struct others {
	unsigned n;
	struct {
		char point[256], root[64];
	} list[MOUNTS_AT_MOST];
};

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct others *others = context;
	bool usual = starts_with(mount->point, "/proc") &&
		     (mount->point[5] == '/' || mount->point[5] == '\0');

	if (strcmp(mount->type, "proc") != 0 || usual ||
	    strlen(mount->point) >= sizeof others->list[0].point ||
	    strlen(mount->root) >= sizeof others->list[0].root)
		return true;
	format_text(others->list[others->n].point, sizeof others->list[0].point, "%s",
		    mount->point);
	format_text(others->list[others->n].root, sizeof others->list[0].root, "%s",
		    strcmp(mount->root, "/") == 0 ? "" : mount->root);
	return ++others->n < MOUNTS_AT_MOST;
}

/* The place of a path of /proc in the nth other mount. False: it does not show it. */
static bool other_place(const struct others *others, unsigned nth, const char *path, char *place,
			size_t size)
{
	const char *root = others->list[nth].root;
	size_t n = strlen(root);

	if (!starts_with(path, "/proc/") || strncmp(path + 5, root, n) != 0 ||
	    (path[5 + n] != '/' && path[5 + n] != '\0'))
		return false;
	format_text(place, size, "%s%s", others->list[nth].point, path + 5 + n);
	return true;
}

/* ---------------------------------------------------------------- one setting */

/* Only root of the first user namespace is a setting's owner; ours is another's there. */
static bool is_of_outer_root(struct trial *trial, const char *path)
{
	struct object object;

	return origin()->euid == 0 &&
	       attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) &&
	       owner_mapping(trial, path, &object) != OWNER_MAPPED;
}

static void ask_place(struct trial *trial, int case_index, const char *path)
{
	struct attempt a = settle_write(trial, case_index, path, case_of(trial, case_index)->kind);
	bool refused = a.reached && (a.error == EACCES || a.error == EPERM);

	if (refused && case_of(trial, case_index)->severity == SEVERITY_MEDIUM)
		settle(trial, case_index, a, .capability = NEEDS_CAP(CAP_NET_ADMIN));
	if (refused && is_of_outer_root(trial, path))
		settle(trial, case_index, a, .id_unmapped = true);
}

static void ask_setting(struct trial *trial, int case_index, const struct others *others,
			const char *path)
{
	char other[800];
	struct object object;

	ask_place(trial, case_index, path);
	for (unsigned i = 0; i < others->n; i++)
		if (other_place(others, i, path, other, sizeof other) &&
		    attempt_worked(try_stat(trial, AT_FDCWD, other, 0, &object)))
			ask_place(trial, case_index, other);
}

/* Walking through would mount it, on the host as well. It is for root only. */
static bool settle_automount(struct trial *trial, int case_index, const char *path)
{
	if (strcmp(path, BINFMT "/register") != 0 || !is_automount(trial, BINFMT))
		return false;
	note_text(trial, case_index, "not_mounted", BINFMT);
	if (origin()->euid == 0 || has_capability(CAP_DAC_OVERRIDE))
		settle_unknown(trial, case_index, REASON_NO_VIEW);
	else
		settle(trial, case_index, found_in_process(false));
	return true;
}

/* Formats for the programs of our user namespace alone, since Linux 6.7. */
static bool settle_own_formats(struct trial *trial, int case_index, const char *path)
{
	if (strcmp(path, BINFMT "/register") != 0 || !is_own_instance(trial, path))
		return false;
	settle(trial, case_index, found_in_process(false), .elsewhere = true);
	return true;
}

static void ask_folder(struct trial *trial, int case_index, const struct others *others)
{
	const char *path = case_of(trial, case_index)->path;
	struct write_search search = { .trial = trial, .case_index = case_index,
				       .at_most = FOLDER_ENTRIES };
	bool more = search_writable(&search, path, FOLDER_DEPTH);
	char other[800];

	for (unsigned i = 0; more && i < others->n; i++)
		if (other_place(others, i, path, other, sizeof other))
			more = search_writable(&search, other, FOLDER_DEPTH);
	settle_writable(&search, path);
}

/* What answers in Linux's place has settings of its own, which are not the host's. */
static bool settle_emulated(struct trial *trial)
{
	if (!kernel_is_emulated(trial))
		return false;
	note_flag(trial, WHOLE, "emulated_kernel", true);
	for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
		settle(trial, i, found_in_process(false), .elsewhere = true);
	return true;
}

static void attempt(struct trial *trial)
{
	enum sharing network = namespace_sharing(trial, NAMESPACE_NET, NULL);
	struct others others = { .n = 0 };
	char path[512];

	if (settle_emulated(trial))
		return;
	each_mount(trial, take_mount, &others);
	for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
		if (case_of(trial, i)->kind & PLACE_FOLDER) {
			ask_folder(trial, i, &others);
			continue;
		}
		if (!find_case(trial, i, path, sizeof path) || settle_automount(trial, i, path) ||
		    settle_own_formats(trial, i, path))
			continue;
		do
			ask_setting(trial, i, &others, path);
		while (find_next_place(trial, case_of(trial, i)->path, path, sizeof path));
	}
	/* Whose network the network's settings belong to. */
	if (network != SHARING_NOT_TOLD)
		note_flag(trial, WHOLE, "network_shared", network == SHARING_SHARED);
	/* Whoever may restore processes writes to this one; it is open to all, and no case. */
	if (attempt_worked(try_access(trial, "/proc/sys/kernel/ns_last_pid", 2 /* W_OK */)))
		note_flag(trial, WHOLE, "ns_last_pid", true);
}

const struct scenario scenario_procfs_writable_settings = {
	.about = ABOUT(
		.title = "Write settings of the kernel",
		.accessed = "Code in the sandbox can write settings of the kernel, which is the "
			    "host's, too.",
		.denied = "Code in the sandbox cannot write any of the kernel's settings that "
			  "matter most.",
		.why = "Some name programs that the kernel runs as root on the host: when a "
		       "process crashes, when a module or a format is missing. Others take its "
		       "defences down.",
		.see = "T1611, T1562.004",
		.open = "O +uid:0 -readonly",
		.closed = "O +uid:0",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(MASK) | FIX(UID),
	CASES(cases),
	.attempt = attempt,
};
