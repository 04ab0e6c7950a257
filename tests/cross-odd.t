#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Odd sandboxes, most of which once led the probe to a wrong answer: tests/cross/odd.
cd "$(dirname "$0")/.." || exit 1
exec tests/cross/odd.py "$@"
