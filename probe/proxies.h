/* SPDX-License-Identifier: MIT */
/*
 * The proxies that the given environment names. Numeric addresses, localhost and names of the
 * hosts file only: nothing is looked up. Credentials in a value are neither used nor kept.
 */
#pragma once

#include "probe/paths.h"

struct proxies {
	unsigned n;
	unsigned untried; /* named, but not to be tried: unknown name, TLS, too many */
	struct proxy list[PROXIES_MOST];
};

/* http_proxy, ALL_PROXY, npm_config_https_proxy … but not the list of exceptions from them. */
bool names_a_proxy(const char *name);
/* One value, "scheme://user:password@host:port/"; false: it is not to be tried. */
bool proxy_parse(struct trial *trial, const char *value, struct proxy *proxy);
void list_proxies(struct trial *trial, struct proxies *proxies);
