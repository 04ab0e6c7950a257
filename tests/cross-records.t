#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The two boxes of each scenario's record, asked by an independent script: tests/cross/records.py.
cd "$(dirname "$0")/.." || exit 1
exec tests/cross/records.py "$@"
