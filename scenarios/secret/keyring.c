/* SPDX-License-Identifier: MIT */
/*
 * Keys that the kernel keeps for somebody and that were here before us. Rings are asked what is in
 * them, keys what type they are; none is read. The kernel makes an account's empty rings when they
 * are first asked for, so where its list shows none, none is asked for.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <string.h>
#include <sys/stat.h>

enum { SESSION, USER, USER_SESSION, PERSISTENT, LISTING };

static const struct case_def cases[] = {
	[SESSION] = { "session", NULL, 0, 0, 0 },
	[USER] = { "user", NULL, 0, 0, 0 },
	[USER_SESSION] = { "user-session", NULL, 0, 0, 0 },
	[PERSISTENT] = { "persistent", NULL, 0, 0, 0 },
	[LISTING] = { "listing", "/proc/keys", 0, 0, 0 },
};

/* How the kernel calls the rings; the number of the account follows, but for the first. */
static const struct {
	const char *head;
	int special; /* its number for calls, 0: none */
} rings[] = {
	[SESSION] = { "_ses", KEY_SPEC_SESSION_KEYRING },
	[USER] = { "_uid.", KEY_SPEC_USER_KEYRING },
	[USER_SESSION] = { "_uid_ses.", KEY_SPEC_USER_SESSION_KEYRING },
	[PERSISTENT] = { "_persistent.", 0 },
};

enum { N_RINGS = PERSISTENT + 1, KEYS_AT_MOST = 64, RING_DEPTH = 3, NO_SUCH_KEY = 0x7fffffff };
#define PROC_MAGIC 0x9fa0

struct keys {
	struct trial *trial;
	unsigned n, asked;
	char types[128]; /* "user, logon" */
};

/* What the kernel's list shows. */
struct listing {
	struct keys keys;
	bool is_told;
	bool has_ring[N_RINGS];
	uint32_t persistent; /* its number */
};

/* ---------------------------------------------------------------- counting */

/* Of the kernel's own certificates everybody may know. */
static bool is_key(const char *type)
{
	return strcmp(type, "keyring") != 0 && strcmp(type, "asymmetri") != 0 &&
	       strcmp(type, "asymmetric") != 0 && strcmp(type, "blacklist") != 0;
}

static void count_key(struct keys *keys, const char *type)
{
	size_t n = strlen(keys->types);

	keys->n++;
	if (!strstr(keys->types, type))
		format_text(keys->types + n, sizeof keys->types - n, n ? ", %s" : "%s", type);
}

/* What answers in a kernel's place says so to whatever it does not know. */
static bool keeps_none(struct trial *trial, struct attempt a)
{
	return a.reached && a.error == EACCES && kernel_is_emulated(trial);
}

static void settle_keys(struct trial *trial, int case_index, struct attempt a,
			const struct keys *keys, const char *path)
{
	if (keys->n) {
		note_number(trial, case_index, "keys", keys->n);
		note_text(trial, case_index, "types", keys->types);
	}
	if (attempt_worked(a) && !keys->n)
		a = found_nothing(a);
	settle(trial, case_index, a, .path = path, .right = path ? RIGHT_READ : 0,
	       .lacking = !path && keeps_none(trial, a));
}

/* ---------------------------------------------------------------- the kernel's list */

/* ID FLAGS USES EXPIRY RIGHTS UID GID TYPE DESCRIPTION */
static bool take_line(void *context, char *line)
{
	struct listing *listing = context;
	char id[16], type[16], name[64], own[16];

	if (!line_field(line, 0, id, sizeof id) || !line_field(line, 7, type, sizeof type) ||
	    !line_field(line, 8, name, sizeof name))
		return true;
	if (is_key(type))
		count_key(&listing->keys, type);
	name[strcspn(name, ":")] = '\0';
	format_text(own, sizeof own, "%u", origin()->uid);
	for (int i = 0; i < N_RINGS; i++) {
		size_t n = strlen(rings[i].head);

		if (strncmp(name, rings[i].head, n) != 0 ||
		    (i != SESSION && strcmp(name + n, own) != 0))
			continue;
		listing->has_ring[i] = true;
		if (i == PERSISTENT)
			listing->persistent = (uint32_t)leading_hex(id);
	}
	return true;
}

static void read_listing(struct trial *trial, struct listing *listing)
{
	const char *path = case_of(trial, LISTING)->path;
	struct attempt a = try_lines(trial, path, take_line, listing);
	struct mount_facts mount;
	struct object object;

	/* Not what lies over it. */
	listing->is_told =
		attempt_worked(a) && ask_mount(trial, path, &mount) && mount.type == PROC_MAGIC &&
		attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) && S_ISREG(object.mode);
	settle_keys(trial, LISTING, a, &listing->keys, path);
}

/* ---------------------------------------------------------------- rings */

/* What is in a ring, and in the rings in it. */
static struct attempt read_ring(struct keys *keys, int ring, unsigned depth)
{
	int32_t members[KEYS_AT_MOST];
	struct attempt a = try_call_as(keys->trial, "vppp", "keyctl", __NR_keyctl, KEYCTL_READ,
				       ring, members, sizeof members);
	long n = a.value / (long)sizeof *members;

