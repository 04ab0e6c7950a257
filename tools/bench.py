#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
bench.py [PAGE]: how long the probe takes beside programs that everybody knows, in the same boxes
and the same run, and how many system calls each trial makes. Writes the page (standard output).

Everything that is compared is run in turn, round after round, so that what else the machine does
touches all alike; what is shown is the median of the rounds, and of the rounds' ratios.

ROUNDS (11) and ENTRIES (260000) may be set in the environment. Root starts the boxes as an account
without a name, and only root's runs know the engines of containers.
"""

import atexit
import datetime
import json
import os
import platform
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
HOST = os.path.join(BUILD, "sandboxeval")
ROUNDS = int(os.environ.get("ROUNDS", "11"))
ENTRIES = int(os.environ.get("ENTRIES", "260000"))
IS_ROOT = os.geteuid() == 0
ACCOUNT = "1234"  # no entry in /etc/passwd
SECONDS = 120

LISTS = ["content.list-readable", "content.list-writable", "content.list-executable",
         "directory.recursive"]
PAPER = "system,directory,metadata,structure,content,permission,network,danger"
USE_THE_WALK = LISTS + ["danger.seek-root"]
NAMED = {"readable": "-readable", "writable": "-writable", "executable": "-executable"}


def say(text):
    print("bench: " + text, file=sys.stderr, flush=True)


def run(command, **how):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                          **how)


def median(numbers):
    return statistics.median(numbers)


# ---------------------------------------------------------------- boxes


class Place:
    """A folder with the programs that the boxes hold, and the tree; removed at the end."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="sandboxeval-bench-", dir="/var/tmp")
        atexit.register(shutil.rmtree, self.folder, True)
        os.chmod(self.folder, 0o755)
        self.programs = os.path.join(self.folder, "programs")
        os.makedirs(os.path.join(self.programs, "lib"))
        for name in ["spent", "bare_walk"]:
            shutil.copy(os.path.join(BUILD, "bench", name), self.programs)
        shutil.copy(os.path.join(BUILD, "sandboxeval-probe"), os.path.join(self.programs, "probe"))
        for name in ["find", "bfs"]:
            self.copy(name)
        self.tree = os.path.join(self.folder, "tree")

    def copy(self, name):
        """With the libraries that it needs: the box holds little besides the tree."""
        path = shutil.which(name)
        if not path:
            return
        shutil.copy(path, self.programs)
        for word in run(["ldd", path], text=True).stdout.split():
            if word.startswith("/"):
                shutil.copy(word, os.path.join(self.programs, "lib"))

    def has(self, name):
        return os.path.exists(os.path.join(self.programs, name))

    def box(self, *words):
        account = ["setpriv", "--reuid", ACCOUNT, "--regid", ACCOUNT, "--clear-groups"]
        return (account if IS_ROOT else []) + [
            "env", "-i", "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
            "--ro-bind", self.programs, "/programs", "--dev", "/dev", *words]

    def usual_box(self):
        """A system's programs, /proc and a scratch folder."""
        return self.box("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink",
                        "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc",
                        "--tmpfs", "/tmp")

    def tree_box(self):
        return self.box("--bind", self.tree, "/tree", "--ro-bind", self.programs + "/lib", "/lib64",
                        "--setenv", "LD_LIBRARY_PATH", "/lib64")


class Spent:
    """What a command took: by the clock of the box, of the processor, and with its box."""

    def __init__(self, command):
        start = time.monotonic()
        ended = run(command)
        self.whole = time.monotonic() - start
        self.output = ended.stdout
        last = ended.stderr.decode(errors="replace").splitlines()[-1:]
        try:
            self.clock, user, system, self.status = map(float, last[0].split())
        except (IndexError, ValueError):
            sys.exit("bench: %s said: %s" % (shlex.join(command), ended.stderr.decode()))
        self.processor = user + system


def in_turn(box, commands, rounds):
    """Name → one Spent for each round, after one round that counts for nothing."""
    spent = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, words in commands.items():
            took = [Spent(box + ["/programs/spent", *part]) for part in words]
            for other in took[1:]:
                took[0].clock += other.clock
                took[0].processor += other.processor
                took[0].whole += other.whole
            if number:
                spent[name].append(took[0])
    return spent


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |",
             "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def ratio(spent, name, other, what):
    return median(getattr(a, what) / getattr(b, what) for a, b in zip(spent[name], spent[other]))


