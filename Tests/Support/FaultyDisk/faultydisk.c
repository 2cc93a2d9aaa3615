// A disk that is ill for a while: a library to be preloaded into a program (ld.so(8), LD_PRELOAD).
//
// Only calls within the folders of FAULTY_DISK, separated by colons, are concerned. Those that change the names in a
// folder run one at a time, as in the kernel, where they hold the folder's lock. FAULTY_DISK_ORDERS is a file that says
// what is wrong, and may change at any time; without it nothing is:
//
//     <mode> <kind> <from> <milliseconds>
//
// mode          fail (EIO, and ENOSPC for a write), tear (a write that writes all but a byte before it fails), hang
// kind          open (that may create a file, and mkdir), write, fsync, rename (and link), unlink; find (an open of
//               what is there), read (and pread), stat (of a name or a descriptor), list (readdir), lock (flock)
// from          the number of the first ill call of the kind since the orders are there: 1 is the next one
// milliseconds  how long after that call the disk is well again; 0 for as long as the orders are there
//
// What is appended does not hang, and does not count where the orders say so: it goes into memory that is there. Each
// call is a line of the file FAULTY_DISK_LOG: <kind> <main or other, the thread> <ok, fail or hang> <path>; that of a
// call that hangs is written as it begins. close(2) is always well: what the store relies on was synced before.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum mode { WELL, FAIL, TEAR, HANG };

static pthread_mutex_t names = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static char given[128];
static long count, since;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// The orders of this moment.
static void read_orders(char *text, size_t size) {
  const char *path = getenv("FAULTY_DISK_ORDERS");
  int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0) : -1;
  ssize_t length = file < 0 ? 0 : syscall(SYS_read, file, text, size - 1);
  text[length > 0 ? length : 0] = 0;
  if (file >= 0) close(file);
}

/// What is wrong with a call of a kind, if it is one that may hang or the orders are others; counts the calls since the
/// orders have changed.
static enum mode mode_of(const char *kind, int counts, int may_hang) {
  char text[sizeof given], mode[16] = "", ill[16] = "";
  long from = 1, length = 0;
  read_orders(text, sizeof text);
  pthread_mutex_lock(&state);
  if (strcmp(text, given)) {
    strcpy(given, text);
    count = since = 0;
  }
  enum mode result = WELL;
  int known = sscanf(text, "%15s %15s %ld %ld", mode, ill, &from, &length) == 4 && (may_hang || *mode != 'h');
  if (known && !strcmp(ill, kind)) {
    if (counts) count++;
    if (count >= from && !since) since = now();
    if (count >= from && (!length || now() - since < length))
      result = *mode == 'f' ? FAIL : *mode == 't' ? TEAR : HANG;
  }
  pthread_mutex_unlock(&state);
  return result;
}

static void note(const char *kind, const char *outcome, const char *folder, const char *name) {
  const char *path = getenv("FAULTY_DISK_LOG");
  int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  char line[8192];
  const char *thread = syscall(SYS_gettid) == getpid() ? "main" : "other";
  int length = snprintf(line, sizeof line, "%s %s %s %s%s%s\n", kind, thread, outcome, folder, *name ? "/" : "", name);
  syscall(SYS_write, file, line, length);
  close(file);
}

