# SPDX-License-Identifier: MIT
"""
The lab's boxes: the hardened base O of the tests, driven by runc, and four others, each described
by plain JSON that a control's jq filter changes. All stand on one small root folder, so that a
whole run of the probe takes no longer than it takes to start.

	box = Box(lab, "runc", filters, furnish)    a box that is not started yet
	box.run(["/probe", ...])                    its standard output, or Refused with the reason
"""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "boxes"))
import oci  # noqa: E402  (the tests' base O, shared)

SECONDS = 60
ACCOUNT = 61000  # that nobody else uses: its processes are counted
ROOT = 0
NOBODY = oci.NOBODY
SEARCH = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


class Refused(Exception):
    """The box could not be made; the message says why."""


# ---------------------------------------------------------------- the root folder

# Name, text (None: a folder; "check": the lab's check program), mode, owner. What oci.py's own
# root has is not repeated. Two things are as in many images: a secret that root alone may read,
# and a folder that the ordinary account owns.
FILES = [
    ("etc/shadow", "root:*:19000:0:99999:7:::\n", 0o600, 0),
    ("etc/gshadow", "root:*::\n", 0o600, 0),
    ("etc/sudoers", "root ALL=(ALL) ALL\n", 0o400, 0),
    ("etc/hosts", "127.0.0.1 localhost\n", 0o644, 0),
    ("etc/resolv.conf", "nameserver 127.0.0.53\n", 0o644, 0),
    ("etc/fstab", "\n", 0o644, 0),
    ("etc/os-release", "ID=box\n", 0o644, 0),
    ("etc/profile.d", None, 0o755, 0),
    ("etc/cron.d", None, 0o755, 0),
    ("boot/vmlinuz", "no kernel\n", 0o600, 0),
    ("root", None, 0o700, 0),
    ("home", None, 0o755, 0),
    ("opt", None, 0o755, 0),
    ("srv", None, 0o755, NOBODY),
    ("var/lib", None, 0o755, 0),
    ("var/log/auth.log", "started\n", 0o600, 0),
    ("run", None, 0o755, 0),
    ("mnt", None, 0o755, 0),
    ("usr/lib/library.so", "no library\n", 0o644, 0),
    ("usr/lib64", None, 0o755, 0),
    ("usr/sbin", None, 0o755, 0),
    ("usr/bin/true", "check", 0o755, 0),
    ("usr/bin/env", "check", 0o755, 0),
]

# A stand-in for the host's root: what a host has and the box has not.
HOST_FILES = [
    ("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\n",
     0o644, 0),
    ("etc/group", "root:x:0:\nalice:x:1000:\n", 0o644, 0),
    ("etc/shadow", "root:*:19000:0:99999:7:::\n", 0o600, 0),
    ("etc/hosts", "127.0.0.1 localhost\n", 0o644, 0),
    ("etc/crontab", "\n", 0o644, 0),
    ("etc/machine-id", "00000000000000000000000000000001\n", 0o444, 0),
    ("home/alice", None, 0o755, 1000),
    ("home/alice/notes", "notes\n", 0o644, 1000),
    ("boot/vmlinuz", "no kernel\n", 0o600, 0),
    ("proc", None, 0o755, 0),
    ("root", None, 0o700, 0),
    ("tmp", None, 0o1777, 0),
    ("usr/bin", None, 0o755, 0),
    ("usr/lib/host.so", "no library\n", 0o644, 0),
    ("var/spool", None, 0o1777, 0),
    ("var/spool/left", "left\n", 0o666, 0),
    ("var/log/auth.log", "started\n", 0o640, 0),
]
LONG_AGO = 10**9


def fill(root, files, check):
    for name, text, mode, owner in files:
        path = os.path.join(root, name)
        os.makedirs(path if text is None else os.path.dirname(path), exist_ok=True)
        if text == "check":
            shutil.copyfile(check, path)
        elif text is not None:
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        os.chmod(path, mode)
        os.chown(path, owner, owner)
    for folder, _, names in os.walk(root):
        for path in [folder] + [os.path.join(folder, name) for name in names]:
            os.utime(path, (LONG_AGO, LONG_AGO), follow_symlinks=False)


