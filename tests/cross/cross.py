#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
cross.py [--table FILE] [SANDBOX ...]: the probe's status of each scenario beside that of answer.py in
the same sandbox, for some twenty sandboxes. What differs must stand in
EXPLAINED with its reason; every other difference fails. Prints TAP; --table writes all answers.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.abspath(os.path.join(HERE, "..", ".."))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(TREE, "build")))
BUNDLE = os.path.join(BUILD, "cross", "bundle")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
PROGRAMS = {"probe": os.path.join(BUILD, "sandboxeval"),
            "script": os.path.join(BUILD, "cross", "sandboxeval")}
ACCOUNT = 1234
SECONDS = 180
ROUNDS = 3
FACTS = "place=inside,key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
AS_USER = ["setpriv", "--reuid", str(ACCOUNT), "--regid", str(ACCOUNT), "--clear-groups",
           "--inh-caps=-all", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
AS_ROOT = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
SCRIPT = ["/cross/loader", "--library-path", "/cross/libraries", "--argv0", "/cross/bin/python3",
          "/cross/bin/python3", "-ISB", "/cross/main.py"]
COMMON = ("--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-all "
          "--die-with-parent").split()
HARDENED = ("--network none --read-only --user 65534:65534 --cap-drop ALL --security-opt "
            "no-new-privileges --pids-limit 64 --memory 256m --memory-swap 256m --cpus 1 "
            "--tmpfs /tmp:noexec,nosuid,nodev,size=4m").split()

sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(TREE, "tests")]
import beyond  # noqa: E402
import further  # noqa: E402
import paper  # noqa: E402
from explained import EXPLAINED  # noqa: E402
from tap import end, ok, skip, skip_all  # noqa: E402


class Missing(Exception):
    """This machine cannot make the sandbox; the message says why."""


# ---------------------------------------------------------------- a machine to throw away

ACCOUNTS = "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\n"
FILES = [
    ("etc/passwd", ACCOUNTS, 0o644, 0), ("etc/group", "root:x:0:\nalice:x:1000:\n", 0o644, 0),
    ("etc/shadow", "root:*:1::::::\n", 0o600, 0), ("etc/gshadow", "root:*::\n", 0o600, 0),
    ("etc/sudoers", "root ALL=(ALL) ALL\n", 0o440, 0), ("etc/hosts", "127.0.0.1 l\n", 0o644, 0),
    ("etc/resolv.conf", "nameserver 127.0.0.53\n", 0o644, 0), ("etc/crontab", "#\n", 0o644, 0),
    ("etc/fstab", "#\n", 0o644, 0), ("etc/ssh/sshd_config", "#\n", 0o644, 0),
    ("etc/ssh/ssh_host_rsa_key", "no key\n", 0o600, 0), ("etc/os-release", "ID=box\n", 0o644, 0),
    ("etc/cron.d/one", "#\n", 0o644, 0), ("boot/vmlinuz", "no kernel\n", 0o600, 0),
    ("root/notes", "notes\n", 0o600, 0), ("home/alice/notes", "notes\n", 0o644, 1000),
    ("var/log/auth.log", "-\n", 0o640, 0), ("var/lib/state", "-\n", 0o644, 0),
    ("usr/lib/library", "-\n", 0o644, 0), ("srv/file", "-\n", 0o644, 0),
]
EMPTY = "proc sys dev run mnt opt usr/bin usr/sbin usr/local/bin var/tmp tmp".split()


