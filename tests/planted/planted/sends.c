/* SPDX-License-Identifier: MIT */
/* What no trial may do: sends a packet to an address that is neither loopback nor the witness. */
#include "scenarios/scenario.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static void attempt(struct trial *trial)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	struct attempt a = try_socket(trial, AF_INET, SOCK_DGRAM, 0), sent;

	inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);
	sent = try_call_as(trial, "fppvpp", "sendto", __NR_sendto, a.value, "x", 1, 0, &to, sizeof to);
	close_fd((int)a.value);
	settle(trial, WHOLE, sent);
}

const struct scenario scenario_planted_sends = {
	.about = ABOUT(
		.title = "Send a packet elsewhere",
		.accessed = "A packet was sent.",
		.denied = "No packet was sent.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
