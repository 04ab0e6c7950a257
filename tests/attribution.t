#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Who refuses? The same call, refused by one layer, by another, by both at once: each time exactly
# those are named. An errno tells them apart nowhere: capability, filter and ruleset all say EPERM or
# EACCES. And where there is no filter none is named, whatever else refuses. In the lab's boxes:
# lab/README.md.

import json
import os
import shutil
import sys

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [os.path.join(ROOT, "lab"), os.path.join(ROOT, "tests")]
from boxes import ACCOUNT  # noqa: E402
from bench import BUILD, INSIDE_LAB, TROUBLE, Lab, enter, furnish_namespaces  # noqa: E402
from tap import IS_CI, end, ok, skip, skip_all  # noqa: E402

NO_FILTER = "del(.linux.seccomp)"
WRITABLE = ".root.readonly = false"
CHOWN = '["chown", "lchown", "fchown", "fchownat"]'
SETUID = '["setuid", "setreuid", "setresuid", "setfsuid"]'
SOCKET = '["socket"]'
# A signal, so that a trial of its own is not ended by its own filter's answer to kill(2).
KILL = '["kill", "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"]'
EXECUTE = '["execveat"]'


def refuse(names, action="ERRNO"):
    return 'refuse(%s; "%s"; null)' % (names, action)


def grant(name):
    return 'everywhere("%s")' % name


def is_on(setting):
    """Of this machine's kernel; one that has no such setting allows."""
    try:
        with open("/proc/sys/" + setting, encoding="ascii") as file:
            return file.read().strip() != "0"
    except FileNotFoundError:
        return False


# What is refused; in which box: base, filters of its description, steps; and by whom, exactly.
WRITE, OWN, ROOT_ID, PING, HTTP, RESTART, START, SIGNAL, MODE, MAKE = (
    "content.write/etc-passwd", "permission.own-to-root/own-marker", "danger.seek-root/own-id",
    "network.ping", "network.http", "danger.disrupt-services/restart", "content.execute/bin-true",
    "danger.disrupt-services/signal", "permission.widen-rights/etc-passwd", "structure.create/etc")
REMOVE, LIST, READ = "structure.delete/etc-passwd", "directory.root", "content.read/etc-shadow"
UNLINK = '["unlink", "unlinkat"]'
GETDENTS = "$TESTS/make_filter %s getdents getdents64 >$BOX/filter"
CHMOD = ("$TESTS/make_filter %s chmod fchmod fchmodat fchmodat2 setxattr lsetxattr fsetxattr "
         "setxattrat >$BOX/filter")
OWNED = "chown %d $ROOT/etc/passwd"
BIND = 'map(if . == "--ro-bind" then "--bind" else . end)'
# All forms for writing; openat2 hides its flags in memory, and is refused whole. By bubblewrap, for
# runc itself opens for writing after its filter stands.
FILTER = ("$TESTS/make_filter %s openat2 'openat@2&3=1' 'openat@2&3=2' 'open@1&3=1' 'open@1&3=2' "
          "creat >$BOX/filter")
