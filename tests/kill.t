#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ends runs from outside: every launcher, everyone who can be killed, at many points.

A run sits on a terminal of its own, and points are found by what it shows there and by the
processes that exist, never by time. Afterwards nothing may be left: processes, files, mounts,
networks, control groups, containers, images, settings of the terminal. Launchers are lanes that run
beside each other, the rows of one follow each other. Each row is one test.
"""
import fcntl
import glob
import os
import pty
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time

sys.dont_write_bytecode = True
from tap import end, ok, skip, skip_all  # noqa: E402

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BUILD = os.environ.get("BUILD", "build")
PROGRAM = os.path.realpath(os.environ.get("SANDBOXEVAL", BUILD + "/sandboxeval"))
ROOT = os.geteuid() == 0
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if ROOT else []
# What takes long enough that its middle can be met.
SELECTION = "system,content"
PATIENCE = 60  # seconds until something that must come is given up
TRIES = 6  # a run that was over before the signal came is started again

# name: launcher, its arguments, who starts it, the engine's process, is the probe seen from here?
LAUNCHERS = {
    "docker": ("docker", [], [], r"docker.* start --attach", True),
    "podman": ("podman", ["{podman}", "--network", "none"], [], r"podman.* start --attach", True),
    "gvisor": ("gvisor", [], [], r"runsc .*run ", False),
    "gvisor by nobody": ("gvisor", [], NOBODY, r"runsc .*run ", False),
    "nspawn": ("nspawn", [], [], r"systemd-nspawn .*--facts", True),
    "lxc": ("lxc", [], [], r"lxc-execute .*--facts", True),
    "firejail": ("firejail", [], [], r"firejail .*--facts", True),
    "runc": ("runc", [], [], r"runc .*run ", True),
    "bwrap": ("bwrap", [], NOBODY, r"bwrap .*--facts", True),
    "landlock": ("landlock", [], [], None, True),
    "command": ("command", ["sh", "-c", "{probe}; exit $?"], [], r"sh -c .*--facts", True),
    "none": ("none", [], [], None, True),
}
BY_NOBODY = ["gvisor by nobody"] if ROOT else []
NEEDS_ROOT = ["docker", "nspawn", "lxc", "runc"]
# The baseline comes before anything of the launcher's: a few will do.
WITH_BASELINE = ["none", "bwrap", "docker"]

INTERRUPTED = {130}
# Near its end a run may be done, or writes its report, where a signal is deadly again.
LATE = {0, 130, -signal.SIGINT, -signal.SIGTERM}
DONE = {0, 2}
# What each makes apart from our own folder: control groups by name, places, mounts by type.
TRACES = {
    "lxc": (r"^lxc\.(payload|monitor)\.sandboxeval-", ["/run/lxc"], []),
    "nspawn": (r"^(payload|supervisor)$", ["/run/systemd/nspawn"], []),
    "runc": (r"^(runc-)?sandboxeval-[0-9a-f]{16}", [], []),
    "gvisor": (r"^(runsc-)?sandboxeval-[0-9a-f]{16}", [], []),
    "firejail": ("^$", ["/run/firejail", "/dev/shm", "/run", "/var/tmp", "/var/lib", "/opt"], []),
    "podman": ("^$", [], ["nsfs"]),
}
# victim, signal, point, exit statuses. "keys": Ctrl-C on the terminal; "group": as timeout(1) does.
ROWS = [
    ("us", signal.SIGINT, "baseline", INTERRUPTED),
    ("us", signal.SIGTERM, "launch", INTERRUPTED),
    ("keys", signal.SIGINT, "probe", INTERRUPTED),
    ("us", signal.SIGTERM, "middle", INTERRUPTED),
    ("us", signal.SIGINT, "end", LATE),
    ("us", signal.SIGKILL, "baseline", {-signal.SIGKILL}),
    ("us", signal.SIGKILL, "launch", {-signal.SIGKILL}),
    ("group", signal.SIGKILL, "probe", {-signal.SIGKILL}),
    ("us", signal.SIGKILL, "middle", {-signal.SIGKILL}),
    ("us", signal.SIGKILL, "end", {0, -signal.SIGKILL}),
    ("engine", signal.SIGKILL, "engine", DONE),
    ("engine", signal.SIGKILL, "middle", DONE),
    ("engine", signal.SIGKILL, "end", DONE),
    ("probe", signal.SIGKILL, "baseline", DONE),
    ("probe", signal.SIGKILL, "probe", DONE),
    ("probe", signal.SIGKILL, "middle", DONE),
    ("probe", signal.SIGKILL, "end", DONE),
    ("worker", signal.SIGKILL, "middle", {2}),
]


# ---------------------------------------------------------------- processes

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


class Process:
    """One line of the table of processes; alive as long as number and start agree."""

    def __init__(self, pid):
        stat = read("/proc/%d/stat" % pid)
        fields = stat[stat.rfind(b")") + 2:].split() if stat else []
        self.pid = pid
        self.alive = bool(fields) and fields[0] not in (b"Z", b"X")
        self.parent = int(fields[1]) if fields else 0
        self.start = fields[19] if fields else b""

    @property
    def words(self):
        return read("/proc/%d/cmdline" % self.pid).replace(b"\0", b" ").decode(errors="replace")

    def still_there(self):
        now = Process(self.pid)
        return now.alive and now.start == self.start


def numbers():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def descendants(pid):
    """With itself, those above before those below."""
    found, n = [Process(pid)], 0
    while n < len(found):
        # Each of its threads has the children that it started.
        for list_of_children in glob.glob("/proc/%d/task/*/children" % found[n].pid):
            found += [Process(int(child)) for child in read(list_of_children).split()]
        n += 1
    return [process for process in found if process.alive]


def has_probe_program(pid):
    try:
        return os.stat("/proc/%d/exe" % pid).st_size == PROBE_SIZE
    except OSError:
        return False


def is_probe(process):
    """Only the probe's own program: an engine has the same words."""
    return has_probe_program(process.pid) and "--facts" in process.words


