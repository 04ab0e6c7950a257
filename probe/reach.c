/* SPDX-License-Identifier: MIT */
#include "probe/reach.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "probe/attempts.h"
#include "probe/proxies.h"
#include "probe/text.h"

/* ---------------------------------------------------------------- which paths? */

static struct path *add_path(struct paths *paths, const struct path *path)
{
	if (paths->n == PATHS_MOST) {
		paths->cut = true;
		return NULL;
	}
	paths->list[paths->n] = *path;
	return &paths->list[paths->n++];
}

/*
 * Unasked, nothing is sent to another machine. A proxy on one is tried when the user named a
 * witness out there.
 */
static bool may_use(const struct witness *witness, const struct proxy *proxy)
{
	if (is_loopback_address(&proxy->address))
		return true;
	if (witness->scope && strcmp(witness->scope, "named") == 0)
		return true;
	for (unsigned i = 0; i < witness->n; i++) {
		union address host = proxy->address;

		set_port(&host, 0);
		if (same_address(&host, &witness->addresses[i]))
			return true;
	}
	return false;
}

static void add_hops(struct paths *paths, const struct proxies *proxies, const struct path *direct)
{
	const char *request = paths->protocol->request;
	bool is_web = request && (starts_with(request, "GET ") || starts_with(request, "HEAD "));

	for (unsigned i = 0; i < proxies->n; i++) {
		struct path path = *direct;

		if (!may_use(paths->witness, &proxies->list[i])) {
			paths->cut = true;
			continue;
		}
		path.proxy = &proxies->list[i];
		path.hop = path.proxy->is_socks ? HOP_SOCKS : HOP_CONNECT;
		add_path(paths, &path);
		path.hop = HOP_FORWARD;
		if (is_web && !path.proxy->is_socks && path.service != 443)
			add_path(paths, &path);
	}
}

static void add_port(struct paths *paths, const struct proxies *proxies,
		     const union address *address, uint16_t service)
{
	uint16_t port = witness_port(paths->witness, service);
	struct path path = { .target = *address, .service = service, .mapped = port != service,
			     .kind = paths->protocol->kind };

	if (port == 0)
		return;
	set_port(&path.target, port);
	if (path.kind == NET_DNS) {
		path.kind = NET_UDP;
		add_path(paths, &path);
		path.kind = NET_TCP;
	}
	add_path(paths, &path);
	if (path.kind == NET_TCP)
		add_hops(paths, proxies, &path);
}

/* Is this another network namespace than the host's, so that its loopback is another, too? */
static bool is_elsewhere(struct trial *trial)
{
	const char *outside = host_fact(trial, "ns.net");
	struct object object;
	uint64_t number;

	return outside && read_number(outside, &number) &&
	       attempt_worked(try_stat(trial, AT_FDCWD, "/proc/self/ns/net", 0, &object)) &&
	       object.ino != number;
}

static void plan_paths(struct trial *trial, struct paths *paths, const struct proxies *proxies)
{
	const struct witness *witness = paths->witness;
	const struct net_protocol *protocol = paths->protocol;
	/* The kernel here would answer, and the witness's own answer would be waited for in vain. */
	bool no_loopback = protocol->kind == NET_ICMP && is_elsewhere(trial);

	for (unsigned i = 0; i < witness->n; i++) {
		const union address *address = &witness->addresses[i];
		struct path echo = { .target = *address, .kind = NET_ICMP };

		for (unsigned k = 0; k < 4 && protocol->ports[k]; k++)
			add_port(paths, proxies, address, protocol->ports[k]);
		if (protocol->kind == NET_ICMP && !(no_loopback && is_loopback_address(address)) &&
		    witness_sees_echo(witness, address->any.sa_family))
			add_path(paths, &echo);
	}
}

/* ---------------------------------------------------------------- what is noted */

/* Adds a word to a list, once. */
static void add_word(char *list, size_t size, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' '))
			return;
	if (list[0])
		add_text(list, size, strlen(list), " ");
	add_text(list, size, strlen(list), word);
}

static const char *family_name(const struct path *path)
{
	return path->target.any.sa_family == AF_INET ? "ipv4" : "ipv6";
}

static const char *hop_name(const struct path *path)
{
	static const char *const names[] = { "direct", "forwarding-proxy", "connect-proxy",
					     "socks-proxy" };

	return names[path->hop];
}

static const char *scope_name(const struct witness *witness, const struct path *path)
{
	if (is_loopback_address(&path->target))
		return "loopback";
	return witness->scope ? witness->scope : "this-host";
}

/* The widest is what counts. */
static const char *wider(const char *one, const char *other)
{
	static const char *const order[] = { "named", "this-host", "loopback" };

	for (unsigned i = 0; one && i < 3; i++)
		if (strcmp(one, order[i]) == 0 || strcmp(other, order[i]) == 0)
			return order[i];
	return other;
}

