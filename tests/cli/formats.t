#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The reports for other programs are what those take: JUnit by the rules that its schemas share,
# SARIF by the standard's and by GitHub's, CSV by RFC 4180, Markdown with nothing in it that came
# from inside and means something. Golden files (hostile ones too) and real runs.

import copy
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

BUILD = os.environ.get("BUILD", "build")
HOST = os.path.join(BUILD, "sandboxeval")
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, "tests")
from tap import end, ok, skip, skip_all  # noqa: E402

missing = [w for w in ("xmllint",) if not shutil.which(w)]
try:
    from jsonschema import Draft7Validator
except ImportError:
    missing.append("python3-jsonschema")
if missing:
    skip_all("missing (apt-get install libxml2-utils python3-jsonschema): " + ", ".join(missing))


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


# ---------------------------------------------------------------- JUnit


def junit_faults(path):
    ran = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", "tests/junit.xsd", path],
                         capture_output=True, text=True)
    if ran.returncode:
        return ran.stderr
    faults = []
    suites = ElementTree.parse(path).getroot()
    for index, suite in enumerate(suites):
        cases = suite.findall("testcase")
        for attribute, found in (("tests", cases), ("failures", suite.findall("*/failure")),
                                 ("errors", suite.findall("*/error")),
                                 ("skipped", suite.findall("*/skipped"))):
            if int(suite.get(attribute)) != len(found):
                faults.append("%s: %s is wrong" % (suite.get("name"), attribute))
        if suite.get("id") != str(index):
            faults.append(suite.get("name") + ": its id is no index")
        names = [case.get("name") for case in cases]
        if len(set(names)) != len(names):
            faults.append(suite.get("name") + ": a test is there twice")
    if suites[0].find("testcase").get("name") != "run is complete":
        faults.append("the first test is not whether the run is complete")
    return "\n".join(faults)


def outcomes(path):
    """{test: (outcome, type)} of the tests that did not simply pass."""
    return {case.get("name"): (case[0].tag, case[0].get("type"))
            for case in ElementTree.parse(path).getroot().iter("testcase") if len(case)}


# ---------------------------------------------------------------- SARIF: what we use of it, closed

TEXT = {"type": "string", "minLength": 1}


def closed(required, **optional):
    properties = dict(required, **optional)
    return {"type": "object", "properties": properties, "required": list(required),
            "additionalProperties": False}


def array(of, **more):
    return dict({"type": "array", "items": of}, **more)


MESSAGE = closed({"text": TEXT})
LEVEL = {"enum": ["none", "note", "warning", "error"]}
INDEX = {"type": "integer", "minimum": 0}
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
# GitHub: at most 255 characters of an id, 1024 of a description, 20 tags; severity as a text.
RULE = closed({
    "id": dict(TEXT, maxLength=255),
    "shortDescription": closed({"text": dict(TEXT, maxLength=1024)}),
    "fullDescription": closed({"text": dict(TEXT, maxLength=1024)}),
    "help": closed({"text": TEXT, "markdown": TEXT}),
    "defaultConfiguration": closed({"level": LEVEL}),
    "properties": {
        "type": "object",
        "required": ["security-severity", "tags", "precision", "problem.severity"],
        "properties": {
            "security-severity": {"enum": ["1.0", "3.0", "5.5", "8.0", "9.5"]},
            "problem.severity": {"enum": ["error", "warning", "recommendation"]},
            "precision": {"enum": ["very-high", "high", "medium", "low"]},
            "tags": array(TEXT, uniqueItems=True, maxItems=20,
                          contains={"const": "security"}),
        },
    },
}, helpUri={"type": "string", "pattern": "^https?://"})
LOCATION = closed({
    "physicalLocation": closed({
        # Relative to the repository's root, and nowhere else.
        "artifactLocation": closed({"uri": {"type": "string",
                                            "pattern": "^([A-Za-z0-9_-]|%[0-9A-F]{2})+$"}}),
        "region": closed({"startLine": {"type": "integer", "minimum": 1}}),
    }),
    "logicalLocations": array(closed({"name": TEXT, "fullyQualifiedName": TEXT,
                                      "kind": {"const": "resource"}}), minItems=1),
})
RESULT = closed({
    "ruleId": TEXT,
    "ruleIndex": INDEX,
    "level": LEVEL,
    "message": MESSAGE,
    "locations": array(LOCATION, minItems=1, maxItems=10),
    "partialFingerprints": closed({
        "primaryLocationLineHash": {"type": "string", "pattern": "^[0-9a-f]{16}:1$"},
        "sandboxeval/v1": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    }),
    "properties": {"type": "object"},
}, suppressions=array(closed({"kind": {"enum": ["inSource", "external"]},
                              "status": {"enum": ["accepted", "underReview", "rejected"]},
                              "justification": TEXT}), minItems=1))
NOTIFICATION = closed({"level": LEVEL, "message": MESSAGE},
                      associatedRule=closed({"id": TEXT, "index": INDEX}))
