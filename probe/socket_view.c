/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "probe/attempts.h"
#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/netlink.h"
#include "probe/raw.h"
#include "probe/sockets.h"
#include "probe/text.h"
#include "probe/trial.h"

enum {
	STOREYS = 4,         /* below each folder */
	ENTRIES = 65536,     /* of each */
	CHECK_EVERY = 256,   /* entries between two looks at the clock */
	ROOTS_AT_MOST = 80,
	LISTENS = 0x10000,   /* in /proc/net/unix: __SO_ACCEPTCON */
	STATE_LISTEN = 10,   /* TCP_LISTEN, which sock_diag says of Unix sockets, too */
	STATE_TALKS = 1,     /* and TCP_ESTABLISHED */
	LIST_TALKS = 3,      /* in /proc/net/unix: SS_CONNECTED */
};
#define MOST_NS INT64_C(600000000)
#define DUMP_NS INT64_C(200000000)

static struct sockets_view nothing;
static struct sockets_view *view = &nothing;
static struct trial view_trial;

/* The child's own state. */
static struct gather {
	struct trial *trial;
	int64_t end;
	unsigned n_roots;
	struct {
		uint64_t dev, ino;
	} roots[ROOTS_AT_MOST];
	bool mounts_told;
} gather;

const struct sockets_view *sockets_view(void)
{
	return view;
}

/* ---------------------------------------------------------------- what was found */

static struct found_socket *known_file(const char *path, const struct object *object)
{
	for (unsigned i = 0; i < view->n; i++) {
		struct found_socket *found = &view->list[i];

		if (found->is_abstract || found->ino != object->ino || found->dev != object->dev)
			continue;
		if (object->ino || strcmp(found->name, path) == 0)
			return found;
	}
	return NULL;
}

static struct found_socket *known_name(const char *name, size_t n)
{
	for (unsigned i = 0; i < view->n; i++)
		if (view->list[i].is_abstract && view->list[i].length == n &&
		    memcmp(view->list[i].name, name, n) == 0)
			return &view->list[i];
	return NULL;
}

static struct found_socket *add(const char *name, size_t n)
{
	struct found_socket *found = &view->list[view->n];

	if (view->n == SOCKETS_AT_MOST || n >= sizeof found->name) {
		view->full = true;
		return NULL;
	}
	*found = (struct found_socket){ .length = (uint16_t)n, .row = -1, .case_index = -1 };
	memcpy(found->name, name, n);
	view->n++;
	return found;
}

/* NULL: there is no socket. Its folder may have said that there is, where stat is refused. */
static struct found_socket *add_file_of_type(const char *path, unsigned char type)
{
	struct object object;
	struct found_socket *found;
	struct attempt a = try_stat(gather.trial, AT_FDCWD, path, 0, &object);

	if (attempt_worked(a) ? !S_ISSOCK(object.mode) : a.reached || type != DT_SOCK)
		return NULL;
	found = known_file(path, &object);
	if (found)
		return found;
	found = add(path, strlen(path));
	if (found) {
		found->dev = object.dev;
		found->ino = object.ino;
	}
	return found;
}

static struct found_socket *add_file(const char *path)
{
	return add_file_of_type(path, DT_UNKNOWN);
}

static struct found_socket *add_name(const char *name, size_t n)
{
	struct found_socket *found = known_name(name, n);

	if (!found)
		found = add(name, n);
	if (found)
		found->is_abstract = true;
	return found;
}

static void claim(struct found_socket *found, int row, int case_index)
{
	if (!found || found->row >= 0)
		return;
	found->row = (int16_t)row;
	found->case_index = (int16_t)case_index;
}

/* ---------------------------------------------------------------- what scenarios claim */

bool next_word(const char **rest, const char **ret_word, size_t *ret_length)
{
	size_t n = *rest ? strcspn(*rest, "|") : 0;

	if (!*rest || !**rest)
		return false;
	*ret_word = *rest;
	*ret_length = n;
	*rest += n + ((*rest)[n] == '|');
	return true;
}

void socket_place(const char *word, size_t n, char *path, size_t size)
{
	const char *hole = memmem(word, n, "UID", 3);
	char number[16];
	size_t head = hole ? (size_t)(hole - word) : n;

	format_text(number, sizeof number, "%u", origin()->uid);
	path[0] = '\0';
	if (n + sizeof number >= size)
		return;
	memcpy(path, word, head);
	path[head] = '\0';
	if (!hole)
		return;
	head = add_text(path, size, head, number);
	memcpy(path + head, hole + 3, n - 3 - (size_t)(hole - word));
	path[head + n - 3 - (size_t)(hole - word)] = '\0';
}

