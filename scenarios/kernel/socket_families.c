/* SPDX-License-Identifier: MIT */
/*
 * Which sockets beyond the usual ones may be asked for? A socket of a family that the kernel does
 * not know yet makes it load a module; so one is made only where the kernel lists the family, or
 * can load nothing. Elsewhere the filter's word decides.
 */
#include "scenarios/scenario.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#ifndef AF_SMC
#define AF_SMC 43
#endif
#ifndef AF_XDP
#define AF_XDP 44
#endif
#ifndef AF_QIPCRTR
#define AF_QIPCRTR 42
#endif

/* Case, family, type, protocol, its names in the kernel's list (netlink: none), capability, severity. */
#define SOCKETS(X)                                                                                 \
	X("inet-raw", AF_INET, SOCK_RAW, IPPROTO_ICMP, "RAW", NET_RAW, HIGH)                       \
	X("inet-icmp", AF_INET, SOCK_DGRAM, IPPROTO_ICMP, "PING", NET_RAW, INHERIT)                \
	X("inet6-raw", AF_INET6, SOCK_RAW, IPPROTO_ICMPV6, "RAWv6", NET_RAW, HIGH)                 \
	X("inet6-icmp", AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6, "PINGv6", NET_RAW, INHERIT)          \
	X("packet", AF_PACKET, SOCK_DGRAM, 0, "PACKET", NET_RAW, HIGH)                             \
	X("netlink-sock-diag", AF_NETLINK, SOCK_RAW, 4, "", NET_ADMIN, INHERIT)                    \
	X("netlink-xfrm", AF_NETLINK, SOCK_RAW, 6, "", NET_ADMIN, INHERIT)                         \
	X("netlink-audit", AF_NETLINK, SOCK_RAW, 9, "", AUDIT_CONTROL, INHERIT)                    \
	X("netlink-netfilter", AF_NETLINK, SOCK_RAW, 12, "", NET_ADMIN, INHERIT)                   \
	X("netlink-uevent", AF_NETLINK, SOCK_RAW, 15, "", NET_ADMIN, INHERIT)                      \
	X("netlink-generic", AF_NETLINK, SOCK_RAW, 16, "", NET_ADMIN, INHERIT)                     \
	X("netlink-crypto", AF_NETLINK, SOCK_RAW, 21, "", NET_ADMIN, INHERIT)                      \
	X("vsock", AF_VSOCK, SOCK_STREAM, 0, "AF_VSOCK", NET_ADMIN, INHERIT)                       \
	X("alg", AF_ALG, SOCK_SEQPACKET, 0, "ALG", NET_ADMIN, INHERIT)                             \
	X("key", AF_KEY, SOCK_RAW, 2, "KEY", NET_ADMIN, INHERIT)                                   \
	X("xdp", AF_XDP, SOCK_RAW, 0, "XDP", NET_RAW, INHERIT)                                     \
	X("bluetooth", AF_BLUETOOTH, SOCK_RAW, 1, "HCI", NET_RAW, INHERIT)                         \
	X("can", AF_CAN, SOCK_RAW, 1, "CAN_RAW", NET_RAW, INHERIT)                                 \
	X("tipc", AF_TIPC, SOCK_RDM, 0, "TIPC", NET_ADMIN, INHERIT)                                \
	X("rds", AF_RDS, SOCK_SEQPACKET, 0, "RDS", NET_ADMIN, INHERIT)                             \
	X("smc", AF_SMC, SOCK_STREAM, 0, "SMC", NET_ADMIN, INHERIT)                                \
	X("qipcrtr", AF_QIPCRTR, SOCK_DGRAM, 0, "QIPCRTR", NET_ADMIN, INHERIT)                     \
	X("rxrpc", AF_RXRPC, SOCK_DGRAM, AF_INET, "RXRPC", NET_ADMIN, INHERIT)                     \
	X("nfc", AF_NFC, SOCK_SEQPACKET, 0, "NFC_RAW", NET_RAW, INHERIT)                           \
	X("kcm", AF_KCM, SOCK_DGRAM, 0, "KCM", NET_ADMIN, INHERIT)                                 \
	X("phonet", AF_PHONET, SOCK_DGRAM, 0, "PHONET", SYS_ADMIN, INHERIT)                        \
	X("ieee802154", AF_IEEE802154, SOCK_DGRAM, 0, "IEEE-802.15.4-MAC", NET_RAW, INHERIT)       \
	X("caif", AF_CAIF, SOCK_SEQPACKET, 0, "CAIF", SYS_ADMIN, INHERIT)                          \
	X("ax25", AF_AX25, SOCK_DGRAM, 0, "AX25", NET_RAW, INHERIT)                                \
	X("x25", AF_X25, SOCK_SEQPACKET, 0, "X25", NET_RAW, INHERIT)                               \
	X("appletalk", AF_APPLETALK, SOCK_DGRAM, 0, "DDP", NET_RAW, INHERIT)                       \
	X("netrom", AF_NETROM, SOCK_SEQPACKET, 0, "NETROM", NET_RAW, INHERIT)                      \
	X("rose", AF_ROSE, SOCK_SEQPACKET, 0, "ROSE", NET_RAW, INHERIT)                            \
	X("atm-permanent", AF_ATMPVC, SOCK_DGRAM, 0, "VCC", NET_ADMIN, INHERIT)                    \
	X("atm-switched", AF_ATMSVC, SOCK_DGRAM, 0, "VCC", NET_ADMIN, INHERIT)
