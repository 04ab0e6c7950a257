# SPDX-License-Identifier: MIT
"""
Where the lab works: namespaces of its own, a folder in memory, the programs that all boxes share, a
stand-in host; and the probe and the check program in a box.
"""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

import boxes

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(HERE, "..", "build")))
MARK = "key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
NAMESPACES = ("pid", "net", "mnt", "ipc", "uts", "user", "cgroup", "time")
# What is compared with the outside by its hash, or by its status.
COMPARED = ("identity.host", "namespace.ipc-objects")
INSIDE_LAB = "SANDBOXEVAL_LAB"
# A box that could not be made, or said nothing that makes sense: told for that control alone.
TROUBLE = (boxes.Refused, subprocess.SubprocessError, OSError, ValueError, KeyError)


# ---------------------------------------------------------------- namespaces


def enter(program, options_given):
    """Namespaces of the lab's own; the folder that is to be its memory is made, and removed."""
    folder = tempfile.mkdtemp(prefix="sandboxeval-lab-")
    command = ["unshare", "--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--mount-proc",
               "--kill-child", "sh", "-c", '"$@"; exit $?', "sh",  # an init, which waits for orphans
               sys.executable, program] + options_given
    try:
        return subprocess.run(command, env={**os.environ, INSIDE_LAB: folder},
                              check=False).returncode
    finally:
        os.rmdir(folder)


def furnish_namespaces(folder):
    """Memory for the boxes, a loopback, an interface and a route that lead nowhere."""
    for command in (
            ["mount", "-t", "tmpfs", "-o", "mode=755", "lab", folder],
            ["mkdir", os.path.join(folder, "outside")],
            ["mount", "-t", "tmpfs", "-o", "mode=755", "outside", os.path.join(folder, "outside")],
            ["mount", "-t", "tmpfs", "-o", "mode=1777", "shm", "/dev/shm"],
            ["ip", "link", "set", "lo", "up"],
            ["ip", "link", "add", "lab0", "type", "veth", "peer", "name", "lab1"],
            ["ip", "link", "set", "lab0", "up"], ["ip", "link", "set", "lab1", "up"],
            ["ip", "address", "add", "198.51.100.2/24", "dev", "lab0"],
            ["ip", "route", "add", "default", "via", "198.51.100.1"]):
        subprocess.run(command, check=True)
    socket.sethostname("lab-host")


# ---------------------------------------------------------------- the lab


class Lab:
    """What all boxes share: a folder in memory, the programs, a stand-in host, perhaps docker."""

    def __init__(self, folder):
        self.folder, self.docker = folder, "docker is not started"
        self.probe = os.path.join(BUILD, "sandboxeval-probe")
        self.check = os.path.join(BUILD, "lab", "check")
        self.tests = os.path.join(BUILD, "tests", "boxes")
        self.confine = os.path.join(BUILD, "lab", "confine")
        for path in (self.probe, self.check, self.confine):
            if not os.path.exists(path):
                sys.exit("lab: no %s: run make lab" % path)
        # Copies: a build that goes on meanwhile changes nothing in the midst of a run.
        self.probe, self.check, self.confine = (
            shutil.copy(path, folder) for path in (self.probe, self.check, self.confine))
        # Another file system than the boxes', as a host's is.
        self.outside = os.path.join(folder, "outside")
        self.host = os.path.join(self.outside, "host")
        os.mkdir(self.host)
        boxes.fill(self.host, boxes.HOST_FILES, self.check)
        # A service of root's, which a box that shares the lab's processes sees.
        self.service = subprocess.Popen([os.path.join(HERE, "beside"), "sleeper", "0",
                                         "lab-service"], stdout=subprocess.PIPE,
                                        stdin=subprocess.DEVNULL)
        self.service.stdout.readline()
        self.facts = facts_of(self.probe)

    def start_docker(self):
        try:
            self.docker = boxes.Docker(self)
        except TROUBLE as error:
            self.docker = str(error)

    def end(self):
        if isinstance(self.docker, boxes.Docker):
            self.docker.end()

    def ask(self, base, filters, steps, beside, questions):
        """The check program's answers in that box, one for each question."""
        if not questions:
            return []
        words = " , ".join(questions).split()
        with boxes.Box(self, base, filters, steps, beside) as box:
            said = box.run(self.check, words).splitlines()
        if len(said) != len(questions):
            raise boxes.Refused("%d answers to %d questions" % (len(said), len(questions)))
        return said

    def probe_in(self, base, filters, steps, beside, program=None, words=()):
        """What the probe found in that box; or another probe, with more words on its line."""
        with boxes.Box(self, base, filters, steps, beside) as box:
            return parse(box.run(program or self.probe, ["--facts", self.facts] + list(words)))


def facts_of(probe):
    """What the host program tells the probe of the outside, of the lab's own namespaces."""
    with open("/proc/sys/kernel/random/boot_id", "rb") as file:
        facts = [MARK, "launch=1", "kernel=" + hashlib.sha256(file.read()).hexdigest()[:16]]
    facts += ["ns.%s=%d" % (kind, os.stat("/proc/self/ns/" + kind).st_ino) for kind in NAMESPACES]
    facts.append("root=%d:%d" % (os.stat("/").st_dev, os.stat("/").st_ino))
    outside = subprocess.run([probe, "--only", ",".join(COMPARED), "--facts",
                              ",".join(["place=outside"] + facts)], stdout=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, check=True).stdout.decode()
    for value in map(json.loads, outside.splitlines()):
        if value.get("id") in COMPARED:
            facts.append("outside.%s=%s" % (value["id"], value["status"]))
            facts += ["outside.%s:%s=%s" % (value["id"], case["case"], case["measured"]["hash"])
                      for case in value.get("cases", []) if "hash" in case.get("measured", {})]
    return ",".join(["place=inside"] + facts)


def parse(text):
    """What the probe found: {"id" or "id/case": part}; the footer must be there, and clean."""
    found, end = {}, None
    for line in text.splitlines():
        value = json.loads(line)
        if "id" in value:
            found[value["id"]] = value
            for part in value.pop("cases", []):
                found[value["id"] + "/" + part["case"]] = part
        elif "end" in value:
            end = value
    if not end or not end["clean"]:
        raise boxes.Refused("the probe did not end clean: %s" % json.dumps(end))
    for part in found.values():
        part.pop("measured", None)
    return found
