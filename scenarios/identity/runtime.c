/* SPDX-License-Identifier: MIT */
/*
 * Which engine and which hypervisor this is. Any one sign may be forged, or be left over in an
 * image; a product is named by two that come from different sources.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#ifdef __x86_64__
#include <asm/prctl.h>
#include <cpuid.h>
#endif

enum { ENGINE, HYPERVISOR };

static const struct case_def cases[] = {
	[ENGINE] = { "engine", NULL, 0, 0, 0 },
	[HYPERVISOR] = { "hypervisor", NULL, 0, 0, 0 },
};

enum source {
	MARKER_FILE,  /* a file exists */
	VARIABLE,     /* "NAME", or "NAME=value" */
	GROUP,        /* part of a control group's path */
	MOUNT,        /* part of a mount's root, source, type or options */
	INIT,         /* name of process 1 */
	KERNEL,       /* part of release or version */
	COMMAND_LINE, /* part of the kernel's */
	PROCESSOR,    /* the vendor that CPUID names for a hypervisor; the model's name */
	BOARD,        /* part of the firmware's vendor and product */
	CLOCK,        /* the clock source in use */
	EMULATION,    /* the kernel is none of Linux's */
	N_SOURCES,
};

static const char *const source_names[N_SOURCES] = {
	"marker-file",  "variable",  "control-group", "mount", "init",      "kernel",
	"command-line", "processor", "board",         "clock", "emulation",
};

static const struct sign {
	const char *product;
	enum source source;
	const char *text;
} signs[] = {
	{ "docker", MARKER_FILE, "/.dockerenv" },
	{ "docker", GROUP, "docker" },
	{ "docker", MOUNT, "/docker/containers/" },
	{ "docker", MOUNT, "/docker/overlay2/" },
	{ "podman", MARKER_FILE, "/run/.containerenv" },
	{ "podman", VARIABLE, "container=podman" },
	{ "podman", GROUP, "libpod" },
	{ "podman", MOUNT, "/containers/storage/" },
	{ "kubernetes", MARKER_FILE, "/var/run/secrets/kubernetes.io" },
	{ "kubernetes", VARIABLE, "KUBERNETES_SERVICE_HOST" },
	{ "kubernetes", GROUP, "kubepods" },
	{ "kubernetes", MOUNT, "/kubelet/pods/" },
	{ "containerd", GROUP, "cri-containerd" },
	{ "containerd", MOUNT, "io.containerd." },
	{ "lxc", MARKER_FILE, "/dev/lxd" },
	{ "lxc", VARIABLE, "container=lxc" },
	{ "lxc", GROUP, "/lxc" },
	{ "lxc", MOUNT, "lxcfs" },
	{ "systemd-nspawn", MARKER_FILE, "/run/host/container-manager" },
	{ "systemd-nspawn", VARIABLE, "container=systemd-nspawn" },
	{ "flatpak", MARKER_FILE, "/.flatpak-info" },
	{ "flatpak", VARIABLE, "FLATPAK_ID" },
	{ "flatpak", VARIABLE, "container=flatpak" },
	{ "snap", VARIABLE, "SNAP_NAME" },
	{ "snap", GROUP, "snap." },
	{ "snap", MOUNT, "/snapd/" },
	{ "firejail", VARIABLE, "container=firejail" },
	{ "firejail", MOUNT, "/firejail/" },
	{ "firejail", INIT, "firejail" },
	{ "bubblewrap", INIT, "bwrap" },
	{ "bubblewrap", MOUNT, "/newroot" },
	{ "gvisor", KERNEL, "Sun Jan 10 15:06:54 PST 2016" },
	{ "gvisor", COMMAND_LINE, "gvisor" },
	{ "gvisor", EMULATION, "" },
	{ "wsl", MARKER_FILE, "/proc/sys/fs/binfmt_misc/WSLInterop" },
	{ "wsl", VARIABLE, "WSL_DISTRO_NAME" },
	{ "wsl", KERNEL, "microsoft-standard" },
	{ "wsl", MOUNT, "drvfs" },
	{ "kata", MOUNT, "kataShared" },
	{ "kata", COMMAND_LINE, "agent.log" },
	{ "kata", COMMAND_LINE, "kata" },
};

