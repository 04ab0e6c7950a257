#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Targets: what a file declares decides what some scenarios find, in a box where each answer is known
# by other means; files that are no targets; what is remembered of them.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
. tests/cli/past-common.sh

file=$folder/t.yaml
write() {
	{
		echo "sandboxeval-targets: 1"
		cat
	} >"$file"
}

# ---- files that are none
ends 64 "no such file" run none --target "$folder/none.yaml"
complains "sandboxeval: cannot read the targets $folder/none.yaml: No such file or directory"
ends 64 "a folder" run none --target "$folder"
complains "cannot read the targets $folder: Is a directory"
ends 64 "a device that never ends" run none --target /dev/zero
complains "/dev/zero:1:1: this is longer than 256 KiB"
ends 64 "a program" run none --target /bin/sh
complains "/bin/sh:1:1: this is no YAML"
ends 64 "an empty file" run none --target /dev/null
complains "/dev/null:1:1: there is nothing in it"
printf 'sandboxeval-targets: 1\nkernal: 6.1\nmounts: [ data, "/\033[31mred", "/a\\e[0mb" ]\n' >"$file"
ends 64 "control characters" run none --target "$file"
complains "$file:3:"
is_inert "control characters"
write <<-'E'
	kernal: 6.1
	mounts: [ data, /ok, "/a\e[0mb" ]
E
ends 64 "several faults" run none --target "$file"
complains "$file:2:1: there is no target 'kernal'; did you mean 'kernel'?"
complains "$file:3:11: mounts: 'data' is no absolute path"
complains "$file:3:22: mounts:"
is_inert "several faults"
write <<-'E'
	kernel: 6.1
E
ends 0 "with a plan" run none --plan --only system.cpu --target "$file"
sed -n '/^```yaml/,/^```/{/^```/!p}' docs/targets.md >"$file"
ends 0 "the example of docs/targets.md" run none --plan --only system.cpu --target "$file"
for key in kernel engine output mounts answers results harness resolvers; do
	grep -q "^$key: " "$file" && grep -q "^\.BI .*$key: " man/sandboxeval.1
	ok $? "$key is in the example and in the man page"
done
ends 0 "the keys are in the help" run --help
says "--target"
says "resolvers"

# ---- what they decide
if ! as_user bwrap --ro-bind / / true 2>/dev/null; then
	skip "what targets decide" "bubblewrap cannot run here"
	echo "1..$n"
	exit "$failed"
fi
mkdir -p "$folder/data/deep" "$folder/out" "$folder/shut"
echo 42 >"$folder/data/deep/key"
echo '{}' >"$folder/out/ver,dict: 1.json"
chmod -R a+rwX "$folder/data" "$folder/out"
chmod 0 "$folder/shut"
[ "$(id -u)" -ne 0 ] || chown 65534 "$folder/shut"

# found ONLY OPTION...: the report of a run in a box of known content is left in $output
found() {
	only=$1
	shift
	as_user "$program" run bwrap --no-history --only "$only" "$@" --report json -- --unshare-all \
		--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
		--symlink usr/bin /bin --proc /proc --dev /dev --tmpfs /tmp --ro-bind "$folder/data" /data \
		--bind "$folder/out" /out --ro-bind "$folder/shut" /shut --bind /dev/shm /memory \
		--remount-ro / \
		>"$output" 2>"$output.err" </dev/null
	status=$?
	[ "$status" -eq 0 ]
	ok $? "$only is assessed ($status)"
}
# is EXPRESSION NAME: in Python, of the report r, its only result s and the cases c by name
is() {
	python3 - "$output" "$1" >>"$output.err" 2>&1 <<-'EOF'
		import json, sys
		r = json.load(open(sys.argv[1]))
		s = r["results"][0]
		c = {case["case"]: case for case in s["cases"]}
		if not eval(sys.argv[2]):
		    sys.exit(f"not {sys.argv[2]}:\n{json.dumps(s, indent=1)}")
	EOF
	ok $? "$2"
}

found kernel.release
is 's["status"] == "denied" and "targets" not in r' "no target, an old kernel is no finding"
write <<-'E'
	kernel: 99
E
found kernel.release --target "$file"
is 's["status"] == "accessed" and s["baseline"] == "accessed"' "a kernel older than the minimum"
is 'r["targets"] == {"kernel": "99"}' "the report has the target"
is_valid report "with a target"
write <<-'E'
	kernel: 2.6
	engine: 0.1
E
found kernel.release --target "$file"
is 's["status"] == "denied" and s["evidence"]["engine_told_by"] == "the host"' "new enough"
is 's["evidence"]["engine"] in r["sandbox"]["version"]' "the engine's own version is compared"
write <<-'E'
	engine: 99
E
found kernel.release --target "$file"
is 's["status"] == "accessed"' "an engine older than the minimum"
ends 0 "an engine that tells no version" run command --no-history --only kernel.release \
	--target "$file" --report json -- '{probe}'
is 's["status"] == "unknown" and s["reason"] == "no-view"' "is unknown"

found mount.host-tree
is '{"/data", "/out", "/usr"} <= {o["path"] for o in s["objects"]}' "folders from outside"
is '"/memory" in {o["path"] for o in s["objects"]}' "all that the host keeps in memory is, too"
write <<-'E'
	mounts: [ /data/, /usr, /nowhere ]
