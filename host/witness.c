/* SPDX-License-Identifier: MIT */
#include "host/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "host/child.h"
#include "host/memory.h"
#include "host/throwaway.h"
#include "host/witness_server.h"

#define ASK_SECONDS 5.0
#define ANSWER_MOST (128 * 1024)
#define NOBODY_ELSE 2147418113 /* no range of subordinate ids reaches it */

struct witness {
	pid_t pid;     /* 0: started elsewhere */
	int control;   /* to the one started here; or -1 */
	uint16_t port; /* of the one started elsewhere, for questions */
	char **addresses;
	char hash[SHA256_TEXT];
	char *ports; /* "53:41000+25:0": those that are not where they should be */
	bool echo[2];
};

void witness_token(char token[TOKEN_DIGITS + 1])
{
	random_digits(token, TOKEN_DIGITS / 2);
}

bool witness_drop_rights(struct error *error)
{
	if (geteuid() != 0)
		return true;
	if ((setgroups(0, NULL) < 0 && errno != EPERM) ||
	    setresgid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE) < 0 ||
	    setresuid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE) < 0) {
		/* In a user namespace that id may not exist; there root is not the machine's. */
		if (errno == EINVAL)
			return true;
		return error_set(error, EXIT_INTERNAL, "the witness cannot give up root: %s",
				 strerror(errno));
	}
	return true;
}

/* ---------------------------------------------------------------- questions */

static double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool is_whole(const char *text, size_t n)
{
	return n >= 4 && memcmp(text + n - 4, "end\n", 4) == 0 && (n == 4 || text[n - 5] == '\n');
}

/* The first of its addresses that answers. */
static int dial(char *const addresses[], uint16_t port)
{
	for (size_t i = 0; addresses[i]; i++) {
		const struct timeval patience = { .tv_sec = (time_t)ASK_SECONDS };
		union endpoint endpoint;
		int fd;

		endpoint_parse(&endpoint, addresses[i]);
		endpoint_set_port(&endpoint, port);
		fd = socket(endpoint.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0)
			continue;
		/* Bounds connect() too. */
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
		if (connect(fd, &endpoint.any, endpoint_size(&endpoint)) == 0)
			return fd;
		close(fd);
	}
	return -1;
}

/* Reads up to "end"; 0, or an errno. */
static int read_answer(int fd, char *answer, size_t *ret_n)
{
	double until = seconds_now() + ASK_SECONDS;
	size_t n = 0;

	while (!is_whole(answer, n)) {
		struct pollfd event = { .fd = fd, .events = POLLIN };
		double left = until - seconds_now();
		ssize_t got;

		if (n == ANSWER_MOST)
			return EMSGSIZE;
		if (left <= 0 || poll(&event, 1, (int)(left * 1000) + 1) == 0)
			return ETIMEDOUT;
		got = recv(fd, answer + n, ANSWER_MOST - n, MSG_DONTWAIT);
		if (got == 0)
			return EPIPE;
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return errno;
		n += got > 0 ? (size_t)got : 0;
	}
	*ret_n = n - 4;
	return 0;
}

/*
 * One question, one answer without its "end"; malloc'd. NULL: it did not come. Who is asked over
 * TCP hangs up on us after a while: each question is a connection of its own.
 */
static char *ask(const struct witness *witness, const char *question, struct error *error)
{
	int fd = witness->port ? dial(witness->addresses, witness->port) : witness->control;
	char *answer = new_array(ANSWER_MOST + 1, 1);
	size_t n = 0;
	int cause;

	if (fd < 0 || send(fd, question, strlen(question), MSG_NOSIGNAL) < 0)
		cause = errno;
	else
		cause = read_answer(fd, answer, &n);
	if (witness->port && fd >= 0)
		close(fd);
	answer[n] = '\0';
	if (!cause)
		return answer;
	free(answer);
	if (witness->port)
		error_set(error, EXIT_INCOMPLETE, "the witness at %s, port %u, does not answer: %s",
			  witness->addresses[0], witness->port, strerror(cause));
	else
		error_set(error, EXIT_INCOMPLETE, "the witness does not answer: %s",
			  strerror(cause));
	return NULL;
}