# ---------------------------------------------------------------- without the walk


def of_probe(output):
    return [json.loads(line) for line in output.decode().splitlines()]


def without_walk(place):
    say("the trials without the walk")
    skipped = ["--skip", ",".join(USE_THE_WALK)]
    spent = in_turn(place.usual_box(), {
        "`true`": [["/usr/bin/true"]],
        "`python3 -c pass`": [["/usr/bin/python3", "-c", "pass"]],
        "probe, one trial": [["/programs/probe", "--only", "system.cpu"]],
        "probe, the paper's": [["/programs/probe", "--only", PAPER, *skipped]],
        "probe, all": [["/programs/probe", *skipped]],
    }, ROUNDS)
    rows = [[name, "%.1f ms" % (1e3 * median(one.clock for one in all)),
             "%.1f ms" % (1e3 * min(one.clock for one in all)),
             "%.1f ms" % (1e3 * median(one.whole for one in all)),
             "%.2f" % ratio(spent, name, "`python3 -c pass`", "clock")]
            for name, all in spent.items()]
    trials = tuple(of_probe(spent[name][0].output)[-1]["trials"]
                   for name in ("probe, the paper's", "probe, all"))
    return """## Trials without the walk

The paper's %d trials that use no walk, and all %d of them, beside `true` and Python in the same
sandbox (bwrap on `/usr`, with `/proc`, all namespaces). The clock is one inside the box; "with the
box" adds bwrap's own start and end. The aim is below 50 ms for the paper's, below 150 ms for all.

%s
""" % (*trials, table(["", "clock, median", "least", "with the box", "of Python's"], rows))


# ---------------------------------------------------------------- the walk


def search(program, tests):
    """One command that asks the questions of each plain file, and prints each list."""
    words = ["/programs/" + program, "/tree", "-type", "f", "("]
    for number, test in enumerate(tests):
        words += ([","] if number else []) + [test, "-fprint", "/dev/null"]
    return words + [")"]


def walk_commands(place):
    commands = {"getdents64 and statx": [["/programs/bare_walk", "/tree"]]}
    for program in ["find", "bfs"]:
        if place.has(program):
            commands["`%s`, all three at once" % program] = [search(program, NAMED.values())]
            commands["`%s`, three times" % program] = [
                search(program, [test]) for test in NAMED.values()]
    commands["probe's walk"] = [["/programs/probe", "--only", ",".join(LISTS)]]
    return commands


def counted(place, output):
    """What find counts, beside what the probe says of /tree."""
    rows = []
    trials = {line["id"]: line["measured"] for line in of_probe(output) if "id" in line}
    for word, test in NAMED.items():
        ended = run(place.tree_box() + ["/programs/find", "/tree", "-type", "f", test, "-printf",
                                        "x"])
        measured = trials["content.list-" + word]
        rows.append([word, str(len(ended.stdout)), str(measured.get("files.tree", 0)),
                     measured["bound"]])
    return rows


def scale_cut_walks(walks, entries):
    """A walk that was cut counts as if it had gone on as it went; how many were."""
    cut = 0
    for one in walks:
        measured = of_probe(one.output)[-2]["measured"]
        if measured["bound"] == "time":
            cut += 1
            one.clock *= entries / measured["entries"]
            one.processor *= entries / measured["entries"]
    return cut


AIMS = [("`bfs`, all three at once", 0.6), ("`bfs`, three times", 0.6),
        ("getdents64 and statx", 1.2)]


