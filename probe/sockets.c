/* SPDX-License-Identifier: MIT */
/* See settle_sockets() of scenario.h; the view that it settles by: sockets.h. */
#include "probe/sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "probe/lsm.h"
#include "probe/text.h"
#include "probe/trial.h"

enum { SETTLED_AT_MOST = 8 /* refusals of one case: each asks many controls */, CLIENT_NAME = 5 };

struct tries {
	struct trial *trial;
	int case_index;
	unsigned connected, refused;
	bool settled;
	bool by_name; /* the case knows names, so what was not searched matters */
	bool of_all;  /* it takes whatever is left */
	bool of_abstract;
};

/* ---------------------------------------------------------------- one socket */

static bool is_hex(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_digit(text[i]) && (text[i] < 'a' || text[i] > 'f'))
			return false;
	return true;
}

static bool is_alphanumeric(char c)
{
	return is_digit(c) || is_letter(c);
}

/*
 * Nobody but who was told the name of a socket may know it, and some are made of a token for that, or
 * new for each session. What looks drawn by lot is "*": eight letters and digits or more, or capitals
 * among small letters.
 */
static void hide_lots(char *name)
{
	char *to = name;

	for (const char *at = name; *at;) {
		size_t n = 0;
		bool digit = false, letter = false, mixed = false;

		for (; is_alphanumeric(at[n]); n++) {
			digit |= is_digit(at[n]);
			letter |= is_letter(at[n]);
			mixed |= n > 0 && at[n] <= 'Z' && at[n - 1] >= 'a';
		}
		if (n >= 8 && ((digit && letter) || mixed)) {
			*to++ = '*';
			at += n;
			continue;
		}
		for (n += n == 0; n > 0; n--)
			*to++ = *at++;
	}
	*to = '\0';
}

/* The kernel gives five digits to a client that asks for any name: they differ in every run. */
static void report_found(struct trial *trial, const struct found_socket *found)
{
	char text[260];

	if (found->is_abstract && found->length == CLIENT_NAME &&
	    is_hex(found->name, CLIENT_NAME)) {
		report_object(trial, "socket", "@ (of a client)");
		return;
	}
	format_text(text, sizeof text, found->is_abstract ? "@%s" : "%s", found->name);
	if (found->is_abstract)
		hide_lots(text);
	report_object(trial, "socket", text);
}

static void take_answer(struct tries *tries, struct attempt a, const struct found_socket *found)
{
	struct attempt twin;
	bool permits_own = true; /* a control on our own would say who refuses */

	if (attempt_worked(a)) {
		tries->connected++;
		report_found(tries->trial, found);
	} else if (tries->refused++ >= SETTLED_AT_MOST) {
		return;
	}
	tries->settled = true;
	/* Somebody's own end of a conversation takes nothing from others; or a module refuses. */
	if (a.reached && a.error == EPERM && found->type == SOCK_DGRAM) {
		if (!lsm_confines())
			a.error = 0;
		else if (found->talks)
			permits_own = false;
	}
	if (!found->is_abstract) {
		settle(tries->trial, tries->case_index, a, .path = found->name,
		       .right = permits_own ? RIGHT_CONNECT : 0);
		return;
	}
	twin = attempt_worked(a) || a.error == 0 || !permits_own ? a : try_own_name(tries->trial);
	settle(tries->trial, tries->case_index, a, .twin = &twin);
}

static void try_found(struct tries *tries, const struct found_socket *found)
{
	struct trial *trial = tries->trial;
	bool by_proxy = trial_is_outside(trial) && found->listens;
	struct attempt a;

	if (by_proxy)
		note_flag(trial, tries->case_index, "proxy", true);
	if (found->is_abstract)
		a = by_proxy ? found_in_process(true) :
			       try_abstract_name(trial, found->name, found->length, found->type);
	else
		a = by_proxy ? try_access(trial, found->name, 2 /* W_OK */) :
			       try_socket_file(trial, found->name);
	take_answer(tries, a, found);
}