/* Takes the answer apart, line by line: each line is NUL-terminated in place. */
static char *next_line(char **rest)
{
	char *line = *rest, *end = strchr(line, '\n');

	if (!*line)
		return NULL;
	*rest = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

bool witness_ask(struct witness *witness, const char *place, struct arrivals *arrivals,
		 struct error *error)
{
	char *question = print_text("log %s\n", place), *answer = ask(witness, question, error);
	char *rest = answer, *line;
	bool understood = answer != NULL;

	memset(arrivals, 0, sizeof *arrivals);
	while (understood && (line = next_line(&rest)))
		if (!arrivals_parse(arrivals, line))
			understood = error_set(error, EXIT_INCOMPLETE,
					       "the witness's log cannot be read");
	free(question);
	free(answer);
	return understood;
}

/* "port 53 41000" is added to the map, "echo 1 0" noted. */
static void take_about(struct witness *witness, const char *line)
{
	char from_text[6], to_text[6];
	unsigned from, to;

	if (sscanf(line, "%*4s %5[0-9] %5[0-9]", from_text, to_text) != 2 ||
	    !read_count(from_text, UINT16_MAX, &from) || !read_count(to_text, UINT16_MAX, &to))
		return;
	if (strncmp(line, "echo ", 5) == 0) {
		witness->echo[0] = from == 1;
		witness->echo[1] = to == 1;
	} else if (strncmp(line, "port ", 5) == 0) {
		char *longer = print_text("%s%s%u:%u", witness->ports,
					  witness->ports[0] ? "+" : "", from, to);

		free(witness->ports);
		witness->ports = longer;
	}
}

/* Token, ports, echo. The token must be the one whose hash is known, if one is. */
static bool introduce(struct witness *witness, struct error *error)
{
	char *answer = ask(witness, "about\n", error), *rest = answer, *line;
	char token[TOKEN_DIGITS + 1] = "", hash[SHA256_TEXT];

	if (!answer)
		return false;
	witness->ports = copy_text("");
	while ((line = next_line(&rest)))
		if (sscanf(line, "token %32[0-9a-f]", token) != 1)
			take_about(witness, line);
	free(answer);
	sha256_text(hash, token, strlen(token));
	if (!witness->hash[0])
		memcpy(witness->hash, hash, sizeof hash);
	if (strcmp(witness->hash, hash) != 0 || strlen(token) != TOKEN_DIGITS)
		return error_set(error, EXIT_INCOMPLETE,
				 "who answers there is not the witness that was named: its token is "
				 "another");
	return true;
}

/* ---------------------------------------------------------------- started here */

/* Nothing of ours stays open in it: no report waits for its end. */
static void keep_only(const int kept[], unsigned n)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	long most = sysconf(_SC_OPEN_MAX);

	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		dup2(null, fd);
	for (int fd = 3; fd < (most > 0 && most < 4096 ? most : 4096); fd++) {
		bool keep = false;

		for (unsigned i = 0; i < n; i++)
			keep |= kept[i] == fd;
		if (!keep)
			close(fd);
	}
}

