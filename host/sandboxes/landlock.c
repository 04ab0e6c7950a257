/* SPDX-License-Identifier: MIT */
/*
 * Landlock, without an engine: this program restricts itself and becomes the probe. By default
 * everything can be read and executed, a fresh scratch folder ($TMPDIR) and /dev/null can be
 * written, there is no TCP, and signals and abstract sockets stay inside; the user's arguments
 * replace all of that. The launch is "sandboxeval --start landlock RULE… -- probe …": what
 * restricts must be the process that becomes the probe.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/sandbox.h"
#include "host/throwaway.h"

/* The build machine's <linux/landlock.h> may be older than the kernel that we run on. */
struct ruleset {
	uint64_t files, network, scopes;
};
struct beneath {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
#define ASK_VERSION 1U
#define RULE_BENEATH 1

#define RIGHT(bit) ((uint64_t)1 << (bit))
#define EXECUTE RIGHT(0)
#define WRITE_FILE RIGHT(1)
#define READ_FILE RIGHT(2)
#define READ_FOLDER RIGHT(3)
#define TRUNCATE RIGHT(14)
#define IOCTL_DEVICE RIGHT(15)
#define RIGHTS_OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE)
#define BITS(n) (RIGHT(n) - 1)

/* What each version of the interface knows, and how much of the structure it takes. */
static const struct version {
	size_t size;
	struct ruleset all;
} versions[] = {
	{ 8, { BITS(13), 0, 0 } },        /* 1: Linux 5.13 */
	{ 8, { BITS(14), 0, 0 } },        /* 2: linking and renaming across folders */
	{ 8, { BITS(15), 0, 0 } },        /* 3: truncating */
	{ 16, { BITS(15), BITS(2), 0 } }, /* 4: binding and connecting TCP */
	{ 16, { BITS(16), BITS(2), 0 } }, /* 5: ioctl of devices */
	{ 24, { BITS(16), BITS(2), BITS(2) } }, /* 6: abstract sockets and signals */
};
#define N_VERSIONS ((int)(sizeof versions / sizeof *versions))

static const char *const default_rules[] = {
	"--ro", "/", "--exec", "/", "--rw", "/dev/null", "--scratch", "--no-network", "--scope", NULL,
};

enum effect { EFFECT_BENEATH, EFFECT_SCRATCH, EFFECT_NETWORK, EFFECT_SCOPE };
static const struct rule {
	const char *name;
	enum effect effect;
	uint64_t allowed; /* of what the kernel knows */
} rules[] = {
	{ "--ro", EFFECT_BENEATH, READ_FILE | READ_FOLDER },
	{ "--exec", EFFECT_BENEATH, READ_FILE | READ_FOLDER | EXECUTE },
	{ "--rw", EFFECT_BENEATH, ~EXECUTE },
	{ "--scratch", EFFECT_SCRATCH, ~EXECUTE },
	{ "--no-network", EFFECT_NETWORK, 0 },
	{ "--scope", EFFECT_SCOPE, 0 },
};

static const struct rule *rule_of(const char *word)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(rules[i].name, word) == 0)
			return &rules[i];
	return NULL;
}

/* Does a path follow? The scratch folder's is put there by prepare(). */
static bool takes_path(const struct rule *rule)
{
	return rule && (rule->effect == EFFECT_BENEATH || rule->effect == EFFECT_SCRATCH);
}

/* ---------------------------------------------------------------- inside: restrict and become */

static _Noreturn void give_up(const char *what, const char *which)
{
	fprintf(stderr, "landlock: %s %s: %s\n", what, which, strerror(errno));
	exit(EXIT_INCOMPLETE);
}

static void allow_beneath(int ruleset, const char *path, uint64_t allowed)
{
	struct beneath beneath = { .folder = open(path, O_PATH | O_CLOEXEC) };
	struct stat about;

	if (beneath.folder < 0 || fstat(beneath.folder, &about) < 0)
		give_up("cannot open", path);
	beneath.allowed = S_ISDIR(about.st_mode) ? allowed : allowed & RIGHTS_OF_FILES;
	if (syscall(ADD_RULE, ruleset, RULE_BENEATH, &beneath, 0) < 0)
		give_up("cannot add a rule for", path);
	close(beneath.folder);
}

