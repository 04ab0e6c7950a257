# SPDX-License-Identifier: MIT
"""
Where the probe and answer.py answer differently, and why that is right: sandboxes ("*": any),
scenario, the probe's status with its reason, the script's, and why. One entry, one settled question.
"""

HOST_FILES = "none-user none-root bwrap-common firejail-user landlock-user"

EXPLAINED = [
    # The walk ends at a million entries or three seconds, and a walk that was cut says nothing of
    # what it did not see. The script walks for twenty seconds on a machine with many files.
    (HOST_FILES, "content.list-writable", "unknown/timed-out", "denied", "the walk was cut"),
    (HOST_FILES, "content.list-writable", "unknown/timed-out", "accessed", "the walk was cut"),
    # Under Landlock the script believes access(2) of programs, which it must not open for writing;
    # the probe does not, and says that the control for them failed.
    ("landlock-user", "content.list-writable", "unknown/control-failed", "accessed",
     "access(2) lies under Landlock, and a program is not opened for writing"),
    # The same for set-id programs, of which the script finds one further on.
    (HOST_FILES, "danger.seek-root", "unknown/timed-out", "accessed", "the walk was cut"),
    (HOST_FILES, "danger.seek-root", "unknown/timed-out", "denied", "the walk was cut"),
    # Where a security module may permit making and not removing, and no folder shows which, the
    # probe leaves no name behind to find out; the script does. nspawn's filter hides Landlock.
    *[("nspawn landlock-user", ident, "unknown/control-failed", status, "it could not be removed")
      for ident in ("artefact.set-id-bit", "artefact.symbolic-link", "artefact.odd-file",
                    "device.create")
      for status in ("accessed", "denied")],
    # A search that was cut proves no absence. The script looks at fewer places, and longer.
    *[(HOST_FILES, ident, "unknown/timed-out", "denied", "the search was cut")
      for ident in ("socket.runtime-api", "socket.services", "socket.key-agent",
                    "socket.other-path", "assessment.future-history",
                    "assessment.expected-outputs", "assessment.reward-files",
                    "tamper.deferred-execution")],
    # With /proc/keys covered, only making the persistent ring would tell whether it is there; the
    # script leaves that ring out.
    ("runc", "secret.keyring", "unknown/no-view", "denied", "a ring that is not asked for"),
    # The settings are the emulated kernel's own; the script knows nothing of emulators.
    ("gvisor", "procfs.writable-settings", "denied", "accessed", "no host's settings"),
]
