# SPDX-License-Identifier: MIT
"""
Scenarios beyond the paper's, asked by other means than the probe's: as paper.py. None: not told.
"""

import collections
import ctypes
import errno
import fcntl
import fnmatch
import mmap
import os
import re
import socket
import stat
import struct
import time

from paper import (Place, flags_of, gives_away, id_map, in_child, is_mapped, is_mounted, is_plain,
                   libc, listable, lists, marker, no_new_privs, opens, parents_of, read,
                   start_folder, sticky_permits, takes_entry, takes_writing, there_and_back)

libc.syscall.restype = ctypes.c_long
NEWNS, NEWUSER = 0x20000, 0x10000000
NAMESPACES = {"mnt": NEWNS, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000,
              "uts": 0x04000000, "cgroup": 0x02000000, "user": NEWUSER}


def call(number, *words):
    """A system call by number: its result, or the negative errno."""
    ctypes.set_errno(0)
    got = libc.syscall(ctypes.c_long(number), *[
        word if isinstance(word, (ctypes.c_long, ctypes.Array, bytes)) else ctypes.c_long(word)
        for word in words])
    return got if got >= 0 else -ctypes.get_errno()


def closes(number, *words):
    """Does it give a descriptor? It is closed."""
    got = call(number, *words)
    if got >= 0:
        os.close(got)
    return got >= 0


def status_line(name, pid="self"):
    for line in read("/proc/%s/status" % pid).decode(errors="replace").splitlines():
        if line.startswith(name + ":"):
            return line.split(":", 1)[1].strip()
    return None


# ---------------------------------------------------------------- kernel


def filter_mode(_):
    # A feigned prctl finds fault with no question.
    return libc.prctl(21, 0, 0, 0, 0) == 0 and libc.prctl(99999, 0, 0, 0, 0) != 0


# Calls that say this before they ask who we are; a filter of errnos would have to feign it.
OPEN_CALLS = [(272, (1,), errno.EINVAL), (321, (-1, 0, 0), errno.EINVAL),
              (323, (-1,), errno.EINVAL), (427, (-1, 0, 0, 0), errno.EINVAL),
              (319, (1, -1), errno.EFAULT), (310, (0, 0, 0, 0, 0, 1), errno.EINVAL),
              (312, (0, 0, 99, 0, 0), errno.ESRCH), (101, (99, 0, 0, 0), errno.ESRCH),
              (238, (99, 0, 0), errno.EINVAL), (434, (0, -1), errno.EINVAL),
              (437, (-1, 1, 0, 0), errno.EINVAL), (452, (-1, 1, 0, -1), errno.EINVAL),
              (451, (-1, 0, 0, 0), errno.EBADF), (248, (1, 1, 0, 0, 0), errno.EFAULT),
              (250, (-1,), errno.EOPNOTSUPP), (298, (1, 0, -1, -1, 0), errno.EFAULT)]
PRIVILEGED_CALLS = [(165, (1, 1, 1, 0, 0), errno.EFAULT), (166, (1, -1), errno.EINVAL),
                    (308, (-1, 0), errno.EBADF), (161, (1,), errno.EFAULT),
                    (259, (-1, 1, 0, 0), errno.EFAULT), (227, (9999, 1), errno.EINVAL)]


def reaches(table):
    def question(_):
        return any(in_child(lambda one=one: call(one[0], *one[1]) == -one[2]) for one in table)
    return question