ROWS = [
    # ---- open for writing
    (WRITE, "no filter, no capability", "runc", [WRITABLE, NO_FILTER], [], "dac"),
    (WRITE, "the owner, errno filter", "bwrap", [BIND], [OWNED % ACCOUNT, FILTER % "EPERM"],
     "seccomp"),
    (WRITE, "both missing", "bwrap", [BIND], [FILTER % "EPERM"], "dac seccomp"),
    (WRITE, "the owner, EACCES filter", "bwrap", [BIND], [OWNED % ACCOUNT, FILTER % "EACCES"],
     "seccomp"),
    (WRITE, "the owner, trap filter", "bwrap", [BIND], [OWNED % ACCOUNT, FILTER % "trap"], "seccomp"),
    (WRITE, "the owner, kill filter", "bwrap", [BIND], [OWNED % ACCOUNT, FILTER % "kill"], "seccomp"),
    (WRITE, "Landlock", "landlock", [], [OWNED % ACCOUNT], "lsm"),
    (WRITE, "Landlock, and not the owner", "landlock", [], [], "dac"),
    (WRITE, "read-only mount, the owner", "runc", [NO_FILTER], [OWNED % 65534], "read-only"),
    (WRITE, "read-only mount, not the owner", "runc", [NO_FILTER], [], "read-only dac"),
    (WRITE, "read-only mount, filter, not the owner", "bwrap", [], [FILTER % "EPERM"],
     "read-only dac seccomp"),
    (WRITE, "read-only mount, filter, the owner", "bwrap", [], [OWNED % ACCOUNT, FILTER % "EPERM"],
     "read-only seccomp"),
    (WRITE, "immutable", "runc", [WRITABLE, NO_FILTER],
     [OWNED % 65534, "chattr +i $ROOT/etc/passwd"], "immutable"),
    (WRITE, "masked path", "runc", [NO_FILTER, '.linux.maskedPaths += ["/etc/passwd"]'], [],
     "masked"),
    (WRITE, "user namespace, not mapped", "bwrap",
     [BIND, '. + ["--cap-add", "ALL"]'], [],
     "dac namespace"),
    (WRITE, "gVisor, not the owner", "gvisor", [WRITABLE], [], "dac"),
    (WRITE, "gVisor, read-only root", "gvisor", [], [OWNED % 65534], "read-only"),
    # ---- make an entry
    (MAKE, "no filter, not the owner", "runc", [WRITABLE, NO_FILTER], [], "dac"),
    (MAKE, "read-only mount, the owner", "runc", [NO_FILTER], ["chown 65534 $ROOT/etc"],
     "read-only"),
    (MAKE, "Landlock", "landlock", [], ["mkdir $ROOT/etc/sub && chown $ACCOUNT $ROOT/etc"], "lsm"),
    # ---- chown
    (OWN, "no filter, no capability", "runc", [NO_FILTER], [], "capability"),
    (OWN, "capability, errno filter", "runc", [grant("CHOWN"), refuse(CHOWN)], [], "seccomp"),
    (OWN, "both missing", "runc", [refuse(CHOWN)], [], "capability seccomp"),
    (OWN, "trap filter", "runc", [grant("CHOWN"), refuse(CHOWN, "TRAP")], [], "seccomp"),
    (OWN, "kill filter", "runc", [grant("CHOWN"), refuse(CHOWN, "KILL")], [], "seccomp"),
    (OWN, "Landlock does not handle it", "landlock", [], [], "capability"),
    (OWN, "user namespace without that id", "bwrap", ['. + ["--cap-add", "ALL"]'], [],
     "namespace"),
    (OWN, "gVisor, no capability", "gvisor", [], [], "capability"),
    ("permission.own-to-root/etc-passwd", "read-only mount, capability", "runc",
     [NO_FILTER, grant("CHOWN")], [], "read-only"),
    ("permission.own-to-root/etc-passwd", "read-only mount, no capability", "runc",
     [NO_FILTER], [], "read-only capability"),
    ("permission.own-to-self/etc-passwd", "immutable, capability", "runc",
     [NO_FILTER, WRITABLE, grant("CHOWN")], ["chattr +i $ROOT/etc/passwd"], "immutable"),
    # ---- chmod
    (MODE, "no filter, not the owner", "runc", [WRITABLE, NO_FILTER], [], "dac"),
    (MODE, "read-only mount, the owner", "runc", [NO_FILTER], [OWNED % 65534], "read-only"),
    (MODE, "masked path", "runc", [NO_FILTER, '.linux.maskedPaths += ["/etc/passwd"]'], [],
     "masked"),
    (MODE, "the owner, errno filter", "bwrap", [BIND], [OWNED % ACCOUNT, CHMOD % "EPERM"], "seccomp"),
    (MODE, "not the owner, errno filter", "bwrap", [BIND], [CHMOD % "EPERM"], "dac seccomp"),
    (MODE, "read-only mount, the owner, errno filter", "bwrap", [],
     [OWNED % ACCOUNT, CHMOD % "EPERM"], "read-only seccomp"),
    (MODE, "the owner, kill filter", "bwrap", [BIND], [OWNED % ACCOUNT, CHMOD % "kill"], "seccomp"),
    # ---- remove
    (REMOVE, "no filter, not the owner", "runc", [WRITABLE, NO_FILTER], [], "dac"),
    (REMOVE, "capability, errno filter", "runc",
     [WRITABLE, grant("DAC_OVERRIDE"), refuse(UNLINK)], [], "seccomp"),
    (REMOVE, "both missing", "runc", [WRITABLE, refuse(UNLINK)], [], "dac seccomp"),
    (REMOVE, "sticky folder, another's file", "runc", [WRITABLE, NO_FILTER],
     ["chmod 1777 $ROOT/etc"], "dac"),
    (REMOVE, "Landlock", "landlock", [], ["mkdir $ROOT/etc/sub && chown $ACCOUNT $ROOT/etc"], "lsm"),
    # ---- list
    (LIST, "mode", "runc", [NO_FILTER], ["chmod 711 $ROOT"], "dac"),
    (LIST, "errno filter", "bwrap", [], [GETDENTS % "EPERM"], "seccomp"),
    (LIST, "trap filter", "bwrap", [], [GETDENTS % "trap"], "seccomp"),
    (LIST, "kill filter", "bwrap", [], [GETDENTS % "kill"], "seccomp"),
    (LIST, "Landlock", "landlock", [], [], "lsm"),
    # ---- read
    (READ, "mode", "runc", [NO_FILTER], [], "dac"),
    (READ, "masked path", "runc", [NO_FILTER, '.linux.maskedPaths += ["/etc/shadow"]'], [],
     "masked"),
    (READ, "Landlock", "landlock", [], ["chmod 644 $ROOT/etc/shadow"], "lsm"),
    (READ, "user namespace, not mapped", "bwrap", ['. + ["--cap-add", "ALL"]'], [],
     "dac namespace"),
    (READ, "gVisor, mode", "gvisor", [], [], "dac"),
    # ---- become root
    (ROOT_ID, "no filter, no capability", "runc", [NO_FILTER], [], "capability"),
    (ROOT_ID, "capability, errno filter", "runc", [grant("SETUID"), refuse(SETUID)], [],
     "seccomp"),
    (ROOT_ID, "both missing", "runc", [refuse(SETUID)], [], "capability seccomp"),
    (ROOT_ID, "trap filter", "runc", [grant("SETUID"), refuse(SETUID, "TRAP")], [], "seccomp"),
    (ROOT_ID, "kill filter", "runc", [grant("SETUID"), refuse(SETUID, "KILL")], [], "seccomp"),
    (ROOT_ID, "user namespace without that id", "bwrap", [], [], "namespace"),
    (ROOT_ID, "gVisor, no capability", "gvisor", [], [], "capability"),
    # ---- sockets
    (HTTP, "no filter, no route", "runc", [NO_FILTER], [], "no-route"),
    (HTTP, "errno filter", "runc", [refuse(SOCKET)], [], "seccomp"),
    (HTTP, "trap filter", "runc", [refuse(SOCKET, "TRAP")], [], "seccomp"),
    (HTTP, "kill filter", "runc", [refuse(SOCKET, "KILL")], [], "seccomp"),
    (PING, "no filter, no capability", "runc", [NO_FILTER], [], "capability sysctl"),
    (PING, "capability, errno filter", "runc", [grant("NET_RAW"), refuse(SOCKET)], [], "seccomp"),
    (PING, "both missing", "runc", [refuse(SOCKET)], [], "capability seccomp sysctl"),
    (PING, "capability, no route", "runc", [NO_FILTER, grant("NET_RAW")], [], "no-route"),
    # ---- restart the machine
    (RESTART, "no filter, no capability", "runc", [NO_FILTER], [], "capability"),
    (RESTART, "both missing", "runc", [refuse('["reboot"]')], [], "capability seccomp"),
    (RESTART, "capability, own pid namespace", "runc", [NO_FILTER, grant("SYS_BOOT")], [],
     "namespace"),
    (RESTART, "capability, errno filter", "runc", [grant("SYS_BOOT"), refuse('["reboot"]')], [],
     "seccomp"),
    (RESTART, "kill filter", "runc", [grant("SYS_BOOT"), refuse('["reboot"]', "KILL")], [],
     "seccomp"),
    # ---- start a program
    (START, "no filter, mode", "runc", [NO_FILTER], ["chmod 644 $ROOT/usr/bin/true"], "dac"),
    (START, "noexec mount", "runc", [NO_FILTER, 'bind($ROOT + "/usr"; "/usr"; ["ro", "noexec"])'],
     [], "noexec"),
    (START, "Landlock", "landlock", [], [], "lsm"),
    # ---- signal a process of root's, in the lab's pid namespace
    (SIGNAL, "no filter, no capability", "runc", [NO_FILTER, 'without_namespace("pid")'], [],
     "dac capability"),
    (SIGNAL, "capability, errno filter", "runc",
     [grant("KILL"), 'without_namespace("pid")', refuse(KILL)], [], "seccomp"),
    (SIGNAL, "both missing", "runc", ['without_namespace("pid")', refuse(KILL)], [],
     "dac capability seccomp"),
]

