#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
odd.py [FILE ...]: the boxes of tests/cross/odd, each odd in one way, and what must come out there;
answer.py must say the same. A file holds comments (#: why it is odd) and lines "name: value":

    prepare  a shell command, by root, in a folder of its own, $X; any number of them
    tidy     the same afterwards
    account  whose box it is; else the tests' ordinary account
    box      a fixture (docs/fixtures.md), with $X for that folder
    facts    a shell command that prints what the host tells besides, as --facts takes it
    expect   SCENARIO STATUS, and perhaps BARRIER,… that the probe must name, or !BARRIER that it must
             not; any number of them.
             SCENARIO/CASE: the script, which knows no cases, is not asked
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.abspath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(TREE, "tests"))
from tap import end, ok, skip, skip_all  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(TREE, "build")))
BUNDLE = os.path.join(BUILD, "cross", "bundle")
PROBE = os.path.join(BUILD, "sandboxeval-probe")
UNAVAILABLE = 77
FACTS = "place=inside,key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
SCRIPT = ("/cross/loader --library-path /cross/libraries --argv0 /cross/bin/python3 "
          "/cross/bin/python3 -ISB /cross/main.py")


class Missing(Exception):
    """This machine cannot make the box."""


def read_file(path):
    fields = {"prepare": [], "tidy": [], "expect": [], "facts": [], "account": "1234"}
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, colon, value = line.strip().partition(": ")
            if line.startswith("#") or not colon:
                continue
            if isinstance(fields.get(name), list):
                fields[name].append(value)
            else:
                fields[name] = value
    return fields


def shell(commands, folder, account):
    said = ""
    for command in commands:
        done = subprocess.run(["sh", "-euc", command], cwd=folder, capture_output=True, text=True,
                              env={"X": folder, "A": account, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
        if done.returncode:
            raise Missing("%s: %s" % (command, done.stderr.strip() or done.returncode))
        said += done.stdout
    return said


def ask(fields, folder, ids, script, facts=FACTS):
    fixture = fields["box"].replace("$X", folder or "$X").replace("$C", BUNDLE)
    if script:
        at = fixture.find(" -- ")
        words, inner = (fixture, "") if at < 0 else (fixture[:at], fixture[at + 4:] + " ")
        if "U" in words.split():
            fixture = "%s -- %s%s" % (words, inner, SCRIPT.replace("/cross/", BUNDLE + "/"))
        else:
            fixture = "%s --ro-bind %s /cross -- %s%s" % (words, BUNDLE, inner, SCRIPT)
    done = subprocess.run([os.path.join(TREE, "tests/boxes/box"), "--account", fields["account"],
                           fixture, PROBE, "--only", ",".join(ids), "--facts", facts],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)
    if done.returncode == UNAVAILABLE:
        raise Missing(done.stderr.strip())
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = {line["id"]: line for line in lines if "id" in line}
    if not found:
        return {"": done.stderr.strip()}
    if any(line.get("clean") is False for line in lines):
        found["left"] = True
    return found


def part_of(found, ident, case):
    line = found.get(ident, {})
    if case:
        line = next((one for one in line.get("cases", []) if one["case"] == case), {})
    return line if line else {"status": found.get("", "no line")}


def check(path):
    fields, why = read_file(path), []
    name = os.path.basename(path)
    with tempfile.TemporaryDirectory(prefix="sandboxeval-odd-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        try:
            shell(fields["prepare"], folder, fields["account"])
            told = shell(fields["facts"], folder, fields["account"]).split()
            facts = ",".join([FACTS] + told)
            ids = {line.split()[0].split("/")[0] for line in fields["expect"]}
            whole = {line.split()[0] for line in fields["expect"] if "/" not in line}
            said = {"probe": ask(fields, folder, sorted(ids), False, facts)}
            if whole:
                said["script"] = ask(fields, folder, sorted(whole), True, facts)
        except Missing as missing:
            skip(name, str(missing)[-200:])
            return
        except (subprocess.TimeoutExpired, ValueError) as fault:
            ok(False, "%s: %s" % (name, fault))
            return
        finally:
            try:
                shell(fields["tidy"], folder, fields["account"])
            except Missing:
                pass
        if said["probe"].get("left"):
            why.append("the probe left something behind")
        for line in fields["expect"]:
            ident, wanted, *barriers = line.split()
            name_of, _, case = ident.partition("/")
            for who, found in said.items():
                if case and who == "script":
                    continue
                part = part_of(found, name_of, case)
                status = part["status"]
                for barrier in barriers[0].split(",") if barriers and who == "probe" else []:
                    if (barrier.lstrip("!") in part.get("barriers", [])) == barrier.startswith("!"):
                        why.append("%s: %s names %s" % (ident, who, part.get("barriers")))
                if status != wanted:
                    why.append("%s: %s says %s, not %s" % (ident, who, status, wanted))
                    why.append("    " + json.dumps(found.get(name_of))[:600])
    ok(not why, "%s: %s" % (name, ", ".join(fields["expect"])), why)


def main():
    if os.geteuid() != 0:
        skip_all("needs root, for other accounts")
    for path in sys.argv[1:] or sorted(glob.glob(os.path.join(HERE, "odd", "*"))):
        check(path)
    end()


if __name__ == "__main__":
    main()