static void note_port(char *list, size_t size, const struct path *path)
{
	char port[8];

	if (!path->service)
		return;
	format_text(port, sizeof port, "%u", path->service);
	add_word(list, size, port);
}

static void note_reached(struct trial *trial, int case_index, const struct paths *paths)
{
	char families[16] = "", hops[64] = "", ports[48] = "", transports[16] = "";
	const char *scope = NULL;

	for (unsigned i = 0; i < paths->n; i++) {
		const struct path *path = &paths->list[i];

		if (path->outcome != OUTCOME_REACHED)
			continue;
		add_word(families, sizeof families, family_name(path));
		add_word(hops, sizeof hops, hop_name(path));
		note_port(ports, sizeof ports, path);
		add_word(transports, sizeof transports, path->kind == NET_UDP ? "udp" : "tcp");
		scope = wider(scope, scope_name(paths->witness, path));
	}
	note_text(trial, case_index, "witness", "reached");
	note_text(trial, case_index, "scope", scope);
	note_text(trial, case_index, "family", families);
	note_text(trial, case_index, "path", hops);
	if (ports[0])
		note_text(trial, case_index, "reached_ports", ports);
	if (paths->protocol->kind == NET_DNS)
		note_text(trial, case_index, "transport", transports);
}

static const char *outcome_name(const struct path *path)
{
	static const char *const names[] = {
		"silence", "reached", "stranger", "reset", "error", "proxy-refused",
		"proxy-asks-for-credentials", "no-proxy-there",
	};

	if (path->outcome != OUTCOME_ERROR)
		return names[path->outcome];
	switch (path->attempt.reached ? path->attempt.error : -1) {
	case -1:
		return "call-refused";
	case ENETUNREACH:
	case EHOSTUNREACH:
	case ENETDOWN:
	case EADDRNOTAVAIL:
		return "unreachable";
	default:
		return "not-permitted";
	}
}

/* "ipv4_direct": "silence reset" */
static void note_vain(struct trial *trial, int case_index, const struct paths *paths)
{
	static const char *const facts[2][4] = {
		{ "ipv4_direct", "ipv4_forwarding_proxy", "ipv4_connect_proxy", "ipv4_socks_proxy" },
		{ "ipv6_direct", "ipv6_forwarding_proxy", "ipv6_connect_proxy", "ipv6_socks_proxy" },
	};

	note_text(trial, case_index, "witness", "in vain");
	for (unsigned family = 0; family < 2; family++) {
		for (unsigned hop = 0; hop < 4; hop++) {
			char outcomes[160] = "";

			for (unsigned i = 0; i < paths->n; i++)
				if (paths->list[i].hop == hop &&
				    (paths->list[i].target.any.sa_family == AF_INET6) == family)
					add_word(outcomes, sizeof outcomes,
						 outcome_name(&paths->list[i]));
			if (outcomes[0])
				note_text(trial, case_index, facts[family][hop], outcomes);
		}
	}
}

static void note_mapped(struct trial *trial, int case_index, const struct paths *paths)
{
	char ports[48] = "";

	for (unsigned i = 0; i < paths->n; i++)
		if (paths->list[i].mapped)
			note_port(ports, sizeof ports, &paths->list[i]);
	if (ports[0])
		note_text(trial, case_index, "mapped", ports);
	measure_number(trial, case_index, "tries", paths->tries);
}

/* ---------------------------------------------------------------- in vain: which barriers? */

/* K7 to that very address: a datagram socket's connect() only looks the route up. */
static struct attempt ask_way_to(struct trial *trial, const union address *address)
{
	struct attempt made = try_socket(trial, address->any.sa_family, SOCK_DGRAM, 0), a;

	if (!attempt_worked(made))
		return made;
	a = try_connect(trial, (int)made.value, address, address_size(address), 0);
	close_fd((int)made.value);
	return a;
}

static bool passes_filter(struct trial *trial)
{
	const struct form form = FORM("connect", __NR_connect, "fpp");
	struct question question = form_question(&form);

	return ask_filter(trial, question.nr, question.args, NULL) == ANSWER_PASSES;
}

