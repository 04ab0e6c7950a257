#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The HTML report: real runs and hostile content, as files and in a real browser (Chromium, driven
# by tests/browser/html.mjs). Pages and screenshots are left in build/html for people to look at.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/cli/past-common.sh
. tests/cli/past-common.sh

pages=$(realpath -m "${BUILD:-build}")/html
browser=$(realpath -m "${BUILD:-build}")/browser
rm -rf "$pages"
mkdir -p "$pages"
made=$folder/made
mkdir -m 0777 "$made"

# ---- pages
if as_user bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	as_user "$program" run bwrap -q --no-history --report "html=$made/run.html" \
		--report "json=$made/run.json" >"$output" 2>"$output.err"
	ok $? "a run in bubblewrap"
	as_user "$program" run bwrap -q --no-history --policy air-gapped --only system,network \
		--report "html=$made/judged.html" >"$output" 2>"$output.err"
	[ $? -le 1 ]
	ok $? "a run that a policy judges"
else
	skip "a run in bubblewrap" "bubblewrap cannot run here"
	"$program" run none -q --no-history --report "html=$made/run.html" --report "json=$made/run.json" 2>/dev/null
	cp "$made/run.html" "$made/judged.html"
fi
ends 0 "no sandbox" run none -q --no-history --report "html=$made/none.html" \
	--report "json=$made/none.json"
ends 2 "incomplete" run command -q --no-history --no-baseline --report "html=$made/incomplete.html" \
	-- sh -c ': {probe}; echo "</script><b>not the probe</b>"'
ends 0 "several side by side" compare "$made/none.json" "$made/run.json" "$made/none.json" \
	--report "html=$made/matrix.html"
says "scenarios differ"
ends 64 "a format that is for one run" compare "$made/none.json" --report "json=$made/x"
complains "is for one run"
ends 64 "no file" compare "$made/none.json" --report html
complains "names no file"
ends 0 "on standard output" report "$made/run.json" --report html
cmp -s "$output" "$made/run.html"
ok $? "a report read back makes the same page"

# Every string that comes from inside, or from a report that somebody else wrote.
python3 - "$made/run.json" "$made/hostile.json" <<'EOF'
import json, sys
evil = ("</script></style></title><script>window.owned_a=1;alert(1)</script>"
        "<img src=x onerror='window.owned_b=1'>\" onfocus=\"window.owned_c=1\" autofocus x=\"' "
        "onmouseover='window.owned_d=1' <!-- --> ]]> &lt;b&gt; &#60;i&#62; javascript:alert(1) "
        "\u202ecod.exe\u2066\u200b\ufeff\u0085\u2028 \x1b[31m \x07 \ud83d\ude00 " + "A" * 300)
report = json.load(open(sys.argv[1]))
report["label"] = evil
for key in ("name", "version", "image"):
    report["sandbox"][key] = evil
report["sandbox"]["argv"] = [evil, "it's", ""]
report["complete"] = False
report["incomplete_because"] = [evil]
for n, result in enumerate(report["results"]):
    result["evidence"] = {evil: evil, "long": "<b>" * 350000 if n == 0 else "x"}
    result["objects"] = [{"kind": "file", "path": "/" + evil}]
    for case in result["cases"]:
        case["evidence"] = {"call": evil}
    for judged in [result, *result["cases"]]:
        judged["judgement"], judged["rule"] = "violates", evil
report["policy"] = {"name": evil, "source": evil, "verdict": "violated"}
json.dump(report, open(sys.argv[2], "w"))
report["label"] = "a\0b"
json.dump(report, open(sys.argv[2] + ".nul", "w"))
EOF
ends 0 "hostile content" report "$made/hostile.json" --report "html=$made/hostile.html"
ends 0 "hostile content side by side" compare "$made/hostile.json" "$made/run.json" \
	--report "html=$made/hostile-matrix.html"
"$program" report "$made/hostile.json.nul" --report "html=$made/nul.html" >"$output" 2>"$output.err"
! { [ -e "$made/nul.html" ] && LC_ALL=C grep -qP '\x00' "$made/nul.html"; }
ok $? "no NUL reaches a page"

# ---- what can be told without a browser
for page in run judged none incomplete hostile matrix hostile-matrix; do
	cp "$made/$page.html" "$pages/"
	LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xaa-\xae]' "$pages/$page.html"
	[ $? -eq 1 ]
	ok $? "$page: no control character, nothing that reorders text"
	! grep -oE '(src|href|action|url|@import)[=(]["'\'']?[^"'\'' )>]*' "$pages/$page.html" |
		grep -vE '^href="#|^src=x$' | grep .
	ok $? "$page: names nothing to load"
done
# The hashes in the page's policy are those of what it holds, by another program's count.
python3 - "$pages/run.html" <<'EOF'
import base64, hashlib, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
for tag in "style", "script":
    parts = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(parts[0].encode()).digest()).decode()
    assert len(parts) == 1 and f"{tag}-src 'sha256-{digest}'" in policy, tag
assert policy.startswith("default-src 'none';") and "unsafe" not in policy
EOF
ok $? "the page's policy allows its own style and script, by hash, and nothing else"

# ---- in a browser
browse() {
	if ! command -v "${CHROMIUM:-chromium}" >/dev/null; then
		skip "in a browser" "chromium is missing"
		return
	fi
	if [ ! -d "$browser/node_modules/playwright-core" ]; then
		skip "in a browser" "playwright-core is missing: ./check installs it"
		return
	fi
	PLAYWRIGHT=$browser CHROMIUM=$(command -v "${CHROMIUM:-chromium}") \
		node tests/browser/html.mjs "$pages" >"$output" 2>"$output.err"
	# Its lines are numbered on from ours.
	while IFS= read -r line; do
		case $line in
		'ok '* | 'not ok '*)
			n=$((n + 1))
			[ "${line#not}" = "$line" ] || failed=1
			echo "${line%%ok*}ok $n - ${line#* - }"
			;;
		'1..'*) whole=yes ;;
		*) echo "$line" ;;
		esac
	done <"$output"
	[ "${whole:-}" = yes ]
	ok $? "the browser's tests ran to their end"
}
browse

finish
