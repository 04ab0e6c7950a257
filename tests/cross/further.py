# SPDX-License-Identifier: MIT
"""
More scenarios beyond the paper's, asked by other means than the probe's: what a filter lets pass,
what a capability is good for, and what lies where: secrets, workspaces, sockets, names. None: not
told. UNASKED lists those that have no answer from here, each with the reason.
"""

import array
import ctypes
import errno
import fcntl
import fnmatch
import os
import re
import resource
import select
import socket
import stat
import struct
import time

from beyond import (alterable, call, closes, connects, glob, holds_bytes, homes, is_shared, mounts,
                    others)
from paper import (OWN, STARTED, Place, holds, in_child, in_user_namespace,
                   is_mapped, is_mounted, is_plain, libc, listable, lists, marker, opens,
                   read, start_folder, takes_entry, takes_writing)

UNASKED = {
    "identity.runtime": "a guess by signs: nothing here knows better than another guess",
    "tamper.harness": "its own program is part of the question, and the script is another one",
}
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/boot",
          "/run")


def is_emulated():
    """gVisor says that it is this very build of Linux."""
    return names_of_kernel()[1].endswith("Sun Jan 10 15:06:54 PST 2016")


def names_of_kernel():
    """Release, version and the host's name, which a filter may keep to itself."""
    try:
        told = os.uname()
    except OSError:
        return "", "", ""
    return told.release, told.version, told.nodename


# ---------------------------------------------------------------- what the filter lets pass

PASSED = 77


def passes(number, *words):
    """
    Does every filter let this call pass? A filter of our own on top hands it to this process, which
    answers: the kernel never sees the call. None: no such filter can be had.
    """
    ours, childs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = asks_filter(childs, number, words)
        finally:
            os._exit(code)
    childs.close()
    listener = take_descriptor(ours)
    if listener is None:
        os.waitpid(pid, 0)
        return None
    try:
        answer_one(listener, pid)
    finally:
        os.close(listener)
    status = os.waitpid(pid, 0)[1]
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == PASSED


def asks_filter(sock, number, words):
    """Load the number; this one: 0x7fc00000, to the listener; else 0x7fff0000, allowed."""
    code = b"".join(struct.pack("=HBBI", *one) for one in (
        (0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x7fc00000), (0x06, 0, 0, 0x7fff0000)))
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("=HxxxxxxQ", 4, ctypes.addressof(kept))
    libc.prctl(38, 1, 0, 0, 0)
    fd = call(317, 1, 8, program)
    if fd < 0:
        return 1
    sock.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
    return PASSED if call(number, *words) == -PASSED else 0


def take_descriptor(sock):
    try:
        _, more, _, _ = sock.recvmsg(1, socket.CMSG_SPACE(4))
    except OSError:
        return None
    finally:
        sock.close()
    return struct.unpack("i", more[0][2][:4])[0] if more else None


def answer_one(listener, pid):
    """What comes in is answered with PASSED; the child ends otherwise when it was refused before."""
    until = time.time() + 2
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while time.time() < until:
        if any(event & select.POLLIN for _, event in poll.poll(20)):
            notice = ctypes.create_string_buffer(80)
            if libc.ioctl(listener, ctypes.c_ulong(0xc0502100), notice) == 0:
                number = struct.unpack_from("=Q", notice.raw)[0]
                answer = ctypes.create_string_buffer(struct.pack("=QqiI", number, 0, -PASSED, 0))
                libc.ioctl(listener, ctypes.c_ulong(0xc0182101), answer)
                return
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return


def filter_default(_):
    """Numbers that no call has: the next ones, and one far above."""
    found = [passes(number, 0) for number in (540, 4000)]
    if None in found and libc.prctl(21, 0, 0, 0, 0) != 0:
        return None
    if None in found:  # an emulator, or no filter at all: is it the kernel that answers?
        return None if is_emulated() else True
    return any(found)


WIDE = 1 << 32
# The first of each row are older than any filter; a filter may know nothing of the others.
SIBLINGS = [
    ([(2, 0), (257, -1)], [(437, -1)]), ([(90, 0), (91, -1), (268, -1)], [(452, -1)]),
    ([(62, 0x7fffffff, 15), (234, 0x7fffffff, 0x7fffffff, 15), (129, 0x7fffffff, 15)],
     [(424, -1)]),
    ([(56, 0x10000011), (272, 0x10000000)], [(435, 0, 0)]), ([(59, 0), (322, -1)], []),
    ([(165, 1, 1, 1)], [(430, 1, -1), (428, -1)]), ([(188, 0)], [(463, -1)]),
    ([(16, 0, 0x5412)], [(16, 0, 0x5412 | WIDE)]), ([(41, 40, 1)], [(41, 40 | WIDE, 1)]),
]


def filter_parity(_):
    if libc.prctl(21, 0, 0, 0, 0) == 0:
        return False
    told = True
    for old, young in SIBLINGS:
        first, all_of_them = [passes(*one) for one in old], [passes(*one) for one in old + young]
        if None in all_of_them:
            told = False
        elif False in first and True in all_of_them:
            return True
    return False if told else None


def kernel_release(world):
    """5.10 is the oldest series that anybody maintains; an emulator's says nothing."""
    wanted = world.facts.get("target.kernel", "5.10").split(".")
    said = names_of_kernel()[0] or read("/proc/sys/kernel/osrelease").decode()
    numbers = re.match(r"(\d+)\.(\d+)", said)
    return None if not numbers or is_emulated() else [
        int(one) for one in numbers.groups()] < [int(one) for one in wanted]


# ---------------------------------------------------------------- capabilities, in a child each


