#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The guard's contract, end to end: whatever a trial does and however little the sandbox leaves the
# probe, the probe ends in time, prints its header, one line for each planned scenario and its
# footer, leaves no process behind, and never takes a lack of its own means for a refusal: compared
# with the same box without the hardship a status may become unknown, never denied.

import json
import os
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, "tests")
from tap import end, ok, skip, skip_all  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
FAULTY = os.path.join(BUILD, "faults", "sandboxeval-probe")
FACTS = "key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
UNAVAILABLE = 77
TIMED_OUT = 124  # timeout(1)
OUTPUT_LOST = 2
LOST = "sandboxeval-probe: its output could not be written\n"
SECONDS = 30
LONELY = "4321"  # an account that runs nothing else, for limits that count its processes


class Run:
    """One run of a probe in a box."""

    def __init__(self, fixture, probe=PROBE, arguments=(), account=None, facts=True):
        place = "outside" if "U" in fixture.split() else "inside"
        # Ended by a signal that lets the box clean up after itself.
        command = ["timeout", "--kill-after=10", str(SECONDS), "tests/boxes/box"]
        command += (["--account", account] if account else [])
        command += [fixture, probe] + list(arguments)
        command += ["--facts", "place=%s,%s" % (place, FACTS)] if facts else []
        self.header = self.footer = None
        self.trials, self.junk, self.late = {}, [], False
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
        self.late = ended.returncode == TIMED_OUT
        self.status = ended.returncode
        self.errors = ended.stderr.decode(errors="replace")
        for line in ended.stdout.decode(errors="replace").splitlines():
            self.take(line)

    def take(self, line):
        try:
            value = json.loads(line)
        except ValueError:
            self.junk.append(line)
            return
        if "sandboxeval" in value:
            self.header = value
        elif "end" in value:
            self.footer = value
        elif "id" in value:
            if value["id"] in self.trials:
                self.junk.append(line)
            self.trials[value["id"]] = value

    def unavailable(self):
        return self.errors.strip() if self.status == UNAVAILABLE else None

    def why_incomplete(self):
        """Text, empty when all that the contract promises came."""
        if self.late:
            return "it had to be ended after %d seconds" % SECONDS
        faults = []
        if self.status != 0:
            faults.append("exit status %s" % self.status)
        if self.junk:
            faults.append("unexpected lines: %s" % self.junk[:3])
        if not self.header:
            faults.append("no header")
        elif len(self.trials) != self.header["planned"]:
            faults.append("%d of %d trials" % (len(self.trials), self.header["planned"]))
        if not self.footer:
            faults.append("no footer")
        elif not self.footer["clean"]:
            faults.append("something was left behind")
        return "\n".join(faults + ([self.errors] if faults else []))

    def wrongly_denied(self, plain, by):
        """Trials and cases that the plain box shows accessed, denied here by none of `by`."""
        before = dict(plain.parts())
        for name, part in self.parts():
            if before.get(name, {}).get("status") == "accessed" and part["status"] == "denied":
                if not by & set(part.get("barriers", [])):
                    yield name + ": " + json.dumps(part)[:600]

    def parts(self):
        for ident, trial in self.trials.items():
            yield ident, trial
            for case in trial.get("cases", []):
                yield ident + "/" + case["case"], case


# ---------------------------------------------------------------- trials that misbehave

# Scenario of tests/faults, status, reason that it must end with.
FAULTS = [
    ("faults.hang", "unknown", "timed-out"),
    ("faults.crash", "unknown", "crashed"),
    ("faults.silent", "unknown", "no-report"),
    ("faults.spin", "unknown", "timed-out"),
    ("faults.escape", "accessed", None),
    ("faults.litter", "accessed", None),
    ("faults.flood", "accessed", None),
    ("faults.swell", "accessed", None),
]


def processes_of(uid):
    """Names of the living processes of an account."""
    names = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/status" % entry, encoding="utf-8", errors="replace") as file:
                lines = dict(line.split(":\t", 1) for line in file if ":\t" in line)
        except OSError:
            continue
        if lines["Uid"].split()[0] == uid:
            names.append(lines["Name"].strip())
    return names