typedef void claim_function(int row, int case_index, const char *word, size_t n);

static void each_claim(claim_function *take)
{
	for (unsigned row = 0; row < scenario_registry_count; row++) {
		const struct scenario *scenario = scenario_registry[row].scenario;
		unsigned n_cases = scenario->views & VIEW_SOCKETS ? scenario->n_cases : 0;

		for (unsigned i = 0; i < n_cases; i++) {
			const char *rest = cases_of(scenario)[i].path, *word;
			size_t n;

			while (next_word(&rest, &word, &n))
				take((int)row, (int)i, word, n);
		}
	}
}

/* As many whole components of the path's end as the word has. */
static bool is_end_of(const char *word, size_t n, const char *path)
{
	const char *at = path + strlen(path);
	size_t slashes = 1;

	for (size_t i = 0; i < n; i++)
		slashes += word[i] == '/';
	while (at > path && slashes > 0)
		slashes -= *--at == '/';
	return slashes == 0 && matches_part(word, n, at + 1, strlen(at + 1));
}

static bool is_rest(const char *word, size_t n)
{
	return (n == 1 && word[0] == '*') || (n == 2 && memcmp(word, "@*", 2) == 0);
}

static void claim_by_name(int row, int case_index, const char *word, size_t n)
{
	bool is_abstract = word[0] == '@';

	if (word[0] == '/' || word[0] == '$')
		return;
	for (unsigned i = 0; i < view->n; i++) {
		struct found_socket *found = &view->list[i];

		if (found->is_abstract != is_abstract || found->row >= 0)
			continue;
		if (is_abstract ? matches_part(word + 1, n - 1, found->name, found->length)
				: is_end_of(word, n, found->name))
			claim(found, row, case_index);
	}
}

static void claim_known(int row, int case_index, const char *word, size_t n)
{
	if (!is_rest(word, n))
		claim_by_name(row, case_index, word, n);
}

static void claim_rest(int row, int case_index, const char *word, size_t n)
{
	if (is_rest(word, n))
		claim_by_name(row, case_index, word, n);
}

static void claim_place(int row, int case_index, const char *word, size_t n)
{
	char path[256];

	if (word[0] != '/')
		return;
	socket_place(word, n, path, sizeof path);
	claim(add_file(path), row, case_index);
}

/* ---------------------------------------------------------------- what variables name */

/* "wayland-0" is a name in the folder of the session. */
static struct found_socket *add_in_session(const char *name)
{
	const char *folder = given_variable("XDG_RUNTIME_DIR");
	char path[300];

	if (!folder || !*name || strchr(name, '/') || strchr(name, ':'))
		return NULL;
	format_text(path, sizeof path, "%s/%s", folder, name);
	return add_file(path);
}

bool socket_address(const char *value, char *text, size_t size)
{
	const char *unix_part = strstr(value, "unix:");

	if (unix_part)
		value = unix_part + 5;
	if (unix_part && starts_with(value, "path="))
		value += 5;
	while (value[0] == '/' && value[1] == '/')
		value++;
	if (unix_part && starts_with(value, "abstract="))
		format_text(text, size, "@%s", value + 9);
	else
		format_text(text, size, "%s", value);
	if (unix_part)
		text[strcspn(text, ",;")] = '\0';
	return text[0] == '/' || text[0] == '@';
}

static struct found_socket *add_address(const char *value)
{
	struct found_socket *found;
	char text[256];

	if (!socket_address(value, text, sizeof text))
		return NULL;
	if (text[0] == '@')
		return add_name(text + 1, strlen(text + 1));
	found = add_file(text);
	/* "/path:number:1" */
	text[strcspn(text, ":")] = '\0';
	return found ? found : add_file(text);
}

static void claim_variable(int row, int case_index, const char *word, size_t n)
{
	char name[64];
	const char *value;
	struct found_socket *found;

	if (word[0] != '$' || n > sizeof name)
		return;
	memcpy(name, word + 1, n - 1);
	name[n - 1] = '\0';
	value = given_variable(name);
	if (!value)
		return;
	found = add_address(value);
	claim(found ? found : add_in_session(value), row, case_index);
}

/* Whatever else names a socket file, under whatever name. */
static void look_at_variables(void)
{
	for (char **variable = origin()->environment; variable && *variable; variable++) {
		const char *value = strchr(*variable, '=');

		if (value && (value[1] == '/' || starts_with(value + 1, "unix:")) &&
		    !strchr(value, '@'))
			add_address(value + 1);
	}
}

/* ---------------------------------------------------------------- the kernel's lists */

static uint64_t hex_field(const char *line, unsigned field)
{
	char word[24];

	return line_field(line, field, word, sizeof word) ? leading_hex(word) : 0;
}

