/* SPDX-License-Identifier: MIT */
/*
 * keys N COMMAND…: runs a command in a new session keyring that holds N keys. Ring and keys go with
 * the last process of the command, and other processes of the account see nothing of them.
 */
#include <linux/keyctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POSSESSOR_ONLY 0x3f000000

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: keys N COMMAND...\n");
		return 64;
	}
	if (syscall(__NR_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0) {
		perror("keys: no session keyring");
		return 77;
	}
	for (int i = 0; i < atoi(argv[1]); i++) {
		char name[32];
		long key;

		snprintf(name, sizeof name, "sandboxeval:dummy-%d", i);
		key = syscall(__NR_add_key, "user", name, "dummy", 5, KEY_SPEC_SESSION_KEYRING);
		if (key < 0 || syscall(__NR_keyctl, KEYCTL_SETPERM, key, POSSESSOR_ONLY) < 0) {
			perror("keys: no key");
			return 77;
		}
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
