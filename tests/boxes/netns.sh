# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# Two network namespaces of a test's own, joined by a pair of links, and nothing else: no packet
# leaves them. To be sourced; needs root. "there" is where the witness stands, "inside" where the
# sandbox is.
#
#	netns_make || skip             192.0.2.1, fd00:7::1 ── 192.0.2.2, fd00:7::2
#	ip netns exec "$there" …       netns_join, netns_cut, netns_drop, netns_drop_v4 change the link
#	netns_remove                   in a trap: ends what runs in them, removes them

there=sbx$$t
inside=sbx$$i

netns_make() {
	command -v ip >/dev/null && ip netns add "$there" 2>/dev/null || return 1
	ip netns add "$inside" || return 1
	ip -n "$there" link set lo up
	ip -n "$inside" link set lo up
	# So that the witness keeps its addresses whatever becomes of the link.
	ip -n "$there" addr add 192.0.2.1/32 dev lo
	ip -n "$there" addr add fd00:7::1/128 dev lo nodad
	netns_join
}

# The link as new.
netns_join() {
	ip -n "$inside" link del inner 2>/dev/null
	ip -n "$there" link add outer type veth peer name inner netns "$inside" &&
		ip -n "$there" addr add 192.0.2.254/24 dev outer &&
		ip -n "$there" addr add fd00:7::fe/64 dev outer nodad &&
		ip -n "$inside" addr add 192.0.2.2/24 dev inner &&
		ip -n "$inside" addr add fd00:7::2/64 dev inner nodad &&
		ip -n "$there" link set outer up &&
		ip -n "$inside" link set inner up &&
		# Nobody is asked for an IPv6 address that is not on the link itself.
		ip -n "$inside" route add fd00:7::1 via fd00:7::fe
}

netns_cut() {
	ip -n "$inside" link set inner down
}

# Everything is sent to a machine that is not there, and dropped by whoever gets it.
netns_drop() {
	ip -n "$inside" neigh replace 192.0.2.1 lladdr 02:00:00:00:00:99 dev inner nud permanent
	ip -n "$inside" neigh replace fd00:7::fe lladdr 02:00:00:00:00:99 dev inner nud permanent
}

netns_drop_v4() {
	ip -n "$inside" addr flush dev inner scope global to 192.0.2.0/24
}

netns_remove() {
	for netns in "$there" "$inside"; do
		[ -e "/run/netns/$netns" ] || continue
		for process in $(ip netns pids "$netns"); do
			kill -KILL "$process" 2>/dev/null
		done
		ip netns del "$netns"
	done
}