static int make_ruleset(const struct version *version, char *const words[])
{
	struct ruleset asked = { .files = version->all.files };
	int ruleset;

	for (size_t i = 0; words[i] && strcmp(words[i], "--") != 0; i++) {
		const struct rule *rule = rule_of(words[i]);

		if (!rule || (takes_path(rule) && !words[i + 1])) {
			errno = EINVAL;
			give_up("not a rule:", words[i]);
		}
		i += takes_path(rule);
		if (rule->effect == EFFECT_NETWORK)
			asked.network = version->all.network;
		if (rule->effect == EFFECT_SCOPE)
			asked.scopes = version->all.scopes;
	}
	ruleset = (int)syscall(CREATE_RULESET, &asked, version->size, 0);
	if (ruleset < 0)
		give_up("cannot make", "a ruleset");
	return ruleset;
}

/* "RULE… -- probe options". Returns the probe's command line. */
static char **add_rules(int ruleset, const struct version *version, char *words[])
{
	size_t i = 0;

	for (; words[i] && strcmp(words[i], "--") != 0; i++) {
		const struct rule *rule = rule_of(words[i]);

		if (!takes_path(rule))
			continue;
		i++;
		allow_beneath(ruleset, words[i], rule->allowed & version->all.files);
		if (rule->effect == EFFECT_SCRATCH)
			setenv("TMPDIR", words[i], 1);
	}
	if (!words[i] || !words[i + 1]) {
		errno = EINVAL;
		give_up("nothing to start after", "--");
	}
	allow_beneath(ruleset, words[i + 1], EXECUTE | READ_FILE);
	return &words[i + 1];
}

static int kernel_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);

	return (int)(version > N_VERSIONS ? N_VERSIONS : version);
}

static int start(int argc, char *argv[])
{
	int number = kernel_version(), ruleset;
	const struct version *version = &versions[number - 1];
	char **command;

	(void)argc;
	if (number < 1)
		give_up("no Landlock", "in this kernel");
	ruleset = make_ruleset(version, argv);
	command = add_rules(ruleset, version, argv);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(RESTRICT_SELF, ruleset, 0) < 0)
		give_up("cannot restrict", "this process");
	close(ruleset);
	execv(command[0], command);
	give_up("cannot execute", command[0]);
}

/* ---------------------------------------------------------------- outside: the launcher */

static void find(struct engine *engine)
{
	long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
	struct utsname kernel;

	*engine = (struct engine){ .available = version > 0 };
	if (version > 0 && uname(&kernel) == 0)
		snprintf(engine->version, sizeof engine->version, "Landlock ABI %ld, Linux %.64s",
			 version, kernel.release);
	else if (errno == EOPNOTSUPP)
		strcpy(engine->lacks, "Landlock is switched off in this kernel: start it with landlock "
				      "in the list of the boot parameter lsm=");
	else if (errno == ENOSYS)
		strcpy(engine->lacks, "this kernel has no Landlock: it takes Linux 5.13 or later, built "
				      "with CONFIG_SECURITY_LANDLOCK");
	else
		snprintf(engine->lacks, sizeof engine->lacks, "Landlock cannot be used here: %s",
			 strerror(errno));
}

static bool check(const struct sandbox_request *request, struct error *error)
{
	if (request->image || request->rootfs)
		return error_set(error, EXIT_MISUSE, "landlock has no image and no root folder");
	for (unsigned i = 0; i < request->n_arguments; i++) {
		const char *word = request->arguments[i];
		const struct rule *rule = rule_of(word);

		if (!rule) {
			error_set(error, EXIT_MISUSE, "landlock has no rule %s", word);
			return error_hint(error, "the rules are --ro PATH, --exec PATH, --rw PATH, "
						 "--scratch, --no-network, --scope");
		}
		if (rule->effect != EFFECT_BENEATH)
			continue;
		if (++i == request->n_arguments)
			return error_set(error, EXIT_MISUSE, "landlock's %s lacks its path", word);
		if (access(request->arguments[i], F_OK) < 0)
			return error_set(error, EXIT_MISUSE, "%s: %s", request->arguments[i],
					 strerror(errno));
	}
	return true;
}

