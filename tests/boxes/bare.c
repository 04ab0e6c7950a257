/* SPDX-License-Identifier: MIT */
/*
 * bare PROGRAM [ARGUMENT…]: starts a program with no argv at all (the kernel may put one empty
 * word there), an empty environment, and SIGCHLD ignored, as a careless launcher might. With
 * arguments argv[0] is an empty word, because the kernel counts from there.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *nothing[] = { NULL };
	char nameless[] = "";
	const char *program = argc > 1 ? argv[1] : "";

	signal(SIGCHLD, SIG_IGN);
	if (argc > 2) {
		argv[1] = nameless;
		execve(program, argv + 1, nothing);
	} else {
		execve(program, nothing, nothing);
	}
	perror(program);
	return 126;
}
