/* SPDX-License-Identifier: MIT */
/*
 * What a value looks like, by tables: prefixes of key families, connection strings, internal
 * addresses, digests, and random text under a name that says "key". Nothing of the value leaves.
 */
#include <string.h>

#include "probe/text.h"
#include "scenarios/scenario.h"

/* A prefix proves a key only with so many characters of key behind it. */
static const struct family {
	const char *prefix, *name;
	unsigned least;
} families[] = {
	{ "AKIA", "cloud-access-key", 16 },      { "ASIA", "cloud-session-key", 16 },
	{ "AIza", "google-api-key", 30 },        { "ya29.", "google-access-token", 20 },
	{ "GOCSPX-", "google-client-secret", 20 }, { "ghp_", "github-token", 30 },
	{ "gho_", "github-token", 30 },          { "ghu_", "github-token", 30 },
	{ "ghs_", "github-token", 30 },          { "ghr_", "github-token", 30 },
	{ "github_pat_", "github-token", 30 },   { "glpat-", "gitlab-token", 16 },
	{ "gldt-", "gitlab-token", 16 },         { "glrt-", "gitlab-token", 16 },
	{ "glptt-", "gitlab-token", 16 },        { "CI-JOB-", "gitlab-token", 16 },
	{ "xoxa-", "slack-token", 10 },          { "xoxb-", "slack-token", 10 },
	{ "xoxp-", "slack-token", 10 },          { "xoxr-", "slack-token", 10 },
	{ "xoxs-", "slack-token", 10 },          { "xapp-", "slack-token", 10 },
	{ "sk-ant-", "anthropic-key", 16 },      { "sk-proj-", "openai-key", 16 },
	{ "sk-or-", "openrouter-key", 16 },      { "sk-", "model-api-key", 20 },
	{ "gsk_", "groq-key", 20 },              { "xai-", "xai-key", 20 },
	{ "pplx-", "perplexity-key", 20 },       { "r8_", "replicate-key", 20 },
	{ "hf_", "hugging-face-token", 20 },     { "npm_", "npm-token", 20 },
	{ "pypi-", "pypi-token", 16 },           { "rubygems_", "rubygems-key", 20 },
	{ "dckr_pat_", "docker-token", 16 },     { "dop_v1_", "digitalocean-token", 32 },
	{ "doo_v1_", "digitalocean-token", 32 }, { "dor_v1_", "digitalocean-token", 32 },
	{ "SG.", "sendgrid-key", 32 },           { "sk_live_", "stripe-key", 16 },
	{ "sk_test_", "stripe-key", 16 },        { "rk_live_", "stripe-key", 16 },
	{ "whsec_", "webhook-secret", 16 },      { "hvs.", "vault-token", 16 },
	{ "hvb.", "vault-token", 16 },           { "AGE-SECRET-KEY-", "age-key", 16 },
	{ "shpat_", "shopify-token", 20 },       { "lin_api_", "linear-key", 20 },
	{ "PMAK-", "postman-key", 20 },          { "dapi", "databricks-token", 32 },
	{ "tskey-", "tailscale-key", 16 },       { "secret_", "notion-token", 32 },
	{ "sbp_", "supabase-token", 32 },        { "fo1_", "fly-token", 20 },
	{ "nvapi-", "nvidia-key", 20 },          { "pul-", "pulumi-token", 32 },
	{ "wandb_v1_", "wandb-key", 20 },
};

/* Words of a name under which random text is a key. */
static const char *const key_words[] = {
	"key",    "keys",       "apikey",      "token",     "tokens",        "secret", "secrets",
	"passwd", "password",   "passphrase",  "credential", "credentials", "auth",   "bearer",
	"pwd",    "pass",       "pat",         "accesskey", "secretkey",     "signature",
};

/* URL schemes with a connection string; with user info it is a credential, whatever the scheme. */
static const char *const assignments[] = { "password=", "pwd=", "accountkey=", "sharedaccesskey=" };

/* Names that resolve inside only. */
static const char *const inner_names[] = {
	".internal", ".local", ".svc", ".cluster.local", ".lan", ".intranet", ".corp", ".home.arpa",
};

/* IPv4 networks that are nobody's but the operator's; loopback tells nothing. */
static const struct {
	uint32_t network, bits;
} inner_networks[] = {
	{ 0x0a000000, 8 },  { 0xac100000, 12 }, { 0xc0a80000, 16 },
	{ 0x64400000, 10 }, { 0xa9fe0000, 16 },
};

/* Characters of keys: base64, base64url, hexadecimal. */
static bool is_key_char(char c)
{
	return is_letter(c) || is_digit(c) || strchr("+/_-=.", c);
}

