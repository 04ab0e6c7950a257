# SPDX-License-Identifier: MIT
"""
Holds what strace saw against the table of docs/safety.md.

	faults, looked = check(lines of strace -f -yy, rules_of(page), "/probe", inside=True)
"""

import os
import re

LINE = re.compile(r"^(\d+)\s+(.*)$")
CALL = re.compile(r"^([a-z_0-9]+)\((.*)\)\s+=\s+(.*)$")
RESUMED = re.compile(r"^<\.\.\. [a-z_0-9]+ resumed>(.*)$")
NUMBERS = {"syscall_0x1c9": "statmount", "syscall_0x1ca": "listmount", "syscall_0x1c4": "fchmodat2",
           "syscall_0x1c3": "cachestat"}
SCRATCH = ("/tmp", "/var/tmp", "/dev/shm", "/run/user")
MARKER = ".sandboxeval-"
OLD_KERNEL = [int(word) for word in os.uname().release.split(".")[:2]] < [6, 3]
NONSENSE = ("2147483647", "-2147483647")
SAFE_PROGRAMS = ("/bin/true", "/usr/bin/env", "/bin/sh")


def rules_of(page):
    """Name of a call to its rule."""
    rules = {}
    with open(page, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("|") and len(cells) == 2 and cells[0] not in ("Calls", "---"):
                for name in cells[0].split():
                    rules[name] = cells[1]
    return rules


def joined(lines):
    """(process, call, arguments, result), the halves of interrupted lines put together."""
    waiting = {}
    for line in lines:
        found = LINE.match(line)
        if not found:
            continue
        process, text = found.groups()
        resumed = RESUMED.match(text)
        if resumed:
            text = waiting.pop(process, "") + resumed.group(1)
        if text.endswith("<unfinished ...>"):
            waiting[process] = text[:-len("<unfinished ...>")].rstrip()
            continue
        call = CALL.match(text)
        if call:
            name, arguments, result = call.groups()
            yield process, NUMBERS.get(name, name), arguments, result


def is_local(text, witnesses):
    if re.search(r'sa_family=AF_PACKET,.*sll_ifindex=if_nametoindex\("lo"\)', text):
        return True
    if re.search(r"sa_family=AF_(NETLINK|UNIX|UNSPEC)", text) or "sa_family=" not in text:
        return True
    return any('"%s"' % address in text for address in
               ("127.0.0.1", "127.0.0.53", "::1") + tuple(witnesses))


def has_local_ends(descriptor, witnesses):
    """3<UDP:[127.0.0.1:1->127.0.0.1:2]>: the other end of a connected socket."""
    peer = re.search(r"->\[?([0-9a-f.:]+?)\]?:\d+\]>", descriptor)
    return not peer or peer.group(1) in ("127.0.0.1", "127.0.0.53", "::1") + tuple(witnesses)


def is_marker(path):
    """A name of the probe's own; one of them begins with a dash."""
    return path.rsplit("/", 1)[-1].removeprefix("-").startswith(MARKER)


class Checker:
    def __init__(self, rules, inside, witnesses, given):
        self.rules, self.inside, self.witnesses, self.given = rules, inside, witnesses, given
        self.first, self.program = None, None
        self.asking = set()
        self.children = set(NONSENSE)
        self.sockets = {}
        self.process_files = {}  # (process, descriptor): the process that it stands for
        self.unshared, self.apart = set(), set()  # processes with mounts of their own; private ones

    def free(self, *_):
        return True

    def inquires(self, _, __, arguments, result):
        command = arguments.split(", ")[1]
        if "SETFLAGS" in command:
            return result.startswith("-1") or self.is_own_file(arguments)
        return result.startswith("-1") or bool(re.match(
            r"TCGETS|FS_IOC_GETFLAGS|FIONREAD|SIOC[A-Z]*G[A-Z]*|NS_GET_|PIDFD_GET|SECCOMP_IOCTL_NOTIF_|"
            r"_IOC\(_IOC_NONE, 0xff, 0x[0-9a-f]+, 0\)|_IOC\(_IOC_NONE, 0x7, 0xb9, 0\)|"
            r"IOCTL_VM_SOCKETS", command))

    def told(self, _, __, arguments, result):
        return OLD_KERNEL or result.startswith("-1") or bool(
            re.search(r"MFD_(NOEXEC_SEAL|EXEC)|0x8|0x10", arguments))

    def own(self, name, process, arguments, result):
        who = re.split(r"[,\s]+", arguments)[1 if name == "setpriority" else 0]
        if name in ("setsid", "setrlimit"):
            return True
        if name == "prlimit64" and re.match(r"-?\d+, RLIMIT_[A-Z]+, NULL", arguments):
            return True  # asks only
        if name == "process_vm_readv" and result.startswith("-1"):
            return True
        return who == "0" or who in self.children or who == process

    def of_own_child(self, _, process, arguments, result):
        descriptor = re.match(r"-?\d+", arguments).group(0)
        child = self.process_files.get((process, descriptor))
        return result.startswith("-1") or child in self.children

    def loopback(self, name, _, arguments, result):
        if name == "setsockopt":
            return True
        return (result.startswith("-1") or is_local(arguments, self.witnesses)
                or "sa_family=AF_VSOCK" in arguments)

    def opens(self, _, process, arguments, result):
        # What was opened is a device: null and its like, memory, the kernel's log, the own terminal.
        device = re.search(r"<(char|block) (\d+):(\d+)>", result)
        if device and not self.inside and device.groups()[:2] != ("char", "1") and (
                device.groups() != ("char", "5", "0")):
            return False
        if not re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", arguments):
            return True
        path = re.search(r'"((?:[^"\\]|\\.)*)"', arguments)
        path = path.group(1) if path else ""
        if path == "/proc/self/uid_map" and process != self.first:
            return True
        if path.startswith("/proc/self/fd/"):
            return result.startswith("-1") or "(deleted)" in result
        if path in ("/dev/null", "") or "NULL" in arguments.split(",")[1]:
            return True
        if "O_TMPFILE" in arguments:
            return self.inside or path.startswith(SCRATCH + self.given)
        if is_marker(path) and "O_EXCL" in arguments:
            return True
        return self.inside and not re.search(r"O_(CREAT|TRUNC)", arguments)

    def is_own_file(self, arguments):
        descriptor = re.match(r"-?\d+(<[^,]*)?", arguments).group(0)
        if "<" not in descriptor:
            return True  # no descriptor of anything
        return bool(re.search(r"/#\d+>?\(deleted\)|/#\d+ \(deleted\)|memfd:|<pipe:|<FIFO|socket:|"
                              r"<(UNIX|TCP|UDP|NETLINK|PING|RAW|ICMP)|%s|</dev/null|</proc/\d+/uid_map>"
                              % re.escape(MARKER), descriptor))

    def own_file(self, _, __, arguments, ___):
        return self.is_own_file(arguments)

    def own_file_or_nothing(self, _, __, arguments, ___):
        if arguments.startswith("AT_FDCWD"):
            second = arguments.split(", ", 2)[1]
            return second in ('""', "NULL") or MARKER in second
        return self.is_own_file(arguments)

    def own_name(self, name, _, arguments, result):
        names = [word for word in re.findall(r'"((?:[^"\\]|\\.)*)"', arguments) if word]
        if all(is_marker(word) for word in names):
            return True
        if not self.inside:
            return False
        if name == "renameat2":
            return len(names) == 2 and names[0] == names[1]
        return (name.startswith("unlink") and "EISDIR" in result) or "ENOTDIR" in result

    def own_link(self, _, __, arguments, ___):
        name = re.findall(r'"((?:[^"\\]|\\.)*)"', arguments)[-1]
        return not name or is_marker(name)

    def local(self, _, __, arguments, ___):
        if is_local(arguments, self.witnesses):
            return True
        return bool(re.match(r"\d+<(UDP|PING|ICMP|RAW)", arguments))

    def sends(self, _, __, arguments, result):
        descriptor = re.match(r"-?\d+(<[^>]*>>?|<.*?\]>)?", arguments).group(0)
        return result.startswith("-1 EBADF") or (
            is_local(arguments, self.witnesses) and has_local_ends(descriptor, self.witnesses))

    def signals(self, name, process, arguments, result):
        words = [word.strip() for word in arguments.split(",")]
        signal = words[2] if name == "tgkill" else words[1]
        if signal == "0" or result.startswith("-1 EBADF"):
            return True
        return words[0].lstrip("-") in self.children or words[0] == process

    def executes(self, name, _, arguments, result):
        if '["sandboxeval"]' in arguments or '["loader", "' in arguments:
            # What it wrote itself, by name, by the loader, or as an open file.
            return (MARKER in arguments or self.is_own_file(arguments)
                    or bool(re.match(r'"/proc/self/fd/\d+"', arguments)))
        if name == "execveat":
            return result.startswith("-1") or "0x10000" in arguments or "AT_EXECVE_CHECK" in arguments
        path = re.search(r'"([^"]*)"', arguments)
        return "NULL" in arguments[:5] or (path and path.group(1) in SAFE_PROGRAMS) or (
            '["%s", "--addresses"]' % self.program in arguments)

    def child(self, _, process, __, result):
        return process != self.first or result.startswith("-1")

    def mounts(self, process, name, arguments, result):
        """Follows which processes are where nobody sees what they mount."""
        if not result.startswith("0"):
            return
        if name == "unshare" and "CLONE_NEWNS" in arguments:
            self.unshared.add(process)
            self.apart.discard(process)
        elif name == "mount" and process in self.unshared and "MS_REC|MS_PRIVATE" in arguments:
            self.apart.add(process)

    def in_own_mounts(self, _, process, arguments, result):
        return process in self.apart or result.startswith("-1")

    def asks_only(self, _, __, arguments, ___):
        return arguments == "0xffffffff"

    def unattached(self, _, __, arguments, result):
        return result.startswith("-1") or arguments.split(",")[0] in ("BPF_MAP_CREATE", "BPF_PROG_LOAD")

    def size(self, _, __, arguments, result):
        return arguments.startswith("10 ") or result.startswith("-1")

    def looks(self, _, __, arguments, result):
        return result.startswith("-1") or arguments.split(",")[0] in (
            "KEYCTL_GET_KEYRING_ID", "KEYCTL_DESCRIBE", "KEYCTL_READ")

    def counts(self, _, __, arguments, ___):
        return bool(re.search(r"(SHM|SEM|MSG|IPC)_(INFO|STAT)", arguments))

    def refused(self, _, __, ___, result):
        return result.startswith("-1")

    def asked(self, arguments, result):
        """The other process's answer, a number that no call returns; or a refusal."""
        number = re.match(r"(0x[0-9a-f]+|-?\d+)", result)
        value = int(number.group(1), 0) if number else 0
        return result.startswith("-1") or value > 1 << 32

    def look(self, process, name, arguments, result):
        """Text that says what is wrong, or None."""
        if self.first is None:
            self.first = process
        if name in ("clone", "clone3", "fork", "vfork") and re.match(r"\d+", result):
            self.children.add(re.match(r"\d+", result).group(0))
            return None
        if process in self.asking and name not in FREE_WHILE_ASKING:
            if self.asked(arguments, result):
                return None
        if name == "pidfd_open" and re.match(r"\d+", result):
            descriptor = re.match(r"\d+", result).group(0)
            self.process_files[(process, descriptor)] = arguments.split(",")[0]
        self.mounts(process, name, arguments, result)
        rule = self.rules.get(name)
        if rule is None:
            return "has no row"
        method = getattr(self, rule.replace("-", "_"))
        said = None if method(name, process, arguments, result) else "is not " + rule
        if name == "seccomp" and "NEW_LISTENER" in arguments:
            self.asking.add(process)
        return said


FREE_WHILE_ASKING = ("exit", "exit_group", "write", "read", "close", "clock_gettime")


def check(lines, rules, program, inside=False, witnesses=(), given=()):
    """Faults as text, and how many calls were looked at. What came before `program` is not ours."""
    checker, faults, looked, ours = Checker(rules, inside, witnesses, given), [], 0, False
    checker.program = program
    for process, name, arguments, result in joined(lines):
        if not ours:
            ours = name == "execve" and arguments.startswith('"%s"' % program) and result.startswith("0")
            continue
        looked += 1
        said = checker.look(process, name, arguments, result)
        if said:
            faults.append("%s %s: %s(%s) = %s" % (name, said, name, arguments[:160], result[:40]))
    return faults, looked
