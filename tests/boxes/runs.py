# SPDX-License-Identifier: MIT
"""Runs the probe in the tests' boxes, and judges single statuses."""

import json
import os
import subprocess

from tap import ok, skip, todo

BUILD = os.environ.get("BUILD", "build")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
# What the host program would say: these namespaces are those outside of the boxes.
NAMESPACES = ("pid", "net", "mnt", "ipc", "uts", "user", "cgroup", "time")
FACTS = ",".join(["key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"] + [
    "ns.%s=%d" % (kind, os.stat("/proc/self/ns/" + kind).st_ino)
    for kind in NAMESPACES if os.path.exists("/proc/self/ns/" + kind)])
TIMED_OUT = 124  # timeout(1)
UNAVAILABLE = 77  # box: this machine cannot make it
# What an open box does not bring along yet, by the reason that says so.
UNDECIDED = {"no-witness": "the box has no witness"}
SECONDS = 60  # for one box with all its scenarios
COMPARED = {"identity.host"}  # by what the host program's baseline measures outside


def is_outside(fixture):
    return "U" in fixture.split()


def baseline(ids):
    """What is passed on of it: statuses, and hashes by case."""
    ids = sorted(COMPARED & set(ids))
    lines = run_box("U", "observe", ids) if ids else {}
    facts = ""
    if isinstance(lines, str):
        return facts  # why will be said of the box itself
    for ident in ids:
        facts += ",outside.%s=%s" % (ident, lines[ident]["status"])
        for case in lines[ident]["cases"]:
            if "hash" in case.get("measured", {}):
                facts += ",outside.%s:%s=%s" % (ident, case["case"], case["measured"]["hash"])
    return facts


def run_box(fixture, level, ids):
    """The probe's lines by scenario, or text that says why there are none."""
    facts = "place=%s,%s" % ("outside" if is_outside(fixture) else "inside", FACTS)
    if not is_outside(fixture):
        facts += baseline(ids)
    # Ended by a signal that lets the box clean up after itself.
    command = ["timeout", "--kill-after=10", str(SECONDS), "tests/boxes/box", fixture, PROBE,
               "--only", ",".join(ids), "--level", level,
               "--facts", facts]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode == TIMED_OUT:
        return "it took longer than %d seconds" % SECONDS
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode == UNAVAILABLE:
        return "SKIP " + said
    lines = {}
    for line in done.stdout.decode(errors="replace").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            return "not JSON: " + line[:200]
        if "id" in value:
            lines[value["id"]] = value
        if "end" in value and not value["clean"]:
            lines["unclean"] = True
    return lines if lines else "exit status %d: %s" % (done.returncode, said or "no output")


def judge(name, fixture, lines, ident, wanted, barriers=frozenset()):
    """Is the scenario, or the case ID/CASE, what it must be in what came out of the box?"""
    if isinstance(lines, str) and lines.startswith("SKIP "):
        skip(name, lines.replace("SKIP ", "", 1))
        return
    if isinstance(lines, str):
        ok(False, name, lines)
        return
    scenario, _, case = ident.partition("/")
    line = lines.get(scenario)
    if line and case:
        line = next((one for one in line.get("cases", []) if one["case"] == case), None)
    if not line:
        ok(False, name, "no line of %s in: %s" % (ident, fixture))
        return
    if wanted == "accessed" and line.get("reason") in UNDECIDED:
        todo(name, "%s: %s" % (UNDECIDED[line["reason"]], fixture))
        return
    if wanted == "accessed" and line.get("barriers") == ["unimplemented"]:
        skip(name, "this kernel lacks what is tried")
        return
    missing = barriers - set(line.get("barriers", []))
    why = "in: %s\n%s" % (fixture, json.dumps(line))
    if missing:
        why = "barriers not named: %s\n%s" % (", ".join(sorted(missing)), why)
    ok(line["status"] == wanted and not missing, name, why)
