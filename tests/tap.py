# SPDX-License-Identifier: MIT
"""What the tests in Python share: answers in the Test Anything Protocol, on standard output."""

import os
import sys
import threading

IS_CI = os.environ.get("CI") == "true"
LINES, CHARACTERS = 40, 2000  # of what is told of a failure

lock = threading.RLock()
done = failed = 0


def ok(passed, name, why=()):
    """`why` is shown of a failure: lines, or anything else as text."""
    global done, failed
    lines = "\n".join(map(str, why)) if isinstance(why, (list, tuple)) else str(why)
    with lock:
        done += 1
        failed += not passed
        print("ok" if passed else "not ok", done, "-", name)
        for line in lines.splitlines()[:LINES] if not passed else ():
            print("#", line[:CHARACTERS])
        sys.stdout.flush()


def skip(name, why, also_in_ci=False):
    """What is missing must be there in CI; but for the kernel's own, which nobody installs."""
    global done
    if IS_CI and not also_in_ci and not why.startswith("this kernel"):
        ok(False, name, why)
        return
    with lock:
        done += 1
        print("ok", done, "- # SKIP", name + ":", " ".join(why.split())[:CHARACTERS], flush=True)


def todo(name, why):
    """Not a failure, and prove lists it when it begins to pass."""
    global done
    done += 1
    print("not ok", done, "-", name, "# TODO", why, flush=True)


def skip_all(why):
    """Nothing of the file can be tried here; in CI, where nothing may be missing, it fails."""
    print("Bail out!" if IS_CI else "1..0 # SKIP", why)
    sys.exit(IS_CI)


def end():
    print("1..%d" % done)
    sys.exit(failed > 0)