# ---------------------------------------------------------------- a lane: one launcher

class Lane:
    def __init__(self, name):
        self.name = name
        self.launcher, self.words, self.account, self.engine, self.sees_probe = LAUNCHERS[name]
        self.groups, self.places, self.leaves = TRACES.get(self.launcher, ("^$", [], []))
        self.folder = tempfile.mkdtemp(prefix="kill-")
        os.chmod(self.folder, 0o755)
        self.tmp, home = self.folder + "/tmp", self.folder + "/home"
        for place in self.tmp, home:
            os.mkdir(place)
            os.chmod(place, 0o1777)
        self.environment = dict(os.environ, TMPDIR=self.tmp, HOME=home, COLUMNS="80")
        self.client = None
        self.daemon = None

    def engines(self, script):
        """Runs a line of shell after tests/boxes/engines.sh; its output, or the reason."""
        output = self.folder + "/engines"
        with open(output, "w") as file:
            done = subprocess.run(
                ["sh", "-c", ". tests/boxes/engines.sh; { %s; } || { echo \"$engine_reason\"; "
                 "exit 1; }" % script, self.folder + "/engine"], stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.DEVNULL, env=self.environment)
        with open(output) as file:
            return done.returncode == 0, file.read().splitlines()

    def lacks(self):
        """Brings the engine up. What is missing, or None."""
        if self.launcher in NEEDS_ROOT and not ROOT:
            return "it needs root"
        if self.launcher == "docker":
            up, lines = self.engines('docker_start "$0" && printf "%s\\n" "$docker_pid" '
                                     '"$DOCKER_HOST" "$DOCKER_CONFIG"')
            if not up:
                return " ".join(lines)
            self.daemon = Process(int(lines[0]))
            self.environment.update(DOCKER_HOST=lines[1], DOCKER_CONFIG=lines[2])
            self.client = ["docker"]
        if self.launcher == "podman":
            up, lines = self.engines('podman_prepare "$0" && echo "$podman" && '
                                     'echo "$podman_words"')
            if not up:
                return " ".join(lines)
            self.client = lines[0].split()
            self.words = lines[1].split() + self.words[1:]
        tried = subprocess.run(
            self.account + [program, "run", self.launcher, "-q", "--no-history",
                            "--no-baseline", "--only", "system.locale", "--"] + self.words,
            stdin=subprocess.DEVNULL, capture_output=True, env=self.environment)
        return None if tried.returncode == 0 else tried.stderr.decode(errors="replace").strip()

    def end(self):
        if self.daemon:
            self.engines("engine_end %d 30" % self.daemon.pid)
        self.engines('engine_unmount "%s"' % self.folder)
        if self.client:
            self.forget_containers()
        shutil.rmtree(self.folder, ignore_errors=True)

    def forget_containers(self):
        """What runc remembers of containers whose engine was killed."""
        for path in glob.glob("/run/runc/*/state.json"):
            if self.folder.encode() in read(path):
                subprocess.run(["runc", "delete", "--force", os.path.basename(os.path.dirname(path))],
                               capture_output=True)

    # ------------------------------------------------------------ what there is

    def made(self):
        """What a run might leave, apart from processes."""
        found = set()
        for above, folders, files in os.walk(self.tmp):
            found.update("file " + os.path.join(above, name) for name in folders + files)
        for line in read("/proc/self/mountinfo").decode(errors="replace").splitlines():
            place, kind = line.split()[4], line.split(" - ")[1].split()[0]
            if self.tmp in line or kind in self.leaves:
                found.add("mount " + place)
        for above, folders, _ in os.walk("/sys/fs/cgroup"):
            found.update("group " + os.path.join(above, name) for name in folders
                         if re.search(self.groups, name))
        for place in self.places:
            for above, folders, files in os.walk(place):
                found.update("file " + os.path.join(above, name) for name in folders + files
                             if re.fullmatch(r"sandboxeval-[0-9a-f]{16}|[0-9]+", name))
                # Folders of ours stand at the top of those that belong to all.
                if not place.startswith(("/run/",)):
                    break
        return found | self.containers()

    def containers(self):
        found = set()
        questions = [["ps", "--all", "--format", "container {{.Names}}"],
                     ["images", "--all", "--format", "image {{.Repository}}:{{.Tag}}"]]
        for question in questions if self.client else []:
            told = subprocess.run(self.client + question, stdin=subprocess.DEVNULL,
                                  capture_output=True, env=self.environment).stdout.decode()
            found.update(line for line in told.splitlines() if "sandboxeval-" in line)
        return found

    def ours(self):
        """Processes of a run that are no longer its descendants: known by our folder."""
        mark = self.tmp.encode()
        found = [Process(pid) for pid in numbers() if mark in read("/proc/%d/cmdline" % pid) or
                 mark in read("/proc/%d/environ" % pid)]
        return [process for process in found if process.alive]

    def container_probes(self):
        """Of a daemon or a monitor that has our folder among its words."""
        if not self.client:
            return []
        # The newest first: the window is small.
        for pid in sorted(numbers(), reverse=True):
            process = Process(pid) if has_probe_program(pid) else None
            if process and is_probe(process) and self.folder in Process(process.parent).words:
                return [process]
        return []

    def left(self, before, seen):
        """Until nothing is left, or for long enough. Lanes beside this one come and go."""
        left, until = None, time.monotonic() + 30
        while time.monotonic() < until:
            now = self.made() - before
            now |= {"process %d %s" % (process.pid, process.words[:200]) for process in
                    [one for one in seen.values() if one.still_there()] + self.ours()}
            left = now if left is None else left & now
            if not left:
                return set()
            time.sleep(0.1)
        return left


