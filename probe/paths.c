/* SPDX-License-Identifier: MIT */
#include "probe/paths.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "probe/attempts.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "probe/text.h"

#define TRIES 3
#define TRY_NS INT64_C(350000000)
/* Who has a connection may take longer to answer, but not beyond all tries' own time. */
#define ALL_NS INT64_C(1150000000)
/*
 * Once one path is reached the others are only of interest if they are quick, too. The same for the
 * witness's answer behind the kernel's echo.
 */
#define OTHERS_NS INT64_C(50000000)
#define NEAR_NS INT64_C(20000000)
#define BYTES_MOST 2048 /* of one path: a proxy's words and a greeting */
#define GREETING_MOST 128

static void end_path(struct path *path, enum outcome outcome)
{
	close_fd(path->fd);
	path->fd = -1;
	path->stage = STAGE_OVER;
	path->outcome = outcome;
}

static void end_by_error(struct path *path, struct attempt attempt)
{
	bool refused = attempt.reached &&
		       (attempt.error == ECONNREFUSED || attempt.error == ECONNRESET ||
			attempt.error == EPIPE);

	path->attempt = attempt;
	if (path->proxy && !path->connected)
		end_path(path, OUTCOME_PROXY_GONE);
	else if (path->connected && refused && path->kind == NET_TCP)
		end_path(path, OUTCOME_STRANGER);
	else if (attempt.reached && attempt.error == ETIMEDOUT)
		end_path(path, OUTCOME_SILENT);
	else
		end_path(path, refused ? OUTCOME_REFUSED : OUTCOME_ERROR);
}

/* ---------------------------------------------------------------- calls */

static struct attempt call_connect(struct trial *trial, const struct path *path)
{
	const union address *to = path->proxy ? &path->proxy->address : &path->target;
	/* The second opens a connection by sending; a filter on connect(2) alone forgets it. */
	const struct form forms[] = {
		FORM("connect", __NR_connect, "fpp", path->fd, to, address_size(to)),
		FORM("sendto", __NR_sendto, "fppvpp", path->fd, "", 0, MSG_FASTOPEN, to,
		     address_size(to)),
	};

	return try_forms(trial, forms, path->kind == NET_TCP ? 2 : 1);
}

static struct attempt call_send(struct trial *trial, const struct path *path, const void *bytes,
				size_t n)
{
	const struct form forms[] = {
		FORM("sendto", __NR_sendto, "fppvpp", path->fd, bytes, n, 0, 0, 0),
		FORM("write", __NR_write, "fpp", path->fd, bytes, n),
	};

	return try_forms(trial, forms, 2);
}

static struct attempt call_receive(struct trial *trial, const struct path *path, void *bytes,
				   size_t n)
{
	const struct form forms[] = {
		FORM("recvfrom", __NR_recvfrom, "fppvpp", path->fd, bytes, n, MSG_DONTWAIT, 0, 0),
		FORM("read", __NR_read, "fpp", path->fd, bytes, n),
	};

	return try_forms(trial, forms, 2);
}

/* ---------------------------------------------------------------- what is sent */

static size_t make_query(const struct path *path, const struct witness *witness,
			 unsigned char *bytes)
{
	/* Id; recurse; one question */
	static const unsigned char head[12] = { 0x5e, 0xba, 0x01, 0, 0, 1 };
	static const char zone[] = "\7invalid";
	static const unsigned char tail[] = { 0, 16, 0, 1 }; /* TXT, IN */
	unsigned char *start = bytes + (path->kind == NET_TCP ? 2 : 0), *at = start;
	size_t n = strlen(witness->nonce);

	memcpy(at, head, sizeof head);
	at += sizeof head;
	*at++ = (unsigned char)n;
	memcpy(at, witness->nonce, n);
	memcpy(at + n, zone, sizeof zone); /* with its end, the root */
	at += n + sizeof zone;
	memcpy(at, tail, sizeof tail);
	at += sizeof tail;
	if (path->kind == NET_TCP) {
		bytes[0] = 0;
		bytes[1] = (unsigned char)(at - start);
	}
	return (size_t)(at - bytes);
}

