#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tools/packages.sh PACKAGE…: installs what is missing of these Debian packages, and says so
# before it does. With nothing missing it needs neither network nor root.
set -eu

missing=
for package; do
	# "install ok installed" is the only state in which a package can be used.
	case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || :) in
	*' ok installed') ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "$0: this is not Debian or Ubuntu; install what corresponds to:$missing" >&2
	exit 1
fi
root=
if [ "$(id -u)" -ne 0 ]; then
	root=sudo
	command -v sudo >/dev/null || {
		echo "$0: not root, and there is no sudo. As root: apt-get install$missing" >&2
		exit 1
	}
fi
echo "Installing with apt-get:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # words on purpose
$root apt-get install -y -q --no-install-recommends $missing >/dev/null 2>&1 || {
	# A new machine has no package lists yet.
	$root apt-get update -q >/dev/null
	# shellcheck disable=SC2086
	$root apt-get install -y -q --no-install-recommends $missing >/dev/null
}
