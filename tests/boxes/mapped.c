/* SPDX-License-Identifier: MIT */
/*
 * mapped FIRST COUNT COMMAND…: runs a command as root of a user namespace in which COUNT ids are
 * mapped, FIRST and those after it outside. With 65,536, as engines do for accounts, files of others,
 * the host's root among them, seem to belong to an id that is mapped, too. For root alone.
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_map(pid_t pid, const char *name, char **words)
{
	char path[64], map[64];
	int fd, n = snprintf(map, sizeof map, "0 %s %s\n", words[0], words[1]);
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

	if (argc < 4) {
		fprintf(stderr, "usage: mapped FIRST COUNT COMMAND...\n");
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
		execvp(argv[3], argv + 3);
		perror(argv[3]);
		return 127;
	}
	close(ready[1]);
	close(mapped[0]);
	if (read(ready[0], &byte, 1) == 1 && write_map(pid, "uid_map", argv + 1) == 0 &&
	    write_map(pid, "gid_map", argv + 1) == 0)
		status = write(mapped[1], &byte, 1) != 1;
	close(mapped[1]);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 126;
	return WEXITSTATUS(status);
}
