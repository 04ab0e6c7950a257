/* SPDX-License-Identifier: MIT */
/*
 * No sandbox at all: the probe runs as an ordinary child of this program. It shows what a
 * sandbox would have to withhold, and what the report of "no isolation" looks like.
 */
#include "host/memory.h"
#include "host/sandbox.h"

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	if (request->n_arguments > 0)
		return error_set(error, EXIT_MISUSE, "none takes no engine arguments: %s",
				 request->arguments[0]);
	if (request->image || request->rootfs)
		return error_set(error, EXIT_MISUSE, "none has no image and no root folder");
	*ret_launch = (struct launch){
		.argv = list_join(list_add(NULL, copy_text(probe)), probe_options),
		.report_argv = list_add(NULL, copy_text("{probe}")),
		.probe_path = copy_text(probe),
		.image = copy_text("the host's files"),
	};
	return true;
}

const struct sandbox sandbox_none = {
	.name = "none",
	.title = "no sandbox",
	.summary = "none at all: what untrusted code could do if it simply ran here",
	.outside = true,
	.prepare = prepare,
};