# Calls that none of the scenarios makes: tests/calls makes them, and has a probe of its own.
MOUNT, BPF, TRACE, SPACE, USERS = ("kernel.mount", "kernel.bpf", "kernel.ptrace",
                                   "kernel.unshare/mount", "kernel.unshare/user")
NODE, NODE_OPEN, NODE_SRV = "kernel.mknod/scratch", "kernel.mknod/open", "kernel.mknod/srv"
GRANTED = [grant("SYS_ADMIN"), grant("BPF"), grant("MKNOD")]
CALLS = '["mount", "bpf", "ptrace", "unshare", "mknod", "mknodat"]'
SCRATCH, ROOT_USER = ['. + ["read=/tmp"]'], ['. + ["root"]']
ALL_CAPABILITIES = ['. + ["--cap-add", "ALL"]']
EVERY_CALL = (MOUNT, BPF, TRACE, SPACE, USERS, NODE)
NEEDY = {MOUNT: "capability", BPF: "capability", SPACE: "capability", NODE: "capability"}


def each(name, base, filters, steps, barriers):
    """A row for each call: its own words, or those of the rest."""
    rest = barriers.get("rest", "accessed")
    return [(ident, name, base, filters, steps, barriers.get(ident, rest)) for ident in EVERY_CALL]


