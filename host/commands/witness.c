/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval witness: the witness for a run elsewhere. Prints its name, which `run --witness`
 * takes, then a line for each arrival, until it is interrupted. It listens on nothing but the
 * addresses that were asked for.
 */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "host/commands/commands.h"
#include "host/memory.h"
#include "host/witness.h"
#include "host/witness_server.h"

struct options {
	char **addresses;
	uint16_t only[WITNESS_ROWS + 1], control;
	bool has_only;
};

static const struct argp_option option_table[] = {
	{ "listen", 'a', "ADDRESS", 0,
	  "Listen on this numeric address; may be given several times, for both families. Default: "
	  "127.0.0.1 and ::1", 1 },
	{ "ports", 'p', "LIST", 0, "Only these of its ports, separated by commas", 1 },
	{ "control", 'c', "PORT", 0, "Where the run asks what arrived. Default: a free port", 1 },
	{ NULL, 0, NULL, 0, "Help:", -1 },
	{ 0 },
};

static const char documentation[] =
	"Watch from outside what a sandbox lets out. Start it on a machine that the sandbox should "
	"not reach, and tell the run the name that it prints:\n"
	"\n"
	"    there$ sandboxeval witness --listen 192.0.2.7\n"
	"    here$  sandboxeval run docker --witness NAME\n"
	"\v"
	"It answers on the ports of web, mail, file, shell, chat and name services with its token, "
	"which shows that nobody else answered, and notes the nonce that it is sent. A port that may "
	"not be bound is mapped to another. As root it also sees echo requests, and gives root up "
	"when its ports are open. It reads at most 128 bytes of a visitor and stores nothing.\n"
	"\n"
	"Exit status: 0 when it is interrupted, 2 when it cannot listen, 64 usage.";

/* ---------------------------------------------------------------- options */

static uint16_t parse_port(struct argp_state *state, const char *text)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (end == text || *end || port < 1 || port > UINT16_MAX)
		argp_error(state, "'%s' is no port", text);
	return (uint16_t)port;
}

static void parse_ports(struct argp_state *state, struct options *options, const char *value)
{
	char *list = copy_text(value), *save = NULL;
	unsigned n = 0;

	for (char *word = strtok_r(list, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		uint16_t port = parse_port(state, word);
		bool known = false;

		for (unsigned row = 0; row < greeter_count; row++)
			known |= greeters[row].port == port;
		if (!known)
			argp_error(state, "it has nothing to say on port %u", port);
		if (n < WITNESS_ROWS)
			options->only[n++] = port;
	}
	options->has_only = n > 0;
	free(list);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'a':
		options->addresses = list_add(options->addresses, copy_text(value));
		return 0;
	case 'p':
		parse_ports(state, options, value);
		return 0;
	case 'c':
		options->control = parse_port(state, value);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is one word too many", value);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	option_table, parse_option, NULL, documentation, NULL, NULL, NULL,
};

/* ---------------------------------------------------------------- what is printed */

static void print_ports(const struct witness_server *server)
{
	fputs("ports:", stdout);
	for (unsigned row = 0; row < greeter_count; row++) {
		uint16_t port = server->sockets.ports[row];

		if (port == greeters[row].port)
			printf(" %u/%s", port, greeters[row].datagrams ? "udp" : "tcp");
		else if (port)
			printf(" %u/%s(mapped to %u)", greeters[row].port,
			       greeters[row].datagrams ? "udp" : "tcp", port);
	}
	puts(server->sockets.echo[0] < 0 ? "" : " echo");
}

static void print_name(const struct witness_server *server, char *const addresses[], uint16_t port)
{
	char hash[SHA256_TEXT];

	sha256_text(hash, server->token, strlen(server->token));
	fputs("sandboxeval run SANDBOX --witness ", stdout);
	for (size_t i = 0; addresses[i]; i++)
		printf("%s%s", i ? "+" : "", addresses[i]);
	printf(":%u:%s\n", port, hash);
}

static void tell(void *context, const struct arrival *arrival, const union endpoint *from)
{
	char address[ENDPOINT_TEXT], clock[16] = "";
	time_t now = time(NULL);
	struct tm local;

	(void)context;
	if (localtime_r(&now, &local))
		strftime(clock, sizeof clock, "%H:%M:%S", &local);
	endpoint_text(from, address);
	if (arrival->port)
		printf("%s %s %s on %u from %s\n", clock, arrival->nonce, arrival->protocol,
		       arrival->port, address);
	else
		printf("%s %s %s from %s\n", clock, arrival->nonce, arrival->protocol, address);
	fflush(stdout);
}

/* ---------------------------------------------------------------- the command */

static int complain(const struct error *error)
{
	fprintf(stderr, "sandboxeval: %s\n", error->text);
	return (int)error->status;
}

static bool open_all(struct witness_server *server, const struct options *options,
		     struct error *error)
{
	witness_sockets_init(&server->sockets);
	for (size_t i = 0; options->addresses[i]; i++)
		if (!witness_sockets_add(&server->sockets, options->addresses[i]))
			return error_set(error, EXIT_INCOMPLETE,
					 "cannot listen on '%s': it is no address of this machine, "
					 "or one too many", options->addresses[i]);
	if (!witness_sockets_open(&server->sockets, options->has_only ? options->only : NULL,
				  error))
		return false;
	server->control_listener = witness_open_control(&server->sockets, options->control);
	if (server->control_listener < 0)
		return error_set(error, EXIT_INCOMPLETE, "cannot listen for questions: %s",
				 strerror(errno));
	return witness_drop_rights(error);
}

static int catch_interrupts(void)
{
	sigset_t caught;

	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGHUP);
	sigprocmask(SIG_BLOCK, &caught, NULL);
	return signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
}

int command_witness(int argc, char *argv[])
{
	struct witness_server server = { .control = -1, .control_listener = -1, .stop = -1,
					 .tell = tell };
	struct options options = { 0 };
	struct error error = { 0 };
	int status = EXIT_SATISFIED;

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	if (!options.addresses) {
		options.addresses = list_add(NULL, copy_text("127.0.0.1"));
		options.addresses = list_add(options.addresses, copy_text("::1"));
	}
	witness_token(server.token);
	if (open_all(&server, &options, &error)) {
		server.stop = catch_interrupts();
		print_ports(&server);
		print_name(&server, options.addresses, witness_port_of(server.control_listener));
		fflush(stdout);
		witness_serve(&server);
	} else {
		status = complain(&error);
	}
	witness_sockets_close(&server.sockets);
	list_free(options.addresses);
	return status;
}
