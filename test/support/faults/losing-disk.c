/*
 * Preloaded into a server under test: records the state of its database files before each write without a later
 * fsync, so that a test can undo such writes as a power loss does.
 *
 * LOSING_DISK_PATH is the database file; its write-ahead log ends with -wal. The records of a file are in a file
 * beside it that ends with .unsynced: a header, the previous bytes and the written bytes.
 * With LOSING_DISK_LIES set, fsync succeeds but deletes no records.
 * Each fsync takes some milliseconds, as on a spinning disk, so that a kill at a random moment often hits between a
 * write and its fsync, however fast this disk is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FSYNC_MICROSECONDS 20000
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

/* size is that of the write; a truncation to `at` has UINT32_MAX. All values are little-endian. */
struct header {
  uint64_t at;
  uint64_t file_size;
  uint32_t size;
  uint32_t old_size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* File descriptors for the database and its log; -1 until needed. */
static int records[2] = {-1, -1};
/* The bytes of records deleted so far. */
static off64_t deleted[2];

/* 0: the database, 1: its log, -1: another file. */
static int which(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  const char *database = getenv("LOSING_DISK_PATH");
  if (length < 0 || database == NULL) return -1;
  path[length] = 0;
  size_t start = strlen(database);
  if (strncmp(path, database, start) != 0) return -1;
  return path[start] == 0 ? 0 : strcmp(path + start, "-wal") == 0 ? 1 : -1;
}

static int records_of(int file) {
  if (records[file] < 0) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s.unsynced", getenv("LOSING_DISK_PATH"), file == 0 ? "" : "-wal");
    records[file] = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  return records[file];
}

/* Before a write or, without data, a truncation. */
static void remember(int file, int fd, const void *data, size_t size, off64_t at) {
  struct stat64 now;
  if (fstat64(fd, &now) != 0) abort();
  size_t wanted = data ? size : now.st_size > at ? (size_t)(now.st_size - at) : 0;
  char *record = malloc(sizeof(struct header) + wanted + size);
  if (record == NULL) abort();
  ssize_t old = pread64(fd, record + sizeof(struct header), wanted, at);
  if (old < 0) old = 0;
  struct header header = {at, now.st_size, data ? size : UINT32_MAX, old};
  memcpy(record, &header, sizeof header);
  size_t length = sizeof header + old;
  if (data) memcpy(record + length, data, size), length += size;
  if (write(records_of(file), record, length) != (ssize_t)length) abort();
  free(record);
}

/* The position after the last record, counted from the first one ever written. */
static off64_t position(int file) { return deleted[file] + lseek64(records_of(file), 0, SEEK_END); }

/* Deletes the records before `until`, where the fsync began. Other threads may have written or synced since. */
static void forget(int file, off64_t until) {
  off64_t end = lseek64(records_of(file), 0, SEEK_END);
  off64_t length = until - deleted[file];
  if (length <= 0) return;
  size_t size = end - length;
  char *later = malloc(size + 1);
  if (later == NULL || pread64(records_of(file), later, size, length) != (ssize_t)size) abort();
  if (REAL(int, ftruncate64, int, off64_t)(records_of(file), 0) != 0) abort();
  if (write(records_of(file), later, size) != (ssize_t)size) abort();
  deleted[file] = until;
  free(later);
}

static int sync_with(int (*sync)(int), int fd) {
  int file = getenv("LOSING_DISK_LIES") == NULL ? which(fd) : -1;
  if (file < 0) return sync(fd);
  pthread_mutex_lock(&lock);
  off64_t begun = position(file);
  pthread_mutex_unlock(&lock);
  int result = sync(fd);
  if (result != 0) return result;
  pthread_mutex_lock(&lock);
  forget(file, begun);
  pthread_mutex_unlock(&lock);
  return result;
}

static int slowly(int (*sync)(int), int fd) {
  if (which(fd) >= 0) usleep(FSYNC_MICROSECONDS);
  return sync_with(sync, fd);
}

int fsync(int fd) { return slowly(REAL(int, fsync, int), fd); }
int fdatasync(int fd) { return slowly(REAL(int, fdatasync, int), fd); }

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  int file = which(fd);
  if (file < 0) return REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, data, size, at);
  pthread_mutex_lock(&lock);
  remember(file, fd, data, size, at);
  ssize_t written = REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, data, size, at);
  pthread_mutex_unlock(&lock);
  return written;
}

int ftruncate64(int fd, off64_t at) {
  int file = which(fd);
  if (file < 0) return REAL(int, ftruncate64, int, off64_t)(fd, at);
  pthread_mutex_lock(&lock);
  remember(file, fd, NULL, 0, at);
  int result = REAL(int, ftruncate64, int, off64_t)(fd, at);
  pthread_mutex_unlock(&lock);
  return result;
}
