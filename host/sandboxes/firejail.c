/* SPDX-License-Identifier: MIT */
/*
 * firejail, with the profile that it has for a program it does not know: default.profile, or
 * server.profile for root; the user's arguments are added. Its profiles hide one folder or
 * another, so the probe is put where it can be started, and the sandbox is left as it is: which
 * place works is found out by starting "probe --version" there.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "host/clean_text.h"
#include "host/memory.h"
#include "host/sandbox.h"
#include "host/throwaway.h"

#define GREETING "sandboxeval-probe "

/* In place of a folder: where it is, shown by an argument of ours. */
#define SHOWN "+"

/*
 * "": where it is. Of the others, those that this account may write; /run is gone at a reboot.
 * Last, in a folder that is private in there (--private-tmp) the probe is shown: that is tried
 * only where nothing else of the folder is visible, so that it takes nothing away.
 */
static const char *place_at(unsigned i)
{
	const char *const all[] = { "",	   getenv("XDG_RUNTIME_DIR"), "/dev/shm", "/run",
				    "/var/tmp", getenv("HOME"),		  "/var/lib", "/opt", SHOWN };

	return i < sizeof all / sizeof *all ? (all[i] ? all[i] : "/nonexistent") : NULL;
}

static char **command_line(const struct sandbox_request *request, const char *place,
			   const char *probe, char *const options[])
{
	char **argv = list_add(NULL, copy_text("firejail"));

	/* Otherwise it tells what it does on the probe's standard output. */
	argv = list_add(argv, copy_text("--quiet"));
	for (unsigned i = 0; i < request->n_arguments; i++)
		if (strcmp(request->arguments[i], "--") != 0)
			argv = list_add(argv, copy_text(request->arguments[i]));
	if (strcmp(place, SHOWN) == 0)
		argv = list_add(argv, print_text("--whitelist=%s", probe));
	argv = list_add(argv, copy_text("--"));
	argv = list_add(argv, copy_text(probe));
	return list_join(argv, options);
}

/* ---------------------------------------------------------------- a place for the probe */

static bool copy_bytes_between(int from, int to)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(from, bytes, sizeof bytes)) > 0)
		for (ssize_t done = 0; done < n;) {
			ssize_t written = write(to, bytes + done, (size_t)(n - done));

			if (written <= 0)
				return false;
			done += written;
		}
	return n == 0;
}

static bool copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	bool copied = in >= 0 && out >= 0 && copy_bytes_between(in, out) && fchmod(out, 0755) == 0;

	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) < 0)
		copied = false;
	return copied;
}

/* The probe in a place: a copy in `ret_folder`, or itself. NULL: the place takes none. */
static char *put_probe(const char *probe, const char *place, char **ret_folder)
{
	struct error ignored;
	char *path;

	*ret_folder = NULL;
	if (!place || !place[0] || strcmp(place, SHOWN) == 0)
		return copy_text(probe);
	*ret_folder = throwaway_folder(place, &ignored);
	if (!*ret_folder)
		return NULL;
	path = print_text("%s/probe", *ret_folder);
	if (copy_file(probe, path))
		return path;
	free(path);
	throwaway_remove(*ret_folder);
	*ret_folder = NULL;
	return NULL;
}

/* `ret_said` becomes what it says first: the probe's greeting, or the cause. */
static bool starts_at(const struct sandbox_request *request, const char *place, const char *path,
		      char *ret_said, size_t size)
{
	char version[] = "--version", *const options[] = { version, NULL };
	char **argv = command_line(request, place, path, options);
	bool started = child_first_line((const char *const *)argv, ret_said, size) &&
		       strncmp(ret_said, GREETING, strlen(GREETING)) == 0;

	list_free(argv);
	return started;
}

static bool refuse(char *said, struct error *error)
{
	char *clean = clean_lines(said, strlen(said), 400);

	error_set(error, EXIT_INCOMPLETE, "firejail cannot start the probe with these arguments: %s",
		  clean[0] ? clean : "it ended without a word");
	if (strstr(clean, "not allowed to use"))
		error_hint(error, "add the account to /etc/firejail/firejail.users; system accounts "
				  "are not on it unless they are named");
	else if (strstr(clean, "No such file") || strstr(clean, "ermission denied"))
		error_hint(error, "leave the probe a place where programs may run: one of /tmp, "
				  "/dev/shm, /run, the home folder; or name one that the sandbox shows: "
				  "TMPDIR=/some/folder");
	free(clean);
	return false;
}

/*
 * The probe's path in the first place that works, and the folder to remove, or NULL. The place
 * is remembered: the launches of one run have the same arguments.
 */
static char *find_place(const struct sandbox_request *request, const char *probe,
			const char **ret_place, char **ret_folder, struct error *error)
{
	static const struct sandbox_request *known_for;
	static unsigned known;
	char said[512] = "";
	const char *place;

	if (known_for == request) {
		char *again = put_probe(probe, *ret_place = place_at(known), ret_folder);

		if (!again)
			error_set(error, EXIT_INTERNAL, "cannot put the probe into %s again",
				  *ret_place);
		return again;
	}
	for (unsigned i = 0; (place = place_at(i)) && !interrupted(); i++) {
		char *path = put_probe(probe, place, ret_folder);

		if (path && starts_at(request, place, path, said, sizeof said)) {
			known_for = request;
			known = i;
			*ret_place = place;
			return path;
		}
		free(path);
		throwaway_remove(*ret_folder);
	}
	refuse(said, error);
	return NULL;
}