RUN = closed({
    "tool": closed({"driver": closed({"name": TEXT, "version": TEXT, "semanticVersion": TEXT,
                                      "rules": array(RULE, uniqueItems=True)},
                                     informationUri={"type": "string"})}),
    "automationDetails": closed({"id": {"type": "string", "pattern": "^sandboxeval/.+/$"}}),
    "invocations": array(closed({"executionSuccessful": {"type": "boolean"},
                                 "toolExecutionNotifications": array(NOTIFICATION)},
                                startTimeUtc=TIME), minItems=1),
    "results": array(RESULT, maxItems=25000),
    "properties": {"type": "object"},
})
SARIF = Draft7Validator(closed({
    "$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"},
    "version": {"const": "2.1.0"},
    "runs": array(RUN, minItems=1, maxItems=1),
}))


def schema_faults(validator, value):
    return "\n".join("%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:300])
                     for e in validator.iter_errors(value))


def sarif_faults(log):
    faults = schema_faults(SARIF, log)
    if faults:
        return faults
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    prints = [r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"]]
    if len(set(rules)) != len(rules):
        faults += "a rule is there twice\n"
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            faults += result["ruleId"] + ": its index is another's\n"
        # Braces that are not doubled stand for arguments, and there are none; brackets are links.
        text = result["message"]["text"]
        if re.search(r"[{}]", re.sub(r"\{\{|\}\}", "", text)):
            faults += text + ": an argument\n"
        if re.search(r"(?<!\\)[\[\]]", text.replace("\\\\", "")):
            faults += text + ": a link\n"
    if len(set(prints)) != len(prints):
        faults += "two results have one fingerprint\n"
    return faults


def standard_schema():
    """The standard's own schema, out of a package of npm's that is fetched once."""
    path = os.environ.get("SARIF_SCHEMA")
    folder = os.path.join(BUILD, "npm")
    found = os.path.join(folder, "package/lib/schemas/sarif-2.1.0-rtm.5.json")
    if path or os.path.exists(found):
        return path or found
    if not shutil.which("npm"):
        return None
    print("# fetching the schema of SARIF: npm pack @microsoft/jest-sarif")
    os.makedirs(folder, exist_ok=True)
    try:
        subprocess.run("npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >&2 && "
                       "tar -xzf microsoft-jest-sarif-*.tgz", shell=True, cwd=folder,
                       stdin=subprocess.DEVNULL, timeout=60)
    except subprocess.TimeoutExpired:
        pass
    return found if os.path.exists(found) else None


# ---------------------------------------------------------------- CSV and Markdown

HEADER = re.search(r"```csv\n(.*?)\n```", read("docs/reports.md"), re.S).group(1).replace("\n", "")


def csv_faults(text):
    lines = text.split("\r\n")
    if lines[-1] or "\n" in text.replace("\r\n", ""):
        return "a line does not end with CRLF"
    rows = list(csv.reader(io.StringIO(text), strict=True))
    if rows[0] != HEADER.split(","):
        return "the header is not the documented one: %s" % rows[0]
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            return "a row of %d: %s" % (len(row), row)
        for cell in row:
            # Also as a spreadsheet sees it that separates by semicolons.
            if any(re.match(" *[=+@\t\r-]", part) for part in cell.split(";")):
                return "a formula: " + cell
    return ""


def markdown_faults(text):
    if len(text.encode()) >= 60000:
        return "%d bytes" % len(text.encode())
    # What is in code means nothing; a run of as many backticks ends it.
    bare = re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "CODE", text)
    bare = re.sub(r"</?(details|summary)>", "", bare)
    bare = re.sub(r"&#\d+;", "", bare)
    bad = re.search(r"[<`@\[\]~$\\]|://|&|\bwww\.", bare)
    if bad:
        return "this means something: " + bare[max(0, bad.start() - 40):bad.end() + 40]
    columns = None
    for line in bare.splitlines():
        if not line.startswith("|"):
            columns = None
            continue
        columns = columns or line.count("|")
        if line.count("|") != columns:
            return "a row of another width: " + line
    return ""


# ---------------------------------------------------------------- golden files

for path in sorted(glob.glob("tests/golden/*.junit.xml")):
    why = junit_faults(path)
    ok(not why, path + " is what both schemas take", why)

path = standard_schema()
standard = Draft7Validator(json.loads(read(path))) if path else None
logs = {path: json.loads(read(path)) for path in sorted(glob.glob("tests/golden/*.sarif"))}
for path, log in logs.items():
    why = sarif_faults(log)
    ok(not why, path + " is SARIF that GitHub takes", why)
    if standard:
        why = schema_faults(standard, log)
        ok(not why, path + " is valid by the standard's schema", why)
if not standard:
    skip("golden files by the standard's schema", "npm did not bring it; SARIF_SCHEMA names a file",
         also_in_ci=True)

for path in sorted(glob.glob("tests/golden/*.csv")):
    why = csv_faults(read(path))
    ok(not why, path + " is RFC 4180, without formulas", why)
