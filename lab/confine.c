/* SPDX-License-Identifier: MIT */
/*
 * A box that is nothing but a Landlock ruleset: what is named is let through, all else that the
 * ruleset handles is refused.
 *
 *	confine [read=PATH] [execute=PATH] [write=PATH] [unhandled=read|execute|write] -- PROGRAM
 *...
 *
 * unhandled= leaves that kind out of the ruleset, so that it is not restricted at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than some headers. */
#define ACCESS_REFER (1ULL << 13)
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_MAKE_AND_REMOVE 0x1ff0ULL /* of every kind of file */
/* What a rule about a file, not a folder, may hold. */
#define ON_FILES                                                                                   \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |                              \
	 LANDLOCK_ACCESS_FS_READ_FILE | ACCESS_TRUNCATE)

static const struct {
	const char *name;
	uint64_t rights;
} kinds[] = {
	{ "read", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR },
	{ "execute", LANDLOCK_ACCESS_FS_EXECUTE },
	{ "write",
	  LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_MAKE_AND_REMOVE | ACCESS_REFER | ACCESS_TRUNCATE },
};

/* The rights of the kind that a word begins with; `ret_rest` is what follows the "=". */
static uint64_t rights_of(const char *word, const char **ret_rest)
{
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i].name);

		if (strncmp(word, kinds[i].name, n) != 0 || (word[n] != '=' && word[n] != '\0'))
			continue;
		*ret_rest = word[n] ? word + n + 1 : "";
		return kinds[i].rights;
	}
	return 0;
}

static int add(int ruleset, uint64_t rights, const char *path)
{
	struct landlock_path_beneath_attr rule = { .parent_fd = open(path, O_PATH | O_CLOEXEC) };
	struct stat status;

	if (rule.parent_fd < 0 || fstat(rule.parent_fd, &status) < 0)
		return -1;
	rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & ON_FILES;
	return (int)syscall(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

static int fail(const char *what)
{
	fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
	return 70;
}

int main(int argc, char **argv)
{
	struct landlock_ruleset_attr handled = { 0 };
	const char *rest;
	int ruleset, i;

	for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
		handled.handled_access_fs |= kinds[k].rights;
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "unhandled=", 10) == 0)
			handled.handled_access_fs &= ~rights_of(argv[i] + 10, &rest);
	ruleset = (int)syscall(__NR_landlock_create_ruleset, &handled, sizeof handled, 0);
	if (ruleset < 0)
		return fail("no ruleset");
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		uint64_t rights = rights_of(argv[i], &rest) & handled.handled_access_fs;

		if (rights && add(ruleset, rights, rest) < 0)
			return fail(argv[i]);
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(__NR_landlock_restrict_self, ruleset, 0) < 0)
		return fail("not restricted");
	close(ruleset);
	if (i + 1 >= argc)
		return fail("what to run?");
	execv(argv[i + 1], argv + i + 1);
	return fail(argv[i + 1]);
}