# ---------------------------------------------------------------- one run

class Run:
    """A run on a terminal of its own, and where it stands."""

    def __init__(self, lane, with_baseline):
        self.lane = lane
        self.shown = b""
        self.seen = {}
        self.master, slave = pty.openpty()
        self.settings = termios.tcgetattr(self.master)
        options = [] if with_baseline else ["--no-baseline"]

        def own_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        self.front = subprocess.Popen(
            lane.account + [program, "run", lane.launcher, "--no-history", "--only",
                            SELECTION, "-r", "json", *options, "--"] + lane.words,
            stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, env=lane.environment,
            preexec_fn=own_terminal)
        os.close(slave)
        os.set_blocking(self.master, False)

    def listen(self):
        try:
            self.shown += os.read(self.master, 65536)
        except OSError:
            pass

    def progress(self):
        """The stage and how much of it is there."""
        self.listen()
        steps = re.findall(rb"\x1b\[K([a-z]+): (\d+)/(\d+)", self.shown)
        if not steps:
            return "", 0, 1
        return steps[-1][0].decode(), int(steps[-1][1]), int(steps[-1][2])

    def family(self):
        return descendants(self.front.pid) + self.lane.container_probes()

    def find(self, victim):
        """The process to be hit, or None while there is none."""
        family = self.family()
        self.seen.update({one.pid: one for one in family})
        if victim in ("us", "keys", "group"):
            return family[0] if family else None
        if victim == "worker":
            return family[1] if len(family) > 1 else None
        if victim == "engine":
            below = [one for one in family[2:] if re.search(self.lane.engine, one.words)]
        else:
            below = [one for one in family[2:] if is_probe(one)]
        return below[0] if below else None

    def is_at(self, point):
        stage, n, planned = self.progress()
        if point == "baseline":
            return stage == "baseline" and n >= 1
        if stage != self.lane.launcher:
            return False
        return {"launch": True, "engine": True, "probe": True,
                "middle": n * 2 >= planned, "end": n * 4 >= planned * 3}[point]

    def reach(self, victim, point):
        """Waits for the point; the process to be hit, or None when it came too late."""
        waits_for = point if point in ("engine", "probe") else victim
        if waits_for == "probe" and not self.lane.sees_probe and point != "baseline":
            waits_for = "engine"
        if waits_for == "engine" and not self.lane.engine:
            waits_for = "probe"
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.front.poll() is None:
            if self.is_at(point) and self.find(waits_for):
                return self.find(victim)
            time.sleep(0.003)
        return None

    def hit(self, victim, number, process):
        """Did it arrive?"""
        try:
            if victim == "keys":
                return os.write(self.master, b"\x03") == 1
            if victim == "group":
                os.killpg(process.pid, number)
            elif process.still_there():
                os.kill(process.pid, number)
            else:
                return False
        except OSError:
            return False
        return True

    def wait(self):
        until = time.monotonic() + 2 * PATIENCE
        while self.front.poll() is None and time.monotonic() < until:
            self.listen()
            time.sleep(0.005)
        if self.front.poll() is None:
            self.front.kill()
            self.front.wait()
            return "it hangs"
        self.listen()
        return self.front.returncode

    def close(self):
        as_before = termios.tcgetattr(self.master) == self.settings
        os.close(self.master)
        return as_before


