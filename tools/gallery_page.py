#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
gallery_page.py --reports FOLDER [--folder TEMPORARY] PAGE…

Renders JSON reports, one per column and named ENGINE-plain.json or ENGINE-hardened.json, as
Markdown, and puts that between the marks <!-- gallery: PART --> and <!-- gallery end --> of each
page; all else in a page is written by people and stays. PART is one of: machine, lines, standing,
table, short. Nothing is computed but counts: a cell is what the report says.
"""

import argparse
import json
import os
import platform
import re
import shlex

ENGINES = ["none", "landlock", "bwrap", "firejail", "lxc", "nspawn", "runc", "docker", "podman",
           "gvisor"]
TITLES = {"bwrap": "bubblewrap", "nspawn": "systemd-nspawn", "gvisor": "gVisor", "lxc": "LXC",
          "landlock": "Landlock", "none": "no sandbox", "docker": "Docker", "podman": "Podman"}
KINDS = ["plain", "hardened"]
SEVERITIES = ["info", "low", "medium", "high", "critical"]
# The most telling rows, for a README.
SHORT = ["system.processes", "content.read", "content.write", "permission.own-to-root",
         "network.http", "danger.seek-root", "danger.exhaust-memory", "danger.exhaust-processes",
         "kernel.filter-mode", "kernel.user-namespace", "kernel.io-uring", "privilege.no-new-privs",
         "privilege.host-root", "namespace.shared", "mount.scratch-exec", "assessment.grader",
         "tamper.loader"]
PLACES = {"--root", "--runroot", "--storage-driver"}
SIGNS = {"accessed": "●", "denied": "○", "unknown": "?"}
MARK = re.compile(r"(<!-- gallery: (\w+) -->\n).*?(<!-- gallery end -->)", re.S)


def load(folder):
    columns = {}
    for engine in ENGINES:
        for kind in KINDS:
            path = os.path.join(folder, "%s-%s.json" % (engine, kind))
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    columns[engine, kind] = json.load(file)
    return columns


def title(engine):
    return TITLES.get(engine, engine)


def is_usable(report):
    return report and any(r["status"] != "unknown" for r in report["results"])


# ---------------------------------------------------------------- a cell


def cell(result):
    if not result:
        return ""
    if result["status"] == "unknown":
        return "?"
    if result["status"] == "accessed":
        n = len(result["cases"])
        n_open = sum(1 for case in result["cases"] if case["status"] == "accessed")
        return "**open**" if n < 2 or n_open in (0, n) else "**%d/%d**" % (n_open, n)
    barriers = result["barriers"] or ["unattributed"]
    return barriers[0] + (" +%d" % (len(barriers) - 1) if len(barriers) > 1 else "")


def results_of(report):
    return {r["id"]: r for r in report["results"]} if report else {}


def category_counts(found, category):
    of_it = [r for r in found.values() if r["category"] == category]
    return "*%d of %d*" % (sum(r["status"] == "accessed" for r in of_it), len(of_it))


def table(columns, kind):
    engines = [e for e in ENGINES if is_usable(columns.get((e, kind)))]
    if not engines:
        return "None was measured.\n"
    found = {e: results_of(columns[e, kind]) for e in engines}
    order = [r["id"] for r in columns[engines[0], kind]["results"]]
    lines = ["| | " + " | ".join(title(e) for e in engines) + " |",
             "|---" * (len(engines) + 1) + "|"]
    counts = ["%d of %d" % (columns[e, kind]["summary"]["accessed"], len(found[e])) for e in engines]
    lines.append("| *open* | " + " | ".join(counts) + " |")
    category = None
    for name in order:
        if name.split(".")[0] != category:
            category = name.split(".")[0]
            lines.append("| **%s** | %s |" % (category, " | ".join(
                category_counts(found[e], category) for e in engines)))
        cells = [cell(found[e].get(name)) for e in engines]
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- how each stands


def worst(report):
    """The open scenarios of the greatest severity, and that severity."""
    opened = [r for r in report["results"] if r["status"] == "accessed"]
    most = max((SEVERITIES.index(r["severity"]) for r in opened), default=-1)
    return ([r["id"] for r in opened if SEVERITIES.index(r["severity"]) == most],
            SEVERITIES[most] if most >= 0 else "none")


def merit(report):
    return sum(1 for r in report["results"]
               if r["status"] == "denied" and r["baseline"] == "accessed")


def brief(report):
    ids, severity = worst(report)
    names = ", ".join(ids[:2]) + (" and %d more" % (len(ids) - 2) if len(ids) > 2 else "")
    unknown = report["summary"]["unknown"]
    return "%d open, %d kept out%s; worst: %s (%s)" % (
        report["summary"]["accessed"], merit(report),
        ", %d unknown" % unknown if unknown else "", names, severity)


def standing(columns):
    lines = []
    for engine in ENGINES:
        told = []
        for kind in KINDS:
            report = columns.get((engine, kind))
            if not report:
                continue
            told.append("%s %s" % (kind, brief(report) if is_usable(report) else
                                   "could not be started here"))
        if engine == "none" and told:
            told = [told[0].replace("plain ", "").replace(", 0 kept out", "")]
        if told:
            lines.append("- **%s**: %s." % (title(engine), ". ".join(told).replace(
                ". hardened", ". Hardened:").replace("plain ", "by default ", 1)))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- command lines, machine


def command_line(report, folder):
    words = report["sandbox"]["argv"] or ["(not started)"]
    # Where podman keeps its files is this measurement's matter alone.
    words = [w for i, w in enumerate(words) if not PLACES & {w, words[i - 1] if i else ""}]
    text = " ".join(shlex.quote(w) if not re.fullmatch(r"\{[a-z-]+\}", w) else w for w in words)
    if folder:
        text = text.replace(folder, "…")
    return re.sub(r"/tmp/(?:tmp|sandboxeval)[.-][A-Za-z0-9.-]+", "…", text)


def lines_part(columns, folder):
    out = []
    for engine in ENGINES:
        for kind in KINDS:
            report = columns.get((engine, kind))
            if not report:
                continue
            out.append("%s, %s (%s)" % (title(engine), kind, "as root" if report["account"] == "root"
                                        else "as an ordinary account"))
            out.append("    " + command_line(report, folder))
    return "\n".join("    " + line for line in out) + "\n"


def machine(columns):
    reports = list(columns.values())
    versions = []
    for engine in ENGINES:
        version = next((columns[engine, k]["sandbox"]["version"] for k in KINDS
                        if (engine, k) in columns), None)
        if version:
            versions.append(version)
    with open("/etc/os-release", encoding="utf-8") as file:
        system = re.search(r'^PRETTY_NAME="?([^"\n]*)', file.read(), re.M).group(1)
    return ("Measured %s with sandboxeval %s, catalogue `%s`, on Linux %s, %s, %s. Engines: %s.\n" % (
        min(r["started"] for r in reports)[:10], reports[0]["tool"]["version"],
        reports[0]["tool"]["catalogue"], platform.release(), platform.machine(), system,
        "; ".join(versions)))


def short(columns):
    """One table: in every cell what is so by default, and hardened."""
    engines = [e for e in ENGINES if is_usable(columns.get((e, "plain")))]
    lines = ["| | " + " | ".join(title(e) for e in engines) + " |",
             "|---" * (len(engines) + 1) + "|"]

    def both(engine, sign):
        usable = [columns[engine, k] for k in KINDS if is_usable(columns.get((engine, k)))]
        return " → ".join(sign(report) for report in usable)

    counts = [both(e, lambda report: str(report["summary"]["accessed"])) for e in engines]
    lines.append("| *open of %d* | %s |" % (len(columns[engines[0], "plain"]["results"]),
                                          " | ".join(counts)))
    for name in SHORT:
        cells = [both(e, lambda report: SIGNS.get(results_of(report).get(name, {}).get("status"), "-"))
                 for e in engines]
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    return "\n".join(lines) + "\n"


def full(columns):
    return ("### By default\n\n" + table(columns, "plain") + "\n### Hardened\n\n" +
            table(columns, "hardened"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reports", required=True)
    parser.add_argument("--folder")
    parser.add_argument("pages", nargs="+")
    asked = parser.parse_args()
    columns = load(asked.reports)
    parts = {
        "machine": lambda: machine(columns),
        "lines": lambda: lines_part(columns, asked.folder),
        "standing": lambda: standing(columns),
        "table": lambda: full(columns),
        "short": lambda: short(columns),
    }
    for page in asked.pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        text = MARK.sub(lambda m: m.group(1) + "\n" + parts[m.group(2)]() + "\n" + m.group(3), text)
        with open(page + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(page + ".new", page)


if __name__ == "__main__":
    main()
