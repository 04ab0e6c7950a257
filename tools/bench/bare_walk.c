/* SPDX-License-Identifier: MIT */
/*
 * bare_walk FOLDER: the least that any walk does: getdents64 for every folder and statx for every
 * entry, and nothing else is asked. Prints how many entries it saw. What a walk takes beyond this
 * is the price of its answers.
 */
#include <fcntl.h>
#include <linux/stat.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEEPEST 32

struct listed {
	uint64_t ino;
	int64_t next;
	unsigned short length;
	unsigned char type;
	char name[];
};

static char buffers[DEEPEST][32768];
static unsigned long entries;

static int is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static void walk(int fd, unsigned depth)
{
	for (;;) {
		long n = syscall(SYS_getdents64, fd, buffers[depth], sizeof buffers[depth]);

		if (n <= 0)
			break;
		for (long at = 0; at < n;) {
			struct listed *entry = (struct listed *)(buffers[depth] + at);
			struct statx facts;
			int below;

			at += entry->length;
			if (is_dots(entry->name))
				continue;
			entries++;
			if (syscall(SYS_statx, fd, entry->name, AT_SYMLINK_NOFOLLOW,
				    STATX_BASIC_STATS, &facts) != 0 ||
			    !S_ISDIR(facts.stx_mode) || depth + 1 == DEEPEST)
				continue;
			below = openat(fd, entry->name,
				       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (below < 0)
				continue;
			walk(below, depth + 1);
			close(below);
		}
	}
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd < 0) {
		fputs("Usage: bare_walk FOLDER\n", stderr);
		return 64;
	}
	walk(fd, 0);
	close(fd);
	printf("%lu\n", entries);
	return 0;
}
