#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The answers of the probe beside those of an independent script, in some twenty sandboxes; names of
# some may be given, and --table FILE. What differs is explained in tests/cross/explained.py, or fails.
cd "$(dirname "$0")/.." || exit 1
exec tests/cross/cross.py "$@"
