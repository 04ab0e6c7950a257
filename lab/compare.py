# SPDX-License-Identifier: MIT
"""Two runs of the probe, as bench.parse() gives them, compared part by part."""

import fnmatch



def status_of(part):
    return part["status"] if part["status"] != "unknown" else "unknown/" + part["reason"]


class Difference:
    """Two runs, part by part: words such as "accessed", "-seccomp", "~call" for each part."""

    def __init__(self, before, after):
        self.changes = {}
        for name in sorted(set(before) | set(after)):
            old, new = before.get(name), after.get(name)
            if old is None or new is None:
                self.changes[name] = ["gone" if new is None else "new"]
                continue
            words = [status_of(new)] if status_of(old) != status_of(new) else []
            was, now = set(old.get("barriers", [])), set(new.get("barriers", []))
            if "denied" in (old["status"], new["status"]) and old["status"] == new["status"]:
                words += sorted("-" + b for b in was - now) + sorted("+" + b for b in now - was)
            facts = [{**p["evidence"], "objects": p.get("objects")} for p in (old, new)]
            words += sorted("~" + fact for fact in set(facts[0]) | set(facts[1])
                            if facts[0].get(fact) != facts[1].get(fact))
            if words:
                self.changes[name] = words

    def has(self, line):
        """Is "ID[/CASE] WORD ..." so, of one part that the glob matches at least?"""
        pattern, *words = line.split()
        return any(all(any(c == word or (word == "~" and c[0] == "~") for c in changes)
                       for word in words)
                   for name, changes in self.changes.items() if fnmatch.fnmatchcase(name, pattern))

    def touches(self, ident):
        """Does a status or barrier of that scenario change?"""
        return any(name.split("/")[0] == ident and any(word[0] != "~" for word in words)
                   for name, words in self.changes.items())

    def beyond(self, allowed):
        """Status and barrier changes that no line allows. A whole follows from its cases."""
        status, barriers = [], []
        patterns = [line.split() for line in allowed]
        for name, words in self.changes.items():
            if any(other.startswith(name + "/") for other in self.changes):
                continue
            for word in words:
                if word.startswith("~"):
                    continue
                if any(matches(name, p[0]) and (len(p) == 1 or word in p[1:]) for p in patterns):
                    continue
                (barriers if word[0] in "+-" else status).append("%s %s" % (name, word))
        return status, barriers

    def said(self):
        return ["%s %s" % (name, " ".join(words)) for name, words in self.changes.items()]


def matches(name, pattern):
    """A pattern without a case speaks of all cases."""
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name.split("/")[0], pattern)
