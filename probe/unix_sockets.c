/* SPDX-License-Identifier: MIT */
/*
 * Connecting to a Unix socket and closing it at once: who may connect may ask for whatever the
 * service behind it does. Nothing is sent. The type of a socket file cannot be seen; the kernel
 * says EPROTOTYPE to the wrong one.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "probe/attempts.h"
#include "probe/identity.h"
#include "probe/sockets.h"

enum { WAIT_MS = 100 };

/*
 * Where a filter refuses to make one: of a pair of datagram sockets each may be connected anew, and
 * a filter that knows socket(2) need not know how pairs are made.
 */
static struct attempt make_one(struct trial *trial, int type)
{
	struct attempt made = try_socket(trial, AF_UNIX, type, 0), pair;
	int ends[2] = { -1, -1 };

	if (made.reached || type != SOCK_DGRAM)
		return made;
	pair = try_call_as(trial, "vvvp", "socketpair", __NR_socketpair, AF_UNIX,
			   SOCK_DGRAM | SOCK_CLOEXEC, 0, ends);
	if (!attempt_worked(pair))
		return made;
	close_fd(ends[1]);
	pair.value = ends[0];
	return pair;
}

struct attempt try_any_unix_socket(struct trial *trial)
{
	static const int types[] = { SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM };
	struct attempt a = { .value = -1 };

	for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
		a = make_one(trial, types[i]);
		close_fd((int)a.value);
		if (a.reached)
			break;
	}
	return a;
}

static struct attempt connect_once(struct trial *trial, int type, const struct sockaddr_un *address,
				   unsigned length)
{
	struct attempt made = make_one(trial, type), a;

	if (!attempt_worked(made))
		return made;
	a = try_connect(trial, (int)made.value, address, length, WAIT_MS);
	close_fd((int)made.value);
	return a;
}

static struct attempt connect_any(struct trial *trial, int type, const struct sockaddr_un *address,
				  unsigned length)
{
	static const int types[] = { SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM };
	struct attempt a = { .value = -1 }, refused = { .value = -1 };
	bool any_refused = false;

	for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
		if (type && types[i] != type)
			continue;
		a = connect_once(trial, types[i], address, length);
		/* No socket of this type: the next may still serve. */
		if (!a.reached || (!attempt_worked(a) && a.nr == __NR_socket)) {
			refused = a;
			any_refused = true;
			continue;
		}
		if (attempt_worked(a) || a.error != EPROTOTYPE)
			break;
	}
	if (!attempt_worked(a) && any_refused && (a.error == EPROTOTYPE || !a.reached))
		return refused;
	/* A full queue is a service that listens to us. */
	if (a.reached && a.error == EAGAIN)
		a.value = 0;
	/* A file that nobody listens behind, or no socket at all. */
	if (a.reached && a.error == ECONNREFUSED)
		a.error = 0;
	return a;
}

/*
 * An address holds 107 bytes; what is longer is named from its folder, to which this child goes, or by
 * the folder's descriptor.
 */
static struct attempt connect_by_folder(struct trial *trial, const char *path,
					struct sockaddr_un *address)
{
	char folder[1024];
	struct attempt opened, a;

	parent_folder(path, folder, sizeof folder);
	opened = try_open(trial, folder, O_PATH | O_DIRECTORY);
	if (!attempt_worked(opened))
		return opened;
	if (attempt_worked(try_call_as(trial, "f", "fchdir", __NR_fchdir, opened.value)))
		format_text(address->sun_path, sizeof address->sun_path, "%s",
			    strrchr(path, '/') + 1);
	else
		format_text(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s",
			    (int)opened.value, strrchr(path, '/') + 1);
	a = connect_any(trial, 0, address, sizeof *address);
	close_fd((int)opened.value);
	return a;
}

struct attempt try_socket_file(struct trial *trial, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof address.sun_path && strchr(path, '/'))
		return connect_by_folder(trial, path, &address);
	format_text(address.sun_path, sizeof address.sun_path, "%s", path);
	return connect_any(trial, 0, &address, sizeof address);
}

struct attempt settle_socket_file(struct trial *trial, int case_index, const char *path)
{
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, path, 0, &object);

	/* Where no form of stat is let through, connecting may be. */
	if (a.reached && !attempt_worked(a)) {
		settle(trial, case_index, a, .path = path, .right = RIGHT_STAT);
		return a;
	}
	a = try_socket_file(trial, path);
	settle(trial, case_index, a, .path = path, .right = RIGHT_CONNECT);
	return a;
}

/* ---------------------------------------------------------------- abstract names */

static unsigned make_name(struct sockaddr_un *address, const char *name, size_t n)
{
	if (n > sizeof address->sun_path - 1)
		n = sizeof address->sun_path - 1;
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(address->sun_path + 1, name, n);
	return (unsigned)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

struct attempt try_abstract_name(struct trial *trial, const char *name, size_t n, int type)
{
	struct sockaddr_un address;
	unsigned length = make_name(&address, name, n);
	struct attempt a = connect_any(trial, type, &address, length);

	if (attempt_worked(a) || a.error != 0)
		return a;
	/* The kernel's list shows zeroes as "@". */
	if (!memchr(name, '@', n))
		return a;
	for (size_t i = 1; i < length - offsetof(struct sockaddr_un, sun_path); i++)
		if (address.sun_path[i] == '@')
			address.sun_path[i] = '\0';
	return connect_any(trial, type, &address, length);
}

struct attempt try_own_name(struct trial *trial)
{
	struct sockaddr_un address;
	char name[40];
	unsigned length;
	struct attempt made = try_socket(trial, AF_UNIX, SOCK_STREAM, 0), a;

	if (!attempt_worked(made))
		return made;
	format_text(name, sizeof name, "sandboxeval-%s", trial_nonce(trial));
	length = make_name(&address, name, strlen(name));
	a = try_call_as(trial, "fpp", "bind", __NR_bind, made.value, &address, length);
	if (attempt_worked(a))
		a = try_call_as(trial, "fv", "listen", __NR_listen, made.value, 1);
	if (attempt_worked(a))
		a = connect_once(trial, SOCK_STREAM, &address, length);
	close_fd((int)made.value);
	return a;
}
