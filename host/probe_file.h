/* SPDX-License-Identifier: MIT */
/*
 * The probe, which this program carries inside itself, as a file that a sandbox can be given: in
 * a throw-away folder on a file system that lets it be executed.
 *
 *	struct probe_file probe;
 *	if (!probe_file_write(&probe, error))
 *		return false;
 *	… probe.path …
 *	probe_file_remove(&probe);
 */
#pragma once

#include "host/error.h"

struct probe_file {
	char *folder, *path;
};

bool probe_file_write(struct probe_file *probe, struct error *error);
/* Accepts one that was never written (all NULL). */
void probe_file_remove(struct probe_file *probe);