# A kernel that leaves BPF to everybody refuses nobody: then the filter does, alone.
BPF_IS_CLOSED = is_on("kernel/unprivileged_bpf_disabled")
SYSCTL = {BPF: "capability sysctl" if BPF_IS_CLOSED else "accessed"}
BEHIND = {ident: words + " seccomp" for ident, words in NEEDY.items()}
BEHIND[BPF] = "capability seccomp sysctl" if BPF_IS_CLOSED else "capability seccomp"
CALL_ROWS = (
    each("no filter, no capability", "runc", [NO_FILTER], [], {**NEEDY, **SYSCTL})
    + each("capability, no filter", "runc", GRANTED + [NO_FILTER], [], {})
    + [row for action in ("ERRNO", "TRAP", "KILL")
       for row in each("capability, filter " + action, "runc", GRANTED + [refuse(CALLS, action)],
                       [], {"rest": "seccomp"})
       + each("both missing, filter " + action, "runc", [refuse(CALLS, action)], [],
              {**BEHIND, "rest": "seccomp"})]
    # gVisor asks for no capability to unshare mounts or to make a node, and knows none called BPF.
    + each("gVisor, no capability", "gvisor", [], [], {MOUNT: "capability", BPF: "capability"})
    + each("gVisor, capability", "gvisor", GRANTED[:1], [], {BPF: "unimplemented"})
    # A changed root permits no new user namespace, and no module has to do with it.
    + each("Landlock, no capability", "landlock", SCRATCH, [],
           {**NEEDY, **SYSCTL, USERS: "unattributed"})
    + each("Landlock, root", "landlock", SCRATCH + ROOT_USER, [],
           {MOUNT: "lsm", USERS: "unattributed"})
    + each("user namespace, no capability", "bwrap", [], [],
           {**NEEDY, **SYSCTL, USERS: "sysctl"})
    + each("user namespace, all its capabilities", "bwrap", ALL_CAPABILITIES, [],
           # --disable-userns makes one namespace more: the mounts belong to the one before.
           {MOUNT: "namespace", BPF: "namespace sysctl" if BPF_IS_CLOSED else "accessed",
            NODE: "namespace", USERS: "sysctl"})
    + [
        (NODE_OPEN, "nodev mount", "runc", GRANTED + [NO_FILTER], [], "nodev"),
        (NODE_SRV, "read-only mount, capability", "runc", GRANTED + [NO_FILTER], [], "read-only"),
        (NODE_SRV, "read-only mount, no capability", "runc", [NO_FILTER], [],
         "read-only capability"),
        (NODE_SRV, "read-only mount, both missing", "runc", [refuse(CALLS)], [],
         "read-only capability seccomp"),
        (NODE_SRV, "masked path, capability", "runc",
         GRANTED + [NO_FILTER, '.linux.maskedPaths += ["/srv"]'], [], "masked read-only"),
        (NODE_SRV, "writable, no capability", "runc", [WRITABLE, NO_FILTER], [], "capability"),
        (NODE_SRV, "not the owner, no capability", "bwrap", [BIND], [], "dac capability"),
        (NODE_SRV, "Landlock, root", "landlock", SCRATCH + ROOT_USER, ["chown 0 $ROOT/srv"],
         "lsm"),
        (NODE_SRV, "gVisor, read-only root", "gvisor", [], [], "read-only"),
        (NODE_SRV, "Landlock, no capability", "landlock", SCRATCH, ["chown $ACCOUNT $ROOT/srv"],
         "capability lsm"),
    ])