def takes_other_id(change, kind):
    for number in (0, 1, 1000, 65534):
        if number != os.getuid() and is_mapped(number, kind):
            return change(number) is None
    return False


def lowers_and_raises():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 4096))
    return True


def locks_memory():
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
    return libc.mlock(ctypes.create_string_buffer(8), 8) == 0


def binds_low_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.bind(("127.0.0.1", 7))
        except OSError as fault:
            return fault.errno == errno.EADDRINUSE
        return True


def signals_others():
    for pid in others():
        try:
            if os.stat("/proc/%d" % pid).st_uid != os.geteuid():
                os.kill(pid, 0)
                return True
        except OSError:
            continue
    return False


def on_own_file(folder, work):
    path = marker(folder)
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    os.unlink(path)
    return work(fd)


def gives_file(fd):
    for number in (0, 1, 1000, 65534):
        if number != os.geteuid() and is_mapped(number):
            os.fchown(fd, number, -1)
            return os.fstat(fd).st_uid == number
    return False


def opens_closed_file(fd):
    os.fchmod(fd, 0)
    os.close(os.open("/proc/self/fd/%d" % fd, os.O_RDWR))
    return True


def names_capabilities(fd):
    os.setxattr(fd, "security.capability", struct.pack("=5I", 0x02000000, 0, 0, 0, 0))
    return True


def only_appends(fd):
    word = ctypes.c_long(0)
    if libc.ioctl(fd, 0x80086601, ctypes.byref(word)):
        return False
    word.value |= 0x20
    done = libc.ioctl(fd, 0x40086602, ctypes.byref(word)) == 0
    word.value &= ~0x20
    libc.ioctl(fd, 0x40086602, ctypes.byref(word))
    return done


def capability_use(world):
    """Two may be permitted by a setting or a limit; an emulator permits more, to nobody's harm."""
    tries = [(None, binds_low_port), (None, lambda: os.nice(-1) is not None),
             (18, lambda: os.chroot("/") is None), (24, lowers_and_raises), (14, locks_memory),
             (3, keeps_access_time), (12, forces_buffer), (5, signals_others), (35, lambda: closes(283, 8, os.O_CLOEXEC)),
             (8, lambda: libc.prctl(24, 35, 0, 0, 0) == 0),
             (6, lambda: takes_other_id(os.setgid, "gid")),
             (7, lambda: takes_other_id(os.setuid, "uid"))]
    for folder in world.scratch[:1]:
        tries += [(number, lambda work=work: on_own_file(folder, work)) for number, work in (
            (0, gives_file), (1, opens_closed_file), (31, names_capabilities), (9, only_appends))]
        tries.append((27, lambda: makes_node(folder)))
    if any((number is None or holds(number)) and in_child(work) for number, work in tries):
        return True
    # Of others' files and processes there may be none to try these on.
    return None if any(holds(number) for number in (3, 5, 28)) else False


def keeps_access_time():
    for path in ("/", "/usr", "/etc", "/dev/null"):
        if os.stat(path).st_uid != os.geteuid() and is_mapped(os.stat(path).st_uid):
            os.close(os.open(path, os.O_RDONLY | os.O_NOATIME))
            return True
    return False


def forces_buffer():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.setsockopt(socket.SOL_SOCKET, 33, 4096)
        return True


def makes_node(folder):
    path = marker(folder)
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    os.unlink(path)
    return True


# ---------------------------------------------------------------- mounts


DISKS = "btrfs zfs bcachefs".split()
SHARES = "9p virtiofs fuse nfs nfs4 cifs smb3 ceph afs vboxsf prl_fs".split()


LAYERS = "tmpfs ramfs overlay aufs".split()


def is_of_host(world, mount):
    """What the host had mounted before."""
    return (mount.number.replace(":", ".") in world.facts.get("mounts", "").split(":")
            and world.facts.get("place") != "outside" and is_shared(world, "mnt") is False
            and (mount.device != 0 or mount.kind in DISKS + LAYERS))


def handed_in(world):
    """Mounts of a folder of something that is kept outside; of their kind only a part is shown."""
    top = os.stat("/").st_dev
    for mount in mounts():  # what is whole elsewhere in here is our own
        if mount.point == "/" or mount.point.split("/")[-1].endswith("probe"):
            continue
        try:
            facts = os.stat(mount.point)
        except OSError:
            continue
        if os.path.abspath(mount.point) == OWN or facts.st_ino == os.stat(OWN).st_ino:
            continue
        is_share = mount.kind in SHARES or mount.kind.startswith("fuse.")
        is_part = mount.root != "/"
        in_memory = mount.kind in LAYERS and not any(
            one.root == "/" and one.number == mount.number for one in mounts())
        seen = "%d:%d" % (os.major(facts.st_dev), os.minor(facts.st_dev))  # what covers it, if covered
        of_host = seen == mount.number and is_of_host(world, mount)
        if is_share or of_host or (is_part and (mount.device or mount.kind in DISKS)) or (
                is_part and in_memory and facts.st_dev != top):
            yield mount.point, stat.S_ISDIR(facts.st_mode)


def host_writable(world):
    if not mounts():
        return None
    return any(takes_entry(path) if is_folder else takes_writing(path)
               for path, is_folder in handed_in(world))


