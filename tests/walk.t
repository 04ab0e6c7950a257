#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The walk counts what find(1) counts: in a tree of some 20,000 entries with every kind of mode,
# owners, access control lists, links, fifos, sockets, odd names, folders that may not be listed or
# searched, and more than ten levels; bound writable and read-only, for an ordinary account and for
# one that holds all capabilities in its box.

import itertools
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, "tests")
from tap import end, ok, skip, skip_all  # noqa: E402

PROBE = os.path.join(os.environ.get("BUILD", "build"), "sandboxeval-probe")
IS_ROOT = os.geteuid() == 0
ENTRIES = 20000
ACCOUNT, GROUP, STRANGER = 1234, 4242, 4321  # no entries in /etc/passwd
SECONDS = 120


# ---------------------------------------------------------------- the tree

MODES = [0o644, 0o755, 0o600, 0o640, 0o444, 0o000, 0o004, 0o040, 0o400, 0o002, 0o020, 0o200,
         0o001, 0o010, 0o100, 0o666, 0o777, 0o711, 0o660, 0o070, 0o607, 0o4755, 0o4711, 0o4644,
         0o2755, 0o555, 0o604, 0o064]
FOLDER_MODES = [0o755] * 20 + [0o777, 0o1777, 0o700, 0o711, 0o744, 0o311, 0o000, 0o770, 0o773]
# A mask may hide what an entry gives, and several groups may give what none gives alone.
LISTS = ["u:%d:rwx" % ACCOUNT, "u:%d:r" % ACCOUNT, "u:%d:rwx,m::r" % ACCOUNT, "g:%d:rw" % GROUP,
         "g:%d:x,u:%d:rw" % (GROUP, STRANGER), "u:%d:-,o::r" % ACCOUNT, "g:%d:rwx,m::-" % GROUP,
         "g:%d:w,g:%d:x" % (GROUP, ACCOUNT)]
NAMES = ["plain", "two words", "naïve", "line\nfeed", "-dash", ".hidden", "..twice", "quo'te\""]


class Tree:
    def __init__(self, root):
        self.random = random.Random(2411)
        self.made = 0
        self.lists = []
        os.mkdir(root)
        self.fill(root)

    def own(self, path):
        if IS_ROOT:
            os.chown(path, self.random.choice([0, 0, 0, ACCOUNT, STRANGER]),
                     self.random.choice([0, 0, ACCOUNT, GROUP, STRANGER]))

    def finish(self, path, modes):
        """Owner first, because a change of it takes the set-id bits away."""
        mode = self.random.choice(modes)
        self.own(path)
        os.chmod(path, mode)
        if self.random.random() < 0.08:
            self.lists.append((self.random.choice(LISTS), path))
        self.made += 1

    def fill_with_files(self, folder):
        for number in range(self.random.randint(10, 30)):
            path = os.path.join(folder, "%s-%d" % (self.random.choice(NAMES), number))
            kind = self.random.random()
            if kind < 0.04:
                os.symlink(self.random.choice(["/", ".", "nowhere", "plain-1"]), path)
                self.made += 1
            elif kind < 0.06:
                os.mkfifo(path)
                self.finish(path, MODES)
            elif kind < 0.07 and len(path) < 100:
                with socket.socket(socket.AF_UNIX) as end:
                    end.bind(path)
                self.finish(path, MODES)
            else:
                with open(path, "wb") as file:
                    file.write(b"x" * (number % 3))
                self.finish(path, MODES)

    def fill(self, root):
        waiting, folders = [root], []
        for folder in waiting:
            folders.append(folder)
            self.fill_with_files(folder)
            for number in range(self.random.randint(2, 5)):
                if len(waiting) < ENTRIES / 21 - 40:
                    waiting.append(os.path.join(folder, "d%d" % number))
                    os.mkdir(waiting[-1])
        # One branch goes deeper than the walk does.
        for depth in range(14):
            folder = os.path.join(folder if depth else root, "deep%d" % depth)
            os.mkdir(folder)
            self.fill_with_files(folder)
        for folder in folders[1:]:
            self.finish(folder, FOLDER_MODES)

    def set_lists(self):
        """False where there are no lists: no setfacl, or a file system without them."""
        if not shutil.which("setfacl"):
            return False
        for text, pairs in itertools.groupby(sorted(self.lists), lambda pair: pair[0]):
            paths = [path for _, path in pairs]
            if subprocess.run(["setfacl", "-m", text, "--", *paths], capture_output=True).returncode:
                return False
        # Where all may do something by the mode, the walk asks for no list against one of them:
        # a known way to count too much, which this tree does not have.
        bare = [path for _, path in self.lists if is_for_everybody(os.stat(path).st_mode)]
        subprocess.run(["setfacl", "-b", "--", *bare], check=True)
        self.lists = [pair for pair in self.lists if pair[1] not in set(bare)]
        return True


