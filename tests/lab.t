#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The lab as a test: each relaxed control is noticed where its row says, nothing else flips, and
# unchanged boxes all give the same answers. lab/README.md
cd "$(dirname "$0")/.." || exit 1

if [ "$(id -u)" -ne 0 ]; then
	[ "${CI:-}" = true ] && { echo 'Bail out! the lab needs root, to start runc'; exit 1; }
	echo '1..0 # SKIP the lab needs root, to start runc'
	exit 0
fi
exec lab/run --tap
