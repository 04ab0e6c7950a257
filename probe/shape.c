/* SPDX-License-Identifier: MIT */
/*
 * What a value looks like, by tables: prefixes of key families, connection strings, internal
 * addresses, digests, and random text under a name that says "key". Nothing of the value leaves.
 */
#include <string.h>

#include "probe/text.h"
#include "scenarios/scenario.h"

/* What a key opens. */
enum kind { CLOUD, FORGE, MODEL, PACKAGE, CHAT, PAYMENT };

static const char *const kinds[] = {
	[CLOUD] = "cloud",     [FORGE] = "forge", [MODEL] = "model",
	[PACKAGE] = "package", [CHAT] = "chat",   [PAYMENT] = "payment",
};

/* A prefix proves a key only with so many characters of key behind it. */
static const struct family {
	const char *prefix, *name;
	uint8_t least, kind;
} families[] = {
	{ "AKIA", "cloud-access-key", 16, CLOUD },
	{ "ASIA", "cloud-session-key", 16, CLOUD },
	{ "AIza", "google-api-key", 30, CLOUD },
	{ "ya29.", "google-access-token", 20, CLOUD },
	{ "GOCSPX-", "google-client-secret", 20, CLOUD },
	{ "LTAI", "alibaba-access-key", 12, CLOUD },
	{ "AKID", "tencent-access-key", 32, CLOUD },
	{ "dop_v1_", "digitalocean-token", 32, CLOUD },
	{ "doo_v1_", "digitalocean-token", 32, CLOUD },
	{ "dor_v1_", "digitalocean-token", 32, CLOUD },
	{ "hvs.", "vault-token", 16, CLOUD },
	{ "hvb.", "vault-token", 16, CLOUD },
	{ "tskey-", "tailscale-key", 16, CLOUD },
	{ "fo1_", "fly-token", 20, CLOUD },
	{ "pul-", "pulumi-token", 32, CLOUD },
	{ "dapi", "databricks-token", 32, CLOUD },
	{ "sbp_", "supabase-token", 32, CLOUD },
	{ "HRKU-", "heroku-key", 32, CLOUD },
	{ "SCW", "scaleway-key", 17, CLOUD },
	{ "dp.pt.", "doppler-token", 32, CLOUD },
	{ "dp.st.", "doppler-token", 20, CLOUD },
	{ "ops_ey", "onepassword-token", 64, CLOUD },
	{ "AGE-SECRET-KEY-", "age-key", 16, CLOUD },
	{ "ghp_", "github-token", 30, FORGE },
	{ "gho_", "github-token", 30, FORGE },
	{ "ghu_", "github-token", 30, FORGE },
	{ "ghs_", "github-token", 30, FORGE },
	{ "ghr_", "github-token", 30, FORGE },
	{ "github_pat_", "github-token", 30, FORGE },
	{ "glpat-", "gitlab-token", 16, FORGE },
	{ "gldt-", "gitlab-token", 16, FORGE },
	{ "glrt-", "gitlab-token", 16, FORGE },
	{ "glptt-", "gitlab-token", 16, FORGE },
	{ "glcbt-", "gitlab-token", 16, FORGE },
	{ "glagent-", "gitlab-token", 16, FORGE },
	{ "glsoat-", "gitlab-token", 16, FORGE },
	{ "CI-JOB-", "gitlab-token", 16, FORGE },
	{ "ATBB", "bitbucket-password", 24, FORGE },
	{ "ATATT3x", "atlassian-token", 32, FORGE },
	{ "ATCTT3x", "atlassian-token", 32, FORGE },
	{ "lin_api_", "linear-key", 20, FORGE },
	{ "sntrys_", "sentry-token", 32, FORGE },
	{ "glsa_", "grafana-token", 32, FORGE },
	{ "NRAK-", "new-relic-key", 20, FORGE },
	{ "figd_", "figma-token", 32, FORGE },
	{ "PMAK-", "postman-key", 20, FORGE },
	{ "sk-ant-", "anthropic-key", 16, MODEL },
	{ "sk-proj-", "openai-key", 16, MODEL },
	{ "sk-svcacct-", "openai-key", 16, MODEL },
	{ "sk-admin-", "openai-key", 16, MODEL },
	{ "sk-or-", "openrouter-key", 16, MODEL },
	{ "sk-", "model-api-key", 20, MODEL },
	{ "gsk_", "groq-key", 20, MODEL },
	{ "xai-", "xai-key", 20, MODEL },
	{ "pplx-", "perplexity-key", 20, MODEL },
	{ "r8_", "replicate-key", 20, MODEL },
	{ "hf_", "hugging-face-token", 20, MODEL },
	{ "nvapi-", "nvidia-key", 20, MODEL },
	{ "wandb_v1_", "wandb-key", 20, MODEL },
	{ "fw_", "fireworks-key", 20, MODEL },
	{ "tgp_v1_", "together-key", 20, MODEL },
	{ "pcsk_", "pinecone-key", 32, MODEL },
	{ "lsv2_", "langsmith-key", 32, MODEL },
	{ "npm_", "npm-token", 20, PACKAGE },
	{ "pypi-", "pypi-token", 16, PACKAGE },
	{ "rubygems_", "rubygems-key", 20, PACKAGE },
	{ "dckr_pat_", "docker-token", 16, PACKAGE },
	{ "dckr_oat_", "docker-token", 16, PACKAGE },
	{ "oy2", "nuget-key", 43, PACKAGE },
	{ "cio", "crates-io-token", 32, PACKAGE },
	{ "AKCp", "artifactory-key", 60, PACKAGE },
	{ "xoxa-", "slack-token", 10, CHAT },
	{ "xoxb-", "slack-token", 10, CHAT },
	{ "xoxp-", "slack-token", 10, CHAT },
	{ "xoxr-", "slack-token", 10, CHAT },
	{ "xoxs-", "slack-token", 10, CHAT },
	{ "xoxe.", "slack-token", 20, CHAT },
	{ "xapp-", "slack-token", 10, CHAT },
	{ "secret_", "notion-token", 32, CHAT },
	{ "ntn_", "notion-token", 32, CHAT },
	{ "SG.", "sendgrid-key", 32, CHAT },
	{ "sk_live_", "stripe-key", 16, PAYMENT },
	{ "sk_test_", "stripe-key", 16, PAYMENT },
	{ "rk_live_", "stripe-key", 16, PAYMENT },
	{ "rk_test_", "stripe-key", 16, PAYMENT },
	{ "whsec_", "webhook-secret", 16, PAYMENT },
	{ "shpat_", "shopify-token", 20, PAYMENT },
	{ "shpss_", "shopify-token", 20, PAYMENT },
	{ "sq0atp-", "square-token", 20, PAYMENT },
	{ "sq0csp-", "square-secret", 20, PAYMENT },
	{ "rzp_live_", "razorpay-key", 12, PAYMENT },
	{ "access_token$production$", "paypal-token", 32, PAYMENT },
};

