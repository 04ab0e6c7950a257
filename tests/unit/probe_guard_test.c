/* SPDX-License-Identifier: MIT */
/* Each line of the guard's contract (probe/guard.h). */
#include "probe/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/children.h"
#include "probe/trial.h"
#include "scenarios/scenario.h"

/* What main.c would fill in. */
struct options options = { .level = LEVEL_TOUCH, .timeout = 2 };

#define MILLISECOND INT64_C(1000000)
#define N_OF(array) (sizeof(array) / sizeof *(array))

static const struct guard_options plain = { .deadline_ms = 2000 };
static const struct guard_options keeping = { .keep = KEEP_DESCRIPTORS, .deadline_ms = 300 };

/* Whoever holds the far end lives; when the last has died, reading meets the end. */
static int alive[2];

static int set_up(void **state)
{
	(void)state;
	guard_prepare();
	return pipe2(alive, O_CLOEXEC);
}

static int tear_down(void **state)
{
	(void)state;
	close(alive[0]);
	close(alive[1]);
	return 0;
}

/* True when nobody but us holds the pipe within half a second. */
static bool all_have_died(void)
{
	struct pollfd event = { .fd = alive[0], .events = POLLIN };

	close(alive[1]);
	alive[1] = -1;
	return poll(&event, 1, 500) == 1 && (event.revents & POLLHUP);
}

