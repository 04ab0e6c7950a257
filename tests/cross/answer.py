#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
answer.py [PROBE] [--facts FACTS] [--disposable] ...: what can be done here, asked by other means.

For the paper's 51 scenarios (paper.py) and most of those beyond it (beyond.py, further.py) it
answers accessed, denied or unknown, in the form that the probe prints, so that whatever starts the probe can start
this instead. It shares nothing with the probe.
"""

import functools
import json
import os
import sys

OWN = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, OWN)
import further  # noqa: E402  (first: it counts what is open)
import beyond  # noqa: E402
import paper  # noqa: E402
from paper import Place, Tree, read, scratch_folders  # noqa: E402

# What destroys comes last, and that is the paper's.
QUESTIONS = {**further.QUESTIONS, **beyond.QUESTIONS, **paper.QUESTIONS}


class World:
    """What the questions share. The witness knows a scenario by its row in the catalogue."""

    def __init__(self, facts, rows):
        self.facts = facts
        self.rows = rows
        self.ident = None
        self.scratch = scratch_folders()

    @functools.cached_property
    def tree(self):
        """Only for those who ask: it takes long."""
        return Tree(self.scratch)

    def nonce(self):
        row = self.rows.index(self.ident) if self.ident in self.rows else 0
        return "%s%04x" % (self.facts.get("witness.nonce", "0" * 16), row)


def print_line(value):
    os.write(1, json.dumps(value, separators=(",", ":")).encode() + b"\n")


def main():
    words = sys.argv[1:]
    if "--version" in words:
        os.write(1, b"sandboxeval-probe 0 (answer.py)\n")
        return

    def option(name, default=""):
        return words[words.index(name) + 1] if name in words else default

    facts = dict(pair.split("=", 1) for pair in option("--facts").split(",") if "=" in pair)
    only = option("--only")
    rows = read(os.path.join(OWN, "catalogue")).decode().split()
    known = [ident for ident in QUESTIONS if ident in rows[1:] or not rows]
    known += [ident for ident in rows[1:] if ident not in QUESTIONS]  # whoever starts us wants all
    wanted = [ident for ident in known
              if not only or ident in only.split(",") or ident.split(".")[0] in only.split(",")]
    Place.outside = facts.get("place", "outside") != "inside"
    Place.for_real = "--disposable" in words or os.path.exists(os.path.join(OWN, "disposable"))
    if Place.for_real:
        Place.outside = False
    header = {"sandboxeval": 1, "version": "cross", "arch": "x86_64", "planned": len(wanted),
              "catalogue": rows[0] if rows else "-",
              "level": "touch", "origin": {}}
    print_line(header)
    world = World(facts, rows[1:])
    counts = {"accessed": 0, "denied": 0, "unknown": 0}
    for ident in wanted:
        world.ident = ident
        try:
            answer = QUESTIONS[ident](world) if ident in QUESTIONS else None
            why = ""
        except Exception as fault:  # pylint: disable=broad-except
            answer, why = None, "%s: %s" % (type(fault).__name__, fault)
        line = {"id": ident, "status": {True: "accessed", False: "denied"}.get(answer, "unknown"),
                "evidence": {"fault": why} if why else {}, "measured": {}}
        if answer is False:
            line["barriers"] = ["unattributed"]
        elif answer is None:
            line["reason"] = "no-view"
        counts[line["status"]] += 1
        print_line({"try": ident})
        print_line(line)
    print_line({"end": 1, "trials": len(wanted), "clean": True, "measured": {}, **counts})


main()
