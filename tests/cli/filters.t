#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# System-call filters, told right. A filter that refuses one form of an operation changes no
# status; one that refuses all forms does, and is named; one that kills costs at most the trial
# that makes the call; without a filter none is named; and a supervisor that ends the whole sandbox
# for one call costs the one trial that makes it.

import json
import os
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, "tests")
from tap import end, ok, skip_all  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
HOST = os.path.join(BUILD, "sandboxeval")
FACTS = "key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
SECONDS = 60


def trials(fixture, *options):
    """The trials by id, or text that says why the run is not complete."""
    place = "outside" if "U" in fixture.split() else "inside"
    # Ended by a signal that lets the box clean up after itself.
    command = ["timeout", "--kill-after=10", str(SECONDS), "tests/boxes/box", fixture, PROBE,
               "--facts", "place=%s,%s" % (place, FACTS)]
    ended = subprocess.run(command + list(options), stdin=subprocess.DEVNULL, capture_output=True)
    lines = [json.loads(line) for line in ended.stdout.decode().splitlines()]
    if ended.returncode != 0 or not lines or "end" not in lines[-1] or not lines[-1]["clean"]:
        return "exit status %d, last line: %s\n%s" % (
            ended.returncode, lines[-1:], ended.stderr.decode(errors="replace"))
    found = {line["id"]: line for line in lines if "id" in line}
    if len(found) != lines[0]["planned"]:
        return "%d of %d trials" % (len(found), lines[0]["planned"])
    return found


# They ask about the filter itself: any filter changes what they say.
ABOUT_FILTERS = {"kernel.filter-mode", "kernel.filter-default", "kernel.filter-parity",
                 "kernel.foreign-abi"}


def changes(before, after):
    """What differs in status, one line for each trial."""
    return ["%s was %s: %s" % (ident, trial["status"], json.dumps(after.get(ident)))
            for ident, trial in before.items()
            if ident not in ABOUT_FILTERS and after.get(ident, {}).get("status") != trial["status"]]


# ---------------------------------------------------------------- one form, all forms