/* ---------------------------------------------------------------- places and variables */

static bool is_listed(const char *path)
{
	const struct sockets_view *view = sockets_view();

	for (unsigned i = 0; i < view->n; i++)
		if (!view->list[i].is_abstract && strcmp(view->list[i].name, path) == 0)
			return true;
	return false;
}

/* A place that was not found to be a socket: why not? */
static void try_path(struct tries *tries, const char *path)
{
	struct object object;
	struct attempt a;

	a = try_stat(tries->trial, AT_FDCWD, path, 0, &object);
	/* Nothing there is settled once, when all are done. */
	if (a.reached && (a.error == ENOENT || a.error == ENOTDIR))
		return;
	if (attempt_worked(a) && S_ISSOCK(object.mode) && sockets_view()->finished)
		return;
	if (tries->refused >= SETTLED_AT_MOST || is_listed(path))
		return;
	tries->settled = true;
	a = settle_socket_file(tries->trial, tries->case_index, path);
	tries->connected += attempt_worked(a);
	tries->refused += !attempt_worked(a);
	if (attempt_worked(a))
		report_object(tries->trial, "socket", path);
}

static struct attempt try_port(struct trial *trial, const void *address, unsigned length)
{
	struct attempt made = try_socket(trial, *(const sa_family_t *)address, SOCK_STREAM, 0), a;

	if (!attempt_worked(made))
		return made;
	a = try_connect(trial, (int)made.value, address, length, 100);
	close_fd((int)made.value);
	return a;
}

/* "127.0.0.1:2375", "localhost:10.0", on this machine's loopback; `display`: of that number. */
static struct attempt try_loopback(struct trial *trial, const char *host, bool display)
{
	static const struct {
		const char *head;
		bool v4, v6;
	} hosts[] = { { "127.0.0.1:", true, false }, { "localhost:", true, true },
		      { "[::1]:", false, true } };
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct attempt a = { .value = -1, .error = ECANCELED, .nr = -1, .reached = true };
	uint64_t port;
	char text[8];

	for (unsigned i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		if (!starts_with(host, hosts[i].head))
			continue;
		format_text(text, sizeof text, "%s", host + strlen(hosts[i].head));
		text[strspn(text, "0123456789")] = '\0';
		if (!read_number(text, &port) || port > 65535 || (display ? port > 99 : port == 0))
			break;
		port += display ? 6000 : 0;
		v4.sin_port = v6.sin6_port = htons((uint16_t)port);
		if (hosts[i].v4)
			a = try_port(trial, &v4, sizeof v4);
		if (hosts[i].v6 && !attempt_worked(a))
			a = try_port(trial, &v6, sizeof v6);
	}
	return a;
}

/* What a variable names beyond this machine is not asked for without the user's word. */
static void try_variable(struct tries *tries, const char *word, size_t n)
{
	struct attempt a;
	char name[64];
	char path[256];
	const char *value, *host;
	bool display;

	format_text(name, sizeof name, "%s", word + 1);
	name[n - 1 < sizeof name ? n - 1 : sizeof name - 1] = '\0';
	value = given_variable(name);
	display = strcmp(name, "DISPLAY") == 0;
	if (value && socket_address(value, path, sizeof path) && path[0] == '/')
		try_path(tries, path);
	if (!value || starts_with(value, "unix") || value[0] == '/' || (display && value[0] == ':'))
		return;
	host = strstr(value, "://");
	if (host)
		host += 3;
	else if (starts_with(value, "tcp:"))
		host = value + 4;
	else if (display)
		host = value;
	else
		return;
	note_text(tries->trial, tries->case_index, "variable", name);
	tries->settled = true;
	a = try_loopback(tries->trial, host, display);
	tries->connected += attempt_worked(a);
	if (a.error == ECANCELED)
		settle_unknown(tries->trial, tries->case_index, REASON_NO_TARGET);
	else
		settle(tries->trial, tries->case_index, a);
}

