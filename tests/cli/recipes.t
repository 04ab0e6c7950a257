#!/bin/sh
# SPDX-License-Identifier: MIT
#
# docs/recipes.md: the marks of the launcher `command`, and every recipe as far as it can be tried
# without the service that it is for. docs/recipes.md says the same.
# The scripts in single quotes are for the shells that are launched.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
probe=$(realpath -m "${BUILD:-build}/sandboxeval-probe")
[ -x "$probe" ] || skip_all "$probe is not built"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output
XDG_DATA_HOME=$folder/data
RUNNER_TEMP=$folder/runner
export XDG_DATA_HOME RUNNER_TEMP
mkdir "$RUNNER_TEMP" "$folder/bin" "$folder/scripts"
few=system.cpu,system.locale
recipes=$PWD/docs/recipes
# ends STATUS NAME COMMAND…
ends() {
	expected=$1
	name=$2
	shift 2
	"$@" >"$output" 2>&1 </dev/null
	status=$?
	[ "$status" -eq "$expected" ]
	ok $? "$name: ends with $expected (got $status)"
}
# away STATUS NAME WORD…: a launch by the launcher `command`
away() {
	expected=$1
	name=$2
	shift 2
	ends "$expected" "$name" "$program" run command --no-history --no-baseline --only "$few" \
		--report "json=$folder/report.json" -q -- "$@"
}
stand_in() {
	cat >"$folder/bin/$1"
	chmod +x "$folder/bin/$1"
}
PATH=$folder/bin:$PATH

# ---- the marks
away 0 '{probe}' env -i '{probe}'
away 0 '{probe} in a text' sh -c 'exec {probe}'
away 0 '{probe-file} and {options}' env -i '{probe-file}' '{options}'
away 0 '{probe-file} in a text' sh -c "cp {probe-file} $folder/copy && $folder/copy {options}"
away 0 '{options}, the probe there already' "$probe" '{options}'
away 0 '{options} in a text' sh -c "exec $probe {options}"
jq -e '.complete and (.results | length) == 2 and .sandbox.argv[2] == "exec '"$probe"' {options}"' \
	"$folder/report.json" >"$output"
ok $? 'the report has the marks, not what they became'
stand_in ssh <<'END'
#!/bin/sh
# A shell elsewhere gets all words as one line, with no variable and no file of ours.
shift
cd / && exec env -i PATH="$PATH" TMPDIR="$REMOTE" sh -c "$*"
END
mkdir "$folder/remote"
REMOTE=$folder/remote
export REMOTE
line='p=$(mktemp) && cat >$p && chmod +x $p && $p {options} </dev/null; s=$?; rm -f $p; exit $s'
away 0 '{probe-stdin}, through ssh' ssh host "$line" '{probe-stdin}'
grep -qF "$line" docs/recipes.md
ok $? 'that is the line in the page'
[ -z "$(ls -A "$folder/remote")" ]
ok $? 'nothing is left there'
away 2 'standard input is empty without the mark' ssh host "$line"
TMPDIR="$folder/with blank" && mkdir "$TMPDIR" && export TMPDIR
away 0 'a path with a blank, words' env -i '{probe-file}' '{options}'
away 0 'a path with a blank, a text' sh -c 'cat {probe-file} >/dev/null && exec {probe}'
unset TMPDIR
away 64 'no mark' true
says '{probe}'
away 64 'no options' sh -c 'exec {probe-file}'
says '{options}'
away 64 '{probe-stdin} in a text' sh -c 'cat {probe-stdin} {options}'
says 'a word of its own'

# ---- a container that runs already
# shellcheck source=tests/boxes/engines.sh
. tests/boxes/engines.sh
if docker_start "$folder/docker"; then
	trap 'docker_stop; engine_unmount "$folder"; rm -rf "$folder"' EXIT
	busybox_root "$folder/root"
	tar -C "$folder/root" -c . | docker import - recipes >"$output" 2>&1
	docker run --detach --name sandboxeval-recipes --network none recipes \
		/bin/sleep 600 >>"$output" 2>&1
	ok $? 'a container runs'
	docker cp -q "$probe" sandboxeval-recipes:/tmp/sandboxeval-probe >>"$output" 2>&1 ||
		docker cp "$probe" sandboxeval-recipes:/tmp/sandboxeval-probe >>"$output" 2>&1
	away 0 'docker cp and exec' docker exec sandboxeval-recipes /tmp/sandboxeval-probe '{options}'
	docker exec sandboxeval-recipes /bin/busybox rm /tmp/sandboxeval-probe
	line='cat >/tmp/p && chmod +x /tmp/p && /tmp/p {options} </dev/null; s=$?; rm -f /tmp/p; exit $s'
	docker exec sandboxeval-recipes /bin/busybox --install -s /bin >>"$output" 2>&1
	away 0 'the probe through standard input' docker exec -i sandboxeval-recipes sh -c "$line" \
		'{probe-stdin}'
	grep -qF "$line" docs/recipes.md
	ok $? 'that is the line in the page'
	[ -z "$(docker exec sandboxeval-recipes ls -A /tmp)" ]
	ok $? 'nothing is left there'
	docker rm --force sandboxeval-recipes >"$output" 2>&1
	docker_stop
