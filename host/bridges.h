/* SPDX-License-Identifier: MIT */
/*
 * The bridge addresses of an engine on this host: where a sandbox with a network of its own finds
 * us. Only interfaces that belong to that engine, by their names; an engine without bridges has
 * none, and no other interface is ever listened on unasked.
 */
#pragma once

#include "host/sandbox.h"

/*
 * Addresses as a NULL-terminated list (list_free), or NULL when there is none. For the launcher
 * `command` the engine is the first word of its arguments that is known here.
 */
char **bridge_addresses(const struct sandbox *sandbox, char *const arguments[]);