def runs_code(code):
    """Machine code that returns a number, called in this process."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def foreign_abi(_):
    """getpid by int 0x80, then by the number that x32 has."""
    def old():
        return runs_code(b"\xb8\x14\0\0\0\xcd\x80\xc3") == os.getpid()

    return bool(in_child(old) or in_child(lambda: call(0x40000000 | 39) == os.getpid()))


def user_namespace(_):
    flags = list(NAMESPACES.values())
    return any(in_child(lambda one=one: call(272, one) == 0) or
               in_child(lambda one=one: call(272, NEWUSER) == 0 and call(272, one) == 0) or
               in_child(lambda one=one: is_born(NEWUSER | one))
               for one in flags)


def is_born(flags):
    """clone(2): its child ends at once."""
    pid = call(56, flags | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid > 0


def io_uring(_):
    return bool(in_child(lambda: closes(425, 1, ctypes.create_string_buffer(120))))


def bpf(_):
    array = struct.pack("=IIII", 2, 4, 4, 1).ljust(128, b"\0")
    code = ctypes.create_string_buffer(struct.pack("=BBhiBBhi", 0xb7, 0, 0, 0, 0x95, 0, 0, 0))
    name = ctypes.create_string_buffer(b"GPL")
    load = struct.pack("=IIQQ", 1, 2, ctypes.addressof(code), ctypes.addressof(name))
    load = load.ljust(128, b"\0")
    return bool(in_child(lambda: closes(321, 0, array, 128) or closes(321, 5, load, 128)))


def perf_events(_):
    exclude = 1 << 5 | 1 << 6
    clock = struct.pack("=IIQQQQQ", 1, 112, 0, 0, 0, 0, exclude).ljust(112, b"\0")
    cycles = struct.pack("=IIQQQQQ", 0, 112, 0, 0, 0, 0, exclude).ljust(112, b"\0")
    return any(in_child(lambda a=a: closes(298, a[0], a[1], a[2], -1, 0))
               for a in ((clock, 0, -1), (cycles, 0, -1), (clock, -1, 0)))


def userfaultfd(_):
    return bool(in_child(lambda: closes(323, os.O_CLOEXEC) or closes(323, os.O_CLOEXEC | 1)))


def trace_own(_):
    def reads_child():
        word = ctypes.create_string_buffer(b"eightbyt", 8)
        pid = os.fork()
        if pid == 0:
            time.sleep(1)
            os._exit(0)
        place = struct.pack("=QQ", ctypes.addressof(word), 8)
        copy = ctypes.create_string_buffer(8)
        there = struct.pack("=QQ", ctypes.addressof(copy), 8)
        got = call(310, pid, there, 1, place, 1, 0)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        return got == 8

    def takes_descriptor():
        ours = os.pipe()
        pid = os.fork()
        if pid == 0:
            time.sleep(1)
            os._exit(0)
        pidfd = call(434, pid, 0)
        got = pidfd >= 0 and closes(438, pidfd, ours[0], 0)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        return got

    return bool(in_child(lambda: call(101, 0, 0, 0, 0) == 0) or in_child(reads_child)
                or in_child(takes_descriptor))


def mount(world):
    def tmpfs_in_memory():
        fd = call(430, b"tmpfs", 0)
        return fd >= 0 and call(431, fd, 6, 0, 0, 0) == 0 and closes(432, fd, 0, 0)

    def tree():
        return any(closes(428, -100, folder.encode(), 1) for folder in world.scratch)

    def own_mount():
        folder = world.scratch[0]
        return (call(272, NEWNS) == 0 and call(165, 0, b"/", 0, 1 << 18 | 1 << 14, 0) == 0
                and call(165, b"none", folder.encode(), b"tmpfs", 0, 0) == 0)

    return bool(in_child(tmpfs_in_memory) or in_child(tree)
                or (world.scratch and in_child(own_mount)))


def load_code(_):
    """Which check comes first is told by what is refused: never a module, never a segment."""
    refused = (errno.EPERM, errno.ENOSYS, errno.EACCES)
    return any(in_child(lambda one=one: -call(one[0], *one[1]) not in refused) for one in
               ((175, (0, 0, 1)), (313, (-1, 1, -1)), (246, (0, 0, 0, 0xdead)),
                (320, (-1, -1, 0, 0, -1))))


def file_handles(world):
    for folder in world.scratch + ["/"]:
        handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 136)
        number = ctypes.create_string_buffer(4)
        if call(303, -100, folder.encode(), handle, number, 0) < 0:
            continue
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            if closes(304, fd, handle, 0):
                return True
        finally:
            os.close(fd)
    return False


def socket_families(_):
    """Only those that cannot load a module: by the kernel's own list."""
    def makes(family, kind, protocol=0):
        try:
            socket.socket(family, kind, protocol).close()
            return True
        except OSError:
            return False

    listed = read("/proc/net/protocols").decode(errors="replace").split()
    tries = [(2, 2, 1), (10, 2, 58), (2, 3, 1), (10, 3, 58)]
    tries += [(16, 3, number) for number in (4, 9, 15, 16)]
    tries += [(17, 3, 0)] if "PACKET" in listed else []
    tries += [(40, 1, 0)] if "AF_VSOCK" in listed or "VSOCK" in listed else []
    return any(makes(*one) for one in tries)


