/* SPDX-License-Identifier: MIT */
#include "host/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/memory.h"

/* The folder that holds the name, or -1 with errno. Without openat2: none below another. */
static int open_parent(const char *root, const char *name)
{
	struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), parent, cause;
	const char *slash = strrchr(name, '/');
	char *folder;

	if (fd < 0 || !slash)
		return fd;
	folder = print_text("%.*s", (int)(slash - name), name);
	parent = (int)syscall(SYS_openat2, fd, folder, &how, sizeof how);
	cause = errno;
	free(folder);
	close(fd);
	errno = cause;
	return parent;
}

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

char **leftovers_expect(const char *root, const char *const names[])
{
	char **expected = NULL;

	for (size_t i = 0; names[i]; i++) {
		int parent = open_parent(root, names[i]);
		struct stat about;

		if (parent < 0 ? errno == ENOENT
			       : fstatat(parent, last_part(names[i]), &about, AT_SYMLINK_NOFOLLOW) <
						 0 &&
					 errno == ENOENT)
			expected = list_add(expected, copy_text(names[i]));
		if (parent >= 0)
			close(parent);
	}
	return expected;
}

void leftovers_remove(const char *root, char *const names[])
{
	for (size_t i = names ? list_length(names) : 0; i > 0; i--) {
		int parent = open_parent(root, names[i - 1]);
		const char *name = last_part(names[i - 1]);

		if (parent < 0)
			continue;
		/* A folder answers EISDIR. */
		if (unlinkat(parent, name, 0) < 0)
			unlinkat(parent, name, AT_REMOVEDIR);
		close(parent);
	}
}
