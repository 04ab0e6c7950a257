#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every scenario in its two boxes: accessed in the open one, denied in the closed one, and there the
# barriers hold those that the record names. The boxes come from the records themselves, by way of
# $BUILD/tests/matrix.tsv; each distinct box is made once, for all scenarios that name it.
#
# tests/scenarios.t [ID-OR-CATEGORY ...] walks only those.

import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.chdir(ROOT)
sys.dont_write_bytecode = True
sys.path[:0] = ["tests", "tests/boxes"]
import runs  # noqa: E402
from runs import BUILD, run_box  # noqa: E402
from tap import end, ok, skip_all  # noqa: E402


def read_matrix(wanted):
    """Rows of id, level, open, closed, set of barriers; "-" stands for nothing."""
    with open(os.path.join(BUILD, "tests", "matrix.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    for ident, level, opened, closed, barriers in rows:
        if wanted and ident not in wanted and ident.split(".")[0] not in wanted:
            continue
        barriers = set() if barriers == "-" else set(barriers.split(","))
        yield ident, level, opened, closed, barriers


def judge(name, fixture, lines, ident, wanted, barriers):
    if fixture == "-":
        ok(False, name, "no fixture: give one, or ANY and the reason: \"ANY why\"")
    elif fixture.startswith("ANY"):
        ok(len(fixture) > len("ANY "), name, "ANY needs a reason: \"ANY why\"")
    else:
        runs.judge(name, fixture, lines, ident, wanted, barriers)


def main():
    wanted = set(sys.argv[1:])
    if not os.path.exists(os.path.join(BUILD, "tests", "matrix.tsv")):
        sys.exit("scenarios.t: no %s/tests/matrix.tsv: run make first" % BUILD)
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts and for runc")
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
            ok("unclean" not in lines, "nothing is left behind in: %s" % fixture)
    end()


main()
