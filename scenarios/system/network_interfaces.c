/* SPDX-License-Identifier: MIT */
/*
 * Network interfaces besides loopback, and the resolver that names are asked of. Tunnels that a
 * new network namespace brings along, down and without an address, lead nowhere and do not count.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { INTERFACES, RESOLVER };

static const struct case_def cases[] = {
	[INTERFACES] = { "interfaces", NULL, 0, 0, 0 },
	[RESOLVER] = { "resolver", "/etc/resolv.conf", 0, 0, 0 },
};

/* K9: outside there is more, and it is not our network namespace that was looked at there. */
static bool is_elsewhere(struct trial *trial)
{
	const char *outside = host_fact(trial, "ns.net");
	char own[24] = "";
	struct object object;

	if (attempt_worked(try_stat(trial, AT_FDCWD, "/proc/self/ns/net", 0, &object)))
		format_text(own, sizeof(own), "%lu", (unsigned long)object.ino);
	return outside_status(trial) == STATUS_ACCESSED &&
	       !(outside && strcmp(outside, own) == 0);
}

static void look_at_interfaces(struct trial *trial)
{
	struct interfaces found;
	struct attempt a;

	list_interfaces(trial, &found);
	a = found.attempt;
	if (found.source) {
		note_text(trial, INTERFACES, "source", found.source);
		note_number(trial, INTERFACES, "interfaces", found.total);
		note_number(trial, INTERFACES, "in-use", found.beyond_lo);
		note_number(trial, INTERFACES, "addresses", found.addresses);
		note_number(trial, INTERFACES, "routes", found.routes);
		measure_number(trial, WHOLE, "neighbours", found.neighbours);
	}
	if (!found.beyond_lo)
		a = found_nothing(a);
	settle(trial, INTERFACES, a, .elsewhere = found.source && is_elsewhere(trial));
}

struct search {
	struct trial *trial;
	unsigned loopback, others;
};

static bool take_resolver(void *context, char *line)
{
	struct search *search = context;
	char word[16], address[64];

	if (!line_field(line, 0, word, sizeof(word)) || strcmp(word, "nameserver") != 0 ||
	    !line_field(line, 1, address, sizeof(address)))
		return true;
	if (starts_with(address, "127.") || strcmp(address, "::1") == 0) {
		search->loopback++;
		return true;
	}
	search->others++;
	report_object(search->trial, "resolver", address);
	return true;
}

static void look_at_resolver(struct trial *trial)
{
	struct search search = { .trial = trial };
	const char *path = case_of(trial, RESOLVER)->path;
	char text[4096];
	struct attempt a = try_text(trial, path, text, sizeof(text));

	if (attempt_worked(a)) {
		each_line(text, take_resolver, &search);
		note_number(trial, RESOLVER, "loopback", search.loopback);
		note_number(trial, RESOLVER, "others", search.others);
	}
	settle(trial, RESOLVER, search.others ? a : found_nothing(a), .path = path,
	       .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	look_at_interfaces(trial);
	look_at_resolver(trial);
}

const struct scenario scenario_system_network_interfaces = {
	.about = ABOUT(
		.title = "Read network interfaces and the resolver",
		.accessed = "Code in the sandbox sees a network interface in use besides "
			    "loopback, or the address of a resolver.",
		.denied = "Code in the sandbox sees no network interface in use but loopback, and "
			  "no resolver beyond it.",
		.why = "Addresses and routes show how the internal network is built and what is "
		       "near.",
		.see = "T1016",
		.paper = "Network interfaces",
		.ours = true,
		.open = "N +veth",
		.closed = "N",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.compares = true,
	.fix = FIX(NET),
	CASES(cases),
	.attempt = attempt,
};
