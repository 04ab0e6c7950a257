# SPDX-License-Identifier: MIT
"""What the lab says: the confusion matrix, the page of all controls, TAP, and the faults."""

VERDICTS = ("expected", "elsewhere", "missed")
INTRODUCTION = """# What the lab shows

*Written by `make lab`; do not edit. Kernel %s.*

The lab starts from a hardened box, relaxes one control at a time, has a small program that shares
no code with the probe confirm that the box has changed, and then runs the probe there: does it
notice, where it must, and does nothing flip that has nothing to do with it?
[lab/README.md](../lab/README.md) says how, and how to add a control.

%s

- **open** – untrusted code gains something; **latent** – one of several layers is gone and another
  still refuses, so only the named barriers change; **equivalent** – cannot be seen on this kernel;
  **unavailable** – cannot be made here.
- **expected** – all that must change did; **elsewhere** – only something else did; **missed** –
  nothing did; **false** – something changed that must not; **to come** – only scenarios that are
  not written yet can see it.

"""


def table(rows):
    """A Markdown table, its columns aligned so that it reads well as plain text too."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    text = []
    for n, row in enumerate(rows):
        text.append("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if n == 0:
            text.append("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(text)


def count(outcomes, kind):
    """Verdicts of these outcomes for "status", "barriers" or "evidence"."""
    found = [outcome.verdict(kind) for outcome in outcomes
             if not (outcome.trouble or outcome.skip)]
    return [found.count(verdict) for verdict in VERDICTS]


def matrix_row(name, outcomes):
    false = [sum(bool(o.false_status) for o in outcomes), sum(bool(o.false_barriers)
                                                              for o in outcomes)]
    waiting = sum(not o.control.expect and bool(o.control.later) for o in outcomes)
    return ([name, str(len(outcomes))] + [str(n) for n in count(outcomes, "status")]
            + [str(false[0])] + [str(n) for n in count(outcomes, "barriers")] + [str(false[1])]
            + [str(waiting), str(sum(bool(o.trouble or o.skip) for o in outcomes))])


def groups(outcomes):
    found = {}
    for outcome in outcomes:
        found.setdefault(outcome.control.group, []).append(outcome)
    return found


def matrix(outcomes, placebos):
    head = ["class", "controls", "status: expected", "elsewhere", "missed", "false",
            "barriers: expected", "elsewhere", "missed", "false", "to come", "not measured"]
    rows = [head] + [matrix_row(name, some) for name, some in groups(outcomes).items()]
    for kind in ("open", "latent", "equivalent", "unavailable"):
        some = [o for o in outcomes if o.control.kind == kind]
        if some:
            rows.append(matrix_row("all " + kind, some))
    rows.append(matrix_row("all", outcomes))
    return table(rows) + "\n\n" + placebo_line(placebos)


def placebo_line(placebos):
    runs, faults = placebos
    return "Placebo: %d runs of the unchanged box, %s." % (
        runs, "no status, barrier or evidence differs" if not faults else
        "%d differences, the first of them: %s" % (len(faults), faults[0]))


def summary(outcomes, placebos):
    """The sentences that a README may quote."""
    def measured(kind, speaks):
        some = [o for o in outcomes if o.control.kind == kind and o.verdict(speaks) != "none"
                and not o.trouble]
        return sum(o.verdict(speaks) == "expected" for o in some), len(some)

    false = sum(len(o.false_status) for o in outcomes)
    return ("%d controls in %d classes. Of the open ones that today's scenarios can see, %d of %d "
            "turn the expected status; of those of which only the barriers tell, %d of %d change "
            "them; of the latent ones, %d of %d. Status changes without a cause: %d. %s" % (
                (len(outcomes), len(groups(outcomes))) + measured("open", "status")
                + measured("open", "barriers") + measured("latent", "barriers")
                + (false, placebo_line(placebos))))


def rows_of(outcomes):
    """Rows are not padded: some of their cells are long."""
    rows = ["| relaxed | kind | noticed by | to come |", "| --- | --- | --- | --- |"]
    for outcome in outcomes:
        rows.append("| %s | %s | %s | %s |" % (outcome.control.name, outcome.control.kind,
                                               noticed(outcome), " ".join(outcome.control.later)))
    return "\n".join(rows)


def to_come(outcomes):
    """Scenarios that are not written yet, with the number of controls that wait for them."""
    waiting = {}
    for outcome in outcomes:
        for scenario in outcome.control.later:
            waiting[scenario] = waiting.get(scenario, 0) + 1
    return "\n".join("- `%s`: %d" % item for item in sorted(waiting.items()))


def report(outcomes, placebos, kernel):
    text = INTRODUCTION % (kernel, summary(outcomes, placebos)) + matrix(outcomes, placebos) + "\n"
    for name, some in groups(outcomes).items():
        text += "\n## %s\n\n%s\n" % (name, rows_of(some))
    return text + "\n## Scenarios to come, and how many controls wait for them\n\n%s\n" % (
        to_come(outcomes))


def noticed(outcome):
    control = outcome.control
    if outcome.trouble or outcome.skip:
        return "not measured: " + (outcome.trouble or outcome.skip).splitlines()[0]
    if control.expect:
        return "; ".join(("**missed** " if line in outcome.missing else "") + "`%s`" % line
                         for line in control.expect)
    return ("nothing: " + control.why) if control.why else "–"


def complaints(outcome):
    found = [outcome.trouble] if outcome.trouble else []
    found += ["missed: " + line for line in outcome.missing]
    return found + ["flips without cause: " + line
                    for line in outcome.false_status + outcome.false_barriers]


def faults(outcomes, placebos):
    for outcome in outcomes:
        if outcome.skip:
            print("%s/%s: skipped: %s" % (outcome.control.group, outcome.control.name,
                                          outcome.skip))
        for line in complaints(outcome):
            print("%s/%s (%s): %s" % (outcome.control.group, outcome.control.name,
                                      outcome.control.kind, line))
    for line in placebos[1][:40]:
        print("placebo: " + line)


def show(outcomes):
    """Every change; cases of one scenario that change alike are told together."""
    for outcome in outcomes:
        print("%s/%s (%s)" % (outcome.control.group, outcome.control.name, outcome.control.kind))
        if not outcome.difference:
            print("\t" + (outcome.trouble or outcome.skip or "not compared"))
            continue
        alike = {}
        for name, words in outcome.difference.changes.items():
            scenario, _, case = name.partition("/")
            alike.setdefault((scenario, " ".join(words)), []).append(case or "all")
        for (scenario, words), names in alike.items():
            print("\t%s %s: %s" % (scenario, words, " ".join(names)))


def tap(outcomes, placebos):
    print("1..%d" % (len(outcomes) + 1))
    for n, outcome in enumerate(outcomes, 1):
        wrong = complaints(outcome)
        name = "%s: %s (%s)" % (outcome.control.group, outcome.control.name, outcome.control.kind)
        skip = " # SKIP " + outcome.skip.splitlines()[0] if outcome.skip else ""
        print("%sok %d - %s%s" % ("not " if wrong else "", n, name, skip))
        for line in wrong:
            print("# " + line)
    print("%sok %d - %s" % ("not " if placebos[1] else "", len(outcomes) + 1,
                            placebo_line(placebos)))
    for line in placebos[1][:40]:
        print("# " + line)