def make_root(folder, disposable):
    """A root folder with busybox, the files above and the script; it may be destroyed."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise Missing("there is no busybox")
    for name in EMPTY:
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for name in ("tmp", "var/tmp"):
        os.chmod(os.path.join(folder, name), 0o1777)
    for name, text, mode, owner in FILES:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, mode)
        os.chown(path, owner, owner)
    os.chown(os.path.join(folder, "home/alice"), 1000, 1000)
    os.chmod(os.path.join(folder, "root"), 0o700)
    shutil.copyfile(busybox, os.path.join(folder, "usr/bin/busybox"))
    os.chmod(os.path.join(folder, "usr/bin/busybox"), 0o755)
    for name in "sh env true ls cat id".split():
        os.symlink("busybox", os.path.join(folder, "usr/bin", name))
    for name in ("bin", "lib", "sbin"):
        os.symlink("usr/" + name, os.path.join(folder, name))
    shutil.copytree(BUNDLE, os.path.join(folder, "cross"))
    if disposable:
        open(os.path.join(folder, "cross", "disposable"), "w", encoding="ascii").close()
    os.utime(os.path.join(folder, "tmp"), (10**9, 10**9))
    return folder


# ---------------------------------------------------------------- the sandboxes


def box(fixture):
    """One of the tests' reference boxes, whose root is a throw-away one or read-only."""
    def run(who, _):
        words = [os.path.join(TREE, "tests/boxes/box")]
        if who == "probe":
            words += [fixture, PROBE, "--facts", FACTS]
        else:
            more = "%s --ro-bind %s /cross -- %s" % (fixture, BUNDLE, " ".join(SCRIPT))
            words += [more, PROBE, "--facts", FACTS, "--disposable"]
        return words, None
    return run


def launcher(name, *arguments, account=AS_ROOT, root=True, image=False, options=()):
    """A launcher of sandboxeval, for the script the same program with the script in it."""
    def run(who, folder):
        words = account + [PROGRAMS[who], "run", name, "--single", "--no-history",
                           "--no-baseline", "--quiet", "--report", "json=-"] + list(options)
        if root:
            words += ["--rootfs", make_root(os.path.join(folder, "root"), who == "script")]
        if image:
            words += ["--image", import_image(who == "script")]
        if arguments:
            words += ["--"] + [word.replace("$BUNDLE", BUNDLE) for word in arguments]
        return words, "report"
    return run


def machine(account):
    """No sandbox, in a copy of a machine: for the probe it is outside, and the script acts."""
    def run(who, folder):
        top = make_root(os.path.join(folder, "root"), who == "script")
        shutil.copyfile(PROBE, top + "/probe")
        os.chmod(top + "/probe", 0o755)
        inner = ["/probe"] if who == "probe" else SCRIPT + ["/probe"]
        facts = FACTS.replace("inside", "outside")
        ids = ["--userspec=%d:%d" % (account, account), "--groups="] if account else []
        return (["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "--mount", "--pid",
                 "--fork", "--net", "--mount-proc=" + top + "/proc", "chroot"] + ids
                + [top] + inner + ["--facts", facts]), None
    return run


def with_account(account, run):
    """firejail takes no account without an entry: the list of accounts has one, for it alone."""
    def wrapped(who, folder):
        with open("/etc/passwd", encoding="utf-8") as file:
            accounts = file.read()
        # It hides the build folder, perhaps, but not the account's home.
        shutil.copytree(BUNDLE, folder + "/home/cross")
        with open(folder + "/home/notes", "w", encoding="ascii") as file:
            file.write("notes\n")
        os.chown(folder + "/home", account, account)
        with open(folder + "/passwd", "w", encoding="utf-8") as file:
            file.write("%scross:x:%d:%d::%s/home:/bin/sh\n" % (accounts, account, account, folder))
        words, form = run(who, folder)
        words.insert(words.index("-i") + 1, "HOME=%s/home" % folder)
        return ["unshare", "--mount", "sh", "-c",
                "mount --bind %s/passwd /etc/passwd && exec \"$@\"" % folder, "sh"] + words, form
    return wrapped


def held_capabilities():
    """All that this machine's root has; --privileged asks for more than some have."""
    with open("/proc/self/status", encoding="ascii") as file:
        held = next(int(line.split()[1], 16) for line in file if line.startswith("CapBnd:"))
    names = """CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP
        LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER
        SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE
        SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP
        MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF
        CHECKPOINT_RESTORE""".split()
    return [name for number, name in enumerate(names) if held >> number & 1 and
            number < 38]  # engines of some age know no more


