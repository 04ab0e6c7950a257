/* SPDX-License-Identifier: MIT */
/*
 * Name look-up. Our own query for a name that cannot exist goes to a resolver on loopback, or to one
 * that the owner names; where the list names another, nothing is sent to it, only its route is asked
 * for. An answer
 * shows that somebody resolves for us; that it carries names outside needs a witness there.
 */
#include "scenarios/scenario.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { RESOLVER, CARRIED };

static const struct case_def cases[] = {
	[RESOLVER] = { "resolver", "/etc/resolv.conf", SEVERITY_MEDIUM, 0, 0 },
	[CARRIED] = { "carried", NULL, 0, 0, 0 },
};

#define RESOLVER_PORT 53
#define PATIENCE_MS 250 /* for each of two tries at each of three resolvers */
#define MOST_LISTED 3 /* libc's own limit */
#define MOST_RESOLVERS (2 * MOST_LISTED)

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

struct resolvers {
	unsigned n;
	union address list[MOST_RESOLVERS];
	bool declared[MOST_RESOLVERS];
};

struct query {
	unsigned char bytes[64];
	size_t length;
	bool carried; /* the answer is the witness's own */
};

/* ---------------------------------------------------------------- which resolvers? */

static bool read_address(const char *text, union address *address)
{
	*address = (union address){ .v6 = { 0 } };
	if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
		address->v4.sin_family = AF_INET;
		address->v4.sin_port = htons(RESOLVER_PORT);
		return true;
	}
	if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) != 1)
		return false;
	address->v6.sin6_family = AF_INET6;
	address->v6.sin6_port = htons(RESOLVER_PORT);
	return true;
}

static unsigned length_of(const union address *address)
{
	return address->any.sa_family == AF_INET ? sizeof address->v4 : sizeof address->v6;
}