static void take_listener(const char *name, size_t n, bool is_abstract, unsigned type, bool talks)
{
	struct found_socket *found = is_abstract ? add_name(name, n) :
				     name[0] == '/' ? add_file(name) : NULL;

	if (found) {
		found->type = (uint8_t)type;
		found->listens = true;
		found->talks = talks;
	}
}

/* "Num: RefCount Protocol Flags Type St Inode Path" */
static bool take_unix_line(void *context, char *line)
{
	uint64_t type = hex_field(line, 4);
	const char *name = line;

	(void)context;
	for (unsigned i = 0; i < 7 && name; i++) {
		name += strspn(name, " ");
		name = strchr(name, ' ');
	}
	if (!name || !name[1])
		return true;
	/* What neither listens nor takes datagrams is the other end of a connection. */
	if (type != SOCK_DGRAM && !(hex_field(line, 3) & LISTENS))
		return true;
	name++;
	take_listener(name[0] == '@' ? name + 1 : name, strlen(name) - (name[0] == '@'),
		      name[0] == '@', (unsigned)type, hex_field(line, 5) == LIST_TALKS);
	return true;
}

static void take_diagnosis(void *context, const void *data, size_t size)
{
	const struct unix_diag_msg *message = data;
	const struct nlattr *attribute = (const void *)(message + 1);
	const char *name = (const char *)(attribute + 1);
	size_t n;

	(void)context;
	if (size < sizeof *message + sizeof *attribute || attribute->nla_type != UNIX_DIAG_NAME ||
	    attribute->nla_len <= sizeof *attribute || attribute->nla_len > size - sizeof *message)
		return;
	if (message->udiag_type != SOCK_DGRAM && message->udiag_state != STATE_LISTEN)
		return;
	n = attribute->nla_len - sizeof *attribute;
	if (name[0] == '\0')
		take_listener(name + 1, n - 1, true, message->udiag_type,
			      message->udiag_state == STATE_TALKS);
}

/* Where /proc does not tell. */
static bool list_by_netlink(void)
{
	const struct unix_diag_req request = { .sdiag_family = AF_UNIX,
					       .udiag_states = ~0u,
					       .udiag_show = UDIAG_SHOW_NAME };
	const struct netlink_dump dump = { .request = SOCK_DIAG_BY_FAMILY,
					   .reply = SOCK_DIAG_BY_FAMILY,
					   .body = &request,
					   .size = sizeof request,
					   .take = take_diagnosis,
					   .end = now_ns() + DUMP_NS };
	struct attempt made = try_socket(gather.trial, AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG), a;

	if (!attempt_worked(made))
		return false;
	a = try_netlink_dump(gather.trial, (int)made.value, &dump);
	close_fd((int)made.value);
	return attempt_worked(a);
}

static void list_names(void)
{
	struct attempt a = try_lines(gather.trial, "/proc/net/unix", take_unix_line, NULL);

	/* An empty file is a mask: the list has a head. */
	view->names_told = a.value > 0;
	view->source = view->names_told ? "/proc/net/unix" : NULL;
	if (!view->names_told && list_by_netlink()) {
		view->names_told = true;
		view->source = "sock_diag";
	}
}

/* ---------------------------------------------------------------- the sweep */

/* What package managers know: more names than a folder is listed for, and no socket. */
static bool is_record(const char *path)
{
	static const char *const folders[] = { "/var/lib/dpkg", "/var/lib/rpm", "/var/lib/apt",
					       "/var/lib/pacman" };

	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strcmp(path, folders[i]) == 0)
			return true;
	return false;
}

/* A socket that is mounted by itself is listed as the plain file that it covers. */
static bool take_mount(void *context, const struct mount_line *mount)
{
	(void)context;
	/* To look at one would mount it, or wait for another machine. */
	if (strcmp(mount->type, "autofs") != 0 && !starts_with(mount->type, "nfs") &&
	    strcmp(mount->type, "cifs") != 0)
		add_file(mount->point);
	return true;
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct folder_search *search = context;

	/* A link may lead to a socket elsewhere. */
	if (entry->type == DT_SOCK || entry->type == DT_LNK ||
	    (entry->type == DT_REG && !gather.mounts_told))
		add_file_of_type(entry->path, entry->type);
	if (search->entries % CHECK_EVERY == 0 && now_ns() >= gather.end) {
		view->cut = true;
		return SEARCH_STOP;
	}
	return entry->type == DT_DIR && (is_package_folder(entry->name) || is_record(entry->path)) ?
		       SEARCH_PASS : SEARCH_ON;
}

