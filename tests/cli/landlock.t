#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The Landlock launcher: its default rules, by root and by an ordinary user; what it refuses is
# told from what owner and mode refuse; the answers are those of a shell under the same rules.
# The scripts in single quotes are for the shell inside.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
engine=landlock
# shellcheck source=tests/cli/inside-common.sh
. tests/cli/inside-common.sh
need_engine

mkdir -m 1777 "$folder/scratch" "$folder/open"
inside() {
	as "$program" --start landlock --ro / --exec / --rw /dev/null --scratch "$folder/scratch" \
		--no-network --scope -- /bin/sh -c "$1" </dev/null
}
# Of a scenario's denied cases that are there, the barriers.
refused_by() {
	jq -r --arg id "$1" '.results[] | select(.id == $id) | .cases[] |
		select(.status == "denied" and .barriers != ["absent"]) | .barriers | join(",")' \
		"$report" | sort -u
}

for account in $accounts; do
	about="$account: "
	assess 0 'the default rules' ''
	whole 'the default rules'
	says '"Landlock ABI'
	agree content.read etc-passwd 'head -c 1 /etc/passwd'
	agree content.read etc-shadow 'head -c 1 /etc/shadow'
	agree structure.create etc 'f=/etc/.sandboxeval-test-$$; : >$f && rm $f'
	agree structure.create root-folder 'f=/.sandboxeval-test-$$; : >$f && rm $f'
	agree content.write etc-passwd ': >>/etc/passwd'
	agree content.write etc-hosts ': >>/etc/hosts'
	agree content.execute usr-bin-env '/usr/bin/env true'
	agree danger.seek-root own-id '[ "$(id -u)" = 0 ]'
	inside ': >"$TMPDIR/x" && : >/dev/null && rm "$TMPDIR/x"' >"$output" 2>&1
	ok $? 'the scratch folder and /dev/null take what is written'
	[ "$(status_of content.write)" != accessed ] && [ "$(status_of structure.create)" = denied ]
	ok $? 'nothing critical can be written'
	[ "$(status_of content.list-writable)" != accessed ]
	ok $? 'no file is listed as writable, programs included'
	# The privileged user has every right by owner and mode: the module alone refuses.
	if [ "$account" = root ]; then
		for id in structure.create content.write structure.delete structure.rename; do
			[ "$(refused_by $id)" = lsm ]
			ok $? "$id: the module refuses (got $(refused_by $id))"
		done
	fi
done

# ---------------------------------------------------------------- rules of the user's
for account in $accounts; do
	about="$account: "
	assess 0 'reading only' '--only structure.create,system.users --no-baseline' --ro / --exec /
	assess 0 'next to nothing' '--no-baseline' --scope
	[ "$(status_of content.read etc-passwd)" = denied ] &&
		[ "$(status_of content.list-readable)" != accessed ] &&
		[ "$(refused_by content.read | tail -n 1)" != dac ]
	ok $? 'nothing can be read'
done

# A program is never opened for writing, and yet found; in a small tree, which is walked whole.
cp /bin/true "$folder/open/program"
chmod 777 "$folder/open/program"
small_tree() {
	# shellcheck disable=SC2046 # words on purpose
	as bwrap --unshare-all $(ldd "$program" | grep -o '/[^ ]*' | sed 's/.*/--ro-bind & &/') \
		--ro-bind "$program" /sandboxeval --proc /proc --dev /dev --tmpfs /tmp \
		--ro-bind /etc/passwd /etc/passwd --bind "$folder/open" /opt \
		/sandboxeval run landlock --no-history -r json --only content.list-writable --no-baseline \
		-- "$@" >"$report" 2>"$output" </dev/null
}
account=${accounts##* }
if command -v bwrap >/dev/null; then
	small_tree --ro / --exec / --rw /opt --rw /dev
	ok $? 'a folder with a program'
	[ "$(status_of content.list-writable)" = accessed ]
	ok $? 'a program that can be written is found'
	small_tree --ro / --exec / --rw /dev
	ok $? 'the same, not to be written'
	[ "$(status_of content.list-writable)" != accessed ]
	ok $? 'is not'
fi
account=
about=
assess 64 'an unknown rule' '' --bogus
says '--no-network'
assess 64 'a path that is not there' '' --ro /nonexistent
assess 64 'a rule without its path' '' --rw
assess 64 'an image' '--image alpine'
"$program" --start bogus >"$output" 2>&1
[ $? -eq 64 ]
ok $? 'there is nothing else to start'
finish
