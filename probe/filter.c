/* SPDX-License-Identifier: MIT */
/*
 * K1, the filter oracle. In a throw-away child we stack a filter of our own that lets everything
 * pass but calls whose sixth argument is a cookie; for those it says USER_NOTIF. A second process,
 * forked before the filter and sharing the descriptor table, holds the listener and answers with
 * a value that no filter can return: filters know errnos only. Of all filters the strictest action
 * wins (KILL > TRAP > ERRNO > USER_NOTIF > TRACE):
 *
 *	that value came back   no outer filter refuses the call
 *	an errno, 0 too        the outer filter's own answer
 *	SIGSYS handled         the outer filter traps
 *	the child died of it   the outer filter kills
 *
 * The call never reaches the kernel, so dangerous calls may be asked. The cookie stands in an
 * argument that nearly no call has, so our own calls pass and any call can be asked with one
 * filter of eight instructions.
 *
 * Where the listener is refused (EBUSY: an outer notify agent has one; EINVAL: emulated kernels),
 * the filter says TRACE instead; with no tracer that is ENOSYS: "would pass". This form cannot
 * see an outer ENOSYS, and an outer notify agent receives the call, so it is asked only with the
 * harmless arguments of the attempt and only in the trial that needs it.
 *
 * An outer TRACE without a tracer, or USER_NOTIF without an agent, makes the call ENOSYS, and our own
 * filter covers it. A third form shows it: an action that no kernel knows kills, is stricter than
 * letting pass, and weaker than those two. It costs a death, which the kernel may log, and is asked
 * only about what met ENOSYS, and once whether the filter treats so what it does not know: only then
 * about all that passes.
 *
 * A death costs a process. So after the first one the questions are asked by workers, children of
 * the asking process that inherit its filter and its helper: that is one fork a death, and no more
 * than a bounded number of them. What was not asked by then is not told.
 */
#include "probe/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "probe/abi.h"
#include "probe/attempts.h"
#include "probe/children.h"
#include "probe/guard.h"
#include "probe/origin.h"
#include "probe/raw.h"
#include "probe/trial.h"

#define COOKIE UINT64_C(0x5a6bc1e77d03f29e)
#define ANSWER_VALUE INT64_C(0x3a7e51c0d9b2)
#define VIEW_QUESTIONS 1024
/* Between SECCOMP_RET_TRACE and SECCOMP_RET_LOG; the kernel kills for what it does not know. */
#define NO_ACTION 0x7ff80000
/* No errno of these calls. */
#define FEIGNED ENOTRECOVERABLE
#define LETHAL_CALLS 32
/* Deaths that a session may cost; some 0.2 ms each. */
#define VIEW_DEATHS 256
#define NUMBER_DEATHS 32

struct reply {
	uint8_t answer; /* enum answer; NOT_TOLD until told */
	int16_t error;
};

/* What the asking child and the probe share. */
struct session {
	volatile int32_t listener;  /* descriptor, -1: not yet, -2: none will come */
	volatile int32_t installed; /* 1: listener form, 2: trace form, < 0: errno */
	volatile int32_t answerer;  /* 1: receives; -1: could not */
	volatile uint32_t next;     /* question being asked */
	volatile int32_t trapped;
	uint32_t n;
	volatile uint32_t deaths;
	uint32_t most_deaths;
	bool want_listener;
	bool listener_only; /* what is asked must reach nobody else */
	uint32_t action;    /* of our filter without a listener; 0: TRACE */
	bool by_workers;
	struct question questions[VIEW_QUESTIONS];
	struct reply replies[VIEW_QUESTIONS];
};

static struct session *view;    /* the answers made once */
static struct session *private; /* of the probe itself */
static struct session *numbers; /* the answers to every number there is, if they were asked for */
static enum oracle oracle = ORACLE_UNTRIED;
static bool default_hides; /* see filter_hides(): whatever has no rule of its own */
/* Survives the trials that died: shared, one word a call. */
static volatile long *lethal;

const char *oracle_name(enum oracle which)
{
	static const char *const names[] = {
		[ORACLE_UNTRIED] = "untried",       [ORACLE_LISTENER] = "listener",
		[ORACLE_TRACE] = "trace",           [ORACLE_SUPERVISED] = "supervised",
		[ORACLE_NO_FILTER] = "no-filter",   [ORACLE_TRACED] = "traced",
		[ORACLE_BROKEN] = "broken",
	};

	return names[which];
}

