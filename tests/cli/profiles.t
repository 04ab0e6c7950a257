#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The policies that come with the program, each in a bubblewrap sandbox that satisfies it, as
# docs/policies.md shows it, with the filter that docs/recipes/filter.py writes; and with one
# relaxation: exactly one scenario violates.
cd "$(dirname "$0")/../.." || exit 1
. tests/cli/past-common.sh
for needed in jq bwrap prlimit python3; do
	command -v $needed >/dev/null || skip_all "$needed is missing"
done

filter=$folder/filter.bpf
python3 docs/recipes/filter.py >"$filter" 2>"$output.err" ||
	skip_all "no filter: $(tail -n 1 "$output.err")"
chmod a+r "$filter"
# A filter alone closes what leads out of a virtual machine.
unfiltered_status=0
unfiltered_id=
[ -e /dev/vsock ] && unfiltered_status=1 && unfiltered_id=socket.vsock

# What the relaxations give: a key, hooks of a project, a resolver, what another account left.
things=$folder/things
mkdir -p "$things/left" "$things/work" "$things/project/.git/hooks"
echo 'API_KEY=dummy' >"$things/work/.env"
echo 'ref: refs/heads/main' >"$things/project/.git/HEAD"
echo "nameserver 10.0.0.53" >"$things/resolv.conf"
echo old >"$things/left/by-another"
touch -d 2020-01-01 "$things/left/by-another"
chmod -R a+rX "$things"
chmod -R a+rwX "$things/project"
report=$folder/tmp/report.json

# An account that nobody else uses: the limit counts all processes of the account.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid $((50000 + $$ % 10000)) --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# What the caller of this test left open would go into the sandbox, too; the filter is taken by it.
alone='import os, sys
os.closerange(3, 9 if "--seccomp" in sys.argv else 10)
os.closerange(10, 4096)
os.execvp(sys.argv[1], sys.argv[1:])'

# judged EXPECTED NAME POLICY [BWRAP ARGUMENT...]: within limits, as an ordinary account, with
# an environment of nothing.
judged() {
	expected=$1
	name=$2
	policy=$3
	shift 3
	as_user env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "TMPDIR=$TMPDIR" \
		python3 -c "$alone" prlimit --nproc=64 --as=134217728 --cpu=120 \
		"$program" run bwrap --no-history --policy "$policy" --report "json=$report" -- \
		--unshare-all --unshare-user --disable-userns --as-pid-1 --hostname sandbox \
		--new-session --die-with-parent --clearenv --setenv PATH /usr/bin \
		--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib \
		--symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /dev/shm --tmpfs /tmp \
		"$@" --chdir /tmp --remount-ro / --remount-ro /dev \
		>"$output" 2>"$output.err" </dev/null 9<"$filter"
	status=$?
	jq -r '.results[] | select(.judgement != "conforms") | [.id, .judgement, .rule] | @tsv' \
		"$report" >>"$output" 2>>"$output.err"
	[ "$status" -eq "$expected" ]
	ok $? "$policy: $name: ends with $expected (got $status)"
}
violators() {
	jq -r '[.results[] | select(.judgement != "conforms") | .id] | join(" ")' "$report"
}
satisfies() {
	judged 0 "satisfied" "$1" --seccomp 9
	[ "$(jq -r '.policy.verdict' "$report")" = satisfied ] &&
		[ "$(jq '.summary.conforms' "$report")" -eq "$(jq '.results | length' "$report")" ]
	ok $? "$1: every scenario conforms"
	[ "$(jq '.results | length' "$report")" -eq "$("$program" list | wc -l)" ]
	ok $? "$1: and every scenario was tried"
}
# relaxed POLICY SCENARIO BWRAP-ARGUMENT...
relaxed() {
	policy=$1
	scenario=$2
	shift 2
	judged 1 "relaxed: $*" "$policy" --seccomp 9 "$@"
	[ "$(violators)" = "$scenario" ]
	ok $? "$policy: $scenario violates, and nothing else"
}
# unfiltered POLICY: a filter is not asked for
unfiltered() {
	judged $unfiltered_status "without a filter" "$1"
	[ "$(violators)" = "$unfiltered_id" ]
	ok $? "$1: without a filter ${unfiltered_id:-nothing} violates"
}
satisfies evaluation-harness
relaxed evaluation-harness metadata.environment-variables --setenv SCHEDULER 10.32.0.17:6443
satisfies code-interpreter
unfiltered code-interpreter
relaxed code-interpreter secret.files --ro-bind "$things/work" /workspace
satisfies coding-agent
unfiltered coding-agent
relaxed coding-agent tamper.deferred-execution --bind "$things/project" /project
satisfies online-judge
relaxed online-judge system.timezone --setenv TZ Asia/Tokyo
satisfies ci-runner
unfiltered ci-runner
relaxed ci-runner directory.temporary --ro-bind "$things/left" /tmp
satisfies air-gapped
relaxed air-gapped system.network-interfaces --ro-bind "$things/resolv.conf" /etc/resolv.conf
for policy in evaluation-harness online-judge; do
	judged 1 "without a filter" "$policy"
	violators | grep -q 'kernel.filter-mode.*kernel.surface-open'
	ok $? "$policy: a filter is asked for"
done

# What limits of one process say of the memory of all: bounded NAME STATUS EVIDENCE LIMIT...
bounded() {
	name=$1
	wanted=$2
	seen=$3
	shift 3
	as_user env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "TMPDIR=$TMPDIR" prlimit "$@" \
		"$program" run bwrap --no-history --no-baseline --only danger.exhaust-memory \
		--report json -- --unshare-all --ro-bind /usr /usr --symlink usr/lib /lib \
		--symlink usr/lib64 /lib64 --proc /proc --dev /dev >"$output" 2>"$output.err"
	[ "$(jq -r '.results[0] | .status, .reason // ""' "$output" | xargs)" = "$wanted" ] &&
		jq -e ".results[0].evidence | $seen" "$output" >>"$output.err"
	ok $? "$name: $wanted"
}
bounded "a limit of each process alone" "unknown no-view" \
	'.per_process_limit == 2147483648 and (has("limits_together") | not)' --as=2147483648
bounded "limits that together are too large" "unknown no-view" \
	'.limits_together == 4398046511104 and .processes == 1024' --as=4294967296 --nproc=1024
bounded "limits that together are small" denied \
	'.limits_together == 4294967296 and .processes == 32' --as=134217728 --nproc=32
bounded "a limit that shared memory passes" "unknown no-view" \
	'.rlimit_data == 134217728' --data=134217728 --nproc=32
bounded "no view" "unknown no-view" '.not_visible == "/sys/fs/cgroup"' --nproc=32

# Each policy that there is is here.
for file in host/policies/*.yaml; do
	grep -q "^satisfies $(basename "$file" .yaml)$" tests/cli/profiles.t &&
		grep -q "^relaxed $(basename "$file" .yaml) " tests/cli/profiles.t
	ok $? "$(basename "$file" .yaml) is tested"
done

finish
