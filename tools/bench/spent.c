/* SPDX-License-Identifier: MIT */
/*
 * spent COMMAND [ARGUMENT...]: runs a command and writes what it took as the last line of standard
 * error: seconds by the clock, processor seconds as user and as kernel, its exit status. Measured
 * from within a box, the box's own start and end are left out.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start;
	pid_t pid;
	int status = 0;

	if (argc < 2) {
		fputs("Usage: spent COMMAND [ARGUMENT...]\n", stderr);
		return 64;
	}
	start = now();
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 70;
	start = now() - start;
	getrusage(RUSAGE_CHILDREN, &usage);
	fprintf(stderr, "\n%.6f %.6f %.6f %d\n", start, seconds(usage.ru_utime),
		seconds(usage.ru_stime),
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
