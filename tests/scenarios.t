#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every scenario in its two boxes: accessed in the open one, denied in the closed one, and there the
# barriers hold those that the record names. The boxes come from the records themselves, by way of
# $BUILD/tests/matrix.tsv; each distinct box is made once, for all scenarios that name it.
#
# tests/scenarios.t [ID-OR-CATEGORY ...] walks only those.

import json
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.chdir(ROOT)
BUILD = os.environ.get("BUILD", "build")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
FACTS = "key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
IS_CI = os.environ.get("CI") == "true"
TIMED_OUT = 124  # timeout(1)
UNAVAILABLE = 77  # box: this machine cannot make it
# What an open box does not bring along yet, by the reason that says so.
UNDECIDED = {"no-witness": "the box has no witness"}
SECONDS = 60  # for one box with all its scenarios


def read_matrix(wanted):
    """Rows of id, level, open, closed, set of barriers; "-" stands for nothing."""
    with open(os.path.join(BUILD, "tests", "matrix.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    for ident, level, opened, closed, barriers in rows:
        if wanted and ident not in wanted and ident.split(".")[0] not in wanted:
            continue
        barriers = set() if barriers == "-" else set(barriers.split(","))
        yield ident, level, opened, closed, barriers


def is_outside(fixture):
    return "U" in fixture.split()


def run_box(fixture, level, ids):
    """The probe's lines by scenario, or text that says why there are none."""
    facts = "place=%s,%s" % ("outside" if is_outside(fixture) else "inside", FACTS)
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


# ---------------------------------------------------------------- TAP

done = 0


def report(passed, name, why=""):
    global done
    done += 1
    print("ok" if passed else "not ok", done, "-", name, flush=True)
    for line in (why or "").splitlines() if not passed else []:
        print("#", line)


def skip(name, why):
    global done
    if IS_CI:
        report(False, name, why)
        return
    done += 1
    print("ok", done, "- # SKIP", name + ":", why, flush=True)


def todo(name, why):
    """Not a failure, and prove lists it when it begins to pass."""
    global done
    done += 1
    print("not ok", done, "-", name, "# TODO", why, flush=True)


def judge(name, fixture, lines, ident, wanted, barriers):
    if fixture == "-":
        report(False, name, "no fixture: give one, or ANY and the reason: \"ANY why\"")
    elif fixture.startswith("ANY"):
        report(len(fixture) > len("ANY "), name, "ANY needs a reason: \"ANY why\"")
    elif isinstance(lines, str):
        (skip if lines.startswith("SKIP ") else report_lost)(name, lines.replace("SKIP ", "", 1))
    elif ident not in lines:
        report(False, name, "no line in: " + fixture)
    else:
        line = lines[ident]
        if wanted == "accessed" and line.get("reason") in UNDECIDED:
            todo(name, "%s: %s" % (UNDECIDED[line["reason"]], fixture))
            return
        missing = barriers - set(line.get("barriers", []))
        why = "in: %s\n%s" % (fixture, json.dumps(line))
        if missing:
            why = "barriers not named: %s\n%s" % (", ".join(sorted(missing)), why)
        report(line["status"] == wanted and not missing, name, why)


def report_lost(name, why):
    report(False, name, why)


def main():
    wanted = set(sys.argv[1:])
    if not os.path.exists(os.path.join(BUILD, "tests", "matrix.tsv")):
        sys.exit("scenarios.t: no %s/tests/matrix.tsv: run make first" % BUILD)
    if os.geteuid() != 0:
        if IS_CI:
            sys.exit("scenarios.t: needs root, for other accounts and for runc")
        print("1..0 # SKIP needs root, for other accounts and for runc")
        return
    rows = list(read_matrix(wanted))
    boxes = {}
    for ident, level, opened, closed, _ in rows:
        for fixture in {opened, closed}:
            if fixture != "-" and not fixture.startswith("ANY"):
                boxes.setdefault((fixture, level if level == "act" else "touch"), []).append(ident)
    results = {key: run_box(*key, ids) for key, ids in boxes.items()}
    for ident, level, opened, closed, barriers in rows:
        level = level if level == "act" else "touch"
        judge("%s is accessed where it is open" % ident, opened, results.get((opened, level)),
              ident, "accessed", set())
        judge("%s is denied where it is closed" % ident, closed, results.get((closed, level)),
              ident, "denied", barriers)
    for (fixture, _), lines in results.items():
        if not isinstance(lines, str):
            report("unclean" not in lines, "nothing is left behind in: %s" % fixture)
    print("1..%d" % done)


main()
