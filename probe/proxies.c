/* SPDX-License-Identifier: MIT */
#include "probe/proxies.h"

#include <string.h>

#include "probe/text.h"

bool names_a_proxy(const char *name)
{
	char lower[128];
	size_t n = 0;

	for (; name[n] && n < sizeof lower - 1; n++)
		lower[n] = lower_case(name[n]);
	lower[n] = '\0';
	return ends_with(lower, "_proxy") && !ends_with(lower, "no_proxy");
}

/* ---------------------------------------------------------------- names */

struct wanted {
	const char *name;
	union address *address;
	bool found;
};

/* "192.0.2.7 proxy.test proxy" */
static bool take_host(void *context, char *line)
{
	struct wanted *wanted = context;
	char address[64], name[128];

	line[strcspn(line, "#")] = '\0';
	if (!line_field(line, 0, address, sizeof address))
		return true;
	for (unsigned i = 1; line_field(line, i, name, sizeof name); i++)
		if (strcmp(name, wanted->name) == 0)
			wanted->found = read_address(address, wanted->address);
	return !wanted->found;
}

static bool find_host(struct trial *trial, const char *name, union address *address)
{
	struct wanted wanted = { .name = name, .address = address };
	char text[4096];
	struct attempt a;

	if (read_address(name, address))
		return true;
	if (strcmp(name, "localhost") == 0)
		return read_address("127.0.0.1", address);
	a = try_text(trial, "/etc/hosts", text, sizeof text);
	if (a.value <= 0)
		return false;
	each_line(text, take_host, &wanted);
	return wanted.found;
}

/* ---------------------------------------------------------------- values */

/* Takes "scheme://" away; false: a scheme that takes more than a connection. */
static bool take_scheme(const char **value, struct proxy *proxy, uint16_t *ret_port)
{
	const char *end = strstr(*value, "://");

	*ret_port = 80;
	if (!end)
		return true;
	proxy->is_socks = starts_with(*value, "socks5://") || starts_with(*value, "socks5h://");
	if (!proxy->is_socks && !starts_with(*value, "http://"))
		return false;
	if (proxy->is_socks)
		*ret_port = 1080;
	*value = end + 3;
	return true;
}

/* "host:port", "[v6]:port", "host" */
static bool take_host_and_port(char *text, char **ret_host, uint16_t *port)
{
	char *colon = strrchr(text, ':');
	uint64_t number;

	*ret_host = text;
	if (text[0] == '[') {
		char *end = strchr(text, ']');

		if (!end)
			return false;
		*end = '\0';
		*ret_host = text + 1;
		colon = end[1] == ':' ? end + 1 : NULL;
	}
	if (!colon)
		return true;
	*colon = '\0';
	if (!read_number(colon + 1, &number) || number == 0 || number > UINT16_MAX)
		return false;
	*port = (uint16_t)number;
	return true;
}

bool proxy_parse(struct trial *trial, const char *value, struct proxy *proxy)
{
	char text[256], *host, *user;
	uint16_t port;
	size_t n;

	*proxy = (struct proxy){ .is_socks = false };
	if (!take_scheme(&value, proxy, &port))
		return false;
	n = strcspn(value, "/?#");
	if (n == 0 || n >= sizeof text)
		return false;
	memcpy(text, value, n);
	text[n] = '\0';
	user = strrchr(text, '@');
	if (!take_host_and_port(user ? user + 1 : text, &host, &port) ||
	    !find_host(trial, host, &proxy->address))
		return false;
	set_port(&proxy->address, port);
	return true;
}

static bool is_listed(const struct proxies *proxies, const struct proxy *proxy)
{
	for (unsigned i = 0; i < proxies->n; i++)
		if (proxies->list[i].is_socks == proxy->is_socks &&
		    same_address(&proxies->list[i].address, &proxy->address))
			return true;
	return false;
}

void list_proxies(struct trial *trial, struct proxies *proxies)
{
	*proxies = (struct proxies){ .n = 0 };
	for (char **variable = origin()->environment; variable && *variable; variable++) {
		const char *equals = strchr(*variable, '=');
		struct proxy proxy;
		char name[128];
		size_t n = equals ? (size_t)(equals - *variable) : 0;

		if (n == 0 || n >= sizeof name || !equals[1])
			continue;
		memcpy(name, *variable, n);
		name[n] = '\0';
		if (!names_a_proxy(name))
			continue;
		if (!proxy_parse(trial, equals + 1, &proxy))
			proxies->untried++;
		else if (is_listed(proxies, &proxy))
			continue;
		else if (proxies->n == PROXIES_MOST)
			proxies->untried++;
		else
			proxies->list[proxies->n++] = proxy;
	}
}
