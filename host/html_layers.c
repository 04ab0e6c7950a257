/* SPDX-License-Identifier: MIT */
#include "host/html_layers.h"

#include <stdlib.h>

#include "host/html_page.h"
#include "host/markup.h"
#include "host/memory.h"

#define BIT(name) BARRIER_BIT(BARRIER_##name)

static const struct layer {
	const char *name, *meaning;
	barrier_set barriers;
} layers[] = {
	{ "filter", "the system call itself", BIT(SECCOMP) | BIT(SUPERVISOR) },
	{ "view", "what is there at all",
	  BIT(ABSENT) | BIT(MASKED) | BIT(NAMESPACE) | BIT(UNIMPLEMENTED) },
	{ "mount", "how it is mounted",
	  BIT(READ_ONLY) | BIT(FS_LIMIT) | BIT(NOSUID) | BIT(NODEV) | BIT(NOEXEC) |
		  BIT(NOSYMFOLLOW) },
	{ "owner", "to whom it belongs", BIT(DAC) | BIT(IMMUTABLE) },
	{ "privilege", "what the process may do", BIT(CAPABILITY) | BIT(NO_NEW_PRIVS) },
	{ "module", "modules and kernel settings", BIT(LSM) | BIT(SYSCTL) },
	{ "limit", "how much it may use",
	  BIT(RLIMIT) | BIT(CGROUP) | BIT(TIMEOUT) | BIT(KILLED) },
	{ "network", "where packets go",
	  BIT(NO_ROUTE) | BIT(FILTERED) | BIT(PROXY_REFUSED) | BIT(INTERPOSED) |
		  BIT(AUTH_REFUSED) },
};
#define N_LAYERS (sizeof layers / sizeof *layers)

void html_barriers(FILE *out, barrier_set set)
{
	bool first = true;

	set = set ? set : BIT(UNATTRIBUTED);
	for (unsigned b = 0; b < N_BARRIERS; b++) {
		if (!(set & BARRIER_BIT(b)))
			continue;
		markup_print(out, "%s<span class=\"barrier\" title=\"%s\">%s</span>",
			     first ? "" : ", ", barrier_meaning((enum barrier)b),
			     barrier_name((enum barrier)b));
		first = false;
	}
}

/* ---------------------------------------------------------------- one attempt */

static void put_cell(FILE *out, const struct layer *layer, enum status status,
		     barrier_set barriers, bool reached)
{
	barrier_set own = status == STATUS_DENIED ? barriers & layer->barriers : 0;
	char *names = barriers_text(own, ", ");

	if (own)
		markup_print(out, "<td class=\"stop%s\"><b>%s</b></td>", reached ? "" : " after",
			     names);
	else
		markup_print(out, "<td class=\"%s\"><span class=\"unseen\">%s</span></td>",
			     reached ? "pass" : "rest",
			     status == STATUS_ACCESSED ? "let it pass" : "not shown to refuse");
	free(names);
}

/* A narrow screen has no room for names below the bars: there they stand at the end. */
static void put_end(FILE *out, enum status status, barrier_set barriers)
{
	char *names = barriers_text(barriers & ~BIT(UNATTRIBUTED), ", ");

	if (status == STATUS_DENIED && *names)
		markup_print(out, " <i class=\"narrow\" aria-hidden=\"true\">%s</i>", names);
	if (status == STATUS_DENIED && (!barriers || barriers & BIT(UNATTRIBUTED)))
		markup_print(out, " <i>%s</i>", barrier_name(BARRIER_UNATTRIBUTED));
	free(names);
}