def walk(place):
    say("a tree of %d entries" % ENTRIES)
    made = run([os.path.join(BUILD, "bench", "make_tree"), place.tree, str(ENTRIES)])
    if made.returncode:
        sys.exit("bench: make_tree: " + made.stderr.decode())
    commands = walk_commands(place)
    say("its walk, %d rounds" % ROUNDS)
    spent = in_turn(place.tree_box(), commands, ROUNDS)
    mine = "probe's walk"
    cut = scale_cut_walks(spent[mine], int(made.stdout))
    rows = [[name, "%.3f s" % median(one.processor for one in all),
             "%.3f s" % median(one.clock for one in all),
             "%.2f" % ratio(spent, mine, name, "processor"),
             "%.2f" % ratio(spent, mine, name, "clock")] for name, all in spent.items()]
    aims = ["- %s: the aim is %.1f, measured %.2f (processor) and %.2f (clock)" % (
        name, aim, ratio(spent, mine, name, "processor"), ratio(spent, mine, name, "clock"))
        for name, aim in AIMS if name in spent]
    bare = [name for name in spent if name == AIMS[0][0]]
    if bare:
        aims.append("- the bare loop itself: %.2f of `bfs` with all three at once (processor); a walk "
                    "that learns mode and owner of each file by statx cannot be below it" %
                    ratio(spent, AIMS[2][0], bare[0], "processor"))
    best = max(spent[mine], key=lambda one: of_probe(one.output)[-2]["measured"]["entries"])
    counts = table(["", "find", "probe", "bound"], counted(place, best.output))
    folders = len(run(["find", place.tree, "-type", "d", "-printf", "x"]).stdout)
    programs = len(set(run(["find", place.tree, "-type", "f", "-perm", "/111", "-printf",
                            "%h\\n"]).stdout.split()))
    return """## The walk

A tree of %s entries in %d folders on a disk, files of another owner with modes mixed, warm in
the page cache, bound in a box that holds little else. The probe finds in one walk which files may be
read, written and executed, their modes, and the map of folders; `find` and `bfs` print the first
three, by one command or by one for each. The bare loop reads folders and asks the status of each
entry, nothing else. Start, trials and report of the probe are counted in.

%s

The probe's part of the aims:

%s

The walk's own bound (3 s, 0.75 s of the processor) cut %d of %d walks; a cut one counts above
as if it had gone on as it went. Files found, in an uncut one the same:

%s

One real operation per folder and right confirms the cheap checks; that of execution costs most.
%d %% of these folders hold programs (under a distribution's `/usr`: 1 to 2 %%).
""" % (made.stdout.decode().strip(), folders,
            table(["", "processor", "clock", "probe / this, processor", "clock"], rows),
            "\n".join(aims), cut, ROUNDS, counts, round(100 * programs / folders))


# ---------------------------------------------------------------- launches


class Engines:
    """Containers' engines, set up below a folder of ours as long as this lives."""

    def __init__(self, folder):
        os.makedirs(folder)
        self.process = None
        self.lines = []
        if not IS_ROOT:
            return
        self.process = subprocess.Popen(["tools/bench/engines.sh", folder], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        for line in self.process.stdout:
            if line.startswith("."):
                break
            self.lines.append(line.rstrip("\n").split("\t"))

    def end(self):
        if self.process:
            self.process.communicate()


def launch_pairs(engines):
    """Name → the engine's own true, our run's arguments before and after; {name}: a new one."""
    user = ["setpriv", "--reuid", ACCOUNT, "--regid", ACCOUNT, "--clear-groups"] if IS_ROOT else []
    usual = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
             "--unshare-all", "--die-with-parent"]
    pairs = {"none": (["true"], [], []), "landlock": (["true"], [], []),
             "bwrap": (user + ["bwrap", *usual, "true"], user, []),
             "firejail": (["firejail", "--quiet", "--", "true"], [], [])}
    for name, own, words in engines.lines:
        words = words.split()
        # "env A=B …" stands before the program.
        start = 1 + max([i for i, word in enumerate(words) if "=" in word and words[0] == "env"],
                        default=-1)
        pairs[name] = (own.split(), words[:start], words[start:])
    return pairs


def launch(command, number):
    words = [word.replace("{name}", "sandboxeval-bench-%d-%d" % (os.getpid(), number))
             for word in command]
    start = time.monotonic()
    ended = run(words)
    return time.monotonic() - start, ended


def one_engine(place, name, pair, rounds):
    own, before, after = pair
    one = [*before, os.path.join(place.programs, "sandboxeval"), "run", name, "--only", "system.cpu",
           "--no-baseline", "--no-witness", "--no-history", "--single", "--quiet",
           "--report", "json=/dev/null", *after]
    own_took, our_took = [], []
    for number in range(rounds + 1):
        for took, command in ((own_took, own), (our_took, one)):
            seconds, ended = launch(command, number)
            if ended.returncode:
                text = (ended.stderr or ended.stdout).decode(errors="replace").strip()
                return [name, "-", "-", "-", (text.splitlines() or ["no word"])[-1][:80]]
            if number:
                took.append(seconds)
    return [name, "%.0f" % (60 / median(own_took)), "%.0f" % (60 / median(our_took)),
            "%.2f" % median(b / a for a, b in zip(own_took, our_took)),
            "%.0f ms" % (1e3 * median(b - a for a, b in zip(own_took, our_took)))]