	for (long i = 0; i < n && i < KEYS_AT_MOST && keys->asked < KEYS_AT_MOST; i++) {
		char about[96] = "";
		struct attempt told =
			try_call_as(keys->trial, "vppp", "keyctl", __NR_keyctl, KEYCTL_DESCRIBE,
				    members[i], about, sizeof about - 1);

		keys->asked++;
		about[strcspn(about, ";")] = '\0';
		if (!attempt_worked(told) || about[0] == '\0')
			count_key(keys, "untold");
		else if (is_key(about))
			count_key(keys, about);
		else if (strcmp(about, "keyring") == 0 && depth < RING_DEPTH)
			read_ring(keys, members[i], depth + 1);
	}
	return a;
}

/* Which errors say that there is no such ring. */
static struct attempt no_ring(struct attempt a)
{
	if (a.reached && (a.error == ENOKEY || a.error == EKEYREVOKED || a.error == EKEYEXPIRED))
		a.error = 0;
	return a;
}

static void look_at_ring(struct trial *trial, int case_index, const struct listing *listing)
{
	struct keys keys = { .trial = trial };
	/* The list leaves out what somebody owns who is not mapped here, as root who started us. */
	bool may_hide = case_index == SESSION && in_user_namespace(trial);
	struct attempt a;

	if (listing->is_told && !listing->has_ring[case_index] && !may_hide) {
		settle(trial, case_index, found_in_process(false));
		return;
	}
	a = try_call_as(trial, "vvv", "keyctl", __NR_keyctl, KEYCTL_GET_KEYRING_ID,
			rings[case_index].special, 0);
	if (attempt_worked(a))
		a = read_ring(&keys, (int)a.value, 1);
	settle_keys(trial, case_index, no_ring(a), &keys, NULL);
}

/*
 * To ask for this one would make it, and leave it for days. So only one that is listed is looked
 * into; else a ring that cannot be is named, to which it should be linked, and the call ends there.
 */
static void look_at_persistent(struct trial *trial, const struct listing *listing)
{
	struct keys keys = { .trial = trial };
	struct attempt a;

	if (listing->is_told && listing->has_ring[PERSISTENT]) {
		a = read_ring(&keys, (int)listing->persistent, 1);
		settle_keys(trial, PERSISTENT, no_ring(a), &keys, NULL);
		return;
	}
	if (listing->is_told) {
		settle(trial, PERSISTENT, found_in_process(false));
		return;
	}
	a = try_call_as(trial, "vvv", "keyctl", __NR_keyctl, KEYCTL_GET_PERSISTENT, -1,
			NO_SUCH_KEY);
	if (a.reached && a.error == ENOKEY) {
		/* They are kept for each user namespace apart. */
		a = (struct attempt){ .value = -1, .error = EPERM, .nr = -1, .reached = true };
		if (namespace_sharing(trial, NAMESPACE_USER, NULL) == SHARING_OWN)
			settle(trial, PERSISTENT, a, .elsewhere = true);
		else {
			note_text(trial, PERSISTENT, "not_visible", case_of(trial, LISTING)->path);
			settle_unknown(trial, PERSISTENT, REASON_NO_VIEW);
		}
		return;
	}
	settle(trial, PERSISTENT, a, .lacking = keeps_none(trial, a));
}

static void attempt(struct trial *trial)
{
	struct listing listing = { .keys = { .trial = trial } };

	read_listing(trial, &listing);
	for (int i = 0; i < PERSISTENT; i++)
		look_at_ring(trial, i, &listing);
	look_at_persistent(trial, &listing);
}

static const struct question asks[] = {
	{ __NR_keyctl, { KEYCTL_GET_KEYRING_ID, (unsigned long)KEY_SPEC_SESSION_KEYRING, 0 } },
	{ __NR_keyctl, { KEYCTL_GET_KEYRING_ID, (unsigned long)KEY_SPEC_USER_KEYRING, 0 } },
	{ __NR_keyctl, { KEYCTL_GET_KEYRING_ID, (unsigned long)KEY_SPEC_USER_SESSION_KEYRING, 0 } },
	{ __NR_keyctl, { KEYCTL_GET_PERSISTENT, (unsigned long)-1, NO_SUCH_KEY } },
	{ __NR_keyctl, { KEYCTL_READ } },
	{ __NR_keyctl, { KEYCTL_DESCRIBE } },
};

const struct scenario scenario_secret_keyring = {
	.about = ABOUT(
		.title = "Find keys in the kernel's keyrings",
		.accessed = "Code in the sandbox finds keys that the kernel keeps for somebody "
			    "outside.",
		.denied = "Code in the sandbox finds no key that the kernel keeps for anybody "
			  "outside.",
		.why = "Rings hold tickets, passwords of network drives and keys of encrypted "
		       "disks. They come along into a sandbox with the session or the account.",
		.see = "T1552",
		.open = "keys 1 B",
		.closed = "keys 0 B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(KEY),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