/* ---------------------------------------------------------------- the launcher */

/* As an ordinary user it must be set-uid root. */
static bool is_privileged(const char *program)
{
	struct stat about;

	return geteuid() == 0 ||
	       (stat(program, &about) == 0 && about.st_uid == 0 && about.st_mode & S_ISUID);
}

static void find(struct engine *engine)
{
	const char *const question[] = { "firejail", "--version", NULL };
	char *program = program_find("firejail"), line[sizeof engine->version];

	*engine = (struct engine){ .available = false };
	if (!program)
		strcpy(engine->lacks, "firejail is not installed: apt-get install firejail");
	else if (!is_privileged(program))
		snprintf(engine->lacks, sizeof engine->lacks,
			 "firejail is not set-uid root: chown root %.200s; chmod u+s %.200s", program,
			 program);
	else if (child_first_line(question, line, sizeof line)) {
		engine->available = true;
		snprintf(engine->version, sizeof engine->version, "%s", line);
	} else {
		/* /etc/firejail/firejail.users may name who is allowed to use it. */
		snprintf(engine->lacks, sizeof engine->lacks,
			 "firejail does not run for this account: %s", line);
	}
	free(program);
}

static bool check(const struct sandbox_request *request, struct error *error)
{
	if (request->image || request->rootfs) {
		error_set(error, EXIT_MISUSE, "firejail has no images");
		return error_hint(error, "name a root folder: -- --chroot=FOLDER");
	}
	for (unsigned i = 0; i < request->n_arguments; i++) {
		const char *word = request->arguments[i];

		if (word[0] == '-' && (strcmp(word, "--") != 0 || i + 1 == request->n_arguments))
			continue;
		error_set(error, EXIT_MISUSE, "the firejail arguments name a command: %s", word);
		return error_hint(error, "leave it out: the probe is the command; write values as "
					 "--option=value");
	}
	return true;
}

/*
 * Killed, it leaves records of its sandbox in /run/firejail. Whatever is asked of it next, it first
 * removes those of sandboxes that are no more.
 */
static void remove_records(void)
{
	const char *const any[] = { "firejail", "--version", NULL };

	child_undo(any);
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	char *folder = NULL, *path, *nothing[] = { NULL }, mark[] = "{probe}";
	const char *place = "";

	if (!check(request, error))
		return false;
	path = find_place(request, probe, &place, &folder, error);
	if (!path || !place) {
		remove_records();
		return false;
	}
	*ret_launch = (struct launch){
		.argv = command_line(request, place, path, probe_options),
		.report_argv = command_line(request, place, mark, nothing),
		.probe_path = path,
		.image = copy_text("the host's files"),
		.folder = folder,
	};
	return true;
}

static void clean_up(struct launch *launch)
{
	(void)launch;
	remove_records();
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "--net=none",
	[REMEDY_UID] = "start it as another user",
	[REMEDY_MAP] = "--noroot, as an ordinary user",
	[REMEDY_CAP] = "--caps.drop=all",
	[REMEDY_NNP] = "--nonewprivs",
	[REMEDY_SEC] = "--seccomp, or --seccomp.keep=… of what is needed",
	[REMEDY_NUN] = "--restrict-namespaces",
	[REMEDY_RO] = "--read-only=/",
	[REMEDY_BIND] = "--whitelist=… of what is needed, --private, --blacklist=…",
	[REMEDY_TMP] = "--private-tmp, --noexec=/tmp, --noexec=/dev/shm",
	[REMEDY_MASK] = "--blacklist=… or --private-etc=…",
	[REMEDY_PID] = "default: a pid namespace; no --join",
	[REMEDY_IPC] = "--ipc-namespace",
	[REMEDY_UTS] = "--hostname=NAME",
	[REMEDY_CG] = "--blacklist=/sys/fs/cgroup",
	[REMEDY_DEV] = "--private-dev",
	[REMEDY_ENV] = "--rmenv=NAME, or start it with env -i",
	[REMEDY_FD] = "default: no --keep-fd",
	[REMEDY_TTY] = "sysctl dev.tty.legacy_tiocsti=0",
	[REMEDY_MEM] = "--rlimit-as=SIZE, or a control group: systemd-run --scope",
	[REMEDY_PRC] = "--rlimit-nproc=NUMBER",
	[REMEDY_CPU] = "--rlimit-cpu=SECONDS, --cpu=LIST, --timeout=hh:mm:ss",
	[REMEDY_RL] = "--rlimit-fsize=, --rlimit-nofile=, --rlimit-sigpending=",
	[REMEDY_ONE] = "--private --private-tmp: fresh folders for each",
	[REMEDY_MD] = "--net=none",
	[REMEDY_SOCK] = "--blacklist=/run/…, --dbus-user=none, --dbus-system=none",
	[REMEDY_OUT] = "the collector opens with openat2 RESOLVE_BENEATH",
	[REMEDY_KEY] = "--seccomp (its default list has keyctl, add_key, request_key)",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "--blacklist=… it, or keep it under another uid",
};

const struct sandbox sandbox_firejail = {
	.name = "firejail",
	.title = "firejail",
	.summary = "the profile that firejail has for an unknown program",
	.defaults = "none: default.profile, for root server.profile; arguments are added, and "
		    "-- --noprofile takes the profile away",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
	.clean_up = clean_up,
};
