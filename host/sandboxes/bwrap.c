/* SPDX-License-Identifier: MIT */
/*
 * bubblewrap. The user's arguments replace our defaults wholly; all that is added is the probe,
 * bound read-only, at a place where the user's own arguments leave room for it. Which place works
 * is found out by starting "probe --version" there, so that any arguments will do.
 */
#include <stdlib.h>
#include <string.h>

#include "host/child.h"
#include "host/clean_text.h"
#include "host/memory.h"
#include "host/sandbox.h"

#define PROBE_NAME ".sandboxeval-probe"
#define START_SECONDS 60

static const char *const default_arguments[] = {
	"--ro-bind", "/",      "/",    "--dev",		"/dev",		     "--proc", "/proc",
	"--tmpfs",   "/tmp", "--unshare-all", "--die-with-parent", NULL,
};

/* How many values each option takes; those that take a place come with its position. */
static const struct option_shape {
	const char *name;
	unsigned n_values;
	char makes; /* 't': a tmpfs, 'd': devices (a tmpfs, too), 'b': a bind mount; last value */
} shapes[] = {
	{ "--args", 1, 0 },	     { "--unshare-all", 0, 0 },
	{ "--share-net", 0, 0 },     { "--unshare-user", 0, 0 },
	{ "--unshare-user-try", 0, 0 }, { "--unshare-ipc", 0, 0 },
	{ "--unshare-pid", 0, 0 },   { "--unshare-net", 0, 0 },
	{ "--unshare-uts", 0, 0 },   { "--unshare-cgroup", 0, 0 },
	{ "--unshare-cgroup-try", 0, 0 }, { "--userns", 1, 0 },
	{ "--userns2", 1, 0 },	     { "--disable-userns", 0, 0 },
	{ "--assert-userns-disabled", 0, 0 }, { "--pidns", 1, 0 },
	{ "--uid", 1, 0 },	     { "--gid", 1, 0 },
	{ "--hostname", 1, 0 },	     { "--chdir", 1, 0 },
	{ "--clearenv", 0, 0 },	     { "--setenv", 2, 0 },
	{ "--unsetenv", 1, 0 },	     { "--lock-file", 1, 0 },
	{ "--sync-fd", 1, 0 },	     { "--bind", 2, 'b' },
	{ "--bind-try", 2, 'b' },    { "--dev-bind", 2, 'b' },
	{ "--dev-bind-try", 2, 'b' }, { "--ro-bind", 2, 'b' },
	{ "--ro-bind-try", 2, 'b' }, { "--bind-fd", 2, 'b' },
	{ "--ro-bind-fd", 2, 'b' },  { "--remount-ro", 1, 0 },
	{ "--exec-label", 1, 0 },    { "--file-label", 1, 0 },
	{ "--proc", 1, 0 },	     { "--dev", 1, 'd' },
	{ "--tmpfs", 1, 't' },	     { "--mqueue", 1, 0 },
	{ "--dir", 1, 0 },	     { "--file", 2, 0 },
	{ "--bind-data", 2, 0 },     { "--ro-bind-data", 2, 0 },
	{ "--symlink", 2, 0 },	     { "--seccomp", 1, 0 },
	{ "--add-seccomp-fd", 1, 0 }, { "--block-fd", 1, 0 },
	{ "--userns-block-fd", 1, 0 }, { "--info-fd", 1, 0 },
	{ "--json-status-fd", 1, 0 }, { "--new-session", 0, 0 },
	{ "--die-with-parent", 0, 0 }, { "--as-pid-1", 0, 0 },
	{ "--cap-add", 1, 0 },	     { "--cap-drop", 1, 0 },
	{ "--perms", 1, 0 },	     { "--size", 1, 0 },
	{ "--chmod", 2, 0 },	     { "--argv0", 1, 0 },
	{ "--level-prefix", 0, 0 },  { "--overlay-src", 1, 0 },
	{ "--overlay", 3, 'b' },     { "--tmp-overlay", 1, 0 },
	{ "--ro-overlay", 1, 0 },
};

