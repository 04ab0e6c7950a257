/* SPDX-License-Identifier: MIT */
/*
 * mapped FIRST COMMAND…: runs a command as root of a user namespace in which 65,536 ids are mapped,
 * FIRST and those after it outside: as engines do for accounts. Files of others, the host's root
 * among them, then seem to belong to an id that is mapped, too. For root alone.
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_map(pid_t pid, const char *name, long first)
{
	char path[64], map[64];
	int fd, n = snprintf(map, sizeof map, "0 %ld 65536\n", first);
	ssize_t written;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	written = fd < 0 ? -1 : write(fd, map, (size_t)n);
	if (written != n)
		perror(path);
	close(fd);
	return written == n ? 0 : -1;
}

static int become_root(int ready, int mapped)
{
	char byte = 0;

	if (unshare(CLONE_NEWUSER) < 0 || write(ready, &byte, 1) != 1 || read(mapped, &byte, 1) != 1)
		return -1;
	return setgroups(0, NULL) < 0 || setresgid(0, 0, 0) < 0 ? -1 : setresuid(0, 0, 0);
}

int main(int argc, char **argv)
{
	int ready[2], mapped[2], status = 0;
	char byte = 0;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: mapped FIRST COMMAND...\n");
		return 64;
	}
	if (pipe2(ready, O_CLOEXEC) < 0 || pipe2(mapped, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		perror("mapped");
		return 77;
	}
	if (pid == 0) {
		close(ready[0]);
		close(mapped[1]);
		if (become_root(ready[1], mapped[0]) < 0) {
			perror("mapped: no user namespace");
			return 77;
		}
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		return 127;
	}
	close(ready[1]);
	close(mapped[0]);
	if (read(ready[0], &byte, 1) == 1 && write_map(pid, "uid_map", atol(argv[1])) == 0 &&
	    write_map(pid, "gid_map", atol(argv[1])) == 0)
		status = write(mapped[1], &byte, 1) != 1;
	close(mapped[1]);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 126;
	return WEXITSTATUS(status);
}
