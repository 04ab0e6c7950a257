/* SPDX-License-Identifier: MIT */
/*
 * landlock RIGHTS [RIGHTS PATH]… -- PROGRAM [ARGUMENT…]: starts a program that has the first rights
 * nowhere, and those that stand before a path there and below. Rights are LANDLOCK_ACCESS_FS_ bits.
 */
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void give_up(const char *what)
{
	perror(what);
	exit(77);
}

int main(int argc, char **argv)
{
	struct landlock_ruleset_attr all = { 0 };
	long ruleset;
	int i = 2;

	if (argc < 4)
		return 64;
	all.handled_access_fs = strtoull(argv[1], NULL, 0);
	ruleset = syscall(__NR_landlock_create_ruleset, &all, sizeof all.handled_access_fs, 0);
	if (ruleset < 0)
		give_up("landlock");
	for (; i + 2 < argc && strcmp(argv[i], "--") != 0; i += 2) {
		struct landlock_path_beneath_attr rule = {
			.allowed_access = strtoull(argv[i], NULL, 0),
			.parent_fd = open(argv[i + 1], O_PATH | O_CLOEXEC),
		};

		if (syscall(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0))
			give_up(argv[i + 1]);
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(__NR_landlock_restrict_self, ruleset, 0))
		give_up("landlock");
	execv(argv[i + 1], argv + i + 1);
	give_up(argv[i + 1]);
	return 126;
}
