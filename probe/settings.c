/* SPDX-License-Identifier: MIT */
/* Settings of the kernel: one number each, below /proc/sys; its lockdown, and its release. */
#include <linux/capability.h>
#include <string.h>
#include <sys/utsname.h>

#include "probe/identity.h"
#include "probe/text.h"
#include "probe/trial.h"

#define SAYS_2_6 0x0020000 /* personality: uname(2) tells 2.6 whatever the kernel is */

/* "none [integrity] confidentiality": what is in brackets holds. */
bool is_locked_down(struct trial *trial)
{
	char text[64];

	try_text(trial, "/sys/kernel/security/lockdown", text, sizeof text);
	return strchr(text, '[') && !strstr(text, "[none]");
}

bool kexec_is_counted(struct trial *trial)
{
	int64_t crash = -1, restart = -1;

	if (!has_capability(CAP_SYS_BOOT))
		return false;
	read_setting(trial, "kernel.kexec_load_limit_panic", &crash);
	read_setting(trial, "kernel.kexec_load_limit_reboot", &restart);
	return crash >= 0 || restart >= 0;
}

bool read_setting(struct trial *trial, const char *name, int64_t *ret_value)
{
	char path[128], text[32];
	bool negative;
	uint64_t number;
	struct attempt a;

	format_text(path, sizeof path, "/proc/sys/%s", name);
	for (char *dot = path; (dot = strchr(dot, '.'));)
		*dot = '/';
	a = try_text(trial, path, text, sizeof text);
	if (a.value <= 0 || is_disguised(trial, path))
		return false;
	text[strcspn(text, "\n")] = '\0';
	negative = text[0] == '-';
	if (!read_number(text + negative, &number) || number > INT64_MAX)
		return false;
	*ret_value = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

static bool take_line(void *context, char *line)
{
	format_text(context, sizeof((struct utsname *)0)->release, "%s", line);
	return false;
}

bool read_release(struct trial *trial, struct utsname *name)
{
	struct attempt a, disguise;

	*name = (struct utsname){ .release = "" };
	a = try_call(trial, "uname", __NR_uname, name);
	disguise = try_call(trial, "personality", __NR_personality, 0xffffffff);
	if (attempt_worked(a) && name->release[0] &&
	    !(attempt_worked(disguise) && (disguise.value & SAYS_2_6)))
		return true;
	/* The file tells the kernel's own. */
	name->release[0] = '\0';
	try_lines(trial, "/proc/sys/kernel/osrelease", take_line, name->release);
	return name->release[0] != '\0';
}