# Each has siblings that do the same. No kill for clone: by it the probe makes its children, and a
# filter that kills for the first of all forms leaves nothing that could be tried in safety.
FORMS = ["openat2", "openat", "open", "clone3", "clone", "fork", "access", "faccessat",
         "faccessat2", "statx", "newfstatat", "stat", "lstat", "readlink", "readlinkat",
         "unlink", "unlinkat", "chmod", "fchmodat", "tgkill", "read", "statfs", "fstatfs",
         "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "recvfrom"]
# An errno that the kernel does not know is one like another: filters may answer with any.
ACTIONS = ["EPERM", "ENOSYS", "1234", "trap", "kill"]
IMPOSSIBLE = {("kill", "clone")}
# It runs programs of the system, whose loader knows one form and has no other.
OF_OTHERS = {"content.execute"}


def one_form():
    plain = trials("B")
    if isinstance(plain, str):
        ok(False, "the plain run is complete", plain)
        return
    for ident in OF_OTHERS:
        plain.pop(ident, None)
    for call in FORMS:
        for action in ACTIONS:
            if (action, call) in IMPOSSIBLE:
                continue
            found = trials("S(%s:%s)" % (action, call))
            differ = found if isinstance(found, str) else "\n".join(changes(plain, found))
            ok(not differ, "%s for %s alone changes no status" % (action, call), differ)


OPEN = "openat2,openat,open"
STAT = "statx,newfstatat,stat,lstat,fstat"
# An access list widens as a mode does.
CHMOD = "chmod,fchmod,fchmodat,fchmodat2,setxattr,lsetxattr,fsetxattr,setxattrat"
CHOWN = "chown,lchown,fchown,fchownat"
SOCKET = "socket,socketpair"
# clone for a new user namespace alone
USER_NAMESPACE = "unshare,clone3,clone@0&%d=%d" % (1 << 28, 1 << 28)
RESULTS = "--bind $D/out /out --chdir /out"
# All forms of an operation, rest of the fixture, trials that it must deny.
OPERATIONS = [
    ("uname", "-proc -usr", ["system.operating-system"]),
    ("sysinfo", "-proc", ["system.memory"]),
    ("sched_getaffinity", "-proc", ["system.cpu"]),
    ("getcwd", "-proc", ["directory.working"]),
    ("getdents64,getdents", "", ["directory.root"]),
    (OPEN, "--ro-bind $D/passwd /etc/passwd", ["content.read", "directory.root",
                                               "structure.copy"]),
    (STAT, "", ["metadata.permissions"]),
    (CHMOD, "--bind $D/passwd /etc/passwd", ["permission.widen-rights"]),
    (CHOWN, "", ["permission.own-to-root"]),
    (SOCKET, "", ["network.http", "network.ftp", "network.ping", "network.dns"]),
    (USER_NAMESPACE, "", ["kernel.user-namespace"]),
    ("ptrace,process_vm_readv,pidfd_getfd", "", ["kernel.trace-own"]),
    ("io_uring_setup,bpf,userfaultfd,perf_event_open", "",
     ["kernel.io-uring", "kernel.bpf", "kernel.userfaultfd", "kernel.perf-events"]),
    ("mount,fsopen", "", ["kernel.mount"]),
    ("name_to_handle_at,open_by_handle_at", "", ["kernel.file-handles"]),
    ("syslog", "-proc", ["kernel.log"]),
    ("keyctl,add_key,request_key", "-proc", ["secret.keyring"]),
    ("mknod,mknodat", "", ["device.create"]),
    ("symlink,symlinkat", RESULTS, ["artefact.symbolic-link"]),
]


def all_forms():
    plains = {rest: trials("B " + rest) for _, rest, _ in OPERATIONS}
    for calls, rest, ids in OPERATIONS:
        for action in ACTIONS:
            found = trials("S(%s:%s) %s" % (action, calls, rest))
            name = "%s for %s" % (action, calls)
            if isinstance(found, str):
                ok(False, name + ": the run is complete", found)
                continue
            for ident in ids:
                trial = found.get(ident, {})
                ok(trial.get("status") == "denied" and "seccomp" in trial.get("barriers", []),
                   "%s denies %s" % (name, ident), json.dumps(trial))
            wrong = list(unexplained(plains[rest], found))
            ok(not wrong, "what %s changes is denied by the filter" % name, "\n".join(wrong))


# ---------------------------------------------------------------- kill

# Half of the time of a run; their calls are among the forms above.
WALKS = ("--skip", "directory.recursive,content.list-readable,content.list-writable,"
         "content.list-executable,danger.seek-root")
# Calls of the attempts and of the probe itself. A kill for mmap, write, wait4, exit_group or
# rt_sigprocmask, or for clone, leaves no probe to speak of.
KILLED = ["uname", "sysinfo", "sched_getaffinity", "statfs", "statmount", "socket", "connect",
          "getdents64", "getcwd", "read", "pread64", "ioctl", "fcntl", "prctl", "capget",
          "getresuid", "getresgid", "getgroups", "fstatfs", "statx", "openat2", "waitid",
          "prlimit64", "umask", "setpgid", "pidfd_open", "ppoll", "kill", "close_range", "dup3",
          "mprotect", "seccomp", "ptrace", "fchown", "fchmod", "fchmodat2", "renameat2", "linkat",
          "unlinkat", "memfd_create", "setresuid", "reboot", "landlock_create_ruleset",
          "execveat", "faccessat2", "clock_gettime", "getsid", "newfstatat", "openat", "recvfrom",
          "sendto", "bind", "getsockopt", "mount", "unshare", "setns", "bpf", "keyctl", "syslog",
          "mknodat", "symlinkat", "perf_event_open", "io_uring_setup", "userfaultfd", "capset",
          "process_vm_readv", "pidfd_getfd", "open_by_handle_at", "personality", "chroot",
          "rt_sigtimedwait", "tgkill", "setitimer", "eventfd2", "getxattr", "readlinkat"]


# Much is open, so that much can be wrongly denied.
RICH = (" --ro-bind $D/passwd /etc/passwd --bind $D/etc /opt --setenv LANG de_DE.UTF-8"
        " --setenv TZ Asia/Tokyo --ro-bind $D/h /home/alice --ro-bind $D/shadow /etc/shadow")


def unexplained(plain, refused):
    """Status changes that a refused call does not explain: denied by no filter, or accessed."""
    for ident, trial in plain.items():
        now = refused[ident]
        if now["status"] == trial["status"] or now["status"] == "unknown" or (
                ident in OF_OTHERS | ABOUT_FILTERS):
            continue
        if now["status"] == "accessed" or "seccomp" not in now["barriers"]:
            yield "%s was %s: %s" % (ident, trial["status"], json.dumps(now))


def kill():
    plain = trials("B" + RICH, *WALKS)
    for call in KILLED:
        refused, killed, feigned = (trials("S(%s:%s)%s" % (action, call, RICH), *WALKS)
                                    for action in ("EPERM", "kill", "0"))
        name = "a kill for %s" % call
        if isinstance(refused, str) or isinstance(killed, str):
            ok(False, name + ": the run is complete",
               "EPERM: %.500s\nkill: %.500s" % (refused, killed))
            continue
        wrong = list(unexplained(plain, refused))
        ok(not wrong, "what a refused %s changes is denied by the filter" % call,
           "\n".join(wrong))
        # Errno 0: the call claims success and does nothing.
        wrong = feigned if isinstance(feigned, str) else "\n".join(unexplained(plain, feigned))
        ok(not wrong, "a feigned %s is not believed" % call, wrong)
        differ = changes(refused, killed)
        ok(len(differ) <= 1, name + " costs at most one trial more than a refusal",
           "\n".join(differ))


# ---------------------------------------------------------------- arguments

def set_in(call, bit):
    """A call, only where this bit is set in its argument: "openat@2"."""
    return "%s&%d=%d" % (call, bit, bit)


NEGATIVE = 1 << 31
OPENS = ("openat@2", "open@1")
# Filters that look at what a call is made with, and at what code in there can do without.
MANNERS = [
    ("an open that %s" % what,
     "EACCES:openat2," + ",".join(set_in(call, flag) for call in OPENS))
    for what, flag in (("waits for nothing", os.O_NONBLOCK), ("takes no terminal", os.O_NOCTTY),
                       ("ends with the program", os.O_CLOEXEC),
                       ("takes folders alone", os.O_DIRECTORY))
] + [
    ("an open that starts from a folder", "EPERM:openat2,openat@0&%d=0" % NEGATIVE),
    ("a status that starts from a folder",
     "EPERM:statx@0&%d=0,newfstatat@0&%d=0" % (NEGATIVE, NEGATIVE)),
    # 0x1000: AT_EMPTY_PATH
    ("a status of what is open",
     "EPERM:%s,%s" % (set_in("statx@2", 0x1000), set_in("newfstatat@3", 0x1000))),
    ("a socket that ends with the program", "22:" + set_in("socket@1", os.O_CLOEXEC)),
    ("a signal to a group", "kill:" + set_in("kill@0", NEGATIVE)),
    ("a nap", "kill:nanosleep"),
]


def arguments():
    plain = trials("B" + RICH)
    for name, rule in MANNERS:
        found = trials("S(%s)%s" % (rule, RICH))
        # What needs more than that, such as an entry in a folder, is denied by the filter.
        wrong = found if isinstance(found, str) else "\n".join(unexplained(plain, found))
        ok(not wrong, "a filter against %s: told right" % name, wrong)
        if not isinstance(found, str):
            lost = [ident for ident, trial in found.items() if trial["status"] == "denied" and
                    plain[ident]["status"] == "accessed" and
                    ident not in OF_OTHERS | ABOUT_FILTERS]
            ok(set(lost) <= {"structure.create", "content.list-writable"},
               "a filter against %s: what needs it not is not denied" % name, lost)


# ---------------------------------------------------------------- no filter


def no_filter():
    for fixture in ("B", "E", "N", "U", "O -seccomp"):
        found = trials(fixture)
        named = found if isinstance(found, str) else "\n".join(
            json.dumps(trial) for trial in found.values() if "seccomp" in json.dumps(trial))
        # A status file that is printed may hold the word; a barrier is what counts.
        ok(isinstance(found, dict) and not any(
            "seccomp" in part.get("barriers", []) for trial in found.values()
            for part in [trial] + trial.get("cases", [])),
           "without a filter no trial names one in %s" % fixture, named)


# ---------------------------------------------------------------- who answers in the kernel's place


def supervisors():
    plain, rich = trials("B"), trials("B" + RICH, *WALKS)
    for kind in ("notify", "trace"):
        for call in ("uname", "openat2", "socket", "statx"):
            found = trials("supervisor %s %s continue B" % (kind, call))
            if isinstance(found, str):
                ok(False, "a supervisor (%s) that lets %s go: complete" % (kind, call), found)
                continue
            differ = [line for line, ident in ((line, line.split()[0]) for line in
                                               changes(plain, found))
                      if found[ident]["status"] == "denied"]
            ok(not differ, "a supervisor (%s) that lets %s go denies nothing" % (kind, call),
               "\n".join(differ))
    # A lie about one form, and a tracer that answers for the oracle's own filter.
    for words in ("notify openat2 2", "notify openat2 1", "notify statx 2", "notify statx 38",
                  "trace openat2 1", "trace openat2 2", "trace statx 13", "trace seccomp 1", "notify seccomp 1", "trace ptrace 1"):
        found = trials("supervisor %s B%s" % (words, RICH), *WALKS)
        differ = found if isinstance(found, str) else "\n".join(
            line for line in changes(rich, found) if found[line.split()[0]]["status"] != "unknown")
        ok(not differ, "under 'supervisor %s' nothing is taken for a refusal" % words, differ)
    found = trials("supervisor notify uname 1 B -proc -usr")
    trial = found if isinstance(found, str) else found["system.operating-system"]
    ok(isinstance(found, dict) and trial["status"] == "denied" and
       "supervisor" in trial["barriers"] and "seccomp" not in trial["barriers"],
       "an agent that refuses is named, and no filter", trial)


# A call that one trial alone makes, that trial.
ENDING = [("sched_getaffinity", "system.cpu"), ("sysinfo", "system.memory")]


def ended_sandboxes():
    for kind in ("notify", "trace"):
        for call, culprit in ENDING:
            name = "a supervisor (%s) that ends the sandbox for %s" % (kind, call)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "report.json")
                # The baseline must be no part of this: it is not supervised, but costs time.
                command = [HOST, "run", "command", "--no-baseline",
                           "--only", "system", "--report", "json=" + path, "--",
                           os.path.join(BUILD, "tests", "boxes", "supervisor"), kind, call, "end",
                           "{probe}"]
                ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                       timeout=SECONDS)
                said = ended.stderr.decode(errors="replace")
                if not os.path.exists(path):
                    ok(False, name, "exit status %d: %s" % (ended.returncode, said))
                    continue
                with open(path, encoding="utf-8") as file:
                    report = json.load(file)
            lost = [row for row in report["results"] if "killed" in row["barriers"]]
            ok(report["complete"], name + ": the run is complete",
               "%s\n%s" % (report["incomplete_because"], said))
            ok([(row["id"], row["status"]) for row in lost] == [(culprit, "denied")],
               name + " costs %s, denied by killed" % culprit,
               json.dumps([(row["id"], row["status"], row["barriers"], row["reason"])
                           for row in report["results"]]))


PARTS = [one_form, all_forms, kill, arguments, no_filter, supervisors, ended_sandboxes]


def main():
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts and for runc")
    for part in PARTS:
        if len(sys.argv) == 1 or part.__name__ in sys.argv[1:]:
            part()
    end()


main()
