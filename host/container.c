/* SPDX-License-Identifier: MIT */
#include "host/container.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/child.h"
#include "host/clean_text.h"
#include "host/memory.h"
#include "host/throwaway.h"

#define PROBE_PLACE "/sandboxeval-probe"
#define EMPTY_IMAGE "sandboxeval-empty"
#define MAKE_SECONDS 60
#define UNDO_SECONDS 20
/* After a command that was cut off, the engine may still be at work on it. */
#define SETTLE_SECONDS 10

/* What stays of a launch until the cleaning up. */
struct state {
	const struct container_engine *engine;
	char *container;
	char *image;       /* the temporary one, or NULL */
	char **everywhere; /* the engine's own options that the user gave */
	bool has_container, has_image; /* made, or perhaps made */
	bool cut_off; /* a command did not come to its end: what it makes may yet appear */
};

static void state_free(struct state *state)
{
	if (!state)
		return;
	free(state->container);
	free(state->image);
	list_free(state->everywhere);
	free(state);
}

/* ---------------------------------------------------------------- talking to the engine */

struct answer {
	char text[128]; /* the first bytes of its output */
	size_t n;
};

static bool take_answer(void *context, const char *bytes, size_t n)
{
	struct answer *answer = context;

	for (size_t i = 0; i < n && answer->n + 1 < sizeof answer->text; i++)
		answer->text[answer->n++] = bytes[i];
	return true;
}

static char **begin_command(const struct state *state, const char *const words[])
{
	char **argv = list_add(NULL, copy_text(state->engine->program));

	return list_join(list_join(argv, state->everywhere), (char *const *)words);
}

/* Advice on usage follows the cause: it would speak of a command that the user never gave. */
static char *cause_of(const struct child_end *end)
{
	static const char *const advice[] = { " / Usage:", " / Run '", " / See '" };
	char *said = clean_lines(end->errors, end->n_errors, 400);

	for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
		char *at = strstr(said, advice[i]);

		if (at)
			*at = '\0';
	}
	return said;
}

static void hint_at_cause(const struct container_engine *engine, struct error *error)
{
	const char *meaning = symptom_meaning(engine->symptoms, error->text);

	if (meaning)
		error_hint(error, "%s", meaning);
}

/*
 * Runs one command of the engine to its end: no interrupt leaves half of it behind. Takes argv.
 * False: it failed, and `error` has its words.
 */
static bool command(struct state *state, char **argv, double seconds, struct answer *answer,
		    struct error *error)
{
	struct child_plan plan = { .argv = argv, .seconds = seconds,
				   .output = answer ? take_answer : NULL, .context = answer };
	struct child_end end;
	bool ran = child_run_whole(&plan, &end, error);
	char *said;

	list_free(argv);
	if (!ran || (end.how == CHILD_EXITED && end.code == 0))
		return ran;
	said = cause_of(&end);
	state->cut_off |= end.how != CHILD_EXITED;
	if (end.how == CHILD_TIMED_OUT)
		error_set(error, EXIT_INCOMPLETE, "%s did not answer within %.0f s",
			  state->engine->program, seconds);
	else
		error_set(error, EXIT_INCOMPLETE, "%s", said[0] ? said : "it ended without a word");
	free(said);
	hint_at_cause(state->engine, error);
	return false;
}

/* ---------------------------------------------------------------- the user's words */

/* Options without a value, so that a word after them is seen to be none. */
static const char *const lone_options[] = {
	"--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init",
	"--interactive", "--no-healthcheck", "--no-hosts", "--oom-kill-disable", "--privileged",
	"--publish-all", "--quiet", "--read-only", "--read-only-tmpfs", "--replace", "--rm",
	"--tls-verify", "--tty", "--unsetenv-all", "-P", "-i", "-it", "-q", "-t", "-ti", NULL,
};
/* What would take the container out of our hands. */
static const struct refusal {
	const char *option, *instead;
} refused_options[] = {
	{ "--name", "leave it out: the container bears a name of its own, and is removed by it" },
	{ "--entrypoint", "leave it out: the probe is the command" },
	{ "--pull", "leave it out, and pull the image beforehand" },
	{ "--rootfs", "name the folder before the mark: --rootfs FOLDER -- …" },
	{ "--detach", "leave it out: the probe's output is awaited" },
	{ "-d", "leave it out: the probe's output is awaited" },
};