static void put_row(FILE *out, const char *where, enum status status, barrier_set barriers)
{
	bool reached = true;

	markup_print(out, "<tr class=\"%s\"><th scope=\"row\">%s</th>", status_name(status), where);
	for (size_t i = 0; i < N_LAYERS; i++) {
		put_cell(out, &layers[i], status, barriers, reached && status != STATUS_UNKNOWN);
		if (status == STATUS_DENIED && (barriers & layers[i].barriers))
			reached = false;
	}
	markup_print(out, "<td class=\"end\"><b>%s</b>", status_name(status));
	put_end(out, status, barriers);
	fputs("</td></tr>\n", out);
}

void html_layers_of(FILE *out, const struct result *result)
{
	fputs("<table class=\"layers\"><caption class=\"unseen\">Layers on the way, and which were "
	      "shown to refuse</caption>\n<thead><tr><td></td>", out);
	for (size_t i = 0; i < N_LAYERS; i++)
		markup_print(out, "<th scope=\"col\" title=\"%s\">%s</th>", layers[i].meaning,
			     layers[i].name);
	fputs("<td></td></tr></thead>\n<tbody>", out);
	put_row(out, "inside", result->status, result->barriers);
	if (result->has_baseline)
		put_row(out, "outside", result->baseline, result->baseline_barriers);
	fputs("</tbody></table>\n", out);
}

/* ---------------------------------------------------------------- the whole run */

struct share {
	unsigned refuses, alone, outside;
	barrier_set seen;
};

static struct share share_of(const struct run *run, const struct layer *layer)
{
	struct share share = { 0 };

	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];
		barrier_set set = result->barriers;

		if (result->has_baseline && result->baseline == STATUS_DENIED &&
		    (result->baseline_barriers & layer->barriers))
			share.outside++;
		if (result->status != STATUS_DENIED || !(set & layer->barriers))
			continue;
		share.refuses++;
		share.alone += (set & ~layer->barriers) == 0;
		share.seen |= set & layer->barriers;
	}
	return share;
}

static void put_share(FILE *out, const struct run *run, const struct layer *layer)
{
	struct share share = share_of(run, layer);

	markup_print(out, "<tr%s><th scope=\"row\">", share.refuses ? "" : " class=\"none\"");
	html_name(out, layer->name);
	markup_print(out, " <span class=\"note\">%s</span></th><td class=\"draw\"><svg "
		     "viewBox=\"0 0 %u 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		     "<rect class=\"all\" width=\"%u\" height=\"10\"/><rect class=\"shared\" "
		     "width=\"%u\" height=\"10\"/><rect class=\"alone\" width=\"%u\" height=\"10\"/>"
		     "</svg></td>", layer->meaning, run->n_results, run->n_results, share.refuses,
		     share.alone);
	markup_print(out, "<td class=\"number\">%u</td><td class=\"number\">%u</td>", share.refuses,
		     share.alone);
	if (run->has_baseline)
		markup_print(out, "<td class=\"number\">%u</td>", share.outside);
	fputs("<td class=\"names\">", out);
	if (share.seen)
		html_barriers(out, share.seen);
	fputs("</td></tr>\n", out);
}

void html_layers_section(FILE *out, const struct run *run)
{
	fputs("<section aria-labelledby=\"h-layers\">\n<h2 id=\"h-layers\">What holds</h2>\n"
	      "<p class=\"lead\">Layers, roughly in the order in which an attempt meets them, and how "
	      "many of the denied scenarios each was shown to refuse. Where one refuses <em>alone</em>, "
	      "no other layer was shown to stand behind it.</p>\n"
	      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"h-layers\">"
	      "<table class=\"shares\">\n<thead><tr><th scope=\"col\">Layer</th>"
	      "<td></td><th scope=\"col\" class=\"number\">Refuses</th>"
	      "<th scope=\"col\" class=\"number\">Alone</th>", out);
	if (run->has_baseline)
		fputs("<th scope=\"col\" class=\"number\">Outside</th>", out);
	fputs("<th scope=\"col\">Barriers here</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < N_LAYERS; i++)
		put_share(out, run, &layers[i]);
	fputs("</tbody></table></div>\n</section>\n", out);
}
