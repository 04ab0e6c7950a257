# SPDX-License-Identifier: MIT
"""
Base O of the tests' boxes: an OCI container as strict as an ordinary engine can make it, run by
runc. Each word of a fixture relaxes or changes one thing of it; see docs/fixtures.md.
"""

import json
import os
import re

NOBODY = 65534
MEBIBYTE = 1 << 20
SETS = ("bounding", "effective", "inheritable", "permitted", "ambient")
UNLIMITED = -1

# The calls that the filter lets through; all others meet EPERM, and clone3 ENOSYS, so that libc
# takes clone, whose flags a filter can see.
ALLOWED = """
    accept accept4 access alarm arch_prctl bind brk cachestat capget capset chdir chmod chown
    clock_getres clock_gettime clock_nanosleep close close_range connect copy_file_range creat dup
    dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd
    eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod
    fchmodat fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr
    fstat fstatfs fsync ftruncate futex futex_waitv get_robust_list get_thread_area getcpu getcwd
    getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp
    getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname
    getsockopt gettid gettimeofday getuid getxattr inotify_add_watch inotify_init inotify_init1
    inotify_rm_watch io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit ioctl
    ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset landlock_restrict_self
    lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr lseek lsetxattr lstat
    madvise membarrier mincore mkdir mkdirat mlock mlock2 mlockall mmap mprotect mq_getsetattr
    mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap msgctl msgget msgrcv msgsnd
    msync munlock munlockall munmap nanosleep newfstatat open openat openat2 pause pidfd_open
    pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64
    preadv preadv2 prlimit64 process_mrelease pselect6 pwrite64 pwritev pwritev2 read readahead
    readlink readlinkat readv recvfrom recvmmsg recvmsg remap_file_pages removexattr rename renameat
    renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
    rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max
    sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
    sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler
    sched_yield seccomp select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto
    set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer
    setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setsockopt setuid
    setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 socketpair splice
    stat statfs statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time
    timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
    timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat
    utimes vfork wait4 waitid write writev
""".split()
NAMESPACE_FLAGS = 0x7E020080  # those of clone(2) and unshare(2), all of them
FAMILIES = {"unix": 1, "inet": 2, "inet6": 10}
NETLINK, NETLINK_ROUTE = 16, 0


def equals(index, value):
    return {"index": index, "value": value, "op": "SCMP_CMP_EQ"}


