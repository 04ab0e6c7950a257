/* SPDX-License-Identifier: MIT */
/*
 * Caches that later runs take for what they once fetched. Only those on a mount from outside count:
 * a cache of the sandbox's own is gone with it.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "pip", "~/.cache/pip", 0, 0, 0 },
	{ "uv", "~/.cache/uv", 0, 0, 0 },
	{ "hugging-face", "~/.cache/huggingface", 0, 0, 0 },
	{ "torch", "~/.cache/torch", 0, 0, 0 },
	{ "go-build", "~/.cache/go-build", 0, 0, 0 },
	{ "go-modules", "~/go/pkg/mod", 0, 0, 0 },
	{ "ccache", "~/.cache/ccache", 0, 0, 0 },
	{ "npm", "~/.npm", 0, 0, 0 },
	{ "cargo", "~/.cargo/registry", 0, 0, 0 },
	{ "maven", "~/.m2", 0, 0, 0 },
	{ "gradle", "~/.gradle", 0, 0, 0 },
	{ "system", "/var/cache", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	struct alterations all = { .trial = trial, .outside_only = true };

	settle_alterations(&all);
	note_alterations(&all);
}

const struct scenario scenario_tamper_caches = {
	.about = ABOUT(
		.title = "Alter caches that later runs use",
		.accessed = "Code in the sandbox can alter or create a cache on a mount from "
			    "outside.",
		.denied = "Code in the sandbox cannot alter or create any cache on a mount from "
			  "outside.",
		.why = "Later runs, and people, take from a cache what they believe to have "
		       "fetched; who writes to it runs in all of them.",
		.see = "T1195",
		.open = "B --bind $D/h /home/x --setenv HOME /home/x",
		.closed = "B --ro-bind $D/h /home/x --setenv HOME /home/x",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(ONE) | FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
