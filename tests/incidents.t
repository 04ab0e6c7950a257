#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# What has gone wrong in real sandboxes, rebuilt in small: for each incident of tests/incidents/*.ini
# the scenario that would have shown it says accessed in the box that is open as that one was, and
# denied in its closed twin. docs/incidents.md is the same table for people.
#
# tests/incidents.t [INCIDENT-OR-TABLE ...] tries only those.

import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.chdir(ROOT)
sys.dont_write_bytecode = True
sys.path[:0] = ["tests", "tests/boxes", "tests/incidents"]
from runs import judge, run_box  # noqa: E402
from tables import Fault, read_tables  # noqa: E402
from tap import end, skip_all  # noqa: E402


def main():
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts and for runc")
    wanted = set(sys.argv[1:])
    try:
        incidents = [one for one in read_tables()
                     if not wanted or wanted & {one.ident, one.table}]
    except Fault as fault:
        sys.exit("incidents.t: %s" % fault)
    if not incidents:
        sys.exit("incidents.t: no such incident or table: %s" % " ".join(sorted(wanted)))
    boxes = {}
    for incident in incidents:
        for show in incident.shown:
            for fixture in show.opened, show.closed:
                boxes.setdefault(fixture, set()).add(show.scenario.partition("/")[0])
    results = {fixture: run_box(fixture, "touch", sorted(ids)) for fixture, ids in boxes.items()}
    for incident in incidents:
        for show in incident.shown:
            name = "%s: %s is %%s" % (incident.ident, show.scenario)
            judge(name % "accessed", show.opened, results[show.opened], show.scenario, "accessed")
            judge(name % "denied in the closed twin", show.closed, results[show.closed],
                  show.scenario, "denied")
    end()


main()