def remove_left(lane, left):
    """What the killed worker's own process names, and the user is to remove."""
    for each in sorted(left, reverse=True):
        kind, _, name = each.partition(" ")
        if kind == "group":
            subprocess.run(["rmdir", name], capture_output=True)
        if kind == "mount":
            subprocess.run(["umount", name], capture_output=True)
        if kind == "container":
            subprocess.run(lane.client + ["rm", "--force", name], capture_output=True,
                           env=lane.environment)
    for each in left:
        kind, _, name = each.partition(" ")
        if kind == "image":
            subprocess.run(lane.client + ["image", "rm", "--force", name], capture_output=True,
                           env=lane.environment)
        if kind == "file" and name.startswith(lane.tmp):
            shutil.rmtree(name, ignore_errors=True)


def judge_left(lane, row, left, shown):
    """A killed worker cannot undo what it made: only that, and it is said."""
    if row[0] != "worker":
        return "left: " + "; ".join(sorted(left)) if left else None
    named = b"names begin with sandboxeval-" in shown
    running = [each for each in left if each.startswith("process")]
    remove_left(lane, left)
    if running:
        return "left: " + "; ".join(running)
    return None if named else "does not say what is left: %r" % shown[-300:]


def one_try(lane, row, row_was_hit):
    """None: too late. Else the fault, "" for none."""
    victim, number, point, expected = row
    before = lane.made()
    run = Run(lane, point == "baseline")
    process = run.reach(victim, point)
    hit = process is not None and run.hit(victim, number, process)
    status = run.wait()
    kept = run.close()
    fault = judge_left(lane, row if hit else ("us",), lane.left(before, run.seen), run.shown)
    if fault:
        return fault
    if not kept:
        return "the terminal is not as it was"
    # It may have ended on its own just before the signal.
    if not hit or (status == 0 and 0 not in expected):
        row_was_hit[0] |= hit
        return None if status == 0 else "never came there; ends with %s: %r" % (
            status, run.shown[-300:])
    if status not in expected:
        return "ends with %s: %r" % (status, run.shown[-300:])
    return ""