/// Whether a path lies in the folders.
static int concerns(const char *path) {
  const char *folder = getenv("FAULTY_DISK");
  while (folder && *folder) {
    size_t length = strcspn(folder, ":");
    if (!strncmp(path, folder, length) && (!path[length] || path[length] == '/')) return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

/// Whether a descriptor is of something in the folders; gives its path.
static int is_there(int file, char *path, size_t size) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return concerns(path);
}

/// Lets a call of a kind hang, or says how it fails.
static enum mode meet_one(const char *kind, const char *folder, const char *name, int may_hang) {
  enum mode mode = mode_of(kind, 1, may_hang);
  note(kind, mode == WELL ? "ok" : mode == HANG ? "hang" : "fail", folder, name);
  while (mode == HANG) {
    usleep(2000);
    mode = mode_of(kind, 0, may_hang);
  }
  return mode;
}

static enum mode meet(const char *kind, const char *folder, const char *name) {
  return meet_one(kind, folder, name, 1);
}

static int fails(int code) {
  errno = code;
  return -1;
}

static int open_at(int folder, const char *name, int flags, mode_t mode) {
  char path[4096] = "";
  int is_path = folder == AT_FDCWD || *name == '/';
  int is_ours = is_path ? !(flags & O_CREAT) && concerns(name) : is_there(folder, path, sizeof path);
  if (!is_ours) return (int)syscall(SYS_openat, folder, name, flags, mode);
  if (!(flags & O_CREAT)) {
    enum mode met = is_path ? meet("find", name, "") : meet("find", path, name);
    return met == WELL ? (int)syscall(SYS_openat, folder, name, flags, mode) : fails(EIO);
  }
  pthread_mutex_lock(&names);
  int result = meet("open", path, name) == WELL ? (int)syscall(SYS_openat, folder, name, flags, mode) : fails(EIO);
  int code = errno;
  pthread_mutex_unlock(&names);
  errno = code;
  return result;
}

int mkdirat(int folder, const char *name, mode_t mode) {
  char path[4096];
  if (!is_there(folder, path, sizeof path)) return (int)syscall(SYS_mkdirat, folder, name, mode);
  pthread_mutex_lock(&names);
  int result = meet("open", path, name) == WELL ? (int)syscall(SYS_mkdirat, folder, name, mode) : fails(EIO);
  int code = errno;
  pthread_mutex_unlock(&names);
  errno = code;
  return result;
}

/// The store's folder itself is made by its path.
int mkdir(const char *name, mode_t mode) {
  if (!concerns(name)) return (int)syscall(SYS_mkdir, name, mode);
  pthread_mutex_lock(&names);
  int result = meet("open", name, "") == WELL ? (int)syscall(SYS_mkdir, name, mode) : fails(EIO);
  int code = errno;
  pthread_mutex_unlock(&names);
  errno = code;
  return result;
}

#define MODE(mode, flags)              \
  mode_t mode = 0;                     \
  if ((flags) & (O_CREAT | O_TMPFILE)) \
  {                                    \
    va_list list;                      \
    va_start(list, flags);             \
    mode = va_arg(list, mode_t);       \
    va_end(list);                      \
  }

int openat(int folder, const char *name, int flags, ...) {
  MODE(mode, flags)
  return open_at(folder, name, flags, mode);
}

int openat64(int folder, const char *name, int flags, ...) {
  MODE(mode, flags)
  return open_at(folder, name, flags, mode);
}

int open(const char *name, int flags, ...) {
  MODE(mode, flags)
  return open_at(AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...) {
  MODE(mode, flags)
  return open_at(AT_FDCWD, name, flags, mode);
}

/// Whether a descriptor is of a file in the folders; gives its path.
static int is_file(int file, char *path, size_t size) {
  struct stat status;
  return !syscall(SYS_fstat, file, &status) && S_ISREG(status.st_mode) && is_there(file, path, size);
}

ssize_t read(int file, void *bytes, size_t size) {
  char path[4096];
  if (is_file(file, path, sizeof path) && meet("read", path, "") != WELL) return fails(EIO);
  return syscall(SYS_read, file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t place) {
  char path[4096];
  if (is_file(file, path, sizeof path) && meet("read", path, "") != WELL) return fails(EIO);
  return syscall(SYS_pread64, file, bytes, size, place);
}

ssize_t pread64(int file, void *bytes, size_t size, off_t place) { return pread(file, bytes, size, place); }

int fstat(int file, struct stat *status) {
  char path[4096];
  if (is_there(file, path, sizeof path) && meet("stat", path, "") != WELL) return fails(EIO);
  return (int)syscall(SYS_fstat, file, status);
}

int fstatat(int folder, const char *name, struct stat *status, int flags) {
  char path[4096];
  int is_path = folder == AT_FDCWD || *name == '/';
  enum mode met = WELL;
  if (is_path && concerns(name)) met = meet("stat", name, "");
  if (!is_path && is_there(folder, path, sizeof path)) met = meet("stat", path, name);
  return met == WELL ? (int)syscall(SYS_newfstatat, folder, name, status, flags) : fails(EIO);
}

struct dirent *readdir(DIR *folder) {
  static struct dirent *(*next)(DIR *);
  if (!next) next = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
  char path[4096];
  if (is_there(dirfd(folder), path, sizeof path) && meet("list", path, "") != WELL) {
    errno = EIO;
    return NULL;
  }
  return next(folder);
}

int flock(int file, int operation) {
  char path[4096];
  if (!(operation & LOCK_UN) && is_there(file, path, sizeof path) && meet("lock", path, "") != WELL) return fails(EIO);
  return (int)syscall(SYS_flock, file, operation);
}

ssize_t write(int file, const void *bytes, size_t size) {
  char path[4096];
  if (!is_file(file, path, sizeof path))
    return syscall(SYS_write, file, bytes, size);
  enum mode mode = meet_one("write", path, "", !(fcntl(file, F_GETFL) & O_APPEND));
  if (mode == WELL) return syscall(SYS_write, file, bytes, size);
  // By halves, up to the last byte.
  if (mode == TEAR && size > 1) return syscall(SYS_write, file, bytes, size / 2);
  return fails(ENOSPC);
}

// Both are what the lock's text is written with, at a launch.
ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
  char path[4096];
  if (!is_there(file, path, sizeof path)) return syscall(SYS_pwrite64, file, bytes, size, place);
  return meet("write", path, "") == WELL ? syscall(SYS_pwrite64, file, bytes, size, place) : fails(ENOSPC);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t place) { return pwrite(file, bytes, size, place); }

int ftruncate(int file, off_t size) {
  char path[4096];
  if (!is_there(file, path, sizeof path)) return (int)syscall(SYS_ftruncate, file, size);
  return meet("write", path, "") == WELL ? (int)syscall(SYS_ftruncate, file, size) : fails(EIO);
}

int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

int fsync(int file) {
  char path[4096];
  if (!is_there(file, path, sizeof path)) return (int)syscall(SYS_fsync, file);
  return meet("fsync", path, "") == WELL ? (int)syscall(SYS_fsync, file) : fails(EIO);
}

int renameat2(int folder, const char *name, int new_folder, const char *new_name, unsigned flags) {
  char path[4096];
  if (!is_there(folder, path, sizeof path))
    return (int)syscall(SYS_renameat2, folder, name, new_folder, new_name, flags);
  pthread_mutex_lock(&names);
  int result = meet("rename", path, new_name) == WELL
                   ? (int)syscall(SYS_renameat2, folder, name, new_folder, new_name, flags)
                   : fails(EIO);
  int code = errno;
  pthread_mutex_unlock(&names);
  errno = code;
  return result;
}

int renameat(int folder, const char *name, int new_folder, const char *new_name) {
  return renameat2(folder, name, new_folder, new_name, 0);
}

int linkat(int folder, const char *name, int new_folder, const char *new_name, int flags) {
  char path[4096];
  if (!is_there(new_folder, path, sizeof path))
    return (int)syscall(SYS_linkat, folder, name, new_folder, new_name, flags);
  pthread_mutex_lock(&names);
  int result = meet("rename", path, new_name) == WELL
                   ? (int)syscall(SYS_linkat, folder, name, new_folder, new_name, flags)
                   : fails(EIO);
  int code = errno;
  pthread_mutex_unlock(&names);
  errno = code;
  return result;
}

int unlinkat(int folder, const char *name, int flags) {
  char path[4096];
  if (!is_there(folder, path, sizeof path)) return (int)syscall(SYS_unlinkat, folder, name, flags);
  pthread_mutex_lock(&names);
  int result = meet("unlink", path, name) == WELL ? (int)syscall(SYS_unlinkat, folder, name, flags) : fails(EIO);
  int code = errno;
  pthread_mutex_unlock(&names);
  errno = code;
  return result;
}