def memory_hardening(_):
    def writable_code():
        mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        return True

    def made_code():
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        return call(10, address, 4096, 5) == 0

    return bool(in_child(writable_code) or in_child(made_code))


def kernel_log(_):
    return call(103, 10, 0, 0) >= 0 or opens("/dev/kmsg", os.O_RDONLY)


# ---------------------------------------------------------------- privilege


def host_root(_):
    if 0 not in os.getresuid():
        return False
    rows = id_map()
    return None if rows is None else any(first == 0 and outer == 0 for first, outer, _ in rows)


def capability_sets(_):
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        if int(status_line(name) or "0", 16):
            return True
    return any(libc.prctl(23, number, 0, 0, 0) == 1 for number in range(41))


def groups(_):
    own = {os.getgid(), os.getegid(), 65534}
    names = [line.split(":")[0] for line in read("/etc/passwd").decode(errors="replace").splitlines()
             if line.split(":")[2:3] == [str(os.getuid())]]
    for line in read("/etc/group").decode(errors="replace").splitlines():
        fields = line.split(":")
        if len(fields) > 3 and set(fields[3].split(",")) & set(names) and fields[2].isdigit():
            own.add(int(fields[2]))
    return any(group not in own for group in os.getgroups())


def is_capable(path):
    try:
        return bool(os.getxattr(path, "security.capability", follow_symlinks=False))
    except OSError:
        return False


def gives_rights(path):
    """A program that starts with more than whoever starts it has."""
    try:
        facts = os.lstat(path)
        if not stat.S_ISREG(facts.st_mode) or os.statvfs(path).f_flag & os.ST_NOSUID:
            return False
    except OSError:
        return False
    marked = facts.st_mode & (stat.S_ISUID | stat.S_ISGID) or is_capable(path)
    return bool(marked and is_mapped(facts.st_uid))


def set_id_files(world):
    if no_new_privs():
        return False
    folders = os.environ.get("PATH", "").split(":") + ["/usr/lib", "/usr/libexec"]
    usual = "/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin".split()
    for folder in [one for one in folders if one] + usual + world.scratch:
        for above, names, files in os.walk(folder):
            if above.count("/") - folder.count("/") >= 4:
                names.clear()
            if any(gives_rights(os.path.join(above, name)) for name in files):
                return True
    return False


# ---------------------------------------------------------------- namespaces and processes

FIRST = {"ipc": 4026531839, "uts": 4026531838, "user": 4026531837, "pid": 4026531836,
         "cgroup": 4026531835}


# Requests to a process's descriptor for one of its namespaces: PIDFD_GET_…_NAMESPACE.
BY_DESCRIPTOR = {"cgroup": 0xff01, "ipc": 0xff02, "mnt": 0xff03, "net": 0xff04, "pid": 0xff05,
                 "user": 0xff09, "uts": 0xff0a}


def namespace_number(name):
    try:
        return os.stat("/proc/self/ns/" + name).st_ino
    except OSError:
        pass
    own = call(434, os.getpid(), 0)
    if own < 0:
        return None
    try:
        fd = fcntl.ioctl(own, BY_DESCRIPTOR[name], 0)
        number = os.fstat(fd).st_ino
        os.close(fd)
        return number
    except OSError:
        return None
    finally:
        os.close(own)


def is_shared(world, name):
    """None: the host's number is not known."""
    number, told = namespace_number(name), world.facts.get("ns." + name) or FIRST.get(name)
    return None if number is None or not told else number == int(told)


def shared(world):
    found = [is_shared(world, name) for name in ["net", "mnt"] + list(FIRST)]
    if all(namespace_number(name) is None for name in FIRST):
        return False
    return True if True in found else None if None in found else False


def others():
    """Who is neither this process nor below it; without /proc, who answers to a signal."""
    if not os.path.exists("/proc/self/stat"):
        return [pid for pid in range(1, 4096) if pid != os.getpid() and is_there(pid)]
    return [int(name) for name in lists("/proc") if name.isdigit() and int(name) != os.getpid()
            and os.getpid() not in parents_of(int(name))[1:]]


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def namespace_join(_):
    kinds = [name for name in lists("/proc/self/ns") if not name.endswith("for_children")]
    own = {kind: os.stat("/proc/self/ns/" + kind).st_ino for kind in kinds}
    for pid in others():
        for kind in kinds:
            path = "/proc/%d/ns/%s" % (pid, kind)
            try:
                if os.stat(path).st_ino == own[kind]:
                    continue
                fd = os.open(path, os.O_RDONLY)
            except OSError:
                continue
            joined = in_child(lambda fd=fd: call(308, fd, 0) == 0)
            os.close(fd)
            if joined:
                return True
    return False


