/* SPDX-License-Identifier: MIT */
/*
 * Settling: the one place that turns an attempt and its controls into a status and a set of
 * barriers. The table below asks every layer, in the catalogue's order, whether it was shown to
 * refuse; all that say yes are named. An errno alone never names a barrier: each row has a
 * control. Where no row can tell, the refusal stands and is `unattributed`.
 */
#include <errno.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/abi.h"
#include "probe/errno_name.h"
#include "probe/filter.h"
#include "probe/identity.h"
#include "probe/lsm.h"
#include "probe/trial.h"

#define RIGHTS_THAT_WRITE (RIGHT_WRITE | RIGHT_ENTRY | RIGHT_REMOVE | RIGHT_OWNER | RIGHT_ALTER)

/* An attempt with what its controls say, looked up once for all rows. */
struct scene {
	struct trial *trial;
	const struct attempt *attempt;
	const struct controls *controls;
	bool has_object; /* the path leads to something */
	bool object_missing; /* the path surely leads to nothing */
	struct object object;
	bool has_mount;
	struct mount_facts mount;
	enum dac dac;
	barrier_set shown; /* by the rows so far */
};

static bool refused(const struct scene *s)
{
	return !s->attempt->reached || s->attempt->error == EACCES || s->attempt->error == EPERM;
}

static bool nothing_found(const struct scene *s)
{
	return s->attempt->reached && s->attempt->error == 0;
}

static void look_at_path(struct scene *s)
{
	const struct controls *c = s->controls;
	struct attempt a;

	if (!c->path)
		return;
	a = try_stat(s->trial, AT_FDCWD, c->path, 0, &s->object);
	s->has_object = attempt_worked(a);
	s->object_missing = a.reached && (a.error == ENOENT || a.error == ENOTDIR);
	s->has_mount = ask_mount(s->trial, c->path, &s->mount);
	if (c->right)
		s->dac = ask_dac(s->trial, c->path, c->right);
}

/* ---------------------------------------------------------------- rows */

static bool counts_entry(void *context, const char *name, unsigned char type)
{
	(void)name;
	(void)type;
	*(bool *)context = true;
	return false;
}

static bool is_hollow(struct scene *s)
{
	bool any = false;

	if (S_ISREG(s->object.mode))
		return s->object.size == 0;
	if (S_ISCHR(s->object.mode))
		return s->object.rdev == 0x103; /* the null device, 1:3 */
	if (!S_ISDIR(s->object.mode))
		return false;
	return attempt_worked(try_list(s->trial, s->controls->path, counts_entry, &any)) && !any;
}

static bool by_masked(struct scene *s)
{
	if (s->controls->hidden)
		return true;
	/* An empty folder takes new entries as any other, unless what covers it is read-only. */
	if (s->controls->right == RIGHT_ENTRY && S_ISDIR(s->object.mode) && s->has_mount &&
	    !(s->mount.flags & 1 /* ST_RDONLY */))
		return false;
	return s->has_object && (nothing_found(s) || refused(s) || s->attempt->error == EROFS) &&
	       is_mount_root(s->trial, s->controls->path) && is_hollow(s);
}

static bool by_absent(struct scene *s)
{
	int error = s->attempt->error;

	if (s->controls->elsewhere || (s->shown & BARRIER_BIT(BARRIER_MASKED)))
		return false;
	/* What a bound or a setting was found for, or what is there outside, is not missing. */
	if ((s->controls->sysctl && s->attempt->error == 0) || s->controls->lacking ||
	    s->controls->rlimit ||
	    s->controls->cgroup || s->controls->filtered || s->controls->interposed ||
	    s->controls->proxy_refused || s->controls->auth_refused || s->controls->filter_active)
		return false;
	/* A device node leads on: to a device that may not be there. */
	if (s->controls->path && s->has_object)
		return nothing_found(s) || (error == ENXIO && s->object.rdev != 0);
	if (!s->attempt->reached)
		return s->object_missing;
	return nothing_found(s) || error == ENOENT || error == ENOTDIR || error == ENXIO ||
	       error == ESRCH || error == ECONNREFUSED || error == ENOTTY;
}

static bool by_read_only(struct scene *s)
{
	if (s->attempt->error == EROFS && s->attempt->reached)
		return true;
	return (s->controls->right & RIGHTS_THAT_WRITE) && s->has_mount && s->has_object &&
	       (s->mount.flags & 1 /* ST_RDONLY */);
}

