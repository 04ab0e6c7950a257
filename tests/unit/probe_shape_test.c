/* SPDX-License-Identifier: MIT */
/* Shapes of values. The keys are made up, and are put together so that no scanner takes alarm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scenarios/scenario.h"

#define TAIL "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3"
#define HEX32 "0123456789abcdef0123456789abcdef"

static const struct {
	const char *name, *value;
	enum shape shape;
	const char *family; /* NULL: not compared */
} samples[] = {
	{ "X", "AKIA" "0123456789ABCDEF", SHAPE_KEY, "cloud-access-key" },
	{ "X", "AKIA", SHAPE_PLAIN, NULL },
	{ "X", "AKIAtown is a place", SHAPE_PLAIN, NULL },
	{ "X", "ghp_" TAIL, SHAPE_KEY, "github-token" },
	{ "X", "github_pat_" TAIL, SHAPE_KEY, "github-token" },
	{ "X", "glpat-" TAIL, SHAPE_KEY, "gitlab-token" },
	{ "X", "xoxb-" TAIL, SHAPE_KEY, "slack-token" },
	{ "X", "sk-ant-" TAIL, SHAPE_KEY, "anthropic-key" },
	{ "X", "sk-" TAIL, SHAPE_KEY, "model-api-key" },
	{ "X", "sk-short", SHAPE_PLAIN, NULL },
	{ "X", "hf_" TAIL, SHAPE_KEY, "hugging-face-token" },
	{ "X", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", SHAPE_KEY, "web-token" },
	{ "X", "eyJhbGciOiJIUzI1NiJ9", SHAPE_PLAIN, NULL },
	{ "X", "-----BEGIN " "OPENSSH PRIVATE KEY-----\nabc", SHAPE_KEY, "private-key" },
	{ "X", "-----BEGIN " "PRIVATE KEY-----", SHAPE_KEY, "private-key" },
	{ "X", "-----BEGIN CERTIFICATE-----", SHAPE_PLAIN, NULL },
	{ "X", "age-secret-key-" TAIL, SHAPE_KEY, "age-key" },
	{ "SERVICE_TOKEN", TAIL, SHAPE_KEY, "random-text" },
	{ "serviceApiKey", TAIL, SHAPE_KEY, "random-text" },
	{ "KEYBOARD", TAIL, SHAPE_PLAIN, NULL },
	{ "MONKEY", TAIL, SHAPE_PLAIN, NULL },
	{ "SERVICE_TOKEN", "changeme", SHAPE_CREDENTIAL, "password" },
	{ "SERVICE_TOKEN", "/run/secrets/service-token-1234", SHAPE_PLAIN, NULL },
	{ "SERVICE_TOKEN", HEX32 HEX32, SHAPE_KEY, NULL },
	{ "SSH_AUTH_SOCK", "/tmp/ssh-XXXXXXabc123/agent.1234567", SHAPE_PLAIN, NULL },
	{ "X", HEX32 HEX32, SHAPE_DIGEST, NULL },
	{ "X", "sha256:" HEX32 HEX32, SHAPE_DIGEST, NULL },
	{ "X", HEX32, SHAPE_PLAIN, NULL },
	{ "X", "postgres://user:pass@db:5432/name", SHAPE_CREDENTIAL, "url-user-info" },
	{ "X", "https://example.com/a@b", SHAPE_PLAIN, NULL },
	{ "X", "ssh://git@example.com/x", SHAPE_PLAIN, NULL },
	{ "X", "Server=db;User=sa;Password=x1", SHAPE_CREDENTIAL, "connection-string" },
	{ "X", "host=db password=", SHAPE_PLAIN, NULL },
	{ "X", "https://ghp_" TAIL "@github.com/a/b", SHAPE_CREDENTIAL, "url-user-info" },
	{ "X", "https://hooks.slack.com/services/T000/B000/" HEX32, SHAPE_CREDENTIAL, "web-hook" },
	{ "X", "https://discord.com/api/webhooks/1234567890/abcdef", SHAPE_CREDENTIAL, "web-hook" },
	{ "X", "https://hooks.slack.com/", SHAPE_PLAIN, NULL },
	{ "DB_PASS", "secret", SHAPE_CREDENTIAL, "password" },
	{ "API_TOKEN", "abcd1234", SHAPE_CREDENTIAL, "password" },
	{ "SECRET_KEY", "12345678", SHAPE_CREDENTIAL, "password" },
	{ "apiKey", "abcdefgh", SHAPE_CREDENTIAL, "password" },
	{ "PWD", "/home/somebody", SHAPE_PLAIN, NULL },
	{ "TOKEN_LIMIT", "40960000", SHAPE_PLAIN, NULL },
	{ "MAX_TOKENS", "40960000", SHAPE_PLAIN, NULL },
	{ "SORT_KEY", "modified", SHAPE_PLAIN, NULL },
	{ "AUTH_TOKEN", "disabled", SHAPE_PLAIN, NULL },
	{ "TOKENIZERS_PARALLELISM", "somewhat", SHAPE_PLAIN, NULL },
	{ "DB_PASSWORD", "dummy", SHAPE_CREDENTIAL, "password" },
	{ "DB_PASSWORD_FILE", "dummy-file", SHAPE_PLAIN, NULL },
	{ "DB_PASSWORD", "/run/secrets/db", SHAPE_PLAIN, NULL },
	{ "PASSWORD", "true", SHAPE_PLAIN, NULL },
	{ "PASSWORDLESS", "dummy", SHAPE_PLAIN, NULL },
	{ "AWS_SECRET_ACCESS_KEY", "/wJa9rXUtnFEM" "I7MDENG/bPxRfiCYdummydummy", SHAPE_KEY,
	  "random-text" },
	{ "SECRETS", "/var/lib/secrets/2026-01/0a1b2c3d4e5f6a7b", SHAPE_PLAIN, NULL },
	{ "X", "'ghp_" TAIL "'", SHAPE_KEY, "github-token" },
	{ "X", "Bearer ghp_" TAIL, SHAPE_KEY, "github-token" },
	{ "HEADER", "Bearer " TAIL, SHAPE_KEY, "random-text" },
	{ "X", "Bearer of news", SHAPE_PLAIN, NULL },
	{ "APP_KEY", "base64:" TAIL "=", SHAPE_KEY, "random-text" },
	{ "GIT_CONFIG_VALUE_0", "AUTHORIZATION: basic dummy", SHAPE_CREDENTIAL, NULL },
	{ "GIT_CONFIG_PARAMETERS", "'http.extraheader=AUTHORIZATION: basic dummy'",
	  SHAPE_CREDENTIAL, NULL },
	{ "DOCKER_AUTH_CONFIG", "{\"auths\": {\"r.test\": {\"auth\": \"dummy\"}}}",
	  SHAPE_CREDENTIAL, NULL },
	{ "X", "[{\"name\":\"a\",\"password\":\"dummy\"}]", SHAPE_CREDENTIAL, NULL },
	{ "X", "{\"auth\":\"\",\"password\":null,\"a\":\"b", SHAPE_PLAIN, NULL },
	{ "X", "{\"password\":\"${PASSWORD}\"}", SHAPE_PLAIN, NULL },
	{ "X", "app:dummy@tcp(db.test:3306)/app", SHAPE_CREDENTIAL, NULL },
	{ "X", "-----BEGIN PGP " "PRIVATE KEY BLOCK-----", SHAPE_KEY, "private-key" },
	{ "PGPASSWORD", "dummy", SHAPE_CREDENTIAL, "password" },
	{ "SSHPASS", "dummy", SHAPE_CREDENTIAL, "password" },
	{ "githubtoken", "dummy-dummy", SHAPE_CREDENTIAL, "password" },
	{ "COMPASS", "north-north", SHAPE_PLAIN, NULL },
	{ "X", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx", SHAPE_PLAIN, NULL },
	{ "API_KEY", "your-api-key-here", SHAPE_PLAIN, NULL },
	{ "API_KEY", "<put yours here>", SHAPE_PLAIN, NULL },
	{ "API_TOKEN", "********", SHAPE_PLAIN, NULL },
	{ "API_TOKEN", "placeholder", SHAPE_PLAIN, NULL },
	{ "X", "https://x-access-token:${TOKEN}@git.test/x", SHAPE_PLAIN, NULL },
	{ "X", "10.1.2.3", SHAPE_ADDRESS, NULL },
	{ "X", "172.15.0.1", SHAPE_PLAIN, NULL },
	{ "X", "172.31.0.1:8080", SHAPE_ADDRESS, NULL },
	{ "X", "http://192.168.1.1/x", SHAPE_ADDRESS, NULL },
	{ "X", "tcp://10.0.0.1:443", SHAPE_ADDRESS, NULL },
	{ "X", "100.100.100.200", SHAPE_ADDRESS, NULL },
	{ "X", "169.254.169.254", SHAPE_ADDRESS, NULL },
	{ "X", "127.0.0.1", SHAPE_PLAIN, NULL },
	{ "X", "8.8.8.8", SHAPE_PLAIN, NULL },
	{ "X", "10.1.2", SHAPE_PLAIN, NULL },
	{ "X", "10.1.2.3.4", SHAPE_PLAIN, NULL },
	{ "X", "fd00::1", SHAPE_ADDRESS, NULL },
	{ "X", "[fe80::1%eth0]:80", SHAPE_ADDRESS, NULL },
	{ "X", "2001:db8::1", SHAPE_PLAIN, NULL },
	{ "X", "https://kubernetes.default.svc:443", SHAPE_ADDRESS, NULL },
	{ "X", "db.cluster.local", SHAPE_ADDRESS, NULL },
	{ "X", "metadata.google.internal", SHAPE_ADDRESS, NULL },
	{ "X", "/usr/local", SHAPE_PLAIN, NULL },
	{ "X", "", SHAPE_PLAIN, NULL },
	{ NULL, ":", SHAPE_PLAIN, NULL },
	{ "X", "a:b:c", SHAPE_PLAIN, NULL },
	{ "X", "/usr/bin:/bin", SHAPE_PLAIN, NULL },
	{ "TOKEN", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		   "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
	  SHAPE_CREDENTIAL, "password" },
};

static void test_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		const char *family = "unset";
		enum shape shape = shape_of(samples[i].name, samples[i].value, &family);

		if (shape != samples[i].shape)
			fail_msg("%s: %s", samples[i].value, shape_name(shape));
		if (samples[i].family)
			assert_string_equal(family, samples[i].family);
		assert_non_null(family);
	}
}

static void test_without_family(void **state)
{
	(void)state;
	assert_int_equal(shape_of("X", "10.0.0.1", NULL), SHAPE_ADDRESS);
	assert_string_equal(shape_name(SHAPE_DIGEST), "digest");
}

static void test_kinds(void **state)
{
	(void)state;
	assert_string_equal(family_kind("github-token"), "forge");
	assert_string_equal(family_kind("web-hook"), "web-hook");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_samples),
					    cmocka_unit_test(test_without_family),
					    cmocka_unit_test(test_kinds) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