def host_tree(world):
    if not mounts():
        return None
    if any(is_folder and listable(path) for path, is_folder in handed_in(world)):
        return True
    top = os.stat("/")
    for mount in mounts():
        if mount.kind == "proc" and mount.root == "/" and mount.point != "/proc":
            if listable(mount.point):
                try:
                    if os.readlink(mount.point + "/self") != str(os.getpid()):
                        return True
                except OSError:
                    return True
        if mount.kind == "devtmpfs" and mount.point != "/dev" and listable(mount.point):
            return True
        if mount.device and os.path.isdir(mount.point) and mount.point != "/":
            here = os.stat(mount.point)
            whole = sum(os.path.isdir(mount.point + "/" + name) for name in
                        ("etc", "usr", "proc", "boot"))
            if whole >= 2 and (here.st_dev, here.st_ino) != (top.st_dev, top.st_ino):
                return True
    return False


def replaced_parent(_):
    if not mounts():
        return None
    kernels = ("/proc", "/sys", "/dev/pts")
    for folder in {os.path.dirname(mount.point) for mount in mounts() if mount.point != "/"}:
        if not folder.startswith(kernels) and replaces_folder(folder):
            return True
    return False


def replaces_folder(parent):
    if Place.outside:
        return takes_entry(parent)
    path = marker(parent)
    try:
        os.mkdir(path)
        os.rmdir(path)
        os.symlink("/", path)
        os.unlink(path)
        return True
    except OSError:
        return False


# ---------------------------------------------------------------- devices, kernel's files


def control_device(_):
    opened = ["/dev/" + name for name in """kvm fuse net/tun vhost-* vfio/vfio loop-control uinput
        input/uinput userfaultfd vsock mapper/control""".split()]
    looked_at = ["/dev/vfio/*", "/dev/snd/*", "/dev/video*", "/dev/input/event*"]
    for pattern in opened + looked_at:
        for path in glob(pattern):
            if not is_device(path) or path == "/dev/vfio/vfio" and pattern in looked_at:
                continue
            if Place.outside or pattern in looked_at:
                if os.access(path, os.R_OK) and not os.statvfs(path).f_flag & os.ST_NODEV:
                    return True
            elif opens(path, os.O_RDONLY):
                return True
    return False


def is_device(path):
    """The null device lies over what is hidden."""
    try:
        facts = os.stat(path)
    except OSError:
        return False
    return stat.S_ISCHR(facts.st_mode) and facts.st_rdev != os.makedev(1, 3)


def addresses(path, field):
    """Does one of the first lines hold a number that is neither all zeros nor all ones?"""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line, _ in zip(file, range(64)):
                words = line.split()
                if len(words) > field and words[field].replace("0x", "").strip("0fF-x"):
                    return True
    except OSError:
        pass
    return False