static size_t key_span(const char *text)
{
	size_t n = 0;

	while (text[n] && is_key_char(text[n]))
		n++;
	return n;
}

/* ---------------------------------------------------------------- keys */

static const char *family_of(const char *value)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t length = strlen(families[i].prefix);

		if (strncasecmp(value, families[i].prefix, length) == 0 &&
		    (starts_with(value, families[i].prefix) ||
		     strcmp(families[i].name, "age-key") == 0) &&
		    key_span(value + length) >= families[i].least)
			return families[i].name;
	}
	return NULL;
}

/* "-----BEGIN … PRIVATE KEY-----", anywhere: the line breaks may be written as \n. */
static bool is_private_key(const char *value)
{
	const char *begin = strstr(value, "-----BEGIN "), *end;

	if (!begin)
		return false;
	begin += strlen("-----BEGIN ");
	end = strstr(begin, "-----");
	return end && end - begin < 40 && end - begin >= 11 &&
	       memcmp(end - 11, "PRIVATE KEY", 11) == 0;
}

/* Three parts of base64url between dots, the first two of them JSON: "{" is "eyJ". */
static bool is_web_token(const char *value)
{
	unsigned dots = 0;
	const char *second;

	if (!starts_with(value, "eyJ"))
		return false;
	second = strchr(value, '.');
	if (!second || !starts_with(second + 1, "eyJ"))
		return false;
	for (; *value; value++) {
		if (*value == '.')
			dots++;
		else if (!is_letter(*value) && !is_digit(*value) && *value != '-' && *value != '_')
			return false;
	}
	return dots == 2;
}

/* "MY_ApiKey" → "my", "api", "key": split at what is no letter, and where small meets capital. */
static bool names_a_key(const char *name)
{
	char word[32];

	while (*name) {
		size_t n = 0;

		while (*name && !is_letter(*name))
			name++;
		while (is_letter(*name)) {
			bool small = *name >= 'a' && *name <= 'z';

			if (n + 1 < sizeof word)
				word[n++] = lower_case(*name);
			name++;
			if (small && *name >= 'A' && *name <= 'Z')
				break;
		}
		word[n] = '\0';
		for (size_t i = 0; i < sizeof key_words / sizeof *key_words; i++)
			if (strcmp(word, key_words[i]) == 0)
				return true;
	}
	return false;
}

/* At least twenty characters of a key's alphabet, many different ones, digits and letters. */
static bool is_random(const char *value)
{
	uint64_t seen[2] = { 0 };
	size_t length = strlen(value);
	bool digits = false, letters = false;
	int different;

	if (length < 20 || key_span(value) != length || value[0] == '/' || value[0] == '.')
		return false;
	for (; *value; value++) {
		seen[*value / 64] |= UINT64_C(1) << (*value % 64);
		digits |= is_digit(*value);
		letters |= is_letter(*value);
	}
	different = __builtin_popcountll(seen[0]) + __builtin_popcountll(seen[1]);
	return digits && letters && different >= 10;
}

/* ---------------------------------------------------------------- credentials */

/* scheme://user:password@host; a mere user is none. */
static bool has_user_info(const char *value)
{
	const char *start = strstr(value, "://"), *at, *colon;
	size_t length;

	if (!start)
		return false;
	start += 3;
	length = strcspn(start, "/?# \"'");
	at = memchr(start, '@', length);
	if (!at)
		return false;
	colon = memchr(start, ':', (size_t)(at - start));
	return colon && colon + 1 < at;
}

/* "Server=…;Password=…", "host=… password=…" */
static bool is_connection_string(const char *value)
{
	for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++) {
		size_t length = strlen(assignments[i]);

		for (const char *at = value; *at; at++) {
			bool begins = at == value || strchr("; \t&?", at[-1]);

			if (begins && strncasecmp(at, assignments[i], length) == 0 && at[length] &&
			    !strchr("; \t&", at[length]))
				return true;
		}
	}
	return false;
}

/* ---------------------------------------------------------------- addresses */

/* The host of a URL, of host:port, of [v6]:port or of a bare address. */
static bool host_of(const char *value, char *host, size_t size)
{
	const char *start = strstr(value, "://");
	size_t length;

	start = start ? start + 3 : value;
	length = strcspn(start, "/?#, ");
	if (memchr(start, '@', length)) {
		const char *at = memchr(start, '@', length);

		length -= (size_t)(at + 1 - start);
		start = at + 1;
	}
	if (*start == '[') {
		const char *end = memchr(start, ']', length);

		if (!end)
			return false;
		start++;
		length = (size_t)(end - start);
	} else if (memchr(start, ':', length) &&
		   !memchr(strchr(start, ':') + 1, ':',
			   length - (size_t)(strchr(start, ':') + 1 - start))) {
		length = strcspn(start, ":"); /* one colon: a port; more: IPv6 */
	}
	if (length == 0 || length >= size)
		return false;
	for (size_t i = 0; i < length; i++)
		host[i] = lower_case(start[i]);
	host[length] = '\0';
	return true;
}

