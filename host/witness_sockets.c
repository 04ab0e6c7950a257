/* SPDX-License-Identifier: MIT */
#include "host/witness_sockets.h"

#include <errno.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <string.h>
#include <unistd.h>

#include "host/greeters.h"

#define MAPPED_TRIES 8
#define WAITING_MOST 256

void witness_sockets_init(struct witness_sockets *sockets)
{
	*sockets = (struct witness_sockets){ .echo = { -1, -1 } };
	for (unsigned row = 0; row < WITNESS_ROWS; row++)
		for (unsigned i = 0; i < WITNESS_ADDRESSES; i++)
			sockets->listeners[row][i] = -1;
}

static int open_socket(const union endpoint *address, uint16_t port, bool datagrams)
{
	union endpoint at = *address;
	int type = datagrams ? SOCK_DGRAM : SOCK_STREAM, yes = 1;
	int fd = socket(at.any.sa_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	endpoint_set_port(&at, port);
	/* Of an earlier witness's connections; a datagram socket would share the port instead. */
	if (!datagrams)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (at.any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
	if (bind(fd, &at.any, endpoint_size(&at)) == 0 &&
	    (datagrams || listen(fd, WAITING_MOST) == 0))
		return fd;
	close(fd);
	return -1;
}

uint16_t witness_port_of(int fd)
{
	union endpoint at = { .v6 = { 0 } };
	socklen_t size = sizeof at;

	return getsockname(fd, &at.any, &size) == 0 ? endpoint_port(&at) : 0;
}

bool witness_sockets_add(struct witness_sockets *sockets, const char *address)
{
	union endpoint endpoint;
	int fd;

	if (sockets->n_addresses == WITNESS_ADDRESSES || !endpoint_parse(&endpoint, address))
		return false;
	fd = open_socket(&endpoint, 0, false);
	if (fd < 0)
		return false;
	close(fd);
	sockets->addresses[sockets->n_addresses++] = endpoint;
	return true;
}

/* ---------------------------------------------------------------- ports */

static void close_row(struct witness_sockets *sockets, unsigned row)
{
	for (unsigned i = 0; i < WITNESS_ADDRESSES; i++) {
		if (sockets->listeners[row][i] >= 0)
			close(sockets->listeners[row][i]);
		sockets->listeners[row][i] = -1;
	}
	sockets->ports[row] = 0;
}

/* All services of `service` at this port of every address (0: at some port); all or none. */
static bool open_group(struct witness_sockets *sockets, uint16_t service, uint16_t port)
{
	for (unsigned row = 0; row < greeter_count; row++) {
		if (greeters[row].port != service)
			continue;
		for (unsigned i = 0; i < sockets->n_addresses; i++) {
			int fd = open_socket(&sockets->addresses[i], port,
					     greeters[row].datagrams);

			if (fd < 0)
				goto refused;
			port = port ? port : witness_port_of(fd);
			sockets->listeners[row][i] = fd;
			sockets->ports[row] = port;
		}
	}
	return true;
refused:
	for (unsigned row = 0; row < greeter_count; row++)
		if (greeters[row].port == service)
			close_row(sockets, row);
	return false;
}

static bool is_wanted(const uint16_t only[], uint16_t port)
{
	if (!only)
		return true;
	while (*only && *only != port)
		only++;
	return *only == port;
}

static bool has_loopback(const struct witness_sockets *sockets)
{
	for (unsigned i = 0; i < sockets->n_addresses; i++)
		if (endpoint_is_loopback(&sockets->addresses[i]))
			return true;
	return false;
}

/* The first row of each port stands for its group. */
static bool is_first_of_group(unsigned row)
{
	for (unsigned i = 0; i < row; i++)
		if (greeters[i].port == greeters[row].port)
			return false;
	return true;
}

/* The kernel answers an echo request itself; what is asked for is that somebody saw it arrive. */
static void open_echo(struct witness_sockets *sockets)
{
	struct icmp_filter v4 = { .data = ~(1U << ICMP_ECHO) };
	struct icmp6_filter v6;
	int type = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, yes = 1;

	sockets->echo[0] = socket(AF_INET, type, IPPROTO_ICMP);
	if (sockets->echo[0] >= 0) {
		setsockopt(sockets->echo[0], SOL_RAW, ICMP_FILTER, &v4, sizeof v4);
		setsockopt(sockets->echo[0], IPPROTO_IP, IP_PKTINFO, &yes, sizeof yes);
	}
	ICMP6_FILTER_SETBLOCKALL(&v6);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REQUEST, &v6);
	sockets->echo[1] = socket(AF_INET6, type, IPPROTO_ICMPV6);
	if (sockets->echo[1] >= 0) {
		setsockopt(sockets->echo[1], IPPROTO_ICMPV6, ICMP6_FILTER, &v6, sizeof v6);
		setsockopt(sockets->echo[1], IPPROTO_IPV6, IPV6_RECVPKTINFO, &yes, sizeof yes);
	}
}

bool witness_sockets_open(struct witness_sockets *sockets, const uint16_t only[],
			  struct error *error)
{
	bool any = false;

	_Static_assert(WITNESS_ROWS >= 16, "rows for all greeters");
	for (unsigned row = 0; row < greeter_count && row < WITNESS_ROWS; row++) {
		uint16_t service = greeters[row].port;
		bool mapped = greeters[row].is_dns && has_loopback(sockets), done;

		if (!is_first_of_group(row) || !is_wanted(only, service))
			continue;
		done = !mapped && open_group(sockets, service, service);
		for (unsigned i = 0; !done && i < MAPPED_TRIES; i++)
			done = open_group(sockets, service, 0);
		any |= done;
	}
	open_echo(sockets);
	if (any)
		return true;
	witness_sockets_close(sockets);
	return error_set(error, EXIT_INCOMPLETE, "the witness can listen on no port: %s",
			 strerror(errno));
}

int witness_open_control(const struct witness_sockets *sockets, uint16_t port)
{
	return open_socket(&sockets->addresses[0], port, false);
}

void witness_sockets_close(struct witness_sockets *sockets)
{
	for (unsigned row = 0; row < WITNESS_ROWS; row++)
		close_row(sockets, row);
	for (unsigned i = 0; i < 2; i++) {
		if (sockets->echo[i] >= 0)
			close(sockets->echo[i]);
		sockets->echo[i] = -1;
	}
}