def faults():
    for fixture in ("U", "B", "B -proc", "E", "O"):
        run = Run(fixture, FAULTY, ["--timeout", "1"], LONELY)
        if run.unavailable():
            skip("faults in " + fixture, run.unavailable())
            continue
        why = run.why_incomplete()
        ok(not why, "a run with faulty trials is complete in " + fixture, why)
        for ident, status, reason in FAULTS:
            trial = run.trials.get(ident, {})
            ok(trial.get("status") == status and trial.get("reason") == reason,
               "%s is %s in %s" % (ident, reason or status, fixture), trial)
    left = processes_of(LONELY)
    ok(not left, "no process stays", left)
    run = Run("O +memory:48", FAULTY)
    if run.unavailable():
        skip("a trial over the memory limit", run.unavailable())
        return
    why = run.why_incomplete()
    ok(not why, "a run over the memory limit is complete", why)
    trial = run.trials.get("faults.swell", {})
    ok(trial.get("status") == "unknown", "the trial over the memory limit costs only itself", trial)


# ---------------------------------------------------------------- a sandbox that leaves little

NO_FORK = "clone,clone3,fork,vfork"
# What a program without a library needs to run and to make children; and what a small one uses.
BARE = ("read,write,mmap,munmap,brk,exit_group,exit,wait4,clone,rt_sigaction,rt_sigprocmask,"
        "rt_sigreturn,close,execve,arch_prctl,set_tid_address")
SMALL = BARE + (",mprotect,getpid,getppid,openat,fstat,newfstatat,lseek,poll,ppoll,kill,"
                "clock_gettime,execveat")
# What is hard, the box, the box without the hardship, barriers that it may rightly name.
HARDSHIPS = [
    ("fork refused by EPERM", "S(%s)" % NO_FORK, "B", {"seccomp"}),
    ("fork refused by ENOSYS", "S(ENOSYS:%s)" % NO_FORK, "B", {"seccomp"}),
    ("fork refused by EAGAIN", "S(EAGAIN:%s)" % NO_FORK, "B", {"seccomp"}),
    ("fork trapped", "S(trap:%s)" % NO_FORK, "B", {"seccomp"}),
    ("fork feigned", "S(0:%s)" % NO_FORK, "B", {"seccomp"}),
    ("its number is a secret", "S(getpid,gettid,getppid)", "B", {"seccomp"}),
    ("to ask for its number kills", "S(kill:getpid,gettid,getppid)", "B", {"seccomp"}),
    ("its number is feigned", "S(0:getpid,gettid,getppid)", "B", {"seccomp"}),
    ("names cannot be removed", "S(unlink,unlinkat,rmdir,openat2,openat@2&65536=65536)", "B",
     {"seccomp"}),
    ("all but a few calls kill", "S(kill!:%s)" % SMALL, "B", {"seccomp"}),
    ("all but a few calls trap", "S(trap!:%s)" % SMALL, "B", {"seccomp"}),
    ("all but a few calls are refused", "S(EPERM!:%s)" % SMALL, "B", {"seccomp", "unattributed"}),
    ("all but a few calls are missing", "S(ENOSYS!:%s)" % SMALL, "B", {"seccomp", "unattributed"}),
    ("all but the least kills", "S(kill!:%s)" % BARE, "B", {"seccomp"}),
    ("all but the least is refused", "S(EPERM!:%s)" % BARE, "B", {"seccomp", "unattributed"}),
    ("no fork for the account", "U -- prlimit --nproc=0", "U", {"rlimit"}),
    ("no process to spare", "U -- prlimit --nproc=1", "U", {"rlimit"}),
    ("one process to spare", "U -- prlimit --nproc=2", "U", {"rlimit"}),
    ("two processes to spare", "U -- prlimit --nproc=3", "U", {"rlimit"}),
    ("three processes to spare", "U -- prlimit --nproc=4", "U", {"rlimit"}),
    ("two processes to spare in a box", "B -- prlimit --nproc=4", "B", {"rlimit"}),
    ("no process to spare in a container", "O +pids:1", "O", {"cgroup"}),
    ("one process to spare in a container", "O +pids:2", "O", {"cgroup"}),
    ("two processes to spare in a container", "O +pids:3", "O", {"cgroup"}),
    ("8 MiB in a container", "O +memory:8", "O", {"cgroup"}),
    ("no file but of no size in a container", "O +limit:FSIZE=0", "O", {"rlimit"}),
    ("no /sys in a container", "O -sys", "O", {"absent"}),
    ("a filter that refuses what the oracle needs", "S(seccomp,prctl,ioctl,ptrace)", "B",
     {"seccomp"}),
    ("no /proc", "B -proc", "B", {"absent"}),
    ("no /dev", "B -dev", "B", {"absent"}),
    ("nothing writable", "B -tmp -dev", "B", {"absent", "read-only"}),
    ("nothing at all", "E", "B", {"absent", "read-only"}),
    ("three descriptors", "B -- prlimit --nofile=3", "B", {"rlimit"}),
    ("four descriptors", "B -- prlimit --nofile=4", "B", {"rlimit"}),
    ("five descriptors", "B -- prlimit --nofile=5", "B", {"rlimit"}),
    ("six descriptors", "B -- prlimit --nofile=6", "B", {"rlimit"}),
    ("sixteen descriptors", "B -- prlimit --nofile=16", "B", {"rlimit"}),
    ("4 MiB of addresses", "B -- prlimit --as=4194304", "B", {"rlimit"}),
    ("16 MiB of addresses", "B -- prlimit --as=16777216", "B", {"rlimit"}),
    ("files of no size", "B -- prlimit --fsize=0", "B", {"rlimit"}),
    ("one second of processor time", "B -- prlimit --cpu=1", "B", {"rlimit"}),
    ("SIGCHLD ignored", "B -- env --ignore-signal=CHLD", "B", set()),
    ("every signal ignored", "B -- env --ignore-signal", "B", set()),
    ("every signal blocked", "B -- env --block-signal", "B", set()),
    ("standard input closed", "B -- sh -c 'exec \"$@\" <&-' sh", "B", set()),
    ("standard error closed", "B -- sh -c 'exec \"$@\" 2>&-' sh", "B", set()),
    ("both closed", "B -- sh -c 'exec \"$@\" <&- 2>&-' sh", "B", set()),
    ("a hostile umask", "B -- sh -c 'umask 777; exec \"$@\"' sh", "B", set()),
    ("no argv[0]", "B --ro-bind $H/bare /bare -- /bare", "B", set()),
]


