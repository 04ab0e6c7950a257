/* SPDX-License-Identifier: MIT */
#include "host/throwaway.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"

void random_digits(char *digits, size_t n)
{
	unsigned char byte;

	for (size_t i = 0; i < n; i++) {
		/* A predictable name or key would be worse than no run at all. */
		if (getrandom(&byte, 1, 0) != 1)
			abort();
		snprintf(digits + 2 * i, 3, "%02x", byte);
	}
}

unsigned throwaway_places(const char *places[THROWAWAY_PLACES])
{
	const char *const all[THROWAWAY_PLACES] = {
		getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm", getenv("XDG_RUNTIME_DIR")
	};
	unsigned n = 0;

	for (unsigned i = 0; i < THROWAWAY_PLACES; i++)
		if (all[i] && all[i][0] == '/' && !strpbrk(all[i], ",\n"))
			places[n++] = all[i];
	return n;
}

static char *folder_in(const char *parent)
{
	char digits[17], *path;

	random_digits(digits, 8);
	path = print_text("%s/sandboxeval-%s", parent, digits);
	/* chmod: the umask must not keep the sandbox's user out. */
	if (mkdir(path, 0700) == 0 && chmod(path, 0755) == 0)
		return path;
	free(path);
	return NULL;
}

char *throwaway_folder(const char *parent, struct error *error)
{
	const char *places[THROWAWAY_PLACES] = { parent };
	unsigned n = parent ? 1 : throwaway_places(places);
	int cause = ENOENT;

	for (unsigned i = 0; i < n; i++) {
		char *path = folder_in(places[i]);

		if (path)
			return path;
		cause = errno;
	}
	error_set(error, EXIT_INTERNAL, "cannot make a temporary folder: %s", strerror(cause));
	error_hint(error, "name a writable place: TMPDIR=/some/folder");
	return NULL;
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *walk)
{
	(void)about;
	(void)type;
	(void)walk;
	/* What cannot be removed must not keep the rest. */
	(void)!remove(path);
	return 0;
}

void throwaway_remove(char *folder)
{
	/* No links are followed, and nothing that is mounted inside is entered. */
	if (folder)
		nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	free(folder);
}
