#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
A run changes nothing, and does nothing that docs/safety.md does not permit. First in a machine of
its own (a copy, in namespaces of its own), by root and by an account, at every level; then on this
machine at the default level, outside any sandbox. Planted scenarios show that the test would see it.
"""

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.chdir(TREE)
TREE = os.getcwd()
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TREE, "tests", each) for each in ("", "cross", "harmless")]
import calls  # noqa: E402
import cross  # noqa: E402
from tap import end, ok, skip, skip_all  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
PROBE = os.path.join(BUILD, "sandboxeval-probe")
PLANTED = os.path.join(BUILD, "planted/sandboxeval-probe")
HOST = os.path.join(BUILD, "sandboxeval")
FACTS = "place=outside,key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
ACCOUNT = 61234  # nobody else's
NAME = "harmless"  # of the program, by which the kernel's log speaks of it
KEYCTL = 219 if os.uname().machine == "aarch64" else 250
libc = ctypes.CDLL(None, use_errno=True)

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


def names_in(path):
    try:
        return sorted(os.listdir(path))
    except OSError:
        return ()


def rings():
    """Account to how many keys and rings it owns, and of what size."""
    return {"keys of " + line.split()[0]: " ".join(line.split()[2:])
            for line in text_of("/proc/key-users").splitlines()}


def remove_planted_key(account):
    """From the account's ring, in which a planted scenario leaves it; other keys stay."""
    search, unlink, ring = 10, 9, -4  # KEYCTL_SEARCH, KEYCTL_UNLINK, KEY_SPEC_USER_KEYRING
    child = os.fork()
    if child == 0:
        os.setresuid(account, account, account)
        key = libc.syscall(KEYCTL, search, ring, b"user", b"sandboxeval-planted", 0)
        if key > 0:
            libc.syscall(KEYCTL, unlink, key, ring)
        os._exit(0)
    os.waitpid(child, 0)
    time.sleep(0.5)  # the kernel collects them by itself


SAYS = "the kernel says: "


def kernel_log():
    """What the kernel has said, without numbers, to the last time that it was."""
    found = {}
    try:
        log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return found
    while True:
        try:
            head, _, text = os.read(log, 8192).decode(errors="replace").partition(";")
        except BlockingIOError:
            break
        except BrokenPipeError:
            continue  # the oldest are gone meanwhile
        line = re.sub(r"[0-9a-f]*[0-9][0-9a-f]*", "N", text.split("\n")[0])
        found[SAYS + line] = int(head.split(",")[1])
    os.close(log)
    return found


def namespaces():
    """Those of each process."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in names_in("/proc/%s/ns" % pid):
            with contextlib.suppress(OSError):
                path = "/proc/%s/ns/%s" % (pid, name)
                found[path] = os.readlink(path)
    return found


def left_behind(word):
    """Processes that this word was given to by their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open("/proc/%s/environ" % pid, "rb") as file:
            if word.encode() in file.read():
                found.append("process %s, %s, is left" % (pid, text_of("/proc/%s/comm" % pid)))
    return found


def snapshot(top="/", proc="/proc"):
    """All that must be the same afterwards, by name."""
    found = files(top)
    found.update(settings(proc))
    found.update(rings())
    found.update(kernel_log())
    found.update(namespaces() if top == "/" else {})
    found["queues"] = names_in("/dev/mqueue")
    found["keys"] = [line.split()[0] for line in text_of("/proc/keys").splitlines()]
    for name in ("self/mountinfo", "sysvipc/shm", "sysvipc/sem", "sysvipc/msg", "modules", "swaps"):
        found["proc " + name] = text_of(proc + "/" + name)
    found["host name"] = os.uname().nodename
    found["descriptors"] = tuple(sorted(os.listdir("/proc/self/fd")))[:-1]
    found["umask"] = text_of("/proc/self/status").partition("Umask:")[2].split("\n")[0]
    return found


def goes_by_itself(name, before, after):
    """Old lines of the log are dropped; processes come and go, with their namespaces."""
    return (name.startswith(SAYS) and name not in after) or (
        "/ns/" in name and not (name in before and name in after))


def differences(before, after):
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
            and not goes_by_itself(name, before, after)}


