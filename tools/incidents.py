#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""incidents.py: prints docs/incidents.md from tests/incidents/*.ini ("make docs")."""

import os
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TREE, "tests/incidents"))
from tables import Fault, about, read_tables  # noqa: E402

INTRODUCTION = """# What has gone wrong in real sandboxes

*Written by `make docs` from tests/incidents; do not edit.*

Each row is a public report of a sandbox that failed, leaked or was never switched on, rebuilt as a
pair of small boxes that differ in one thing ([fixtures.md](fixtures.md) explains their words); where
the box itself was missing, the closed twin is a whole one. In the open box the scenario, or one case
of it, says *accessed*, in its closed twin *denied*: `tests/incidents.t` runs all of them. To look at
one yourself:

    sudo tests/boxes/box 'OPEN BOX' build/sandboxeval-probe --only SCENARIO --format text

%d incidents and preconditions; %d of them are shown by %d scenarios in %d pairs of boxes. What is
not shown is named with the reason. Nothing here uses a flaw: what is rebuilt is what code inside
could see or reach. A reference in brackets was not read itself, but in a summary, or is generally
known: check it before you quote it.
"""


def cell(text):
    return text.replace("|", "\\|")


def reference(incident):
    return incident.reference if incident.source == "report" else "(%s)" % incident.reference


def rows(incident):
    """One line for each pair of boxes; the incident itself stands in the first."""
    head = [incident.ident, incident.system + (", " + incident.date if incident.date else ""),
            reference(incident), incident.seen]
    if incident.why:
        head[3] += " *Not shown: " + incident.why + "*"
    for show in incident.shown or [None]:
        tail = ["`%s`" % part for part in show] if show else ["", "", ""]
        yield "| " + " | ".join(cell(text) for text in head + tail) + " |"
        head = ["", "", "", ""]


def page(incidents):
    pairs = {(show.scenario, show.opened, show.closed) for one in incidents for show in one.shown}
    scenarios = {scenario.partition("/")[0] for scenario, _, _ in pairs}
    parts = [INTRODUCTION.rstrip() % (len(incidents), sum(bool(one.shown) for one in incidents),
                             len(scenarios), len(pairs))]
    table = None
    for incident in incidents:
        if incident.table != table:
            table = incident.table
            parts += ["\n## %s\n\n%s\n" % (table, about(table)),
                      "| incident | system | reference | what code inside could do | scenario |"
                      " open box | closed box |", "|---|---|---|---|---|---|---|"]
        parts += rows(incident)
    return "\n".join(parts) + "\n"


try:
    sys.stdout.write(page(read_tables()))
except Fault as fault:
    sys.exit("incidents.py: %s" % fault)