/* A filter of our own that answers so to three forms of fork, or to getppid alone. */
static void refuse(bool forks, uint32_t action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forks ? __NR_clone : __NR_getppid, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forks ? 435 /* clone3 */ : __NR_getppid, 2, 0),
#ifdef __NR_fork
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forks ? __NR_fork : __NR_getppid, 1, 0),
#else
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forks ? __NR_clone : __NR_getppid, 1, 0),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, action),
	};
	struct sock_fprog program = { N_OF(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		end_child(99);
}

/* ---------------------------------------------------------------- what children do */

static void return_from_work(void *context)
{
	(void)context;
}

static void end_with_7(void *context)
{
	(void)context;
	end_child(7);
}

static void crash(void *context)
{
	(void)context;
	/* Not by a wild pointer: sanitizers would report that. */
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void meet_filter(void *context)
{
	(void)context;
	refuse(false, SECCOMP_RET_KILL_PROCESS);
	syscall(__NR_getppid);
}

static void hang(void *context)
{
	sigset_t all;

	(void)context;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (;;)
		pause();
}

static void leave_children(void *context)
{
	(void)context;
	for (int i = 0; i < 5; i++)
		if (fork() == 0)
			hang(NULL);
}

static void escape(void *context)
{
	(void)context;
	if (fork() != 0)
		return;
	setsid();
	if (fork() == 0)
		hang(NULL);
	end_child(0);
}

static void write_to(void *context)
{
	*(volatile int *)context = 42;
}

/* ---------------------------------------------------------------- endings */

static void an_exit_code_is_told(void **state)
{
	struct cell cell;

	(void)state;
	assert_int_equal(guard_run(&cell, &plain, return_from_work, NULL), ENDING_EXITED);
	assert_int_equal(cell.exit_code, 0);
	assert_int_equal(guard_run(&cell, &plain, end_with_7, NULL), ENDING_EXITED);
	assert_int_equal(cell.exit_code, 7);
}

static void a_crash_costs_only_itself(void **state)
{
	struct cell cell;

	(void)state;
	assert_int_equal(guard_run(&cell, &plain, crash, NULL), ENDING_SIGNALLED);
	assert_int_equal(cell.signal, SIGSEGV);
}

static void sigsys_is_told_from_other_deaths(void **state)
{
	struct cell cell;

	(void)state;
	assert_int_equal(guard_run(&cell, &plain, meet_filter, NULL), ENDING_SIGSYS);
}

static void a_deadline_ends_what_blocks_every_signal(void **state)
{
	struct cell cell;
	int64_t start = now_ns(), took;

	(void)state;
	assert_int_equal(guard_run(&cell, &keeping, hang, NULL), ENDING_DEADLINE);
	took = now_ns() - start;
	assert_true(took >= 300 * MILLISECOND && took < 1300 * MILLISECOND);
	assert_true(all_have_died());
}

static void the_group_exists_when_start_returns(void **state)
{
	struct cell cell;

	(void)state;
	assert_true(guard_start(&cell, &keeping, hang, NULL));
	assert_int_equal(getpgid(cell.pid), cell.pid);
	assert_int_equal(guard_finish(&cell), ENDING_DEADLINE);
}

/* ---------------------------------------------------------------- what it leaves */

static void its_group_ends_with_it(void **state)
{
	struct cell cell;

	(void)state;
	assert_int_equal(guard_run(&cell, &keeping, leave_children, NULL), ENDING_EXITED);
	assert_true(all_have_died());
	assert_true(guard_sweep());
}

static void who_escapes_is_found(void **state)
{
	struct cell cell;

	(void)state;
	assert_int_equal(guard_run(&cell, &keeping, escape, NULL), ENDING_EXITED);
	assert_true(guard_sweep());
	assert_true(all_have_died());
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void it_dies_with_the_probe(void **state)
{
	struct cell cell;
	pid_t probe = fork();

	(void)state;
	if (probe == 0) {
		guard_start(&cell, &(const struct guard_options){ KEEP_DESCRIPTORS, 60000, 0 },
			    hang, NULL);
		end_child(0);
	}
	assert_int_equal(waitpid(probe, NULL, 0), probe);
	assert_true(all_have_died());
	guard_sweep();
}

/* As one that waits for a word of its parent, which was killed before it could tie itself. */
static void a_late_tie_ends_the_orphan(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		tie_to_parent(getppid() + 1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

static void sigchld_ignored_on_entry_loses_nothing(void **state)
{
	struct cell cell;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	guard_prepare();
	assert_int_equal(guard_run(&cell, &plain, end_with_7, NULL), ENDING_EXITED);
	assert_int_equal(cell.exit_code, 7);
}

/* ---------------------------------------------------------------- keep */

/* What a child sees of itself; shared with us. */
struct sight {
	bool stdio_is_null, descriptor_open;
	struct rlimit core, files;
};

static int spare; /* a descriptor above 2 */

static void look(void *context)
{
	struct sight *sight = context;
	struct stat about;

	sight->stdio_is_null =
		fstat(1, &about) == 0 && S_ISCHR(about.st_mode) && about.st_rdev == makedev(1, 3);
	sight->descriptor_open = fcntl(spare, F_GETFD) >= 0;
	getrlimit(RLIMIT_CORE, &sight->core);
	getrlimit(RLIMIT_NOFILE, &sight->files);
}

static struct sight sight_with(unsigned keep)
{
	struct sight *shared = shared_memory(sizeof *shared), seen;
	struct cell cell;
	const struct guard_options guard = { .keep = keep, .deadline_ms = 2000 };

	assert_non_null(shared);
	spare = alive[0];
	assert_int_equal(guard_run(&cell, &guard, look, shared), ENDING_EXITED);
	seen = *shared;
	return seen;
}

static void nothing_is_kept_by_default(void **state)
{
	struct sight sight = sight_with(0);

	(void)state;
	assert_true(sight.stdio_is_null);
	assert_false(sight.descriptor_open);
	assert_int_equal(sight.core.rlim_cur, 0);
	assert_true(sight.files.rlim_cur <= 1024);
}

static void what_is_to_be_kept_is_kept(void **state)
{
	struct sight sight = sight_with(KEEP_STDIO | KEEP_DESCRIPTORS | KEEP_LIMITS);
	struct rlimit core, files;
	struct stat own;
	bool own_is_null =
		fstat(1, &own) == 0 && S_ISCHR(own.st_mode) && own.st_rdev == makedev(1, 3);

	(void)state;
	getrlimit(RLIMIT_CORE, &core);
	getrlimit(RLIMIT_NOFILE, &files);
	assert_int_equal(sight.stdio_is_null, own_is_null);
	assert_true(sight.descriptor_open);
	assert_true(sight.core.rlim_cur == core.rlim_cur);
	assert_true(sight.files.rlim_cur == files.rlim_cur);
}

/* ---------------------------------------------------------------- fork refused, memory */

/* In a process of its own, because a filter stays. Returns its exit code: 0 is as it should be. */
static int start_without_fork(int error)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		struct cell cell;

		refuse(true, SECCOMP_RET_ERRNO | (unsigned)error);
		if (guard_start(&cell, &plain, return_from_work, NULL))
			end_child(1);
		if (cell.fork_error != error)
			end_child(2);
		end_child(guard_finish(&cell) == ENDING_NOT_STARTED ? 0 : 3);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void fork_refused_in_every_form_is_said(void **state)
{
	(void)state;
	assert_int_equal(start_without_fork(EPERM), 0);
	assert_int_equal(start_without_fork(ENOSYS), 0);
	assert_int_equal(start_without_fork(EAGAIN), 0);
}

static void memory_is_shared_until_sealed(void **state)
{
	int *shared = shared_memory(sizeof *shared);
	struct cell cell;

	(void)state;
	assert_non_null(shared);
	assert_int_equal(*shared, 0);
	assert_int_equal(guard_run(&cell, &plain, write_to, shared), ENDING_EXITED);
	assert_int_equal(*shared, 42);
	seal_memory(shared, sizeof *shared);
	assert_int_equal(*shared, 42);
}

#define GUARD_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		GUARD_TEST(an_exit_code_is_told),
		GUARD_TEST(a_crash_costs_only_itself),
		GUARD_TEST(sigsys_is_told_from_other_deaths),
		GUARD_TEST(a_deadline_ends_what_blocks_every_signal),
		GUARD_TEST(the_group_exists_when_start_returns),
		GUARD_TEST(its_group_ends_with_it),
		GUARD_TEST(who_escapes_is_found),
		GUARD_TEST(it_dies_with_the_probe),
		GUARD_TEST(a_late_tie_ends_the_orphan),
		GUARD_TEST(sigchld_ignored_on_entry_loses_nothing),
		GUARD_TEST(nothing_is_kept_by_default),
		GUARD_TEST(what_is_to_be_kept_is_kept),
		GUARD_TEST(fork_refused_in_every_form_is_said),
		GUARD_TEST(memory_is_shared_until_sealed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