# ---------------------------------------------------------------- what the boxes are, before a change


def runc_base():
    """As the tests' O, but on the lab's own small root in place of the machine's programs."""
    return oci.configuration(["-usr"], [])


def bwrap_base():
    return ("--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts "
            "--unshare-cgroup --new-session --die-with-parent --clearenv --setenv PATH /usr/bin "
            "--hostname box --disable-userns --ro-bind $ROOT / --dev /dev --tmpfs /dev/shm "
            "--proc /proc --size 4194304 --tmpfs /tmp --remount-ro /dev").split()


def docker_base():
    return ("--rm --pull never --network none --read-only --user 65534:65534 --cap-drop ALL "
            "--security-opt no-new-privileges --pids-limit 64 --memory 256m --memory-swap 256m "
            "--cpus 1 --ulimit nofile=256:256 --ulimit core=0:0 --hostname box "
            "--tmpfs /tmp:noexec,nosuid,nodev,size=4m --env PATH=/usr/bin").split()


def landlock_base():
    """Nothing but a ruleset: the words name what is let through, all else is handled. The word
    "root" is another account."""
    return "read=/usr read=/srv read=/probe read=/proc read=/dev read=/tmp execute=/probe write=/tmp write=/dev/null".split()


def rlimit_base():
    """Nothing but resource limits of an ordinary account in a folder."""
    return ("--nproc=64 --as=268435456 --cpu=20 --nofile=256 --fsize=33554432 --core=0 "
            "--memlock=65536").split()


def environment(*more):
    return ["/usr/bin/env", "-i", "PATH=/usr/bin"] + list(more)