def foreign_root(_):
    here = os.stat("/")
    for pid in others():
        for name in ("root", "cwd"):
            try:
                there = os.stat("/proc/%d/%s/" % (pid, name))
            except OSError:
                continue
            differs = (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino)
            if name == "root" and differs and listable("/proc/%d/root/" % pid):
                return True
    return False


def chroot_only(_):
    """To where the root is already: what counts is whether it may be asked for."""
    if not in_child(lambda: os.chroot("/") is None):
        return False
    points = [mount.point for mount in mounts()]
    return "/" not in points if points else None


def ipc_objects(_):
    for name in ("shm", "sem", "msg"):
        if len(read("/proc/sysvipc/" + name).splitlines()) > 1:
            return True
    return bool([name for name in lists("/dev/mqueue")])


def foreign_control(_):
    for pid in others():
        try:
            os.kill(pid, 0)
            return True
        except OSError:
            pass
        if opens("/proc/%d/mem" % pid, os.O_RDONLY) or listable("/proc/%d/fd" % pid):
            return True
    return False


def variables(pid):
    return {part.split(b"=")[0] for part in read("/proc/%d/environ" % pid).split(b"\0")
            if b"=" in part}


def foreign_environment(_):
    own = {name.encode() for name in os.environ}
    return any(variables(pid) - own for pid in others())


def foreign_arguments(_):
    return any(read("/proc/%d/cmdline" % pid) for pid in others())


# ---------------------------------------------------------------- procfs, sysfs, control groups


def holds_bytes(path):
    """A byte of a file, or an entry of a folder."""
    if os.path.isdir(path):
        return bool(lists(path))
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return bool(os.read(fd, 1))
    except OSError:
        return False
    finally:
        os.close(fd)


MASKED = ["/proc/" + name for name in """acpi asound kcore keys latency_stats sched_debug scsi
    timer_list timer_stats""".split()] + ["/sys/firmware"]


def is_foreign_key(line):
    """Not one of the rings that the kernel makes for whoever asks for them."""
    _, _, _, _, _, owner, _, kind, name, *_ = line.split() + [""]
    of_kernel = name.startswith(".") and name != ".user_reg:"
    return kind != "keyring" or int(owner) != os.getuid() or of_kernel


def masked_paths(_):
    keys = read("/proc/keys").decode(errors="replace").splitlines()
    return any(is_foreign_key(line) for line in keys if len(line.split()) > 7) or any(
        holds_bytes(path) for path in MASKED if path != "/proc/keys")


def any_writable(patterns, most=256):
    n = 0
    for pattern in patterns:
        for path in glob(pattern):
            n += 1
            if n > most:
                return False
            if takes_writing(path):
                return True
    return False


def glob(pattern):
    """Names with "*" in any of their parts, of plain files and folders."""
    found = ["/"]
    for part in pattern.strip("/").split("/"):
        if "*" in part:
            found = [os.path.join(folder, name) for folder in found for name in lists(folder)
                     if fnmatch.fnmatchcase(name, part)]
        else:
            found = [os.path.join(folder, part) for folder in found]
    return [path for path in found if os.path.lexists(path)]


SETTINGS = ["/proc/sys/kernel/" + name for name in """core_pattern modprobe hotplug poweroff_cmd
    panic panic_on_oops kptr_restrict randomize_va_space yama/* sysrq""".split()]
SETTINGS += ["/proc/sys/vm/panic_on_oom", "/proc/sys/vm/overcommit_memory",
             "/proc/sys/vm/drop_caches", "/proc/sys/fs/suid_dumpable", "/proc/sys/fs/protected_*",
             "/proc/sys/fs/binfmt_misc/register", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper",
             "/proc/sys/net/ipv4/ip_forward", "/proc/sys/net/ipv4/conf/*/route_localnet",
             "/proc/sys/net/ipv4/conf/*/accept_local", "/proc/sys/net/ipv4/conf/*/rp_filter",
             "/proc/sys/net/ipv4/conf/*/forwarding", "/proc/irq/*/smp_affinity"]


