/* SPDX-License-Identifier: MIT */
/*
 * make_tree FOLDER ENTRIES: fills a new folder with a tree like that of an installed system:
 * folders of 10 to 30 files, a few sub-folders each, modes mixed, some links and fifos. The same
 * tree for the same number of entries. Prints how many entries it made.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEAN_FILES 20
#define DEEPEST 7 /* with the folder that it is bound to, still above the walk's ten levels */
#define MOST_FOLDERS 65536

struct folder {
	char path[128];
	unsigned depth;
};

static struct folder folders[MOST_FOLDERS];
static unsigned n_folders;
static unsigned long made;
static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

static unsigned below(unsigned bound)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 32) % bound;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/*
 * Modes of a hundred files, by kind of folder. Under /usr of a distribution about one folder in
 * seventy holds programs, and hardly a mode besides 0644 and 0755 is found; here one in thirty
 * does, and one in six holds what data and home folders do.
 */
enum kind { PLAIN, PROGRAMS, MIXED, N_KINDS };

static const struct share {
	unsigned up_to;
	mode_t mode;
} shares[N_KINDS][8] = {
	[PLAIN] = { { 99, 0644 }, { 100, 0444 } },
	[PROGRAMS] = { { 94, 0755 }, { 98, 0644 }, { 99, 04755 }, { 100, 0711 } },
	[MIXED] = { { 60, 0644 }, { 62, 0755 }, { 70, 0444 }, { 80, 0640 }, { 90, 0600 },
		    { 97, 0666 }, { 99, 0664 }, { 100, 0700 } },
};

static enum kind folder_kind(void)
{
	unsigned at = below(30);

	return at == 0 ? PROGRAMS : at <= 5 ? MIXED : PLAIN;
}

static mode_t file_mode(enum kind kind)
{
	const struct share *share = shares[kind];
	unsigned at = below(100);

	while (at >= share->up_to)
		share++;
	return share->mode;
}

static void make_file(const char *folder, enum kind kind, unsigned number)
{
	char path[192];
	mode_t mode = file_mode(kind);
	int fd;

	snprintf(path, sizeof path, "%s/file-%u.%s", folder, number, mode & 0111 ? "so" : "txt");
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || fchmod(fd, mode) != 0)
		fail(path);
	close(fd);
}

static void make_odd(const char *folder, unsigned number)
{
	char path[192];

	snprintf(path, sizeof path, "%s/odd-%u", folder, number);
	if (number % 16 ? symlink("file-0.txt", path) : mkfifo(path, 0644))
		fail(path);
}

static void make_folder(const struct folder *parent, unsigned number)
{
	struct folder *folder = &folders[n_folders];
	unsigned at = below(100);
	char path[sizeof folder->path];

	snprintf(path, sizeof path, "%.100s/d%u", parent->path, number);
	memcpy(folder->path, path, sizeof path);
	folder->depth = parent->depth + 1;
	if (mkdir(folder->path, 0755) != 0)
		fail(folder->path);
	/* One in a hundred cannot be listed; it holds nothing. One may be written. */
	if (at < 2 && chmod(folder->path, at ? 0700 : 01777) != 0)
		fail(folder->path);
	if (at != 1 && folder->depth < DEEPEST)
		n_folders++;
	made++;
}

int main(int argc, char **argv)
{
	unsigned long wanted = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	/* Every folder gets its files. */
	unsigned long enough = wanted / (MEAN_FILES + 1) + 1;

	if (wanted == 0 || enough > MOST_FOLDERS) {
		fputs("Usage: make_tree FOLDER ENTRIES\n", stderr);
		return 64;
	}
	umask(0);
	if (mkdir(argv[1], 0755) != 0)
		fail(argv[1]);
	snprintf(folders[n_folders++].path, sizeof folders->path, "%s", argv[1]);
	for (unsigned i = 0; i < n_folders; i++) {
		enum kind kind = folder_kind();
		unsigned files = 10 + below(21), below_it = 3 + below(5);

		for (unsigned k = 0; k < files; k++, made++)
			make_file(folders[i].path, kind, k);
		if (below(4) == 0) {
			make_odd(folders[i].path, i);
			made++;
		}
		for (unsigned k = 0; k < below_it && n_folders < enough; k++)
			make_folder(&folders[i], k);
	}
	printf("%lu\n", made);
	return 0;
}