enum oracle filter_oracle(void)
{
	return oracle;
}

bool filter_tells_enosys(void)
{
	/* Emulated kernels know no listener; where the process has no filter none can feign. */
	return oracle == ORACLE_LISTENER || oracle == ORACLE_NO_FILTER ||
	       (oracle == ORACLE_TRACE && origin()->seccomp_mode == 0);
}

/* ---------------------------------------------------------------- the asking child */

static struct session *asking;

static void note_trap(int signal)
{
	(void)signal;
	asking->trapped = 1;
}

/* Answers every notification with our value. Ends with its parent, or by the guard. */
static void answer_notifications(struct session *session, long parent)
{
	struct seccomp_notif request;
	struct seccomp_notif_resp response;

	tie_to_parent(parent);
	/* Refused or not: the loop looks again, and the call only saves the processor. */
	while (session->listener == -1)
		if (raw(__NR_futex, &session->listener, FUTEX_WAIT, -1, NULL) < 0)
			raw(__NR_sched_yield);
	if (session->listener < 0)
		end_child(0);
	session->answerer = 1;
	for (;;) {
		long got;

		memset(&request, 0, sizeof request);
		got = raw(__NR_ioctl, session->listener, SECCOMP_IOCTL_NOTIF_RECV, &request);
		if (got == -EINTR || got == -ENOENT)
			continue;
		if (got < 0)
			break;
		memset(&response, 0, sizeof response);
		response.id = request.id;
		response.val = ANSWER_VALUE;
		if (raw(__NR_ioctl, session->listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0 &&
		    request.id == 0)
			break;
	}
	/* Without a listener the kernel answers ENOSYS: as in the trace form. */
	session->answerer = -1;
	raw(__NR_close, session->listener);
	end_child(0);
}

/* Little-endian machines only: the low word of the sixth argument comes first. */
static long install_filter(uint32_t action, unsigned flags)
{
	enum { SIXTH = offsetof(struct seccomp_data, args) + 5 * sizeof(uint64_t) };
	struct sock_filter code[] = {
		/* The handler of a trap comes back with the cookie still in its register. */
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_rt_sigreturn, 5, 0),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SIXTH),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)COOKIE, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SIXTH + 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(COOKIE >> 32), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };
	long got = raw(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);

	if (got < 0 && flags == 0)
		got = raw(__NR_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	return got;
}

/* The asking child's helper, which has the listener. */
static long helper;

/* Left to others it might be seen, for a moment, as a foreign process. */
static void end_helper(void)
{
	if (helper > 0 && raw(__NR_kill, helper, SIGKILL) == 0)
		raw(__NR_wait4, helper, NULL, __WALL, NULL);
}

/* A child that shares our descriptors. Where a filter refuses clone, its younger form may pass. */
static long fork_helper(void)
{
	uint64_t request[8] = { [0] = CLONE_FILES, [4] = SIGCHLD }; /* struct clone_args */
	long pid = raw(__NR_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0 && pid != -EAGAIN && pid != -ENOMEM)
		pid = raw(__NR_clone3, request, sizeof request);
	return pid;
}

