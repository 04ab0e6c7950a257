/* SPDX-License-Identifier: MIT */
/* Ids and user namespaces: see uid_is_mapped() of scenario.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trial;

/* What the kernel shows for an id that is not mapped here (kernel.overflowuid's default). */
#define OVERFLOW_ID 65534u

/* True where an owner shown as the overflow id may be any unmapped one. */
bool overflow_is_ambiguous(struct trial *trial);
/* Is it the given effective group or one of the supplementary ones? */
bool is_own_group(uint32_t gid);
/* What lies at this path of /proc is surely not the kernel's. */
bool is_disguised(struct trial *trial, const char *path);
/* The folder that holds the path (dac.c). */
void parent_folder(const char *path, char *buffer, size_t size);
/* The path with all links followed, by /proc (mount.c). False: it cannot be told. */
bool real_path(struct trial *trial, const char *path, char *resolved, size_t size);
