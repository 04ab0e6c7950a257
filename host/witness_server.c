/* SPDX-License-Identifier: MIT */
#include "host/witness_server.h"

#include <errno.h>
#include <netinet/icmp6.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/memory.h"

#define VISITORS 512
#define PATIENCE_SECONDS 5
#define CONTROL_ROW WITNESS_ROWS
#define ANSWER_ROOM (256 * 1024)

struct visitor {
	int fd; /* -1: this place is free */
	unsigned row;
	union endpoint from;
	time_t until;
	size_t n;
	unsigned char bytes[LINE_MOST + 2];
	bool heard; /* all that it says: what else comes is dropped */
};

struct service {
	struct witness_server *server;
	struct visitor visitors[VISITORS];
	struct arrivals arrivals;
	bool over;
};

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static void note_arrival(struct service *service, const unsigned char *bytes, size_t n,
			 const char *protocol, uint16_t port, const union endpoint *from)
{
	struct arrival arrival = { .port = port, .family = endpoint_family(from) };

	if (!find_nonce(bytes, n, arrival.nonce))
		return;
	snprintf(arrival.protocol, sizeof arrival.protocol, "%s", protocol);
	if (arrivals_add(&service->arrivals, &arrival) && service->server->tell)
		service->server->tell(service->server->context, &arrival, from);
}

static void dismiss(struct visitor *visitor)
{
	if (visitor->fd >= 0)
		close(visitor->fd);
	*visitor = (struct visitor){ .fd = -1 };
}

static void say(struct visitor *visitor, const void *bytes, size_t n)
{
	/* What does not fit into the socket's buffer is for a visitor who does not read. */
	if (n == 0 || send(visitor->fd, bytes, n, MSG_NOSIGNAL) != (ssize_t)n)
		visitor->until = 0;
}

/* ---------------------------------------------------------------- control */

static char *say_about(const struct witness_server *server)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return copy_text("");
	fprintf(out, "token %s\necho %d %d\n", server->token, server->sockets.echo[0] >= 0,
		server->sockets.echo[1] >= 0);
	for (unsigned row = 0; row < greeter_count; row++)
		if (server->sockets.ports[row] != greeters[row].port)
			fprintf(out, "port %u %u\n", greeters[row].port,
				server->sockets.ports[row]);
	fclose(out);
	return text;
}