else
	n=$((n + 1))
	[ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && failed=1
	if [ $failed -eq 0 ]; then
		echo "ok $n - docker exec # SKIP $engine_reason"
	else
		echo "not ok $n - docker exec: $engine_reason"
	fi
fi

# ---- YAML: shapes, and the shell text in it
if python3 -c 'import yaml' 2>/dev/null; then
	ends 0 'keys of action, workflow, pipeline, manifest' python3 tests/cli/recipes_check.py shape
	ends 0 'scripts' python3 tests/cli/recipes_check.py scripts "$folder/scripts"
	ends 0 'shellcheck of the scripts' shellcheck --exclude=SC2153 "$folder"/scripts/*
	# action STATUS NAME INPUT=VALUE…
	action() {
		expected=$1
		name=$2
		shift 2
		rm -rf "$RUNNER_TEMP"
		mkdir "$RUNNER_TEMP"
		ends "$expected" "action, $name" python3 tests/cli/recipes_check.py action \
			program="$program" folder="$folder/made" sandbox=command \
			"options=--no-history --no-baseline --only $few" "$@"
	}
	printf '%s\n' 'sandboxeval-policy: 1' 'name: mine' 'default: deny' >"$folder/mine.yaml"
	action 0 'a sandbox that runs' 'arguments=env -i {probe}'
	for file in report.json report.sarif junit.xml report.html summary.md; do
		[ -s "$folder/made/$file" ]
		ok $? "it writes $file"
	done
	grep -q 'accessed\|open' "$RUNNER_TEMP/step-summary.md"
	ok $? 'and the summary'
	action 0 'quoted arguments, nothing expanded' \
		"arguments=sh -c 'test \"\$0\" = \"\$(printf \"a  b\")\" && exec {probe}' 'a  b'"
	action 1 'a policy that is violated' 'arguments={probe}' "policy=$folder/mine.yaml"
	says '::error::'
	action 0 'which is let pass' 'arguments={probe}' "policy=$folder/mine.yaml" fail-on=incomplete
	action 2 'an incomplete run' 'arguments=false {probe}' fail-on=incomplete
	action 0 'which is let pass' 'arguments=false {probe}' fail-on=never
	action 64 'an unknown fail-on' 'arguments={probe}' fail-on=sometimes
	action 1 'a quote that does not end' "arguments=sh -c '{probe}"
	action 0 'a first report' 'arguments={probe}'
	cp "$folder/made/report.json" "$folder/before.json"
	action 0 'nothing new' 'arguments={probe}' fail-on=new "against=$folder/before.json"
	jq '(.results[] | select(.id == "system.cpu")) |= (.status = "denied" |
		.barriers = ["dac"] | .cases |= map(.status = "denied" | .barriers = ["dac"]))
		| .summary.accessed -= 1 | .summary.denied += 1' "$folder/before.json" >"$folder/closed.json"
	action 1 'something new' 'arguments={probe}' fail-on=new "against=$folder/closed.json"
	# GitLab's line, as it stands but for two places.
	sed -n 's|^build/sandboxeval run none|"$program" run none --no-history|p' "$folder/scripts/gitlab" \
		>"$folder/gitlab"
	[ -s "$folder/gitlab" ]
	ok $? "GitLab's line is there"
	mkdir "$folder/project"
	export program
	CI_PROJECT_DIR=$folder/project sh "$folder/gitlab" >"$output" 2>&1
	[ $? -le 2 ] && [ -s "$folder/project/junit.xml" ] && [ -s "$folder/project/report.json" ]
	ok $? 'and writes its artifacts'
else
	skip YAML 'python3-yaml is not here'
fi

ends 0 'shellcheck of the recipes' shellcheck "$recipes"/*.sh

# ---- Kubernetes: a stand-in that runs the container's command, one folder per Job
mkdir "$folder/jobs"
JOBS=$folder/jobs
PROBE=$probe
export JOBS PROBE
stand_in kubectl <<'END'
#!/bin/sh
case "$*" in
'create --dry-run=client -o json -f '*) python3 -c '
import json, sys, yaml
print(json.dumps(yaml.safe_load(open(sys.argv[1]))))' "$6" ;;
'create -o name -f -')
	cat >"$JOBS/job.json"
	jq -e '.spec.template.spec.containers[0] | .command == ["/sandboxeval/probe"]' "$JOBS/job.json" \
		>/dev/null || exit 1
	jq -r '.spec.template.spec.containers[0].args | @sh' "$JOBS/job.json" |
		sed 's|^|exec "$PROBE" |' >"$JOBS/start"
	sh "$JOBS/start" >"$JOBS/log"
	echo job.batch/sandboxeval-x ;;
'get job.batch/sandboxeval-x '*) echo 1 ;;
'logs job.batch/sandboxeval-x --container probe') cat "$JOBS/log" ;;
'delete job.batch/sandboxeval-x '*) rm -f "$JOBS"/* ;;
*) exit 64 ;;
esac
END
if python3 -c 'import yaml' 2>/dev/null; then
	away 0 'a Job for each launch' "$recipes/kubernetes-job.sh" "$recipes/kubernetes-job.yaml" '{options}'
	[ -z "$(ls -A "$folder/jobs")" ]
	ok $? 'and no Job is left'
fi

# ---- Inspect AI: a box with its two methods
cat >"$folder/inspect_test.py" <<'END'
import asyncio, os, sys, types
sys.path.insert(0, sys.argv[1])
import inspect_ai_sandbox as recipe

recipe.PROBE = os.path.join(sys.argv[3], "remote", "probe")

class Box:
    def __init__(self, broken):
        self.broken, self.launches = broken, 0

    async def write_file(self, path, contents):
        with open(path, "wb") as file:
            file.write(contents)

    async def exec(self, words, timeout=None):
        if self.broken and words[0] == recipe.PROBE:
            raise TimeoutError("the box is gone")
        self.launches += words[0] == recipe.PROBE
        process = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE)
        out, errors = await process.communicate()
        return types.SimpleNamespace(stdout=out.decode(), stderr=errors.decode(),
                                     returncode=process.returncode)

box = Box(sys.argv[4] == "broken")
status, said = asyncio.run(recipe.assess(box, "--no-history", "--only", "system.cpu,system.locale",
                                         "--report", "terminal", program=sys.argv[2]))
print(said)
print("launches", box.launches)
sys.exit(status)
END
# shellcheck disable=SC2317 # ends calls it
inspect() {
	PYTHONDONTWRITEBYTECODE=1 python3 "$folder/inspect_test.py" "$recipes" "$program" "$folder" "$1"
}
ends 0 'Inspect: a box' inspect whole
says 'system.cpu'
says 'launches 1'
ends 2 'Inspect: a box that is gone' inspect broken
says 'TimeoutError: the box is'
[ -z "$(ls -A "$folder/remote")" ]
ok $? 'nothing is left in a box'

# ---- cron: the line, with no sandbox in the place of docker, and few scenarios
sed -n 's/^17 4 \* \* \* //p' "$recipes/crontab" | sed "s|run docker --image my-sandbox|run none --only $few|
	s|/var/tmp/|$folder/|g; s| -- --network.*--cap-drop ALL||; s|sandboxeval |\"$program\" |g" >"$folder/cron"
grep -q 'run none.*--label nightly' "$folder/cron"
ok $? 'the crontab has its line'
grep -q '%' "$folder/cron"
[ $? -eq 1 ]
ok $? 'without a percent sign, which cron would take for a new line'
ends 0 'the first night' sh "$folder/cron"
ends 0 'the second night' sh "$folder/cron"
[ ! -s "$output" ]
ok $? 'says nothing'

# ---- every indented block of the page is shell
awk '/^```/ { fenced = !fenced } /^    / && !fenced { sub(/^    /, ""); print }' docs/recipes.md >"$folder/page"
ends 0 'the page is shell' sh -n "$folder/page"

finish
