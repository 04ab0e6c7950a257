/* SPDX-License-Identifier: MIT */
/*
 * NET, the procedure of all scenarios that ask for a way out: socket of each family, route query,
 * proxies, interfaces, witness. It shows that there is no way; that there is one only somebody
 * outside can say, who saw the run's nonce arrive. Without a witness nothing is sent.
 */
#include <errno.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "probe/proxies.h"
#include "probe/reach.h"
#include "probe/text.h"

#define ICMPV6 58

/* What one address family offers. */
struct way {
	int family;
	const char *name;
	struct attempt socket, query; /* `query` is K7's */
	enum route route;
};

struct outlook {
	struct way ways[2];
	struct interfaces interfaces;
	unsigned proxies;
};

/* ---------------------------------------------------------------- variables */

unsigned note_variables(struct trial *trial, int case_index, const char *fact,
			bool (*matches)(const char *name))
{
	char names[400], name[128];
	size_t used = 0;
	unsigned count = 0;

	for (char **variable = origin()->environment; variable && *variable; variable++) {
		size_t n = strcspn(*variable, "=");

		if (n >= sizeof name || (*variable)[n] != '=' || !(*variable)[n + 1])
			continue;
		memcpy(name, *variable, n);
		name[n] = '\0';
		if (!matches(name))
			continue;
		used = add_text(names, sizeof names, used, count++ ? " " : "");
		used = add_text(names, sizeof names, used, name);
	}
	if (count)
		note_text(trial, case_index, fact, names);
	return count;
}

/* ---------------------------------------------------------------- sockets */

/* An echo needs a datagram socket of the ICMP kind, or else a raw one. */
static struct attempt open_icmp(struct trial *trial, int family)
{
	int protocol = family == AF_INET ? IPPROTO_ICMP : ICMPV6;
	struct attempt a = try_socket(trial, family, SOCK_DGRAM, protocol), raw_one;

	if (attempt_worked(a))
		return a;
	raw_one = try_socket(trial, family, SOCK_RAW, protocol);
	/* EACCES is the setting's answer, and tells more than the raw socket's. */
	return attempt_worked(raw_one) || a.error != EACCES ? raw_one : a;
}

static struct attempt open_socket(struct trial *trial, int family, enum net_kind kind)
{
	struct attempt a = kind == NET_ICMP ? open_icmp(trial, family) :
			   try_socket(trial, family, kind == NET_TCP ? SOCK_STREAM : SOCK_DGRAM, 0);

	/* Names are asked for by either. */
	if (kind == NET_DNS && !attempt_worked(a)) {
		struct attempt stream = try_socket(trial, family, SOCK_STREAM, 0);

		a = attempt_worked(stream) ? stream : a;
	}
	close_fd((int)a.value);
	return a;
}

enum dac ask_ping_range(struct trial *trial)
{
	char text[64], first[24], last[24];
	uint64_t low, high;
	struct attempt a = try_text(trial, "/proc/sys/net/ipv4/ping_group_range", text,
				    sizeof text);

	if (a.value <= 0)
		return DAC_NOT_TOLD;
	if (!line_field(text, 0, first, sizeof first) || !line_field(text, 1, last, sizeof last) ||
	    !read_number(first, &low) || !read_number(last, &high))
		return DAC_NOT_TOLD;
	return origin()->egid < low || origin()->egid > high ? DAC_REFUSES : DAC_PERMITS;
}

/*
 * EACCES is documented as the setting's answer, unless its file contradicts. Where a filter answers
 * in its place, the file alone must say so; the raw socket then is refused for want of a right.
 */
static void settle_socket(struct trial *trial, int case_index, struct attempt a, enum net_kind kind)
{
	enum dac range = kind == NET_ICMP ? ask_ping_range(trial) : DAC_PERMITS;
	bool withheld = range == DAC_REFUSES ||
			(range == DAC_NOT_TOLD && a.reached && a.error == EACCES);
	bool asks = kind == NET_ICMP && (a.reached || withheld);

	settle(trial, case_index, a, .capability = asks ? NEEDS_CAP(CAP_NET_RAW) : 0,
	       .sysctl = withheld && (a.reached ? a.error == EACCES :
						  !has_capability(CAP_NET_RAW)) ?
				 "net.ipv4.ping_group_range" : NULL);
}

/* ---------------------------------------------------------------- is there a way? */