enum { INET_RAW, INET_ICMP, INET6_RAW, INET6_ICMP, PACKET };
#define AS_CASE(name_, family_, type_, protocol_, listed_, cap_, severity_)                        \
	{ name_, #family_ ", " #type_, SEVERITY_##severity_, 0, 0 },
#define AS_QUESTION(name_, family_, type_, protocol_, listed_, cap_, severity_)                    \
	{ __NR_socket, { family_, (type_) | SOCK_CLOEXEC, protocol_ } },
/* The same without the flag, which a filter may refuse. */
#define AS_BARE(name_, family_, type_, protocol_, listed_, cap_, severity_)                        \
	{ __NR_socket, { family_, type_, protocol_ } },
#define AS_KIND(name_, family_, type_, protocol_, listed_, cap_, severity_)                        \
	{ listed_, NEEDS_CAP(CAP_##cap_) },

static const struct case_def cases[] = { SOCKETS(AS_CASE) };
#define N_CASES (sizeof cases / sizeof *cases)
static const struct question asks[] = {
	SOCKETS(AS_QUESTION) SOCKETS(AS_BARE){ __NR_init_module, { 0, 0, 1 } },
};
static const struct socket_kind {
	const char *listed; /* in /proc/net/protocols */
	int capability;
} kinds[] = { SOCKETS(AS_KIND) };

/* ---------------------------------------------------------------- what the kernel knows already */

struct known {
	struct trial *trial;
	bool all; /* nothing can be loaded, so that asking for any loads nothing */
	bool families[N_CASES];
};

static bool take_protocol(void *context, char *line)
{
	struct known *known = context;
	char name[32];

	if (!line_field(line, 0, name, sizeof name))
		return true;
	for (unsigned i = 0; i < N_CASES; i++)
		known->families[i] |= strcmp(name, kinds[i].listed) == 0;
	return true;
}

/* Each protocol of netlink has a socket of the kernel's, in the second column. */
static bool take_netlink(void *context, char *line)
{
	struct known *known = context;
	char number[16], own[16];

	if (!line_field(line, 1, number, sizeof number))
		return true;
	for (unsigned i = 0; i < N_CASES; i++) {
		const unsigned long *args = question_of(known->trial, (int)i)->args;

		format_text(own, sizeof own, "%lu", args[2]);
		known->families[i] |= args[0] == AF_NETLINK && strcmp(number, own) == 0;
	}
	return true;
}

/* The arguments are refused by every kernel that can load modules at all. */
static bool loads_no_modules(struct trial *trial)
{
	char disabled;
	struct object object;
	struct attempt a = try_call_as(trial, "vvv", "init_module", __NR_init_module, 0, 0, 1);

	if (a.reached && a.error == ENOSYS && filter_tells_enosys())
		return true;
	if (try_read(trial, "/proc/sys/kernel/modules_disabled", &disabled, 1).value == 1)
		return disabled == '1';
	a = try_stat(trial, AT_FDCWD, "/proc/sys/kernel/modprobe", 0, &object);
	return a.reached && a.error == ENOENT &&
	       attempt_worked(try_stat(trial, AT_FDCWD, "/proc/sys/kernel/osrelease", 0, &object));
}

static void find_known(struct trial *trial, struct known *known)
{
	*known = (struct known){ .trial = trial,
				 .all = kernel_is_emulated(trial) || loads_no_modules(trial) };
	if (known->all)
		return;
	try_lines(trial, "/proc/net/protocols", take_protocol, known);
	try_lines(trial, "/proc/net/netlink", take_netlink, known);
}

/* ---------------------------------------------------------------- the sockets */

/*
 * Does a packet socket on the loopback device see what an own socket sends to itself? Frames of
 * others that come by are not looked at.
 */
static bool sees_own_frame(struct trial *trial, int fd)
{
	struct sockaddr_ll lo = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP),
				  .sll_ifindex = 1 /* the first device of every namespace */ };
	struct sockaddr_in self = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const char *nonce = trial_nonce(trial);
	socklen_t size = sizeof self;
	char frame[128];
	bool seen = false;
	struct attempt a, sender = try_socket(trial, AF_INET, SOCK_DGRAM, 0);
	int own = (int)sender.value;

	if (!attempt_worked(sender))
		return false;
	a = try_call_as(trial, "fpp", "bind", __NR_bind, own, &self, size);
	if (attempt_worked(a))
		a = try_call_as(trial, "fpp", "getsockname", __NR_getsockname, own, &self, &size);
	if (attempt_worked(a))
		a = try_call_as(trial, "fpp", "bind", __NR_bind, fd, &lo, sizeof lo);
	if (attempt_worked(a))
		a = try_call_as(trial, "fppvpp", "sendto", __NR_sendto, own, nonce, strlen(nonce), 0,
				&self, sizeof self);
	for (int i = 0; i < 16 && attempt_worked(a) && !seen; i++) {
		a = try_call_as(trial, "fppvpp", "recvfrom", __NR_recvfrom, fd, frame, sizeof frame,
				MSG_DONTWAIT, 0, 0);
		seen = attempt_worked(a) && memmem(frame, (size_t)a.value, nonce, strlen(nonce));
	}
	close_fd(own);
	return seen;
}

static void make_socket(struct trial *trial, int case_index)
{
	const unsigned long *args = question_of(trial, case_index)->args;
	struct attempt a = try_socket(trial, (int)args[0], (int)args[1] & ~SOCK_CLOEXEC,
				      (int)args[2]);
	bool by_range = (case_index == INET_ICMP || case_index == INET6_ICMP) && a.reached &&
			a.error == EACCES && ask_ping_range(trial) != DAC_PERMITS;

	if (attempt_worked(a) && case_index == PACKET)
		note_flag(trial, case_index, "own_frame_seen", sees_own_frame(trial, (int)a.value));
	close_fd((int)a.value);
	/* The kernel knows no such type or protocol of it. */
	settle(trial, case_index, a, .lacking = a.error == EINVAL || a.error == ENOENT,
	       .capability = a.reached && a.error == EPERM ? kinds[case_index].capability : 0,
	       .sysctl = by_range ? "net.ipv4.ping_group_range" : NULL);
}

/* The kernel might have to load it: it is not asked. */
static void ask_socket(struct trial *trial, int case_index)
{
	struct question q = *question_of(trial, case_index);
	struct attempt a = { .value = -1, .nr = -1 };
	enum answer answer = ask_filter(trial, q.nr, q.args, &a.error);

	if (filter_refuses(answer)) {
		q.args[1] &= ~(unsigned long)SOCK_CLOEXEC;
		answer = ask_filter(trial, q.nr, q.args, &a.error);
	}
	note_flag(trial, case_index, "proxy", true);
	if (answer == ANSWER_PASSES && filter_tells_enosys())
		settle(trial, case_index, found_in_process(true));
	else if (filter_refuses(answer))
		settle(trial, case_index, a);
	else
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
}

static void note_usual(struct trial *trial)
{
	static const struct {
		const char *name;
		int family, type;
	} usual[] = {
		{ "unix", AF_UNIX, SOCK_STREAM },     { "inet stream", AF_INET, SOCK_STREAM },
		{ "inet datagram", AF_INET, SOCK_DGRAM }, { "inet6 stream", AF_INET6, SOCK_STREAM },
		{ "inet6 datagram", AF_INET6, SOCK_DGRAM }, { "netlink route", AF_NETLINK, SOCK_RAW },
	};
	char text[128] = "";
	int used = 0;

	for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++) {
		struct attempt a = try_socket(trial, usual[i].family, usual[i].type, 0);

		close_fd((int)a.value);
		if (attempt_worked(a))
			used += format_text(text + used, sizeof text - (size_t)used, "%s%s",
					    used ? ", " : "", usual[i].name);
	}
	note_text(trial, WHOLE, "usual_ones", used ? text : "none");
}

