#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Policies: the exit statuses as a table, the commands of sandboxeval policy, and files that are
# no policies. A shell between the probe and the host makes the answers that the table needs.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
. tests/cli/past-common.sh

policy=$folder/p.yaml
write() {
	{
		echo "sandboxeval-policy: 1"
		cat
	} >"$policy"
}
# judged EXPECTED NAME STATUS [OPTION...]: system.cpu comes out as STATUS, and the policy judges.
judged() {
	expected=$1
	name=$2
	status=$3
	shift 3
	case $status in
	accessed) rest='' counts='"accessed":1,"denied":0,"unknown":0' ;;
	denied) rest='"barriers":["absent"],' counts='"accessed":0,"denied":1,"unknown":0' ;;
	unknown) rest='"reason":"timed-out",' counts='"accessed":0,"denied":0,"unknown":1' ;;
	esac
	ends "$expected" "$name" run command --no-baseline --no-history --only system.cpu \
		--policy "$policy" "$@" -- sh -c "{probe} | sed -u \
		-e 's/^{\"id\".*/{\"id\":\"system.cpu\",\"status\":\"$status\",${rest}\"evidence\":{\"count\":8}}/' \
		-e 's/^{\"end\".*/{\"end\":1,\"trials\":1,$counts,\"clean\":true,\"measured\":{}}/'"
}
lacks() {
	! grep -qF -- "$1" "$output"
	ok $? "does not say: $1"
}

# ---- exit statuses
write <<-'E'
	default: deny
E
judged 0 "satisfied" denied
says "satisfies the policy p;"
says "SATISFIED: 1 of 1 scenarios conform to the policy."
judged 1 "violated" accessed
says "violates the policy p in 1 of 1;"
says "system.cpu  info  default: deny"
judged 2 "what must be known is unknown" unknown
says "not known to satisfy the policy p;"
says "Unmeasured, and the policy needs to know"

write <<-'E'
	default: deny
	unknown: warn
E
judged 0 "unknown, with a warning" unknown
says "Unmeasured, and the policy lets it pass with a warning"
judged 1 "violated, whatever unknown is" accessed
write <<-'E'
	default: deny
	unknown: ignore
E
judged 0 "unknown, ignored" unknown
says "SATISFIED: 0 of 1 scenarios conform to the policy, 1 unmeasured."
lacks "Unmeasured,"

write <<-'E'
	default: deny
	waivers:
	  - waive: system.cpu
	    reason: the job sizes itself by it
	    until: 2099-12-31
E
judged 0 "waived" accessed
says "Waived"
says "waived until 2099-12-31 (line 4): the job sizes itself by it"
judged 0 "waived, and unknown" unknown
write <<-'E'
	default: deny
	waivers:
	  - waive: system.cpu
	    reason: the job sizes itself by it
	    until: 2026-01-31
E
judged 1 "an expired waiver" accessed
says "the waiver (line 4) expired after 2026-01-31"
judged 0 "an expired waiver that is not needed" denied

write <<-'E'
	default: deny
	rules:
	  - require: system.cpu
E
judged 0 "required and possible" accessed
judged 1 "required and denied" denied
says "require system.cpu (line 4): it is denied"
judged 2 "required and unknown" unknown
write <<-'E'
	default: deny
	unknown: ignore
	rules:
	  - require: system.cpu
E
judged 2 "required and unknown, whatever the policy says of unknown" unknown
write <<-'E'
	default: deny
	rules:
	  - allow: system.cpu
	  - require: system.memory
E
judged 2 "required and not tried" accessed
says "The policy requires system.memory, which was not tried."

write <<-'E'
	default: deny
	rules:
	  - allow: system.cpu
	    at-most: { count: 8 }
E
judged 0 "within a bound" accessed
write <<-'E'
	default: deny
	rules:
	  - allow: system.cpu
	    at-most: { count: 4 }
E
judged 1 "beyond a bound" accessed
says "allow system.cpu (line 4): count is 8, more than 4"

write <<-'E'
	default: allow
E
ends 2 "an incomplete run" run command --no-baseline --no-history --only system.cpu \
	--policy "$policy" -- sh -c '{probe} | head -n 2'
says "INCOMPLETE, not known to satisfy the policy p;"
ends 2 "no trial at all" run command --no-baseline --no-history --only system.cpu \
	--skip system --policy "$policy" -- '{probe}'
ends 2 "a sandbox that cannot be started" run command --no-history --policy "$policy" -- \
	/nonexistent/wrapper '{probe}'

# ---- misuse, before anything is launched
ends 64 "a policy that is not there" run none --no-history --policy ci-runer
complains "did you mean 'ci-runner'?"
ends 64 "a file that is not there" run none --no-history --policy /nonexistent/p.yaml
complains "cannot read the policy /nonexistent/p.yaml: No such file or directory"
printf 'sandboxeval-policy: 1\ndefault: deny\nrules:\n  - deny: [system.cpuu]\n' >"$policy"
ends 64 "a policy with a mistake" run command --no-history --policy "$policy" -- \
	sh -c ": >'$folder/launched'; exec {probe}"
complains "$policy:4:12: there is no scenario 'system.cpuu'; did you mean 'system.cpu'?"
[ ! -e "$folder/launched" ]
ok $? "nothing was launched"