class Watch:
    """inotify on folders: what was changed in them, not what was read."""

    CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
    LOOKS = 0x1 | 0x20  # read, opened

    def __init__(self, folders, untouched=()):
        self.fd = libc.inotify_init1(0o4000)
        self.names = {}
        for folder in folders:
            if os.path.isdir(folder):
                mark = libc.inotify_add_watch(self.fd, folder.encode(), self.CHANGES)
                self.names[mark] = folder
        for path in untouched:
            mark = libc.inotify_add_watch(self.fd, path.encode(), self.CHANGES | self.LOOKS)
            self.names[mark] = path

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
    """A copy of a machine; what runs in it has namespaces of its own, a first process, and others."""

    # Where a file is looked for: what is no file, and what is too much of one.
    PIPES = "root/.netrc home/alice/.netrc home/alice/.gitconfig home/alice/.git-credentials".split()
    DEVICES = "home/alice/.npmrc home/alice/.env home/alice/.bash_history".split()
    LARGE = "home/alice/.pgpass home/alice/server.pem home/alice/.gnupg/secring.gpg".split()

    def __init__(self, folder):
        self.top = cross.make_root(os.path.join(folder, "machine"), False)
        for name in ("repository/.git/hooks", "etc/systemd/system", "usr/lib/systemd/system",
                     "etc/init.d", "dev/shm", "home/alice/.gnupg", "home/alice/many"):
            os.makedirs(os.path.join(self.top, name), exist_ok=True)
        os.chmod(self.top + "/dev/shm", 0o1777)
        subprocess.run(["mknod", "-m", "666", self.top + "/dev/null", "c", "1", "3"], check=True)
        subprocess.run(["mknod", "-m", "660", self.top + "/dev/disk", "b", "254", "99"], check=True)
        self.make_odd()
        # The first process waits for the probe; two more sleep, one root's and one an account's.
        sleepers = "".join("chroot %s %s /usr/bin/busybox sleep 600 & " % (ids, self.top) for ids in
                           ("", "--userspec=%d:%d --groups=" % (ACCOUNT, ACCOUNT)))
        self.words = ["env", "-i", PATH, "unshare", "--mount", "--pid", "--fork", "--net", "--uts",
                      "--ipc", "--mount-proc=" + self.top + "/proc", "sh", "-c",
                      sleepers + 'sleep 0.2; "$@"', "sh"]

    def make_odd(self):
        for name in self.PIPES:
            os.mkfifo(os.path.join(self.top, name), 0o666)
        for name in self.DEVICES:  # 10:130 is a watchdog's number: to open it starts it
            subprocess.run(["mknod", "-m", "666", os.path.join(self.top, name), "c", "10", "130"],
                           check=True)
        for name in self.LARGE:
            with open(os.path.join(self.top, name), "wb") as file:
                file.truncate(10 << 30)
        for i in range(6000):
            os.mkdir("%s/home/alice/many/%d" % (self.top, i))
        with open(self.top + "/home/alice/\x1b]0;title\a\n.env", "w", encoding="ascii") as file:
            file.write("TOKEN=1\n")
        self.untouched = [os.path.join(self.top, name) for name in self.PIPES + self.DEVICES]

    def command(self, probe, account, *options):
        shutil.copyfile(probe, os.path.join(self.top, NAME))
        os.chmod(os.path.join(self.top, NAME), 0o755)
        ids = ["--userspec=%d:%d" % (account, account), "--groups="] if account else []
        return self.words + ["chroot"] + ids + [self.top, "/" + NAME] + list(options)


def is_ours(name, machine):
    """In a machine of its own all is; of the log what names the program, of keys the account's."""
    return name.startswith((machine.top, "keys of %d:" % ACCOUNT)) or (
        name.startswith(SAYS) and re.search(r"\b%s\b" % NAME, name))


def are_lines(text):
    """A name with a line's end in it ends no line."""
    try:
        return all(json.loads(line) for line in text.splitlines() if line) and b"\x1b" not in text
    except ValueError:
        return False


def in_machine(machine, level, account):
    name = "in a machine of its own, level %s, %s" % (level, "an account" if account else "root")
    command = machine.command(PROBE, account, "--level", level, "--facts", FACTS)
    before = snapshot(machine.top)
    watch, began = Watch(watched_folders(machine.top), machine.untouched), time.time()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd="/",
                          timeout=120, check=False)
    took = time.time() - began
    changed = {one for one in differences(before, snapshot(machine.top)) if is_ours(one, machine)}
    seen = {one for one in watch.seen() if machine.top in one}
    watch.close()
    clean, lines = b'"clean":true' in done.stdout, are_lines(done.stdout)
    ok(clean and lines and not changed and not seen and done.returncode == 0 and took < 30, name,
         ["exit %d, clean %s, lines %s, %.1f s" % (done.returncode, clean, lines, took)]
         + sorted(changed) + sorted(seen))


# ---------------------------------------------------------------- what is mounted when it is entered


class Automounts:
    """autofs(5) in mounts of our own: who walks into one is asked for, and told that there is none."""

    PLACES = """efi boot/efi home/auto mnt/share srv/data opt/tool root/auto var/lib/auto
        usr/share/auto repository/auto tmp/auto etc/auto run/auto home/alice/net""".split()

    def __init__(self, top):
        self.ends, self.folders, self.seen = os.pipe(), {}, []
        options = "fd=%d,pgrp=%d,minproto=5,maxproto=5,direct" % (self.ends[1], os.getpgrp())
        for name in self.PLACES:
            path = os.path.join(top, name)
            os.makedirs(path, exist_ok=True)
            if libc.mount(b"test", path.encode(), b"autofs", 0, options.encode()):
                raise cross.Missing("autofs cannot be mounted")
            fd = os.open(path, os.O_RDONLY)
            self.folders[os.fstat(fd).st_dev, os.fstat(fd).st_ino] = (name, fd)
        threading.Thread(target=self.answer, daemon=True).start()

    def answer(self):
        fail, size = 0x9361, 304  # AUTOFS_IOC_FAIL, struct autofs_v5_packet
        while True:
            data = os.read(self.ends[0], size)
            _, _, token, dev, ino = struct.unpack("IIIIQ", data[:24])
            name, fd = self.folders.get((dev, ino), next(iter(self.folders.values())))
            self.seen.append(name)
            fcntl.ioctl(fd, fail, token)