static bool by_dac(struct scene *s)
{
	if (s->controls->other_id)
		return true;
	return s->dac == DAC_REFUSES && (refused(s) || s->attempt->error == EROFS);
}

static bool by_immutable(struct scene *s)
{
	/* A folder that may only be added to takes entries as any other. */
	uint64_t bound = STATX_ATTR_IMMUTABLE |
			 (s->controls->right == RIGHT_ENTRY ? 0 : STATX_ATTR_APPEND);

	return s->has_object && (s->controls->right & RIGHTS_THAT_WRITE) && refused(s) &&
	       (s->object.attributes & s->object.attributes_mask & bound);
}

/* A filter that cannot be asked says EPERM as the kernel does. */
static bool by_whom_untold(void)
{
	return filter_oracle() == ORACLE_BROKEN && origin()->seccomp_mode != 0;
}

static bool by_capability(struct scene *s)
{
	int capability = s->controls->capability - 1;
	const struct attempt *check = s->controls->check;

	if (s->controls->not_held)
		return true;
	/* Root whom the mode refuses is root without DAC_OVERRIDE, which counts over mapped ids. */
	if (s->dac == DAC_REFUSES && origin()->euid == 0 && refused(s) &&
	    !has_capability(1 /* CAP_DAC_OVERRIDE */) &&
	    !(s->has_object && owner_mapping(s->trial, s->controls->path, &s->object) == OWNER_UNMAPPED))
		return true;
	if (capability < 0 || has_capability(capability))
		return false;
	/* A read-only mount answers first; only the check shows what would have come after. */
	if (!refused(s) && !(s->attempt->error == EROFS && check))
		return false;
	if (by_whom_untold())
		return false;
	/* K4: the check was reached, and it is what refuses; or a filter keeps us from it, too. */
	return !check || !check->reached || check->error == EPERM;
}

static bool by_namespace(struct scene *s)
{
	int capability = s->controls->capability - 1;

	if (s->controls->id_unmapped || s->controls->elsewhere)
		return true;
	/* Held, and still refused: it is held in a child user namespace only. */
	return capability >= 0 && !by_whom_untold() && has_capability(capability) && s->attempt->reached &&
	       (s->attempt->error == EPERM || (s->attempt->error == EACCES && !s->controls->path)) &&
	       in_user_namespace(s->trial);
}

static bool by_seccomp(struct scene *s)
{
	if (s->attempt->reached && s->attempt->error == ENOSYS && filter_hides(s->attempt->nr))
		return true;
	return s->controls->filter_active || (!s->attempt->reached && filter_oracle() != ORACLE_SUPERVISED);
}

/* The check says EPERM for the capability alone: EACCES came from a layer before it. */
static bool answers_before_capability(const struct scene *s)
{
	const struct attempt *check = s->controls->check;

	return s->shown == BARRIER_BIT(BARRIER_CAPABILITY) && s->attempt->error == EACCES && check &&
	       check->reached && check->error == EPERM;
}

static bool by_lsm(struct scene *s)
{
	int capability = s->controls->capability - 1;
	/* Of a path, or of a destination that the kernel would route to (K7). */
	bool permitted = s->dac == DAC_PERMITS || (s->controls->route == ROUTE_EXISTS &&
						   s->attempt->error == EACCES);

	if (s->controls->module)
		return true;
	/* Or a call on no object, of one who holds what it needs, or to whom our own object opens. */
	if (!s->controls->path && capability >= 0 && has_capability(capability))
		permitted = true;
	if (!s->controls->path && s->controls->twin && attempt_worked(*s->controls->twin))
		permitted = true;
	permitted = permitted || s->controls->ids_permit;
	/* Modules say so too, but seldom. */
	if (s->attempt->error == EPERM && by_whom_untold())
		return false;
	return s->attempt->reached && refused(s) && permitted && lsm_confines() &&
	       (s->shown == 0 || answers_before_capability(s));
}

static bool by_sysctl(struct scene *s)
{
	return s->controls->sysctl;
}

static bool by_supervisor(struct scene *s)
{
	enum oracle oracle = filter_oracle();

	if (s->controls->traced)
		return true;
	if (oracle == ORACLE_SUPERVISED)
		return !s->attempt->reached;
	return oracle == ORACLE_TRACED && refused(s) && s->shown == 0 && s->dac != DAC_NOT_TOLD;
}