static const struct option_shape *shape_of(const char *word)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (strcmp(shapes[i].name, word) == 0)
			return &shapes[i];
	return NULL;
}

/* What the user's arguments say about the places inside. */
struct layout {
	char **words;
	size_t n, insert; /* before this word stands our bind: the first --remount-ro, or the end */
	bool root_is_bound;
	char **folders; /* where a mount point can be made and goes with the sandbox */
};

static char *below(const char *folder)
{
	size_t n = strlen(folder);

	return print_text("%s%s" PROBE_NAME, folder, n > 0 && folder[n - 1] == '/' ? "" : "/");
}

static bool is_at_or_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	while (n > 0 && folder[n - 1] == '/')
		n--;
	return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* A later bind covers the folder: a mount point would then be made in what was bound. */
static void forget_covered(struct layout *layout, const char *folder)
{
	char **kept = NULL;

	for (size_t i = 0; layout->folders && layout->folders[i]; i++)
		if (!is_at_or_below(layout->folders[i], folder))
			kept = list_add(kept, copy_text(layout->folders[i]));
	list_free(layout->folders);
	layout->folders = kept;
}

static void note_place(struct layout *layout, const struct option_shape *shape, const char *place)
{
	if (shape->makes == 'b' && strcmp(place, "/") == 0)
		layout->root_is_bound = true;
	if (shape->makes == 'b')
		forget_covered(layout, place);
	if ((shape->makes == 't' || shape->makes == 'd') && place[0] == '/')
		layout->folders = list_add(layout->folders, below(place));
}

static bool read_layout(struct layout *layout, struct error *error)
{
	const struct option_shape *shape;

	/* The mark of the options' end may stand there, as long as nothing follows. */
	if (layout->n > 0 && strcmp(layout->words[layout->n - 1], "--") == 0)
		layout->n--;
	layout->insert = layout->n;
	for (size_t i = 0; i < layout->n; i += 1 + shape->n_values) {
		const char *word = layout->words[i];

		shape = shape_of(word);
		if (!shape && strncmp(word, "--", 2) == 0 && word[2]) {
			/* One that this program does not know: its values cannot be told apart. */
			for (size_t k = i; k < layout->n && layout->insert == layout->n; k++)
				if (strcmp(layout->words[k], "--remount-ro") == 0)
					layout->insert = k;
			forget_covered(layout, "/");
			layout->root_is_bound = true;
			return true;
		}
		if (!shape) {
			const char *command = strcmp(word, "--") == 0 && i + 1 < layout->n ?
						      layout->words[i + 1] : word;

			error_set(error, EXIT_MISUSE, "the bwrap arguments name a command: %s",
				  command);
			return error_hint(error, "leave it out: the probe is the command");
		}
		if (i + shape->n_values >= layout->n && shape->n_values > 0)
			return error_set(error, EXIT_MISUSE, "bwrap's %s lacks its value", word);
		/* What a descriptor brings is not known either: it may bind the root. */
		if (strcmp(word, "--args") == 0)
			layout->root_is_bound = true;
		if (strcmp(word, "--remount-ro") == 0 && layout->insert == layout->n)
			layout->insert = i;
		if (shape->makes)
			note_place(layout, shape, layout->words[i + shape->n_values]);
	}
	return true;
}

/*
 * The places to try, in order; "" stands for no bind at all, the probe's own path being visible.
 * A mount point in a root that is bound from the host would be made on the host, and stay there:
 * that place is never tried.
 */
static char **candidates(const struct layout *layout)
{
	char **places = list_add(NULL, copy_text(""));

	if (!layout->root_is_bound)
		places = list_add(places, below("/"));
	return list_join(places, layout->folders);
}

