/* SPDX-License-Identifier: MIT */
/*
 * with_memory COMMAND…: runs a command while a segment of System V shared memory is there, marked
 * to go with this process however it ends. The exit status is the command's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600), status = 0;
	pid_t child;

	if (argc < 2 || id < 0 || shmat(id, NULL, 0) == (void *)-1 ||
	    shmctl(id, IPC_RMID, NULL) < 0) {
		fprintf(stderr, "with_memory: %s\n",
			argc < 2 ? "COMMAND is missing" : strerror(errno));
		return 70;
	}
	child = fork();
	if (child == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 70;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
