#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
paper.py [--write FILE]: do the findings of the paper come out again? Makes a sandbox like the one
that the paper assessed (gVisor, an ordinary account, no network, limits, an environment with a dummy
key, an internal address and a digest), and looks outside any sandbox beside a witness. Prints the
page docs/paper.md, or writes it; exit status 1 if a finding does not come out, 77 if the sandbox
cannot be made here.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TREE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(TREE, "tests", "cross"))
import cross  # noqa: E402  (its root folder to throw away)

HOST = os.path.join(cross.BUILD, "sandboxeval")
ACCOUNT = 65534
# Made up, of the shapes that the paper found: an access key, an address, a digest.
ENVIRONMENT = {
    "PATH": "/usr/bin",
    "STORAGE_ACCESS_KEY": "AKIA" + "SANDBOXEVALDUMMY"[:16],
    "SCHEDULER": "10.32.0.17:6443",
    "IMAGE_DIGEST": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}

BOX, OUTSIDE = "sandbox", "outside"
NETWORK = """network.cloud-storage network.dns network.email network.ftp network.http
    network.messaging network.ping network.ssh""".split()

# The paper's finding; where; what must come out. "scenario/case" speaks of one case.
FINDINGS = [
    ("Environment variables are exposed: keys, internal addresses, digests.", BOX, {
        "metadata.environment-variables": "accessed",
        "metadata.environment-variables/key": "accessed",
        "metadata.environment-variables/internal-address": "accessed",
        "metadata.environment-variables/digest": "accessed"}),
    ("Much information about the system can be read.", BOX, {
        "system.operating-system": "accessed", "system.cpu": "accessed",
        "system.memory": "accessed", "system.storage": "accessed", "directory.root": "accessed",
        "metadata.permissions": "accessed", "content.list-readable": "accessed"}),
    ("Sensors, other users and processes of others cannot be seen.", BOX, {
        "system.sensors": "denied", "system.users": "denied", "system.processes": "denied"}),
    ("The home folder of root cannot be listed.", BOX, {
        "directory.home": "denied", "directory.home/root": "denied"}),
    ("Writing works in scratch folders only.", BOX, {
        "structure.copy": "accessed", "structure.create": "denied",
        "content.list-writable": "denied", "content.write": "denied"}),
    ("No protected file can be read, changed, taken over or opened to others.", BOX, {
        "content.read/etc-shadow": "denied", "content.read/root-home": "denied",
        "content.write": "denied", "structure.move": "denied", "structure.rename": "denied",
        "structure.delete": "denied", "permission.own-to-root": "denied",
        "permission.own-to-self": "denied", "permission.widen-rights": "denied",
        "permission.narrow-rights": "denied"}),
    ("No way to communicate works.", BOX, {ident: "denied" for ident in NETWORK}),
    ("Misuse of resources and disruption are stopped.", BOX, {
        "danger.seek-root": "denied", "danger.alter-system-files": "denied",
        "danger.delete-system-files": "denied", "danger.exhaust-processor": "denied",
        "danger.exhaust-memory": "denied", "danger.exhaust-processes": "denied",
        "danger.disrupt-services": "denied"}),
    ("Outside a sandbox, the ways to communicate work.", OUTSIDE,
     {ident: "accessed" for ident in NETWORK}),
]


class Missing(Exception):
    """The sandbox cannot be made on this machine."""


def make_box(folder):
    """A root folder as an image would have it, and an OCI configuration."""
    root = cross.make_root(os.path.join(folder, "root"), False)
    for name, text in (("passwd", "root:x:0:0:root:/root:/bin/sh\n"), ("group", "root:x:0:\n")):
        with open(os.path.join(root, "etc", name), "w", encoding="ascii") as file:
            file.write(text)
    subprocess.run(["rm", "-rf", root + "/home/alice", root + "/cross"], check=True)
    os.utime(root + "/tmp")
    subprocess.run(["runsc", "spec", "--bundle", folder, "--", "/probe"], check=True,
                   capture_output=True)
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    process = config["process"]
    process["user"] = {"uid": ACCOUNT, "gid": ACCOUNT}
    process["env"] = ["%s=%s" % pair for pair in ENVIRONMENT.items()]
    process["capabilities"] = {kind: [] for kind in ("bounding", "effective", "inheritable",
                                                     "permitted", "ambient")}
    process["noNewPrivileges"] = True
    process["rlimits"] = [{"type": "RLIMIT_" + name, "soft": value, "hard": value}
                          for name, value in (("NOFILE", 256), ("CPU", 60), ("NPROC", 16),
                                              ("AS", 64 << 20), ("DATA", 64 << 20),
                                              ("FSIZE", 32 << 20), ("CORE", 0))]
    config["root"] = {"path": root, "readonly": True}
    config["mounts"].append({"destination": "/tmp", "type": "tmpfs", "source": "tmpfs",
                             "options": ["nosuid", "nodev", "noexec", "mode=1777"]})
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    return os.path.join(folder, "config.json")


