/* A disk that fails: preloaded, it makes chosen calls on files under one folder fail or write short.
 *
 * fail(folder, at, times, error): the at-th call from now on, and the next ones up to `times`, fail with
 * `error`; with error 0 they are writes that write only half.  at 0: only count.  calls(): how many were seen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[4096];
static long seen, first, last;
static int error_to_give;

void fail(const char *under, long at, long times, int error) {
    snprintf(folder, sizeof folder, "%s", under);
    seen = 0;
    first = at;
    last = at + times - 1;
    error_to_give = error;
}

long calls(void) { return seen; }

static int under_folder(const char *path) {
    return folder[0] && strncmp(path, folder, strlen(folder)) == 0;
}

static int file_under_folder(int file) {
    char name[64], path[4096];
    int kept = errno;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    errno = kept;
    if (length < 0) return 0;
    path[length] = 0;
    return under_folder(path);
}

/* Whether this call is one to fail; only writes can be short. */
static int chosen(int here, int is_write) {
    if (!here || (!error_to_give && !is_write)) return 0;
    seen++;
    return first && seen >= first && seen <= last;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define OR_FAIL(here) if (chosen(here, 0)) { errno = error_to_give; return -1; }

#define OPEN(name)                                                   \
    int name(const char *path, int flags, ...) {                     \
        va_list rest;                                                \
        va_start(rest, flags);                                       \
        mode_t mode = va_arg(rest, mode_t);                          \
        va_end(rest);                                                \
        OR_FAIL(under_folder(path))                                  \
        return REAL(name)(path, flags, mode);                        \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                 \
    int name(int at, const char *path, int flags, ...) {             \
        va_list rest;                                                \
        va_start(rest, flags);                                       \
        mode_t mode = va_arg(rest, mode_t);                          \
        va_end(rest);                                                \
        OR_FAIL(under_folder(path))                                  \
        return REAL(name)(at, path, flags, mode);                    \
    }
OPENAT(openat)
OPENAT(openat64)

#define SYNC(name)                                                   \
    int name(int file) {                                             \
        OR_FAIL(file_under_folder(file))                             \
        return REAL(name)(file);                                     \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset)                                       \
    int name(int file, offset size) {                                \
        OR_FAIL(file_under_folder(file))                             \
        return REAL(name)(file, size);                               \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

static int shortened(int here, size_t *size) {
    if (!chosen(here, 1)) return 0;
    if (!error_to_give) {
        *size = *size > 1 ? *size / 2 : *size;
        return 0;
    }
    errno = error_to_give;
    return 1;
}

ssize_t write(int file, const void *data, size_t size) {
    return shortened(file_under_folder(file), &size) ? -1 : REAL(write)(file, data, size);
}

#define PWRITE(name, offset)                                                                   \
    ssize_t name(int file, const void *data, size_t size, offset at) {                         \
        return shortened(file_under_folder(file), &size) ? -1 : REAL(name)(file, data, size, at); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
