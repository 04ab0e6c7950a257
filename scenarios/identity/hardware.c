/* SPDX-License-Identifier: MIT */
/*
 * Serial numbers of the machine: what its firmware, its disks and its network cards are called by
 * their makers. A value is hashed under the run's key and forgotten; tables are opened, not read.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

enum { BOARD, DISK, NETWORK_CARD, FIRMWARE };

static const struct case_def cases[] = {
	[BOARD] = { "board-serial", "/sys/class/dmi/id", 0, 0, 0 },
	[DISK] = { "disk-serial", "/sys/class/block", 0, 0, 0 },
	[NETWORK_CARD] = { "network-card", "/sys/class/net", 0, 0, 0 },
	[FIRMWARE] = { "firmware-tables", "/sys/firmware", 0, 0, 0 },
};

/* What makers write who write nothing. */
static bool is_filler(const char *text)
{
	static const char *const words[] = {
		"None",
		"Not Specified",
		"Default string",
		"To be filled by O.E.M.",
		"System Serial Number",
		"Unknown",
		"Not Applicable",
		"N/A",
		"Chassis Serial Number",
		"Base Board Serial Number",
		"03000200-0400-0500-0006-000700080009", /* of several makers */
	};

	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return !text[strspn(text, "0-:. xXfF")];
}

/* A file's one line, hashed; true when it names something. */
static bool take_file(struct trial *trial, int case_index, const char *path)
{
	char page[256], *text = page;
	struct attempt a = try_text(trial, path, page, sizeof page);

	if (!attempt_worked(a)) {
		/* That a device has no such number says nothing of the others. */
		if (a.error != ENOENT)
			settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
		return false;
	}
	/* What a disk says itself has a head of four bytes. */
	if (a.value > 4 && page[0] == '\0')
		text += 4;
	text[strcspn(text, "\n")] = '\0';
	if (is_filler(text)) {
		settle(trial, case_index, found_nothing(a), .path = path);
		return false;
	}
	measure_hash(trial, case_index, text);
	explicit_bzero(page, sizeof page);
	report_object(trial, case_of(trial, case_index)->name, path);
	settle(trial, case_index, a);
	return true;
}

static void try_board(struct trial *trial)
{
	static const char *const files[] = {
		"/sys/class/dmi/id/product_uuid",
		"/sys/class/dmi/id/product_serial",
		"/sys/class/dmi/id/board_serial",
		"/sys/class/dmi/id/chassis_serial",
		"/sys/devices/virtual/dmi/id/product_uuid",
		"/proc/device-tree/serial-number",
		"/sys/firmware/devicetree/base/serial-number",
	};

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		if (take_file(trial, BOARD, files[i]))
			return;
	settle(trial, BOARD, found_in_process(false));
}

struct search {
	struct trial *trial;
	bool found;
	unsigned seen;
};

static bool take_disk(void *context, const char *name, unsigned char type)
{
	static const char *const files[] = { "serial",      "device/serial",   "wwid",
					     "device/wwid", "device/vpd_pg80", "device/cid" };
	struct search *search = context;
	char path[320];

	(void)type;
	/* Made by the kernel, by the hundred on some machines. */
	if (matches_pattern("loop*", name) || matches_pattern("ram*", name) ||
	    matches_pattern("nbd*", name))
		return true;
	for (unsigned i = 0; !search->found && i < sizeof files / sizeof *files; i++) {
		format_text(path, sizeof path, "/sys/class/block/%s/%s", name, files[i]);
		search->found = take_file(search->trial, DISK, path);
	}
	return !search->found && ++search->seen < 64;
}

static void try_disks(struct trial *trial)
{
	struct search search = { .trial = trial };
	struct attempt a = try_list(trial, case_of(trial, DISK)->path, take_disk, &search);

	if (!search.found && search.seen >= 64)
		settle_unknown(trial, DISK, REASON_TIMED_OUT);
	else if (!search.found)
		settle(trial, DISK, found_nothing(a), .path = case_of(trial, DISK)->path,
		       .right = RIGHT_READ);
}

/* ---------------------------------------------------------------- network cards */

/* The second bit of an address says that it was made up here, for a virtual card. */
static bool is_makers(const unsigned char address[6])
{
	static const unsigned char none[6];

	return !(address[0] & 2) && memcmp(address, none, 6) != 0;
}

/* "52:54:00:12:34:56" */
static bool read_address(const char *text, unsigned char address[6])
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < 6; i++, text += 3) {
		const char *high = text[0] ? strchr(digits, text[0]) : NULL;
		const char *low = high && text[1] ? strchr(digits, text[1]) : NULL;

		if (!low)
			return false;
		address[i] = (unsigned char)((high - digits) << 4 | (low - digits));
		if (i < 5 && text[2] != ':')
			return false;
	}
	return true;
}