def writable_settings(_):
    # Opening them changes nothing, but outside a box it is not done.
    if Place.outside:
        return any(os.access(path, os.W_OK) for pattern in SETTINGS for path in glob(pattern))
    return any(opens(path, os.O_WRONLY) for pattern in SETTINGS for path in glob(pattern)
               if not path.endswith("sysrq-trigger")) or os.access("/proc/sysrq-trigger", os.W_OK)


def own_control_groups():
    """The folders of our own groups, and of those above them, as far as they are mounted."""
    folders = []
    for line in read("/proc/self/mountinfo").decode(errors="replace").splitlines():
        if " - cgroup" in line and "name=" not in line:  # a hierarchy that bounds nothing
            folders.append(line.split()[4])
    return folders


def cgroup_writable(_):
    for top in own_control_groups():
        for above, names, files in os.walk(top):
            if above.count("/") - top.count("/") > 4:
                names.clear()
            for name in files:
                if name == "cgroup.procs" or name.endswith((".max", ".allow", "freeze", ".state")):
                    if os.access(os.path.join(above, name), os.W_OK):
                        if not os.statvfs(above).f_flag & os.ST_RDONLY:
                            return True
    return False


# ---------------------------------------------------------------- mounts


def root_writable(_):
    return takes_entry("/") or takes_entry("/usr")


Mount = collections.namedtuple("Mount", "root point options kind tags device number")


def mounts():
    lines = read("/proc/self/mountinfo").decode(errors="replace").splitlines()
    found = []
    for line in lines:
        left, _, right = line.partition(" - ")
        fields = left.split()
        found.append(Mount(fields[3], fields[4], fields[5].split(","), right.split()[0],
                           fields[6:], int(fields[2].split(":")[0]), fields[2]))
    return found or mounts_by_call()


def mounts_by_call():
    """Without /proc: listmount(2) and statmount(2)."""
    numbers = (ctypes.c_uint64 * 512)()
    request = struct.pack("=IIQQ", 24, 0, (1 << 64) - 1, 0)
    found = []
    count = call(458, request, numbers, 512, 0)
    for number in list(numbers)[:max(0, count)]:
        about = ctypes.create_string_buffer(8192)
        wanted = struct.pack("=IIQQ", 24, 0, number, 1 | 2 | 8 | 16 | 32)
        if call(457, wanted, about, 8192, 0) < 0:
            continue

        def text(at, about=about):
            start = 512 + struct.unpack_from("=I", about.raw, at)[0]
            return about.raw[start:about.raw.index(b"\0", start)].decode(errors="replace")

        flags, way, group = struct.unpack_from("=QQQ", about.raw, 64)
        tags = ["shared:%d" % group] if way & 1 << 20 else []
        found.append(Mount(text(104), text(108), ["ro" if flags & 1 else "rw"], text(36), tags,
                           *(struct.unpack_from("=I", about.raw, 16)),
                           "%d:%d" % struct.unpack_from("=II", about.raw, 16)))
    return found


def is_covered(mount):
    """By another file system."""
    try:
        device = os.stat(mount.point).st_dev
    except FileNotFoundError:
        return True
    except OSError:
        return False
    own = "%d:%d" % (os.major(device), os.minor(device))
    return mount.number != own and mount.kind != "btrfs"


def propagation(world):
    """
    The host's own mounts, or something shared in a tree that is not. Where all is shared anew, who
    else is in the groups is not told.
    """
    found = [mount for mount in mounts() if not is_covered(mount)]
    is_common = [any(tag.startswith("shared:") for tag in mount.tags) for mount in found]
    if not found:
        return None
    if not any(is_common):
        return False
    if is_shared(world, "mnt") or Place.outside:
        return True
    top = [common for mount, common in zip(found, is_common) if mount.point == "/"]
    return None if any(top) else True


KERNEL_TYPES = """debugfs tracefs securityfs configfs bpf efivarfs pstore binfmt_misc
    fusectl""".split()


def kernel_file_systems(_):
    return any(mount.kind in KERNEL_TYPES and listable(mount.point) for mount in mounts())


