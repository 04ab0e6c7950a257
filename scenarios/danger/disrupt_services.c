/* SPDX-License-Identifier: MIT */
/*
 * Could services be stopped or disturbed: their processes signalled, the machine restarted, their
 * start files replaced, their sockets spoken to, or others' networks flooded? Signal 0 is the only
 * one sent, the restart call has arguments that it refuses, and sockets are closed at once.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { SIGNAL, RESTART, UNITS, VENDOR_UNITS, RUN_UNITS, INIT_SCRIPTS, SOCKETS, FLOOD };

static const struct case_def cases[] = {
	[SIGNAL] = { "signal", NULL, 0, 0, 0 },
	[RESTART] = { "restart", NULL, 0, 0, 0 },
	[UNITS] = { "units", "/etc/systemd/system", 0, 0, PLACE_FOLDER },
	[VENDOR_UNITS] = { "vendor-units", "/usr/lib/systemd/system|/lib/systemd/system", 0, 0,
			   PLACE_FOLDER },
	[RUN_UNITS] = { "run-units", "/run/systemd/system", 0, 0, PLACE_FOLDER },
	[INIT_SCRIPTS] = { "init-scripts", "/etc/init.d", 0, 0, PLACE_FOLDER },
	[SOCKETS] = { "service-sockets", NULL, 0, 0, 0 },
	[FLOOD] = { "flood", NULL, 0, 0, 0 },
};

static const struct question asks[] = { { __NR_reboot, { 0, 0, 0, 0 } } };

/* ---------------------------------------------------------------- processes of others */

enum { MOST_ABOVE = 64, MOST_NUMBERS = 32768, RESERVED = 300, SHOWN = 4 };

struct census {
	struct trial *trial;
	int own;                /* this trial's number */
	int above[MOST_ABOVE];  /* the probe and its ancestors */
	unsigned n_above;
	unsigned listed, foreign, signallable, refused;
};

/* The parent's number; 0 when there is none in view. */
static int parent_of(struct trial *trial, int pid)
{
	char path[32], text[512], word[16];
	const char *end;
	struct attempt a;

	format_text(path, sizeof path, "/proc/%d/stat", pid);
	a = try_text(trial, path, text, sizeof text);
	if (a.value <= 0)
		return 0;
	end = strrchr(text, ')'); /* a name may hold blanks and brackets */
	if (!end || !line_field(end + 1, 1, word, sizeof word))
		return 0;
	return (int)leading_number(word, NULL);
}

static bool is_above(const struct census *census, int pid)
{
	for (unsigned i = 0; i < census->n_above; i++)
		if (census->above[i] == pid)
			return true;
	return false;
}

static void find_above(struct census *census)
{
	int pid = origin()->pid;

	for (; pid > 0 && census->n_above < MOST_ABOVE; pid = parent_of(census->trial, pid))
		census->above[census->n_above++] = pid;
	if (!is_above(census, origin()->parent) && census->n_above < MOST_ABOVE)
		census->above[census->n_above++] = origin()->parent;
}

/* Neither the probe, nor above it, nor started by it, nor the run's own witness. */
static bool is_foreign(const struct census *census, int pid)
{
	if (is_above(census, pid) || is_witness_process(census->trial, pid))
		return false;
	for (int depth = 0; pid > 0 && depth < MOST_ABOVE; depth++) {
		if (pid == origin()->pid)
			return false;
		pid = parent_of(census->trial, pid);
	}
	return true;
}

/* What ended and is not yet waited for still has its number, and takes signals. */
static bool has_ended(struct trial *trial, int pid)
{
	struct attempt made = try_call_as(trial, "iv", "pidfd_open", __NR_pidfd_open, pid, 0), a;
	struct pollfd end = { .fd = (int)made.value, .events = POLLIN };
	long now[2] = { 0, 0 };

	if (!attempt_worked(made))
		return made.reached && made.error == ESRCH;
	a = try_call_as(trial, "pppp", "ppoll", __NR_ppoll, &end, 1, now, 0, 0);
	close_fd(end.fd);
	return a.value == 1;
}

static void ask_process(struct census *census, int pid)
{
	struct attempt a = try_signal(census->trial, pid);
	char path[32];

	if ((a.error == ESRCH && a.reached) ||
	    (attempt_worked(a) && has_ended(census->trial, pid)))
		return;
	census->foreign++;
	if (attempt_worked(a)) {
		census->signallable++;
		settle(census->trial, SIGNAL, a);
	} else if (census->refused++ < SHOWN) {
		format_text(path, sizeof path, "/proc/%d", pid);
		/* With the capability no owner refuses: it is then a filter, or another namespace. */
		settle(census->trial, SIGNAL, a, .path = path,
		       .right = has_capability(CAP_KILL) ? RIGHT_STAT : RIGHT_OWNER,
		       .capability = NEEDS_CAP(CAP_KILL));
	}
}

static bool take_process(void *context, const char *name, unsigned char type)
{
	struct census *census = context;
	uint64_t pid;

	(void)type;
	if (!read_number(name, &pid) || pid == 0)
		return true;
	census->listed++;
	if (is_foreign(census, (int)pid))
		ask_process(census, (int)pid);
	return true;
}

/*
 * Without /proc every number is asked. The numbers up to our own are all there ever were only in a
 * young process namespace: the kernel gives out those below 300 once. What came after the probe
 * may be its own; and only a probe that the namespace's first process started has no ancestors
 * that could be taken for others.
 */