static bool take_address(struct trial *trial, const unsigned char address[6], const char *name,
			 struct attempt a)
{
	char text[16];

	if (!is_makers(address))
		return false;
	format_text(text, sizeof text, "%x%x%x", address[0] << 16 | address[1] << 8 | address[2],
		    address[3] << 8 | address[4], address[5]);
	measure_hash(trial, NETWORK_CARD, text);
	report_object(trial, "network-card", name);
	settle(trial, NETWORK_CARD, a);
	return true;
}

static bool take_card(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	unsigned char address[6];
	char path[300], text[32];
	struct attempt a;

	(void)type;
	format_text(path, sizeof path, "/sys/class/net/%s/address", name);
	a = try_text(search->trial, path, text, sizeof text);
	if (!attempt_worked(a))
		return true;
	search->found =
		read_address(text, address) && take_address(search->trial, address, name, a);
	return !search->found;
}

/* Without /sys: netdevice(7). The first numbers are the machine's own cards. */
static bool ask_cards(struct trial *trial)
{
	struct attempt socket = try_socket(trial, AF_INET, SOCK_DGRAM, 0), a = socket;
	bool found = false;

	for (int index = 1; attempt_worked(socket) && !found && index <= 32; index++) {
		struct ifreq request = { .ifr_ifindex = index };

		a = try_call_as(trial, "fvp", "ioctl", __NR_ioctl, socket.value, SIOCGIFNAME,
				&request);
		if (attempt_worked(a))
			a = try_call_as(trial, "fvp", "ioctl", __NR_ioctl, socket.value,
					SIOCGIFHWADDR, &request);
		if (!a.reached)
			break;
		if (!attempt_worked(a) || request.ifr_hwaddr.sa_family != 1 /* ARPHRD_ETHER */)
			continue;
		found = take_address(trial, (const unsigned char *)request.ifr_hwaddr.sa_data,
				     request.ifr_name, a);
	}
	close_fd((int)socket.value);
	/* ENODEV: there is no card of that number. */
	if (!found && a.reached)
		a = found_nothing((struct attempt){ .nr = a.nr, .call = a.call, .reached = true });
	if (!found)
		settle(trial, NETWORK_CARD, a);
	return found;
}

static void try_cards(struct trial *trial)
{
	struct search search = { .trial = trial };
	struct attempt a;

	if (ask_cards(trial))
		return;
	a = try_list(trial, case_of(trial, NETWORK_CARD)->path, take_card, &search);
	if (!search.found)
		settle(trial, NETWORK_CARD, found_nothing(a), .path = case_of(trial, NETWORK_CARD)->path,
		       .right = RIGHT_READ);
}

/* ---------------------------------------------------------------- tables */

static void try_tables(struct trial *trial)
{
	static const char *const files[] = {
		"/sys/firmware/dmi/tables/DMI",
		"/sys/firmware/acpi/tables/FACP",
		"/sys/firmware/acpi/tables/MSDM",
		"/sys/firmware/fdt",
		"/sys/firmware/devicetree/base/compatible",
	};
	struct attempt listed = try_list(trial, case_of(trial, FIRMWARE)->path, NULL, NULL);

	/* Covered by an empty folder: that is what hides them. */
	if (listed.value == 0) {
		settle(trial, FIRMWARE, found_nothing(listed), .path = case_of(trial, FIRMWARE)->path);
		return;
	}
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		struct attempt a = try_open(trial, files[i], O_RDONLY | O_NONBLOCK | O_NOCTTY);

		close_fd((int)a.value);
		settle(trial, FIRMWARE, a, .path = files[i], .right = RIGHT_READ);
		if (!attempt_worked(a))
			continue;
		report_object(trial, case_of(trial, FIRMWARE)->name, files[i]);
		return;
	}
}

static void attempt(struct trial *trial)
{
	try_board(trial);
	try_disks(trial);
	try_cards(trial);
	try_tables(trial);
}

static const struct question asks[] = {
	{ __NR_ioctl, { (unsigned long)-1, SIOCGIFNAME } },
	{ __NR_ioctl, { (unsigned long)-1, SIOCGIFHWADDR } },
};

const struct scenario scenario_identity_hardware = {
	.about = ABOUT(
		.title = "Read serial numbers of the hardware",
		.accessed = "Code in the sandbox can read a serial number of the machine, or its "
			    "firmware's tables.",
		.denied = "Code in the sandbox cannot read any serial number of the machine.",
		.why = "A serial number stays the same when everything else is renewed: it tells "
		       "machines, and so customers, apart for years.",
		.see = "CWE-497, T1082",
		.open = "B --ro-bind $D/dmi /sys/class/dmi/id",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK) | FIX(NET),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