# A program of some bytes that ends with 0: header, one segment, mov edi,0; mov eax,60; syscall.
CODE = b"\x31\xff\xb8\x3c\0\0\0\x0f\x05"
PROGRAM = (b"\x7fELF\x02\x01\x01" + b"\0" * 9 + struct.pack(
    "<HHIQQQIHHHHHH", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0) + struct.pack(
        "<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 120 + len(CODE), 120 + len(CODE), 4096) + CODE)


def scratch_exec(world):
    def runs(fd):
        pid = os.fork()
        if pid == 0:
            try:
                os.execve(fd, ["x"], {})
            except OSError:
                pass
            os._exit(127)
        return os.waitpid(pid, 0)[1] == 0

    def as_memory():
        fd = os.memfd_create("cross")
        os.write(fd, PROGRAM)
        os.fchmod(fd, 0o700)
        return runs(fd)

    for folder in world.scratch:
        path = marker(folder)
        try:
            fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o700)
            os.write(fd, PROGRAM)
            os.close(fd)
            done = in_child(lambda path=path: os.execve(path, ["x"], {}))
            if done:
                return True
        except OSError:
            pass
        finally:
            if os.path.lexists(path):
                os.unlink(path)
    return bool(in_child(as_memory))


def scratch_set_id(world):
    return any(not os.statvfs(folder).f_flag & os.ST_NOSUID
               or not os.statvfs(folder).f_flag & os.ST_NODEV for folder in world.scratch)


# ---------------------------------------------------------------- devices

USUAL_NODES = "null zero full random urandom tty ptmx console".split()


def is_terminal(folder, name):
    """By whatever name: one of those in /dev/pts, made for this sandbox."""
    return os.major(os.lstat(os.path.join(folder, name)).st_rdev) in range(136, 144)


def extra_nodes(_):
    for above, names, files in os.walk("/dev"):
        if above in ("/dev/pts", "/dev/shm", "/dev/mqueue"):
            names.clear()
            continue
        for name in files:
            try:
                mode = os.lstat(os.path.join(above, name)).st_mode
            except OSError:
                continue
            if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not is_terminal(above, name) and (
                    above != "/dev" or name not in USUAL_NODES):
                return True
    return False


def raw_device(_):
    memory = ["/dev/" + name for name in "mem kmem port kmsg".split()]
    names = ["/dev/nvram"]
    for above, _, files in os.walk("/dev"):
        for name in files:
            path = os.path.join(above, name)
            try:
                if stat.S_ISBLK(os.lstat(path).st_mode):
                    names.append(path)
            except OSError:
                continue
    if any(opens(path, os.O_RDONLY) for path in memory):
        return True
    if Place.outside:  # to open a disk may wake it
        return any(os.access(path, os.R_OK) for path in names)
    return any(opens(path, os.O_RDONLY) for path in names)


def create_device(world):
    """The kernel's log: every sandbox may have the null device."""
    for folder in world.scratch:
        path = marker(folder)
        try:
            os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 11))
        except OSError:
            continue
        # Its driver may refuse, of which the access check knows nothing; device rules refuse both.
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
            opened = True
        except OSError as fault:
            opened = fault.errno == errno.EPERM and os.access(path, os.R_OK)
        os.unlink(path)
        if opened:
            return True
    return False


def accelerator(_):
    patterns = ["/dev/nvidia*", "/dev/dri/*", "/dev/kfd", "/dev/accel*", "/dev/davinci*",
                "/dev/tenstorrent/*"]
    return any(glob(pattern) for pattern in patterns)


# ---------------------------------------------------------------- sockets


def connects(path):
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_UNIX, kind) as caller:
                caller.settimeout(1)
                caller.connect(path)
                return True
        except OSError:
            continue
    return False


def abstract_socket(_):
    lines = read("/proc/net/unix").decode(errors="replace").splitlines()
    names = [line.split()[7] for line in lines[1:] if len(line.split()) > 7]
    return any(connects("\0" + name[1:]) for name in names if name.startswith("@"))


# ---------------------------------------------------------------- secrets

SHAPES = [r"AKIA[0-9A-Z]{16}", r"gh[pousr]_[0-9A-Za-z]{20,}", r"glpat-[\w-]{20,}",
          r"xox[abprs]-[\w-]{10,}", r"sk-[\w-]{20,}", r"-----BEGIN", r"eyJ[\w-]+\.eyJ[\w-]+",
          r"\w+://[^/\s:@]+:[^/\s@]+@", r"https://hooks\."]
WORDS = {"PASSWORD", "PASSWD", "SECRET", "TOKEN", "APIKEY", "CREDENTIAL", "CREDENTIALS"}


def environment(_):
    for name, value in os.environ.items():
        if any(re.search(shape, value) for shape in SHAPES):
            return True
        if set(name.upper().split("_")) & WORDS and value:
            return True
    return False