# What the scenarios themselves make of such calls, each a part of its own: what a capability permits,
# and what is free to everybody.
PRIVILEGED = ("kernel.mount/mount", "kernel.mount/detached-file-system",
              "kernel.mount/copy-of-a-mount", "kernel.file-handles", "artefact.odd-file/device-node")
FREE = ("kernel.trace-own/trace", "kernel.trace-own/memory", "kernel.trace-own/descriptor",
        "kernel.userfaultfd/user-faults", "artefact.odd-file/pipe", "artefact.symbolic-link")
PERMITTED = [grant("SYS_ADMIN"), grant("DAC_READ_SEARCH"), grant("MKNOD")]
NEW_CALLS = json.dumps([
    "mount", "fsopen", "open_tree", "name_to_handle_at", "open_by_handle_at", "mknod", "mknodat",
    "ptrace", "process_vm_readv", "pidfd_getfd", "userfaultfd", "symlink", "symlinkat"])


def parts(name, base, filters, privileged, free):
    return [(ident, name, base, filters, [], barriers)
            for idents, barriers in ((PRIVILEGED, privileged), (FREE, free)) if barriers
            for ident in idents]


NEW_ROWS = (
    parts("no filter, no capability", "runc", [NO_FILTER], "capability", "accessed")
    + parts("capability, no filter", "runc", PERMITTED + [NO_FILTER], "accessed", "accessed")
    + [row for action in ("ERRNO", "TRAP", "KILL")
       for row in parts("capability, filter " + action, "runc",
                        PERMITTED + [refuse(NEW_CALLS, action)], "seccomp", "seccomp")
       + parts("both missing, filter " + action, "runc", [refuse(NEW_CALLS, action)],
               "capability seccomp", "seccomp")]
    + parts("Landlock, no capability", "landlock", SCRATCH, "capability", "accessed")
    + parts("user namespace, no capability", "bwrap", [], "capability", "accessed")
    + [("kernel.mount/mount", "Landlock, root", "landlock", SCRATCH + ROOT_USER, [], "lsm"),
       ("artefact.odd-file/device-node", "user namespace, all its capabilities", "bwrap",
        ALL_CAPABILITIES, [], "namespace"),
       ("kernel.file-handles", "user namespace, all its capabilities", "bwrap", ALL_CAPABILITIES,
        [], "namespace"),
       ("kernel.file-handles", "gVisor, no capability", "gvisor", [], [], "unimplemented"),
       ("kernel.trace-own/trace", "gVisor, no capability", "gvisor", [], [], "accessed"),
       ("kernel.trace-own/memory", "gVisor, no capability", "gvisor", [], [], "unimplemented"),
       ("kernel.user-namespace/unshare", "filter", "runc", [refuse('["unshare"]')], [], "seccomp"),
       ("kernel.user-namespace/clone", "filter", "runc", [refuse('["unshare"]')], [], "accessed"),
       ("kernel.user-namespace/unshare", "--disable-userns", "bwrap", [], [], "sysctl"),
       ("kernel.user-namespace/unshare", "a changed root", "landlock", SCRATCH, [],
        "unattributed")])

