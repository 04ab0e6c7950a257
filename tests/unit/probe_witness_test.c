/* SPDX-License-Identifier: MIT */
/*
 * The witness as the probe knows it: only its token is believed, its ports are found where they are
 * mapped to, and a proxy's address is taken from a value that may hold anything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "probe/proxies.h"
#include "probe/witness.h"

#define TOKEN "00112233445566778899aabbccddeeff"

struct options options = { .level = LEVEL_TOUCH, .timeout = 2 };

static const struct scenario scenario;
static const struct scenario_row row = { .id = "network.ftp", .scenario = &scenario };
static struct trial trial = { .row = &row, .index = 42 };

static int give_facts(void **state)
{
	static char facts[1024];
	char hash[SHA256_TEXT];
	const char *fault;

	(void)state;
	sha256_text(hash, TOKEN, strlen(TOKEN));
	snprintf(facts, sizeof facts,
		 "witness=192.0.2.1+2001:db8::1+nonsense,witness.hash=%s,"
		 "witness.nonce=0123456789abcdef,witness.scope=named,"
		 "witness.ports=53:41000+25:0,witness.echo=10,"
		 "witness.saw=network.ssh+network.ftp", hash);
	assert_true(facts_parse(facts, &fault));
	return 0;
}

static struct witness known(void)
{
	struct witness witness;

	assert_true(witness_known(&trial, &witness));
	return witness;
}

static void facts_are_understood(void **state)
{
	struct witness witness = known();

	(void)state;
	assert_int_equal(witness.n, 2);
	assert_int_equal(witness.addresses[0].any.sa_family, AF_INET);
	assert_int_equal(witness.addresses[1].any.sa_family, AF_INET6);
	assert_string_equal(witness.nonce, "0123456789abcdef002a");
	assert_int_equal(witness_reached_outside(&trial), OUTSIDE_REACHED);
	assert_true(witness_sees_echo(&witness, AF_INET));
	assert_false(witness_sees_echo(&witness, AF_INET6));
}

static void ports_are_found(void **state)
{
	struct witness witness = known();

	(void)state;
	assert_int_equal(witness_port(&witness, 53), 41000);
	assert_int_equal(witness_port(&witness, 25), 0);
	assert_int_equal(witness_port(&witness, 80), 80);
	witness.ports = NULL;
	assert_int_equal(witness_port(&witness, 53), 53);
	witness.ports = "nonsense+:+53:+:5";
	assert_int_equal(witness_port(&witness, 53), 53);
}

static bool spoke(const char *text)
{
	struct witness witness = known();

	return witness_spoke(&witness, (const unsigned char *)text, strlen(text));
}

static void only_the_token_is_believed(void **state)
{
	struct witness witness = known();

	(void)state;
	assert_true(spoke(TOKEN));
	assert_true(spoke("220 sandboxeval " TOKEN "\r\n"));
	assert_true(spoke("abcdef" TOKEN));
	assert_false(spoke(""));
	assert_false(spoke("220 sandboxeval 00112233445566778899aabbccddeef\r\n"));
	assert_false(spoke("220 sandboxeval 10112233445566778899aabbccddeeff\r\n"));
	/* What the probe itself was given is no proof. */
	assert_false(spoke(witness.hash));
	assert_false(spoke(witness.nonce));
}

static void proxies_are_taken_apart(void **state)
{
	static const struct {
		const char *value;
		uint16_t port; /* 0: not to be tried */
		bool is_socks, is_v6;
	} cases[] = {
		{ "http://192.0.2.7:3128", 3128, false, false },
		{ "http://192.0.2.7:3128/", 3128, false, false },
		{ "192.0.2.7", 80, false, false },
		{ "192.0.2.7:8080", 8080, false, false },
		{ "http://user:p@ss:word@192.0.2.7:3128/x", 3128, false, false },
		{ "socks5://[2001:db8::7]:1081", 1081, true, true },
		{ "socks5h://[2001:db8::7]", 1080, true, true },
		{ "http://localhost:8080", 8080, false, false },
		{ "https://192.0.2.7:3128", 0, false, false },
		{ "http://192.0.2.7:0", 0, false, false },
		{ "http://192.0.2.7:70000", 0, false, false },
		{ "http://192.0.2.7:x", 0, false, false },
		{ "http://[2001:db8::7", 0, false, false },
		{ "http://no.such.name.invalid:80", 0, false, false },
		{ "http://", 0, false, false },
		{ "", 0, false, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct record *record = test_calloc(1, sizeof *record);
		struct proxy proxy;
		bool taken;

		trial.record = record;
		taken = proxy_parse(&trial, cases[i].value, &proxy);
		test_free(record);
		assert_int_equal(taken, cases[i].port != 0);
		if (!taken)
			continue;
		assert_int_equal(ntohs(proxy.address.v4.sin_port), cases[i].port);
		assert_int_equal(proxy.is_socks, cases[i].is_socks);
		assert_int_equal(proxy.address.any.sa_family,
				 cases[i].is_v6 ? AF_INET6 : AF_INET);
	}
}

static void exceptions_are_no_proxies(void **state)
{
	(void)state;
	assert_true(names_a_proxy("http_proxy"));
	assert_true(names_a_proxy("ALL_PROXY"));
	assert_true(names_a_proxy("npm_config_https_proxy"));
	assert_false(names_a_proxy("no_proxy"));
	assert_false(names_a_proxy("NO_PROXY"));
	assert_false(names_a_proxy("PROXY"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_are_understood),
		cmocka_unit_test(ports_are_found),
		cmocka_unit_test(only_the_token_is_believed),
		cmocka_unit_test(proxies_are_taken_apart),
		cmocka_unit_test(exceptions_are_no_proxies),
	};

	return cmocka_run_group_tests(tests, give_facts, NULL);
}
