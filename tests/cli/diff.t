#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Differences: a sandbox compared with the same and one control relaxed names that control's
# scenarios and nothing else; the gate ends with 1 on what opened, and only on that.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/cli/past-common.sh
. tests/cli/past-common.sh

# ---- pairs of sandboxes
mkdir "$folder/tmp/d"
echo secret >"$folder/tmp/d/file"
chmod -R 0777 "$folder/tmp/d"
closed="--unshare-all --die-with-parent --clearenv --ro-bind /usr /usr --symlink usr/bin /bin \
--symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp"
# launch LABEL ENGINE-ARGUMENT...
launch() {
	label=$1
	shift
	as_user "$program" run bwrap -q --no-baseline --label "$label" -- "$@" --remount-ro / \
		>"$output" 2>"$output.err" </dev/null
}
# pair NAME EXPECTED RULE RELAXED...: in comparison with the closed sandbox, at least EXPECTED
# opens (a regular expression of ID/CASE), and nothing changes that does not match RULE.
pair() {
	control=$1
	opens=$2
	rule=$3
	shift 3
	launch "$control" "$@"
	ok $? "$control: a run"
	ends 0 "$control: diff" diff base "$control" --json
	jq -r '.changes[] | select(.change | test("^(opened|found-open)$")) | .id + "/" + (.case // "")' \
		"$output" | grep -qE "^($opens)\$"
	ok $? "$control: opens $opens"
	other=$(jq -r '.changes[] | .id + "/" + (.case // "")' "$output" | grep -vE "^($rule)\$")
	[ -z "$other" ]
	ok $? "$control: changes nothing else $other"
}
if as_user bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	# shellcheck disable=SC2086
	{
	launch base $closed
	ok $? "the closed sandbox: a run"
	launch again $closed
	ok $? "and again"
	ends 0 "the same twice" diff base again --fail-on change --evidence
	says " the same."
	! grep -qE 'opened|closed|lost|other barriers|seen otherwise' "$output"
	ok $? "no difference at all, evidence included"

	pair net 'system.network-interfaces/interfaces' \
		'network\..*|[a-z-]+\.[a-z-]*(network|socket|service|net|port|listen|neighbour|route|egress|loopback)[a-z-]*/.*|socket\.abstract/.*|namespace\.(join|shared)/net|procfs\.writable-settings/net-.*' \
		$closed --share-net
	pair variable 'metadata.environment-variables/.*' '[a-z-]+\.[a-z-]*(environment|secret|credential|token|key)[a-z-]*/.*' \
		$closed --setenv AWS_SECRET_ACCESS_KEY 0123456789abcdefghij0123456789abcdefghij
	pair locale 'system.locale/environment' 'system.locale/.*|metadata.environment-variables/.*' \
		$closed --setenv LANG de_DE.UTF-8
	pair passwd 'content.read/etc-passwd' '.*/(etc-)?passwd|.*/etc|system.users/.*|mount.host-writable/files' \
		$closed --ro-bind /etc/passwd /etc/passwd
	pair hosts 'content.read/etc-hosts' '.*/(etc-)?hosts|.*/etc|mount.host-writable/engine-files' \
		$closed --ro-bind /etc/hosts /etc/hosts
	# The same path once for reading and once for writing.
	launch read-only $closed --ro-bind "$folder/tmp/d" /etc
	launch writable $closed --bind "$folder/tmp/d" /etc
	ends 0 "a path writable" diff read-only writable --json
	jq -e '[.changes[] | select(.change == "opened") | .id] | index("structure.create")' "$output" >/dev/null
	ok $? "a writable /etc: files can be created"
	! jq -r '.changes[] | .id + "/" + (.case // "")' "$output" |
		grep -qvE '/etc(-.*)?$|/$|^tamper\.|^mount\.host-writable/folders$'
	ok $? "a writable /etc: nothing else"
	ends 0 "a path writable, for people" diff read-only writable
	says "without  --ro-bind $folder/tmp/d /etc"
	says "with     --bind $folder/tmp/d /etc"
	says "(preload,"
	}
	ends 0 "for people" diff base passwd
	says "with     --ro-bind /etc/passwd /etc/passwd"
	says "Opened: denied before, accessed now"
	says "Denied by other barriers"
	! grep -q "Closed" "$output"
	ok $? "nothing closed"
	ends 0 "the other way round" diff passwd base
	says "Closed: accessed before, denied now"
	ends 1 "--fail-on new" diff base passwd --fail-on new
	ends 0 "--fail-on new, the other way round" diff passwd base --fail-on new
	ends 1 "--fail-on change, the other way round" diff passwd base --fail-on change
else
	skip "pairs of sandboxes" "bubblewrap cannot run here"
fi