/* Returns 1 (listener), 2 (trace) or a negative errno. */
static int32_t install_form(struct session *session)
{
	long got;

	raw(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* Whoever collects memory of the dead is not called: a bound of zero holds for files alone. */
	if (session->action)
		raw(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (session->want_listener) {
		/* The helper shares our descriptors, and came before the filter. */
		long self = own_number();

		helper = fork_helper();
		if (helper == 0)
			answer_notifications(session, self);
		if (helper > 0) {
			got = install_filter(SECCOMP_RET_USER_NOTIF,
					     SECCOMP_FILTER_FLAG_NEW_LISTENER);
			session->listener = got >= 0 ? (int32_t)got : -2;
			raw(__NR_futex, &session->listener, FUTEX_WAKE, 1, NULL);
			if (got >= 0)
				return 1;
			if (got != -EINVAL && got != -ENOSYS && got != -EPERM && got != -EACCES)
				return (int32_t)got;
		}
	}
	got = install_filter(session->action ? session->action : SECCOMP_RET_TRACE, 0);
	return got < 0 ? (int32_t)got : 2;
}

static void judge(struct session *session, struct reply *reply, long got)
{
	bool listening = session->installed == 1 && session->answerer >= 0;

	reply->error = got < 0 ? (int16_t)-got : 0;
	if (session->trapped)
		reply->answer = ANSWER_TRAPPED;
	else if (got == ANSWER_VALUE || (!listening && got == -ENOSYS))
		reply->answer = ANSWER_PASSES;
	else
		reply->answer = ANSWER_REFUSED; /* errno 0 counts: a filter may feign success */
}

static void ask_rest(struct session *session)
{
	long self = own_number();

	for (uint32_t i = session->next; i < session->n; i = ++session->next) {
		const struct question *q = &session->questions[i];
		long got;

		session->trapped = 0;
		got = raw6_now(q->nr, q->args[0], q->args[1], q->args[2], q->args[3], q->args[4],
			       COOKIE);
		/* An outer notify agent may have let a clone through: its child must not go on. */
		if (own_number() != self)
			end_child(0);
		judge(session, &session->replies[i], got);
	}
}

/*
 * Somebody may say that our filter stands, and there is none: each question would be the call itself.
 * Only a call that is made tells us our number, unless an agent has it made.
 */
static bool is_feigned(struct session *session)
{
	long self = own_number();

	if (session->action || oracle == ORACLE_SUPERVISED)
		return false;
	session->trapped = 0;
	return RAW_6(__NR_getpid, 0, 0, 0, 0, 0, COOKIE) == self && !session->trapped;
}

/* A worker has our filter, and its questions go to our helper. */
static void ask_by_workers(struct session *session)
{
	while (session->next < session->n && session->deaths < session->most_deaths) {
		long got, pid = fork_any_form();
		int status = 0;

		if (pid == 0) {
			ask_rest(session);
			end_child(0);
		}
		if (pid < 0) {
			ask_rest(session);
			return;
		}
		do
			got = raw(__NR_wait4, pid, &status, __WALL, NULL);
		while (got == -EINTR);
		if (got != pid || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
			return;
		session->replies[session->next++].answer = ANSWER_KILLED;
		session->deaths++;
	}
}

static void ask_all(void *context)
{
	struct session *session = context;
	struct sigaction trap = { .sa_handler = note_trap };

	asking = session;
	sigaction(SIGSYS, &trap, NULL);
	helper = 0;
	session->installed = install_form(session);
	if (session->installed > 0 && is_feigned(session))
		session->installed = -FEIGNED;
	if (session->installed < 0 || (session->listener_only && session->installed != 1))
		session->next = session->n;
	else if (session->by_workers)
		ask_by_workers(session);
	else
		ask_rest(session);
	end_helper();
}

/* ---------------------------------------------------------------- the probe's side */

/*
 * Runs sessions until every question has its answer, or too many of them killed: one that kills
 * the child is noted and the rest asked by a new child. Returns the form used, or a negative errno.
 */
static int32_t ask_session(struct session *session, bool want_listener, uint32_t most_deaths)
{
	const struct guard_options guard = { .keep = 0, .deadline_ms = 1000 };

	session->next = session->deaths = 0;
	session->most_deaths = most_deaths;
	session->want_listener = want_listener;
	session->by_workers = false;
	for (uint32_t i = 0; i < session->n; i++)
		session->replies[i] = (struct reply){ ANSWER_NOT_TOLD, 0 };
	for (;;) {
		struct cell cell;
		enum ending ending;

		session->listener = -1;
		session->installed = -EAGAIN;
		session->answerer = 0;
		ending = guard_run(&cell, &guard, ask_all, session);
		if (ending == ENDING_NOT_STARTED)
			return -cell.fork_error;
		if (ending == ENDING_EXITED || session->installed < 0)
			return session->installed;
		/* Helper unable to receive (its ioctl kills or hangs): ask in the other form. */
		if (ending == ENDING_DEADLINE && session->want_listener) {
			session->want_listener = false;
			continue;
		}
		if (ending != ENDING_SIGSYS || session->next >= session->n)
			return -EIO;
		session->replies[session->next++].answer = ANSWER_KILLED;
		session->by_workers = true;
		if (++session->deaths >= most_deaths)
			return session->installed;
	}
}

static void seek_tracer(void *context)
{
	/* EPERM: a child of a traced process is traced already. Leaves no trace: it ends here. */
	*(volatile int32_t *)context = raw(__NR_ptrace, PTRACE_TRACEME, 0, 0, 0) == -EPERM;
}

/* The beginning of a file of /proc, terminated; false: not to be read. */
static bool read_start(const char *path, char *text, size_t size)
{
	long fd = raw(__NR_openat, AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	long n = fd >= 0 ? raw(__NR_read, fd, text, size - 1) : -1;

	close_fd((int)fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* TracerPid of /proc/self/status, where it can be read: zero too for a tracer in an outer pid
 * namespace, so it proves presence only. */
static bool status_names_tracer(void)
{
	char status[4096], *line;

	if (!read_start("/proc/self/status", status, sizeof status))
		return false;
	line = strstr(status, "\nTracerPid:\t");
	return line && line[sizeof "\nTracerPid:\t" - 1] != '0';
}

/* Yama refuses everybody at 3, and at 2 all without a capability: that shows no tracer. */
static bool yama_refuses(void)
{
	char scope[8];

	if (!read_start("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope))
		return false;
	return scope[0] > '2' || (scope[0] == '2' && !has_capability(CAP_SYS_PTRACE));
}

/* By a tracer, or by a filter with the same errno: the view will tell which. */
static bool trace_me_is_refused(void)
{
	const struct guard_options guard = { .deadline_ms = 1000 };
	struct cell cell;

	private->trapped = 0;
	guard_run(&cell, &guard, seek_tracer, (void *)&private->trapped);
	return private->trapped;
}

static void add_question(struct session *session, const struct question *question)
{
	for (uint32_t i = 0; i < session->n; i++)
		if (memcmp(&session->questions[i], question, sizeof *question) == 0)
			return;
	if (session->n < VIEW_QUESTIONS)
		session->questions[session->n++] = *question;
}

static void collect_questions(const bool selected[])
{
	static struct question usual[256];
	unsigned n = usual_questions(usual, sizeof usual / sizeof *usual);

	add_question(view, &(const struct question){ __NR_ptrace, { PTRACE_TRACEME } });
	add_question(view, &(const struct question){ __NR_getpid, { 0 } });
	add_question(view, &(const struct question){ NUMBER_FAR, { 0 } });
	add_question(view, &(const struct question){ __NR_prctl, { PR_GET_SECCOMP } });
	for (unsigned i = 0; i < n; i++)
		add_question(view, &usual[i]);
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario *scenario = scenario_registry[i].scenario;

		for (unsigned k = 0; selected[i] && k < scenario->n_asks; k++)
			add_question(view, &asks_of(scenario)[k]);
	}
}

static const struct reply *known_reply(const struct session *session, long nr,
				       const unsigned long args[6])
{
	for (uint32_t i = 0; i < session->n; i++)
		if (session->questions[i].nr == nr &&
		    memcmp(session->questions[i].args, args, 5 * sizeof *args) == 0)
			return &session->replies[i];
	return NULL;
}

static bool trace_me_passes(void)
{
	static const unsigned long args[6] = { PTRACE_TRACEME };
	const struct reply *reply = known_reply(view, __NR_ptrace, args);

	return reply && reply->answer == ANSWER_PASSES;
}

/*
 * A call that is let through when we make it and refused when we ask: no filter can tell the two
 * apart, so a tracer answers in the place of our own filter.
 */
static bool somebody_answers_for_us(void)
{
	static const unsigned long none[6];
	const struct reply *reply = known_reply(view, __NR_getpid, none);

	return reply && reply->answer == ANSWER_REFUSED && raw(__NR_getpid) > 0;
}

/* How the oracle works here; asks the view's questions where that is harmless. */
static enum oracle try_oracle(void)
{
	const char *off = fact_value("filter");
	bool refused;
	int32_t form;

	if (!view || !private || !lethal || (off && strcmp(off, "off") == 0))
		return ORACLE_BROKEN;
	if (status_names_tracer()) {
		origin_mark_traced();
		return ORACLE_TRACED;
	}
	refused = trace_me_is_refused() && !yama_refuses();
	form = ask_session(view, true, VIEW_DEATHS);
	if (form > 0 && ((refused && trace_me_passes()) || somebody_answers_for_us())) {
		origin_mark_traced();
		return ORACLE_TRACED;
	}
	if (form == 1)
		return view->answerer < 0 ? ORACLE_TRACE : ORACLE_LISTENER;
	if (form == 2)
		return ORACLE_TRACE;
	if (form == -EBUSY)
		return ORACLE_SUPERVISED;
	return origin()->seccomp_mode == 0 && form != -FEIGNED ? ORACLE_NO_FILTER : ORACLE_BROKEN;
}

/* The process says that it has no filter, and no filter says so in the kernel's place. */
static bool no_filter(void)
{
	static const unsigned long args[6] = { PR_GET_SECCOMP };
	const struct reply *reply = known_reply(view, __NR_prctl, args);

	return origin()->seccomp_mode == 0 && reply && reply->answer == ANSWER_PASSES;
}

static bool numbers_are_wanted(const bool selected[])
{
	for (unsigned i = 0; i < scenario_registry_count; i++)
		if (selected[i] && (scenario_registry[i].scenario->views & VIEW_NUMBERS))
			return true;
	return false;
}

/*
 * Calls that our own filter does not answer for, so that they would be made: it lets rt_sigreturn
 * pass, and the kernel asks no filter about those that serve its own probes (Linux 6.12), of which
 * one kills whoever makes it.
 */
bool filter_never_asks(unsigned nr)
{
#ifdef __x86_64__
	enum { URETPROBE = 335, UPROBE };

	if (nr == URETPROBE || nr == UPROBE)
		return true;
#endif
	return nr == __NR_rt_sigreturn;
}

/*
 * Asks about every number. Only in the listener's form: no outer notify agent hears of it there,
 * and an outer ENOSYS is seen.
 */
static void ask_numbers(void)
{
	numbers = shared_memory(sizeof *numbers);
	if (!numbers)
		return;
	for (unsigned nr = 0; nr <= NUMBERS_LAST; nr++)
		if (!filter_never_asks(nr))
			numbers->questions[numbers->n++].nr = nr;
	numbers->listener_only = true;
	if (ask_session(numbers, true, NUMBER_DEATHS) != 1 || numbers->answerer < 0)
		for (uint32_t i = 0; i < numbers->n; i++)
			numbers->replies[i].answer = ANSWER_NOT_TOLD;
	seal_memory(numbers, sizeof *numbers);
}

enum answer ask_number(unsigned nr, int *ret_error)
{
	*ret_error = 0;
	if (filter_never_asks(nr))
		return ANSWER_NOT_TOLD;
	if (oracle == ORACLE_NO_FILTER ||
	    ((oracle == ORACLE_LISTENER || oracle == ORACLE_TRACE) && no_filter()))
		return ANSWER_PASSES;
	for (uint32_t i = 0; numbers && i < numbers->n; i++) {
		if (numbers->questions[i].nr != nr)
			continue;
		*ret_error = numbers->replies[i].error;
		return (enum answer)numbers->replies[i].answer;
	}
	return ANSWER_NOT_TOLD;
}

/* Each process asks on a page of its own: trials that overlap must not mix their answers. */
static struct session *own_session(void)
{
	static struct session *own;
	static long owner = -1;
	long self = own_number();

	if (owner != self) {
		own = shared_memory(sizeof *own);
		owner = self;
	}
	return own;
}

/* The third form: KILLED is what passes, PASSES what is ENOSYS to it. */
static void ask_by_deaths(struct session *session)
{
	session->action = NO_ACTION;
	ask_session(session, false, VIEW_QUESTIONS);
	session->action = 0;
}

static enum answer ask_by_death(long nr)
{
	struct session *own = own_session();

	if (origin()->seccomp_mode == 0 || nr < 0 || !own)
		return ANSWER_NOT_TOLD;
	own->n = 1;
	own->questions[0] = (struct question){ .nr = nr };
	ask_by_deaths(own);
	return own->replies[0].answer;
}

bool filter_hides(long nr)
{
	return oracle == ORACLE_LISTENER && ask_by_death(nr) == ANSWER_PASSES;
}

bool filter_surely_passes(unsigned nr)
{
	return (oracle == ORACLE_TRACE || oracle == ORACLE_SUPERVISED) &&
	       ask_by_death(nr) == ANSWER_KILLED;
}

/* What passes is asked about again, where the filter hides what it does with most calls. */
static void confirm(const struct question questions[], struct reply replies[], uint32_t n)
{
	struct session *own = own_session();
	uint32_t asked = 0;

	if (!default_hides || !own)
		return;
	own->n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (replies[i].answer == ANSWER_PASSES)
			own->questions[own->n++] = questions[i];
	ask_by_deaths(own);
	for (uint32_t i = 0; i < n; i++)
		if (replies[i].answer == ANSWER_PASSES &&
		    own->replies[asked++].answer == ANSWER_PASSES)
			replies[i] = (struct reply){ ANSWER_REFUSED, ENOSYS };
}

void filter_make_view(const bool selected[])
{
	static const unsigned long none[6];

	view = shared_memory(sizeof *view);
	private = shared_memory(sizeof *private);
	lethal = shared_memory(LETHAL_CALLS * sizeof *lethal);
	if (view)
		collect_questions(selected);
	oracle = try_oracle();
	if (oracle == ORACLE_LISTENER) {
		/* An outer errno of ENOSYS is seen; only what seems to pass may be hidden. */
		default_hides = known_reply(view, NUMBER_FAR, none)->answer == ANSWER_PASSES &&
				filter_hides(NUMBER_FAR);
		confirm(view->questions, view->replies, view->n);
	}
	if (oracle == ORACLE_LISTENER && !default_hides && !no_filter() && numbers_are_wanted(selected))
		ask_numbers();
	if (view)
		seal_memory(view, sizeof *view);
}

void filter_mark_lethal(long nr)
{
	for (unsigned i = 0; lethal && i < LETHAL_CALLS; i++) {
		if (lethal[i] == nr + 1)
			return;
		if (lethal[i] == 0) {
			lethal[i] = nr + 1; /* plus one: zero is an empty place */
			return;
		}
	}
}

static bool is_lethal(long nr)
{
	for (unsigned i = 0; lethal && i < LETHAL_CALLS && lethal[i]; i++)
		if (lethal[i] == nr + 1)
			return true;
	return false;
}

/* What this process has asked besides the view's questions. */
static struct session kept;

/* Asks one more question, and keeps the answer. */
static const struct reply *ask_now(long nr, const unsigned long args[6])
{
	static const struct reply not_told = { ANSWER_NOT_TOLD, 0 };
	struct session *own = own_session();
	uint32_t i = kept.n < VIEW_QUESTIONS ? kept.n : VIEW_QUESTIONS - 1;

	if (!own)
		return &not_told;
	own->n = 1;
	own->questions[0].nr = nr;
	memcpy(own->questions[0].args, args, sizeof own->questions[0].args);
	ask_session(own, oracle == ORACLE_LISTENER, 1);
	kept.questions[i] = own->questions[0];
	kept.replies[i] = own->replies[0];
	kept.n = i + 1;
	confirm(&kept.questions[i], &kept.replies[i], 1);
	return &kept.replies[i];
}

enum answer ask_filter(struct trial *trial, long nr, const unsigned long args[6], int *ret_error)
{
	const struct reply *reply = NULL;

	(void)trial;
	if (ret_error)
		*ret_error = 0;
	if (is_lethal(nr))
		return ANSWER_KILLED;
	if (oracle == ORACLE_NO_FILTER)
		return ANSWER_PASSES;
	if (oracle == ORACLE_LISTENER || oracle == ORACLE_TRACE)
		reply = known_reply(view, nr, args);
	else if (oracle != ORACLE_SUPERVISED)
		return ANSWER_NOT_TOLD;
	if (!reply || reply->answer == ANSWER_NOT_TOLD)
		reply = known_reply(&kept, nr, args);
	if (!reply)
		reply = ask_now(nr, args);
	if (ret_error)
		*ret_error = reply->error;
	/*
	 * An outer notify agent may have let the kernel answer, and then the errno is what the
	 * kernel says to our empty arguments: it refuses nothing, only the call itself can tell.
	 */
	if (oracle == ORACLE_SUPERVISED && reply->answer == ANSWER_REFUSED)
		return ANSWER_NOT_TOLD;
	return (enum answer)reply->answer;
}
