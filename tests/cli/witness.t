#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Of communication only an arrival counts. Every way a network can be, in namespaces of our own:
# open, cut, dropping, held by a stranger, behind a proxy, IPv6 only, and lied about from inside.
# The scripts in single quotes are for the shell that stands between the probe and the host.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
output=$folder/output
TMPDIR=$folder/tmp
export TMPDIR
mkdir "$TMPDIR"
# shellcheck source=tests/boxes/netns.sh
. tests/boxes/netns.sh
# shellcheck disable=SC2317  # called by the trap
tidy_up() {
	netns_remove
	rm -rf "$folder"
}
trap tidy_up EXIT
trap 'exit 1' HUP INT TERM
[ "$(id -u)" -eq 0 ] || skip_all "network namespaces need root"
command -v jq >/dev/null || skip_all "jq is not installed"
netns_make || skip_all "network namespaces cannot be made here"

details() {
	jq -c '.results[] | [.id, .status, .baseline, .source, .barriers, .reason, .evidence,
		(.cases | map([.case, .status, .reason, .evidence]))]' "$output" 2>&1
	tail -n 5 "$output.err"
}
# is NAME CONDITION: of the report.
is() {
	jq -e "$2" "$output" >/dev/null 2>&1
	ok $? "$1"
}
# Every scenario's own part that a witness must see: the whole, or of names the case "carried".
parts='[.results[] | if .cases == [] then . else . as $r | .cases[] | select(.case == "carried") +
	{source: $r.source} end]'

# start_witness ADDRESS...: sets $witness to its name.
start_witness() {
	words=
	for address in "$@"; do
		words="$words --listen $address"
	done
	: >"$folder/witness"
	# shellcheck disable=SC2086
	ip netns exec "$there" "$program" witness $words >"$folder/witness" 2>&1 &
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -q -e --witness "$folder/witness" && break
		sleep 0.2
	done
	witness=$(sed -n 's/.*--witness //p' "$folder/witness")
}
# stand_in WHERE WORD...: a server or proxy; it lives until stand_out, or a minute.
stand_in() {
	where=$1
	shift
	: >"$folder/ready"
	ip netns exec "$where" python3 tests/boxes/stand_in.py "$@" </dev/null >"$folder/ready" \
		2>"$folder/stand-in.err" &
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -q ready "$folder/ready" && break
		sleep 0.2
	done
}
stand_out() {
	for process in $(ip netns pids "$1"); do
		kill -KILL "$process" 2>/dev/null
	done
}
# assess SCRIPT [OPTION...]: from where the witness stands; the sandbox is the other namespace.
assess() {
	script=$1
	shift
	ip netns exec "$there" "$program" run command --no-history --only network --witness "$witness" \
		--report json "$@" -- nsenter --net="/run/netns/$inside" sh -c "$script" \
		>"$output" 2>"$output.err" </dev/null
}

start_witness 192.0.2.1 fd00:7::1
[ -n "$witness" ]
ok $? "a witness prints its name"

# ---- an open path
assess 'exec {probe}'
is "open: each of the eight is accessed" "$parts | length == 8 and all(.status == \"accessed\")"
is "open: and witnessed" "$parts | all(.source == \"witnessed\")"
is "open: by both families" "$parts | all(.evidence.family == \"ipv4 ipv6\")"
is "open: directly, and the scope is a named witness" \
	"$parts | all(.evidence.path == \"direct\" and .evidence.scope == \"named\")"
is "open: names by both transports" \
	"$parts | map(select(.case == \"carried\")) | all(.evidence.transport == \"udp tcp\")"
is "open: the same outside" '.results | all(.baseline == "accessed")'
grep -q 'ssh on 22 from 192.0.2.2' "$folder/witness"
ok $? "open: the witness tells of the arrivals"

# ---- IPv6 alone
netns_drop_v4
assess 'exec {probe}'
is "IPv6 only: each of the eight is accessed" "$parts | all(.status == \"accessed\")"
is "IPv6 only: and the evidence says so" "$parts | all(.evidence.family == \"ipv6\")"

# ---- a lie: nothing arrives, but the lines say so
netns_cut
assess '{probe} | sed -u "s/\"status\":\"denied\",\"barriers\":\[[^]]*\]/\"status\":\"accessed\"/g;
	s/\"witness\":\"in vain\"/\"witness\":\"reached\",\"token\":\"0123456789abcdef0123456789abcdef\"/;
	s/\"accessed\":0,\"denied\":[0-9]*,\"unknown\":[0-9]*/\"accessed\":8,\"denied\":0,\"unknown\":0/"'
