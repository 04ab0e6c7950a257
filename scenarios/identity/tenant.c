/* SPDX-License-Identifier: MIT */
/*
 * What the engine calls this sandbox, its pod, its node and its customer: in the path of the
 * control group, the host name, the list of mounts, and variables. Shapes are told, and a hash
 * under the run's key; never the id or the path itself.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/utsname.h>

enum { GROUP_PATH, HOST_NAME, MOUNTS, VARIABLES };

static const struct case_def cases[] = {
	[GROUP_PATH] = { "control-group-path", "/proc/self/cgroup", 0, 0, 0 },
	[HOST_NAME] = { "host-name", NULL, 0, 0, 0 },
	[MOUNTS] = { "mounts", "/proc/self/mountinfo", 0, 0, 0 },
	[VARIABLES] = { "variables", NULL, 0, 0, 0 },
};

/* ---------------------------------------------------------------- shapes */

enum id_shape { NO_ID, CONTAINER, POD, ACCOUNT, HOST_PATH, N_SHAPES };

static const char *const shape_names[] = { "none", "container-id", "pod", "account", "host-path" };

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool is_word(char c)
{
	return is_digit(c) || is_letter(c);
}

/* A word of hexadecimal digits, long enough to be no word of a language. */
static bool is_random(const char *word, size_t n)
{
	unsigned digits = 0, letters = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_hex(word[i]))
			return false;
		digits += word[i] <= '9';
		letters += word[i] > '9';
	}
	return n >= 12 && digits && letters;
}

/* 8-4-4-4-12, the last of which begins here; a pod's is written with "_" in a slice's name. */
static bool ends_uuid(const char *text, const char *word, size_t n)
{
	return n == 12 && word - text >= 24 && strchr("-_", word[-1]) && word[-6] == word[-1] &&
	       word[-11] == word[-1] && word[-16] == word[-1];
}

static enum id_shape shape_of_text(const char *text)
{
	static const char *const folders[] = { "/home/", "/root/", "/run/user/",
					       "user.slice/user-" };
	static const char *const engines[] = { "/var/lib/docker/",     "/var/lib/containers/",
					       "/var/lib/containerd/", "/containers/storage/",
					       "/var/lib/rancher/",    "/run/containerd/",
					       "/var/lib/lxc/",        "/var/lib/lxd/" };

	if (strstr(text, "kubepods") || strstr(text, "/kubelet/pods/"))
		return POD;
	for (const char *at = text; *at;) {
		size_t n = 0;

		while (is_word(at[n]))
			n++;
		if (is_random(at, n) || ends_uuid(text, at, n))
			return CONTAINER;
		at += n + !n;
	}
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(text, folders[i]))
			return ACCOUNT;
	for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++)
		if (strstr(text, engines[i]))
			return HOST_PATH;
	return NO_ID;
}

struct search {
	struct trial *trial;
	bool own_groups; /* control groups are seen from a root of our own */
	unsigned seen[N_SHAPES];
};

static bool any_seen(const struct search *search)
{
	for (unsigned i = CONTAINER; i < N_SHAPES; i++)
		if (search->seen[i])
			return true;
	return false;
}

/* "container-id, host-path" */
static void note_shapes(const struct search *search, int case_index)
{
	char text[128] = "";
	int used = 0;

	for (unsigned i = CONTAINER; i < N_SHAPES; i++)
		if (search->seen[i])
			used += format_text(text + used, sizeof text - (size_t)used, "%s%s",
					    used ? ", " : "", shape_names[i]);
	if (used)
		note_text(search->trial, case_index, "shapes", text);
}

/* ---------------------------------------------------------------- control groups */

/* "4:memory:/kubepods/pod…" */
static bool take_group(void *context, char *line)
{
	struct search *search = context;
	const char *path = strchr(line, '/');
	enum id_shape shape;

	if (!path || !path[1])
		return true;
	shape = shape_of_text(path);
	/* Seen from the host's root even a plain name is the host's. */
	if (shape == NO_ID && !search->own_groups)
		shape = HOST_PATH;
	if (!any_seen(search) && shape != NO_ID)
		measure_hash(search->trial, GROUP_PATH, path);
	search->seen[shape]++;
	return true;
}

static void try_group_path(struct trial *trial)
{
	bool own = namespace_sharing(trial, NAMESPACE_CGROUP, NULL) == SHARING_OWN;
	struct search search = { .trial = trial, .own_groups = own };
	struct attempt a = try_lines(trial, case_of(trial, GROUP_PATH)->path, take_group, &search);
	bool found = any_seen(&search);

	note_shapes(&search, GROUP_PATH);
	if (attempt_worked(a) && !found)
		settle(trial, GROUP_PATH, found_nothing(a), .elsewhere = own);
	else
		settle(trial, GROUP_PATH, a, .path = case_of(trial, GROUP_PATH)->path, .right = RIGHT_READ);
}

/* ---------------------------------------------------------------- the host name */