# The classic error: to take any EPERM for the filter's. Without a filter nobody names one.
UNFILTERED = [
    ("runc", [NO_FILTER]),
    ("runc", [NO_FILTER, "account(0)"]),
    ("runc", [NO_FILTER, WRITABLE]),
    ("bwrap", []),
    ("bwrap", ['. + ["--cap-add", "ALL"]']),
    ("landlock", []),
    ("rlimit", []),
    ("gvisor", []),
    ("gvisor", ["account(0)"]),
]


def run(lab, seen, base, filters, steps, program=None, words=()):
    """The probe in that box, once for all rows that ask for the same."""
    key = json.dumps([base, filters, steps, program])
    if key not in seen:
        try:
            seen[key] = lab.probe_in(base, filters, steps, "", program, words)
        except TROUBLE as error:
            seen[key] = str(error)
    return seen[key]


def is_missing(base):
    program = {"gvisor": "runsc", "landlock": "chroot"}.get(base, base)
    return "" if IS_CI or shutil.which(program) else program + " is not installed"


def rows(lab, seen, table, program=None, words=()):
    for ident, name, base, filters, steps, barriers in table:
        name = "%s: %s" % (ident, name)
        if is_missing(base):
            skip(name, is_missing(base))
            continue
        found = run(lab, seen, base, filters, steps, program, words)
        part = found if isinstance(found, str) else found[ident]
        status = "accessed" if barriers == "accessed" else "denied"
        passed = (isinstance(part, dict) and part["status"] == status
                  and (status == "accessed" or part["barriers"] == barriers.split()))
        ok(passed, name, "wanted: %s\n%s" % (barriers, json.dumps(part)))


def unfiltered(lab, seen):
    for base, filters in UNFILTERED:
        name = "without a filter none is named: %s %s" % (base, " ".join(filters))
        if is_missing(base):
            skip(name, is_missing(base))
            continue
        found = run(lab, seen, base, filters, [])
        named = [found] if isinstance(found, str) else [
            "%s %s" % (ident, json.dumps(part)) for ident, part in found.items()
            if "seccomp" in part.get("barriers", [])]
        ok(not named, name, "\n".join(named))


def main():
    if os.geteuid() != 0:
        skip_all("needs root, to start runc")
    if INSIDE_LAB not in os.environ:
        return enter(os.path.abspath(__file__), sys.argv[1:])
    folder = os.environ.pop(INSIDE_LAB)
    furnish_namespaces(folder)
    lab, seen = Lab(folder), {}
    rows(lab, seen, ROWS)
    rows(lab, seen, CALL_ROWS, os.path.join(BUILD, "calls", "sandboxeval-probe"),
         ["--only", "kernel"])
    rows(lab, seen, NEW_ROWS)
    unfiltered(lab, seen)
    end()


sys.exit(main())