is "a lie: nothing is witnessed" '.results | all(.source == "self-reported")'
is "a lie: and nothing is believed" \
	"$parts | all(.status == \"unknown\" and .reason == \"contradictory\")"
is "a lie: the evidence says what the witness saw" "$parts | all(.evidence.witness_saw == \"nothing\")"

# ---- a cut link
assess 'exec {probe}'
is "cut: each of the eight is denied" "$parts | all(.status == \"denied\")"
is "cut: by no-route" "$parts | all(.barriers == [\"no-route\"])"

# ---- a lie the other way: it arrives, but the lines deny it
netns_join
assess '{probe} | sed -u "s/\"status\":\"accessed\"/\"status\":\"denied\",\"barriers\":[\"filtered\"]/g;
	s/\"reason\":\"[a-z-]*\",//g;
	s/\"accessed\":[0-9]*,\"denied\":[0-9]*/\"accessed\":0,\"denied\":8/"'
is "an arrival that is denied is contradictory" \
	"$parts | all(.status == \"unknown\" and .reason == \"contradictory\")"

# ---- dropped packets
netns_drop
assess '{probe} | tee '"$folder"'/lines'
is "dropped: each of the eight is denied" "$parts | all(.status == \"denied\")"
is "dropped: by filtered" "$parts | all(.barriers == [\"filtered\"])"
tail -n 1 "$folder/lines" | jq -e '.measured.seconds <= 1.5' >/dev/null
ok $? "dropped: all eight within 1.5 s ($(tail -n 1 "$folder/lines" | jq .measured.seconds))"

# ---- without a baseline a witness in vain proves nothing
assess 'exec {probe}' --no-baseline
is "no baseline: in vain is unknown" \
	"$parts | all(.status == \"unknown\" and .reason == \"no-baseline\")"