/* A pod's name ends in random letters, none of them a vowel: "web-5d4f8c7b9-x2x7k". */
static bool is_pod_name(const char *name)
{
	const char *last = strrchr(name, '-');

	return last && strlen(last + 1) == 5 &&
	       last[1 + strspn(last + 1, "bcdfghjklmnpqrstvwxz2456789")] == '\0' &&
	       given_variable("KUBERNETES_SERVICE_HOST");
}

static void try_host_name(struct trial *trial)
{
	struct search search = { .trial = trial };
	struct utsname name;
	struct attempt a = try_call(trial, "uname", __NR_uname, &name);
	enum id_shape shape;

	if (!attempt_worked(a))
		a = try_text(trial, "/proc/sys/kernel/hostname", name.nodename,
			     sizeof name.nodename);
	if (!attempt_worked(a)) {
		settle(trial, HOST_NAME, a);
		return;
	}
	shape = is_pod_name(name.nodename) ? POD : shape_of_text(name.nodename);
	/* "ip-10-0-3-7": a node's address */
	if (shape == NO_ID && starts_with(name.nodename, "ip-") && name.nodename[3] <= '9')
		shape = HOST_PATH;
	search.seen[shape]++;
	note_shapes(&search, HOST_NAME);
	if (shape != NO_ID)
		measure_hash(trial, HOST_NAME, name.nodename);
	settle(trial, HOST_NAME, shape != NO_ID ? a : found_nothing(a));
}

/* ---------------------------------------------------------------- mounts */

/* The probe itself was put here by whoever measures. */
static bool is_own_mount(struct trial *trial, const struct mount_line *mount)
{
	struct object object;

	return attempt_worked(try_stat(trial, AT_FDCWD, mount->point, 0, &object)) &&
	       object.ino == origin()->probe_ino && object.dev == origin()->probe_dev;
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct search *search = context;
	const char *upper = strstr(mount->super_options, "upperdir=");
	enum id_shape shape = shape_of_text(mount->root);

	if (upper)
		shape = shape_of_text(upper) == NO_ID ? HOST_PATH : shape_of_text(upper);
	if (shape == NO_ID || is_own_mount(search->trial, mount))
		return true;
	if (!any_seen(search)) {
		measure_hash(search->trial, MOUNTS, upper ? upper : mount->root);
		report_object(search->trial, "mount", mount->point);
	}
	search->seen[shape]++;
	return true;
}

static void try_mounts(struct trial *trial)
{
	struct search search = { .trial = trial };
	struct attempt a = each_mount(trial, take_mount, &search);

	note_shapes(&search, MOUNTS);
	if (any_seen(&search))
		settle(trial, MOUNTS, found_in_process(true));
	else
		settle(trial, MOUNTS, found_nothing(a), .path = case_of(trial, MOUNTS)->path,
		       .right = RIGHT_READ);
}

/* ---------------------------------------------------------------- variables */

static bool names_a_tenant(const char *name)
{
	static const char *const names[] = {
		"KUBERNETES_SERVICE_HOST",
		"GOOGLE_CLOUD_PROJECT",
		"GCP_PROJECT",
		"CODESPACE_NAME",
		"FLY_APP_NAME",
		"K_SERVICE",
		"AWS_LAMBDA_FUNCTION_NAME",
		"ECS_CONTAINER_METADATA_URI",
		"ECS_CONTAINER_METADATA_URI_V4",
		"GITHUB_REPOSITORY",
		"CI_PROJECT_PATH",
		"NODE_NAME",
		"RUNNER_NAME",
	};
	static const char *const ends[] = {
		"POD_NAME",     "POD_UID",     "POD_NAMESPACE",   "POD_IP",          "CONTAINER_ID",
		"ACCOUNT_ID",   "TENANT_ID",   "SUBSCRIPTION_ID", "PROJECT_ID",      "SANDBOX_ID",
		"TASK_ID",      "MACHINE_ID",  "WORKSPACE_ID",    "ORGANIZATION_ID", "ORG_ID",
		"CLUSTER_NAME", "CUSTOMER_ID", "INSTANCE_ID",
	};
	size_t length = strlen(name);

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t n = strlen(ends[i]);

		if (length >= n && strcmp(name + length - n, ends[i]) == 0 &&
		    (length == n || name[length - n - 1] == '_'))
			return true;
	}
	return false;
}

static void attempt(struct trial *trial)
{
	try_group_path(trial);
	try_host_name(trial);
	try_mounts(trial);
	settle(trial, VARIABLES,
	       found_in_process(note_variables(trial, VARIABLES, "names", names_a_tenant) > 0));
}

const struct scenario scenario_identity_tenant = {
	.about = ABOUT(
		.title = "Tell which container, pod or account this is",
		.accessed = "Code in the sandbox sees an id or a host path that belongs to its "
			    "container, pod or account.",
		.denied = "Code in the sandbox sees no id and no host path of its container, pod "
			  "or account.",
		.why = "Such names are what other faults need: the path of an upper folder, the "
		       "id of a neighbour to guess, the account to which a token belongs.",
		.see = "T1613, CWE-497",
		.open = "O -cgroup-namespace",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(CG) | FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
