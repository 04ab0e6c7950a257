/* SPDX-License-Identifier: MIT */
/*
 * Socket files that are none of those the other scenarios know: databases, language servers, the
 * harness that started this code, whatever else listens at a path that can be seen from here.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "database", "/run/postgresql/.s.PGSQL.5432|/run/mysqld/mysqld.sock|.s.PGSQL.*|"
	  "mysqld.sock|mysqlx.sock|mysql.sock|mysqld*.sock|mariadb*.sock|redis*.sock|valkey*.sock|"
	  "mongodb-*.sock|memcached.sock", 0, 0, 0 },
	{ "editor", "vscode-*.sock|vscode-*|code-*.sock|*language*server*|*lsp*.sock|nvim*|"
	  "nvim*/0|emacs*/server|jetbrains*", 0, 0, 0 },
	{ "debugger", "gdbserver*|*debugpy*|*node-inspect*|chrome*/SingletonSocket|"
	  "*/SingletonSocket", 0, 0, 0 },
	{ "terminal", "tmux-*/*|screen/*/*|screens/*/*|uscreens/*/*|zellij*/*/*|kitty*|abduco/*|"
	  "dtach*", 0, 0, 0 },
	{ "other", "*", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_sockets(trial);
}

const struct scenario scenario_socket_other_path = {
	.about = ABOUT(
		.title = "Reach other socket files",
		.accessed = "Code in the sandbox can connect to socket files of other programs.",
		.denied = "Code in the sandbox cannot connect to socket files of other programs.",
		.why = "Behind a socket is a program with rights of its own that believes its "
		       "clients to be friends: databases without a password, terminals, editors, "
		       "the harness itself.",
		.see = "T1559",
		.open = "B +listener:$D/run/some.sock --ro-bind $D/run/some.sock /run/some.sock",
		.closed = "B --ro-bind $D/none /run",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.views = VIEW_SOCKETS,
	.fix = FIX(SOCK),
	CASES(cases),
	.attempt = attempt,
};
