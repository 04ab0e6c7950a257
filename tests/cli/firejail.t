#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The firejail launcher: its default profiles, by root and by an ordinary user; the answers are
# those of a shell in the same sandbox; whatever the profile hides, the probe finds a place.
# The scripts in single quotes are for the shell inside.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
set -- "$PWD/tests/cli/firejail.t"
engine=firejail
# firejail takes no system account: a list of accounts of our own has an ordinary one.
if [ "$(id -u)" -eq 0 ] && [ -z "${OWN_ACCOUNTS:-}" ]; then
	OWN_ACCOUNTS=$(mktemp -d) || exit 1
	export OWN_ACCOUNTS
	chmod 755 "$OWN_ACCOUNTS"
	mkdir "$OWN_ACCOUNTS/home"
	chown 31999:31999 "$OWN_ACCOUNTS/home"
	cat /etc/passwd - >"$OWN_ACCOUNTS/passwd" <<END
sandboxtest:x:31999:31999::$OWN_ACCOUNTS/home:/bin/sh
END
	unshare --mount sh -c 'mount --bind "$OWN_ACCOUNTS/passwd" /etc/passwd && exec "$0"' "$1"
	status=$?
	rm -rf "$OWN_ACCOUNTS"
	exit $status
fi
# shellcheck source=tests/cli/inside-common.sh
. tests/cli/inside-common.sh
need_engine
if [ "$(id -u)" -eq 0 ]; then
	accounts='root sandboxtest'
	rmdir "$folder/home"
	ln -s "$OWN_ACCOUNTS/home" "$folder/home"
fi

inside() {
	as firejail --quiet -- /bin/sh -c "$1" </dev/null
}
# What firejail keeps of its running sandboxes.
records() {
	find /run/firejail -mindepth 2 -type f ! -name '*.ro.file' 2>/dev/null
}

for account in $accounts; do
	about="$account: "
	records >"$folder/records"
	assess 0 'the default profile' ''
	whole 'the default profile'
	says '"firejail version'
	agree content.read etc-passwd 'head -c 1 /etc/passwd | grep -q .'
	agree content.read etc-shadow 'head -c 1 /etc/shadow | grep -q .'
	agree structure.create etc '[ -w /etc ]'
	agree structure.create usr '[ -w /usr ]'
	agree structure.create opt '[ -w /opt ]'
	agree structure.create root-folder '[ -w / ]'
	agree content.write etc-passwd '[ -w /etc/passwd ]'
	agree content.execute usr-bin-env '[ -x /usr/bin/env ]'
	agree danger.seek-root own-id '[ "$(id -u)" = 0 ]'
	records | diff "$folder/records" - >"$output"
	ok $? 'leaves no record of its own'

	few='--only system.locale,directory.temporary --no-baseline'
	assess 0 'no profile' "$few" --noprofile
	assess 0 'private folders' "$few" --private --private-tmp --private-dev
	says '{probe}'
	assess 0 'private folders but shared memory' "$few" --private --private-tmp
	assess 0 'no network' "$few" --net=none
	assess 0 'the end of the options' "$few" --noprofile --
done

account=
about=
assess 2 'an unknown option' "$few" --bogus
says bogus
assess 64 'a command' '' --noprofile ls
assess 64 'an image' '--image alpine'
without_engine 'apt-get install firejail'
finish