/* Words of a name under which random text is a key. */
static const char *const key_words[] = {
	"key",    "keys",       "apikey",      "token",     "tokens",        "secret", "secrets",
	"passwd", "password",   "passphrase",  "credential", "credentials", "auth",   "bearer",
	"pwd",    "pass",       "pat",         "accesskey", "secretkey",     "signature",
	"authorization",
};

/* Last words of a name whose value is a password, however short. */
static const char *const password_words[] = { "password", "passwd", "passphrase", "pass", "pwd" };

/* The same of what nobody types: it is longer. */
static const char *const secret_words[] = { "secret",    "token",      "apikey",     "accesskey",
					    "secretkey", "credential", "credentials" };

/* Names of their own for a password. */
static const char *const password_names[] = { "SSHPASS", "REDISCLI_AUTH" };

/* Words before "key" that tell it from a key of a table. */
static const char *const kinds_of_key[] = { "secret", "private", "access",     "api",
					    "auth",   "signing", "encryption", "master" };

/* URL schemes with a connection string; with user info it is a credential, whatever the scheme. */
static const char *const assignments[] = { "password=", "pwd=", "accountkey=", "sharedaccesskey=",
					   "sharedaccesssignature=", "authorization: " };

/* What stands before a key, and is none of it. */
static const char *const schemes[] = { "Bearer ", "Basic ", "token ", "base64:" };

/* How values begin that only say that something is to be put there, or was taken away. */
static const char *const stand_ins[] = { "${", "{{", "<", "***", "xxx", "your-", "your_" };

/* Who knows such an address may speak there. */
static const char *const web_hooks[] = {
	"hooks.slack.com/", "/api/webhooks/", ".webhook.office.com/", "outlook.office.com/webhook/",
	"hooks.zapier.com/hooks/", "api.telegram.org/bot", "maker.ifttt.com/trigger/",
	"chat.googleapis.com/v1/spaces/", "open.feishu.cn/open-apis/bot/",
	"oapi.dingtalk.com/robot/", "hook.integromat.com/",
};

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

static bool begins_with_any(const char *text, const char *const words[], size_t n,
			    size_t *ret_length)
{
	for (size_t i = 0; i < n; i++) {
		*ret_length = strlen(words[i]);
		if (strncasecmp(text, words[i], *ret_length) == 0)
			return true;
	}
	return false;
}