static void ask_numbers(struct census *census)
{
	bool young = origin()->pid < RESERVED && census->own < MOST_NUMBERS;
	bool all_known = origin()->parent <= 1;
	int last = young ? census->own : MOST_NUMBERS;
	unsigned others = 0, later = 0;
	struct attempt a = { .value = -1, .error = ESRCH, .nr = -1, .reached = true };

	for (int pid = 1; pid <= last; pid++) {
		a = try_signal(census->trial, pid);
		if (!a.reached)
			break;
		if (!attempt_worked(a) || is_above(census, pid) || pid == census->own ||
		    has_ended(census->trial, pid))
			continue;
		later += pid > origin()->pid;
		others += pid < origin()->pid;
	}
	if (others && all_known)
		settle(census->trial, SIGNAL, found_in_process(true));
	else if (!a.reached)
		settle(census->trial, SIGNAL, a);
	else if (others || later || !young) {
		note_text(census->trial, SIGNAL, "not_visible", "/proc");
		settle_unknown(census->trial, SIGNAL, REASON_NO_VIEW);
	} else
		settle(census->trial, SIGNAL, found_in_process(false));
}

static void try_signals(struct trial *trial)
{
	struct census census = { .trial = trial };
	char self[16], own[16];
	bool same_namespace;

	census.own = (int)try_own_number(trial).value;
	format_text(own, sizeof own, "%d", census.own);
	/* Another namespace's /proc tells numbers that mean nothing here. */
	same_namespace = attempt_worked(try_readlink(trial, "/proc/self", self, sizeof self)) &&
			 strcmp(self, own) == 0;
	if (same_namespace) {
		find_above(&census);
		try_list(trial, "/proc", take_process, &census);
	}
	if (census.listed == 0) {
		census.above[0] = origin()->pid;
		census.above[1] = origin()->parent;
		census.n_above = 2;
		ask_numbers(&census);
	} else if (census.foreign == 0) {
		settle(trial, SIGNAL, found_in_process(false));
	}
	measure_number(trial, SIGNAL, "foreign", census.foreign);
	measure_number(trial, SIGNAL, "signallable", census.signallable);
}

/* ---------------------------------------------------------------- the machine */

/* EINVAL: the check is passed and only the arguments are refused. */
static void try_restart(struct trial *trial)
{
	char namespace[64];
	struct attempt a = try_call(trial, "reboot", __NR_reboot, 0, 0, 0, 0);
	bool permitted = a.reached && a.error == EINVAL, told;

	told = attempt_worked(try_readlink(trial, "/proc/self/ns/pid", namespace,
					   sizeof namespace));
	if (!permitted) {
		settle(trial, RESTART, a, .capability = NEEDS_CAP(CAP_SYS_BOOT));
		return;
	}
	a.value = 0;
	if (told && strcmp(namespace, "pid:[4026531836]") == 0) {
		settle(trial, RESTART, a);
		return;
	}
	/* Elsewhere than in the first process namespace it ends the sandbox alone. */
	note_flag(trial, RESTART, "ends_sandbox", told);
	if (told) {
		settle(trial, RESTART, found_nothing(a), .elsewhere = true);
		return;
	}
	note_text(trial, RESTART, "not_visible", "/proc/self/ns/pid");
	settle_unknown(trial, RESTART, REASON_NO_VIEW);
}

/* ---------------------------------------------------------------- sockets */

static void try_service(struct trial *trial, const char *path)
{
	if (attempt_worked(settle_socket_file(trial, SOCKETS, path)))
		report_object(trial, "service-socket", path);
}

static void try_services(struct trial *trial)
{
	static const char *const paths[] = {
		"/run/systemd/private",
		"/run/dbus/system_bus_socket",
		"/run/docker.sock",
		"/var/run/docker.sock",
		"/run/containerd/containerd.sock",
		"/run/podman/podman.sock",
		"/run/crio/crio.sock",
		"/run/libvirt/libvirt-sock",
		"/run/supervisor.sock",
	};
	char path[64];

	for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
		try_service(trial, paths[i]);
	format_text(path, sizeof path, "/run/user/%u/systemd/private", origin()->uid);
	try_service(trial, path);
}

/* ---------------------------------------------------------------- flood */

static void try_flood(struct trial *trial)
{
	static const int families[] = { AF_INET, AF_INET6 };

	for (unsigned i = 0; i < 2; i++) {
		struct attempt a = { .value = -1 };
		enum route route = ask_route(trial, families[i], &a);

		if (route == ROUTE_NOT_ASKED && a.reached && !attempt_worked(a) &&
		    (a.error == ENETUNREACH || a.error == EHOSTUNREACH))
			settle_unknown(trial, FLOOD, REASON_CONTROL_FAILED);
		else
			settle(trial, FLOOD, a, .route = route);
	}
}

static void attempt(struct trial *trial)
{
	char path[512];

	try_signals(trial);
	try_restart(trial);
	for (int i = UNITS; i <= INIT_SCRIPTS; i++)
		if (find_case(trial, i, path, sizeof path))
			settle_dir_write(trial, i, path);
	try_services(trial);
	try_flood(trial);
}

const struct scenario scenario_danger_disrupt_services = {
	.about = ABOUT(
		.title = "Disrupt services",
		.accessed = "Code in the sandbox can stop or disturb services, or send packets to "
			    "others.",
		.denied = "Code in the sandbox can neither signal, restart, replace nor reach a "
			  "service.",
		.why = "Services that stop take everybody's work with them, and a machine that "
		       "floods others is its operator's fault.",
		.see = "T1489, T1498, T1529",
		.paper = "Disrupt services",
		.open = "U +sleeper",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_NO_ROUTE)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(PID) | FIX(NET) | FIX(SOCK) | FIX(UID) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
