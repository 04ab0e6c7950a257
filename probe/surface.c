/* SPDX-License-Identifier: MIT */
/* How far a call comes that is made with arguments which the kernel refuses. */
#include <errno.h>

#include "probe/children.h"
#include "probe/trial.h"

static bool is_answer(struct trial *trial, const struct attempt *a,
		      const struct refused_call *call)
{
	if (attempt_worked(*a))
		return true;
	if (!a->reached || call->errors[0] == ONLY_VALUE)
		return false;
	/* Emulated kernels say so for calls that they do not have. */
	if (a->error == EPERM && kernel_is_emulated(trial))
		return false;
	switch (a->error) {
	case 0:
		return false;
	case EINVAL:
	case EFAULT:
	case EBADF:
	case ESRCH:
		return true;
	default:
		return a->error == call->errors[0] || a->error == call->errors[1];
	}
}

/* Calls that a setting above zero refuses to most, before their arguments are looked at. */
static const char *setting_that_refuses(struct trial *trial, const struct attempt *a)
{
	const char *setting = a->nr == __NR_io_uring_setup ? "kernel.io_uring_disabled" :
			      a->nr == __NR_bpf		   ? "kernel.unprivileged_bpf_disabled" :
							     NULL;
	int64_t value;

	return setting && a->reached && a->error == EPERM &&
	       read_setting(trial, setting, &value) && value > 0 ? setting : NULL;
}

static struct attempt make_refused(struct trial *trial, const struct question *question,
				   const struct refused_call *call)
{
	long self = own_number();
	struct attempt a = try_call_by_letters(trial, "vvvvvv", call->call, question->nr,
					       question->args);

	/* No kernel should make a child of such arguments; an emulated one might. */
	if (own_number() != self)
		end_child(0);
	return a;
}

/* The filter's word alone. */
static bool settle_unmade(struct trial *trial, int case_index, enum answer answer,
			  struct attempt *a)
{
	note_flag(trial, case_index, "proxy", true);
	if (!filter_refuses(answer)) {
		/* What an emulated kernel has is only seen by calling it. */
		if (answer != ANSWER_PASSES || !filter_tells_enosys() || kernel_is_emulated(trial)) {
			settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
			return false;
		}
		a->value = a->error = 0;
	}
	a->reached = attempt_worked(*a);
	settle(trial, case_index, *a);
	return a->reached;
}

bool settle_reach(struct trial *trial, int case_index, const struct question *question,
		  const struct refused_call *call, struct attempt *ret)
{
	struct attempt a = { .value = -1, .nr = question->nr, .call = call->call };
	enum answer answer = ask_filter(trial, question->nr, question->args, &a.error);
	bool reached;

	if (call->never_made) {
		reached = settle_unmade(trial, case_index, answer, &a);
		*ret = a;
		return reached;
	}
	a = make_refused(trial, question, call);
	*ret = a;
	reached = is_answer(trial, &a, call);
	/* Where the filter cannot be asked, this may be its answer as well as the kernel's. */
	if (answer == ANSWER_NOT_TOLD && (a.error == EPERM || a.error == EACCES) && a.reached) {
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
		return false;
	}
	if (reached)
		a.value = 0;
	/* A filter refuses whoever calls: the want of a capability adds nothing. */
	settle(trial, case_index, a, .capability = a.reached ? call->capability : 0,
	       .sysctl = setting_that_refuses(trial, &a),
	       .lacking = (call->errors[0] == ONLY_VALUE && a.error == EINVAL) ||
			  (!call->capability && (a.error == EPERM || a.error == EACCES) &&
			   kernel_is_emulated(trial)));
	return reached;
}