def walk_in(machine, command):
    """In a child, with mounts of its own: names of what would have been mounted."""
    if libc.unshare(0x20000) or libc.mount(b"none", b"/", None, 0x44000, None):
        return ["missing: mounts of our own"]
    try:
        automounts = Automounts(machine.top)
    except cross.Missing as missing:
        return ["missing: %s" % missing]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd="/",
                          timeout=120, check=False)
    return automounts.seen + ([] if b'"end":1' in done.stdout else ["the probe did not end"])


def walk_into(machine, probe, *options):
    command = ["setsid"] + machine.command(probe, 0, "--facts", FACTS, *options)
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ends[1], json.dumps(walk_in(machine, command)).encode()[:60000])
        os._exit(0)
    os.close(ends[1])
    with os.fdopen(ends[0]) as file:
        said = json.load(file)
    os.waitpid(child, 0)
    return said


def check_automounts(machine):
    seen = walk_into(machine, PROBE, "--level", "act")
    if seen and seen[0].startswith("missing"):
        skip("automounts", seen[0])
        return
    ok(not seen, "nothing is mounted by being walked into", sorted(set(seen)))
    seen = walk_into(machine, PLANTED, "--only", "planted.walks")
    ok(seen == ["efi"], "a planted scenario is seen: planted.walks", seen)


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
    word = "SANDBOXEVAL_TEST=" + secrets.token_hex(8)
    command = ["env", "-i", PATH, "HOME=/root", word, HOST, "run", "none", "--no-history", "--quiet",
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
            ok(False, name, [done.stderr.decode(errors="replace")])
            return
        if not suspects:
            break
    left = left_behind(word)
    ok(not suspects and not left, name + ": nothing differs", sorted(suspects) + left)


def leftovers():
    found = subprocess.run(["find", "/tmp", "/var/tmp", "/dev/shm", "/run", "-maxdepth", "2", "-name",
                            ".sandboxeval-0123456789abcdef*"], capture_output=True, text=True,
                           check=False).stdout.split()
    ok(not found, "no marker is left", found)


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
        faults, looked = calls.check(lines, rules, "/" + NAME)
        ok(not faults and looked > 3000 and b'"end":1' in said,
             "every call of every trial has a row in docs/safety.md and keeps its rule: %s, %s"
             % ("an account" if account else "root", level),
             ["%d calls" % looked] + list(dict.fromkeys(faults)))
    lines, said = trace(machine, folder, PROBE, 0, facts=FACTS.replace("outside", "inside"))
    faults, looked = calls.check(lines, rules, "/" + NAME, inside=True)
    ok(not faults and looked > 3000 and b'"end":1' in said,
         "and inside a sandbox, by what is permitted there", list(dict.fromkeys(faults)))


def check_planted(machine, folder, rules):
    for name, word in (("writes", "write"), ("sends", "sendto"), ("signals", "kill"),
                       ("names", "sethostname"), ("mounts", "mount"), ("keys", "add_key"),
                       ("leaves", "shmget")):
        lines, said = trace(machine, folder, PLANTED, 0, "--only", "planted." + name)
        faults, _ = calls.check(lines, rules, "/" + NAME)
        ok(any(fault.startswith(word) for fault in faults) and len(faults) <= 2 and b"planted" in said,
             "a planted scenario is seen: planted." + name, faults or ["nothing was seen"])
    remove_planted_key(0)
    for name, account, wanted in (("writes", 0, {machine.top + "/etc/hosts"}),
                                  ("keys", ACCOUNT, {"keys of %d:" % ACCOUNT}),
                                  ("pipes", 0, {"%s/root/.netrc/: event 0x%x" % (machine.top, event)
                                                for event in (0x20, 0x10)})):
        if name == "keys":
            remove_planted_key(account)
        before, watch = snapshot(machine.top), Watch((), machine.untouched)
        subprocess.run(machine.command(PLANTED, account, "--only", "planted." + name, "--facts", FACTS),
                       stdin=subprocess.DEVNULL, capture_output=True, cwd="/", check=False)
        changed = {one for one in differences(before, snapshot(machine.top)) if is_ours(one, machine)}
        changed |= watch.seen()
        watch.close()
        ok(changed and changed <= wanted, "what a planted scenario changed is seen: planted." + name,
             sorted(changed))
        if name == "keys":
            remove_planted_key(account)


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
            check_automounts(machine)
        else:
            skip("call by call", "there is no strace")


def main():
    if os.geteuid() != 0:
        skip_all("needs root")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if "--here-only" not in sys.argv:
        in_its_own_machine()
    if "--machine-only" not in sys.argv:
        for account in (0, ACCOUNT):
            on_this_machine(account)
        leftovers()
    end()


main()