static void try_words(struct tries *tries)
{
	const char *rest = case_of(tries->trial, tries->case_index)->path, *word;
	char path[256];
	size_t n;

	while (next_word(&rest, &word, &n)) {
		if (word[0] == '/') {
			socket_place(word, n, path, sizeof path);
			try_path(tries, path);
		} else if (word[0] == '$') {
			try_variable(tries, word, n);
		} else if (word[0] == '@') {
			tries->of_abstract = true;
		} else {
			tries->by_name = true;
		}
		tries->of_all |= word[0] == '*' && n == 1;
	}
}

/* ---------------------------------------------------------------- what was not found */

/* Why what was not found may be there all the same; false: it is not. */
static bool may_hide(const struct tries *tries, enum reason *ret_reason)
{
	const struct sockets_view *view = sockets_view();

	*ret_reason = REASON_NO_VIEW;
	if ((tries->of_abstract && !view->names_told) || (tries->by_name && view->blind_roots) ||
	    (tries->of_all && view->blind))
		return true;
	*ret_reason = REASON_TIMED_OUT;
	return !view->finished || view->full || (tries->by_name && view->cut);
}

static void settle_rest(struct tries *tries)
{
	const struct sockets_view *view = sockets_view();
	struct attempt closed = { .value = -1, .error = EACCES, .nr = -1, .reached = true }, made;
	enum reason reason;

	if (tries->of_all && view->closed_folder[0])
		settle(tries->trial, tries->case_index, closed, .path = view->closed_folder,
		       .right = RIGHT_EXECUTE);
	else if (!tries->settled)
		settle(tries->trial, tries->case_index, found_in_process(false),
		       .elsewhere = tries->of_abstract &&
				    outside_status(tries->trial) == STATUS_ACCESSED);
	if (!may_hide(tries, &reason))
		return;
	/* Who can make no socket at all connects to none, wherever it may be. */
	made = try_any_unix_socket(tries->trial);
	if (!made.reached) {
		settle(tries->trial, tries->case_index, made);
		return;
	}
	if (reason == REASON_NO_VIEW && tries->of_all && view->blind)
		settle_not_listed(tries->trial, tries->case_index, view->blind_folder);
	else if (reason == REASON_NO_VIEW && tries->by_name && view->blind_roots)
		settle_not_listed(tries->trial, tries->case_index, view->blind_root);
	else
		settle_unknown(tries->trial, tries->case_index, reason);
}

/* An abstract name is one, whoever else claims it because a variable names it. */
static bool is_taken_by(const struct trial *trial, int case_index, const struct found_socket *found)
{
	if (found->row == (int)trial->index)
		return found->case_index == case_index;
	return found->is_abstract &&
	       strcmp(case_of(trial, case_index)->path, "@*") == 0;
}

void settle_sockets(struct trial *trial)
{
	const struct sockets_view *view = sockets_view();
	unsigned n_cases = trial_scenario(trial)->n_cases, connected = 0;
	bool any_abstract = false;

	for (unsigned i = 0; i < n_cases; i++) {
		struct tries tries = { .trial = trial, .case_index = (int)i };

		if (!case_is_planned(trial, (int)i))
			continue;
		for (unsigned k = 0; k < view->n; k++)
			if (is_taken_by(trial, (int)i, &view->list[k]))
				try_found(&tries, &view->list[k]);
		try_words(&tries);
		settle_rest(&tries);
		connected += tries.connected;
		any_abstract |= tries.of_abstract;
	}
	if (any_abstract && view->source)
		note_text(trial, WHOLE, "names", view->source);
	if (!any_abstract)
		note_flag(trial, WHOLE, "search_cut", view->cut || !view->finished);
	measure_number(trial, WHOLE, "connected", connected);
}