# ---- the report for programs
write <<-'E'
	name: mine
	default: deny
	rules:
	  - allow: system.memory
E
judged 1 "quiet" accessed --quiet
complains "sandboxeval: violates the policy mine: system.cpu"
judged 2 "quiet, and unknown" unknown --quiet
complains "sandboxeval: not known to satisfy the policy mine: system.cpu"
judged 0 "quiet, and satisfied" denied --quiet
[ ! -s "$output" ] && [ ! -s "$output.err" ]
ok $? "says nothing"
judged 1 "JSON" accessed --report json
if command -v jq >/dev/null; then
	[ "$(jq -c '[.policy, .summary.violates, .results[0].judgement, .results[0].rule]' "$output")" = \
		"[{\"name\":\"mine\",\"source\":\"$policy\",\"verdict\":\"violated\"},1,\"violates\",\"default: deny\"]" ]
	ok $? "JSON has the policy, its verdict and the rule"
else
	skip "JSON has the policy" "jq is missing"
fi

# ---- policy list, show, check
for file in host/policies/*.yaml; do
	shipped=$(basename "$file" .yaml)
	ends 0 "list" policy list
	says "$shipped "
	"$program" policy show "$shipped" 2>&1 | cmp -s - "$file"
	ok $? "show $shipped: as it was written"
	ends 0 "check $shipped" policy check "$shipped"
	says "$shipped: fine: "
done
ends 64 "show: an unknown name" policy show code-interpretre
complains "did you mean 'code-interpreter'?"
ends 64 "no verb" policy
ends 64 "an unknown verb" policy chekc x
complains "did you mean 'check'?"
ends 64 "check what?" policy check
ends 64 "one word too many" policy list all
ends 0 "help" policy --help
says "init"

# ---- the examples of the documentation are policies
sed -n '/^```yaml/,/^```/{/^```/!p}' docs/policies.md >"$policy"
ends 0 "the example of docs/policies.md" policy check "$policy"
says "6 rules, 1 waiver,"
sed -n '/^\.RS/,/^\.RE/{/^\./!p}' man/sandboxeval-policy.5 | tr -d '\134' >"$policy"
ends 0 "the example of sandboxeval-policy(5)" policy check "$policy"
says "4 rules, 1 waiver,"

# ---- policy init
ends 0 "a run to accept" run command --no-baseline --no-history --report "json=$folder/run.json" \
	--only system,content,danger --skip system.processes -- '{probe}'
ends 0 "init" policy init "$folder/run.json"
cp "$output" "$folder/init.yaml"
ends 0 "what init writes is a policy" policy check "$folder/init.yaml"
ends 0 "the same sandbox satisfies it" run command --no-baseline --no-history --quiet \
	--policy "$folder/init.yaml" --only system,content,danger --skip system.processes -- '{probe}'
ends 1 "a sandbox that gives more does not" run command --no-baseline --no-history \
	--policy "$folder/init.yaml" --only system --skip system.processes -- env TZ=Asia/Tokyo '{probe}'
says "system.timezone  info  environment: default: deny"
ends 64 "init from no report" policy init /etc/passwd
complains "/etc/passwd:1:"
ends 0 "a run that is kept" run command --no-baseline --quiet --only system.cpu -- '{probe}'
ends 0 "init from a run that is kept" policy init latest
says "  - allow:"
ends 2 "a run that is incomplete" run command --no-baseline --no-history \
	--report "json=$folder/part.json" --only system -- sh -c '{probe} | head -n 3'
ends 2 "init from an incomplete run" policy init "$folder/part.json"
complains "is incomplete, so no policy was written"
[ ! -s "$output" ]
ok $? "and prints nothing"

# ---- files that are no policies: one clear line each, and no crash
refuses() {
	ends 64 "$1" policy check "$policy"
	complains "$policy:$2"
}
: >"$policy"
refuses "empty" "1:1: there is nothing in it"
complains "sandboxeval policy init RUN"
head -c 100000 /dev/urandom >"$policy"
refuses "binary" ""
head -c 1000000 /dev/zero | tr '\0' x >"$policy"
refuses "huge" "1:1: this is longer than 256 KiB"
{ printf 'a: '; head -c 100000 /dev/zero | tr '\0' '['; } >"$policy"
refuses "nested" "1:12: this is nested too deep"
printf 'a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n' >"$policy"
refuses "an alias bomb" "1:4: anchors and aliases are not used here"
printf 'default: deny\ndefault: allow\n' >"$policy"
refuses "a key twice" "2:1: 'default' is here for the second time; line 1 has it already"
printf 'rules:\n\t- allow: system\n' >"$policy"
refuses "a tab" "2:1: this is no YAML: "
printf 'default: \033[2Jdeny\n' >"$policy"
refuses "an escape sequence" "1:10: this is no YAML: control characters are not allowed"
printf 'default: "\\e[2J"\n' >"$policy"
refuses "a quoted escape sequence" "1:10: there is no default '\\x1b[2J'"
! grep -q "$(printf '\033')" "$output.err"
ok $? "nothing reaches the terminal"
ends 64 "a folder" policy check /
ends 64 "a device" policy check /dev/zero

finish
