/* SPDX-License-Identifier: MIT */
/*
 * Stands in the probe's place in a second host program, so that every launcher starts the
 * cross-check's script in the very sandbox in which it starts the probe. The script and its
 * interpreter lie in /cross where the sandbox has a root of its own, else in the build folder, else
 * in the home folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS_MOST = 64, OWN_WORDS = 9 };

int main(int n, char *words[])
{
	char home[256];
	const char *folders[] = { "/cross", BUNDLE, home };
	char loader[512], libraries[512], python[512], script[512];
	const char *argv[WORDS_MOST + OWN_WORDS + 1] = { loader, "--library-path", libraries,
							 "--argv0", python, python, "-ISB", script };

	snprintf(home, sizeof home, "%s/cross", getenv("HOME") ? getenv("HOME") : "");
	for (int i = 1; i < n && i < WORDS_MOST; i++)
		argv[OWN_WORDS - 2 + i] = words[i];
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(loader, sizeof loader, "%s/loader", folders[i]);
		snprintf(libraries, sizeof libraries, "%s/libraries", folders[i]);
		snprintf(python, sizeof python, "%s/bin/python3", folders[i]);
		snprintf(script, sizeof script, "%s/main.py", folders[i]);
		execv(loader, (char *const *)argv);
	}
	perror(loader);
	return 77;
}