def run(*words):
    done = subprocess.run(cross.AS_ROOT + [HOST, "run"] + list(words[:1])
                          + ["--no-history", "--quiet", "--single", "--report", "json=-"]
                          + list(words[1:]), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, cwd="/", timeout=300, check=False)
    if not done.stdout.strip():
        raise Missing(done.stderr.strip()[-300:])
    report = json.loads(done.stdout)
    if not report["complete"]:
        raise Missing("; ".join(report["incomplete_because"])[:300])
    return report


def by_name(report):
    """Status and what tells more, of scenarios and of cases."""
    found = {}
    for one in report["results"]:
        found[one["id"]] = (one["status"], one["barriers"] or ([one["reason"]] if one["reason"]
                                                                else []), one)
        for part in one["cases"]:
            found["%s/%s" % (one["id"], part["case"])] = (
                part["status"], part["barriers"] or ([part["reason"]] if part["reason"] else []),
                one)
    return found


def page(found, versions, ours):
    lines = ["# The paper's findings, and ours", "",
             "<!-- Written by `make paper`: do not edit. -->", "",
             "The list of scenarios begins with the 51 of *SandboxEval: Towards Securing Test "
             "Environment for Untrusted Code* ([arXiv 2504.00018]"
             "(https://arxiv.org/abs/2504.00018)). The paper ran them as Python code in the Dyff "
             "platform: containers on gVisor, an account with few rights, no network, limits. Here "
             "they are tried by system calls, in a sandbox made like that one, and outside any "
             "sandbox beside a witness. `tests/paper.t` asserts that each finding comes out again.",
             "",
             "The sandbox: %s; uid %d, no capability, no-new-privileges, a read-only root, a "
             "scratch folder in memory, no network, resource limits; in its environment a made-up "
             "key, an internal address and a digest of 64 digits." % (versions, ACCOUNT), "",
             "Each heading is a finding of the paper in our words. The paper does not tell each "
             "scenario's result one by one: the second column is what the finding says of it.", ""]
    bad = []
    for text, place, wanted in FINDINGS:
        lines += ["## " + text, "",
                  "| %s | By the finding | Here | Barriers here |" % ("In the sandbox" if place == BOX else
                                                     "Outside a sandbox"),
                  "| --- | --- | --- | --- |"]
        for name, status in wanted.items():
            said, by, _ = found[place].get(name, ("missing", [], None))
            mark = " (our reading)" if name.split("/")[0] in ours else ""
            lines.append("| `%s`%s | %s | %s | %s |" % (name, mark, status, said,
                                                       ", ".join(by) or "–"))
            if said != status:
                bad.append("%s: %s is %s, not %s" % (text, name, said, status))
        lines.append("")
    lines += ["## What is our reading", "",
              "The paper names groups of scenarios, and members of most. Where it names a group and "
              "not this member, the member is ours: %d of the 51. The other members are the "
              "paper's." % len(ours), ""]
    lines += ["- `%s`: %s" % (ident, found[BOX][ident][2]["title"]) for ident in sorted(ours)
              if ident in found[BOX]]
    return "\n".join(lines) + "\n", bad


def ours_of_the_paper():
    """Ids of the paper's list that are our reading, from the page of all scenarios."""
    ours, ident = [], None
    with open(os.path.join(TREE, "docs", "scenarios.md"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("### "):
                ident = line[4:].split(":")[0]
            elif line.startswith("- In the paper:") and "our reading" in line:
                ours.append(ident)
    return ours


def main():
    if os.geteuid() != 0:
        print("paper.py: needs root", file=sys.stderr)
        return 77
    try:
        with tempfile.TemporaryDirectory(prefix="sandboxeval-paper-", dir="/tmp") as folder:
            os.chmod(folder, 0o755)
            config = make_box(folder)
            inside = run("gvisor", "--", "--config", config)
            outside = run("none")
    except (Missing, cross.Missing, FileNotFoundError, subprocess.CalledProcessError) as missing:
        print("paper.py: %s" % missing, file=sys.stderr)
        return 77
    found = {BOX: by_name(inside), OUTSIDE: by_name(outside)}
    text, bad = page(found, "gVisor (runsc)", ours_of_the_paper())
    if "--write" in sys.argv:
        with open(sys.argv[sys.argv.index("--write") + 1], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    for line in bad:
        print("paper.py: " + line, file=sys.stderr)
    return 1 if bad else 0


sys.exit(main())
