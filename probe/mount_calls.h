/* SPDX-License-Identifier: MIT */
/* each_mount() without /proc. A mount gone meanwhile is an error, and so is half an answer. */
#pragma once

#include "scenarios/scenario.h"

struct attempt each_mount_by_calls(struct trial *trial,
				   bool (*each)(void *context, const struct mount_line *mount),
				   void *context);
