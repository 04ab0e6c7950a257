/* SPDX-License-Identifier: MIT */
#include "host/html_page.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/version.h"
#include "host/markup.h"
#include "host/memory.h"

extern const char html_style[], html_script[];

/* Base64, as a content security policy wants its hashes. */
static void put_hash(FILE *out, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char digest[33] = { 0 };

	/* 32 bytes are ten groups of three, and two that a zero fills up. */
	sha256(digest, text, strlen(text));
	fputs("'sha256-", out);
	for (unsigned i = 0; i < 33; i += 3) {
		uint32_t group = (uint32_t)digest[i] << 16 | (uint32_t)digest[i + 1] << 8 |
				 digest[i + 2];

		for (int shift = 18; shift >= (i == 30 ? 6 : 0); shift -= 6)
			fputc(digits[group >> shift & 63], out);
	}
	fputs("='", out);
}

static void put_policy(FILE *out)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ",
	      out);
	put_hash(out, html_style);
	fputs("; script-src ", out);
	put_hash(out, html_script);
	fputs("; base-uri 'none'; form-action 'none'\">\n", out);
}

void html_begin(FILE *out, const char *title)
{
	/* The policy stands before all that it is to govern. */
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
	put_policy(out);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"referrer\" content=\"no-referrer\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n", out);
	markup_print(out, "<title>%s</title>\n", title);
	fprintf(out, "<style>%s</style>\n</head>\n<body>\n", html_style);
	fputs("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
	      "<header class=\"top\"><p class=\"brand\">SandboxEval</p>\n"
	      "<p class=\"tools\" hidden><button type=\"button\" id=\"theme\">Theme: "
	      "<span>automatic</span></button></p></header>\n"
	      "<main id=\"main\">\n", out);
}

void html_end(FILE *out)
{
	markup_print(out, "</main>\n<footer class=\"bottom\"><p>Measured from inside by SandboxEval "
		     "%s. This page is complete in itself: it loads nothing and sends nothing.</p>"
		     "</footer>\n", SANDBOXEVAL_VERSION);
	fprintf(out, "<script>%s</script>\n</body>\n</html>\n", html_script);
}

void html_time(FILE *out, time_t time)
{
	char machine[sizeof "2026-01-02T03:04:05Z"] = "", people[sizeof "2 September 2026, 03:04"];
	struct tm utc;

	if (!gmtime_r(&time, &utc) ||
	    !strftime(machine, sizeof machine, "%Y-%m-%dT%H:%M:%SZ", &utc) ||
	    !strftime(people, sizeof people, "%Y-%m-%d %H:%M", &utc))
		return;
	markup_print(out, "<time datetime=\"%s\">%s UTC</time>", machine, people);
}

static bool is_plain_word(const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789@%+=:,./_-{}";

	return *word && word[strspn(word, plain)] == '\0';
}

static void put_quoted(FILE *out, const char *word)
{
	char *quoted = new_array(strlen(word) + 1, 4), *end = quoted;

	for (; *word; word++) {
		if (*word == '\'')
			end = stpcpy(end, "'\\''");
		else
			*end++ = *word;
	}
	markup_print(out, "'%s'", quoted);
	free(quoted);
}

void html_command(FILE *out, char *const argv[])
{
	for (size_t i = 0; argv && argv[i]; i++) {
		fputs(i ? " " : "", out);
		if (is_plain_word(argv[i]))
			markup_print(out, "%s", argv[i]);
		else
			put_quoted(out, argv[i]);
	}
}

const char *html_mark(enum status status, enum severity severity)
{
	switch (status) {
	case STATUS_ACCESSED:
		return severity >= SEVERITY_HIGH ? "!" : "•";
	case STATUS_DENIED:
		return "✓";
	case STATUS_UNKNOWN:
		break;
	}
	return "?";
}

void html_name(FILE *out, const char *name)
{
	char first[2] = { (char)toupper((unsigned char)*name), '\0' };

	if ((unsigned char)*name < 0x80 && *name)
		markup_print(out, "%s%s", first, name + 1);
	else
		markup_put(out, name);
}

void html_option(FILE *out, const char *value)
{
	markup_print(out, "<option value=\"%s\">%s</option>", value, value);
}

/* ---------------------------------------------------------------- numbers */

struct share {
	const char *name;
	unsigned n;
};

unsigned html_open_of(const struct run *run, enum severity severity)
{
	unsigned n = 0;

	for (unsigned i = 0; i < run->n_results; i++)
		n += run->results[i].status == STATUS_ACCESSED &&
		     result_severity(&run->results[i]) == severity;
	return n;
}

void html_bar(FILE *out, const struct run *run)
{
	struct summary summary = run_summary(run);
	struct share shares[N_SEVERITIES + 3];
	unsigned n = 0, at = 0;

	for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--)
		shares[n++] = (struct share){ severity_name((enum severity)severity),
					      html_open_of(run, (enum severity)severity) };
	shares[n++] = (struct share){ "unknown", summary.unknown };
	shares[n++] = (struct share){ "contained", summary.contained };
	shares[n++] = (struct share){ "denied", summary.denied - summary.contained };
	markup_print(out, "<svg class=\"bar\" viewBox=\"0 0 %u 10\" preserveAspectRatio=\"none\" "
		     "aria-hidden=\"true\">", run->n_results);
	for (unsigned i = 0; i < n; i++) {
		if (shares[i].n)
			markup_print(out, "<rect class=\"%s\" x=\"%u\" width=\"%u\" height=\"10\"/>",
				     shares[i].name, at, shares[i].n);
		at += shares[i].n;
	}
	fputs("</svg>\n", out);
}
