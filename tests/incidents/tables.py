# SPDX-License-Identifier: MIT
"""
The tables of incidents, tests/incidents/*.ini, one for each class of failure, which the comment at
the top explains. A section is one incident:

    [INC-138]
    system = bubblewrap
    date = 2017-01
    reference = CVE-2017-5226, containers/bubblewrap#142
    source = report
    seen = Code in the box shared the caller's terminal and could type into it.
    show =
    	terminal.injection
    	namespace.shared | O -network-namespace | O

source: "report" when the report or advisory itself was read, "mention" when only a summary was,
"general" for what is generally known. show: a scenario, or ID/CASE, and two fixtures
(docs/fixtures.md), the one as open as the real box was and its closed twin, which differs in one
thing; without them, those of the scenario's own record. why: for what these do not show: what
cannot be seen from inside by one look, and the reason.
"""

import configparser
import functools
import glob
import itertools
import os
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = ("report", "mention", "general")
Show = namedtuple("Show", "scenario opened closed")
Incident = namedtuple("Incident", "table ident system date reference source seen shown why")


class Fault(Exception):
    """A table that makes no sense; the message names file and section."""


@functools.lru_cache(None)
def own_fixtures():
    """The two fixtures of each scenario's own record, by id."""
    path = os.path.join(os.environ.get("BUILD", "build"), "tests", "matrix.tsv")
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {row[0]: row[2:4] for row in rows}


def read_show(line, where):
    parts = [part.strip() for part in line.split("|")]
    own = own_fixtures().get(parts[0].partition("/")[0])
    if not own:
        raise Fault("%s: no such scenario: %s" % (where, parts[0]))
    if len(parts) == 1:
        parts += own
    if len(parts) != 3 or not all(parts) or parts[1] == parts[2]:
        raise Fault("%s: not 'SCENARIO | OPEN | CLOSED': %s" % (where, line))
    if "ANY" in (parts[1].split()[0], parts[2].split()[0]):
        raise Fault("%s: the scenario's own fixtures cannot be made: %s" % (where, parts[0]))
    return Show(*parts)


def parse(path):
    parser = configparser.ConfigParser(delimiters=("=",), comment_prefixes=("#",),
                                       interpolation=None, default_section="every")
    parser.optionxform = str
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as error:
        raise Fault("%s: %s" % (path, " ".join(str(error).split()))) from None
    return parser


def read_table(path):
    parser = parse(path)
    table = os.path.basename(path)[:-len(".ini")]
    for ident in parser.sections():
        fields = dict(parser[ident])
        where = "%s [%s]" % (path, ident)
        shown = [read_show(line, where) for line in fields.pop("show", "").splitlines() if line]
        why = " ".join(fields.pop("why", "").split())
        source = fields.pop("source", "report")
        if source not in SOURCES:
            raise Fault("%s: source is one of %s" % (where, ", ".join(SOURCES)))
        try:
            incident = Incident(table, ident, fields.pop("system"), fields.pop("date", ""),
                                fields.pop("reference"), source,
                                " ".join(fields.pop("seen").split()), shown, why)
        except KeyError as missing:
            raise Fault("%s: no %s" % (where, missing)) from None
        if fields:
            raise Fault("%s: unknown: %s" % (where, ", ".join(fields)))
        if not shown and not why:
            raise Fault("%s: neither show nor why" % where)
        yield incident


def about(table):
    """What the comment at the top of a table says."""
    with open(os.path.join(HERE, table + ".ini"), encoding="utf-8") as file:
        lines = itertools.takewhile(lambda line: line.startswith("#"), file)
        return " ".join(line.strip("# \n") for line in lines)


def read_tables():
    """All incidents, by table and in its order."""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.ini"))):
        path = os.path.relpath(path)
        for incident in read_table(path):
            if incident.ident in found:
                raise Fault("%s [%s]: it is in %s.ini, too" %
                            (path, incident.ident, found[incident.ident].table))
            found[incident.ident] = incident
    return list(found.values())