def test_row(lane, row):
    """The fault, "" for none; None when the point could not be met."""
    was_hit = [False]
    for _ in range(TRIES):
        fault = one_try(lane, row, was_hit)
        if fault is not None:
            return fault
    return "the signal changes nothing: each run ends with 0" if was_hit[0] else None


def rows_of(lane):
    for row in ROWS:
        victim, _, point, _ = row
        if victim == "engine" and not lane.engine:
            continue
        if point == "baseline" and lane.name not in WITH_BASELINE:
            continue
        if victim == "probe" and point != "baseline" and not lane.sees_probe:
            continue
        yield row


# ---------------------------------------------------------------- the table

program = None


def run_lane(name):
    lane = Lane(name)
    try:
        reason = lane.lacks()
        if reason:
            skip(name, " ".join(reason.split())[:200])
            return
        for row in rows_of(lane):
            fault = test_row(lane, row)
            title = "%s: %s to %s, %s" % (name, row[1].name, row[0], row[2])
            if fault is None:
                skip(title, "every run was over before that", also_in_ci=True)
            else:
                ok(not fault, title, fault)
    except Exception as fault:  # a lane must not end silently
        ok(False, name, "%s: %s" % (type(fault).__name__, fault))
    finally:
        lane.end()


def work(names):
    while True:
        try:
            run_lane(names.get_nowait())
        except queue.Empty:
            return


def main():
    global program
    # Where every account may read it; before the threads: a fork may hold a file open for writing.
    folder = tempfile.mkdtemp(prefix="kill-")
    os.chmod(folder, 0o755)
    program = shutil.copy(PROGRAM, folder)
    try:
        return run_lanes()
    finally:
        shutil.rmtree(folder)


def run_lanes():
    names = queue.Queue()
    for name in sys.argv[1:] or LAUNCHERS:
        if name not in ("gvisor by nobody",) or BY_NOBODY:
            names.put(name)
    lanes = [threading.Thread(target=work, args=(names,)) for _ in range(os.cpu_count() + 1)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    end()


if not os.access(PROGRAM, os.X_OK):
    skip_all("it is not built")
PROBE_SIZE = os.stat(os.path.dirname(PROGRAM) + "/sandboxeval-probe").st_size
sys.exit(main())