# ---- proxies, where there is no other way
netns_cut
stand_in "$inside" proxy refuse 3128
assess 'http_proxy=http://127.0.0.1:3128 exec {probe}'
is "a refusing proxy: proxy-refused" "$parts | map(select(.evidence.ports)) |
	all(.status == \"denied\" and (.barriers | contains([\"proxy-refused\"])))"
assess 'ALL_PROXY=socks5h://127.0.0.1:3128 exec {probe}'
is "a refusing SOCKS proxy: proxy-refused" "$parts | map(select(.evidence.ports)) |
	all(.status == \"denied\" and (.barriers | contains([\"proxy-refused\"])))"
stand_out "$inside"
stand_in "$inside" proxy ask 3128
assess 'http_proxy=http://user:secret@127.0.0.1:3128 exec {probe}'
is "a proxy that asks for credentials: auth-refused" "$parts | map(select(.evidence.ports)) |
	all(.status == \"denied\" and (.barriers | contains([\"auth-refused\"])))"
! jq .results "$output" | grep -q secret
ok $? "a proxy's credentials are not reported"
stand_out "$inside"
stand_in "$inside" proxy open 3128 "$there"
assess 'https_proxy=http://127.0.0.1:3128 exec {probe}'
is "an open proxy: accessed and witnessed" "$parts | map(select(.evidence.ports)) |
	all(.status == \"accessed\" and .source == \"witnessed\")"
is "an open proxy: and the evidence says how" "$parts | map(select(.evidence.ports)) |
	all(.evidence.path | contains(\"connect-proxy\"))"
is "an open proxy: web requests are forwarded too" \
	'.results[] | select(.id == "network.http") | .evidence.path | contains("forwarding-proxy")'
assess 'all_proxy=socks5://localhost:3128 exec {probe}'
is "an open SOCKS proxy: accessed and witnessed" "$parts | map(select(.evidence.ports)) |
	all(.status == \"accessed\" and .source == \"witnessed\" and
		.evidence.path == \"socks-proxy\")"
stand_out "$inside"

# ---- every connection is cut, but the resolver asks on
printf 'nameserver 127.0.0.1\n' >"$folder/resolv.conf"
stand_in "$inside" resolver 127.0.0.1 192.0.2.1 "$there"
assess 'unshare -m sh -c "mount --bind '"$folder"'/resolv.conf /etc/resolv.conf && exec {probe}"'
is "a forwarding resolver: names are carried, and the witness saw it" "$parts |
	map(select(.case == \"carried\")) | length == 1 and all(.status == \"accessed\" and
		.source == \"witnessed\" and .evidence.path == \"resolver\")"
is "a forwarding resolver: nothing else is accessed" \
	"$parts | map(select(.case != \"carried\")) | all(.status == \"denied\")"
stand_out "$inside"

# ---- somebody else answers in the witness's place
ip -n "$inside" link del inner
ip -n "$inside" addr add 192.0.2.1/32 dev lo
ip -n "$inside" addr add fd00:7::1/128 dev lo nodad
for address in 192.0.2.1 fd00:7::1; do
	stand_in "$inside" strangers "$address" 80 8080 443 21 22 25 465 587 5222 6667 1883 53
done
ip -n "$inside" link add elsewhere type veth peer name nowhere
ip -n "$inside" addr add 198.51.100.2/24 dev elsewhere
ip -n "$inside" link set elsewhere up
assess 'exec {probe}'
is "a stranger: interposed" \
	"$parts | all(.status == \"denied\" and (.barriers | contains([\"interposed\"])))"
is "a stranger: nothing is witnessed" '.results | all(.source == "self-reported")'

# ---- the name of a witness
run_with() {
	ip netns exec "$there" "$program" run none --no-history --only network.ftp --witness "$1" \
		>"$output" 2>"$output.err" </dev/null
}
run_with nonsense
[ $? -eq 64 ] && grep -q 'names no witness' "$output.err"
ok $? "a name that is none is a mistake of usage"
run_with "${witness%?}$(printf %s "${witness#"${witness%?}"}" | tr 0-9a-f 1-9a-f0)"
[ $? -eq 2 ] && grep -q 'its token is another' "$output.err"
ok $? "a witness with another token is not the one that was named"
stand_out "$there"
run_with "$witness"
[ $? -eq 2 ] && grep -q 'does not answer' "$output.err"
ok $? "a witness that is gone is named"

# ---- the one that a run starts itself
own() {
	ip netns exec "$there" "$program" run none --no-history --only network --report json "$@" \
		>"$output" 2>"$output.err" </dev/null
}
own
is "our own witness: accessed and witnessed, and the scope is loopback" \
	"$parts | all(.status == \"accessed\" and .source == \"witnessed\" and
		.evidence.scope == \"loopback\")"
is "our own witness: names are asked for on another port" \
	"$parts | map(select(.case == \"carried\")) | all(.evidence.mapped == \"53\")"
[ -z "$(ip netns pids "$there")" ]
ok $? "our own witness: it ends with the run"
own --no-witness
is "without a witness nothing is accessed" "$parts | all(.status != \"accessed\")"

# ---- the bridge of an engine, which is taken for one by its name
netns_join
ip -n "$there" link set outer down
ip -n "$there" link set outer name docker0
ip -n "$there" link set docker0 up
bridged() {
	ip netns exec "$there" "$program" run command --no-history --only network --report json \
		-- nsenter --net="/run/netns/$inside" sh -c 'exec {probe}' "$1" \
		>"$output" 2>"$output.err" </dev/null
}
bridged docker
is "an engine's bridge: accessed and witnessed, and the scope is this host" \
	"$parts | all(.status == \"accessed\" and .source == \"witnessed\" and
		.evidence.scope == \"this-host\")"
bridged other
is "another engine has no bridge: the witness is not reached, which says nothing" \
	"$parts | all(.status == \"unknown\" and .reason == \"no-witness\")"
netns_cut
bridged docker
is "a bridge that is not reached says nothing of other ways out" \
	"$parts | all(.status == \"unknown\" and .reason == \"no-witness\")"

# ---- an ordinary account
netns_join
echo '0 2147483647' | ip netns exec "$there" tee /proc/sys/net/ipv4/ping_group_range >/dev/null
ip netns exec "$there" setpriv --reuid 1234 --regid 1234 --clear-groups "$program" run none \
	--no-history --only network --report json >"$output" 2>"$output.err" </dev/null
is "an ordinary account: privileged ports are mapped, and accessed" '.results[] |
	select(.id == "network.ftp") | .status == "accessed" and .evidence.mapped == "21"'
is "an ordinary account: an echo that nobody sees arrive is unknown" \
	'.results[] | select(.id == "network.ping") |
	.status == "unknown" and .reason == "no-witness"'

finish
