/* SPDX-License-Identifier: MIT */
/*
 * The sockets of services of the machine and of a person's session: what is asked of them is done
 * outside the sandbox. They are connected to and closed; not even a greeting is sent.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "service-manager", "/run/systemd/private|/run/user/UID/systemd/private|systemd/private",
	  0, 0, 0 },
	{ "service-notify", "/run/systemd/notify|systemd/notify|$NOTIFY_SOCKET", 0, 0, 0 },
	{ "journal", "/run/systemd/journal/socket|/run/systemd/journal/stdout|/dev/log|"
	  "systemd/journal/*|journal.*/*", 0, 0, 0 },
	{ "system-bus", "/run/dbus/system_bus_socket|/var/run/dbus/system_bus_socket|"
	  "system_bus_socket|$DBUS_SYSTEM_BUS_ADDRESS", 0, 0, 0 },
	{ "session-bus", "/run/user/UID/bus|user/*/bus|$DBUS_SESSION_BUS_ADDRESS|dbus-*|"
	  "at-spi/bus*", 0, 0, 0 },
	{ "snapd", "/run/snapd.socket|/run/snapd-snap.socket|snapd*.socket", 0, 0, 0 },
	{ "packagekit", "packagekit*|PackageKit/*", 0, 0, 0 },
	{ "cups", "/run/cups/cups.sock|/var/run/cups/cups.sock|cups.sock|cups/cups*", 0, 0, 0 },
	{ "avahi", "/run/avahi-daemon/socket|/var/run/avahi-daemon/socket|avahi-daemon/socket",
	  0, 0, 0 },
	{ "nscd", "/run/nscd/socket|/var/run/nscd/socket|nscd/socket", 0, 0, 0 },
	{ "udev", "/run/udev/control|udev/control", 0, 0, 0 },
	{ "x11", "/tmp/.X11-unix/X0|/tmp/.X11-unix/X1|.X11-unix/X*|.ICE-unix/*|$DISPLAY",
	  0, 0, 0 },
	{ "wayland", "/run/user/UID/wayland-0|wayland-*|$WAYLAND_DISPLAY", 0, 0, 0 },
	{ "pulse", "/run/user/UID/pulse/native|pulse/native|/run/pulse/native|$PULSE_SERVER",
	  0, 0, 0 },
	{ "pipewire", "/run/user/UID/pipewire-0|pipewire-*", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_sockets(trial);
}

const struct scenario scenario_socket_services = {
	.about = ABOUT(
		.title = "Reach sockets of services outside",
		.accessed = "Code in the sandbox can connect to services of the machine or of a "
			    "session.",
		.denied = "Code in the sandbox cannot connect to any well-known service of the "
			  "machine or of a session.",
		.why = "A service acts outside the sandbox for whoever speaks to it: buses start "
		       "programs, a display shows and takes keys, sound servers hear the room.",
		.see = "T1559, T1113",
		.open = "B +listener:$D/run/dbus/system_bus_socket --ro-bind $D/run /run",
		.closed = "B --ro-bind $D/none /run",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.views = VIEW_SOCKETS,
	.fix = FIX(SOCK),
	CASES(cases),
	.attempt = attempt,
};
