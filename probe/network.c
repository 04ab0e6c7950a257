/* SPDX-License-Identifier: MIT */
/*
 * Sockets, the route query (K7) and the list of interfaces. Nothing here sends a packet: a
 * datagram socket's connect() only looks a route up, and netlink talks to the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "probe/attempts.h"
#include "probe/guard.h"
#include "probe/netlink.h"
#include "probe/raw.h"
#include "probe/text.h"

#define DISCARD_PORT 9
#define DUMP_NS INT64_C(200000000)
#define MOST_LINKS 64

/* ---------------------------------------------------------------- sockets */

struct attempt try_socket(struct trial *trial, int family, int type, int protocol)
{
	const struct form forms[] = {
		FORM("socket", __NR_socket, "vvv", family, type | SOCK_CLOEXEC, protocol),
		/* A filter may compare the whole type. */
		FORM("socket", __NR_socket, "vvv", family, type, protocol),
	};

	return try_forms(trial, forms, 2);
}

/* Waits until the socket can be written or the deadline passes; 0, or an errno. */
static int wait_connected(int fd, int milliseconds)
{
	int64_t end = now_ns() + milliseconds * INT64_C(1000000);
	struct pollfd waiting = { .fd = fd, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = 0;
	long n;

	do {
		int64_t left = end - now_ns();
		struct timespec patience = { .tv_sec = left / 1000000000,
					     .tv_nsec = left % 1000000000 };

		if (left <= 0)
			return ETIMEDOUT;
		n = raw(__NR_ppoll, &waiting, 1, &patience, NULL, 0);
	} while (n == -EINTR);
	if (n <= 0)
		return n < 0 ? (int)-n : ETIMEDOUT;
	n = raw(__NR_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size);
	if (n < 0)
		return (int)-n;
	return error;
}

struct attempt try_connect(struct trial *trial, int fd, const void *address, unsigned length,
			   int milliseconds)
{
	const struct form forms[] = {
		FORM("connect", __NR_connect, "fpp", fd, address, length),
	};
	long flags = raw(__NR_fcntl, fd, F_GETFL);
	struct attempt a;

	if (flags >= 0)
		raw(__NR_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	a = try_forms(trial, forms, 1);
	if (a.value < 0 && a.reached && a.error == EINPROGRESS) {
		a.error = wait_connected(fd, milliseconds);
		a.value = a.error ? -1 : 0;
	}
	if (flags >= 0)
		raw(__NR_fcntl, fd, F_SETFL, flags);
	return a;
}

/* ---------------------------------------------------------------- K7 */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* The documentation addresses 198.51.100.1 and 2001:db8::1, or the loopback of the family. */
static unsigned make_address(union address *address, int family, bool is_loopback)
{
	static const unsigned char documentation[4] = { 198, 51, 100, 1 };
	static const unsigned char loopback[4] = { 127, 0, 0, 1 };

	memset(address, 0, sizeof *address);
	if (family == AF_INET) {
		address->v4.sin_family = AF_INET;
		address->v4.sin_port = htons(DISCARD_PORT);
		memcpy(&address->v4.sin_addr, is_loopback ? loopback : documentation, 4);
		return sizeof address->v4;
	}
	address->v6.sin6_family = AF_INET6;
	address->v6.sin6_port = htons(DISCARD_PORT);
	address->v6.sin6_addr.s6_addr[15] = 1;
	if (!is_loopback)
		memcpy(address->v6.sin6_addr.s6_addr, "\x20\x01\x0d\xb8", 4);
	return sizeof address->v6;
}

/* On a socket of its own: a second connect would keep the source address of the first. */
static struct attempt query_route(struct trial *trial, int family, bool is_loopback)
{
	union address address;
	unsigned length = make_address(&address, family, is_loopback);
	struct attempt made = try_socket(trial, family, SOCK_DGRAM, 0), a;

	if (!attempt_worked(made))
		return made;
	a = try_connect(trial, (int)made.value, &address, length, 0);
	close_fd((int)made.value);
	return a;
}

static bool says_no_route(struct attempt a)
{
	return !attempt_worked(a) && a.reached &&
	       (a.error == ENETUNREACH || a.error == EHOSTUNREACH || a.error == ENETDOWN ||
		a.error == EADDRNOTAVAIL);
}

enum route ask_route(struct trial *trial, int family, struct attempt *ret_attempt)
{
	struct attempt outward, control;
	struct interfaces interfaces;

	if (family != AF_INET && family != AF_INET6)
		return ROUTE_NOT_ASKED;
	outward = query_route(trial, family, false);
	if (ret_attempt)
		*ret_attempt = outward;
	if (attempt_worked(outward))
		return ROUTE_EXISTS;
	if (!says_no_route(outward))
		return ROUTE_NOT_ASKED;
	control = query_route(trial, family, true);
	if (attempt_worked(control))
		return ROUTE_NONE;
	/* In a new network namespace loopback may be down; then the kernel's own lists decide. */
	if (!says_no_route(control))
		return ROUTE_NOT_ASKED;
	list_interfaces(trial, &interfaces);
	return interfaces.source && strcmp(interfaces.source, "netlink") == 0 &&
		       interfaces.routes == 0 && interfaces.beyond_lo == 0 ?
		       ROUTE_NONE : ROUTE_NOT_ASKED;
}

/* ---------------------------------------------------------------- interfaces by netlink */

struct links {
	struct interfaces *result;
	unsigned n;
	struct {
		int index;
		bool is_loopback, is_up, has_address;
	} list[MOST_LINKS];
};

static int find_link(const struct links *links, int index)
{
	for (unsigned i = 0; i < links->n; i++)
		if (links->list[i].index == index)
			return (int)i;
	return -1;
}

static bool is_loopback_index(const struct links *links, int index)
{
	int i = find_link(links, index);

	return i >= 0 && links->list[i].is_loopback;
}

static void take_link(void *context, const void *data, size_t size)
{
	struct links *links = context;
	const struct ifinfomsg *info = data;

	if (size < sizeof *info)
		return;
	links->result->total++;
	if (links->n == MOST_LINKS)
		return;
	links->list[links->n].index = info->ifi_index;
	links->list[links->n].is_loopback = info->ifi_flags & IFF_LOOPBACK;
	links->list[links->n].is_up = info->ifi_flags & IFF_UP;
	links->list[links->n++].has_address = false;
}

static void take_address(void *context, const void *data, size_t size)
{
	struct links *links = context;
	const struct ifaddrmsg *info = data;
	int i;

	if (size < sizeof *info || is_loopback_index(links, (int)info->ifa_index))
		return;
	links->result->addresses++;
	i = find_link(links, (int)info->ifa_index);
	if (i >= 0)
		links->list[i].has_address = true;
}

/* Routes that lead somewhere: not the kernel's own local ones, and not over loopback. */
static void take_route(void *context, const void *data, size_t size)
{
	struct links *links = context;
	const struct rtmsg *info = data;
	const char *at = data, *end = at + size;

	if (size < sizeof *info || info->rtm_type != RTN_UNICAST ||
	    info->rtm_table == RT_TABLE_LOCAL || info->rtm_flags & RTM_F_CLONED)
		return;
	for (at += NLMSG_ALIGN(sizeof *info); end - at >= (long)sizeof(struct rtattr);) {
		const struct rtattr *attribute = (const void *)at;
		int index;

		if (attribute->rta_len < sizeof *attribute || attribute->rta_len > end - at)
			return;
		if (attribute->rta_type == RTA_OIF &&
		    attribute->rta_len >= sizeof *attribute + sizeof index) {
			memcpy(&index, attribute + 1, sizeof index);
			if (is_loopback_index(links, index))
				return;
		}
		at += RTA_ALIGN(attribute->rta_len);
	}
	links->result->routes++;
}

static void take_neighbour(void *context, const void *data, size_t size)
{
	struct links *links = context;
	const struct ndmsg *info = data;

	if (size < sizeof *info || info->ndm_state & NUD_NOARP || info->ndm_state == NUD_NONE ||
	    is_loopback_index(links, info->ndm_ifindex))
		return;
	links->result->neighbours++;
}

/* Links first: the others ask which of them is loopback. */
static const struct {
	unsigned short request, reply;
	size_t body; /* of the request: what strict kernels want */
	void (*take)(void *links, const void *data, size_t size);
} dumps[] = {
	{ RTM_GETLINK, RTM_NEWLINK, sizeof(struct ifinfomsg), take_link },
	{ RTM_GETADDR, RTM_NEWADDR, sizeof(struct ifaddrmsg), take_address },
	{ RTM_GETROUTE, RTM_NEWROUTE, sizeof(struct rtmsg), take_route },
	{ RTM_GETNEIGH, RTM_NEWNEIGH, sizeof(struct ndmsg), take_neighbour },
};

static bool list_by_netlink(struct trial *trial, struct interfaces *interfaces)
{
	struct links links = { .result = interfaces };
	int64_t end = now_ns() + DUMP_NS;
	struct attempt made = try_socket(trial, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	interfaces->attempt = made;
	if (!attempt_worked(made))
		return false;
	for (unsigned i = 0; i < sizeof dumps / sizeof *dumps; i++) {
		const struct netlink_dump dump = {
			.request = dumps[i].request,
			.reply = dumps[i].reply,
			.body = (const char[16]){ 0 }, /* every family, every link */
			.size = dumps[i].body,
			.take = dumps[i].take,
			.context = &links,
			.end = end,
		};
		struct attempt a = try_netlink_dump(trial, (int)made.value, &dump);

		if (attempt_worked(a))
			interfaces->source = "netlink";
		if (i == 0)
			interfaces->attempt = a;
		/* Emulated kernels lack some dumps; without the links the rest means nothing. */
		if (!attempt_worked(a) && (i == 0 || a.error == EAGAIN))
			break;
	}
	close_fd((int)made.value);
	for (unsigned i = 0; i < links.n; i++)
		interfaces->beyond_lo += !links.list[i].is_loopback &&
					 (links.list[i].is_up || links.list[i].has_address);
	return interfaces->source != NULL;
}

/* ---------------------------------------------------------------- their siblings */

/* Only interfaces that have an IPv4 address are listed. */
static bool list_by_ioctl(struct trial *trial, struct interfaces *interfaces)
{
	struct ifreq list[MOST_LINKS] = { 0 };
	struct ifconf request = { .ifc_len = sizeof list, .ifc_req = list };
	struct attempt made = try_socket(trial, AF_INET, SOCK_DGRAM, 0), a;

	interfaces->attempt = made;
	if (!attempt_worked(made))
		return false;
	a = try_call_as(trial, "fvp", "ioctl", __NR_ioctl, made.value, SIOCGIFCONF, &request);
	interfaces->attempt = a;
	for (size_t i = 0; attempt_worked(a) && i < (size_t)request.ifc_len / sizeof *list; i++) {
		bool is_loopback = starts_with(list[i].ifr_name, "lo") && !list[i].ifr_name[2];

		interfaces->total++;
		interfaces->beyond_lo += !is_loopback;
		interfaces->addresses += !is_loopback;
	}
	close_fd((int)made.value);
	if (attempt_worked(a))
		interfaces->source = "SIOCGIFCONF";
	return attempt_worked(a);
}

struct names {
	struct interfaces *result;
	unsigned n;
	char list[MOST_LINKS][IFNAMSIZ];
};

/* An interface other than lo that a route or an address proves to be in use. */
static void add_name(struct names *names, const char *name)
{
	for (unsigned i = 0; i < names->n; i++)
		if (strcmp(names->list[i], name) == 0)
			return;
	if (names->n == MOST_LINKS)
		return;
	add_text(names->list[names->n++], IFNAMSIZ, 0, name);
	names->result->beyond_lo++;
}

static bool take_device_line(void *context, char *line)
{
	struct names *names = context;

	names->result->total += strchr(line, ':') != NULL; /* the two lines of headings have none */
	return true;
}

static bool take_route_line(void *context, char *line)
{
	struct names *names = context;
	char name[IFNAMSIZ];

	if (line_field(line, 0, name, sizeof name) && strcmp(name, "Iface") != 0 &&
	    strcmp(name, "lo") != 0) {
		names->result->routes++;
		add_name(names, name);
	}
	return true;
}

static bool take_address_line(void *context, char *line)
{
	struct names *names = context;
	char name[IFNAMSIZ];

	if (line_field(line, 5, name, sizeof name) && strcmp(name, "lo") != 0) {
		names->result->addresses++;
		add_name(names, name);
	}
	return true;
}

static bool list_by_files(struct trial *trial, struct interfaces *interfaces)
{
	static const struct {
		const char *path;
		bool (*take)(void *context, char *line);
	} files[] = { { "/proc/net/dev", take_device_line },
		      { "/proc/net/route", take_route_line },
		      { "/proc/net/if_inet6", take_address_line } };
	struct names names = { .result = interfaces };

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		char text[16384];
		struct attempt a = try_text(trial, files[i].path, text, sizeof text);

		if (i == 0)
			interfaces->attempt = a;
		if (!attempt_worked(a) && i == 0)
			return false;
		if (!attempt_worked(a))
			continue;
		each_line(text, files[i].take, &names);
	}
	interfaces->source = "/proc/net";
	return true;
}

void list_interfaces(struct trial *trial, struct interfaces *interfaces)
{
	static bool (*const ways[])(struct trial *trial, struct interfaces *interfaces) = {
		list_by_netlink, list_by_ioctl, list_by_files
	};
	struct attempt first = { .value = -1 };

	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		memset(interfaces, 0, sizeof *interfaces);
		if (ways[i](trial, interfaces))
			return;
		/* All failed: the refusal of the usual way says most. */
		if (i == 0)
			first = interfaces->attempt;
	}
	interfaces->attempt = first;
}
