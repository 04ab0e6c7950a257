# SPDX-License-Identifier: MIT
"""
Where the probe and answer.py answer differently, and why that is right: sandboxes ("*": any),
scenario, the probe's status, the script's, and the reason. One entry, one settled question.
"""

EXPLAINED = [
]
