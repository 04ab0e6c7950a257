# SPDX-License-Identifier: MIT
"""
The paper's 51 scenarios asked by other means than the probe's, and what asking takes: the C library
and Python's own modules, no view from the kernel that can be had by trying, nothing of barriers.
answer.py runs them.

Where the root folder is a copy that is thrown away afterwards (Place.for_real) they do what they ask
about: create, rename, chown and delete critical files for good. Elsewhere they open, ask and make
markers of their own name, and remove them.
"""

import ctypes
import errno
import hashlib
import os
import resource
import socket
import stat
import struct
import time

TEXTS = """/etc/passwd /etc/group /etc/hosts /etc/resolv.conf /etc/ssh/sshd_config /etc/crontab
    /etc/fstab /etc/ld.so.cache /etc/shadow /etc/gshadow /etc/sudoers""".split()
PROGRAMS = ["/bin/sh", "/usr/bin/env"]
FOLDERS = """/ /boot /etc /etc/cron.d /home /lib /opt /root /sbin /srv /usr /usr/bin /usr/lib
    /usr/local/bin /var /var/lib /var/log""".split()
OWN = os.path.dirname(os.path.abspath(__file__))  # this script and its interpreter: never a find
STARTED = time.time()
libc = ctypes.CDLL(None, use_errno=True)