/* Four decimal parts and nothing else, a prefix length ("/8") apart. */
static bool read_ipv4(const char *text, uint32_t *ret_address)
{
	uint32_t address = 0;

	for (int part = 0; part < 4; part++) {
		unsigned number = 0, digits = 0;

		for (; is_digit(*text) && digits < 4; text++, digits++)
			number = number * 10 + (unsigned)(*text - '0');
		if (digits == 0 || digits > 3 || number > 255)
			return false;
		address = address << 8 | number;
		if (part < 3 && *text++ != '.')
			return false;
	}
	*ret_address = address;
	return !*text;
}

/* fc00::/7 and fe80::/10, by the first group; a zone ("%eth0") may follow. */
static bool is_inner_ipv6(const char *host)
{
	unsigned group = 0, digits = 0;
	size_t n = strspn(host, "0123456789abcdef:.");

	if ((host[n] && host[n] != '%') || !strchr(host, ':'))
		return false;
	for (; *host && *host != ':' && digits < 4; host++, digits++)
		group = group << 4 | (unsigned)(is_digit(*host) ? *host - '0' : *host - 'a' + 10);
	return digits == 4 && *host == ':' &&
	       ((group & 0xfe00) == 0xfc00 || (group & 0xffc0) == 0xfe80);
}

static bool is_inner_name(const char *host)
{
	if (host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.")])
		return false;
	for (size_t i = 0; i < sizeof inner_names / sizeof *inner_names; i++)
		if (ends_with(host, inner_names[i]) && strlen(host) > strlen(inner_names[i]))
			return true;
	return false;
}

static bool is_inner_address(const char *value)
{
	char host[256] = "";
	uint32_t address;

	if (!host_of(value, host, sizeof host))
		return false;
	if (!read_ipv4(host, &address))
		return is_inner_ipv6(host) || is_inner_name(host);
	for (size_t i = 0; i < sizeof inner_networks / sizeof *inner_networks; i++)
		if ((address ^ inner_networks[i].network) >> (32 - inner_networks[i].bits) == 0)
			return true;
	return false;
}

/* ---------------------------------------------------------------- all of it */

static bool is_digest(const char *value)
{
	if (starts_with(value, "sha256:"))
		value += strlen("sha256:");
	return strlen(value) == 64 && strspn(value, "0123456789abcdefABCDEF") == 64;
}

static enum shape shape_told(enum shape shape, const char *family, const char **ret_family)
{
	if (ret_family)
		*ret_family = family;
	return shape;
}

enum shape shape_of(const char *name, const char *value, const char **ret_family)
{
	bool is_key = name && names_a_key(name);
	const char *family = family_of(value);

	if (family)
		return shape_told(SHAPE_KEY, family, ret_family);
	if (is_private_key(value))
		return shape_told(SHAPE_KEY, "private-key", ret_family);
	if (is_web_token(value))
		return shape_told(SHAPE_KEY, "web-token", ret_family);
	if (has_user_info(value))
		return shape_told(SHAPE_CREDENTIAL, "url-user-info", ret_family);
	if (is_connection_string(value))
		return shape_told(SHAPE_CREDENTIAL, "connection-string", ret_family);
	/* Under a key's name even 64 hexadecimal digits are a key; a written "sha256:" is none. */
	if (is_key && is_random(value) && !starts_with(value, "sha256:"))
		return shape_told(SHAPE_KEY, "random-text", ret_family);
	if (is_digest(value))
		return shape_told(SHAPE_DIGEST, "digest", ret_family);
	if (is_inner_address(value))
		return shape_told(SHAPE_ADDRESS, "internal-address", ret_family);
	return shape_told(SHAPE_PLAIN, "plain", ret_family);
}

const char *shape_name(enum shape shape)
{
	static const char *const names[] = {
		[SHAPE_PLAIN] = "plain",     [SHAPE_KEY] = "key",
		[SHAPE_CREDENTIAL] = "credential", [SHAPE_ADDRESS] = "address",
		[SHAPE_DIGEST] = "digest",
	};

	return (unsigned)shape < sizeof names / sizeof *names ? names[shape] : "?";
}
