/* SPDX-License-Identifier: MIT */
/*
 * make_filter ACTION CALL…: writes a system-call filter to standard output, as bubblewrap's
 * --seccomp takes it. It lets everything pass but the calls named, for which ACTION is the answer:
 * kill, thread (kills it alone), trap, notify, trace, log, or an errno by name or number. A call is a name, or a number where the
 * library is older than the call. CALL@I&MASK=VALUE: only when argument I, masked, is that value:
 * "openat@2&3=1" is openat for writing only. CALL@I=VALUE compares all 64 bits, CALL@I>VALUE asks for
 * more; of several conditions, CALL@…@…, all must hold, each of another argument. ACTION! is the answer
 * to every call but those named.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Newer than the oldest library that is in use. */
static const struct {
	const char *name;
	int nr;
} newer[] = {
	{ "cachestat", 451 },      { "fchmodat2", 452 },   { "statmount", 457 },
	{ "listmount", 458 },      { "mseal", 462 },       { "setxattrat", 463 },
	{ "getxattrat", 464 },     { "listxattrat", 465 }, { "removexattrat", 466 },
	{ "open_tree_attr", 467 },
};

static int call_number(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);
	int nr = seccomp_syscall_resolve_name(name);

	if (*name && !*end)
		return (int)number;
	if (nr != __NR_SCMP_ERROR)
		return nr;
	for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
		if (strcmp(newer[i].name, name) == 0)
			return newer[i].nr;
	fprintf(stderr, "make_filter: no such call: %s\n", name);
	exit(64);
}

static uint32_t action_named(const char *name)
{
	static const struct {
		const char *name;
		uint32_t action;
	} actions[] = {
		{ "kill", SCMP_ACT_KILL_PROCESS },    { "trap", SCMP_ACT_TRAP },
		{ "notify", SCMP_ACT_NOTIFY },        { "log", SCMP_ACT_LOG },
		{ "trace", SCMP_ACT_TRACE(0) },       { "thread", SCMP_ACT_KILL_THREAD },
		{ "EPERM", SCMP_ACT_ERRNO(EPERM) },   { "ENOSYS", SCMP_ACT_ERRNO(ENOSYS) },
		{ "EACCES", SCMP_ACT_ERRNO(EACCES) }, { "EAGAIN", SCMP_ACT_ERRNO(EAGAIN) },
	};
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (strcmp(actions[i].name, name) == 0)
			return actions[i].action;
	if (!*name || *end || number > 4095) {
		fprintf(stderr, "make_filter: no such action: %s\n", name);
		exit(64);
	}
	return SCMP_ACT_ERRNO(number);
}

static void refuse(const char *condition)
{
	fprintf(stderr, "make_filter: not I&MASK=VALUE, I=VALUE or I>VALUE: %s\n", condition);
	exit(64);
}

static struct scmp_arg_cmp condition_of(const char *text)
{
	unsigned long long mask, value;
	unsigned index;
	int end = 0;

	if (sscanf(text, "%u&%llu=%llu%n", &index, &mask, &value, &end) == 3 && !text[end] &&
	    index < 6)
		return SCMP_CMP(index, SCMP_CMP_MASKED_EQ, mask, value);
	if (sscanf(text, "%u=%llu%n", &index, &value, &end) == 2 && !text[end] && index < 6)
		return SCMP_CMP(index, SCMP_CMP_EQ, value);
	if (sscanf(text, "%u>%llu%n", &index, &value, &end) == 2 && !text[end] && index < 6)
		return SCMP_CMP(index, SCMP_CMP_GT, value);
	refuse(text);
	return (struct scmp_arg_cmp){ 0 };
}

/* One rule; `word` is cut at each "@". */
static int add_rule(scmp_filter_ctx filter, uint32_t action, char *word)
{
	struct scmp_arg_cmp conditions[6];
	unsigned n = 0;
	char *next = strchr(word, '@');

	while (next && n < 6) {
		char *condition = next + 1;

		*next = '\0';
		next = strchr(condition, '@');
		if (next)
			*next = '\0';
		conditions[n++] = condition_of(condition);
	}
	return seccomp_rule_add_array(filter, action, call_number(word), n, conditions);
}

int main(int argc, char **argv)
{
	scmp_filter_ctx filter;
	uint32_t action, others = SCMP_ACT_ALLOW;
	char *mark;
	int error;

	if (argc < 3) {
		fprintf(stderr, "usage: make_filter ACTION[!] CALL...\n");
		return 64;
	}
	mark = strchr(argv[1], '!');
	if (mark)
		*mark = '\0';
	action = action_named(argv[1]);
	if (mark) {
		others = action;
		action = SCMP_ACT_ALLOW;
	}
	filter = seccomp_init(others);
	error = filter ? 0 : -ENOMEM;
	for (int i = 2; i < argc && error == 0; i++)
		error = add_rule(filter, action, argv[i]);
	if (error == 0)
		error = seccomp_export_bpf(filter, STDOUT_FILENO);
	if (error != 0) {
		fprintf(stderr, "make_filter: %s\n", strerror(-error));
		return EXIT_FAILURE;
	}
	seccomp_release(filter);
	return EXIT_SUCCESS;
}