static void answer_control(struct service *service, struct visitor *visitor, char *line)
{
	int room = ANSWER_ROOM;
	char *text, *whole;

	line[strcspn(line, "\r\n")] = '\0';
	if (strcmp(line, "about") == 0)
		text = say_about(service->server);
	else if (strncmp(line, "log ", 4) == 0 && strlen(line + 4) == PLACE_DIGITS)
		text = arrivals_print(&service->arrivals, line + 4);
	else
		text = copy_text("");
	whole = print_text("%send\n", text);
	setsockopt(visitor->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
	say(visitor, whole, strlen(whole));
	free(text);
	free(whole);
}

/* ---------------------------------------------------------------- visitors */

static void answer_dns(struct visitor *visitor, const char *token)
{
	unsigned char answer[512];
	size_t n = visitor->n < 2 ? 0 : dns_answer(visitor->bytes + 2, visitor->n - 2, token,
						   answer + 2, sizeof answer - 2);

	answer[0] = (unsigned char)(n >> 8);
	answer[1] = (unsigned char)n;
	say(visitor, answer, n ? n + 2 : 0);
}

/* Its line is whole: note it, answer unless we spoke first, and let it end the connection. */
static void answer(struct service *service, struct visitor *visitor)
{
	const struct greeter *greeter = &greeters[visitor->row];
	const char *token = service->server->token;
	char text[256];

	note_arrival(service, visitor->bytes, visitor->n, greeter->protocol, greeter->port,
		     &visitor->from);
	visitor->heard = true;
	if (greeter->is_dns)
		answer_dns(visitor, token);
	else if (!greeter->speaks_first)
		say(visitor, text, greeter_says(greeter, token, text, sizeof text));
	shutdown(visitor->fd, SHUT_WR);
}

static void listen_to(struct service *service, struct visitor *visitor)
{
	unsigned char dropped[512];
	ssize_t n = visitor->heard ? recv(visitor->fd, dropped, sizeof dropped, 0) :
				     recv(visitor->fd, visitor->bytes + visitor->n,
					  LINE_MOST - visitor->n, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		/* It may end its words with the connection instead of the line. */
		if (!visitor->heard && visitor->n && visitor->row != CONTROL_ROW)
			answer(service, visitor);
		dismiss(visitor);
		return;
	}
	if (visitor->heard)
		return;
	visitor->n += (size_t)n;
	if (visitor->row == CONTROL_ROW) {
		if (!memchr(visitor->bytes, '\n', visitor->n) && visitor->n < LINE_MOST)
			return;
		visitor->bytes[visitor->n] = '\0';
		answer_control(service, visitor, (char *)visitor->bytes);
		visitor->n = 0;
	} else if (greeter_heard_all(&greeters[visitor->row], visitor->bytes, visitor->n) ||
		   visitor->n == LINE_MOST) {
		answer(service, visitor);
	}
}

/* Where all places are taken, the one who came first must go. */
static struct visitor *free_place(struct service *service)
{
	/* The first place may be our starter's. */
	struct visitor *oldest = &service->visitors[1];

	for (unsigned i = 0; i < VISITORS; i++) {
		struct visitor *visitor = &service->visitors[i];

		if (visitor->fd < 0)
			return visitor;
		if (visitor->fd != service->server->control && visitor->until < oldest->until)
			oldest = visitor;
	}
	dismiss(oldest);
	return oldest;
}

static void admit(struct service *service, int listener, unsigned row)
{
	union endpoint from = { .v6 = { 0 } };
	socklen_t size = sizeof from;
	int fd = accept4(listener, &from.any, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct visitor *visitor;
	char text[256];

	if (fd < 0)
		return;
	visitor = free_place(service);
	*visitor = (struct visitor){ .fd = fd, .row = row, .from = from,
				     .until = now() + PATIENCE_SECONDS };
	if (row != CONTROL_ROW && greeters[row].speaks_first)
		say(visitor, text, greeter_says(&greeters[row], service->server->token, text,
						sizeof text));
}

/* ---------------------------------------------------------------- datagrams and echoes */

static void answer_datagram(struct service *service, int fd, unsigned row)
{
	unsigned char query[512], reply[512];
	union endpoint from = { .v6 = { 0 } };
	socklen_t size = sizeof from;
	ssize_t n = recvfrom(fd, query, sizeof query, 0, &from.any, &size);
	size_t length;

	if (n <= 0)
		return;
	note_arrival(service, query, (size_t)n, greeters[row].protocol, greeters[row].port, &from);
	length = dns_answer(query, (size_t)n, service->server->token, reply, sizeof reply);
	if (length)
		(void)!sendto(fd, reply, length, MSG_NOSIGNAL, &from.any, size);
}

static void sum_up(unsigned char *bytes, size_t n)
{
	uint32_t sum = 0;

	bytes[2] = bytes[3] = 0;
	for (size_t i = 0; i < n; i++)
		sum += (uint32_t)bytes[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	bytes[2] = (unsigned char)(~sum >> 8);
	bytes[3] = (unsigned char)~sum;
}

/*
 * A second reply beside the kernel's, with the token: anybody on the way can send an echo back,
 * only we know the token. From the address that was asked: the control message says which.
 */
static void reply_to_echo(struct service *service, int fd, const struct msghdr *asked,
			  const unsigned char *request, size_t n)
{
	unsigned char reply[8 + TOKEN_DIGITS];
	struct iovec part = { reply, sizeof reply };
	struct msghdr message = { .msg_name = asked->msg_name, .msg_namelen = asked->msg_namelen,
				  .msg_iov = &part, .msg_iovlen = 1,
				  .msg_control = asked->msg_control,
				  .msg_controllen = asked->msg_controllen };
	struct cmsghdr *control = CMSG_FIRSTHDR(&message);
	bool is_v4 = ((union endpoint *)asked->msg_name)->any.sa_family == AF_INET;

	if (n < 8 || !control)
		return;
	if (is_v4)
		((struct in_pktinfo *)CMSG_DATA(control))->ipi_ifindex = 0;
	else
		((union endpoint *)asked->msg_name)->v6.sin6_port = 0;
	memcpy(reply, request, 8);
	reply[0] = is_v4 ? 0 : ICMP6_ECHO_REPLY;
	memcpy(reply + 8, service->server->token, TOKEN_DIGITS);
	if (is_v4)
		sum_up(reply, sizeof reply);
	(void)!sendmsg(fd, &message, MSG_NOSIGNAL);
}

static void note_echo(struct service *service, int fd)
{
	_Alignas(struct cmsghdr) char control[128];
	unsigned char bytes[512];
	union endpoint from = { .v6 = { 0 } };
	struct iovec part = { bytes, sizeof bytes };
	struct msghdr message = { .msg_name = &from, .msg_namelen = sizeof from,
				  .msg_iov = &part, .msg_iovlen = 1,
				  .msg_control = control, .msg_controllen = sizeof control };
	ssize_t n = recvmsg(fd, &message, 0);
	size_t head = 0;
	char nonce[NONCE_DIGITS + 1];

	/* A raw IPv4 socket sees the IP header too. */
	if (n > 0 && from.any.sa_family == AF_INET)
		head = (size_t)(bytes[0] & 15) * 4;
	if (n <= 0 || head + 8 > (size_t)n ||
	    !find_nonce(bytes + head + 8, (size_t)n - head - 8, nonce))
		return;
	note_arrival(service, bytes + head + 8, (size_t)n - head - 8, "ping", 0, &from);
	reply_to_echo(service, fd, &message, bytes + head, (size_t)n - head);
}

/* ---------------------------------------------------------------- the loop */

#define EVENTS (WITNESS_ROWS * WITNESS_ADDRESSES + 2 + 2 + VISITORS)

/* What a polled descriptor is: a listener's row, an echo socket, a visitor … */
struct source {
	enum { LISTENER, DATAGRAMS, ECHO_SOCKET, VISITOR, STOP } kind;
	unsigned index; /* row or visitor */
};

static void watch(struct pollfd events[], struct source sources[], unsigned *n, int fd,
		  struct source source)
{
	if (fd < 0)
		return;
	events[*n] = (struct pollfd){ .fd = fd, .events = POLLIN };
	sources[(*n)++] = source;
}

static unsigned watch_all(const struct service *service, struct pollfd events[],
			  struct source sources[])
{
	const struct witness_server *server = service->server;
	unsigned n = 0;

	watch(events, sources, &n, server->stop, (struct source){ STOP, 0 });
	watch(events, sources, &n, server->control_listener,
	      (struct source){ LISTENER, CONTROL_ROW });
	for (unsigned row = 0; row < greeter_count; row++)
		for (unsigned i = 0; i < server->sockets.n_addresses; i++)
			watch(events, sources, &n, server->sockets.listeners[row][i],
			      (struct source){ greeters[row].datagrams ? DATAGRAMS : LISTENER,
					       row });
	for (unsigned i = 0; i < 2; i++)
		watch(events, sources, &n, server->sockets.echo[i],
		      (struct source){ ECHO_SOCKET, 0 });
	for (unsigned i = 0; i < VISITORS; i++)
		watch(events, sources, &n, service->visitors[i].fd, (struct source){ VISITOR, i });
	return n;
}

static void serve(struct service *service, int fd, struct source source)
{
	switch (source.kind) {
	case STOP:
		service->over = true;
		return;
	case LISTENER:
		admit(service, fd, source.index);
		return;
	case DATAGRAMS:
		answer_datagram(service, fd, source.index);
		return;
	case ECHO_SOCKET:
		note_echo(service, fd);
		return;
	case VISITOR:
		/* Another one's turn may have ended this one. */
		if (service->visitors[source.index].fd == fd)
			listen_to(service, &service->visitors[source.index]);
		return;
	}
}

static void dismiss_late(struct service *service)
{
	time_t time = now();

	for (unsigned i = 0; i < VISITORS; i++) {
		struct visitor *visitor = &service->visitors[i];

		if (visitor->fd >= 0 && visitor->fd != service->server->control &&
		    visitor->until < time)
			dismiss(visitor);
	}
}

void witness_serve(struct witness_server *server)
{
	struct service *service = new_array(1, sizeof *service);
	struct pollfd events[EVENTS];
	struct source sources[EVENTS];

	service->server = server;
	for (unsigned i = 0; i < VISITORS; i++)
		service->visitors[i].fd = -1;
	if (server->control >= 0)
		service->visitors[0] = (struct visitor){ .fd = server->control,
							 .row = CONTROL_ROW };
	while (!service->over) {
		unsigned n = watch_all(service, events, sources);

		if (poll(events, n, 1000) < 0) {
			if (errno != EINTR)
				break;
			continue;
		}
		for (unsigned i = 0; i < n && !service->over; i++)
			if (events[i].revents)
				serve(service, events[i].fd, sources[i]);
		dismiss_late(service);
		/* Our starter is gone. */
		if (server->control >= 0 && service->visitors[0].fd != server->control)
			break;
	}
	for (unsigned i = 0; i < VISITORS; i++)
		dismiss(&service->visitors[i]);
	free(service);
}