static bool is_loopback(const union address *address)
{
	if (address->any.sa_family == AF_INET)
		return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

static bool take_resolver(void *context, char *line)
{
	struct resolvers *resolvers = context;
	char word[64];

	if (!line_field(line, 0, word, sizeof word) || strcmp(word, "nameserver") != 0 ||
	    !line_field(line, 1, word, sizeof word))
		return true;
	/* A link-local one names its interface: "fe80::1%eth0". */
	word[strcspn(word, "%")] = '\0';
	resolvers->n += read_address(word, &resolvers->list[resolvers->n]);
	return resolvers->n < MOST_LISTED;
}

static bool is_same(const union address *one, const union address *other)
{
	return one->any.sa_family == other->any.sa_family &&
	       memcmp(one, other, length_of(one)) == 0;
}

/* Those that the owner names may be asked wherever they are. */
static void add_declared(struct trial *trial, struct resolvers *resolvers)
{
	char text[64];

	for (size_t at = 0; next_target(trial, "target.resolvers", &at, text, sizeof text);) {
		union address address;
		unsigned i = 0;

		if (!read_address(text, &address))
			continue;
		while (i < resolvers->n && !is_same(&resolvers->list[i], &address))
			i++;
		if (i == MOST_RESOLVERS)
			return;
		resolvers->list[i] = address;
		resolvers->declared[i] = true;
		resolvers->n += i == resolvers->n;
	}
}

/* Without a list, libc asks this machine. */
static void list_resolvers(struct trial *trial, struct resolvers *resolvers)
{
	char text[4096];
	struct attempt a = try_text(trial, case_of(trial, RESOLVER)->path, text, sizeof text);

	*resolvers = (struct resolvers){ .n = 0 };
	if (a.value > 0)
		each_line(text, take_resolver, resolvers);
	note_number(trial, RESOLVER, "listed", resolvers->n);
	if (resolvers->n == 0)
		resolvers->n = read_address("127.0.0.1", &resolvers->list[0]);
	add_declared(trial, resolvers);
}

/* ---------------------------------------------------------------- query and answer */

static unsigned char *put_label(unsigned char *at, const char *label)
{
	size_t n = strlen(label);

	*at++ = (unsigned char)n;
	memcpy(at, label, n);
	return at + n;
}

/* NONCE.invalid, type TXT: a name reserved never to exist; only a witness knows what to say. */
static void make_query(struct trial *trial, struct query *query)
{
	char buffer[21];
	const char *nonce = witness_nonce(trial, buffer);
	unsigned char *at = query->bytes;
	static const unsigned char head[10] = { 0x01, 0x00, 0, 1 }; /* recurse; one question */
	static const unsigned char tail[5] = { 0, 0, 16, 0, 1 };    /* root; TXT, IN */

	*at++ = (unsigned char)nonce[0];
	*at++ = (unsigned char)nonce[1];
	memcpy(at, head, sizeof head);
	at = put_label(at + sizeof head, nonce);
	at = put_label(at, "invalid");
	memcpy(at, tail, sizeof tail);
	query->length = (size_t)(at + sizeof tail - query->bytes);
	query->carried = false;
}

/* An answer to our question, whatever it says. */
static bool is_answer(const struct query *query, const unsigned char *bytes, long n)
{
	return n >= (long)query->length && memcmp(bytes, query->bytes, 2) == 0 &&
	       (bytes[2] & 0x80) && bytes[4] == 0 && bytes[5] == 1 &&
	       strncasecmp((const char *)bytes + 12, (const char *)query->bytes + 12,
			   query->length - 12) == 0;
}

/* Waits for what comes, at most once. */
static struct attempt receive(struct trial *trial, int fd, void *buffer, size_t size)
{
	struct pollfd waiting = { .fd = fd, .events = POLLIN };
	long patience[2] = { 0, PATIENCE_MS * 1000000L };
	struct attempt a = try_call_as(trial, "pppp", "ppoll", __NR_ppoll, &waiting, 1, patience, 0, 0);

	if (a.value == 0)
		return (struct attempt){ .value = -1, .error = ETIMEDOUT, .nr = a.nr,
					 .call = "ppoll", .reached = true };
	if (!attempt_worked(a))
		return a;
	return try_call_as(trial, "fppvpp", "recvfrom", __NR_recvfrom, fd, buffer, size,
			   MSG_DONTWAIT, 0, 0);
}

/* Over TCP each message has its length before it. */
static struct attempt exchange(struct trial *trial, int fd, bool tcp, struct query *query)
{
	unsigned char message[66] = { 0, (unsigned char)query->length }, answer[514];
	size_t skipped = tcp ? 2 : 0;
	struct attempt a;

	memcpy(message + 2, query->bytes, query->length);
	a = try_call_as(trial, "fppvpp", "sendto", __NR_sendto, fd, message + 2 - skipped,
		     query->length + skipped, MSG_NOSIGNAL, 0, 0);
	if (attempt_worked(a))
		a = receive(trial, fd, answer, sizeof answer);
	if (attempt_worked(a) && !is_answer(query, answer + skipped, a.value - (long)skipped))
		a = found_nothing(a);
	if (attempt_worked(a))
		query->carried = comes_from_witness(trial, answer, (size_t)a.value);
	return a;
}

static struct attempt ask(struct trial *trial, const union address *address, bool tcp,
			  struct query *query)
{
	struct attempt made = try_socket(trial, address->any.sa_family,
					 tcp ? SOCK_STREAM : SOCK_DGRAM, 0), a;
	int fd = (int)made.value;

	if (!attempt_worked(made))
		return made;
	a = try_connect(trial, fd, address, length_of(address), PATIENCE_MS);
	if (attempt_worked(a))
		a = exchange(trial, fd, tcp, query);
	close_fd(fd);
	return a;
}

/* ---------------------------------------------------------------- settling */

/* Silence where a socket and a route are there: somebody drops the packets. Loopback may be down. */
static void settle_silence(struct trial *trial, struct attempt a)
{
	settle(trial, RESOLVER, a, .filtered = a.reached && a.error == ETIMEDOUT,
	       .route = a.reached && a.error == ENETUNREACH ? ROUTE_NONE : ROUTE_NOT_ASKED);
}

/* A resolver of this machine, or one that may be asked: is it there? */
static bool ask_resolver(struct trial *trial, const union address *address, struct query *query)
{
	for (int tcp = 0; tcp < 2; tcp++) {
		struct attempt a = ask(trial, address, tcp, query);

		if (attempt_worked(a)) {
			note_text(trial, RESOLVER, "answered_by", tcp ? "tcp" : "udp");
			settle(trial, RESOLVER, a);
			return true;
		}
		/* Elsewhere it may be that nobody is there to answer. */
		if (a.reached && a.error == ETIMEDOUT && !is_loopback(address))
			settle_unknown(trial, RESOLVER, REASON_TIMED_OUT);
		else
			settle_silence(trial, a);
	}
	return false;
}

/* Another machine: K7 only, for connect() of a datagram socket sends nothing. */
static bool has_route(struct trial *trial, const union address *address)
{
	struct attempt made = try_socket(trial, address->any.sa_family, SOCK_DGRAM, 0), a;

	if (!attempt_worked(made)) {
		settle(trial, RESOLVER, made);
		return false;
	}
	a = try_connect(trial, (int)made.value, address, length_of(address), 0);
	close_fd((int)made.value);
	if (attempt_worked(a))
		return true;
	settle(trial, RESOLVER, a,
	       .route = a.reached && a.error != EACCES && a.error != EPERM ? ROUTE_NONE :
									     ROUTE_NOT_ASKED);
	return false;
}

static void attempt(struct trial *trial)
{
	static const struct net_protocol dns = { .kind = NET_DNS, .ports = { 53 } };
	struct resolvers resolvers;
	struct query query;
	unsigned elsewhere = 0;
	bool answered = false;

	list_resolvers(trial, &resolvers);
	make_query(trial, &query);
	for (unsigned i = 0; i < resolvers.n && !answered; i++) {
		if (is_loopback(&resolvers.list[i]) || resolvers.declared[i])
			answered = ask_resolver(trial, &resolvers.list[i], &query);
		else
			elsewhere += has_route(trial, &resolvers.list[i]);
	}
	note_number(trial, RESOLVER, "not_asked", elsewhere);
	if (elsewhere && !answered)
		settle_unknown(trial, RESOLVER, REASON_NO_TARGET);
	if (query.carried) {
		note_text(trial, CARRIED, "witness", "reached");
		note_text(trial, CARRIED, "path", "resolver");
		settle(trial, CARRIED, found_in_process(true));
		return;
	}
	try_net(trial, CARRIED, &dns);
	/* Whoever answers us may ask others for us. */
	if (answered)
		settle_unknown(trial, CARRIED, REASON_NO_WITNESS);
}

const struct scenario scenario_network_dns = {
	.about = ABOUT(
		.title = "Look up a name",
		.accessed = "Code in the sandbox can have names looked up.",
		.denied = "Code in the sandbox finds no resolver that answers, and none that it "
			  "could reach outside.",
		.why = "Names carry data: what is asked for under a zone arrives at whoever runs "
		       "it, even where every connection is refused.",
		.see = "T1071.004, T1048",
		.paper = "DNS request",
		.open = "N +resolver --ro-bind $D/resolv.conf /etc/resolv.conf",
		.closed = "B --ro-bind $D/resolv.conf /etc/resolv.conf",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.overlaps = true,
	.needs = NEEDS_WITNESS,
	.fix = FIX(NET),
	CASES(cases),
	.attempt = attempt,
};