def privileged():
    """docker run --privileged, or in its parts where root itself lacks a capability."""
    held = held_capabilities()
    if len(held) == 38:
        return ["--privileged"]
    words = "--security-opt seccomp=unconfined --security-opt systempaths=unconfined".split()
    words += ["--volume", "/dev:/dev"]
    return words + [word for name in held for word in ("--cap-add", name)]


BOXES = {
    "none-user": launcher("none", root=False, account=AS_USER),
    "none-root": launcher("none", root=False),
    "machine-user": machine(ACCOUNT),
    "machine-root": machine(0),
    "B": box("B"),
    "E": box("E"),
    "bwrap-common": launcher("bwrap", *COMMON, "--ro-bind", "$BUNDLE", "$BUNDLE", root=False,
                             account=AS_USER),
    "O": box("O"),
    "O-root": box("O +uid:0"),
    "O-root-writable": box("O +uid:0 +root-rw"),
    "runc": launcher("runc"),
    "docker": launcher("docker", root=False, image=True),
    "docker-hardened": launcher("docker", *HARDENED, root=False, image=True),
    "docker-privileged": launcher("docker", *privileged(), root=False, image=True),
    "gvisor": launcher("gvisor"),
    "firejail-user": with_account(
        ACCOUNT, launcher("firejail", root=False, account=AS_USER)),
    "nspawn": launcher("nspawn"),
    "lxc": launcher("lxc"),
    "landlock-user": launcher("landlock", root=False, account=AS_USER),
}


# ---------------------------------------------------------------- docker

docker = {"folder": None, "why": None, "images": {}}


def start_docker(folder):
    """By the tests' own shell functions, in a folder of ours; its words end with the daemon's end."""
    script = (". %s/tests/boxes/engines.sh\ndocker_start %s || { echo \"$engine_reason\"; exit 1; }\n"
              "echo ready; read -r end; docker_stop\n" % (TREE, folder))
    process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    said = process.stdout.readline().strip()
    if said != "ready":
        docker["why"] = said or "dockerd does not start"
        return None
    docker["folder"] = folder
    for account in (AS_ROOT,):
        account += ["DOCKER_HOST=unix://%s/socket" % folder, "DOCKER_CONFIG=%s/config" % folder]
    return process


def import_image(disposable):
    if docker["why"]:
        raise Missing("docker: " + docker["why"])
    if disposable not in docker["images"]:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            make_root(folder, disposable)
            name = "sandboxeval-cross:" + ("disposable" if disposable else "plain")
            tar = subprocess.Popen(["tar", "-C", folder, "-c", "."], stdout=subprocess.PIPE)
            done = subprocess.run(AS_ROOT + ["docker", "import", "-", name], stdin=tar.stdout,
                                  capture_output=True, text=True, check=False)
            tar.wait()
            if done.returncode:
                raise Missing("docker: " + done.stderr.strip())
            docker["images"][disposable] = name
    return docker["images"][disposable]


# ---------------------------------------------------------------- answers