static _Noreturn void be_the_witness(char *const addresses[], int control)
{
	struct witness_server server = { .control = control, .control_listener = -1, .stop = -1 };
	sigset_t none;
	struct error error;

	setsid();
	prctl(PR_SET_NAME, "witness");
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	keep_only(&control, 1);
	witness_token(server.token);
	witness_sockets_init(&server.sockets);
	for (size_t i = 0; addresses && addresses[i]; i++)
		witness_sockets_add(&server.sockets, addresses[i]);
	if (!witness_sockets_open(&server.sockets, NULL, &error) || !witness_drop_rights(&error))
		_exit(EXIT_INTERNAL);
	/* After the change of account, which would clear it. Our end of the pair closes anyway. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	witness_serve(&server);
	_exit(0);
}

/* Those that can be bound; the child binds them again. */
static char **usable_addresses(char *const more[])
{
	static const char *const loopback[] = { "127.0.0.1", "::1" };
	struct witness_sockets sockets;
	char **usable = NULL;

	witness_sockets_init(&sockets);
	for (size_t i = 0; i < sizeof loopback / sizeof *loopback; i++)
		if (witness_sockets_add(&sockets, loopback[i]))
			usable = list_add(usable, copy_text(loopback[i]));
	for (size_t i = 0; more && more[i]; i++)
		if (witness_sockets_add(&sockets, more[i]))
			usable = list_add(usable, copy_text(more[i]));
	return usable;
}

struct witness *witness_start(char *const addresses[], struct error *error)
{
	struct witness *witness = new_array(1, sizeof *witness);
	int pair[2];

	witness->control = -1;
	witness->addresses = usable_addresses(addresses);
	if (!witness->addresses) {
		error_set(error, EXIT_INCOMPLETE, "the witness cannot listen, not even on loopback");
		goto failed;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		error_set(error, EXIT_INTERNAL, "cannot start the witness: %s", strerror(errno));
		goto failed;
	}
	witness->pid = fork();
	if (witness->pid == 0)
		be_the_witness(witness->addresses, pair[1]);
	close(pair[1]);
	witness->control = pair[0];
	if (witness->pid < 0) {
		error_set(error, EXIT_INTERNAL, "cannot start the witness: %s", strerror(errno));
		goto failed;
	}
	child_spare(witness->pid);
	if (introduce(witness, error))
		return witness;
failed:
	witness_end(witness);
	return NULL;
}

/* ---------------------------------------------------------------- started elsewhere */

static bool misnamed(const char *name, struct error *error)
{
	error_set(error, EXIT_MISUSE, "'%s' names no witness", name);
	return error_hint(error, "'sandboxeval witness', started where it shall listen, prints its "
				 "name: ADDRESS[+ADDRESS...]:PORT:HASH");
}

/* From the right, because IPv6 addresses hold colons too. */
static bool take_name(struct witness *witness, const char *name, uint16_t *ret_port,
		      struct error *error)
{
	char *text = copy_text(name), *hash = strrchr(text, ':'), *port = NULL, *end, *save = NULL;
	union endpoint endpoint;
	unsigned long number = 0;
	bool sound = false;

	if (hash && strlen(hash + 1) == SHA256_TEXT - 1 &&
	    strspn(hash + 1, "0123456789abcdef") == SHA256_TEXT - 1) {
		*hash = '\0';
		memcpy(witness->hash, hash + 1, SHA256_TEXT);
		port = strrchr(text, ':');
	}
	if (port) {
		*port = '\0';
		number = strtoul(port + 1, &end, 10);
		sound = port[1] && !*end && number > 0 && number <= UINT16_MAX;
	}
	for (char *one = sound ? strtok_r(text, "+", &save) : NULL; one && sound;
	     one = strtok_r(NULL, "+", &save)) {
		sound = endpoint_parse(&endpoint, one);
		witness->addresses = list_add(witness->addresses, copy_text(one));
	}
	free(text);
	*ret_port = (uint16_t)number;
	sound = sound && list_length(witness->addresses) > 0 &&
		list_length(witness->addresses) <= WITNESS_ADDRESSES;
	return sound || misnamed(name, error);
}

struct witness *witness_meet(const char *name, struct error *error)
{
	struct witness *witness = new_array(1, sizeof *witness);

	witness->control = -1;
	if (take_name(witness, name, &witness->port, error) && introduce(witness, error))
		return witness;
	witness_end(witness);
	return NULL;
}

void witness_end(struct witness *witness)
{
	if (!witness)
		return;
	if (witness->control >= 0)
		close(witness->control);
	if (witness->pid > 0) {
		/* It has nothing to undo. */
		kill(witness->pid, SIGKILL);
		while (waitpid(witness->pid, NULL, 0) < 0 && errno == EINTR)
			;
		child_claim(witness->pid);
	}
	list_free(witness->addresses);
	free(witness->ports);
	free(witness);
}

/* ---------------------------------------------------------------- facts for the probe */

static const char *scope_of(const struct witness *witness)
{
	bool loopback = true;
	union endpoint endpoint;

	for (size_t i = 0; witness->addresses[i]; i++)
		loopback &= endpoint_parse(&endpoint, witness->addresses[i]) &&
			    endpoint_is_loopback(&endpoint);
	return loopback ? "loopback" : witness->port ? "named" : "this-host";
}

char *witness_facts(const struct witness *witness, const char *place)
{
	char *addresses, *facts;

	if (!witness)
		return copy_text("");
	addresses = copy_text("");
	for (size_t i = 0; witness->addresses[i]; i++) {
		char *longer = print_text("%s%s%s", addresses, i ? "+" : "", witness->addresses[i]);

		free(addresses);
		addresses = longer;
	}
	facts = print_text(",witness=%s,witness.hash=%s,witness.nonce=%s,witness.scope=%s,"
			   "witness.ports=%s,witness.echo=%d%d,witness.pid=%d",
			   addresses, witness->hash, place, scope_of(witness), witness->ports,
			   witness->echo[0], witness->echo[1], (int)witness->pid);
	free(addresses);
	return facts;
}