/* Not listed, and yet what lies in it can be reached by whoever knows its name? */
static void take_refused(void *context, const char *path, struct attempt a)
{
	bool is_gone = a.reached && (a.error == ENOENT || a.error == ENOTDIR || a.error == ENXIO);

	(void)context;
	if (is_gone)
		return;
	if (a.reached && a.error == EACCES &&
	    ask_dac(gather.trial, path, RIGHT_EXECUTE) == DAC_REFUSES) {
		if (!view->closed_folder[0])
			add_text(view->closed_folder, sizeof view->closed_folder, 0, path);
		return;
	}
	if (view->blind++ == 0)
		add_text(view->blind_folder, sizeof view->blind_folder, 0, path);
}

static bool is_new_root(const struct object *object)
{
	for (unsigned i = 0; i < gather.n_roots; i++)
		if (gather.roots[i].ino == object->ino && gather.roots[i].dev == object->dev)
			return false;
	if (gather.n_roots == ROOTS_AT_MOST) {
		view->cut = true;
		return false;
	}
	gather.roots[gather.n_roots].dev = object->dev;
	gather.roots[gather.n_roots++].ino = object->ino;
	return true;
}

static bool sweep(void *context, const char *root)
{
	struct folder_search search = { .trial = gather.trial, .depth = STOREYS,
					.at_most = ENTRIES, .each = take_entry,
					.refused = take_refused };
	struct object object;
	uint32_t blind = view->blind;

	(void)context;
	search.context = &search;
	/* /var/run mostly is /run. */
	if (!root || root[0] != '/' ||
	    (attempt_worked(try_stat(gather.trial, AT_FDCWD, root, 0, &object)) &&
	     !is_new_root(&object)))
		return true;
	if (!attempt_worked(search_folder(&search, root)) && view->blind > blind &&
	    view->blind_roots++ == 0)
		add_text(view->blind_root, sizeof view->blind_root, 0, root);
	view->cut |= search.cut;
	return !search.stopped;
}

static void look(void *context)
{
	struct workspaces found;

	(void)context;
	gather.end = now_ns() + MOST_NS;
	each_claim(claim_variable);
	look_at_variables();
	each_claim(claim_place);
	list_names();
	gather.mounts_told = attempt_worked(each_mount(gather.trial, take_mount, NULL));
	sweep(NULL, "/run");
	sweep(NULL, "/var/run");
	sweep(NULL, given_variable("XDG_RUNTIME_DIR"));
	sweep(NULL, "/tmp");
	sweep(NULL, "/dev");
	sweep(NULL, "/var/lib");
	sweep(NULL, origin()->cwd);
	each_home(gather.trial, sweep, NULL);
	/* Somebody outside may listen in whatever was brought in. */
	find_workspaces(gather.trial, WORK_MOUNTS, &found);
	for (unsigned i = 0; i < found.n; i++)
		sweep(NULL, found.list[i].path);
	view->cut |= found.cut;
	each_claim(claim_known);
	each_claim(claim_rest);
	view->finished = true;
}

/* ---------------------------------------------------------------- the probe's side */

static bool is_wanted(const bool selected[])
{
	for (unsigned i = 0; i < scenario_registry_count; i++)
		if (selected[i] && (scenario_registry[i].scenario->views & VIEW_SOCKETS))
			return true;
	return false;
}

void sockets_make_view(const bool selected[], struct record *record)
{
	static const struct scenario nobody;
	static const struct scenario_row row = { .id = "sockets", .scenario = &nobody };
	const struct guard_options guard = { .deadline_ms = 2000, .cpu_seconds = 1 };
	const size_t size = sizeof *view + SOCKETS_AT_MOST * sizeof *view->list;
	struct sockets_view *shared = is_wanted(selected) ? shared_memory(size) : NULL;
	struct cell cell;

	if (!shared)
		return;
	view = shared;
	view_trial = (struct trial){ .row = &row, .record = record };
	gather.trial = &view_trial;
	record_begin(record, &nobody, options.level);
	/* A call that kills the child is noted, and the rest looked for without it. */
	for (int round = 0; round < 8; round++) {
		enum ending ending = guard_run(&cell, &guard, look, NULL);

		if (ending != ENDING_SIGSYS || record->calling < 0)
			break;
		filter_mark_lethal((long)record->calling);
		memset(view, 0, size);
	}
	if (view->n > SOCKETS_AT_MOST)
		view->n = SOCKETS_AT_MOST;
	for (unsigned i = 0; i < view->n; i++) {
		struct found_socket *found = &view->list[i];

		found->name[sizeof found->name - 1] = '\0';
		if (found->length >= sizeof found->name)
			found->length = sizeof found->name - 1;
	}
	seal_memory(view, size);
}