def listed_ids():
    out = subprocess.run([PROBE, "--list"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in out.splitlines() if "." in line.split()[0]]


def tell_catalogue():
    """The script's host program wants the probe's catalogue: its hash and its rows."""
    line = subprocess.run([PROBE, "--only", "system.cpu"], capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]
    with open(os.path.join(BUNDLE, "catalogue"), "w", encoding="ascii") as file:
        file.write("\n".join([json.loads(line)["catalogue"]] + listed_ids()))


def asked_ids(*modules):
    """Those of the probe's scenarios that these modules answer."""
    known = {ident for module in modules for ident in module.QUESTIONS}
    return [ident for ident in listed_ids() if ident in known]


def answers(name, who):
    with tempfile.TemporaryDirectory(prefix="sandboxeval-cross-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        words, form = BOXES[name](who, folder)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, cwd="/",
                              timeout=SECONDS, check=False)
        out = done.stdout.decode(errors="replace")
        if form == "report":
            if done.returncode not in (0, 1) and not out.strip():
                raise Missing(done.stderr.decode(errors="replace").strip()[-300:])
            report = json.loads(out)
            results = {one["id"]: one for one in report["results"]}
            if not report["complete"]:
                results["incomplete"] = report["incomplete_because"]
            return results
        lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        found = {line["id"]: line for line in lines if "id" in line}
        if not found:
            raise Missing(done.stderr.decode(errors="replace").strip()[-300:])
        return found


def explained(name, ident, probe, script):
    for boxes, one, said, other, _ in EXPLAINED:
        if ident == one and (said, other) == (probe, script) and (
                boxes == "*" or name in boxes.split()):
            return True
    return False


def detail(line):
    """What the probe says of it, in a few words."""
    kept = {key: line.get(key) for key in ("status", "barriers", "reason", "evidence")}
    parts = [(part["case"], part["status"], part.get("barriers") or part.get("reason"))
             for part in line.get("cases", []) if part["status"] != "denied"]
    return json.dumps(kept)[:400] + " " + str(parts)[:500]


def differences(name, ids, table):
    """What the two say otherwise, by scenario; how many of them are explained; what went wrong."""
    probe, script = answers(name, "probe"), answers(name, "script")
    found, settled, why = {}, 0, []
    for who, said in (("probe", probe), ("script", script)):
        if "incomplete" in said:
            why.append("%s incomplete: %s" % (who, said["incomplete"]))
    for ident in ids:
        pair = (probe.get(ident, {}).get("status", "-"), script.get(ident, {}).get("status", "-"))
        reason = probe.get(ident, {}).get("reason")
        table.setdefault(ident, {})[name] = pair
        fault = script.get(ident, {}).get("evidence", {}).get("fault")
        if pair[0] == pair[1] and not fault:
            continue
        if explained(name, ident, pair[0] + ("/" + reason if reason else ""), pair[1]):
            settled += 1
            continue
        found[ident] = ["%s: probe %s, script %s%s" % (ident, *pair, " (%s)" % fault if fault else ""),
                        "    " + detail(probe.get(ident, {}))]
    return found, settled, why


def check(name, ids, table):
    try:
        found, settled, why = differences(name, ids, table)
        for _ in range(ROUNDS - 1):
            # Others work on this machine: what comes and goes is there for one of the two alone.
            if found:
                again, settled, why = differences(name, ids, table)
                found = {ident: lines for ident, lines in again.items() if ident in found}
    except Missing as missing:
        skip(name, str(missing))
        return
    except (subprocess.TimeoutExpired, ValueError) as fault:
        ok(False, "%s: %s" % (name, fault))
        return
    why += [line for lines in found.values() for line in lines]
    ok(not why, "%s: %d answers agree%s" % (
        name, len(ids) - settled - len(found),
        ", %d differ with a reason" % settled if settled else ""), why)


def write_table(path, table, names):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(["scenario"] + names) + "\n")
        for ident in sorted(table):
            row = [table[ident].get(name, ("-", "-")) for name in names]
            file.write("\t".join([ident] + [a if a == b else "%s|%s" % (a, b) for a, b in row])
                       + "\n")


def main():
    words = sys.argv[1:]
    path = words.pop(words.index("--table") + 1) if "--table" in words else None
    names = [word for word in words if word != "--table"] or list(BOXES)
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts and for engines")
    tell_catalogue()
    ids, table, daemon = asked_ids(paper, beyond, further), {}, None
    unknown = sorted(set(listed_ids()) - set(ids) - set(further.UNASKED))
    ok(len(asked_ids(paper)) == 51 and not unknown,
         "%d scenarios to ask about, and %d without another answer" % (
             len(ids), len(further.UNASKED)), unknown)
    with tempfile.TemporaryDirectory(prefix="sandboxeval-cross-docker-") as folder:
        if any(name.startswith("docker") for name in names):
            daemon = start_docker(folder)
        for name in names:
            check(name, ids, table)
        if daemon:
            for image in docker["images"].values():
                subprocess.run(AS_ROOT + ["docker", "image", "rm", "-f", image], check=False,
                               capture_output=True)
            daemon.communicate("end\n")
    if path:
        write_table(path, table, names)
    end()


if __name__ == "__main__":
    main()