static bool is_listed(const char *const list[], const char *word)
{
	for (size_t i = 0; list && list[i]; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

static bool refuse_option(const struct container_engine *engine, const char *word,
			  struct error *error)
{
	size_t length = strcspn(word, "=");

	for (size_t i = 0; i < sizeof refused_options / sizeof *refused_options; i++) {
		const struct refusal *refusal = &refused_options[i];

		if (strlen(refusal->option) != length ||
		    strncmp(refusal->option, word, length) != 0)
			continue;
		error_set(error, EXIT_MISUSE, "the %s arguments take no %s", engine->program,
			  refusal->option);
		return error_hint(error, "%s", refusal->instead);
	}
	return true;
}

/* Keeps an option that all commands need; the word after it is its value if it has no "=". */
static void keep_everywhere(struct state *state, const char *word, const char *next)
{
	const char *const *list = state->engine->everywhere;

	for (size_t i = 0; list && list[i]; i++) {
		size_t length = strlen(list[i]);

		if (strncmp(list[i], word, length) != 0 || (word[length] && word[length] != '='))
			continue;
		state->everywhere = list_add(state->everywhere, copy_text(word));
		if (!word[length] && next)
			state->everywhere = list_add(state->everywhere, copy_text(next));
	}
}

static bool read_words(struct state *state, const struct sandbox_request *request,
		       struct error *error)
{
	/* A value may follow an option; what follows anything else is an image or a command. */
	bool may_be_value = false;

	for (unsigned i = 0; i < request->n_arguments; i++) {
		const char *word = request->arguments[i];
		bool option = word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9');

		if (strcmp(word, "--") == 0 || (!option && !may_be_value)) {
			error_set(error, EXIT_MISUSE, "the %s arguments name an image or a command: "
				  "%s", state->engine->program, word);
			return error_hint(error, "options alone stand there; the image is named with "
					  "--image NAME, and the probe is the command");
		}
		if (option && !refuse_option(state->engine, word, error))
			return false;
		if (option)
			keep_everywhere(state, word, request->arguments[i + 1]);
		/* "-eA=b" has its value with it; what is not known may have one. */
		may_be_value = option && !strchr(word, '=') && !is_listed(lone_options, word);
	}
	return true;
}

/* ---------------------------------------------------------------- the empty image */

/* One file in the oldest form that every tar reader takes (ustar). */
static void tar_header(char header[512], const char *name, size_t size)
{
	unsigned sum = 0;

	memset(header, 0, 512);
	snprintf(header, 100, "%s", name);
	snprintf(header + 100, 8, "%07o", 0755);
	snprintf(header + 108, 8, "%07o", 0);
	snprintf(header + 116, 8, "%07o", 0);
	snprintf(header + 124, 12, "%011zo", size);
	snprintf(header + 136, 12, "%011o", 0);
	memset(header + 148, ' ', 8);
	header[156] = '0';
	memcpy(header + 257, "ustar\00000", 8);
	for (size_t i = 0; i < 512; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
}

static bool write_tar(const char *probe, const char *path, struct error *error)
{
	int from = open(probe, O_RDONLY | O_CLOEXEC);
	FILE *to = fopen(path, "we");
	struct stat about;
	char bytes[512];
	bool written = from >= 0 && to && fstat(from, &about) == 0;
	ssize_t n = 0;

	if (written) {
		tar_header(bytes, &PROBE_PLACE[1], (size_t)about.st_size);
		fwrite(bytes, sizeof bytes, 1, to);
		memset(bytes, 0, sizeof bytes);
		while ((n = read(from, bytes, sizeof bytes)) > 0) {
			fwrite(bytes, sizeof bytes, 1, to);
			memset(bytes, 0, sizeof bytes);
		}
		fwrite(bytes, sizeof bytes, 1, to);
		fwrite(bytes, sizeof bytes, 1, to);
		written = n == 0 && !ferror(to);
	}
	if (from >= 0)
		close(from);
	if (to && fclose(to) != 0)
		written = false;
	return written || error_set(error, EXIT_INTERNAL, "cannot write %s", path);
}

static bool make_empty_image(struct state *state, const char *probe, const char *folder,
			     struct error *error)
{
	char *tar = print_text("%s/image.tar", folder);
	const char *const words[] = { "import", tar, state->image, NULL };
	struct answer id = { .n = 0 };
	bool made = write_tar(probe, tar, error);

	if (made && !command(state, begin_command(state, words), MAKE_SECONDS, &id, error)) {
		made = error_context(error, "%s cannot make an empty image: ",
				     state->engine->program);
		if (strstr(error->text, "no such file"))
			error_hint(error, "if it cannot read this machine's /tmp, name a folder that it "
					  "can read: TMPDIR=/some/folder");
	}
	state->has_image = made || state->cut_off;
	unlink(tar);
	free(tar);
	return made;
}

/* Is the user's image here? Fills the text for the report. */
static bool find_image(struct state *state, const char *image, char **ret_text, struct error *error)
{
	const char *const words[] = { "image", "inspect", "--format", "{{.Id}}", image, NULL };
	struct answer id = { .n = 0 };
	const char *digits = id.text;

	if (image[0] == '-' || image[0] == '\0')
		return error_set(error, EXIT_MISUSE, "'%s' is no name of an image", image);
	if (!command(state, begin_command(state, words), UNDO_SECONDS, &id, error)) {
		if (strstr(error->text, state->engine->absent))
			error_set(error, EXIT_INCOMPLETE, "%s has no image '%s' here, and none is "
				  "pulled", state->engine->program, image);
		return error_hint(error, "pull it: %s pull %s", state->engine->program, image);
	}
	if (strncmp(digits, "sha256:", strlen("sha256:")) == 0)
		digits += strlen("sha256:");
	*ret_text = print_text("%s (%.12s)", image, digits);
	return true;
}

/* ---------------------------------------------------------------- making it */

/* The options that are ours stand first: no word of the user's can keep them from being read. */
static char **own_options(const struct state *state, char **argv, const char *probe)
{
	const struct container_engine *engine = state->engine;

	argv = list_add(argv, copy_text("--rm"));
	argv = list_add(argv, copy_text("--pull"));
	argv = list_add(argv, copy_text("never"));
	/* An empty image has the probe in it. */
	if (!state->image) {
		argv = list_add(argv, copy_text(engine->mount_option));
		argv = list_add(argv, print_text("%s%s%s", engine->mount_before, probe,
						 engine->mount_after));
	}
	return argv;
}

/* The end of the command line: what runs, in what. */
static char **target(char **argv, const struct sandbox_request *request, const char *image)
{
	char *root;

	if (!request->rootfs) {
		argv = list_add(argv, copy_text("--entrypoint"));
		argv = list_add(argv, copy_text(PROBE_PLACE));
	}
	argv = list_join(argv, request->arguments);
	if (!request->rootfs)
		return list_add(argv, copy_text(image));
	/* ":O": a layer above it takes all changes. */
	root = realpath(request->rootfs, NULL);
	argv = list_add(argv, copy_text("--rootfs"));
	argv = list_add(argv, print_text("%s:O", root ? root : request->rootfs));
	free(root);
	return list_add(argv, copy_text(PROBE_PLACE));
}

/*
 * "run" is "create" and "start". The container is created here, uninterrupted, so that it can be
 * removed by its name whenever the start is cut off.
 */
static bool create(struct state *state, const struct sandbox_request *request, const char *probe,
		   char *const options[], const char *image, struct error *error)
{
	const char *const words[] = { "create", "--name", state->container, NULL };
	char **argv = own_options(state, begin_command(state, words), probe);
	struct answer id = { .n = 0 };

	argv = list_join(target(argv, request, image), options);
	state->has_container = command(state, argv, MAKE_SECONDS, &id, error);
	if (state->has_container)
		return true;
	state->has_container = state->cut_off;
	return error_context(error, "%s does not take these arguments: ", state->engine->program);
}

static void fill_launch(struct state *state, const struct sandbox_request *request,
			const char *image, struct launch *launch)
{
	const char *const start[] = { "start", "--attach", state->container, NULL };
	char **shown = list_add(list_add(NULL, copy_text(state->engine->program)),
				copy_text("run"));

	shown = own_options(state, shown, "{probe}");
	launch->report_argv = target(shown, request, state->image ? EMPTY_IMAGE : image);
	launch->argv = begin_command(state, start);
	/* A daemon finishes what it began, or undoes it; without one, half a network would stay. */
	launch->whole_start = !state->engine->has_daemon;
	launch->probe_path = copy_text(PROBE_PLACE);
	launch->state = state;
}

static bool check(const struct container_engine *engine, const struct sandbox_request *request,
		  struct error *error)
{
	struct stat about;

	if (request->image && request->rootfs)
		return error_set(error, EXIT_MISUSE, "an image or a root folder: not both");
	if (request->rootfs && !engine->takes_rootfs) {
		error_set(error, EXIT_MISUSE, "%s takes no root folder", engine->program);
		return error_hint(error, "make an image of it: tar -C %s -c . | %s import - NAME",
				  request->rootfs, engine->program);
	}
	if (request->rootfs && (stat(request->rootfs, &about) < 0 || !S_ISDIR(about.st_mode)))
		return error_set(error, EXIT_MISUSE, "there is no folder %s", request->rootfs);
	return true;
}

static struct state *state_new(const struct container_engine *engine,
			       const struct sandbox_request *request)
{
	struct state *state = new_array(1, sizeof *state);
	char nonce[17];

	random_digits(nonce, 8);
	state->engine = engine;
	state->container = print_text("sandboxeval-%s", nonce);
	if (!request->image && !request->rootfs)
		state->image = print_text(EMPTY_IMAGE ":%s", nonce);
	return state;
}

bool container_prepare(const struct container_engine *engine, const struct sandbox_request *request,
		       const char *probe, char *const probe_options[], struct launch *ret_launch,
		       struct error *error)
{
	struct state *state = state_new(engine, request);
	const char *image = request->image ? request->image : state->image;
	bool ready = check(engine, request, error) && read_words(state, request, error);
	struct launch failed = { .state = state };

	*ret_launch = (struct launch){ 0 };
	if (!ready) {
		state_free(state);
		return false;
	}
	if (request->image)
		ready = find_image(state, image, &ret_launch->image, error);
	else if (request->rootfs)
		ret_launch->image = print_text("files of %s", request->rootfs);
	else
		ret_launch->image = copy_text("empty image");
	if (ready && (ret_launch->folder = throwaway_folder(NULL, error)) &&
	    (!state->image || make_empty_image(state, probe, ret_launch->folder, error)) &&
	    create(state, request, probe, probe_options, image, error)) {
		fill_launch(state, request, image, ret_launch);
		return true;
	}
	container_clean_up(&failed);
	if (failed.left)
		error_hint(error, "%s", failed.left);
	free(failed.left);
	free(ret_launch->image);
	throwaway_remove(ret_launch->folder);
	*ret_launch = (struct launch){ 0 };
	return false;
}

/* ---------------------------------------------------------------- undoing it */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
}

/*
 * Until it is gone, within a bound. What is not there is gone as well, unless a command was cut
 * off: then the daemon may yet make it.
 */
static bool removed(struct state *state, const char *const words[])
{
	bool may_appear = state->cut_off && state->engine->has_daemon;
	double until = now() + SETTLE_SECONDS;
	struct error error;

	for (;;) {
		struct answer answer = { .n = 0 };
		bool done;

		error = (struct error){ 0 };
		done = command(state, begin_command(state, words), UNDO_SECONDS, &answer, &error) ||
		       strstr(error.text, state->engine->absent);

		/* --force forgives what is absent; what was removed is named. */
		if (done && (answer.n > 0 || !may_appear || now() >= until))
			return true;
		if (now() >= until || strstr(error.text, "did not answer"))
			return false;
		nap();
	}
}

void container_clean_up(struct launch *launch)
{
	struct state *state = launch->state;
	const char *const container[] = { "rm", "--force", "--volumes", state->container, NULL };
	const char *const image[] = { "image", "rm", "--force", state->image, NULL };
	const char *program = state->engine->program;
	bool no_container = !state->has_container || removed(state, container);
	/* While a container runs, its image cannot go: no use in waiting twice. */
	bool no_image = !state->has_image || (no_container && removed(state, image));

	if (!no_container && !no_image)
		launch->left = print_text("the container and its empty image are left behind: %s rm "
					  "--force %s; %s image rm --force %s", program,
					  state->container, program, state->image);
	else if (!no_container || !no_image)
		launch->left = print_text("%s is left behind: %s %s --force %s",
					  no_container ? "the empty image" : "the container", program,
					  no_container ? "image rm" : "rm",
					  no_container ? state->image : state->container);
	state_free(state);
	launch->state = NULL;
}