def kernel_layout(_):
    if any(addresses(path, field) for path, field in (
            ("/proc/kallsyms", 0), ("/proc/modules", 5), ("/proc/iomem", 0),
            ("/proc/vmallocinfo", 0), *[(path, 0) for path in glob("/boot/System.map*")])):
        return True
    if any(is_plain(path) and holds_bytes(path) for path in (
            "/proc/slabinfo", "/proc/pagetypeinfo", "/proc/config.gz", "/sys/kernel/notes",
            "/sys/kernel/vmcoreinfo")):
        return True
    if is_plain("/proc/kcore") and os.stat("/proc/kcore").st_size:
        return True
    page = ctypes.create_string_buffer(b"x" * 8192)
    try:
        with open("/proc/self/pagemap", "rb") as file:
            file.seek((ctypes.addressof(page) // 4096 + 1) * 8)
            word = file.read(8)
    except OSError:
        return False
    return len(word) == 8 and bool(struct.unpack("=Q", word)[0] & (1 << 55) - 1)


def sysfs_writable(world):
    own_network = in_user_namespace() or is_shared(world, "net") is False
    tops = {"/sys/power": 1, "/sys/kernel": 2, "/sys/module": 3, "/sys/class": 3, "/sys/block": 3,
            "/sys/fs": 4}
    devices = {os.stat(mount.point).st_dev for mount in mounts()
               if mount.kind == "sysfs" and os.path.exists(mount.point)}
    for top, depth in tops.items():
        if below(top, depth, devices, lambda path: not (
                own_network and path.startswith("/sys/class/net/")) and takes_writing(path)):
            return True
    for mount in mounts():
        if mount.kind == "sysfs" and mount.point.startswith(tuple(tops)):
            if below(mount.point, 2, devices, takes_writing):
                return True
    return any(takes_writing(path) for path in glob("/sys/bus/*/drivers/*/bind"))


def below(folder, depth, devices, found, most=4096):
    """Files up to some levels below, of these file systems; links to folders are followed."""
    stack, n = [(folder, depth)], 0
    while stack and n < most:
        at, left = stack.pop()
        for name in lists(at):
            path, n = os.path.join(at, name), n + 1
            try:
                facts = os.stat(path)
            except OSError:
                continue
            if facts.st_dev not in devices:
                continue
            if stat.S_ISDIR(facts.st_mode):
                if left > 1:
                    stack.append((path, left - 1))
            elif facts.st_mode & 0o222 and found(path):
                return True
    return False


def release_agent(_):
    """Since Linux 5.17 only whoever is powerful on the host may set it."""
    if not holds(21) or in_user_namespace():
        return False
    for mount in mounts():
        if mount.kind == "cgroup" and takes_writing(mount.point + "/release_agent"):
            return True
    trees = [line.split(":")[1] for line in
             read("/proc/self/cgroup").decode(errors="replace").splitlines()]
    return any(in_child(lambda one=one: shows_agent(one)) for one in trees if one)


def shows_agent(options):
    """A hierarchy's tree, read-only and attached nowhere."""
    tree = call(430, b"cgroup", 0)
    for word in options.split(","):
        name, _, value = word.partition("=")
        if value:
            call(431, tree, 0, b"none", 0, 0)
        call(431, tree, 1 if value else 0, name.encode(), value.encode() if value else 0, 0)
    if call(431, tree, 6, 0, 0, 0) < 0:
        return False
    top = call(432, tree, 0, 15)
    return top >= 0 and bool(os.stat("release_agent", dir_fd=top))


# ---------------------------------------------------------------- secrets

PEM = rb"PRIVATE KEY"
FILES = [  # in each home; with a pattern, one of the words must be in it
    (".ssh/id_rsa", None), (".ssh/id_ed25519", None), (".ssh/id_ecdsa", None), (".ssh/*", PEM),
    (".aws/credentials", None), (".aws/config", rb"(?i)secret|token"), (".aws/sso/cache/*", rb"oken"),
    (".config/gcloud/*.db", None), (".config/gcloud/application_default_credentials.json", None),
    (".azure/accessTokens.json", None), (".azure/msal_token_cache*", None), (".oci/config", None),
    (".oci/*.pem", None), (".kube/config", None), (".docker/config.json", rb'"auth"|token'),
    (".config/containers/auth.json", None), (".netrc", None), (".git-credentials", None),
    (".config/git/credentials", None), (".gnupg/private-keys-v1.d/*", None), (".pgpass", None),
    (".my.cnf", rb"password"), (".npmrc", rb"(?i)auth"), (".pypirc", rb"password|token"),
    (".gem/credentials", None), (".cargo/credentials*", None), (".m2/settings.xml", rb"<pass"),
    (".vault-token", None), (".terraform.d/credentials.tfrc.json", rb"token"),
    (".config/gh/hosts.yml", rb"oauth_token"), (".config/glab-cli/config.yml", rb"token: "),
    (".config/op/config", None), (".config/doctl/config.yaml", None),
    (".config/rclone/rclone.conf", None), (".fly/config.yml", None), (".cloudflared/cert.pem", None),
    (".cache/huggingface/token", None), (".claude/*credentials*.json", None),
    (".codex/*auth*.json", None), (".gemini/*creds*.json", None),
    (".mozilla/firefox/*/logins.json", None), (".config/google-chrome/*/Login Data", None),
    (".password-store/*", None), (".local/share/keyrings/*", None), (".*_history", None),
]
PLACES = ["/run/secrets/*", "/run/secrets/*/*", "/etc/kubernetes/*.conf",
          "/var/lib/kubelet/kubeconfig", "/var/lib/kubelet/pki/*", "/tmp/krb5cc_*"]
BY_NAME = [("*.pem", PEM), ("*.key", PEM), ("*.p12", None), ("*.pfx", None), (".env*", rb"="),
           (".npmrc", rb"(?i)auth")]


def says(path, pattern):
    """Opens, not empty, and says so."""
    head = read(path, 65536) if is_plain(path) else b""
    return bool(head and (pattern is None or re.search(pattern, head)))


def secret_files(_):
    if any(says(path, pattern) for home in homes() for name, pattern in FILES
           for path in glob(os.path.join(home, name))):
        return True
    if any(says(path, None) for pattern in PLACES for path in glob(pattern)):
        return True
    for folder in work_folders() + ["/srv"]:
        for path in walk(folder, 4):
            name = os.path.basename(path)
            if name.startswith(".env") and re.search("example|sample|template|dist", name):
                continue
            if any(fnmatch.fnmatchcase(name, one) and says(path, wanted) for one, wanted in BY_NAME):
                return True
    return False


def work_folders(of_people=None):
    """Where it was started, unless that is the system's; homes; and names that are in use for it."""
    here = start_folder() or "/"
    folders = [] if here == "/" or here.startswith(SYSTEM) else [here]
    folders += (homes() if of_people is None else of_people) + ["/workspace", "/app", "/repo", "/src", "/testbed", "/code"]
    return [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]


FETCHED = "node_modules .venv venv __pycache__ .tox site-packages .cache .npm .cargo .rustup".split()


def walk(folder, depth, most=4096):
    n = 0
    for above, names, files in os.walk(folder):
        names[:] = [] if above.count("/") - folder.rstrip("/").count("/") >= depth - 1 else [
            name for name in names if name not in FETCHED]
        for name in files:
            n += 1
            yield os.path.join(above, name)
        if n > most:
            return


def repositories(folders, depth=6):
    for folder in folders:
        for above, names, files in os.walk(folder):
            if ".git" in names or ".git" in files:
                yield os.path.join(above, ".git")
            names[:] = [] if above.count("/") - folder.count("/") >= depth else [
                name for name in names if name not in FETCHED]


CREDENTIAL = rb"(?im)://[^/\s:@\"]*:[^/\s@\"]+@|^\s*extraheader\s*=\s*\S|^\s*\[credential"


def secret_repository(_):
    stores = [os.path.join(home, name) for home in homes()
              for name in (".git-credentials", ".config/git/credentials")]
    if any(says(path, None) for path in stores):
        return True
    configs = [os.path.join(home, name) for home in homes()
               for name in (".gitconfig", ".config/git/config")] + ["/etc/gitconfig"]
    for git in repositories(work_folders()):
        configs.append(os.path.join(git, "config"))
        configs += [path for path in walk(git + "/modules", 5) if path.endswith("/config")]
    return any(says(path, CREDENTIAL) for path in configs)


# Before anything else is opened: the numbers that were there when we came.
def open_numbers():
    found = []
    for number in range(3, 4096):
        try:
            fcntl.fcntl(number, fcntl.F_GETFD)
            found.append(number)
        except OSError:
            continue
    return found


INHERITED = open_numbers()


def descriptors(_):
    return bool(INHERITED)


def keyring(_):
    """Keys, by type and count; the kernel's own certificates are nobody's secret."""
    public = ("keyring", "asymmetri", "asymmetric", "blacklist")
    lines = [line.split() for line in read("/proc/keys").decode(errors="replace").splitlines()]
    if any(len(words) > 7 and words[7].rstrip(":") not in public for words in lines):
        return True
    for ring in (-3, -4, -5):
        number = call(250, 0, ring, 0)
        if number < 0:
            continue
        members = ctypes.create_string_buffer(256)
        n = call(250, 11, number, members, 256)
        for key in struct.unpack("=%di" % (max(0, n) // 4), members.raw[:max(0, n) // 4 * 4]):
            about = ctypes.create_string_buffer(256)
            told = call(250, 6, key, about, 256)
            if told < 0 or about.value.split(b";")[0].decode(errors="replace") not in public:
                return True
    return False


# ---------------------------------------------------------------- who judges

WORDS = "expected solution answer hidden grader gold golden reference testcase test_case".split()
RESULTS = "reward score verdict result junit log".split()


def has_word(name, words):
    """As a word of its own, in the plural, or with a capital: expectedOutput."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).lower()
    return any(re.search(r"(?<![a-z])%ss?(?![a-z])" % word, split) for word in words)


def near(deep, *more):
    """Files near the working folder, with the folders that they lie in."""
    here = start_folder() or "/"
    plain = not (here == "/" or here.startswith(SYSTEM))
    yield from walk(here, deep if plain else 1)
    while len(here) > 1:
        here = os.path.dirname(here)
        yield from walk(here, 1)
    for folder in more:
        yield from walk(folder, deep)


def expected_outputs(world):
    folders = mounted_work(world) + "/workspace /app /repo /src /testbed /code /tests /grader".split()
    for path in near(4, *folders):
        if "/.git/" in path or path.startswith(OWN):
            continue
        if any(has_word(part, WORDS) for part in path.split("/")) and says(path, None):
            return True
    return False


def reward_files(world):
    for path in near(3, "/logs", "/output", *mounted_work(world)):
        name = os.path.basename(path)
        named = has_word(name, RESULTS) or (has_word(name, ["report"]) and ".xml" in name)
        if named and "/.git/" not in path and alterable(path) and os.stat(path).st_ctime < STARTED:
            return True
    return any(os.path.isdir(path) and alterable(path) for path in ("/logs", "/output"))


ID = re.compile(rb"\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b")


def future_history(_):
    """Names of commits in a repository's files of references, besides HEAD's."""
    here = start_folder() or "/"
    folders = [here] if here != "/" else []
    while len(here) > 1:
        here = os.path.dirname(here)
        folders.append(here)
    tops = [os.path.join(folder, ".git") for folder in folders]
    places = [mount.point for mount in mounts()
              if mount.point != "/" and not mount.point.startswith(SYSTEM)]
    tops += list(repositories(work_folders() + places))
    for git in dict.fromkeys(tops):
        head = read(git + "/HEAD").decode(errors="replace").strip()
        if head.startswith("ref: "):
            own = read(os.path.join(git, head[5:])).strip()
            packed = re.search(rb"([0-9a-f]{40,64}) " + re.escape(head[5:].encode()) + rb"$",
                               read(git + "/packed-refs"), re.M)
            own = own or (packed.group(1) if packed else b"")
        else:
            own = head.encode()
        files = list(walk(git + "/refs", 6)) + list(walk(git + "/logs", 6))
        files += [git + "/packed-refs"] + glob(git + "/*_HEAD")
        known = {one for path in files for one in ID.findall(read(path)) if one.strip(b"0")}
        if own and known - {own}:
            return True
    return False


def steered(pid):
    """May we trace it? A number that it has not: EBADF comes after that check. None: not told."""
    if opens("/proc/%d/mem" % pid, os.O_RDONLY):
        return True
    fd = call(434, pid, 0)
    if fd < 0:
        return False if fd == -errno.ESRCH else None
    got = call(438, fd, 99999, 0)
    os.close(fd)
    if got == -errno.ENOSYS or got == -errno.EPERM and not call(434, os.getpid(), 0) >= 0:
        return None
    return got == -errno.EBADF


def judges():
    """Who started us, and who came first, as far as they are others."""
    return [pid for pid in dict.fromkeys((os.getppid(), 1)) if pid not in (0, os.getpid())]


def program_of(pid):
    """None: not told; "": it does not lie in this root. What it was started by may be a path, too."""
    link = "/proc/%d/exe" % pid
    first = read("/proc/%d/cmdline" % pid).split(b"\0")[0].decode(errors="replace")
    if not os.access(link, os.R_OK) and first.startswith("/") and is_plain(first):
        return first
    try:
        path = os.readlink(link)
        there = os.stat(link)
    except OSError:
        return None
    try:
        here = os.stat(path)
    except OSError:
        return ""
    return path if (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino) else ""


def grader(_):
    told = True
    for pid in judges():
        program = program_of(pid)
        if steered(pid) or (program and alterable(program)):
            return True
        told = told and program is not None
    return False if told else None


# ---------------------------------------------------------------- who this is


def host_identity(world):
    """Present; whose they are is known outside alone."""
    nobodys = ("", "(none)", "localhost", "localdomain", "lan", "local", "home", "uninitialized")
    values = [names_of_kernel()[2], read("/proc/sys/kernel/hostname").decode().strip(),
              read("/etc/hostname").decode(errors="replace").strip(),
              read("/proc/sys/kernel/domainname").decode().strip()]
    values += [read(path).decode(errors="replace").strip() for path in (
        "/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id")]
    for line in read("/etc/resolv.conf").decode(errors="replace").splitlines():
        if line.split()[:1] in (["search"], ["domain"]):
            values += line.split()[1:2]
    if all(value in nobodys for value in values):
        return False
    return True if world.facts.get("place") == "outside" else None


def hardware(_):
    files = ["/sys/class/dmi/id/" + name for name in """product_uuid product_serial board_serial
        chassis_serial""".split()] + ["/proc/device-tree/serial-number"]
    files += [path for name in ("serial", "wwid", "device/serial", "device/wwid", "device/vpd_pg80",
                                "device/cid") for path in glob("/sys/class/block/*/" + name)]
    filler = r"(?i)none|not specified|default string|to be filled.*|unknown|n/a|[0\-:. xf]*"
    for path in files:
        value = read(path, 256).decode(errors="replace").strip("\0\n ")
        if value and not re.fullmatch(filler, value):
            return True
    if any(makers_address(name) for _, name in card_names()):
        return True
    return any(opens(path, os.O_RDONLY) for path in (
        "/sys/firmware/dmi/tables/DMI", "/sys/firmware/acpi/tables/FACP",
        "/sys/firmware/acpi/tables/MSDM", "/sys/firmware/fdt"))


def card_names():
    try:
        return socket.if_nameindex()
    except OSError:
        return [(0, name) for name in lists("/sys/class/net")]


def makers_address(name):
    """Made up addresses have the second bit; only Ethernet's count."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            answer = fcntl.ioctl(asker.fileno(), 0x8927, struct.pack("16s24x", name.encode()))
    except OSError:
        text = read("/sys/class/net/%s/address" % name).decode().strip()
        octets = bytes.fromhex(text.replace(":", "")) if re.fullmatch("(..:){5}..", text) else b""
        return len(octets) == 6 and any(octets) and not octets[0] & 2
    kind, octets = struct.unpack_from("=H6s", answer, 16)
    return kind == 1 and any(octets) and not octets[0] & 2


ACCOUNTS = """KUBERNETES_SERVICE_HOST GOOGLE_CLOUD_PROJECT GCP_PROJECT CODESPACE_NAME FLY_APP_NAME
    K_SERVICE AWS_LAMBDA_FUNCTION_NAME ECS_CONTAINER_METADATA_URI GITHUB_REPOSITORY CI_PROJECT_PATH
    NODE_NAME RUNNER_NAME""".split()
ENDS = """POD_NAME POD_UID POD_NAMESPACE CONTAINER_ID ACCOUNT_ID TENANT_ID PROJECT_ID SANDBOX_ID
    TASK_ID MACHINE_ID WORKSPACE_ID ORG_ID CLUSTER_NAME CUSTOMER_ID INSTANCE_ID""".split()


def names_tenant(text):
    """An id of a container or pod, an account's home, an engine's folder."""
    if re.search(r"kubepods|/kubelet/pods/|/home/|/root/|/run/user/|user\.slice/user-", text):
        return True
    if re.search(r"/var/lib/(docker|containers|containerd|rancher|lxc|lxd)/|/containers/storage/",
                 text):
        return True
    return any(re.search("[0-9]", word) and re.search("[a-f]", word) for word in
               re.findall(r"(?<![0-9A-Za-z])[0-9a-f]{12,}(?![0-9A-Za-z])", text))


def tenant(world):
    own = is_shared(world, "cgroup") is False
    for line in read("/proc/self/cgroup").decode(errors="replace").splitlines():
        path = line.split(":", 2)[-1]
        if path != "/" and (not own or names_tenant(path)):
            return True
    host = names_of_kernel()[2] or read("/proc/sys/kernel/hostname").decode().strip()
    if names_tenant(host) or re.match(r"ip-\d", host):
        return True
    for line in read("/proc/self/mountinfo").decode(errors="replace").splitlines():
        fields = line.split()
        if fields[4].endswith("probe") or fields[4].startswith(OWN):
            continue
        if "upperdir=" in line or names_tenant(fields[3]):
            return True
    return any(name in ACCOUNTS or any(name == end or name.endswith("_" + end) for end in ENDS)
               for name in os.environ)


def harness_code(_):
    """Programs and scripts of those who came first; folders that were put into this root."""
    told = True
    for pid in judges():
        program = program_of(pid)
        told = told and program is not None
        words = read("/proc/%d/cmdline" % pid).decode(errors="replace").split("\0")
        paths = [program] if program else []
        paths += [word for word in words[1:2] if word.startswith("/") and is_plain(word)]
        for path in paths:
            ours = path.startswith("/usr/local/") or not path.startswith(SYSTEM[:5] + ("/proc",))
            if ours and opens(path, os.O_RDONLY):
                return True
    folders = ["/app"] + [os.path.join(top, name) for top in ("/opt", "/srv", "/app")
                          for name in lists(top)]
    for home in homes():
        if home != os.environ.get("HOME") and os.path.isdir(home):
            if os.stat(home).st_uid != os.geteuid():
                folders += [os.path.join(home, name) for name in lists(home) if name[0] != "."]
    return True if any(was_put_there(path) and lists(path) for path in folders) else (
        False if told else None)


def statx(path):
    """Birth and number of the mount: which os.stat() does not tell."""
    about = ctypes.create_string_buffer(256)
    if call(332, -100, path.encode(), 0x100, 0x17ff, about) < 0:
        return 0, 0
    return struct.unpack_from("=q", about.raw, 80)[0], struct.unpack_from("=Q", about.raw, 144)[0]


def was_put_there(path):
    if os.path.islink(path) or not os.path.isdir(path):
        return False
    facts, (birth, top) = os.stat(path), statx("/")
    by_mount = statx(path)[1] != top if top else facts.st_dev != os.stat("/").st_dev
    return by_mount or bool(facts.st_uid != os.geteuid() and birth and facts.st_ctime > birth + 1)


# ---------------------------------------------------------------- what moves


def activity(_):
    """Of the whole machine, where the kernel's own files tell it; an emulator counts its own."""
    files = ["/proc/" + name for name in """stat vmstat interrupts softirqs diskstats pressure/cpu
        pressure/io pressure/memory""".split()]
    if is_emulated():
        return False

    def look():
        about = ctypes.create_string_buffer(128)
        facts = about.raw[8:112] if libc.sysinfo(about) == 0 else b""
        facts = (ctypes.string_at(about, 112)[8:]) if facts else b""
        load = b" ".join(read("/proc/loadavg").split()[:4])
        return [facts, load] + [read(path) for path in files if not is_mounted(path)]

    before = look()
    time.sleep(0.25)
    return any(one and one != other for one, other in zip(look(), before))


# ---------------------------------------------------------------- sockets

ENGINES = """docker.sock docker.*.sock containerd.sock* podman.sock crio.sock cri-dockerd.sock
    buildkitd.sock unix.socket libvirt-sock* libvirt-admin-sock virtqemud-sock* kubelet.sock""".split()
AGENTS = """ssh-agent* agent.* S.gpg-agent* S.scdaemon S.keyboxd S.dirmngr kwallet* agent.sock
    bitwarden* keepassxc* yubikey-agent* openssh_agent""".split()
SERVICES = """system_bus_socket bus dbus-* snapd* packagekit* cups* wayland-* pipewire-* X[0-9]* native
    """.split()
SERVICE_PATHS = """*/systemd/private */systemd/notify */systemd/journal/* /dev/log */avahi-daemon/socket
    */nscd/socket */udev/control */.X11-unix/* */.ICE-unix/* */journal.*/*""".split()


def kind_of_socket(path):
    name = os.path.basename(path)
    if any(fnmatch.fnmatchcase(name, one) for one in ENGINES):
        return "runtime-api"
    if any(fnmatch.fnmatchcase(path, one) for one in SERVICE_PATHS):
        return "services"
    if "/keyring" in path or any(fnmatch.fnmatchcase(name, one) for one in AGENTS):
        return "key-agent"
    if any(fnmatch.fnmatchcase(name, one) for one in SERVICES):
        return "services"
    return "other-path"


NAMED = {"SSH_AUTH_SOCK": "key-agent", "GPG_AGENT_INFO": "key-agent",
         "GNOME_KEYRING_CONTROL": "key-agent", "DOCKER_HOST": "runtime-api",
         "CONTAINER_HOST": "runtime-api", "CONTAINERD_ADDRESS": "runtime-api",
         "BUILDKIT_HOST": "runtime-api", "DBUS_SYSTEM_BUS_ADDRESS": "services",
         "DBUS_SESSION_BUS_ADDRESS": "services", "NOTIFY_SOCKET": "services",
         "PULSE_SERVER": "services"}


def socket_files():
    found = {}
    for name, kind in NAMED.items():
        path = re.search(r"/[^,;: ]*", os.environ.get(name, "").replace("unix://", ""))
        if path:
            found[path.group(0)] = kind
    tops = ["/run", "/var/run", "/tmp", "/var/lib", "/dev", start_folder() or "/"] + homes()
    tops += [os.environ[name] for name in ("XDG_RUNTIME_DIR", "HOME") if name in os.environ]
    tops += [mount.point for mount in mounts()
             if mount.point != "/" and not mount.point.startswith(("/proc", "/sys", "/usr"))]
    hidden = []

    def closed(fault):
        if fault.errno == errno.EACCES and os.access(fault.filename, os.X_OK):  # who knows the name gets through
            hidden.append(fault.filename)

    for top in dict.fromkeys(tops):
        if top == "/":
            continue
        for above, names, files in os.walk(top, onerror=closed):
            if above.count("/") - top.count("/") >= 3:
                names.clear()
            for path in [os.path.join(above, name) for name in files]:
                try:
                    if stat.S_ISSOCK(os.stat(path).st_mode):
                        found.setdefault(os.path.realpath(path), kind_of_socket(path))
                except OSError:
                    continue
    return found, hidden


def path_socket(kind):
    def question(_):
        files, hidden = socket_files()
        if any(one == kind and connects(path) for path, one in files.items()):
            return True
        return None if kind == "other-path" and hidden else False
    return question


def vsock(_):
    """Only where the family is there already: making one may load a module."""
    listed = read("/proc/net/protocols").decode(errors="replace")
    if "AF_VSOCK" not in listed and not os.path.exists("/sys/module/vsock"):
        return False if listed else None
    try:
        one = socket.socket(40, socket.SOCK_STREAM)
    except OSError:
        return False
    with one:
        for number in list(range(3, 256)) + [2]:
            try:
                one.bind((number, 0xffffffff))
                return True
            except OSError:
                continue
    return None


# ---------------------------------------------------------------- later run or trusted

PLANTED = """.git .git/hooks .git/config .git/info .husky .pre-commit-config.yaml .github/workflows
    .gitlab-ci.yml .vscode .idea .devcontainer Makefile makefile package.json setup.py conftest.py
    .envrc Dockerfile AGENTS.md CLAUDE.md .claude .cursor .mcp.json""".split()


def brought_in(world, path):
    """Does it lie on a mount from outside? None: on the root, of which nobody says what becomes."""
    if world.facts.get("place") == "outside":
        return True
    over = [mount for mount in mounts() if mount.point == "/" or path == mount.point
            or path.startswith(mount.point + "/")]
    if not over:
        return None
    most = max(len(mount.point) for mount in over)
    mount = [one for one in over if len(one.point) == most][-1]
    if mount.point != "/" and is_of_host(world, mount):
        return True
    if mount.kind in ("tmpfs", "ramfs") and mount.root == "/":
        return False
    if mount.point == "/":
        facts = os.stat("/")
        if world.facts.get("root") == "%d:%d" % (facts.st_dev, facts.st_ino):
            return True  # the host's own
        return False if mount.kind == "overlay" else None
    return True


def mounted_work(world):
    """What somebody handed in, beside the system."""
    if world.facts.get("place") == "outside":
        return []
    return [mount.point for mount in mounts() if mount.point not in ("/", OWN)
            and not mount.point.startswith(SYSTEM) and os.path.isdir(mount.point)
            and brought_in(world, mount.point)]


def deferred_execution(world):
    folders = work_folders([os.environ.get("HOME", "")]) + mounted_work(world)
    for folder in dict.fromkeys(folders):
        if alterable(folder):
            return True
        for above, names, files in os.walk(folder):
            if above.count("/") - folder.count("/") >= 8:
                names.clear()
            names[:] = [name for name in names if name not in FETCHED]
            if any(os.path.lexists(os.path.join(above, name))
                   and alterable(os.path.join(above, name)) for name in PLANTED):
                return True
    return False


INTERPRETERS = ["/usr/lib/python3*", "/usr/lib/python3*/site-packages",
                "/usr/lib/python3*/dist-packages", "/usr/local/lib/python3*",
                "/usr/local/lib/python3*/dist-packages", "/usr/local/lib/python3*/site-packages"]
MODULES = """/usr/lib/node_modules /usr/local/lib/node_modules /usr/share/nodejs /etc/perl
    /usr/local/lib/site_perl /usr/share/perl5 /usr/lib/perl5 /usr/local/lib/site_ruby /usr/lib/ruby
    /var/lib/gems""".split()


def interpreter_paths(_):
    if any(os.environ.get(name) for name in """PYTHONPATH PYTHONSTARTUP NODE_OPTIONS PERL5OPT
            RUBYOPT BASH_ENV""".split()):
        return True
    if any(alterable(path) for path in MODULES) or any(
            alterable(path) for pattern in INTERPRETERS for path in glob(pattern)):
        return True
    return any(alterable(os.path.join(home, name)) for home in homes() for name in (
        ".local/lib", ".node_modules", ".node_libraries", "perl5", ".gem", ".local/share/gem"))


ANCHORS = ["/etc/" + name for name in """hosts resolv.conf nsswitch.conf ssl/certs pki pip.conf npmrc
    apt/sources.list apt/sources.list.d gitconfig""".split()]


def trust_anchors(_):
    return any(alterable(path) for path in ANCHORS) or any(
        alterable(os.path.join(home, name)) for home in homes() for name in (
            ".gitconfig", ".config/git/config", ".npmrc", ".config/pip", ".cargo/config.toml"))


CACHES = """.cache/pip .cache/uv .cache/huggingface .cache/torch .cache/go-build go/pkg/mod
    .cache/ccache .npm .cargo/registry .m2 .gradle""".split()


def caches(world):
    paths = [os.path.join(home, name) for home in homes() for name in CACHES] + ["/var/cache"]
    found = [brought_in(world, nearest(path)) for path in paths if alterable(path)]
    return True if True in found else None if None in found else False


def nearest(path):
    while not os.path.exists(path) and len(path) > 1:
        path = os.path.dirname(path)
    return path


# ---------------------------------------------------------------- artefacts


def odd_file(world):
    here = start_folder()
    folder = here if here in world.scratch else (world.scratch or [None])[0]
    if folder is None:
        return None if here and takes_entry(here) else False

    def binds(path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
            one.bind(path)

    for make in (os.mkfifo, binds, lambda path: os.mknod(path, stat.S_IFCHR, os.makedev(1, 3))):
        path = marker(folder)
        try:
            make(path)
            os.unlink(path)
            return True
        except OSError:
            continue
    return False


QUESTIONS = {
    "kernel.filter-default": filter_default, "kernel.filter-parity": filter_parity,
    "kernel.release": kernel_release, "privilege.capability-use": capability_use,
    "mount.host-writable": host_writable, "mount.host-tree": host_tree,
    "artefact.replaced-parent": replaced_parent, "artefact.odd-file": odd_file,
    "device.control": control_device, "procfs.kernel-layout": kernel_layout,
    "sysfs.writable": sysfs_writable, "cgroup.release-agent": release_agent,
    "secret.files": secret_files, "secret.repository": secret_repository,
    "secret.descriptors": descriptors, "secret.keyring": keyring,
    "assessment.expected-outputs": expected_outputs, "assessment.reward-files": reward_files,
    "assessment.future-history": future_history, "assessment.grader": grader,
    "identity.host": host_identity, "identity.hardware": hardware, "identity.tenant": tenant,
    "identity.harness-code": harness_code, "sidechannel.activity": activity,
    "socket.runtime-api": path_socket("runtime-api"), "socket.services": path_socket("services"),
    "socket.key-agent": path_socket("key-agent"), "socket.other-path": path_socket("other-path"),
    "socket.vsock": vsock, "tamper.deferred-execution": deferred_execution,
    "tamper.interpreter-paths": interpreter_paths, "tamper.trust-anchors": trust_anchors,
    "tamper.caches": caches,
}