for path in sorted(glob.glob("tests/golden/*.md")):
    why = markdown_faults(read(path))
    ok(not why, path + " is inert and fits a comment", why)

# The checks themselves: what must be refused is.
bad = copy.deepcopy(logs["tests/golden/mixed.sarif"])
bad["runs"][0]["results"][0]["ruleIndex"] += 1
ok(sarif_faults(bad), "SARIF: another rule's index is noticed")
bad = copy.deepcopy(logs["tests/golden/mixed.sarif"])
bad["runs"][0]["results"][0]["message"]["text"] = "[click](https://a.example)"
ok(sarif_faults(bad), "SARIF: a link is noticed")
ok(csv_faults(read("tests/golden/mixed.csv").replace('"bwrap"', '"x;=1"', 1)),
   "CSV: a formula is noticed")
ok(markdown_faults("| `a` | <img src=x> |\n"), "Markdown: an element is noticed")

# ---------------------------------------------------------------- what they mean

found = outcomes("tests/golden/judged.junit.xml")
ok(found["content.read"] == ("failure", "deny content.read (line 9)"),
   "JUnit: what violates is a failure of its rule", found)
ok(found["content.write"][0] == "error", "JUnit: what the policy needs to know is an error", found)
ok(found["danger.new-namespace"][0] == "skipped", "JUnit: what it lets pass is skipped", found)
ok(found["metadata.environment-variables"][0] == "skipped", "JUnit: what is waived is skipped",
   found)
ok("system.cpu" not in found, "JUnit: what conforms passes", found)
found = outcomes("tests/golden/no-isolation.junit.xml")
ok(not found, "JUnit: without a policy what is open is no failure", found)
found = outcomes("tests/golden/incomplete.junit.xml")
ok(found.get("run is complete") == ("error", "incomplete"), "JUnit: incomplete is an error", found)
ok(found.get("nothing is left behind", "")[0] == "error", "JUnit: unclean is an error", found)

run = logs["tests/golden/judged.sarif"]["runs"][0]
waived = [r["ruleId"] for r in run["results"] if "suppressions" in r]
ok(waived == ["metadata.environment-variables"], "SARIF: what is waived is suppressed", waived)
ok(all(r["level"] == "error" for r in run["results"] if "suppressions" not in r),
   "SARIF: what violates is an error")
run = logs["tests/golden/incomplete.sarif"]["runs"][0]
ok(not run["invocations"][0]["executionSuccessful"], "SARIF: incomplete is no success")
ok(any("footer" in n["message"]["text"]
       for n in run["invocations"][0]["toolExecutionNotifications"]), "SARIF: and says why")
run = logs["tests/golden/mixed.sarif"]["runs"][0]
severity = {r["id"]: r["properties"]["security-severity"] for r in run["tool"]["driver"]["rules"]}
ok(severity["content.read"] == "8.0" and severity["content.read/etc-passwd"] == "1.0",
   "SARIF: a case that matters less has a rule of its own", severity)

# ---------------------------------------------------------------- real runs


def real(name, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        files = {kind: os.path.join(folder, "report." + kind)
                 for kind in ("junit", "sarif", "markdown", "csv")}
        reports = [w for kind, file in files.items() for w in ("--report", kind + "=" + file)]
        ran = subprocess.run([HOST, "run", arguments[0], "--no-history", *reports, *arguments[1:]],
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=200, text=True)
        if not all(map(os.path.exists, files.values())):
            ok(False, name + ": all reports are written", ran.stderr)
            return None, None
        log = json.loads(read(files["sarif"]))
        for kind, why in (("junit", junit_faults(files["junit"])),
                          ("sarif", sarif_faults(log) +
                           (schema_faults(standard, log) if standard else "")),
                          ("csv", csv_faults(read(files["csv"]))),
                          ("markdown", markdown_faults(read(files["markdown"])))):
            ok(not why, "%s: %s" % (name, kind), why)
        return log, outcomes(files["junit"])


def prints(log):
    """{what was found: its fingerprints}; what is open may change on a machine in use."""
    return {r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]:
            r["partialFingerprints"] for r in log["runs"][0]["results"]} if log else {}


if not os.path.exists(HOST):
    skip("real runs", HOST + " is not built")
else:
    observe = ("--level", "observe", "--only", "system,content,directory")
    one, found = real("none", "none", *observe)
    two, found = real("none again", "none", *observe)
    one, two = prints(one), prints(two)
    both = set(one) & set(two)
    ok(both and all(one[n] == two[n] for n in both), "fingerprints are the same in every run")
    log, found = real("air-gapped", "none", "--policy", "air-gapped", "--level", "observe")
    log, found = real("nothing starts", "command", "--", "false", "{probe}")
    ok(found and found["run is complete"][0] == "error", "nothing starts: an error", found)
    ok(log and not log["runs"][0]["invocations"][0]["executionSuccessful"],
       "nothing starts: no success")

end()
