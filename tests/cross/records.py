#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
records.py [ID-OR-CATEGORY ...]: the two boxes that each scenario's record names, asked by answer.py:
it must find open what the record calls open, and closed what it calls closed. So the tests of the
probe rest on more than the probe.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.join(HERE, "..", ".."))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, "tests", "tests/boxes"]
import beyond  # noqa: E402
import further  # noqa: E402
import paper  # noqa: E402
from odd import Missing, ask  # noqa: E402
from runs import BUILD, FACTS, is_outside  # noqa: E402
from tap import end, ok, skip, skip_all  # noqa: E402

ANSWERED = {**beyond.QUESTIONS, **further.QUESTIONS, **paper.QUESTIONS}
ROUNDS = 3  # what others keep on this machine comes and goes

# Scenario and side: why the script cannot tell there.
UNTOLD = {
    ("kernel.memory-hardening", "closed"): "no library can be loaded",
    ("namespace.chroot-only", "open"): "the script is not in that folder",
    ("identity.host", "closed"): "the box is told what is outside by hashes of the probe's",
    ("kernel.load-code", "open"): "this kernel may know no modules",
}


def sides(wanted):
    """Each box, with the scenarios that are to be asked there and what is to come out."""
    boxes = {}
    with open(os.path.join(BUILD, "tests", "matrix.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    for ident, level, opened, closed, _ in rows:
        if ident not in ANSWERED or level == "act":
            continue
        if wanted and ident not in wanted and ident.split(".")[0] not in wanted:
            continue
        for side, box, status in (("open", opened, "accessed"), ("closed", closed, "denied")):
            if box != "-" and not box.startswith("ANY") and (ident, side) not in UNTOLD:
                boxes.setdefault(box, []).append((ident, status))
    return boxes


def check(box, rows):
    """One box: the lines of what came out otherwise, in each of some rounds."""
    place = "outside" if is_outside(box) else "inside"
    for _ in range(ROUNDS):
        found = ask({"box": box, "account": "1234"}, "", [ident for ident, _ in rows], True,
                    "place=%s,%s" % (place, FACTS))
        other = [(ident, status) for ident, status in rows
                 if found.get(ident, {}).get("status") != status]
        if not other:
            break
        rows = other
    return ["%s: %s, not %s %s" % (ident, found.get(ident, {}).get("status", found.get("", "-")),
                                   status, found.get(ident, {}).get("evidence") or "")
            for ident, status in other]


def main():
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts and for runc")
    for box, rows in sides(set(sys.argv[1:])).items():
        name = "%d as the records say: %s" % (len(rows), box)
        try:
            why = check(box, rows)
            ok(not why, name, why)
        except Missing as missing:
            skip(name, str(missing)[-200:])
    end()


if __name__ == "__main__":
    main()