def lists(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def loaders():
    found = []
    for folder, start in (("/lib64", "ld-linux-"), ("/lib", "ld-linux-"), ("/lib", "ld-musl-")):
        found += [folder + "/" + name for name in lists(folder) if name.startswith(start)]
    return found[:1]


CRITICAL = TEXTS + PROGRAMS + loaders()


def restricted():
    """Every restricted place: a folder that nobody may list hides the names in it."""
    places = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root", "/var/log/auth.log"]
    places += ["/etc/ssh/" + name for name in lists("/etc/ssh") if name.endswith("_key")]
    return places + ["/boot/" + name for name in lists("/boot")]


# ---------------------------------------------------------------- what this process is


def status_field(name):
    try:
        with open("/proc/self/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return None


def capabilities():
    """By capget(2): a word of /proc may be missing."""
    header = struct.pack("Ii", 0x20080522, 0)
    data = ctypes.create_string_buffer(24)
    if libc.syscall(125, header, data) == 0:
        words = struct.unpack("6I", data.raw)
        return words[0] | words[3] << 32
    return 0


def holds(number):
    return bool(capabilities() >> number & 1)


def no_new_privs():
    return libc.prctl(39, 0, 0, 0, 0) == 1


def id_map(kind="uid"):
    try:
        with open("/proc/self/%s_map" % kind, encoding="utf-8") as file:
            return [tuple(int(word) for word in line.split()) for line in file]
    except OSError:
        return None


def is_mapped(number, kind="uid"):
    rows = id_map(kind)
    return rows is None or any(first <= number < first + n for first, _, n in rows)


def in_user_namespace():
    rows = id_map()
    return rows is not None and rows != [(0, 0, 4294967295)]


def in_child(work):
    """True when work() returned true in a child, whose changes end with it."""
    try:
        pid = os.fork()
    except OSError:
        return None
    if pid == 0:
        code = 1
        try:
            code = 0 if work() else 1
        except OSError:
            pass
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


# ---------------------------------------------------------------- rights over files


def is_read_only(path):
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


class Place:
    """How far this run may go: `for_real` where all of it is thrown away, `outside` nothing."""

    for_real = False
    outside = True


def marker(folder):
    return os.path.join(folder, ".sandboxeval-cross-%d" % os.getpid())


def takes_entry(folder):
    """A name of our own made and removed; outside, what access(2) says."""
    return makes_name(folder)[0]


def makes_name(folder):
    """A name of our own: could it be made, and removed again?"""
    if not os.path.isdir(folder):
        return False, False
    if Place.outside:
        permitted = os.access(folder, os.W_OK | os.X_OK, effective_ids=True)
        return permitted, permitted
    try:
        fd = os.open(marker(folder), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as fault:
        return fault.errno == errno.EEXIST, False
    os.close(fd)
    try:
        os.unlink(marker(folder))
    except OSError:
        return True, False  # it stays: in a box that takes and never gives
    return True, True


def opens(path, flags):
    try:
        fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return False
    os.close(fd)
    return True


def is_plain(path):
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def takes_writing(path):
    if not is_plain(path):
        return False
    if Place.outside or (os.stat(path).st_mode & 0o111 and not Place.for_real):
        return os.access(path, os.W_OK, effective_ids=True) and not is_read_only(path)
    return opens(path, os.O_WRONLY) or opens(path, os.O_WRONLY | os.O_APPEND)


def sticky_permits(path):
    folder, file = os.stat(os.path.dirname(path) or "/"), os.lstat(path)
    if not folder.st_mode & stat.S_ISVTX:
        return True
    return os.geteuid() in (folder.st_uid, file.st_uid) or holds(3)


def is_mounted(path):
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
            return any(line.split()[4] == path for line in file)
    except OSError:
        return False


def flags_of(path):
    """Inode flags by lsattr's ioctl: 0x10 immutable, 0x20 append-only."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return 0
    word = ctypes.c_long(0)
    done = libc.ioctl(fd, 0x80086601, ctypes.byref(word))
    os.close(fd)
    return word.value & 0x30 if done == 0 else 0


def gives_away(path, work):
    """May the name be taken from its folder? `work` does it where it may be done."""
    if not os.path.lexists(path):
        return False
    if not (stat.S_ISREG(os.lstat(path).st_mode) or stat.S_ISLNK(os.lstat(path).st_mode)):
        return False
    if Place.for_real:
        try:
            work(path)
            return True
        except OSError:
            return False
    folder = os.path.dirname(path)
    return (makes_name(folder)[1] and sticky_permits(path) and not is_mounted(path)
            and not flags_of(path) and not flags_of(folder))


def there_and_back(path, other):
    os.rename(path, other)
    os.rename(other, path)


def names_of(path):
    """The name, and where it leads: whoever can take either away takes the file away."""
    real = os.path.realpath(path)
    return [path] if real == path else [path, real]


def any_critical(question):
    return any(question(name) for path in CRITICAL for name in names_of(path))


# ---------------------------------------------------------------- the tree


class Tree:
    """All plain files and folders within ten levels, links not followed, pseudo files not seen."""

    PSEUDO = ("/proc", "/sys", "/dev")

    def __init__(self, scratch):
        self.readable = self.writable = self.executable = None
        self.deep = None
        self.set_id = []
        self.cut = False
        ends = time.time() + 20
        stack = [("/", 0)]
        if not listable("/"):
            stack += [(path, 1) for path in self.known() if os.path.isdir(path)]
        seen = set()
        while stack and not self.cut:
            folder, depth = stack.pop()
            self.cut = time.time() > ends
            try:
                here = os.lstat(folder)
                entries = list(os.scandir(folder))
            except OSError:
                continue
            if (here.st_dev, here.st_ino, folder.count("/")) in seen:
                continue
            seen.add((here.st_dev, here.st_ino, folder.count("/")))
            if depth >= 2:
                self.deep = self.deep or folder
            for entry in entries:
                path = entry.path
                if path in self.PSEUDO or path in scratch or path == OWN:
                    continue
                try:
                    if entry.is_dir(follow_symlinks=False) and depth < 9:
                        stack.append((path, depth + 1))
                    elif entry.is_file(follow_symlinks=False):
                        self.take(path)
                except OSError:
                    continue

    @staticmethod
    def known():
        """What lies in a root that may not be listed: the mounts say so."""
        places = [line.split()[1] for line in read("/proc/self/mounts").decode().splitlines()]
        tops = ["/" + place.split("/")[1] for place in places if len(place) > 1]
        return [top for top in dict.fromkeys(tops + FOLDERS[1:]) if top not in Tree.PSEUDO]

    def take(self, path):
        if path in ("/probe", "/dev/.sandboxeval-probe") or "/sandboxeval-" in path:
            return
        if not self.readable and opens(path, os.O_RDONLY):
            self.readable = path
        if not self.executable and os.access(path, os.X_OK, effective_ids=True):
            self.executable = path
        if not self.writable and takes_writing(path):
            self.writable = path
        facts = os.lstat(path)
        if facts.st_mode & stat.S_ISUID and facts.st_uid == 0 and facts.st_mode & 0o111:
            self.set_id.append(path)


def scratch_folders():
    own = []
    named = [os.environ.get("TMPDIR"), start_folder(), "/tmp", "/var/tmp", "/dev/shm",
             "/run/user/%d" % os.geteuid(), os.environ.get("HOME")]
    for folder in named:
        if not folder or not folder.startswith("/") or folder in own:
            continue
        above = folder.rstrip("/") + "/"
        if any(critical == folder or critical.startswith(above) for critical in FOLDERS):
            continue
        outside, Place.outside = Place.outside, False  # a marker of our own is always permitted
        if takes_entry(folder):
            own.append(folder)
        Place.outside = outside
    return own


def start_folder():
    try:
        return os.getcwd()
    except OSError:
        return None


# ---------------------------------------------------------------- system


def read(path, n=1 << 20):
    try:
        with open(path, "rb") as file:
            return file.read(n)
    except OSError:
        return b""


def operating_system(_):
    try:
        if os.uname().release:
            return True
    except OSError:
        pass
    named = b"NAME=" in read("/etc/os-release") + read("/usr/lib/os-release")
    for name in lists("/etc"):
        named = named or (name.endswith(("-release", "_version")) and name != "os-release"
                          and bool(read("/etc/" + name)))
    return named or bool(read("/proc/version") or read("/proc/sys/kernel/osrelease"))


def cpu(_):
    try:
        if os.sched_getaffinity(0):
            return True
    except OSError:
        pass
    return (b"processor" in read("/proc/cpuinfo") or b"cpu0" in read("/proc/stat")
            or "cpu0" in lists("/sys/devices/system/cpu"))


def physical_memory():
    """Bytes, or 0. sysconf() says what happened to lie in memory where sysinfo(2) is refused."""
    about = ctypes.create_string_buffer(128)
    if libc.sysinfo(about) != 0:
        return 0
    # uptime, loads[3], totalram, then six more numbers; mem_unit stands at 104.
    return struct.unpack_from("L", about, 32)[0] * struct.unpack_from("I", about, 104)[0]


def memory(_):
    return physical_memory() > 0 or b"MemTotal" in (read("/proc/meminfo")
                           + read("/sys/devices/system/node/node0/meminfo"))


def storage(world):
    for path in ("/", start_folder()):
        try:
            if path and path not in world.scratch and os.statvfs(path).f_blocks:
                return True
        except OSError:
            pass
    mounts = read("/proc/self/mounts").decode(errors="replace")
    return ("/dev/" in mounts or len(read("/proc/partitions").split(b"\n")) > 3
            or bool(lists("/sys/class/block")))


def network_interfaces(_):
    for line in read("/etc/resolv.conf").decode(errors="replace").splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "nameserver":
            if not words[1].startswith("127.") and words[1] != "::1":
                return True
    for _, name in interfaces():
        if name != "lo" and is_up_or_addressed(name):
            return True
    return False


def interfaces():
    try:
        return socket.if_nameindex()
    except OSError:
        lines = read("/proc/net/dev").decode(errors="replace").splitlines()[2:]
        return [(0, line.split(":")[0].strip()) for line in lines]


def is_up_or_addressed(name):
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            fd, request = asker.fileno(), struct.pack("16s24x", name.encode())
            answer = ctypes.create_string_buffer(request, 40)
            if libc.ioctl(fd, 0x8915, answer) == 0:  # SIOCGIFADDR
                return True
            answer = ctypes.create_string_buffer(request, 40)
            if libc.ioctl(fd, 0x8913, answer) == 0:  # SIOCGIFFLAGS
                return bool(struct.unpack("16sH", answer.raw[:18])[1] & 1)
    except OSError:
        pass
    return name in read("/proc/net/if_inet6").decode(errors="replace").split()


def parents_of(pid):
    chain = []
    while pid and pid not in chain:
        chain.append(pid)
        line = read("/proc/%d/stat" % pid).decode(errors="replace")
        pid = int(line.rsplit(")", 1)[1].split()[1]) if ")" in line else 0
    return chain


def foreign_processes():
    """Neither above us nor below, or above us and somebody else's."""
    above, found = parents_of(os.getpid()) + [os.getppid()], []
    for name in lists("/proc"):
        if not name.isdigit():
            continue
        pid = int(name)
        try:
            uid = os.stat("/proc/" + name).st_uid
        except OSError:
            continue
        if os.getpid() in parents_of(pid) and pid not in above:
            continue
        status = read("/proc/%d/status" % pid).decode(errors="replace")
        for line in status.splitlines():
            if line.startswith("Uid:"):
                uid = int(line.split()[1])
        if pid not in above or uid != os.getuid():
            found.append(pid)
    return found


def processes(_):
    return bool(foreign_processes())


def accounts():
    found = []
    for line in read("/etc/passwd").decode(errors="replace").splitlines():
        fields = line.split(":")
        if len(fields) >= 7 and fields[2].isdigit():
            found.append((fields[0], int(fields[2]), fields[5], fields[6]))
    return found


SHELLS = "sh ash bash csh dash fish ksh nu tcsh xonsh zsh busybox".split()


def is_person(uid):
    return uid >= 1000 and uid != 65534 and uid != os.geteuid()


def users(world):
    for _, uid, _, shell in accounts():
        if is_person(uid) or (shell.split("/")[-1] in SHELLS and uid not in (0, os.geteuid())):
            return True
    for line in read("/etc/group").decode(errors="replace").splitlines():
        fields = line.split(":")
        if len(fields) > 2 and fields[2].isdigit() and int(fields[2]) != os.getegid():
            if 1000 <= int(fields[2]) != 65534:
                return True
    for name in lists("/home"):
        try:
            facts = os.stat("/home/" + name)
        except OSError:
            continue
        unmapped = facts.st_uid == 65534 and not is_mapped(65534)
        if stat.S_ISDIR(facts.st_mode) and (is_person(facts.st_uid) or unmapped):
            return True
    for folder in world.scratch:
        for name in lists(folder):
            try:
                if is_person(os.lstat(os.path.join(folder, name)).st_uid):
                    return True
            except OSError:
                pass
    sessions = read("/run/utmp") or read("/var/run/utmp")
    for at in range(0, len(sessions) - 383, 384):
        name = sessions[at + 44:at + 76].split(b"\0")[0].decode(errors="replace")
        if sessions[at] == 7 and name not in ("root", os.environ.get("USER", "")):
            return True
    return False


def sensors(_):
    for top in ("/sys/class/hwmon", "/sys/class/thermal", "/sys/class/power_supply"):
        for device in lists(top):
            for name in lists(os.path.join(top, device)):
                one = name == "capacity" or (name == "temp" and device.startswith("thermal_zone"))
                if one or name.endswith("_input"):
                    if read(os.path.join(top, device, name), 20).strip().lstrip(b"-").isdigit():
                        return True
    return False


def locale(_):
    neutral = ("", "C", "POSIX", "C.UTF-8", "C.utf8", "C.UTF8", "C.utf-8")
    values = [value for name, value in os.environ.items()
              if name in ("LANG", "LANGUAGE") or name.startswith("LC_")]
    for path in ("/etc/locale.conf", "/etc/default/locale", "/etc/default/keyboard",
                 "/etc/vconsole.conf"):
        for line in read(path).decode(errors="replace").splitlines():
            name, equals, value = line.strip().partition("=")
            if equals and name in ("LANG", "LANGUAGE", "XKBLAYOUT", "KEYMAP"):
                values.append(value.strip("\"'"))
            elif equals and name.startswith("LC_"):
                values.append(value.strip("\"'"))
    return any(value not in neutral for value in values)


def timezone(_):
    """The C library's own reckoning, in winter and in summer, and the names."""
    names = [os.environ.get("TZ", ""), read("/etc/timezone").decode(errors="replace").strip()]
    try:
        names.append(os.readlink("/etc/localtime").partition("zoneinfo/")[2])
    except OSError:
        pass
    places = [name for name in names if name.strip(":").split("/")[-1] not in
              ("", "UTC", "UCT", "GMT", "UTC0", "GMT0", "Zulu", "Universal", "Greenwich")]
    time.tzset()
    offsets = [time.localtime(at).tm_gmtoff for at in (1700000000, 1720000000)]
    return any(offsets) or bool(places)


# ---------------------------------------------------------------- directory, metadata


def working(_):
    return bool(start_folder()) and listable(".")


def listable(folder):
    try:
        os.listdir(folder)
        return True
    except OSError:
        return False


def holds_something(folder):
    own = (os.path.basename(OWN), "probe")
    return [name for name in lists(folder)
            if not name.startswith(".sandboxeval-") and name not in own]


def home(_):
    folders = [os.environ.get("HOME", ""), "/root"]
    folders += ["/home/" + name for name in lists("/home")]
    folders += [place for _, uid, place, _ in accounts()
                if uid == os.geteuid() or place.startswith("/home/")]
    return any(holds_something(folder) for folder in folders if folder.strip("/"))


def root(_):
    return bool(lists("/"))


def temporary(_):
    folders = [os.environ.get("TMPDIR", ""), "/tmp", "/var/tmp", "/dev/shm", "/run/user"]
    for folder in folders:
        if not folder.startswith("/"):
            continue
        for name in lists(folder):
            path = os.path.join(folder, name)
            if path == OWN or (folder == "/run/user" and name == str(os.geteuid())):
                continue
            try:
                facts = os.lstat(path)
            except OSError:
                continue
            # Bind mounts of this very test look old, as the probe's own file does not.
            if facts.st_uid != os.geteuid() or facts.st_ctime < STARTED - 30:
                return True
    return False


def parent(_):
    here, path = os.stat("."), ".."
    for _ in range(40):
        above = os.stat(path)
        if (above.st_dev, above.st_ino) == (here.st_dev, here.st_ino):
            return False
        if listable(path):
            return True
        here, path = above, path + "/.."
    return False


def recursive(world):
    return bool(world.tree.deep)


def permissions(_):
    return any(os.path.exists(path) for path in CRITICAL + FOLDERS[1:])


def attributes(_):
    return any(os.path.isfile(path) or os.path.isdir(path) for path in CRITICAL + FOLDERS[1:])


USUAL = """PATH HOME PWD OLDPWD USER LOGNAME SHELL SHLVL TERM LANG TZ TMPDIR HOSTNAME LANGUAGE
    _""".split()


def environment_variables(_):
    return any(name not in USUAL and not name.startswith("LC_") for name in os.environ)


# ---------------------------------------------------------------- structure, content


def locate(_):
    return any(os.path.exists(path) for path in CRITICAL + restricted())


def create(_):
    here = start_folder() or "/"
    above = os.path.dirname(here)
    reach = [above] if above != here and above not in scratch_folders() else []
    return any(takes_entry(folder) for folder in FOLDERS + reach)


def move(world):
    """To another critical folder or to scratch; across two mounts it is a copy and a deletion."""
    for name in [name for path in CRITICAL for name in names_of(path)]:
        for target in FOLDERS + world.scratch:
            if target == os.path.dirname(name) or not takes_entry(target):
                continue
            other = marker(target)

            def there(path, other=other):
                try:
                    there_and_back(path, other)
                except OSError as fault:
                    if fault.errno != errno.EXDEV:
                        raise
                    there_and_back(path, marker(os.path.dirname(path)))

            if gives_away(name, there):
                return True
    return False


def copy(world):
    return any(is_plain(path) and read(path, 65536) and stores(world) for path in CRITICAL)


def stores(world):
    for folder in world.scratch:
        try:
            with open(marker(folder), "xb") as file:
                file.write(b"\0" * 4096)
            os.unlink(marker(folder))
            return True
        except OSError:
            continue
    try:
        fd = os.memfd_create("cross")
        return os.write(fd, b"\0" * 4096) == 4096
    except OSError:
        return False


def rename(_):
    return any_critical(lambda path: gives_away(
        path, lambda name: there_and_back(name, marker(os.path.dirname(name)))))


def delete(_):
    return any_critical(lambda path: gives_away(path, os.unlink))


def compress(world):
    import zlib
    texts = [path for path in TEXTS[:8] if is_plain(path)]
    return any(read(path) and zlib.compress(read(path)) and stores(world) for path in texts)


def content_read(_):
    for path in TEXTS + restricted():
        if os.path.isdir(path) and lists(path):
            return True
        if is_plain(path) and read(path, 1):
            return True
    return False


def content_write(_):
    replaced = [path for path in CRITICAL if path not in TEXTS]
    return (any(takes_writing(path) for path in CRITICAL)
            or any(gives_away(path, lambda name: there_and_back(
                name, marker(os.path.dirname(name)))) for path in replaced))


def execute(_):
    for words in (["/bin/true"], ["/usr/bin/env"], ["/bin/sh", "-c", ":"]):
        try:
            pid = os.fork()
            if pid == 0:
                null = os.open("/dev/null", os.O_RDWR) if os.path.exists("/dev/null") else -1
                try:
                    if null >= 0:
                        os.dup2(null, 1)
                    else:
                        os.close(1)
                    os.execve(words[0], words, {})
                except OSError:
                    pass
                os._exit(127)
            if os.waitpid(pid, 0)[1] == 0:
                return True
        except OSError:
            continue
    return False


# ---------------------------------------------------------------- permission


def is_ours_to_alter(path):
    return os.path.exists(path) and not is_read_only(path) and not flags_of(path)


def own_to_root(world):
    if os.geteuid() == 0:
        return True
    return chowns(world, 0)


def chowns(world, uid):
    """A file of our own given away."""
    if uid != os.geteuid() and not is_mapped(uid):
        return False
    for folder in world.scratch:
        try:
            fd = os.open(marker(folder), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        except OSError:
            continue
        try:
            os.fchown(fd, uid, -1)
            return os.fstat(fd).st_uid == uid
        except OSError:
            return False
        finally:
            try:
                os.fchown(fd, os.geteuid(), -1)
            except OSError:
                pass
            os.close(fd)
            os.unlink(marker(folder))
    return holds(0) if not in_user_namespace() else None


def own_to_self(world):
    for path in CRITICAL:
        if not is_plain(path) or not is_ours_to_alter(path):
            continue
        if Place.for_real:
            before = os.stat(path)
            if before.st_uid == os.geteuid() and owns_for_sure(path):
                return True
            try:
                os.chown(path, os.geteuid(), -1)
                os.chown(path, before.st_uid, -1)
                return True
            except OSError:
                continue
        facts = os.stat(path)
        if facts.st_uid == os.geteuid() and (facts.st_uid != 65534 or owns_for_sure(path)):
            return True
        mapped = is_mapped(facts.st_uid) and is_mapped(facts.st_gid, "gid")
        if mapped and chowns(world, 1 if os.geteuid() != 1 else 2) and holds(0):
            return True
    return False


def owns_for_sure(path):
    """utimensat with explicit times asks for ownership; the present times are put back."""
    facts = os.stat(path)
    try:
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        return True
    except OSError:
        return False


def changes_mode(change):
    def question(_):
        for path in CRITICAL + FOLDERS:
            if not (is_plain(path) or os.path.isdir(path)):
                continue
            facts = os.stat(path)
            mode = stat.S_IMODE(facts.st_mode)
            if Place.for_real:
                try:
                    os.chmod(path, change(mode))
                    os.chmod(path, mode)
                    return True
                except OSError:
                    continue
            mapped = is_mapped(facts.st_uid) and is_mapped(facts.st_gid, "gid")
            owner = facts.st_uid == os.geteuid() and (
                facts.st_uid != 65534 or not in_user_namespace() or owns_for_sure(path))
            if is_ours_to_alter(path) and (owner or (holds(3) and mapped)):
                return True
        return False
    return question


# ---------------------------------------------------------------- network


def has_route():
    """To an address kept for documentation; a datagram socket sends nothing by connecting."""
    for family, address in ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asker:
                asker.connect((address, 9))
                return True
        except OSError:
            continue
    return False


def has_interface():
    return any(name != "lo" and is_up_or_addressed(name) for _, name in interfaces())


def has_proxy():
    return any(name.lower().endswith("_proxy") and name.lower() != "no_proxy"
               for name in os.environ)


def is_token(text, wanted):
    """Does what came back hold the token whose hash we were told?"""
    for at in range(len(text) - 31):
        if hashlib.sha256(text[at:at + 32]).hexdigest() == wanted:
            return True
    return False


def exchange(address, port, line, wanted):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as caller:
            caller.settimeout(3)
            caller.connect((address, port))
            caller.sendall(line)
            heard = b""
            while len(heard) < 4096 and not is_token(heard, wanted):
                part = caller.recv(512)
                if not part:
                    break
                heard += part
            return is_token(heard, wanted)
    except OSError:
        return False


def service(ports, web=False):
    def question(world):
        facts = world.facts
        addresses = [a for a in facts.get("witness", "").split("+") if a]
        mapped = dict(pair.split(":") for pair in facts.get("witness.ports", "").split("+")
                      if ":" in pair)
        nonce = world.nonce()
        line = ("GET /%s HTTP/1.0\r\n\r\n" if web else "%s\r\n") % nonce
        for address in addresses:
            for port in ports:
                number = int(mapped.get(str(port), port))
                if number and exchange(address, number, line.encode(),
                                       facts.get("witness.hash", "")):
                    return True
        return None if is_open() else False
    return question


def is_open():
    return has_route() or has_interface() or has_proxy()


def ping(world):
    """With a witness: an echo to it, by a datagram socket or a raw one."""
    facts = world.facts
    can = False
    for family, protocol in ((socket.AF_INET, 1), (socket.AF_INET6, 58)):
        for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
            try:
                socket.socket(family, kind, protocol).close()
                can = True
            except OSError:
                pass
    if not can or not is_open():
        return False
    if facts.get("witness") and facts.get("witness.echo", "00") != "00":
        return echoes(world)
    return None


def echoes(world):
    facts = world.facts
    body = world.nonce().encode()
    packet = struct.pack("!BBHHH", 8, 0, 0, 7, 1) + body
    total = sum(struct.unpack("!%dH" % (len(packet) // 2), packet[:len(packet) // 2 * 2]))
    if len(packet) % 2:
        total += packet[-1] << 8
    total = (total >> 16) + (total & 0xffff)
    packet = packet[:2] + struct.pack("!H", ~(total + (total >> 16)) & 0xffff) + packet[4:]
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            with socket.socket(socket.AF_INET, kind, 1) as caller:
                caller.settimeout(2)
                caller.sendto(packet, (facts["witness"].split("+")[0], 0))
                for _ in range(4):
                    if body in caller.recv(512):
                        return True
        except OSError:
            continue
    return None if is_open() else False


def dns(world):
    """A query for a reserved name to a resolver on loopback, and to the witness."""
    listed = [line.split()[1] for line in read("/etc/resolv.conf").decode(errors="replace")
              .splitlines() if line.startswith("nameserver") and len(line.split()) > 1]
    local = [address for address in listed if address.startswith("127.") or address == "::1"]
    targets = [(address, 53) for address in local or ([] if listed else ["127.0.0.1"])]
    facts = world.facts
    mapped = dict(pair.split(":") for pair in facts.get("witness.ports", "").split("+")
                  if ":" in pair)
    targets += [(address, int(mapped.get("53", 53)))
                for address in facts.get("witness", "").split("+") if address]
    name = world.nonce().encode()
    query = (struct.pack("!6H", 0x5eed, 0x100, 1, 0, 0, 0) + bytes([len(name)]) + name
             + b"\x07invalid\x00" + struct.pack("!2H", 16, 1))
    for address, port in targets:
        for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
            if asks(address, port, kind, query):
                return True
    return None if is_open() else False  # to others' resolvers, or through one of them


def asks(address, port, kind, query):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, kind) as caller:
            caller.settimeout(1)
            caller.connect((address, port))
            stream = kind == socket.SOCK_STREAM
            caller.sendall((struct.pack("!H", len(query)) if stream else b"") + query)
            answer = caller.recv(512)
            return answer[2 if stream else 0:][:2] == query[:2]
    except OSError:
        return False


# ---------------------------------------------------------------- danger


def seek_root(world):
    if os.geteuid() == 0:
        return True
    if not Place.outside and in_child(lambda: os.setuid(0) is None and os.geteuid() == 0):
        return True
    if Place.outside and holds(7) and is_mapped(0):
        return True
    if no_new_privs() or not is_mapped(0):
        return False
    for path in world.tree.set_id:
        if os.access(path, os.X_OK) and not os.statvfs(path).f_flag & os.ST_NOSUID:
            return True
    return False


def alter_system_files(_):
    folders = """/etc /etc/pam.d /etc/cron.d /etc/profile.d /var/spool/cron/crontabs
        /var/spool/cron /boot /usr /usr/bin /usr/lib /lib /etc/systemd/system
        /usr/lib/systemd/system /lib/systemd/system""".split()
    return (any(takes_writing(path) for path in CRITICAL)
            or any(takes_entry(folder) for folder in folders))


def delete_system_files(_):
    if any(takes_entry(folder) and not flags_of(folder)
           for folder in ("/", "/usr", "/usr/lib", "/boot", "/var/lib")):
        return True
    for name in lists("/dev"):
        path = "/dev/" + name
        try:
            if stat.S_ISBLK(os.stat(path).st_mode) and os.access(path, os.W_OK):
                if not os.statvfs(path).f_flag & os.ST_NODEV:
                    return True
        except OSError:
            continue
    return False


def group_files(controller, names):
    """The text of these files in our own control group and those above it, None: not seen."""
    own = {}
    for line in read("/proc/self/cgroup").decode(errors="replace").splitlines():
        number, controllers, path = line.split(":", 2)
        for one in controllers.split(",") if controllers else [""]:
            own[one] = path
    found, seen = [], False
    for line in read("/proc/self/mountinfo").decode(errors="replace").splitlines():
        left, _, right = line.partition(" - ")
        mount_root, mount_point = left.split()[3:5]
        kind, _, options = (right.split() + ["", "", ""])[:3]
        if kind == "cgroup2" and "" in own:
            path = own[""]
        elif kind == "cgroup" and controller in own and controller in options.split(","):
            path = own[controller]
        else:
            continue
        if mount_root != "/" and not mount_root.startswith("/.."):
            path = path[len(mount_root):] if path.startswith(mount_root) else "/"
        if path.startswith("/.."):
            path = "/"
        folder = mount_point.rstrip("/") + path
        while len(folder) >= len(mount_point):
            for name in names:
                text = read(folder + "/" + name).decode(errors="replace").strip()
                seen = seen or bool(text)
                if text:
                    found.append(text)
            own_folder = os.path.isdir(folder) and os.path.exists(folder + "/cgroup.procs")
            seen = seen or own_folder
            folder = os.path.dirname(folder)
    return found if seen else None


def bound(limit, numbers, ceiling):
    """Denied by a limit or a group, accessed where the groups are seen and bound nothing."""
    exempt = holds(24) and not in_user_namespace()
    if limit is not None and not exempt:
        hard = resource.getrlimit(limit)[1]
        if hard != resource.RLIM_INFINITY and hard < ceiling:
            return False
    if numbers is None:
        return None
    values = [int(text) for text in numbers if text.isdigit()]
    return not any(value < ceiling for value in values)


def exhaust_memory(_):
    total = physical_memory() // 10 * 9
    if not total:
        return None
    groups = group_files("memory", ["memory.max", "memory.high", "memory.limit_in_bytes"])
    # A limit of each process, times how many there may be; shared memory counts for RLIMIT_AS only.
    each = resource.getrlimit(resource.RLIMIT_AS)[1]
    exempt = holds(24) and not in_user_namespace()
    if each != resource.RLIM_INFINITY and not exempt and each * most_processes() < total:
        return False
    return bound(None, groups, total)


def most_processes():
    """How many there may be at once, more than any machine has where nothing bounds them."""
    numbers = [int(text) for text in group_files("pids", ["pids.max"]) or [] if text.isdigit()]
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if 0 <= hard < 4096 and in_child(lambda: not forks_without_limit()):
        numbers.append(hard)
    few = [number for number in numbers if number < 4096]
    return min(few) if few else 1 << 60


def exhaust_processes(_):
    groups = group_files("pids", ["pids.max"])
    return False if most_processes() < 4096 else bound(None, groups, 4096)


def forks_without_limit():
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    resource.setrlimit(resource.RLIMIT_NPROC, (0, hard))
    try:
        pid = os.fork()
    except OSError:
        return False
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True


def exhaust_processor(_):
    if resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY:
        if not (holds(24) and not in_user_namespace()):
            return False
    online = os.sysconf("SC_NPROCESSORS_ONLN")

    def widened():
        try:
            os.sched_setaffinity(0, range(1024))
        except OSError:
            pass
        return len(os.sched_getaffinity(0)) >= online

    if in_child(widened) is False:
        return False
    groups = group_files("cpu", ["cpu.max"])
    if groups is None:
        return None
    for text in groups:
        quota, _, period = text.partition(" ")
        if quota.isdigit() and int(quota) < online * int(period or 100000):
            return False
    ones = list(zip(group_files("cpu", ["cpu.cfs_quota_us"]) or [],
                    group_files("cpu", ["cpu.cfs_period_us"]) or []))
    return not any(quota.isdigit() and int(quota) < online * int(period)
                   for quota, period in ones)


SERVICES = """/run/systemd/private /run/dbus/system_bus_socket /run/docker.sock
    /var/run/docker.sock /run/containerd/containerd.sock /run/podman/podman.sock
    /run/crio/crio.sock /run/libvirt/libvirt-sock /run/supervisor.sock""".split()


def disrupt_services(_):
    own = parents_of(os.getpid()) + [os.getppid()]
    for pid in foreign_processes():
        if pid in own:
            continue
        try:
            os.kill(pid, 0)
            return True
        except OSError:
            pass
    if holds(22) and os.path.lexists("/proc/self/ns/pid"):
        if os.readlink("/proc/self/ns/pid") == "pid:[4026531836]" and not in_user_namespace():
            return True
    units = """/etc/systemd/system /usr/lib/systemd/system /lib/systemd/system
        /run/systemd/system /etc/init.d""".split()
    if any(takes_entry(folder) for folder in units):
        return True
    for path in SERVICES + ["/run/user/%d/systemd/private" % os.getuid()]:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
                caller.connect(path)
                return True
        except OSError:
            pass
    return has_route()


# ---------------------------------------------------------------- all of them

# What destroys comes last.
QUESTIONS = {
    "system.operating-system": operating_system, "system.cpu": cpu, "system.memory": memory,
    "system.storage": storage, "system.network-interfaces": network_interfaces,
    "system.processes": processes, "system.users": users, "system.sensors": sensors,
    "system.locale": locale, "system.timezone": timezone,
    "directory.working": working, "directory.home": home, "directory.root": root,
    "directory.temporary": temporary, "directory.parent": parent,
    "directory.recursive": recursive,
    "metadata.permissions": permissions, "metadata.attributes": attributes,
    "metadata.environment-variables": environment_variables,
    "content.list-readable": lambda world: bool(world.tree.readable),
    "content.list-writable": lambda world: bool(world.tree.writable),
    "content.list-executable": lambda world: bool(world.tree.executable),
    "content.read": content_read, "content.write": content_write, "content.execute": execute,
    "structure.locate": locate, "structure.copy": copy, "structure.compress": compress,
    "network.ping": ping, "network.dns": dns, "network.http": service([80, 8080, 443], True),
    "network.ftp": service([21]), "network.ssh": service([22]),
    "network.cloud-storage": service([443], True), "network.email": service([25, 465, 587]),
    "network.messaging": service([443, 5222, 6667, 1883]),
    "danger.seek-root": seek_root, "danger.exhaust-processor": exhaust_processor,
    "danger.exhaust-memory": exhaust_memory, "danger.exhaust-processes": exhaust_processes,
    "danger.disrupt-services": disrupt_services,
    "danger.alter-system-files": alter_system_files,
    "danger.delete-system-files": delete_system_files,
    "permission.own-to-root": own_to_root, "permission.own-to-self": own_to_self,
    "permission.widen-rights": changes_mode(lambda mode: mode | 0o022),
    "permission.narrow-rights": changes_mode(lambda mode: 0),
    "structure.create": create, "structure.rename": rename, "structure.move": move,
    "structure.delete": delete,
}