static char **command_line(const struct layout *layout, const char *probe, const char *place,
			   char *const options[], bool for_report)
{
	char **argv = list_add(NULL, copy_text("bwrap"));

	for (size_t i = 0; i <= layout->n; i++) {
		if (i == layout->insert && place[0]) {
			argv = list_add(argv, copy_text("--ro-bind"));
			argv = list_add(argv, copy_text(for_report ? "{probe}" : probe));
			argv = list_add(argv, copy_text(place));
		}
		if (i < layout->n)
			argv = list_add(argv, copy_text(layout->words[i]));
	}
	if (for_report)
		return list_add(argv, copy_text(place[0] ? place : "{probe}"));
	argv = list_add(argv, copy_text(place[0] ? place : probe));
	return list_join(argv, options);
}

struct greeting {
	char text[64];
	size_t n;
};

static bool take_greeting(void *context, const char *bytes, size_t n)
{
	struct greeting *greeting = context;

	for (size_t i = 0; i < n && greeting->n + 1 < sizeof greeting->text; i++)
		greeting->text[greeting->n++] = bytes[i];
	return true;
}

/* Does the probe start at this place? On failure `errors` holds what bwrap had to say. */
static bool starts_at(const struct layout *layout, const char *probe, const char *place,
		      struct child_end *end, struct error *error)
{
	char version[] = "--version", *const options[] = { version, NULL };
	char **argv = command_line(layout, probe, place, options, false);
	struct greeting greeting = { .n = 0 };
	struct child_plan plan = { .argv = argv, .seconds = START_SECONDS,
				   .output = take_greeting, .context = &greeting };
	bool ran = child_run(&plan, end, error);

	list_free(argv);
	return ran && end->how == CHILD_EXITED && end->code == 0 &&
	       memmem(greeting.text, greeting.n, "sandboxeval", strlen("sandboxeval"));
}

static bool refuse(const struct child_end *end, struct error *error)
{
	char *said = clean_lines(end->errors, end->n_errors, 400);

	if (end->how == CHILD_INTERRUPTED)
		error_set(error, EXIT_INTERRUPTED, "interrupted");
	else if (end->how == CHILD_TIMED_OUT)
		error_set(error, EXIT_INCOMPLETE, "bwrap did not start the probe within %d s",
			  START_SECONDS);
	else
		error_set(error, EXIT_INCOMPLETE, "bwrap cannot start the probe with these "
			  "arguments: %s", said[0] ? said : "it ended without a word");
	if (strstr(said, "namespace") || strstr(said, "uid map"))
		error_hint(error, "this account may not make user namespaces: look at sysctl "
				  "kernel.unprivileged_userns_clone, user.max_user_namespaces and "
				  "kernel.apparmor_restrict_unprivileged_userns");
	else if (strstr(said, "execvp") || strstr(said, "an't create file"))
		error_hint(error, "leave the probe a place where programs may run: a root made by "
				  "bwrap (no bind on /), --tmpfs /tmp, or --dev /dev");
	free(said);
	return false;
}

/*
 * The first place that works. It is remembered: the launches of one run have the same arguments,
 * and each would ask again.
 */
static bool find_place(const struct layout *layout, const char *probe, const char **ret_place,
		       struct error *error)
{
	static char **known_words;
	static char *known_place, *known_probe;
	char **places;
	struct child_end end = { 0 };
	bool found = false;

	if (known_place && known_words == layout->words && strcmp(known_probe, probe) == 0) {
		*ret_place = known_place;
		return true;
	}
	places = candidates(layout);
	for (size_t i = 0; places[i] && !found && !interrupted(); i++) {
		found = starts_at(layout, probe, places[i], &end, error);
		if (found) {
			free(known_place);
			free(known_probe);
			known_place = copy_text(places[i]);
			known_probe = copy_text(probe);
			known_words = layout->words;
			*ret_place = known_place;
		}
	}
	list_free(places);
	return found || refuse(&end, error);
}