static const struct sign hypervisor_signs[] = {
	{ "kvm", PROCESSOR, "KVMKVMKVM" },
	{ "kvm", CLOCK, "kvm-clock" },
	{ "kvm", BOARD, "QEMU" },
	{ "kvm", BOARD, "KVM" },
	{ "kvm", BOARD, "Google Compute Engine" },
	{ "kvm", BOARD, "Amazon EC2" },
	{ "firecracker", COMMAND_LINE, "firecracker" },
	{ "firecracker", COMMAND_LINE, "virtio_mmio.device=" },
	{ "firecracker", MOUNT, "firecracker" },
	{ "qemu", PROCESSOR, "TCGTCGTCGTCG" },
	{ "qemu", BOARD, "QEMU" },
	{ "vmware", PROCESSOR, "VMwareVMware" },
	{ "vmware", BOARD, "VMware" },
	{ "hyper-v", PROCESSOR, "Microsoft Hv" },
	{ "hyper-v", CLOCK, "hyperv_clocksource" },
	{ "hyper-v", BOARD, "Virtual Machine" },
	{ "xen", MARKER_FILE, "/sys/hypervisor/type" },
	{ "xen", PROCESSOR, "XenVMMXenVMM" },
	{ "xen", CLOCK, "xen" },
	{ "xen", BOARD, "Xen" },
	{ "virtualbox", MARKER_FILE, "/dev/vboxguest" },
	{ "virtualbox", PROCESSOR, "VBoxVBoxVBox" },
	{ "virtualbox", BOARD, "VirtualBox" },
	{ "parallels", PROCESSOR, "prl hyperv" },
	{ "parallels", BOARD, "Parallels" },
	{ "bhyve", PROCESSOR, "bhyve bhyve" },
	{ "bhyve", BOARD, "BHYVE" },
};

enum {
	N_SIGNS = sizeof signs / sizeof *signs,
	N_HYPERVISOR_SIGNS = sizeof hypervisor_signs / sizeof *hypervisor_signs,
	N_ALL = N_SIGNS + N_HYPERVISOR_SIGNS
};

struct search {
	struct trial *trial;
	bool met[N_ALL];
	bool unread; /* not all could be looked at: nothing found proves nothing */
};

static const struct sign *sign_at(unsigned i)
{
	return i < N_SIGNS ? &signs[i] : &hypervisor_signs[i - N_SIGNS];
}

/* Which signs of that source are in this text? */
static void look_in(struct search *search, enum source source, const char *text)
{
	for (unsigned i = 0; i < N_ALL; i++)
		if (sign_at(i)->source == source && strstr(text, sign_at(i)->text))
			search->met[i] = true;
}

/* That a file is missing or closed is an answer; a filter's word, or want of means, is none. */
static void note_unread(struct search *search, struct attempt a)
{
	if (!a.reached || (a.error && a.error != ENOENT && a.error != ENOTDIR && a.error != EACCES))
		search->unread = true;
}

static void look_in_file(struct search *search, enum source source, const char *path)
{
	char text[2048];
	struct attempt a = try_text(search->trial, path, text, sizeof text);

	note_unread(search, a);
	if (a.value <= 0)
		return;
	look_in(search, source, text);
}

/* ---------------------------------------------------------------- sources */

static void look_at_names(struct search *search)
{
	for (unsigned i = 0; i < N_ALL; i++) {
		const struct sign *sign = sign_at(i);
		const char *equals = strchr(sign->text, '='), *value;
		char name[64];
		struct object object;

		if (sign->source == MARKER_FILE)
			search->met[i] = attempt_worked(
				try_stat(search->trial, AT_FDCWD, sign->text, 0, &object));
		if (sign->source != VARIABLE)
			continue;
		format_text(name, sizeof name, "%s", sign->text);
		name[strcspn(name, "=")] = '\0';
		value = given_variable(name);
		search->met[i] = value && (equals ? strcmp(value, equals + 1) == 0 : *value);
	}
}

static bool take_group(void *context, char *line)
{
	look_in(context, GROUP, line);
	return true;
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	look_in(context, MOUNT, mount->root);
	look_in(context, MOUNT, mount->source);
	look_in(context, MOUNT, mount->type);
	look_in(context, MOUNT, mount->super_options);
	return true;
}

#ifdef __x86_64__
static void look_at_processor(struct search *search)
{
	unsigned leaf, words[4] = { 0 };
	struct attempt a =
		try_call(search->trial, "arch_prctl", __NR_arch_prctl, ARCH_GET_CPUID, 0);

	/* Where the instruction is made to fault it would end the trial. */
	if (a.value != 1 || !__get_cpuid(1, &leaf, &words[0], &words[1], &words[2]))
		return;
	if (!(words[1] >> 31 & 1)) /* no hypervisor says that it is there */
		return;
	__cpuid(0x40000000, leaf, words[0], words[1], words[2]);
	words[3] = 0;
	look_in(search, PROCESSOR, (const char *)words);
}
#else
static void look_at_processor(struct search *search)
{
	(void)search;
}
#endif