static void settle_error(struct trial *trial, int case_index, const struct path *path)
{
	struct attempt a = path->attempt, query;

	if (!a.reached || strcmp(a.call, "socket") == 0) {
		settle(trial, case_index, a,
		       .capability = path->kind == NET_ICMP ? NEEDS_CAP(CAP_NET_RAW) : 0);
		return;
	}
	query = ask_way_to(trial, &path->target);
	switch (a.error) {
	case ENETUNREACH:
	case EHOSTUNREACH:
	case ENETDOWN:
	case EADDRNOTAVAIL:
		if (attempt_worked(query))
			settle(trial, case_index, a, .filtered = true);
		else if (ask_route(trial, path->target.any.sa_family, NULL) == ROUTE_EXISTS)
			/* Others may be reached: this witness cannot tell. */
			settle_unknown(trial, case_index, REASON_NO_WITNESS);
		else
			settle(trial, case_index, a, .route = ROUTE_NONE);
		return;
	case EACCES:
		/* A prohibited route refuses every kind of socket, a security module this one. */
		settle(trial, case_index, a, .filtered = query.error == EACCES,
		       .route = attempt_worked(query) ? ROUTE_EXISTS : ROUTE_NOT_ASKED);
		return;
	case EPERM:
		settle(trial, case_index, a, .filtered = passes_filter(trial));
		return;
	default:
		settle(trial, case_index, a);
	}
}

static void settle_path(struct trial *trial, int case_index, const struct path *path)
{
	struct attempt a = path->attempt;
	bool no_route = path->outcome == OUTCOME_ERROR && strcmp(outcome_name(path),
								 "unreachable") == 0;

	/* The other port is not the one that a filter looks at. */
	if (path->mapped && !no_route && path->outcome != OUTCOME_PROXY_GONE) {
		settle_unknown(trial, case_index, REASON_NO_WITNESS);
		return;
	}
	if (path->outcome != OUTCOME_ERROR)
		a = (struct attempt){ .value = -1, .error = a.error, .nr = a.nr, .call = a.call,
				      .reached = true };
	switch (path->outcome) {
	case OUTCOME_SILENT:
	case OUTCOME_REFUSED:
		settle(trial, case_index, a, .filtered = true);
		return;
	case OUTCOME_STRANGER:
		settle(trial, case_index, a, .interposed = true);
		return;
	case OUTCOME_ERROR:
		settle_error(trial, case_index, path);
		return;
	case OUTCOME_PROXY_REFUSED:
		settle(trial, case_index, a, .proxy_refused = true);
		return;
	case OUTCOME_PROXY_ASKS:
		settle(trial, case_index, a, .auth_refused = true);
		return;
	case OUTCOME_PROXY_GONE:
	case OUTCOME_REACHED:
		return;
	}
}

/* ---------------------------------------------------------------- the stage */

static bool is_baseline(const struct trial *trial)
{
	const char *place = host_fact(trial, "place");

	return place && strcmp(place, "outside") == 0;
}

/* In vain: does that say anything, and of what? Returns -1 when it does, else a reason. */
static int why_not_told(const struct trial *trial, const struct paths *paths,
			const struct proxies *proxies)
{
	/* Loopback and a host's bridge have doors of their own: shut ones say nothing of others. */
	if (!paths->witness->scope || strcmp(paths->witness->scope, "named") != 0 || paths->cut ||
	    proxies->untried)
		return REASON_NO_WITNESS;
	switch (witness_reached_outside(trial)) {
	case OUTSIDE_REACHED:
		return -1;
	case OUTSIDE_NOT_TRIED:
		return is_baseline(trial) ? REASON_NO_WITNESS : REASON_NO_BASELINE;
	default:
		return REASON_NO_WITNESS;
	}
}

enum reach reach_witness(struct trial *trial, int case_index, const struct net_protocol *protocol,
			 bool shut, enum reason *ret_reason)
{
	struct witness witness;
	struct proxies proxies;
	struct paths paths = { .witness = &witness, .protocol = protocol, .near = shut };
	int reason;

	if (!witness_known(trial, &witness))
		return REACH_NOT_TRIED;
	list_proxies(trial, &proxies);
	plan_paths(trial, &paths, &proxies);
	if (paths.n == 0)
		return REACH_NOT_TRIED;
	paths_try(trial, &paths);
	note_mapped(trial, case_index, &paths);
	if (paths_reached(&paths)) {
		note_reached(trial, case_index, &paths);
		settle(trial, case_index, found_in_process(true));
		return REACH_SETTLED;
	}
	note_vain(trial, case_index, &paths);
	reason = why_not_told(trial, &paths, &proxies);
	if (shut || reason >= 0) {
		*ret_reason = reason >= 0 ? (enum reason)reason : REASON_NO_WITNESS;
		return REACH_NOT_TOLD;
	}
	for (unsigned i = 0; i < paths.n; i++)
		settle_path(trial, case_index, &paths.list[i]);
	return REACH_SETTLED;
}

bool comes_from_witness(struct trial *trial, const void *bytes, size_t n)
{
	struct witness witness;

	return witness_known(trial, &witness) && witness_spoke(&witness, bytes, n);
}

const char *witness_nonce(struct trial *trial, char nonce[NONCE_SIZE])
{
	struct witness witness;

	if (!witness_known(trial, &witness))
		return trial_nonce(trial);
	memcpy(nonce, witness.nonce, NONCE_SIZE);
	return nonce;
}
