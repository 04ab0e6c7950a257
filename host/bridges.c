/* SPDX-License-Identifier: MIT */
#include "host/bridges.h"

#include <fnmatch.h>
#include <ifaddrs.h>
#include <string.h>

#include "host/endpoint.h"
#include "host/memory.h"

/* By the name of the launcher or of the engine's program; patterns as for fnmatch(3). */
static const struct engine_bridges {
	const char *program;
	const char *interfaces[4];
} engines[] = {
	{ "docker", { "docker0", "br-*", "docker_gwbridge" } },
	{ "podman", { "podman*", "cni-podman*" } },
	{ "nerdctl", { "nerdctl*" } },
	{ "lxc*", { "lxcbr*", "lxdbr*", "incusbr*" } },
	{ "incus", { "incusbr*" } },
	{ "nspawn", { "vz-*", "ve-*" } },
	{ "systemd-nspawn", { "vz-*", "ve-*" } },
	{ "virsh", { "virbr*" } },
	{ "qemu-*", { "virbr*" } },
};

static const struct engine_bridges *engine_named(const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash ? slash + 1 : word;

	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (fnmatch(engines[i].program, name, 0) == 0)
			return &engines[i];
	return NULL;
}

static const struct engine_bridges *find_engine(const struct sandbox *sandbox,
						char *const arguments[])
{
	const struct engine_bridges *engine = engine_named(sandbox->name);

	/* Only "command" starts engines that its arguments name. */
	for (size_t i = 0; !engine && sandbox->unsure && arguments[i]; i++)
		engine = engine_named(arguments[i]);
	return engine;
}

static bool belongs_to(const struct engine_bridges *engine, const char *interface)
{
	for (size_t i = 0; i < sizeof engine->interfaces / sizeof *engine->interfaces; i++)
		if (engine->interfaces[i] && fnmatch(engine->interfaces[i], interface, 0) == 0)
			return true;
	return false;
}

static bool is_usable(const struct sockaddr *address)
{
	if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
		return false;
	/* A link-local one means nothing without its interface, whose name is another inside. */
	return address->sa_family == AF_INET ||
	       !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

char **bridge_addresses(const struct sandbox *sandbox, char *const arguments[])
{
	const struct engine_bridges *engine = find_engine(sandbox, arguments);
	struct ifaddrs *interfaces = NULL;
	char **addresses = NULL;

	if (!engine || getifaddrs(&interfaces) < 0)
		return NULL;
	for (const struct ifaddrs *one = interfaces; one; one = one->ifa_next) {
		char text[ENDPOINT_TEXT];

		if (!is_usable(one->ifa_addr) || !belongs_to(engine, one->ifa_name))
			continue;
		endpoint_text((const union endpoint *)one->ifa_addr, text);
		addresses = list_add(addresses, copy_text(text));
	}
	freeifaddrs(interfaces);
	return addresses;
}