E
found mount.host-tree --target "$file"
is 'not {"/data", "/usr"} & {o["path"] for o in s["objects"]}' "declared folders are not reported"
is '"/out" in {o["path"] for o in s["objects"]}' "the others are"
is 'c["folders"]["status"] == "accessed" and c["folders"]["evidence"]["declared"] == 2' "and counted"
is 'r["targets"] == {"mounts": ["/data", "/usr", "/nowhere"]}' "a slash behind it is the same folder"
write <<-'E'
	mounts: [ /data, /usr, /out, /shut, /memory ]
E
found mount.host-tree --target "$file"
is 'c["folders"]["status"] == "denied" and c["folders"]["evidence"]["declared"] == 5' "all declared"

found assessment.expected-outputs
is '"declared" not in c' "no target, no such case"
write <<-'E'
	answers: [ /data, /nowhere/at/all ]
E
found assessment.expected-outputs --target "$file"
is 'c["declared"]["status"] == "accessed" and c["declared"]["evidence"]["bytes"] == 3' "answers"
is 'c["declared"]["evidence"]["path"] == "/data/deep/key"' "named by their path"
write <<-'E'
	answers: /nowhere/at/all
E
found assessment.expected-outputs --target "$file"
is 'c["declared"]["status"] == "denied" and c["declared"]["barriers"] == ["absent"]' "no answers"
write <<-'E'
	answers: [ /shut ]
E
found assessment.expected-outputs --target "$file"
# The account of nobody is also what stands for ids that are not mapped: then dac cannot be told.
is 'c["declared"]["barriers"] in (["dac"], ["unattributed"])' "answers in a folder that is shut"

found assessment.reward-files
is '"declared" not in c' "no target, no such case"
write <<-'E'
	results: "/out/ver,dict: 1.json"
E
found assessment.reward-files --target "$file"
is 'c["declared"]["status"] == "accessed" and c["declared"]["evidence"]["by"] == "opens"' "results"
is 'c["declared"]["evidence"]["path"] == "/out/ver,dict: 1.json"' "by a name with comma and colon"
write <<-'E'
	results: /out/later/score.txt
E
found assessment.reward-files --target "$file"
is 'c["declared"]["evidence"]["by"] == "creatable"' "results that can be made beforehand"
write <<-'E'
	results: [ /data/score, /data/deep/key ]
E
found assessment.reward-files --target "$file"
is 'c["declared"]["status"] == "denied" and c["declared"]["barriers"] == ["absent", "read-only"]' \
	"results on a read-only mount"
[ "$(cat "$folder/out/ver,dict: 1.json")" = '{}' ] && [ "$(ls "$folder/out")" = 'ver,dict: 1.json' ]
ok $? "nothing was written, nothing is left behind"

write <<-'E'
	harness: [ /out, /usr/bin/env ]
E
found tamper.harness --target "$file"
is 'c["declared"]["status"] == "accessed" and c["declared"]["evidence"]["path"] == "/out"' "harness"
is 'r["targets"] == {"harness": ["/out", "/usr/bin/env"]}' "the report has them all"
is_valid report "with paths"

write <<-'E'
	output: /out
E
found artefact.symbolic-link --target "$file"
is 's["status"] == "accessed" and s["evidence"]["folder"] == "/out"' "the collected folder"
is 's["baseline"] != "accessed" or s["evidence"]["folder"] == "/out"' "a folder of the sandbox alone"
write <<-'E'
	output: /data
E
found artefact.symbolic-link --target "$file"
is 's["status"] == "denied" and s["barriers"] == ["read-only"]' "a collected folder that is read-only"
write <<-'E'
	output: /otu
E
found artefact --target "$file"
is '{x["reason"] for x in r["results"] if x["id"] != "artefact.replaced-parent"} == {"no-target"}' \
	"a folder that is not there was not meant"

write <<-'E'
	resolvers: [ 127.0.0.99, 198.51.100.53, "2001:db8::53" ]
E
found network.dns --target "$file"
is 'c["resolver"]["status"] == "denied" and "no-route" in c["resolver"]["barriers"]' "resolvers"

# ---- what is remembered
write <<-'E'
	kernel: 6.1
	mounts: [ /work, "/a b" ]
E
ends 0 "a run that is kept" run command --no-baseline --only system.cpu --target "$file" -- '{probe}'
says "targets: kernel 6.1"
says "mounts /work, /a b"
ends 0 "its report" report latest --report json
python3 -c 'import json,sys; r=json.load(open(sys.argv[1]))
assert r["targets"] == {"kernel": "6.1", "mounts": ["/work", "/a b"]}, r["targets"]' "$output" 2>>"$output.err"
ok $? "the history has the targets"
is_valid report "from the history"
cp "$output" "$folder/r.json"
ends 0 "a report that is read" report "$folder/r.json" --report terminal
says "targets: kernel 6.1"
ends 0 "for a browser" report latest --report html
says 'targets: kernel 6.1; mounts /work, /a b'
ends 0 "for Markdown" report latest --report markdown
says 'Targets: `kernel 6.1; mounts /work, /a b`'

finish