def is_for_everybody(mode):
    return any(mode & 0o111 << bit == 0o111 << bit for bit in range(3))


# ---------------------------------------------------------------- two answers in the same box


def copy_program(program, folder):
    """With the libraries that it needs: the box holds little besides the tree."""
    shutil.copy(shutil.which(program), folder)
    libraries = subprocess.run(["ldd", shutil.which(program)], capture_output=True, text=True)
    for word in libraries.stdout.split():
        if word.startswith("/"):
            shutil.copy(word, os.path.join(folder, "lib"))


def in_box(folder, how, words):
    account = ["setpriv", "--reuid", str(ACCOUNT), "--regid", str(ACCOUNT), "--groups",
               "%d,%d" % (ACCOUNT, GROUP)] if IS_ROOT else []
    command = account + [
        "env", "-i", "bwrap", "--unshare-all", "--die-with-parent", *how, folder + "/tree", "/tree",
        "--ro-bind", folder + "/programs/lib", "/lib64", "--ro-bind", folder + "/programs", "/run",
        "--setenv", "LD_LIBRARY_PATH", "/lib64", *words]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)


RIGHTS = {"content.list-readable": "-readable", "content.list-writable": "-writable",
          "content.list-executable": "-executable"}


def probed(folder, how):
    """What the walk counted: scenario → case → measure → number."""
    ended = in_box(folder, how, ["/run/probe", "--facts", "place=inside", "--only", ",".join(
        [*RIGHTS, "directory.recursive", "danger.seek-root"])])
    found = {}
    for line in ended.stdout.decode().splitlines():
        line = json.loads(line)
        if "id" in line:
            cases = {case["case"]: {**case.get("measured", {}), **case.get("evidence", {})}
                     for case in line.get("cases", [])}
            found[line["id"]] = {"": line.get("measured", {}), **cases}
    return found


def found_by_find(folder, how, tests):
    """Folders (bytes) of the files that pass the tests, as deep as the walk goes."""
    ended = in_box(folder, how, ["/run/find", "/", "-maxdepth", "10", "-type", "f", "!", "-path",
                                 "/run/probe", *tests, "-printf", "%h\\0"])
    return ended.stdout.split(b"\0")[:-1]


def compare(folder, name, how):
    walk = probed(folder, how)
    measured = walk.get("content.list-readable", {}).get("", {})
    if measured.get("bound") not in ("none", "depth"):
        ok(False, name + ": the walk is not cut", json.dumps(walk))
        return
    for ident, test in RIGHTS.items():
        folders = found_by_find(folder, how, [test])
        below = sum(path.split(b"/")[1:2] == [b"tree"] for path in folders)
        mine = walk[ident][""]
        counts = (mine["files"], mine.get("files.tree", 0), mine["folders"])
        ok(counts == (len(folders), below, len(set(folders))),
           "%s: %d files %s, as find says" % (name, len(folders), test[1:]),
           "walk %s, find %s" % (counts, (len(folders), below, len(set(folders)))))
        ok(mine["contradictions"] == 0, "%s: no contradictions (%s)" % (name, ident))
    private = len(found_by_find(folder, how, ["-readable", "!", "-perm", "-004"]))
    mine = walk["content.list-readable"]["private-file"].get("files")
    ok(mine == private, "%s: %d not for everybody" % (name, private), mine)
    programs = len(found_by_find(folder, how, [
        "-perm", "-4000", "-perm", "/111", "(", "-uid", "0", "-o", "-uid", "65534", ")"]))
    mine = walk["danger.seek-root"]["set-id-program"].get("programs")
    ok(mine == programs, "%s: %d set-id programs" % (name, programs), mine)


def main():
    for needed in ["bwrap", "find", PROBE]:
        if not shutil.which(needed):
            skip_all("%s is not here" % needed)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.umask(0)
        os.makedirs(folder + "/programs/lib", 0o755)
        copy_program("find", folder + "/programs")
        shutil.copy(PROBE, folder + "/programs/probe")
        tree = Tree(folder + "/tree")
        ok(tree.made >= ENTRIES * 0.9, "a tree of %d entries" % tree.made)
        if tree.set_lists():
            ok(True, "%d of them with access control lists" % len(tree.lists))
        else:
            skip("access control lists", "not here")
        every = ["--uid", "0", "--gid", "0", "--cap-add", "ALL"]
        compare(folder, "writable", ["--bind"])
        compare(folder, "read-only", ["--ro-bind"])
        compare(folder, "as root of a box", every + ["--bind"])
        if not IS_ROOT:  # root removes it anyhow
            subprocess.run(["chmod", "-R", "u+rwX", folder + "/tree"])
    end()


main()