def launches(place):
    say("launches of engines")
    shutil.copy(HOST, place.programs)
    scratch = os.path.join(place.folder, "scratch")
    os.mkdir(scratch)
    os.chmod(scratch, 0o1777)
    os.environ["TMPDIR"] = scratch
    known = run([HOST, "sandboxes"], text=True).stdout
    engines = Engines(os.path.join(place.folder, "e"))
    rows = []
    for name, pair in launch_pairs(engines).items():
        if not re.search(r"^%s +(yes|no) " % name, known, re.M):
            continue
        slow = name in ("gvisor", "podman", "docker")
        say("  " + name)
        rows.append(one_engine(place, name, pair, min(ROUNDS, 5) if slow else ROUNDS))
    engines.end()
    return """## Launches

Launches in a minute, one after another: the engine's own with a `true` in it, and `sandboxeval run`
with one trial, which asks the engine's version, makes the box, starts the probe in it, reads what
it says, and takes everything down. Where the engine is the kernel itself, its own is a plain
`true`.

%s
""" % table(["engine", "own `true`", "`run`", "run / own", "beyond"], sorted(rows))


# ---------------------------------------------------------------- system calls


def traced(place, ident):
    """Calls between the line that announces the trial and the one that tells its end, by name."""
    log = os.path.join(place.folder, "log-" + ident)
    inside = "/log"
    os.close(os.open(log, os.O_CREAT | os.O_WRONLY, 0o666))
    os.chmod(log, 0o666)
    run(place.usual_box() + ["--bind", log, inside, "strace", "-f", "-s", "24", "-o", inside,
                             "/programs/probe", "--only", ident, "--facts", "place=inside"])
    before, during, total = 0, {}, 0
    state = "before"
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            call = re.match(r"\d+ +(\w+)\(", line)
            if not call:
                continue
            total += 1
            if state == "during" and 'write(1, "{\\"id\\"' in line:
                state = "after"
            if state == "during":
                during[call[1]] = during.get(call[1], 0) + 1
            if state == "before":
                before += 1
                if 'write(1, "{\\"try\\"' in line:
                    state = "during"
    os.unlink(log)
    return before, during, total


def system_calls(place):
    say("system calls of each trial")
    listed = run([os.path.join(BUILD, "sandboxeval-probe"), "--list"], text=True).stdout
    idents = [line.split()[0] for line in listed.splitlines() if re.match(r"[a-z]+\.[a-z]", line)]
    rows, starts = [], []
    for ident in idents:
        before, during, total = traced(place, ident)
        if ident not in USE_THE_WALK:
            starts.append(before)
        most = sorted(during.items(), key=lambda pair: (-pair[1], pair[0]))[:4]
        rows.append([ident, str(sum(during.values())),
                     ", ".join("%s %d" % pair for pair in most)])
    sums = [int(row[1]) for row in rows]
    return """## System calls

Of each trial with its child, from the announcement to the result, seen by `strace -f` in the box of
the first table. A trial makes %d in the middle, all of them %d together; before the first trial
stand %d (filter, kernel, own state). A tracer changes some of it: under one the probe does not ask
what a filter would say, since a tracer could answer for it.

%s
""" % (median(sums), sum(sums), median(starts),
            table(["trial", "calls", "most of them"], rows).replace("---: |\n", "--- |\n", 1))


# ---------------------------------------------------------------- the page


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    versions = [shutil.which(name) and run([name, "--version"], text=True).stdout.splitlines()[0]
                for name in ["bwrap", "find", "bfs"]]
    return """# Performance

<!-- Written by `make bench`: do not edit. -->

Measured on %s: %s, %d processors, Linux %s;
%s.
Medians of %d rounds in which everything compared was run in turn. While it ran, %.1f processes
were ready to run on average: read the ratios, not the seconds.
""" % (datetime.date.today().isoformat(), names[0] if names else platform.machine(),
            os.cpu_count(), platform.release(), ", ".join(filter(None, versions)), ROUNDS,
            os.getloadavg()[2])


def main():
    # Ended from outside, too, it takes its folder away.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    place = Place()
    parts = [without_walk(place), walk(place), launches(place), system_calls(place)]
    page = "\n".join([machine()] + parts)
    if len(sys.argv) < 2:
        print(page, end="")
        return
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(page)


main()