class Box:
    """One box: its folder, its description changed by jq filters, and what stands beside it."""

    numbers = itertools.count(1)  # boxes are made by several threads: next() is one step, += is not

    def __init__(self, lab, base, filters, steps=(), beside=None):
        self.lab, self.base, self.process, self.mounted = lab, base, None, []
        self.name = "sandboxeval-lab-%d-%d" % (os.getpid(), next(Box.numbers))
        self.folder = os.path.join(lab.folder, self.name)
        self.root = os.path.join(self.folder, "rootfs")
        self.outside = os.path.join(lab.outside, self.name)
        os.mkdir(self.folder, 0o755)
        os.mkdir(self.outside, 0o755)
        self.filters, self.steps, self.beside = [f for f in filters if f], steps, beside

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        for place in reversed(self.mounted):
            subprocess.run(["umount", "-l", place], check=False)
        for folder in (self.folder, self.outside):
            shutil.rmtree(folder, ignore_errors=True)

    # ---- steps

    def variables(self):
        return {"ROOT": self.root, "BOX": self.folder, "HOST": self.lab.host, "FOLDER": self.outside, "LAB": HERE,
                "TESTS": self.lab.tests, "ACCOUNT": str(ACCOUNT),
                "CHECK": self.lab.check, "PID": str(self.process.pid if self.process else 0),
                "NAME": self.name, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

    def shell(self, text):
        if not text:
            return
        done = subprocess.run(["sh", "-euc", text], env=self.variables(), capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise Refused("set-up: " + done.stderr.decode().strip())

    def start_beside(self):
        """A process that the box meets; it says one line when it is ready, and is ended with us."""
        if not self.beside:
            return
        self.process = subprocess.Popen(["sh", "-euc", "exec " + self.beside], stdout=subprocess.PIPE,
                                        stdin=subprocess.DEVNULL, env=self.variables(),
                                        start_new_session=True)
        if not self.process.stdout.readline():
            raise Refused("what should stand beside it ended")

    def describe(self, base):
        """The base's JSON after the filters, by jq with the lab's library of definitions."""
        if not self.filters:
            return base
        words = ["jq", "-c"]
        for name, value in self.variables().items():
            words += ["--arg", name, value]
        # jq's arguments are strings; its library is read with -L and include.
        program = 'include "controls"; ' + " | ".join("(%s)" % f for f in self.filters)
        done = subprocess.run(words + ["-L", HERE, program], input=json.dumps(base).encode(),
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise Refused("jq: " + done.stderr.decode().strip())
        return json.loads(done.stdout)

    def put(self, program):
        """The program as the box's /probe."""
        path = os.path.join(self.folder, "probe")
        shutil.copyfile(program, path)
        os.chmod(path, 0o755)
        return path

    def run(self, program, words):
        os.makedirs(self.root)
        return MAKERS[self.base](self, self.put(program), words)

    def furnish(self):
        fill(self.root, FILES, self.lab.check)
        self.start_beside()
        for step in self.steps:
            self.shell(step)

    def output(self, command, stdin=subprocess.DEVNULL, **more):
        done = subprocess.run(command, stdin=stdin, capture_output=True, cwd="/",
                              timeout=SECONDS, check=False, **more)
        text = done.stdout.decode(errors="replace")
        if done.returncode != 0 or not text:
            raise Refused(done.stderr.decode(errors="replace").strip() or
                          "exit status %d" % done.returncode)
        return text


# ---------------------------------------------------------------- how each is started


def bare_root(box):
    """What oci.py's bundle has, for the boxes that have none."""
    for name in ("etc", "proc", "sys", "dev", "tmp", "usr"):
        os.mkdir(os.path.join(box.root, name))
    for name in ("bin", "sbin", "lib", "lib64"):
        os.symlink("usr/" + name, os.path.join(box.root, name))
    for name, text in (("passwd", "root:x:0:0:root:/root:/bin/sh\n"), ("group", "root:x:0:\n")):
        with open(os.path.join(box.root, "etc", name), "w", encoding="ascii") as file:
            file.write(text)
    box.furnish()


def run_runc(box, program, words):
    os.rmdir(box.root)
    config = runc_base()
    config["process"]["args"] = ["/probe"] + words
    oci.write_bundle(config, box.folder, program)
    box.furnish()
    config = box.describe(config)
    keep = config.pop("keep", [])  # descriptors, which no runtime's configuration knows
    with open(os.path.join(box.folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    state = os.path.join(box.folder, "state")
    command = ["runc", "--root", state, "run", "--bundle", box.folder]
    if keep:
        redirect = " ".join("%d%s" % (i + 3, path) for i, path in enumerate(keep))
        command = ["sh", "-c", 'exec "$@" ' + redirect, "sh"] + command + [
            "--preserve-fds", str(len(keep))]
    try:
        return box.output(command + [box.name])
    finally:
        if os.path.exists(os.path.join(state, box.name)):
            subprocess.run(["runc", "--root", state, "delete", "--force", box.name],
                           capture_output=True, check=False)


def run_gvisor(box, program, words):
    """The same configuration, by a kernel of its own."""
    os.rmdir(box.root)
    config = runc_base()
    config["process"]["args"] = ["/probe"] + words
    oci.write_bundle(config, box.folder, program)
    box.furnish()
    config = box.describe(config)
    del config["linux"]["cgroupsPath"]
    with open(os.path.join(box.folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    state = os.path.join(box.folder, "state")
    command = ["runsc", "--root=" + state, "--network=none", "--ignore-cgroups"]
    try:
        return box.output(command + ["run", "--bundle=" + box.folder, box.name])
    finally:
        subprocess.run(command + ["delete", "--force", box.name], capture_output=True, check=False)


def as_account():
    return ["setpriv", "--reuid", str(ACCOUNT), "--regid", str(ACCOUNT), "--clear-groups",
            "--inh-caps=-all"]


# In a session whose terminal is the standard input; what runs does not have that open.
WITH_TERMINAL = ["setsid", "--ctty", "sh", "-c", 'exec "$@" </dev/null', "sh"]


def run_bwrap(box, program, words):
    bare_root(box)
    open(os.path.join(box.root, "probe"), "wb").close()
    arguments = [word.replace("$ROOT", box.root) for word in box.describe(bwrap_base())]
    command = WITH_TERMINAL + as_account() + ["bwrap"] + arguments
    command += ["--ro-bind", program, "/probe"]
    ours, theirs = os.openpty()
    try:
        path = os.path.join(box.folder, "filter")  # a step may have made one
        if not os.path.exists(path):
            return box.output(command + ["/probe"] + words, stdin=theirs, env={})
        with open(path, "rb") as file:
            return box.output(command + ["--seccomp", str(file.fileno()), "/probe"] + words,
                              stdin=theirs, env={}, pass_fds=[file.fileno()])
    finally:
        os.close(ours)
        os.close(theirs)


class Docker:
    """A daemon of the lab's own, with its own storage; it ends with us."""

    IMAGE = "sandboxeval-lab"

    def __init__(self, lab):
        self.folder = os.path.join(lab.folder, "docker")
        self.environment = {**SEARCH, "DOCKER_HOST": "unix://" + os.path.join(self.folder, "socket")}
        script = ('. "$0"; docker_start "$1" || { echo "$engine_reason"; exit 1; }; '
                  "echo ready; read -r _; docker_stop")
        engines = os.path.join(HERE, "..", "tests", "boxes", "engines.sh")
        self.process = subprocess.Popen(["sh", "-uc", script, engines, self.folder],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        said = self.process.stdout.readline().decode().strip()
        if said != "ready":
            raise Refused("docker: " + said)
        with Box(lab, "docker", []) as box:
            os.makedirs(box.root)
            bare_root(box)
            tar = subprocess.run(["tar", "-C", box.root, "-c", "."], stdout=subprocess.PIPE,
                                 check=True)
            subprocess.run(["docker", "import", "-", self.IMAGE], input=tar.stdout, check=True,
                           stdout=subprocess.DEVNULL, env=self.environment)

    def end(self):
        self.process.communicate(b"\n")


def run_docker(box, program, words):
    if isinstance(box.lab.docker, str):
        raise Refused(box.lab.docker)
    for step in box.steps:
        box.shell(step)
    box.start_beside()
    return box.output(["docker", "run"] + box.describe(docker_base()) + ["--name", box.name, "-v",
                      program + ":/probe:ro", Docker.IMAGE, "/probe"] + words,
                      env=box.lab.docker.environment)


def place_mounts(box, program):
    """/dev and /tmp in the root folder, and the program."""
    bare_root(box)
    shutil.copyfile(program, os.path.join(box.root, "probe"))
    os.chmod(os.path.join(box.root, "probe"), 0o755)
    for words in (["--bind", "/dev", "dev"],
                  ["-t", "tmpfs", "-o", "mode=1777,size=4m", "tmpfs", "tmp"]):
        place = os.path.join(box.root, words[-1])
        subprocess.run(["mount"] + words[:-1] + [place], check=True)
        box.mounted.append(place)


def apart(box):
    """Processes of its own, so that boxes that are made at the same time do not meet."""
    return ["unshare", "--ipc", "--pid", "--fork", "--kill-child",
            "--mount-proc=" + os.path.join(box.root, "proc")]


def in_root(box, account=ACCOUNT):
    return ["chroot", "--userspec=%d:%d" % (account, account), "--groups=%d" % account, box.root]


def run_landlock(box, program, words):
    place_mounts(box, program)
    shutil.copyfile(box.lab.confine, os.path.join(box.root, "confine"))
    os.chmod(os.path.join(box.root, "confine"), 0o755)
    # By an empty folder the probe learns that what it makes there can be removed.
    os.mkdir(os.path.join(box.root, "tmp", "work"))
    os.chmod(os.path.join(box.root, "tmp"), 0o777)
    rules = box.describe(landlock_base())
    account = ROOT if "root" in rules else ACCOUNT
    return box.output(apart(box) + in_root(box, account) + ["/confine"] + rules + ["--", "/probe"]
                      + words, env=SEARCH)


def run_rlimit(box, program, words):
    place_mounts(box, program)
    return box.output(apart(box) + ["prlimit"] + box.describe(rlimit_base()) + in_root(box)
                      + ["/probe"] + words, env=SEARCH)


MAKERS = {"runc": run_runc, "bwrap": run_bwrap, "docker": run_docker, "landlock": run_landlock,
          "rlimit": run_rlimit, "gvisor": run_gvisor}