static bool by_unimplemented(struct scene *s)
{
	if (!s->attempt->reached)
		return false;
	if (s->controls->lacking)
		return true;
	switch (s->attempt->error) {
	case ENOSYS:
		return filter_tells_enosys() && !(s->shown & BARRIER_BIT(BARRIER_SECCOMP));
	case EAFNOSUPPORT:
	case EPROTONOSUPPORT:
	case ESOCKTNOSUPPORT:
	case EOPNOTSUPP:
	case ENODEV:
		return filter_oracle() != ORACLE_BROKEN && filter_oracle() != ORACLE_TRACED;
	default:
		return false;
	}
}

static bool by_no_route(struct scene *s)
{
	return s->controls->route == ROUTE_NONE;
}

static bool by_filtered(struct scene *s)
{
	return s->controls->filtered;
}

static bool by_proxy(struct scene *s)
{
	return s->controls->proxy_refused;
}

static bool by_interposed(struct scene *s)
{
	return s->controls->interposed;
}

static bool by_auth(struct scene *s)
{
	return s->controls->auth_refused;
}

static bool by_rlimit(struct scene *s)
{
	return s->controls->rlimit;
}

static bool by_cgroup(struct scene *s)
{
	return s->controls->cgroup;
}

static bool by_fs_limit(struct scene *s)
{
	/* Of namespaces, watches … there may be no more than a setting says: that is no disk. */
	return !s->controls->sysctl &&
	       (s->attempt->error == ENOSPC || s->attempt->error == EDQUOT);
}

static bool flag_refuses(const struct scene *s, bool asked, uint64_t flag)
{
	return asked && s->has_mount && (s->mount.flags & flag);
}

static bool by_nosuid(struct scene *s)
{
	return flag_refuses(s, s->controls->set_id, 2 /* ST_NOSUID */);
}

static bool by_nodev(struct scene *s)
{
	return flag_refuses(s, s->controls->device, 4 /* ST_NODEV */);
}

static bool by_noexec(struct scene *s)
{
	return flag_refuses(s, s->controls->executes, 8 /* ST_NOEXEC */) && s->has_object;
}

static bool by_nosymfollow(struct scene *s)
{
	return s->attempt->error == ELOOP && s->has_mount && (s->mount.flags & ST_NOSYMFOLLOW);
}

static bool by_no_new_privs(struct scene *s)
{
	return s->controls->set_id && origin()->no_new_privs;
}

/* In the catalogue's order, but for masked: what is covered must not read as absent. */
static const struct {
	enum barrier barrier;
	bool (*refuses)(struct scene *scene);
} layers[] = {
	{ BARRIER_MASKED, by_masked },
	{ BARRIER_ABSENT, by_absent },
	{ BARRIER_READ_ONLY, by_read_only },
	{ BARRIER_DAC, by_dac },
	{ BARRIER_IMMUTABLE, by_immutable },
	{ BARRIER_CAPABILITY, by_capability },
	{ BARRIER_NAMESPACE, by_namespace },
	{ BARRIER_SECCOMP, by_seccomp },
	{ BARRIER_SYSCTL, by_sysctl },
	{ BARRIER_UNIMPLEMENTED, by_unimplemented },
	{ BARRIER_NO_ROUTE, by_no_route },
	{ BARRIER_FILTERED, by_filtered },
	{ BARRIER_PROXY_REFUSED, by_proxy },
	{ BARRIER_INTERPOSED, by_interposed },
	{ BARRIER_AUTH_REFUSED, by_auth },
	{ BARRIER_RLIMIT, by_rlimit },
	{ BARRIER_CGROUP, by_cgroup },
	{ BARRIER_FS_LIMIT, by_fs_limit },
	{ BARRIER_NOSUID, by_nosuid },
	{ BARRIER_NODEV, by_nodev },
	{ BARRIER_NOEXEC, by_noexec },
	{ BARRIER_NOSYMFOLLOW, by_nosymfollow },
	{ BARRIER_NO_NEW_PRIVS, by_no_new_privs },
	/* Only where all the layers above are ruled out. */
	{ BARRIER_LSM, by_lsm },
	{ BARRIER_SUPERVISOR, by_supervisor },
};

/* ---------------------------------------------------------------- the status */