# ---- pairs of runc
if [ "$(id -u)" -eq 0 ] && command -v runc >/dev/null; then
	mkdir -p "$folder/oci/rootfs"
	(cd "$folder/oci" && runc spec)
	jq '.linux.namespaces |= map(select(.type != "network"))' "$folder/oci/config.json" \
		>"$folder/oci/net.json"
	jq '.root.readonly = false' "$folder/oci/config.json" >"$folder/oci/writable.json"
	for config in config net writable; do
		ends 0 "runc with $config.json" run runc -q --no-baseline --label "runc-$config" -- \
			--config "$folder/oci/$config.json"
	done
	ends 0 "runc: the network" diff runc-config runc-net --json
	! jq -r '.changes[].id' "$output" | grep -vE '^network\.|(network|service|socket|net|port)|^sysfs\.|^namespace\.shared'
	ok $? "runc: only what the network opens"
	[ "$(jq .count.opened "$output")" -gt 0 ]
	ok $? "and it does"
	ends 0 "runc: a writable root" diff runc-config runc-writable --json
	! jq -r '.changes[] | .id + "/" + (.case // "")' "$output" |
		grep -vE '/root-folder$|writ|create|root|^tamper\.|^artefact\.replaced'
	ok $? "runc: only what a writable root opens"
	jq -e '[.changes[] | select(.change == "opened") | .id] | index("structure.create")' "$output" \
		>/dev/null
	ok $? "and it does"
else
	skip "pairs of runc" "runc is missing, or this is not root"
fi

# ---- the gate of run. The shell in between changes what the probe says.
# gate STATUS NAME SCRIPT OPTION...
gate() {
	expected=$1
	name=$2
	script=$3
	shift 3
	ends "$expected" "$name" run command -q --no-baseline --only system.locale,system.cpu \
		--label gate "$@" -- sh -c "$script"
}
opened='{probe} | sed -u "/system.locale/s/\"status\":\"denied\",\"barriers\":\[[^]]*\]/\"status\":\"accessed\",\"barriers\":[]/g; s/\"accessed\":1,\"denied\":1/\"accessed\":2,\"denied\":0/"'
unknown='{probe} | sed -u "/system.cpu/s/\"status\":\"[a-z]*\"/\"status\":\"unknown\",\"reason\":\"timed-out\"/g; s/\"accessed\":1,\"denied\":1,\"unknown\":0/\"accessed\":0,\"denied\":1,\"unknown\":1/"'
unset LANG LC_ALL LANGUAGE LC_MESSAGES LC_CTYPE
gate 2 "nothing to compare with" 'exec {probe}' --fail-on new
complains "the next run is compared with this one"
gate 0 "the same again" 'exec {probe}' --fail-on new
[ ! -s "$output.err" ]
ok $? "nothing to say"
gate 1 "something opened" "$opened" --fail-on new
complains "newly open since run"
complains "system.locale"
gate 0 "it is open in both: not new" "$opened" --fail-on new
gate 0 "closed again" 'exec {probe}' --fail-on new
gate 0 "unknown is not new" "$unknown" --fail-on new
complains "no longer measured, which is not closed"
ends 0 "and not closed" diff gate~1 gate
says "No longer measured: unknown now, which is not closed"
! grep -q "Closed" "$output"
ok $? "it is not called closed"
gate 1 "what was unknown is open: nobody saw it closed" 'exec {probe}' --fail-on new
gate 2 "cut short" '{probe} | head -n 2'
gate 0 "a run that was cut short is no reference" 'exec {probe}' --fail-on new
gate 0 "without the gate" "$opened"
gate 1 "against a run by name" "$opened" --fail-on new --against gate~8
complains "newly open since run"
"$program" show gate~9 --json >"$folder/first.json"
gate 1 "against a JSON report" "$opened" --fail-on new --against "$folder/first.json" --no-history
complains "newly open since $folder/first.json"
gate 64 "against a run that does not exist" 'exec {probe}' --fail-on new --against nothing
complains "there is no run 'nothing'"
gate 64 "--against alone" 'exec {probe}' --against latest
gate 64 "an unknown gate" 'exec {probe}' --fail-on everything

ends 0 "as JSON" diff gate~1 gate --json --evidence
is_valid diff "a difference with evidence"
ends 0 "of other scenarios" diff "$folder/first.json" gate --json
is_valid diff "a difference"

# ---- mistakes
ends 64 "diff of one" diff latest
ends 64 "diff of three" diff 1 2 3
complains "compare"
ends 64 "an unknown option" diff 1 2 --evidance
complains "did you mean '--evidence'?"
ends 64 "no such file" diff 1 /nonexistent/a.json
echo '{"format":"other"}' >"$folder/other.json"
! "$program" diff 1 "$folder/other.json" >"$output" 2>"$output.err" && [ -s "$output.err" ]
ok $? "a file that is no report is refused"

finish