def seccomp(more, fewer, architectures):
    """The filter; `more` are calls that it lets through besides, `fewer` those that it does not."""
    allow = "SCMP_ACT_ALLOW"
    rules = [{"names": sorted(set(ALLOWED + more) - set(fewer)), "action": allow}]
    if "clone" not in more:
        rules.append({"names": ["clone"], "action": allow, "args": [
            {"index": 0, "value": NAMESPACE_FLAGS, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}]})
    if "clone3" not in more:
        rules.append({"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38})
    if "socket" not in more:
        rules += [{"names": ["socket"], "action": allow, "args": [equals(0, number)]}
                  for number in FAMILIES.values()]
        rules.append({"names": ["socket"], "action": allow,
                      "args": [equals(0, NETLINK), equals(2, NETLINK_ROUTE)]})
    # With no architecture named the filter is for the native one alone.
    named = {"architectures": ["SCMP_ARCH_" + name for name in architectures]}
    return {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1, "syscalls": rules,
            **(named if architectures else {})}


# ---------------------------------------------------------------- the base


def mount(place, kind, source, *options):
    return {"destination": place, "type": kind, "source": source, "options": list(options)}


def base_mounts():
    bare = ("nosuid", "noexec", "nodev")
    return [
        mount("/proc", "proc", "proc", *bare),
        mount("/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=64k"),
        mount("/dev/pts", "devpts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666",
              "mode=0620"),
        mount("/dev/shm", "tmpfs", "shm", *bare, "mode=1777", "size=1m"),
        mount("/dev/mqueue", "mqueue", "mqueue", *bare),
        mount("/sys", "sysfs", "sysfs", *bare, "ro"),
        mount("/sys/fs/cgroup", "cgroup", "cgroup", *bare, "relatime", "ro"),
        mount("/tmp", "tmpfs", "tmpfs", *bare, "mode=1777", "size=4m"),
        mount("/usr", "bind", "/usr", "bind", "ro", "nosuid", "nodev"),
    ]


def limit(name, value):
    return {"type": "RLIMIT_" + name, "soft": value, "hard": value}


def base():
    return {
        "ociVersion": "1.0.2",
        "hostname": "box",
        "root": {"path": "rootfs", "readonly": True},
        "process": {
            "terminal": False,
            "user": {"uid": NOBODY, "gid": NOBODY},
            "cwd": "/",
            "env": ["PATH=/usr/bin"],
            "capabilities": {name: [] for name in SETS},
            "noNewPrivileges": True,
            "oomScoreAdj": 500,
            "rlimits": [limit("CORE", 0), limit("NOFILE", 256), limit("FSIZE", 32 * MEBIBYTE),
                        limit("MEMLOCK", 64 << 10)],
        },
        "mounts": base_mounts(),
        "linux": {
            "namespaces": [{"type": name} for name in
                           ("pid", "network", "ipc", "uts", "mount", "cgroup")],
            "maskedPaths": ["/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys",
                            "/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats",
                            "/proc/sched_debug", "/proc/scsi", "/sys/firmware",
                            "/sys/devices/virtual/powercap"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                              "/proc/sysrq-trigger"],
            "resources": {
                "devices": [{"allow": False, "access": "rwm"}],
                "memory": {"limit": 256 * MEBIBYTE, "swap": 256 * MEBIBYTE},
                "pids": {"limit": 64},
                "cpu": {"period": 100000, "quota": 100000},
            },
            "seccomp": {},
        },
    }


# ---------------------------------------------------------------- the words


def grant(config, name):
    for kind in config["process"]["capabilities"].values():
        kind.append("CAP_" + name)


def grant_in(config, name, capability):
    config["process"]["capabilities"][name].append("CAP_" + capability)


def set_uid(config, uid):
    config["process"]["user"] = {"uid": int(uid), "gid": int(uid)}


def add_group(config, gid):
    config["process"]["user"].setdefault("additionalGids", []).append(int(gid))


def set_limit(config, name, value):
    limits = config["process"]["rlimits"]
    limits[:] = [kept for kept in limits if kept["type"] != "RLIMIT_" + name]
    if int(value) != UNLIMITED:
        limits.append(limit(name, int(value)))


def drop_namespace(config, name):
    linux = config["linux"]
    linux["namespaces"] = [kept for kept in linux["namespaces"] if kept["type"] != name]


def make_writable(config, *places):
    for kept in config["mounts"]:
        if kept["destination"] in places:
            kept["options"] = [word for word in kept["options"] if word != "ro"]


def share_mount(config, source, place):
    config["linux"]["rootfsPropagation"] = "rshared"
    config["mounts"].append(mount(place, "bind", source, "rbind", "rw", "rshared"))


def allow_set_id(config):
    for kept in config["mounts"]:
        if kept["destination"] == "/tmp":
            kept["options"].remove("nosuid")


def drop_mount(config, place):
    config["mounts"] = [kept for kept in config["mounts"] if kept["destination"] != place]


def unset(config, *names):
    for name in names[:-1]:
        config = config[name]
    config[names[-1]] = type(config[names[-1]])()


# Kind, major, minor.
NODES = {"kmsg": ("c", 1, 11), "fuse": ("c", 10, 229)}


def allow(config, access, **which):
    """One more rule for the control group's devices."""
    config["linux"]["resources"]["devices"].append({"allow": True, "access": access, **which})


def add_node(config, name, access=None):
    """A node in /dev that anybody may read; the control group refuses it without `access`."""
    kind, major, minor = NODES[name]
    number = {"type": kind, "major": major, "minor": minor}
    config["linux"].setdefault("devices", []).append(
        {"path": "/dev/" + name, "fileMode": 0o666, "uid": 0, "gid": 0, **number})
    if access:
        allow(config, access, **number)


# Pattern of a word, what it does with the configuration and the pattern's groups.
CHANGES = [
    (r"\+([A-Z_]+)", grant),
    (r"\+(%s):([A-Z_]+)" % "|".join(SETS), grant_in),
    (r"\+uid:(\d+)", set_uid),
    (r"\+group:(\d+)", add_group),
    (r"\+root-rw", lambda config: unset(config, "root", "readonly")),
    (r"\+limit:([A-Z]+)=(-?\d+)", set_limit),
    (r"\+pids:(\d+)", lambda config, n: config["linux"]["resources"]["pids"].update(limit=int(n))),
    (r"\+memory:(\d+)", lambda config, n: config["linux"]["resources"]["memory"].update(
        limit=int(n) * MEBIBYTE, swap=int(n) * MEBIBYTE)),
    (r"-nnp", lambda config: unset(config, "process", "noNewPrivileges")),
    (r"\+sys-rw", lambda config: make_writable(config, "/sys")),
    (r"\+cgroup-rw", lambda config: make_writable(config, "/sys/fs/cgroup")),
    (r"-tmp-nosuid", allow_set_id),
    (r"\+mask:(.+)", lambda config, path: config["linux"]["maskedPaths"].append(path)),
    (r"-masked", lambda config: unset(config, "linux", "maskedPaths")),
    (r"-readonly", lambda config: unset(config, "linux", "readonlyPaths")),
    (r"-memory", lambda config: unset(config, "linux", "resources", "memory")),
    (r"-pids", lambda config: unset(config, "linux", "resources", "pids")),
    (r"-cpu", lambda config: unset(config, "linux", "resources", "cpu")),
    (r"-cgroup", lambda config: drop_mount(config, "/sys/fs/cgroup")),
    (r"-sys", lambda config: [drop_mount(config, place) for place in ("/sys/fs/cgroup", "/sys")]),
    (r"-usr", lambda config: drop_mount(config, "/usr")),
    (r"-(pid|network|ipc|uts|cgroup)-namespace", drop_namespace),
    (r"\+node:(\w+)", lambda config, name: add_node(config, name)),
    (r"\+device:(\w+)", lambda config, name: add_node(config, name, "rwm")),
    (r"\+devices", lambda config: allow(config, "rwm")),
]
# bubblewrap's words that O understands too: how many arguments, and what they add.
OPTIONS = {
    "--bind": (2, lambda config, source, place: config["mounts"].append(
        mount(place, "bind", source, "bind", "rw", "nosuid", "nodev"))),
    "--ro-bind": (2, lambda config, source, place: config["mounts"].append(
        mount(place, "bind", source, "bind", "ro", "nosuid", "nodev"))),
    "--nosymfollow": (2, lambda config, source, place: config["mounts"].append(
        mount(place, "bind", source, "bind", "rw", "nosuid", "nodev", "nosymfollow"))),
    "--dev-bind": (2, lambda config, source, place: config["mounts"].append(
        mount(place, "bind", source, "bind", "rw", "nosuid"))),
    "--rshared": (2, share_mount),
    "--mount": (2, lambda config, kind, place: config["mounts"].append(
        mount(place, kind, kind, "nosuid", "nodev", "noexec", "ro"))),
    "--set-id-bind": (2, lambda config, source, place: config["mounts"].append(
        mount(place, "bind", source, "bind", "ro", "nodev"))),
    "--tmpfs": (1, lambda config, place: config["mounts"].append(
        mount(place, "tmpfs", "tmpfs", "nosuid", "nodev", "size=4m"))),
    "--setenv": (2, lambda config, name, value: config["process"]["env"].append(
        name + "=" + value)),
    "--chdir": (1, lambda config, place: config["process"].update(cwd=place)),
}


def change(config, word, words):
    """Applies one word; takes its arguments from `words`, those that follow."""
    if word in OPTIONS:
        n, apply = OPTIONS[word]
        if len(words) < n:
            raise ValueError("'%s' lacks its argument" % word)
        apply(config, *[words.pop(0) for _ in range(n)])
        return
    for pattern, apply in CHANGES:
        found = re.fullmatch(pattern, word)
        if found:
            apply(config, *found.groups())
            return
    raise ValueError("unknown word '%s'" % word)


def configuration(words, command):
    """config.json for the words of a fixture and the command that runs inside."""
    config, words, calls, fewer, filtered = base(), list(words), [], [], True
    architectures = []
    config["process"]["args"] = command
    while words:
        word = words.pop(0)
        if word.startswith("+call:"):
            calls += word[len("+call:"):].split(",")
        elif word.startswith("-call:"):
            fewer += word[len("-call:"):].split(",")
        elif word.startswith("+arch:"):
            architectures += word[len("+arch:"):].split(",")
        elif word == "-seccomp":
            filtered = False
        else:
            change(config, word, words)
    if filtered:
        config["linux"]["seccomp"] = seccomp(calls, fewer, architectures)
    else:
        del config["linux"]["seccomp"]
    return config


# ---------------------------------------------------------------- the bundle


def write_bundle(config, folder, probe):
    """The root folder holds nothing but what a box needs, and belongs to root."""
    root = os.path.join(folder, "rootfs")
    for name in ("", "etc", "proc", "sys", "dev", "tmp", "usr"):
        os.mkdir(os.path.join(root, name))
    # runc 1.1 gives a tmpfs the mode of the folder that it covers, whatever its options say.
    os.chmod(os.path.join(root, "tmp"), 0o1777)
    for name in ("bin", "sbin", "lib", "lib64"):
        os.symlink("usr/" + name, os.path.join(root, name))
    for name, text in (("passwd", "root:x:0:0:root:/root:/bin/sh\n"), ("group", "root:x:0:\n")):
        with open(os.path.join(root, "etc", name), "w", encoding="ascii") as file:
            file.write(text)
    config["mounts"].append(mount("/probe", "bind", probe, "bind", "ro", "nosuid", "nodev"))
    config["linux"]["cgroupsPath"] = "/" + os.path.basename(folder)
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=1)