static bool is_stand_in(const char *text)
{
	size_t length;

	return begins_with_any(text, stand_ins, sizeof stand_ins / sizeof *stand_ins, &length);
}

/* ---------------------------------------------------------------- keys */

/* "sk-xxxxxxxxxxxxxxxxxxxx" is no key. */
static size_t same_span(const char *text)
{
	size_t n = 0;

	while (text[n] && text[n] == text[0])
		n++;
	return n;
}

static const char *family_of(const char *value)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t length = strlen(families[i].prefix);

		if (strncasecmp(value, families[i].prefix, length) == 0 &&
		    (starts_with(value, families[i].prefix) ||
		     strcmp(families[i].name, "age-key") == 0) &&
		    key_span(value + length) >= families[i].least &&
		    same_span(value + length) < families[i].least)
			return families[i].name;
	}
	return NULL;
}

/* "-----BEGIN … PRIVATE KEY …-----", anywhere: the line breaks may be written as \n. */
static bool is_private_key(const char *value)
{
	const char *begin = strstr(value, "-----BEGIN "), *end;

	if (!begin)
		return false;
	begin += strlen("-----BEGIN ");
	end = strstr(begin, "-----");
	return end && end - begin < 40 && memmem(begin, (size_t)(end - begin), "PRIVATE KEY", 11);
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

/*
 * "MY_ApiKey" → "my", "api", "key": split at what is no letter, and where small meets capital. The
 * first word of the rest into `word`; false: no more.
 */
static bool next_word_of(const char **name, char word[32])
{
	size_t n = 0;

	while (**name && !is_letter(**name))
		++*name;
	while (is_letter(**name)) {
		bool small = **name >= 'a' && **name <= 'z';

		if (n < 31)
			word[n++] = lower_case(**name);
		++*name;
		if (small && **name >= 'A' && **name <= 'Z')
			break;
	}
	word[n] = '\0';
	return n > 0;
}

static bool is_among(const char *word, const char *const words[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* "dbpassword", written in one; what is short ends too many words. */
static bool ends_with_any(const char *word, const char *const words[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, words[i]) == 0 ||
		    (strlen(words[i]) >= 5 && ends_with(word, words[i])))
			return true;
	return false;
}

static bool names_a_key(const char *name)
{
	char word[32];

	while (next_word_of(&name, word))
		if (is_among(word, key_words, sizeof key_words / sizeof *key_words))
			return true;
	return false;
}

/* What begins as a path does, unless sixteen characters in a row are drawn by lot, as base64 is. */
static bool is_path(const char *value)
{
	unsigned n = 0, seen = 0;

	if (*value != '/' && *value != '.')
		return false;
	for (; *value; value++) {
		unsigned kind = is_digit(*value) ? 1 : !is_letter(*value) ? 0 :
				*value >= 'a' ? 2 : 4;

		n = kind ? n + 1 : 0;
		seen = kind ? seen | kind : 0;
		if (n >= 16 && seen == 7)
			return false;
	}
	return true;
}

/* Neither a place where it stands nor a word that switches it on or off. */
static bool is_said(const char *value, size_t shortest)
{
	static const char *const switches[] = {
		"true",	   "false",    "none",	  "null",     "prompt",	  "enabled",
		"disabled", "default", "required", "redacted", "placeholder", "not-needed",
	};

	return strlen(value) >= shortest && !is_path(value) && value[0] != '$' &&
	       !is_stand_in(value) &&
	       !is_among(value, switches, sizeof switches / sizeof *switches);
}

/* The last words of the name say that the value is secret: PASSWORD_FILE is none, nor TOKEN_LIMIT. */
static bool is_named_secret(const char *name, const char *value)
{
	char word[32] = "", before[32] = "", next[32];
	const char *rest = name;

	while (next_word_of(&rest, next)) {
		format_text(before, sizeof before, "%s", word);
		format_text(word, sizeof word, "%s", next);
	}
	if (ends_with_any(word, password_words, sizeof password_words / sizeof *password_words) ||
	    is_among(name, password_names, sizeof password_names / sizeof *password_names))
		return is_said(value, 4);
	if (strcmp(word, "key") == 0)
		return is_among(before, kinds_of_key, sizeof kinds_of_key / sizeof *kinds_of_key) &&
		       is_said(value, 8);
	return ends_with_any(word, secret_words, sizeof secret_words / sizeof *secret_words) &&
	       is_said(value, 8);
}

/* At least twenty characters of a key's alphabet, many different ones, digits and letters. */
static bool is_random(const char *value)
{
	uint64_t seen[2] = { 0 };
	size_t length = strlen(value);
	bool digits = false, letters = false;
	int different;

	if (length < 20 || key_span(value) != length || is_path(value))
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
	length = strcspn(start, "/?# \"'\t\r\n<>");
	at = memchr(start, '@', length);
	if (!at)
		return false;
	/* A user's name that is a key needs no password. */
	if (family_of(start))
		return true;
	colon = memchr(start, ':', (size_t)(at - start));
	return colon && colon + 1 < at && !is_stand_in(colon + 1);
}

/* "Server=…;Password=…", "host=… password=…", "user:password@tcp(db:3306)/name" */
static bool is_connection_string(const char *value)
{
	const char *host = strstr(value, "@tcp(");

	if (host && memchr(value, ':', (size_t)(host - value)))
		return true;
	for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++) {
		size_t length = strlen(assignments[i]);

		for (const char *at = value; *at; at++) {
			bool begins = at == value || strchr("; \t&?='\"", at[-1]);

			if (begins && strncasecmp(at, assignments[i], length) == 0 && at[length] &&
			    !strchr("; \t&", at[length]))
				return true;
		}
	}
	return false;
}

/* {"auths":{"r.test":{"auth":"…"}}} */
static bool has_named_secret(const char *text)
{
	char name[32];

	if (*text != '{' && *text != '[')
		return false;
	while ((text = strchr(text, '"'))) {
		const char *end = strchr(text + 1, '"'), *value;

		if (!end)
			return false;
		format_text(name, sizeof name, "%s", text + 1);
		name[strcspn(name, "\"")] = '\0';
		text = end + 1;
		value = text + strspn(text, " :");
		if (*text != ':' || *value != '"' || value[1] == '"')
			continue;
		text = value;
		if (strcmp(name, "auth") == 0 || is_named_secret(name, value + 1))
			return true;
	}
	return false;
}

static bool is_web_hook(const char *value)
{
	if (!starts_with(value, "https://"))
		return false;
	for (size_t i = 0; i < sizeof web_hooks / sizeof *web_hooks; i++) {
		const char *at = strstr(value, web_hooks[i]);

		if (at && key_span(at + strlen(web_hooks[i])) >= 10)
			return true;
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
		const char *digits = text;
		uint64_t number = leading_number(text, &text);

		if (!is_digit(*digits) || text - digits > 3 || number > 255)
			return false;
		address = address << 8 | (uint32_t)number;
		if (part < 3 && *text++ != '.')
			return false;
	}
	*ret_address = address;
	return !*text;
}

/* fc00::/7 and fe80::/10, by the first group; a zone ("%eth0") may follow. */
static bool is_inner_ipv6(const char *host)
{
	uint64_t group = leading_hex(host);
	size_t n = strspn(host, "0123456789abcdef:.");

	if ((host[n] && host[n] != '%') || strspn(host, "0123456789abcdef") != 4 || host[4] != ':')
		return false;
	return (group & 0xfe00) == 0xfc00 || (group & 0xffc0) == 0xfe80;
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
	const char *family;
	size_t length;

	value += strspn(value, " \t\"'");
	if (begins_with_any(value, schemes, sizeof schemes / sizeof *schemes, &length)) {
		is_key = true;
		value += length;
	}
	family = family_of(value);
	if (family)
		return shape_told(SHAPE_KEY, family, ret_family);
	if (is_private_key(value))
		return shape_told(SHAPE_KEY, "private-key", ret_family);
	if (is_web_token(value))
		return shape_told(SHAPE_KEY, "web-token", ret_family);
	if (has_user_info(value))
		return shape_told(SHAPE_CREDENTIAL, "url-user-info", ret_family);
	if (is_connection_string(value) || has_named_secret(value))
		return shape_told(SHAPE_CREDENTIAL, "connection-string", ret_family);
	if (is_web_hook(value))
		return shape_told(SHAPE_CREDENTIAL, "web-hook", ret_family);
	/* Under a key's name even 64 hexadecimal digits are a key; a written "sha256:" is none. */
	if (is_key && is_random(value) && !starts_with(value, "sha256:"))
		return shape_told(SHAPE_KEY, "random-text", ret_family);
	if (name && is_named_secret(name, value))
		return shape_told(SHAPE_CREDENTIAL, "password", ret_family);
	if (is_digest(value))
		return shape_told(SHAPE_DIGEST, "digest", ret_family);
	if (is_inner_address(value))
		return shape_told(SHAPE_ADDRESS, "internal-address", ret_family);
	return shape_told(SHAPE_PLAIN, "plain", ret_family);
}

const char *family_kind(const char *family)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (strcmp(families[i].name, family) == 0)
			return kinds[families[i].kind];
	return family;
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