/* "the host's files" when its root is bound; a root that bwrap makes has only what was put there. */
static const char *image_of(const struct layout *layout)
{
	for (size_t i = 0; i < layout->n; i++) {
		const struct option_shape *shape = shape_of(layout->words[i]);

		if (shape && (shape->makes == 'b'))
			return layout->root_is_bound ? "the host's files" :
						       "parts of the host's files";
	}
	return "empty image";
}

static bool check(const struct sandbox_request *request, struct error *error)
{
	char *program;

	if (request->image || request->rootfs) {
		error_set(error, EXIT_MISUSE, "bwrap has no images");
		return error_hint(error, "bind a root folder: -- --ro-bind FOLDER / --dev /dev …");
	}
	program = program_find("bwrap");
	if (!program) {
		error_set(error, EXIT_INCOMPLETE, "bwrap is not installed");
		return error_hint(error, "install it: apt-get install bubblewrap");
	}
	free(program);
	return true;
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	struct layout layout = { .words = request->arguments };
	const char *place = "";
	bool ready;

	if (request->n_arguments == 0)
		layout.words = (char **)default_arguments;
	layout.n = list_length(layout.words);
	ready = check(request, error) && read_layout(&layout, error) &&
		find_place(&layout, probe, &place, error);
	if (ready)
		*ret_launch = (struct launch){
			.argv = command_line(&layout, probe, place, probe_options, false),
			.report_argv = command_line(&layout, probe, place, probe_options, true),
			.probe_path = copy_text(place[0] ? place : probe),
			.image = copy_text(image_of(&layout)),
		};
	list_free(layout.folders);
	return ready;
}

static void find(struct engine *engine)
{
	const char *const question[] = { "bwrap", "--version", NULL };

	engine_ask(engine, question, "apt-get install bubblewrap", engine->version,
		   sizeof engine->version);
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "--unshare-net",
	/* Root that starts it stays root outside, whatever --uid calls it inside. */
	[REMEDY_UID] = "start it as another user",
	[REMEDY_MAP] = "--unshare-user, as an ordinary user",
	[REMEDY_CAP] = "--cap-drop ALL",
	[REMEDY_SEC] = "--seccomp FD",
	[REMEDY_NUN] = "--unshare-user --disable-userns",
	[REMEDY_RO] = "--ro-bind instead of --bind, --remount-ro / last",
	[REMEDY_BIND] = "bind less; --ro-bind; --tmpfs over what is not needed",
	[REMEDY_TMP] = "--size BYTES before --tmpfs",
	[REMEDY_MASK] = "--tmpfs FOLDER, or --ro-bind /dev/null FILE, over it",
	[REMEDY_PID] = "--unshare-pid --as-pid-1 --die-with-parent",
	[REMEDY_IPC] = "--unshare-ipc",
	[REMEDY_UTS] = "--unshare-uts --hostname NAME",
	[REMEDY_CG] = "--unshare-cgroup",
	[REMEDY_DEV] = "--dev /dev instead of --dev-bind",
	[REMEDY_ENV] = "--clearenv",
	[REMEDY_FD] = "the caller closes descriptors above 2",
	[REMEDY_TTY] = "--new-session",
	[REMEDY_MEM] = "a control group: systemd-run --scope -p MemoryMax=, with --user if not root",
	[REMEDY_PRC] = "as an ordinary account: prlimit --nproc=N bwrap …",
	[REMEDY_CPU] = "taskset, timeout",
	[REMEDY_RL] = "prlimit … bwrap …",
	[REMEDY_ONE] = "a fresh --tmpfs, --unshare-ipc and --unshare-pid for each",
	[REMEDY_MD] = "--unshare-net",
	[REMEDY_SOCK] = "--tmpfs /run",
	[REMEDY_OUT] = "the collector opens with openat2 RESOLVE_BENEATH",
	[REMEDY_KEY] = "the caller joins a new session keyring",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_bwrap = {
	.name = "bwrap",
	.title = "bubblewrap",
	.summary = "unprivileged namespaces on the host's own files",
	.defaults = "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-all "
		    "--die-with-parent",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
};