def hardships():
    plain = {fixture: Run(fixture, account=LONELY) for fixture in ("B", "U", "O")}
    for fixture, run in plain.items():
        if run.unavailable():
            continue  # each hardship of it says so
        why = run.why_incomplete()
        ok(not why, "the plain run in %s is complete" % fixture, why)
    for name, fixture, before, by in HARDSHIPS:
        run = Run(fixture, account=LONELY)
        if run.unavailable():
            skip(name, run.unavailable())
            continue
        why = run.why_incomplete()
        ok(not why, name + ": the run is complete", why)
        wrong = list(run.wrongly_denied(plain[before], by))
        ok(not wrong, name + ": nothing is denied for it", "\n".join(wrong))
    run = Run("U -- $H/bare", facts=False)
    why = run.why_incomplete()
    ok(not why, "no argv at all and no environment: the run is complete", why)


# ---------------------------------------------------------------- output that cannot be written


def lost_output():
    for name, inner in (("closed", "sh -c 'exec \"$@\" >&-' sh"),
                        ("full", "sh -c 'exec \"$@\" >/dev/full' sh"),
                        ("a file that may not grow",
                         "sh -c 'exec prlimit --fsize=0 \"$@\" >/tmp/file' sh")):
        run = Run("B -- " + inner)
        ok(run.status == OUTPUT_LOST and run.errors == LOST,
           "standard output %s: exit status %d, and a word" % (name, OUTPUT_LOST),
           "exit status %s\n%s" % (run.status, run.errors))
    run = Run("B -- sh -c '\"$@\" | head -c 100 >&2' sh")
    ok(not run.late and len(run.errors.replace(LOST, "")) == 100, "a reader that goes away: the probe ends",
       run.errors)


# ---------------------------------------------------------------- children that it finds


def inherited():
    """A shell that started something becomes the probe: that is not the probe's to end."""
    before = """B -- sh -c 'sh -c "sleep 30 & echo \\$! >/tmp/number; exec \\"\\$@\\"" sh "$@"
        kill -0 "$(cat /tmp/number)" && echo lives >&2' sh"""
    for name, probe in (("a plain run", PROBE), ("a run with faulty trials", FAULTY)):
        run = Run(before, probe, ["--timeout", "1"] if probe == FAULTY else ["--only", "system"],
                  LONELY)
        ok("lives" in run.errors, name + " leaves alone what was there before it", run.errors)
        ok(run.footer and run.footer["measured"]["seconds"] < (20 if probe == FAULTY else 2.5),
           name + " does not wait for it", run.footer)
    left = processes_of(LONELY)
    ok(not left, "no process of the probe's stays", left)


def main():
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts and for runc")
    for part in sys.argv[1:] or ("faults", "hardships", "lost_output", "inherited"):
        {"faults": faults, "hardships": hardships, "lost_output": lost_output,
         "inherited": inherited}[part]()
    end()


main()
