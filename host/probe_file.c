/* SPDX-License-Identifier: MIT */
#include "host/probe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/throwaway.h"

/* host/embedded_probe.S takes them in. */
extern const char embedded_probe[], embedded_probe_end[];

static bool write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t written = write(fd, bytes, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		n -= (size_t)written;
	}
	return true;
}

static bool write_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	bool written = fd >= 0 &&
		       write_all(fd, embedded_probe, (size_t)(embedded_probe_end - embedded_probe)) &&
		       fchmod(fd, 0755) == 0;
	int cause = errno;

	/* It must be closed before it is executed: ETXTBSY. */
	if (fd >= 0 && close(fd) < 0)
		return false;
	errno = cause;
	return written;
}

static bool may_execute(const char *path)
{
	struct statvfs about;

	if (statvfs(path, &about) == 0 && about.f_flag & ST_NOEXEC) {
		errno = EACCES;
		return false;
	}
	return access(path, X_OK) == 0;
}

bool probe_file_write(struct probe_file *probe, struct error *error)
{
	const char *places[THROWAWAY_PLACES];
	unsigned n = throwaway_places(places);

	*probe = (struct probe_file){ 0 };
	for (unsigned i = 0; i < n; i++) {
		probe->folder = throwaway_folder(places[i], error);
		if (!probe->folder)
			continue;
		probe->path = print_text("%s/probe", probe->folder);
		if (write_file(probe->path) && may_execute(probe->path))
			return true;
		error_set(error, EXIT_INTERNAL, "cannot put the probe into %s: %s", places[i],
			  errno == EACCES ? "nothing may be executed there" : strerror(errno));
		probe_file_remove(probe);
	}
	return error_hint(error, "name a folder that takes 1 MB and lets programs run: "
				 "TMPDIR=/some/folder");
}

void probe_file_remove(struct probe_file *probe)
{
	throwaway_remove(probe->folder);
	free(probe->path);
	*probe = (struct probe_file){ 0 };
}