static void look_everywhere(struct search *search)
{
	static const struct {
		enum source source;
		const char *path;
	} files[] = {
		{ INIT, "/proc/1/comm" },
		{ COMMAND_LINE, "/proc/cmdline" },
		{ BOARD, "/sys/class/dmi/id/sys_vendor" },
		{ BOARD, "/sys/class/dmi/id/product_name" },
		{ BOARD, "/sys/class/dmi/id/bios_vendor" },
		{ CLOCK, "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	};
	struct utsname name;

	look_at_names(search);
	note_unread(search, try_lines(search->trial, "/proc/self/cgroup", take_group, search));
	note_unread(search, each_mount(search->trial, take_mount, search));
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		look_in_file(search, files[i].source, files[i].path);
	if (attempt_worked(try_call(search->trial, "uname", __NR_uname, &name))) {
		look_in(search, KERNEL, name.release);
		look_in(search, KERNEL, name.version);
	}
	if (kernel_is_emulated(search->trial))
		look_in(search, EMULATION, "");
	look_at_processor(search);
}

/* ---------------------------------------------------------------- conclusion */

/* Sources of signs, as bits, for the product of sign `i`; 0: an earlier sign has spoken for it. */
static unsigned sources_of(const struct search *search, unsigned first, unsigned n, unsigned i)
{
	const char *product = sign_at(i)->product;
	unsigned sources = 0;

	for (unsigned k = first; k < first + n; k++) {
		if (strcmp(sign_at(k)->product, product) != 0)
			continue;
		if (k < i)
			return 0;
		if (search->met[k])
			sources |= 1u << sign_at(k)->source;
	}
	return sources;
}

static int add_product(char *text, size_t size, const char *product, unsigned sources)
{
	int used = format_text(text, size, "%s (", product);

	for (unsigned i = 0; i < N_SOURCES; i++)
		if (sources >> i & 1)
			used += format_text(text + used, size - (size_t)used, "%s%s",
					    source_names[i], sources >> i > 1 ? ", " : ")");
	return used;
}

/* "docker (marker-file, mount), kubernetes (…)", and those of which there is but one sign. */
static void conclude(const struct search *search, int case_index, unsigned first, unsigned n)
{
	char named[300] = "", hinted[300] = "";
	int n_named = 0, n_hinted = 0;

	for (unsigned i = first; i < first + n; i++) {
		unsigned sources = sources_of(search, first, n, i);
		bool several = sources & (sources - 1);
		char *text = several ? named : hinted;
		int *used = several ? &n_named : &n_hinted;

		if (!sources)
			continue;
		if (*used)
			*used += format_text(text + *used, sizeof named - (size_t)*used, ", ");
		*used += add_product(text + *used, sizeof named - (size_t)*used,
				     sign_at(i)->product, sources);
		if (several)
			report_object(search->trial, case_of(search->trial, case_index)->name, sign_at(i)->product);
	}
	if (n_named)
		note_text(search->trial, case_index, "named", named);
	if (n_hinted)
		note_text(search->trial, case_index, "one_sign", hinted);
	if (!n_named && search->unread)
		settle_unknown(search->trial, case_index, REASON_SETUP_FAILED);
	else
		settle(search->trial, case_index, found_in_process(n_named > 0));
}

static void attempt(struct trial *trial)
{
	struct search search = { .trial = trial };

	look_everywhere(&search);
	conclude(&search, ENGINE, 0, N_SIGNS);
	conclude(&search, HYPERVISOR, N_SIGNS, N_HYPERVISOR_SIGNS);
}

#ifdef __x86_64__
static const struct question asks[] = {
	{ __NR_arch_prctl, { ARCH_GET_CPUID } },
};
#endif

const struct scenario scenario_identity_runtime = {
	.about = ABOUT(
		.title = "Tell which engine or hypervisor this is",
		.accessed = "Code in the sandbox can tell by two signs which engine or hypervisor "
			    "it runs under.",
		.denied = "Code in the sandbox cannot tell for sure which engine or hypervisor it "
			  "runs under.",
		.why = "Code that knows its box may behave while it is watched, and knows which "
		       "flaws to look for. Signs can be taken away one by one; hardly all of "
		       "them.",
		.see = "T1497.001",
		.open = "O --ro-bind $D/out/result /run/.containerenv --setenv container podman",
		.closed = "B --as-pid-1",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ENV) | FIX(MASK),
	CASES(cases),
#ifdef __x86_64__
	ASKS(asks),
#endif
	.attempt = attempt,
};