static const char *way_says(const struct way *way)
{
	if (!attempt_worked(way->socket))
		return "socket refused";
	return way->route == ROUTE_EXISTS ? "route" :
	       way->route == ROUTE_NONE ? "no route" : "not told";
}

static void look_out(struct trial *trial, int case_index, enum net_kind kind,
		     struct outlook *outlook)
{
	outlook->ways[0] = (struct way){ .family = AF_INET, .name = "ipv4" };
	outlook->ways[1] = (struct way){ .family = AF_INET6, .name = "ipv6" };
	for (unsigned i = 0; i < 2; i++) {
		struct way *way = &outlook->ways[i];

		way->socket = open_socket(trial, way->family, kind);
		if (attempt_worked(way->socket))
			way->route = ask_route(trial, way->family, &way->query);
		note_text(trial, case_index, way->name, way_says(way));
	}
	list_interfaces(trial, &outlook->interfaces);
	if (outlook->interfaces.source)
		note_number(trial, case_index, "interfaces", outlook->interfaces.beyond_lo);
	/* A proxy carries no echo. */
	if (kind != NET_ICMP)
		outlook->proxies = note_variables(trial, case_index, "proxies", names_a_proxy);
}

/* The list is there, and holds nothing but loopback. */
static bool is_alone(const struct outlook *outlook)
{
	return outlook->interfaces.source && outlook->interfaces.beyond_lo == 0;
}

/* Neither the query nor the kernel's own list knows a route. */
static bool leads_nowhere(const struct outlook *outlook, const struct way *way)
{
	const struct interfaces *interfaces = &outlook->interfaces;

	if (!attempt_worked(way->socket) || way->route == ROUTE_NONE)
		return true;
	return way->route == ROUTE_NOT_ASKED && interfaces->source &&
	       strcmp(interfaces->source, "netlink") == 0 && interfaces->routes == 0;
}

/*
 * A ring makes sockets that no filter sees. Its safe question (no ring can have zero entries) is
 * answered by EPERM where rings are forbidden.
 */
static bool ring_may_serve(struct trial *trial)
{
	struct attempt a = try_call(trial, "io_uring_setup", __NR_io_uring_setup, 0, 0);

	return a.reached && (a.error == EFAULT || a.error == EINVAL);
}

static bool is_refused_by_filter(const struct outlook *outlook)
{
	return !outlook->ways[0].socket.reached || !outlook->ways[1].socket.reached;
}

/* Is it shown that nothing can leave? */
static bool is_shut(struct trial *trial, int case_index, const struct outlook *outlook)
{
	const struct way *ways = outlook->ways;

	if (!attempt_worked(ways[0].socket) && !attempt_worked(ways[1].socket)) {
		if (!is_refused_by_filter(outlook) || is_alone(outlook) || !ring_may_serve(trial))
			return true;
		note_flag(trial, case_index, "io_uring", true);
		return false;
	}
	return is_alone(outlook) && outlook->proxies == 0 && leads_nowhere(outlook, &ways[0]) &&
	       leads_nowhere(outlook, &ways[1]);
}

static void note_ports(struct trial *trial, int case_index, const struct net_protocol *protocol)
{
	char list[48];
	size_t used = 0;

	for (unsigned i = 0; i < 4 && protocol->ports[i]; i++) {
		char port[8];

		format_text(port, sizeof port, i ? " %u" : "%u", protocol->ports[i]);
		used = add_text(list, sizeof list, used, port);
	}
	if (used)
		note_text(trial, case_index, "ports", list);
}

void try_net(struct trial *trial, int case_index, const struct net_protocol *protocol)
{
	struct outlook outlook = { .proxies = 0 };
	enum reason reason = REASON_NO_WITNESS;
	bool shut;

	note_ports(trial, case_index, protocol);
	look_out(trial, case_index, protocol->kind, &outlook);
	shut = is_shut(trial, case_index, &outlook);
	if (reach_witness(trial, case_index, protocol, shut, &reason) == REACH_SETTLED)
		return;
	if (!shut) {
		settle_unknown(trial, case_index, reason);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		struct way *way = &outlook.ways[i];

		if (!attempt_worked(way->socket))
			settle_socket(trial, case_index, way->socket, protocol->kind);
		else
			settle(trial, case_index, way->query, .route = ROUTE_NONE);
	}
}