SERVICE_FILES = ["/var/run/secrets/kubernetes.io/serviceaccount/token",
                 "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
                 "/var/run/secrets/kubernetes.io/serviceaccount/namespace",
                 "/var/run/secrets/eks.amazonaws.com/serviceaccount/token",
                 "/run/secrets/kubernetes.io/serviceaccount/token",
                 "/run/secrets/kubernetes.io/serviceaccount/ca.crt",
                 "/run/secrets/kubernetes.io/serviceaccount/namespace",
                 "/var/run/secrets/azure/tokens/*", "/var/run/secrets/tokens/*",
                 "/vault/secrets/*"]


def service_account(_):
    named = ["AWS_WEB_IDENTITY_TOKEN_FILE", "AZURE_FEDERATED_TOKEN_FILE",
             "GOOGLE_APPLICATION_CREDENTIALS"]
    files = [path for pattern in SERVICE_FILES for path in glob(pattern)]
    files += [os.environ[name] for name in named if name in os.environ]
    tokens = "CI_JOB_TOKEN ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN".split()
    return any(is_plain(path) and read(path, 1) for path in files) or any(
        os.environ.get(name) for name in tokens)


# ---------------------------------------------------------------- later run or trusted


def homes():
    found = [os.environ.get("HOME", ""), "/root"] + ["/home/" + name for name in lists("/home")]
    for line in read("/etc/passwd").decode(errors="replace").splitlines():
        fields = line.split(":")
        if len(fields) > 5:
            found.append(fields[5])
    skip = ("/usr", "/bin", "/sbin", "/dev", "/proc", "/sys", "/nonexistent")
    return [home for home in dict.fromkeys(found) if home.strip("/")
            and not any(home == one or home.startswith(one + "/") for one in skip)]


def alterable(path):
    """By its name, or where links lead."""
    return any(alterable_at(one) for one in {os.path.normpath(path), os.path.realpath(path)})


def alterable_at(path):
    """
    A file to write, a folder to make entries in, a name to make where there is none, or any of the
    folders above, as far as the same mount, that can be taken away.
    """
    there = path
    while not os.path.exists(there) and len(there) > 1:
        there = os.path.dirname(there)
    if os.path.isdir(there) and takes_entry(there):
        return True
    if there == path and takes_writing(path):
        return True
    while len(there) > 1:
        if is_mounted(there):
            return False
        if can_be_moved(there):
            return True
        there = os.path.dirname(there)
    return False


def can_be_moved(path):
    """There and back, in a place that is thrown away; else by the rights that it takes."""
    folder = os.path.dirname(path)
    if os.path.islink(path) or not os.path.isdir(path):
        return gives_away(path, lambda name: there_and_back(name, marker(folder)))
    if not takes_entry(folder):
        return False
    if not Place.for_real:
        return sticky_permits(path) and not flags_of(path) and not flags_of(folder)
    try:
        there_and_back(path, marker(folder))
        return True
    except OSError:
        return False


LOGIN = """.bashrc .bash_profile .bash_login .profile .zshrc .zshenv .ssh/authorized_keys .ssh/rc
    .ssh/config .config/fish/config.fish .pam_environment""".split()
LOGIN_SYSTEM = ["/etc/" + name for name in """profile profile.d bash.bashrc environment sudoers.d
    passwd shadow group""".split()]
SCHEDULED = ["/etc/" + name for name in """crontab cron.d cron.daily cron.hourly cron.weekly
    cron.monthly init.d rc.local udev/rules.d logrotate.d update-motd.d systemd/system
    systemd/user""".split()] + ["/var/spool/cron/crontabs", "/usr/lib/systemd/system"]
LOADER = ["/etc/ld.so.preload", "/etc/ld.so.conf.d", "/etc/ld.so.cache", "/lib", "/usr/lib"]


def login(_):
    return any(alterable(os.path.join(home, name)) for home in homes() for name in LOGIN) or any(
        alterable(path) for path in LOGIN_SYSTEM)


def scheduled(_):
    inside = [".config/systemd/user", ".config/autostart"]
    return any(alterable(path) for path in SCHEDULED) or any(
        alterable(os.path.join(home, name)) for home in homes() for name in inside)


def search_path(_):
    folders = os.environ.get("PATH", "").split(":") if os.environ.get("PATH") else []
    folders += "/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin".split()
    return any(not folder.startswith("/") or alterable(folder) for folder in folders)