/* Adds the rules as they are passed on, or as they are reported: without the scratch folder. */
static char **add_rule_words(char **list, char *const words[], const char *scratch)
{
	for (size_t i = 0; words[i]; i++) {
		const struct rule *rule = rule_of(words[i]);

		list = list_add(list, copy_text(words[i]));
		if (rule && rule->effect == EFFECT_BENEATH)
			list = list_add(list, copy_text(words[++i]));
		else if (rule && rule->effect == EFFECT_SCRATCH && scratch)
			list = list_add(list, copy_text(scratch));
	}
	return list;
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	char *const *words = request->n_arguments ? request->arguments : (char *const *)default_rules;
	char **argv, **shown, *folder;

	if (!check(request, error) || !(folder = throwaway_folder(NULL, error)))
		return false;
	argv = list_add(NULL, copy_text("/proc/self/exe"));
	argv = list_add(argv, copy_text("--start"));
	argv = list_add(argv, copy_text("landlock"));
	argv = add_rule_words(argv, words, folder);
	argv = list_add(argv, copy_text("--"));
	argv = list_add(argv, copy_text(probe));
	argv = list_join(argv, probe_options);
	shown = add_rule_words(list_add(NULL, copy_text("landlock")), words, NULL);
	*ret_launch = (struct launch){
		.argv = argv,
		.report_argv = list_add(shown, copy_text("{probe}")),
		.probe_path = copy_text(probe),
		.image = copy_text("the host's files"),
		.folder = folder,
	};
	return true;
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "--no-network (TCP alone); a network namespace for the rest",
	[REMEDY_UID] = "start it as another user",
	[REMEDY_CAP] = "start it as an ordinary user",
	[REMEDY_SEC] = "a seccomp filter beside it",
	[REMEDY_NUN] = "sysctl user.max_user_namespaces=0",
	[REMEDY_RO] = "--ro in place of --rw",
	[REMEDY_BIND] = "--ro and --exec only for what is needed, not for /",
	[REMEDY_TMP] = "--scratch, on a file system of its own; no --exec for it",
	[REMEDY_MASK] = "--ro without /proc and /sys",
	[REMEDY_PID] = "--scope (signals, Linux 6.12); mount /proc with hidepid=2",
	[REMEDY_DEV] = "--ro and --rw without /dev",
	[REMEDY_ENV] = "start it with env -i",
	[REMEDY_FD] = "close what is open before the start",
	[REMEDY_TTY] = "sysctl dev.tty.legacy_tiocsti=0, setsid",
	[REMEDY_MEM] = "a control group: systemd-run --scope -p MemoryMax=",
	[REMEDY_PRC] = "a control group: systemd-run --scope -p TasksMax=",
	[REMEDY_CPU] = "a control group: systemd-run --scope -p CPUQuota=",
	[REMEDY_RL] = "prlimit",
	[REMEDY_ONE] = "--scratch: a fresh folder for each",
	[REMEDY_MD] = "--no-network",
	[REMEDY_SOCK] = "sockets with a path are beyond Landlock: mode or namespace",
	[REMEDY_OUT] = "the collector opens with openat2 RESOLVE_BENEATH",
	[REMEDY_KEY] = "seccomp: refuse keyctl, add_key, request_key",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it where no --ro reaches, or strip it",
};

const struct sandbox sandbox_landlock = {
	.name = "landlock",
	.title = "Landlock",
	.summary = "the kernel's own file and TCP rules, without an engine",
	.defaults = "--ro / --exec / --rw /dev/null --scratch --no-network --scope; arguments replace "
		    "all of these (--scratch: a fresh folder that may be written; --scope: signals and "
		    "abstract sockets stay inside)",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
	.start = start,
};