static void attempt(struct trial *trial)
{
	struct known known;

	find_known(trial, &known);
	for (unsigned i = 0; i < N_CASES; i++) {
		if (known.all || known.families[i])
			make_socket(trial, (int)i);
		else
			ask_socket(trial, (int)i);
	}
	note_usual(trial);
}

const struct scenario scenario_kernel_socket_families = {
	.about = ABOUT(
		.title = "Ask for sockets of unusual families",
		.accessed = "Code in the sandbox can ask the kernel for sockets that few programs "
			    "need.",
		.denied = "Code in the sandbox gets no sockets but the usual ones.",
		.why = "Each family is a part of the kernel of its own, many are hardly used and "
		       "little tested, and asking for one may load it. Raw and packet sockets "
		       "forge and read the traffic of others.",
		.how = "A socket is made and closed where the kernel lists the family already or "
		       "can load nothing. Elsewhere only the filter is asked, so that nothing is "
		       "loaded: then it counts that the filter lets the call pass.",
		.see = "T1095, T1040",
		.open = "B",
		.closed = "S(socket@0>16,socket@0=3,socket@0=5,socket@0=6,socket@0=8,socket@0=9,socket@0=11,socket@0=15,socket@0=16@2>0,socket@0=2@1&15=3,socket@0=2@2=1,socket@0=10@1&15=3,socket@0=10@2=58)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