static size_t make_echo(const struct path *path, const struct witness *witness,
			unsigned char *bytes)
{
	size_t n = strlen(witness->nonce);
	uint32_t sum = 0;

	memset(bytes, 0, 8);
	bytes[0] = path->target.any.sa_family == AF_INET ? 8 : 128;
	bytes[4] = 0x5e; /* a raw socket's id is ours to choose */
	bytes[7] = 1;
	memcpy(bytes + 8, witness->nonce, n);
	n += 8;
	for (size_t i = 0; i < n; i++)
		sum += (uint32_t)bytes[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	/* IPv6's sum is the kernel's. */
	if (path->target.any.sa_family == AF_INET) {
		bytes[2] = (unsigned char)(~sum >> 8);
		bytes[3] = (unsigned char)~sum;
	}
	return n;
}

static size_t make_line(const struct paths *paths, unsigned char *bytes, size_t size)
{
	const char *request = paths->protocol->request ? paths->protocol->request : "%s";
	const char *hole = strstr(request, "%s");
	size_t used = 0;
	char *text = (char *)bytes;

	used = add_text(text, size, used, request);
	if (hole)
		used = (size_t)(hole - request);
	used = add_text(text, size, used, paths->witness->nonce);
	used = add_text(text, size, used, hole ? hole + 2 : "");
	return add_text(text, size, used, "\r\n\r\n");
}

/* "192.0.2.1:80", "[2001:db8:0:0:0:0:0:1]:80": inet_ntop() would bring all of printf() along. */
static void name_target(const struct path *path, char *text, size_t size)
{
	const uint8_t *b = (const uint8_t *)&path->target.v4.sin_addr;
	const uint16_t *g = path->target.v6.sin6_addr.s6_addr16;
	/* Both families keep the port in the same place. */
	unsigned port = ntohs(path->target.v4.sin_port);

	if (path->target.any.sa_family == AF_INET)
		format_text(text, size, "%u.%u.%u.%u:%u", b[0], b[1], b[2], b[3], port);
	else
		format_text(text, size, "[%x:%x:%x:%x:%x:%x:%x:%x]:%u", ntohs(g[0]), ntohs(g[1]),
			    ntohs(g[2]), ntohs(g[3]), ntohs(g[4]), ntohs(g[5]), ntohs(g[6]),
			    ntohs(g[7]), port);
}

static size_t make_socks_request(const struct path *path, unsigned char *bytes)
{
	bool is_v4 = path->target.any.sa_family == AF_INET;
	size_t n = is_v4 ? 4 : 16;

	memcpy(bytes, (const unsigned char[]){ 5, 1, 0, is_v4 ? 1 : 4 }, 4);
	memcpy(bytes + 4, is_v4 ? (const void *)&path->target.v4.sin_addr :
				  (const void *)&path->target.v6.sin6_addr, n);
	memcpy(bytes + 4 + n, &path->target.v4.sin_port, 2);
	return 4 + n + 2;
}

/* What opens the hop: the proxy's own request. */
static size_t make_hop(const struct paths *paths, const struct path *path, unsigned char *bytes,
		       size_t size)
{
	char target[64];

	name_target(path, target, sizeof target);
	if (path->hop == HOP_SOCKS) {
		memcpy(bytes, "\5\1", 3); /* one method: none */
		return 3;
	}
	if (path->hop == HOP_CONNECT)
		return (size_t)format_text((char *)bytes, size,
					   "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target,
					   target);
	return (size_t)format_text((char *)bytes, size,
				   "GET http://%s/%s HTTP/1.0\r\nHost: %s\r\n\r\n", target,
				   paths->witness->nonce, target);
}

static void speak(struct trial *trial, const struct paths *paths, struct path *path)
{
	unsigned char bytes[256];
	size_t n;
	struct attempt a;

	if (path->kind == NET_ICMP)
		n = make_echo(path, paths->witness, bytes);
	else if (path->stage == STAGE_HOP)
		n = make_hop(paths, path, bytes, sizeof bytes);
	else if (path->stage == STAGE_GRANT)
		n = make_socks_request(path, bytes);
	else if (paths->protocol->kind == NET_DNS)
		n = make_query(path, paths->witness, bytes);
	else
		n = make_line(paths, bytes, sizeof bytes);
	a = call_send(trial, path, bytes, n);
	if (!attempt_worked(a))
		end_by_error(path, a);
	else
		path->attempt = a;
}

/* ---------------------------------------------------------------- what comes */

/* The hop is made: now the witness itself is spoken to. */
static void pass_hop(struct trial *trial, const struct paths *paths, struct path *path,
		     size_t used)
{
	memmove(path->bytes, path->bytes + used, path->n - used);
	path->n -= used;
	path->stage = STAGE_LISTEN;
	speak(trial, paths, path);
}

static void hear_http_proxy(struct trial *trial, const struct paths *paths, struct path *path)
{
	const unsigned char *bytes = path->bytes;
	const unsigned char *end = memmem(bytes, path->n, "\r\n\r\n", 4);
	bool is_http = path->n >= 12 && memcmp(bytes, "HTTP/1.", 7) == 0 && bytes[8] == ' ';

	if (path->n >= 12 && !is_http) {
		end_path(path, OUTCOME_STRANGER);
		return;
	}
	if (!is_http)
		return;
	if (bytes[9] != '2')
		end_path(path, memcmp(bytes + 9, "407", 3) == 0 ? OUTCOME_PROXY_ASKS :
								  OUTCOME_PROXY_REFUSED);
	/* Forwarded words are the witness's own, or a stranger's page. */
	else if (path->hop == HOP_FORWARD)
		path->stage = STAGE_LISTEN;
	else if (end)
		pass_hop(trial, paths, path, (size_t)(end - bytes) + 4);
	else if (path->n == sizeof path->bytes)
		end_path(path, OUTCOME_STRANGER); /* a header that long is nobody's grant */
}

static void hear_socks(struct trial *trial, const struct paths *paths, struct path *path)
{
	const unsigned char *bytes = path->bytes;
	size_t whole;

	if (path->n >= 1 && bytes[0] != 5) {
		end_path(path, OUTCOME_STRANGER);
		return;
	}
	if (path->stage == STAGE_HOP) {
		if (path->n < 2)
			return;
		if (bytes[1] != 0) {
			end_path(path, OUTCOME_PROXY_ASKS);
			return;
		}
		path->n = 0;
		path->stage = STAGE_GRANT;
		speak(trial, paths, path);
		return;
	}
	if (path->n >= 2 && bytes[1] != 0) {
		end_path(path, OUTCOME_PROXY_REFUSED);
		return;
	}
	if (path->n < 5)
		return;
	whole = bytes[3] == 1 ? 10 : bytes[3] == 4 ? 22 : 7 + (size_t)bytes[4];
	if (path->n >= whole)
		pass_hop(trial, paths, path, whole);
}

static void consider(struct trial *trial, const struct paths *paths, struct path *path)
{
	if (path->stage == STAGE_HOP && path->hop != HOP_SOCKS)
		hear_http_proxy(trial, paths, path);
	else if (path->stage == STAGE_HOP || path->stage == STAGE_GRANT)
		hear_socks(trial, paths, path);
	if (path->stage != STAGE_LISTEN)
		return;
	if (witness_spoke(paths->witness, path->bytes, path->n)) {
		end_path(path, OUTCOME_REACHED);
		return;
	}
	if (path->kind == NET_ICMP) {
		/* An echo comes twice: the kernel's own before the witness's. */
		path->n = 0;
		path->end = path->end ? path->end : now_ns() + OTHERS_NS;
	} else if (path->kind == NET_UDP ||
		   path->n >= GREETING_MOST + (path->proxy ? 64U : 0U)) {
		end_path(path, OUTCOME_STRANGER);
	}
}

static void hear(struct trial *trial, const struct paths *paths, struct path *path)
{
	struct attempt a = call_receive(trial, path, path->bytes + path->n,
					sizeof path->bytes - path->n);

	if (a.reached && !attempt_worked(a) && (a.error == EAGAIN || a.error == EINTR))
		return;
	if (!attempt_worked(a)) {
		end_by_error(path, a);
		return;
	}
	path->attempt = a;
	if (a.value == 0 && path->kind == NET_TCP) {
		/* A proxy that hangs up has not said no. */
		end_path(path, OUTCOME_STRANGER);
		return;
	}
	path->n += (size_t)a.value;
	path->taken += (size_t)a.value;
	consider(trial, paths, path);
	if (path->stage != STAGE_OVER && path->taken > BYTES_MOST)
		end_path(path, OUTCOME_STRANGER);
}

/* ---------------------------------------------------------------- one try */

static void make_socket(struct trial *trial, struct path *path)
{
	int family = path->proxy ? path->proxy->address.any.sa_family :
				   path->target.any.sa_family;
	int protocol = path->kind != NET_ICMP ? 0 : family == AF_INET ? IPPROTO_ICMP :
									 IPPROTO_ICMPV6;
	int type = path->kind == NET_TCP ? SOCK_STREAM : SOCK_DGRAM;

	path->attempt = try_socket(trial, family, type, protocol);
	if (!attempt_worked(path->attempt) && path->kind == NET_ICMP) {
		type = SOCK_RAW;
		path->attempt = try_socket(trial, family, type, protocol);
	}
	if (attempt_worked(path->attempt) &&
	    raw(__NR_fcntl, path->attempt.value, F_SETFL, O_RDWR | O_NONBLOCK) < 0) {
		/* A question to the filter more, but connect() must not wait. */
		close_fd((int)path->attempt.value);
		path->attempt = try_socket(trial, family, type | SOCK_NONBLOCK, protocol);
	}
	path->fd = (int)path->attempt.value;
}

static void begin(struct trial *trial, const struct paths *paths, struct path *path)
{
	struct attempt a;

	path->n = path->taken = 0;
	path->connected = false;
	path->end = 0;
	path->stage = STAGE_DIAL;
	path->outcome = OUTCOME_SILENT;
	make_socket(trial, path);
	if (path->fd < 0) {
		end_by_error(path, path->attempt);
		return;
	}
	a = call_connect(trial, path);
	if (!attempt_worked(a) && !(a.reached && a.error == EINPROGRESS)) {
		end_by_error(path, a);
		return;
	}
	path->attempt = a;
	if (path->kind == NET_TCP)
		return;
	path->stage = STAGE_LISTEN;
	speak(trial, paths, path);
}

/* The connection is there, or was refused. */
static void finish_dial(struct trial *trial, const struct paths *paths, struct path *path)
{
	socklen_t size = sizeof(int);
	int error = 0;

	/* Where this call is refused, sending will tell. */
	if (raw(__NR_getsockopt, path->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = 0;
	if (error) {
		path->attempt.value = -1;
		path->attempt.error = error;
		end_by_error(path, path->attempt);
		return;
	}
	path->connected = true;
	path->stage = path->proxy ? STAGE_HOP : STAGE_LISTEN;
	speak(trial, paths, path);
}

static unsigned watch(struct paths *paths, struct pollfd events[], unsigned index[])
{
	unsigned n = 0;

	for (unsigned i = 0; i < paths->n; i++) {
		const struct path *path = &paths->list[i];

		if (path->stage == STAGE_OVER)
			continue;
		index[n] = i;
		events[n++] = (struct pollfd){ .fd = path->fd, .events = path->stage == STAGE_DIAL ?
									    POLLOUT : POLLIN };
	}
	return n;
}

static void await(struct pollfd events[], unsigned n, int64_t left)
{
	struct timespec patience = { .tv_sec = left / 1000000000, .tv_nsec = left % 1000000000 };
	struct timespec nap = { .tv_nsec = 5000000 };
	long got = raw(__NR_ppoll, events, n, &patience, NULL, 0);

	if (got >= 0 || got == -EINTR)
		return;
	/* Without ppoll all are asked in turn; whoever is not ready says so. */
	raw(__NR_nanosleep, &nap, NULL);
	for (unsigned i = 0; i < n; i++)
		events[i].revents = events[i].events;
}

static bool any_connected(const struct paths *paths)
{
	for (unsigned i = 0; i < paths->n; i++)
		if (paths->list[i].stage != STAGE_OVER && paths->list[i].connected)
			return true;
	return false;
}

static bool end_late(struct paths *paths, int64_t time)
{
	bool any = false;

	for (unsigned i = 0; i < paths->n; i++) {
		struct path *path = &paths->list[i];

		if (path->stage == STAGE_OVER || !path->end || time < path->end)
			continue;
		end_path(path, OUTCOME_STRANGER);
		any = true;
	}
	return any;
}

static int64_t next_end(const struct paths *paths, int64_t end)
{
	for (unsigned i = 0; i < paths->n; i++) {
		const struct path *path = &paths->list[i];

		if (path->stage != STAGE_OVER && path->end && path->end < end)
			end = path->end;
	}
	return end;
}

static void follow(struct trial *trial, struct paths *paths, int64_t end, int64_t all_end)
{
	struct pollfd events[PATHS_MOST];
	unsigned index[PATHS_MOST], n;
	bool reached = false;

	while ((n = watch(paths, events, index)) > 0) {
		int64_t time = now_ns();

		if (end_late(paths, time))
			continue;

		if (!reached && paths_reached(paths)) {
			reached = true;
			end = all_end = time + OTHERS_NS;
		}
		if (time >= (any_connected(paths) ? all_end : end))
			break;
		await(events, n, next_end(paths, any_connected(paths) ? all_end : end) - time);
		for (unsigned i = 0; i < n; i++) {
			struct path *path = &paths->list[index[i]];

			if (!events[i].revents)
				continue;
			if (path->stage == STAGE_DIAL)
				finish_dial(trial, paths, path);
			else
				hear(trial, paths, path);
		}
	}
	for (unsigned i = 0; i < paths->n; i++) {
		struct path *path = &paths->list[i];

		if (path->stage == STAGE_OVER)
			continue;
		path->attempt.value = -1;
		path->attempt.error = ETIMEDOUT;
		if (path->proxy && !path->connected)
			end_path(path, OUTCOME_PROXY_GONE);
		else
			end_path(path, path->connected || path->end ? OUTCOME_STRANGER :
								      OUTCOME_SILENT);
	}
}

/* ---------------------------------------------------------------- all tries */

bool paths_reached(const struct paths *paths)
{
	for (unsigned i = 0; i < paths->n; i++)
		if (paths->list[i].outcome == OUTCOME_REACHED)
			return true;
	return false;
}

void paths_try(struct trial *trial, struct paths *paths)
{
	int64_t start = now_ns();

	for (unsigned i = 0; i < paths->n; i++) {
		paths->list[i].fd = -1;
		paths->list[i].stage = STAGE_OVER;
	}
	for (unsigned try = 1; try <= (paths->near ? 1 : TRIES) && !paths_reached(paths); try++) {
		int64_t end = start + try * TRY_NS;

		/* Where the time of a try was taken by the one before, it is left out. */
		if (now_ns() >= end)
			continue;
		paths->tries++;
		for (unsigned i = 0; i < paths->n; i++)
			begin(trial, paths, &paths->list[i]);
		if (paths->near)
			follow(trial, paths, now_ns() + NEAR_NS, now_ns() + NEAR_NS);
		else
			follow(trial, paths, end, start + ALL_NS);
	}
}
