#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
A run changes nothing, and does nothing that docs/safety.md does not permit. First in a machine of
its own (a copy, in namespaces of its own), by root and by an account, at every level; then on this
machine at the default level, outside any sandbox. Planted scenarios show that the test would see it.
"""

import ctypes
import hashlib
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.chdir(TREE)
TREE = os.getcwd()
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TREE, "tests/cross"), os.path.join(TREE, "tests/harmless")]
import calls  # noqa: E402
import cross  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
PROBE = os.path.join(BUILD, "sandboxeval-probe")
PLANTED = os.path.join(BUILD, "planted/sandboxeval-probe")
HOST = os.path.join(BUILD, "sandboxeval")
IS_CI = os.environ.get("CI") == "true"
FACTS = "place=outside,key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
ACCOUNT = 1234
libc = ctypes.CDLL(None, use_errno=True)

number = 0


def tell(passed, name, why=()):
    global number
    number += 1
    print("ok" if passed else "not ok", number, "-", name, flush=True)
    for line in list(why)[:30] if not passed else ():
        print("#", line[:300], flush=True)


def skip(name, why):
    if IS_CI:
        tell(False, name, [why])
        return
    global number
    number += 1
    print("ok", number, "- # SKIP", name + ":", why, flush=True)


# ---------------------------------------------------------------- what a machine is

WATCHED = ("etc", "usr", "boot", "var", "root", "home", "srv", "opt", "dev")
# Counters and clocks: they change by being read, or all the time.
RESTLESS = ("random/", "fs/dentry-state", "fs/file-nr", "fs/inode-", "fs/quota", "ns_last_pid",
            "fs/aio-nr", "pty/nr", "dirty", "conntrack_count", "sched_domain", "next_id",
            "vm/stat_refresh", "fs/binfmt_misc")


def facts_of(path):
    about = os.lstat(path)
    return (about.st_mode, about.st_uid, about.st_gid, about.st_size, about.st_mtime_ns,
            about.st_ctime_ns, about.st_ino, about.st_nlink, about.st_rdev)


# On this machine large trees are looked at this deep: a change below shows in no folder above, but
# what no trial does in the machine of its own, where all is looked at, it does not do here.
DEEP = {"usr": 3, "var": 3, "root": 2, "opt": 2, "srv": 3}


def files(top):
    """Path to mode, owner, size, times, inode; the devices of /dev without their times."""
    found, stack = {}, [os.path.join(top, name) for name in WATCHED]
    while stack:
        path = stack.pop()
        parts = path.strip("/").split("/")
        if top == "/" and len(parts) > DEEP.get(parts[0], 12):
            continue
        try:
            about = facts_of(path)
            names = os.listdir(path) if about[0] & 0o170000 == 0o040000 else ()
        except OSError:
            continue
        if path.startswith(os.path.join(top, "dev/")):
            about = about[:3] + about[6:]  # terminals and pipes are used by others
            if "/pts/" in path or "/shm/" in path:
                continue
        found[path] = about
        stack += [os.path.join(path, name) for name in names]
    return found


def settings(proc):
    found = {}
    for folder, _, names in os.walk(proc + "/sys"):
        for name in names:
            path = os.path.join(folder, name)
            if any(word in path for word in RESTLESS):
                continue
            try:
                with open(path, "rb") as file:
                    found[path] = hashlib.sha256(file.read(1 << 16)).hexdigest()
            except OSError:
                found[path] = None
    return found


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def names_of_processes(proc):
    return {proc + "/" + pid: text_of("%s/%s/comm" % (proc, pid)) for pid in os.listdir(proc)
            if pid.isdigit()}


def snapshot(top="/", proc="/proc", processes=False):
    """All that must be the same afterwards, by name."""
    found = files(top)
    found.update(settings(proc))
    for name in ("self/mountinfo", "sysvipc/shm", "sysvipc/sem", "sysvipc/msg", "modules", "swaps"):
        found["proc " + name] = text_of(proc + "/" + name)
    found["host name"] = os.uname().nodename
    found["descriptors"] = tuple(sorted(os.listdir("/proc/self/fd")))[:-1]
    found["umask"] = text_of("/proc/self/status").partition("Umask:")[2].split("\n")[0]
    if processes:
        found.update(names_of_processes(proc))
    return found


def differences(before, after):
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


class Watch:
    """inotify on folders: what was changed in them, not what was read."""

    CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800

    def __init__(self, folders):
        self.fd = libc.inotify_init1(0o4000)
        self.names = {}
        for folder in folders:
            if os.path.isdir(folder):
                mark = libc.inotify_add_watch(self.fd, folder.encode(), self.CHANGES)
                self.names[mark] = folder

    def seen(self):
        found, data = set(), b""
        while True:
            try:
                data += os.read(self.fd, 65536)
            except BlockingIOError:
                break
        while len(data) >= 16:
            mark, mask, _, n = struct.unpack("iIII", data[:16])
            name = data[16:16 + n].split(b"\0")[0].decode(errors="replace")
            found.add("%s/%s: event 0x%x" % (self.names.get(mark, "?"), name, mask))
            data = data[16 + n:]
        return found

    def close(self):
        os.close(self.fd)


def watched_folders(top="/"):
    folders = """etc etc/cron.d etc/systemd/system usr/lib/systemd/system etc/init.d boot usr/bin
        usr/lib var/spool/cron/crontabs root srv repository/.git repository/.git/hooks""".split()
    return [os.path.join(top, name) for name in folders] + [os.path.join(TREE, ".git/hooks")]


# ---------------------------------------------------------------- a machine of its own


class Machine:
    """A copy of a machine; what runs in it has namespaces of its own, and a first process."""

    def __init__(self, folder):
        self.top = cross.make_root(os.path.join(folder, "machine"), False)
        for name in ("repository/.git/hooks", "etc/systemd/system", "usr/lib/systemd/system",
                     "etc/init.d", "dev/shm"):
            os.makedirs(os.path.join(self.top, name), exist_ok=True)
        os.chmod(self.top + "/dev/shm", 0o1777)
        subprocess.run(["mknod", "-m", "666", self.top + "/dev/null", "c", "1", "3"], check=True)
        subprocess.run(["mknod", "-m", "660", self.top + "/dev/disk", "b", "254", "99"], check=True)
        self.words = ["env", "-i", PATH, "unshare", "--mount", "--pid", "--fork", "--net", "--uts",
                      "--ipc", "--mount-proc=" + self.top + "/proc"]

    def command(self, probe, account, *options):
        shutil.copyfile(probe, self.top + "/probe")
        os.chmod(self.top + "/probe", 0o755)
        ids = ["--userspec=%d:%d" % (account, account), "--groups="] if account else []
        return self.words + ["chroot"] + ids + [self.top, "/probe"] + list(options)


def in_machine(machine, level, account):
    name = "in a machine of its own, level %s, %s" % (level, "an account" if account else "root")
    command = machine.command(PROBE, account, "--level", level, "--facts", FACTS)
    before, watch = snapshot(machine.top), Watch(watched_folders(machine.top))
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd="/",
                          timeout=120, check=False)
    after = {key: value for key, value in snapshot(machine.top).items()}
    changed = {one for one in differences(before, after) if one.startswith(machine.top)}
    seen = {one for one in watch.seen() if machine.top in one}
    watch.close()
    clean = b'"clean":true' in done.stdout
    tell(clean and not changed and not seen and done.returncode == 0, name,
         ["exit %d, clean %s" % (done.returncode, clean)] + sorted(changed) + sorted(seen))


# ---------------------------------------------------------------- this machine


def pause_and_run(command, seconds):
    """What changed in a pause, and what changed in a run of the same length."""
    watch = Watch(watched_folders())
    first = snapshot()
    time.sleep(seconds)
    quiet = differences(first, snapshot()) | watch.seen()
    second, began = snapshot(), time.time()
    watch.seen()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd="/",
                          timeout=300, check=False)
    changed = differences(second, snapshot()) | watch.seen()
    watch.close()
    return quiet, changed, done, time.time() - began


def on_this_machine(account):
    """Three times: what is ours recurs, what others do here does not."""
    name = "on this machine, %s" % ("an account" if account else "root")
    command = ["env", "-i", PATH, "HOME=/root", HOST, "run", "none", "--no-history", "--quiet",
               "--report", "json=-"]
    if account:
        command = ["setpriv", "--reuid", str(account), "--regid", str(account), "--clear-groups",
                   "--inh-caps=-all"] + command
    noise, suspects, seconds = set(), None, 2.0
    for _ in range(3):
        quiet, changed, done, took = pause_and_run(command, seconds)
        seconds = min(took, 10)
        noise |= quiet
        suspects = changed - noise if suspects is None else (suspects & changed) - noise
        if done.returncode or b'"clean": true' not in done.stdout.replace(b'":true', b'": true'):
            tell(False, name, [done.stderr.decode(errors="replace")])
            return
        if not suspects:
            break
    tell(not suspects, name + ": nothing differs", sorted(suspects))


def leftovers():
    found = subprocess.run(["find", "/tmp", "/var/tmp", "/dev/shm", "/run", "-maxdepth", "2", "-name",
                            ".sandboxeval-0123456789abcdef*"], capture_output=True, text=True,
                           check=False).stdout.split()
    tell(not found, "no marker is left", found)


# ---------------------------------------------------------------- call by call


def trace(machine, folder, probe, account, *options, facts=FACTS):
    out = os.path.join(folder, "trace")
    command = machine.command(probe, account, "--facts", facts, *options)
    with subprocess.Popen(["strace", "-f", "-yy", "-s", "160", "-o", out] + command, cwd="/",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        said = process.communicate(timeout=280)[0]
    with open(out, encoding="utf-8", errors="replace") as file:
        return [line.rstrip("\n") for line in file], said


def check_calls(machine, folder, rules):
    for account, level in ((0, "touch"), (ACCOUNT, "touch"), (0, "act")):
        lines, said = trace(machine, folder, PROBE, account, "--level", level)
        faults, looked = calls.check(lines, rules, "/probe")
        tell(not faults and looked > 3000 and b'"end":1' in said,
             "every call of every trial has a row in docs/safety.md and keeps its rule: %s, %s"
             % ("an account" if account else "root", level),
             ["%d calls" % looked] + list(dict.fromkeys(faults)))
    lines, said = trace(machine, folder, PROBE, 0, facts=FACTS.replace("outside", "inside"))
    faults, looked = calls.check(lines, rules, "/probe", inside=True)
    tell(not faults and looked > 3000 and b'"end":1' in said,
         "and inside a sandbox, by what is permitted there", list(dict.fromkeys(faults)))


def check_planted(machine, folder, rules):
    for name, word in (("writes", "write"), ("sends", "sendto"), ("signals", "kill"),
                       ("names", "sethostname")):
        lines, said = trace(machine, folder, PLANTED, 0, "--only", "planted." + name)
        faults, _ = calls.check(lines, rules, "/probe")
        tell(any(fault.startswith(word) for fault in faults) and len(faults) <= 2 and b"planted" in said,
             "a planted scenario is seen: planted." + name, faults or ["nothing was seen"])
    before = snapshot(machine.top)
    subprocess.run(machine.command(PLANTED, 0, "--only", "planted.writes", "--facts", FACTS),
                   stdin=subprocess.DEVNULL, capture_output=True, cwd="/", check=False)
    changed = {one for one in differences(before, snapshot(machine.top)) if machine.top in one}
    tell(changed == {machine.top + "/etc/hosts"}, "what a planted scenario changed is seen",
         sorted(changed))


def in_its_own_machine():
    rules = calls.rules_of("docs/safety.md")
    with tempfile.TemporaryDirectory(prefix="sandboxeval-harmless-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        try:
            machine = Machine(folder)
        except cross.Missing as missing:
            skip("a machine of its own", str(missing))
            return
        for level in ("observe", "touch", "act"):
            for account in (0, ACCOUNT):
                in_machine(machine, level, account)
        if shutil.which("strace"):
            check_calls(machine, folder, rules)
            check_planted(machine, folder, rules)
        else:
            skip("call by call", "there is no strace")


def main():
    if os.geteuid() != 0:
        if IS_CI:
            sys.exit("harmless.t: needs root")
        print("1..0 # SKIP needs root")
        return
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if "--here-only" not in sys.argv:
        in_its_own_machine()
    if "--machine-only" not in sys.argv:
        for account in (0, ACCOUNT):
            on_this_machine(account)
        leftovers()
    print("1..%d" % number)


main()