/* Errors that speak of our own means, not of the sandbox: nothing was learnt. */
static int reason_of_error(int error)
{
	switch (error) {
	case ECANCELED:
	case EBADMSG:
		return REASON_CONTROL_FAILED;
	case EMFILE:
	case ENFILE:
	case ETXTBSY: /* a file of ours that we could not close */
	case ENOMEM:
	case EINTR:
	case EAGAIN:
	case EFAULT:
	case EINVAL:
	case EBADF:
		return REASON_SETUP_FAILED;
	default:
		return -1;
	}
}

static bool has_fact(const struct record *record, int case_index, const char *name)
{
	for (uint32_t i = 0; i < record->n_facts; i++)
		if (record->facts[i].case_index == case_index &&
		    strcmp(record->facts[i].name, name) == 0)
			return true;
	return false;
}

/* The first attempt's call and errno are the evidence of a refusal. */
static void note_attempt(struct trial *trial, int case_index, const struct attempt *attempt)
{
	if (attempt->nr < 0 || !attempt->call || has_fact(trial->record, case_index, "call"))
		return;
	note_text(trial, case_index, "call", attempt->call);
	if (attempt->error)
		note_text(trial, case_index, "errno", errno_name(attempt->error));
}

static barrier_set ask_layers(struct scene *scene)
{
	for (unsigned i = 0; i < sizeof layers / sizeof *layers; i++)
		if (layers[i].refuses(scene))
			scene->shown |= BARRIER_BIT(layers[i].barrier);
	return scene->shown;
}

static void deny(struct trial *trial, int case_index, const struct attempt *attempt,
		 const struct controls *controls)
{
	struct case_record *part = record_part(trial->record, case_index);
	struct scene scene = { .trial = trial, .attempt = attempt, .controls = controls };

	look_at_path(&scene);
	part->barriers |= ask_layers(&scene);
	if (scene.shown & BARRIER_BIT(BARRIER_SYSCTL))
		note_text(trial, case_index, "setting", controls->sysctl);
	if (scene.shown & BARRIER_BIT(BARRIER_LSM) && controls->module)
		note_text(trial, case_index, "module", controls->module);
	if (!(part->settled && part->status == STATUS_UNKNOWN))
		part->status = STATUS_DENIED;
	part->settled = 1;
}

void settle_with(struct trial *trial, int case_index, struct attempt attempt,
		 const struct controls *controls)
{
	struct case_record *part = record_part(trial->record, case_index);
	/* EINVAL, EAGAIN … with a control that explains them speak of the sandbox after all. */
	bool explained = controls->rlimit || controls->cgroup || controls->sysctl ||
			 controls->id_unmapped || controls->lacking || controls->module;
	int reason;

	if (!part)
		return;
	if (part->settled && part->status == STATUS_ACCESSED)
		return;
	if (attempt_worked(attempt)) {
		/* How an earlier attempt was refused is no evidence of this success. */
		record_drop_fact(trial->record, case_index, "call");
		record_drop_fact(trial->record, case_index, "errno");
		record_drop_fact(trial->record, case_index, "setting");
		record_drop_fact(trial->record, case_index, "module");
		note_attempt(trial, case_index, &attempt);
		part->status = STATUS_ACCESSED;
		part->settled = 1;
		return;
	}
	note_attempt(trial, case_index, &attempt);
	reason = attempt.reached && !explained ? reason_of_error(attempt.error) : -1;
	if (reason >= 0)
		settle_unknown(trial, case_index, (enum reason)reason);
	else
		deny(trial, case_index, &attempt, controls);
}

void settle_unknown(struct trial *trial, int case_index, enum reason reason)
{
	struct case_record *part = record_part(trial->record, case_index);

	if (!part || (part->settled && part->status == STATUS_ACCESSED))
		return;
	part->status = STATUS_UNKNOWN;
	part->reason = (uint8_t)reason;
	part->settled = 1;
}

void settle_not_listed(struct trial *trial, int case_index, const char *folder)
{
	const struct case_record *part = record_part(trial->record, case_index);

	if (!part || (part->settled && part->status == STATUS_ACCESSED))
		return;
	note_text(trial, case_index, "not_listed", folder);
	settle_unknown(trial, case_index, REASON_NO_VIEW);
}

void settle_milder(struct trial *trial, int case_index)
{
	struct case_record *part = record_part(trial->record, case_index);

	if (part)
		part->milder = 1;
}