# ---------------------------------------------------------------- artefacts


def symbolic_link(world):
    folders = [start_folder()] + world.scratch
    for folder in [one for one in folders if one in world.scratch][:1]:
        path = marker(folder)
        try:
            os.symlink("/proc/self/stat" if os.path.exists("/proc/self/stat") else "/", path)
        except OSError:
            continue
        followed = opens(path, os.O_RDONLY)
        os.unlink(path)
        if followed:
            return True
    return False


def set_id_bit(world):
    for folder in world.scratch:
        path = marker(folder)
        try:
            fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o4600)
        except OSError:
            try:
                fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            except OSError:
                continue
        try:
            for change in (lambda: None, lambda: os.fchmod(fd, 0o4600),
                           lambda: os.chmod(path, 0o4600)):
                try:
                    change()
                except OSError:
                    continue
                if os.fstat(fd).st_mode & stat.S_ISUID:
                    return True
        finally:
            os.close(fd)
            os.unlink(path)
    return False


# ---------------------------------------------------------------- side channels, terminal


def energy(_):
    files = [path for top in ("/sys/class/powercap/*/energy_uj", "/sys/class/powercap/*/*/energy_uj",
                              "/sys/class/hwmon/*/power*_input") for path in glob(top)]
    return any(holds_bytes(path) for path in files)


def mitigations(_):
    text = b"".join(read(path) for path in glob("/sys/devices/system/cpu/vulnerabilities/*"))
    return b"ulnerable" in text or read("/sys/devices/system/cpu/smt/active").strip() == b"1"


def injection(_):
    for number in [0, 1, 2]:
        for request in (0x5412, 0x541C):
            try:
                fcntl.ioctl(number, request, 0)
            except OSError as fault:
                if fault.errno == errno.EFAULT:
                    return True
            except ValueError:
                pass
    return False


def controlling(_):
    return opens("/dev/tty", os.O_RDWR) or any(os.isatty(number) for number in (0, 1, 2))


QUESTIONS = {
    "kernel.filter-mode": filter_mode, "kernel.surface-open": reaches(OPEN_CALLS),
    "kernel.surface-privileged": reaches(PRIVILEGED_CALLS), "kernel.foreign-abi": foreign_abi,
    "kernel.user-namespace": user_namespace, "kernel.io-uring": io_uring, "kernel.bpf": bpf,
    "kernel.perf-events": perf_events, "kernel.userfaultfd": userfaultfd,
    "kernel.trace-own": trace_own, "kernel.mount": mount, "kernel.load-code": load_code,
    "kernel.file-handles": file_handles, "kernel.socket-families": socket_families,
    "kernel.memory-hardening": memory_hardening, "kernel.log": kernel_log,
    "privilege.host-root": host_root, "privilege.capability-sets": capability_sets,
    "privilege.no-new-privs": lambda world: not no_new_privs(),
    "privilege.set-id-files": set_id_files, "privilege.groups": groups,
    "namespace.shared": shared, "namespace.join": namespace_join,
    "namespace.foreign-root": foreign_root, "namespace.chroot-only": chroot_only,
    "namespace.ipc-objects": ipc_objects, "procfs.masked-paths": masked_paths,
    "procfs.writable-settings": writable_settings, "procfs.foreign-control": foreign_control,
    "cgroup.writable": cgroup_writable, "mount.root-writable": root_writable,
    "mount.propagation": propagation, "mount.kernel-file-systems": kernel_file_systems,
    "mount.scratch-exec": scratch_exec, "mount.scratch-set-id": scratch_set_id,
    "device.extra-nodes": extra_nodes, "device.raw": raw_device, "device.create": create_device,
    "device.accelerator": accelerator, "socket.abstract": abstract_socket,
    "secret.environment": environment, "secret.service-account": service_account,
    "secret.foreign-environment": foreign_environment,
    "secret.foreign-arguments": foreign_arguments,
    "tamper.login": login, "tamper.scheduled": scheduled, "tamper.search-path": search_path,
    "tamper.loader": lambda world: any(alterable(path) for path in LOADER),
    "artefact.symbolic-link": symbolic_link, "artefact.set-id-bit": set_id_bit,
    "sidechannel.energy": energy, "sidechannel.mitigations": mitigations,
    "terminal.injection": injection, "terminal.controlling": controlling,
}
