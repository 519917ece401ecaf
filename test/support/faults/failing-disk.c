/*
 * Preloaded into a server under test: makes system calls on its database fail as a broken disk does.
 *
 * FAILING_DISK_CONTROL names a file whose first byte selects the fault:
 *   F  the next fsync of the write-ahead log, once    f  every fsync
 *   s  no fsync fails, but each takes 50 ms longer
 *   b  fdatasync of the write-ahead log blocks until another fault is selected
 *   w  writes with EIO    n  writes with ENOSPC    e  writes with EROFS    r  reads with EIO
 *   d  writes of the database itself, and not of its log, with EIO
 *   anything else: nothing
 * FAILING_DISK_PATH is the prefix of the affected file names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile char *control = NULL;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAILING_DISK_CONTROL");
  int fd = path ? open(path, O_RDWR) : -1;
  if (fd < 0) return;
  void *mapped = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_database(int fd, const char *end) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  const char *start = getenv("FAILING_DISK_PATH");
  if (length < 0 || start == NULL) return 0;
  path[length] = 0;
  if (strncmp(path, start, strlen(start)) != 0) return 0;
  return (size_t)length >= strlen(end) && strcmp(path + length - strlen(end), end) == 0;
}

static int fails_to_sync(int fd) {
  char mode = control ? *control : '-';
  if (mode == 's' && is_database(fd, "")) usleep(50000);
  if ((mode != 'F' && mode != 'f') || !is_database(fd, mode == 'F' ? "-wal" : "")) return 0;
  if (mode == 'F') *control = '-';
  errno = EIO;
  return 1;
}

static int fails_to_write(int fd) {
  char mode = control ? *control : '-';
  errno = EIO;
  if (mode == 'd') return is_database(fd, ".db");
  if ((mode != 'w' && mode != 'n' && mode != 'e') || !is_database(fd, "")) return 0;
  errno = mode == 'w' ? EIO : mode == 'n' ? ENOSPC : EROFS;
  return 1;
}

static int fails_to_read(int fd) {
  if (!control || *control != 'r' || !is_database(fd, "")) return 0;
  errno = EIO;
  return 1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

int fsync(int fd) { return fails_to_sync(fd) ? -1 : REAL(int, fsync, int)(fd); }
int fdatasync(int fd) {
  while (control && *control == 'b' && is_database(fd, "-wal")) usleep(1000);
  return fails_to_sync(fd) ? -1 : REAL(int, fdatasync, int)(fd);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  return fails_to_write(fd) ? -1 : REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, data, size, at);
}
ssize_t pread64(int fd, void *data, size_t size, off64_t at) {
  return fails_to_read(fd) ? -1 : REAL(ssize_t, pread64, int, void *, size_t, off64_t)(fd, data, size, at);
}
