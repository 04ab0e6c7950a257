#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The JSON Schemas in docs/schemas: they name exactly the vocabulary, they hold for what the
# programs and the golden files say, and they refuse what breaks the contract.

import copy
import glob
import json
import os
import re
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
HOST = os.path.join(BUILD, "sandboxeval")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, "tests")
from tap import end, ok, skip, skip_all  # noqa: E402

try:
    from jsonschema import Draft202012Validator
except ImportError:
    skip_all("python3-jsonschema is missing (apt-get install python3-jsonschema)")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def errors(validator, value):
    return "\n".join(
        "%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:300])
        for e in validator.iter_errors(value)
    )


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


# ---------------------------------------------------------------- the schemas themselves

schemas = {name: load("docs/schemas/%s.schema.json" % name) for name in ("report", "wire")}
for name, schema in schemas.items():
    try:
        Draft202012Validator.check_schema(schema)
        ok(True, name + ": is a schema")
    except Exception as error:  # whatever the library calls it
        ok(False, name + ": is a schema", error)
report = Draft202012Validator(schemas["report"])
wire = Draft202012Validator(schemas["wire"])

# The vocabulary is written down once, in base/vocabulary.c; the schemas must agree with it.
with open("base/vocabulary.c", encoding="utf-8") as file:
    source = file.read()
for word, table in (
    ("status", "statuses"),
    ("reason", "reasons"),
    ("barrier", "barriers"),
    ("level", "levels"),
    ("severity", "severities"),
    ("judgement", "judgements"),
    ("tolerance", "tolerances"),
    ("verdict", "verdicts"),
):
    block = re.search(r"word %s\[\w+\] = \{(.*?)\n\};" % table, source, re.S).group(1)
    words = [w for w in re.findall(r'\] = \{ "([a-z-]+)"', block) if w not in ("inherit", "none")]
    for name, schema in schemas.items():
        if word not in schema["$defs"]:  # a policy is not the probe's business
            continue
        enum = [w for w in schema["$defs"][word]["enum"] if w]
        same = enum == words if word in ("reason", "barrier") else set(enum) == set(words)
        ok(same, "%s: lists every %s" % (name, word), "%s\n%s" % (enum, words))

# ---------------------------------------------------------------- what is written

for path in sorted(glob.glob("tests/golden/*.json")):
    why = errors(report, load(path))
    ok(not why, path + " is valid", why)

if not os.path.exists(PROBE):
    skip("the probe's lines are valid", PROBE + " is not built")
else:
    lines = run(PROBE, "--level", "observe", "--only", "system").stdout.splitlines()
    why = [l.decode()[:200] + "\n" + errors(wire, json.loads(l)) for l in lines
           if not wire.is_valid(json.loads(l))]
    ok(lines and not why, "the probe's %d lines are valid" % len(lines), "\n".join(why))

names = run(HOST, "sandboxes", "--json").stdout if os.path.exists(HOST) else b""
if not names:
    skip("a real report is valid", HOST + " is not built")
else:
    ran = run(HOST, "run", "none", "--level", "observe", "--only", "system", "--report",
              "json=-")
    try:
        why = errors(report, json.loads(ran.stdout))
    except ValueError as error:
        why = "%s\n%s" % (error, ran.stderr.decode(errors="replace"))
    ok(not why, "a real report is valid", why)

# ---------------------------------------------------------------- what must be refused

good = load("tests/golden/mixed.json")


def refuses(name, change):
    bad = copy.deepcopy(good)
    change(bad)
    ok(not report.is_valid(bad), "report: refuses " + name)


denied = next(i for i, r in enumerate(good["results"]) if r["status"] == "denied")
accessed = next(i for i, r in enumerate(good["results"]) if r["status"] == "accessed")
unknown = next(i for i, r in enumerate(good["results"]) if r["status"] == "unknown")
refuses("a missing field", lambda r: r.pop("clean"))
refuses("another format", lambda r: r.update(format="sandboxeval-report/2"))
refuses("an unknown barrier", lambda r: r["results"][denied].update(barriers=["magic"]))
refuses("denied by nobody", lambda r: r["results"][denied].update(barriers=[]))
refuses("accessed with a barrier", lambda r: r["results"][accessed].update(barriers=["dac"]))
refuses("unknown without a reason", lambda r: r["results"][unknown].update(reason=None))
refuses("nested evidence", lambda r: r["results"][accessed].update(evidence={"a": {"b": 1}}))
refuses("incomplete for no reason", lambda r: r.update(complete=False))
refuses("complete with a reason", lambda r: r.update(incomplete_because=["It broke."]))

header = {"sandboxeval": 1, "version": "1", "arch": "x86_64", "planned": 1, "level": "touch",
          "catalogue": "0123456789abcdef", "origin": {"uid": 0}}
trial = {"id": "system.cpu", "status": "denied", "barriers": ["seccomp"], "evidence": {},
         "measured": {"seconds": 0.1}}
footer = {"end": 1, "trials": 1, "accessed": 0, "denied": 1, "unknown": 0, "clean": True,
          "measured": {}}
for name, line in (("a header", header), ("a trial", trial), ("a footer", footer),
                   ("an announcement", {"try": "system.cpu"})):
    ok(wire.is_valid(line), "wire: takes " + name, errors(wire, line))
for name, line in (
    ("two lines in one", {**header, **footer}),
    ("denied without barriers", {k: v for k, v in trial.items() if k != "barriers"}),
    ("unknown without a reason", {"id": "a.b", "status": "unknown", "evidence": {}, "measured": {}}),
    ("an unknown member", {**trial, "verdict": "fine"}),
    ("a list in the evidence", {**trial, "evidence": {"a": []}}),
    ("no id", {**trial, "id": "nothing"}),
    ("a text", "accessed"),
):
    ok(not wire.is_valid(line), "wire: refuses " + name)

end()
