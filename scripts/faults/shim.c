/* Faults on demand, for LD_PRELOAD.
 *
 * FAULT_ROOT   folder (absolute) to whose files this applies; inputs and outputs lie below it
 * FAULT        OP:NAME:NTH:ACT   at the NTH call (from 1) of OP on a path that ends in NAME, or has it inside if NAME ends
 *              in '*', do ACT:
 *                a number      fail with that errno; a write writes half its bytes first when the number is negative
 *                kill          SIGKILL instead of the call; of a write, after half its bytes
 *                killed        SIGKILL after the call
 *                stop          SIGSTOP before the call
 *                interrupt     SIGINT before the call
 *                vanish        unlink the path before the call
 *                grow          append the file FAULT_MORE to the path before the call
 *              OP is open, read, write, fsync, rename, truncate or unlink, or `change` for any of these but read; from NTH+ on
 *              every call, if NTH ends in '+'
 * FAULT_LOG    file to log all changes below FAULT_ROOT in, for scripts/faults/disk.py: lines of text, each write followed
 *              by its bytes
 * FAULT_COUNT  file to write the number of calls of OP on NAME into; the next run chooses one of them
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define FDS 4096
static char *paths[FDS];
static char root[4096], op_wanted[32], name_wanted[512], act[64], count_path[4096];
static long nth_wanted, seen;
static int from_there, log_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static int (*real_open)(const char *, int, ...);
static int (*real_fsync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_close)(int);

__attribute__((constructor)) static void begin(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_read = dlsym(RTLD_NEXT, "read");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_open = dlsym(RTLD_NEXT, "open64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_mkdir = dlsym(RTLD_NEXT, "mkdir");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_close = dlsym(RTLD_NEXT, "close");
    const char *value = getenv("FAULT_ROOT");
    snprintf(root, sizeof root, "%s", value ? value : "");
    if ((value = getenv("FAULT"))) {
        char nth[32];
        if (sscanf(value, "%31[^:]:%511[^:]:%31[^:]:%63s", op_wanted, name_wanted, nth, act) == 4) {
            nth_wanted = atol(nth);
            from_there = strchr(nth, '+') != NULL;
        }
    }
    if ((value = getenv("FAULT_LOG"))) log_fd = real_open(value, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if ((value = getenv("FAULT_COUNT"))) snprintf(count_path, sizeof count_path, "%s", value);
}

static int is_below(const char *path) {
    size_t length = strlen(root);
    return length && path && strncmp(path, root, length) == 0;
}

/* Paths are made absolute by what the test gives; links are not followed. */
static char *absolute(const char *path) {
    char *out = NULL;
    if (path[0] == '/') return strdup(path);
    char *here = getcwd(NULL, 0);
    if (asprintf(&out, "%s/%s", here ? here : "", path) < 0) out = NULL;
    free(here);
    return out;
}

static int fits(const char *path) {
    size_t wanted = strlen(name_wanted), length = strlen(path);
    if (wanted && name_wanted[wanted - 1] == '*') {
        char inside[512];
        memcpy(inside, name_wanted, wanted - 1);
        inside[wanted - 1] = 0;
        return strstr(path, inside) != NULL;
    }
    return length >= wanted && strcmp(path + length - wanted, name_wanted) == 0;
}

static int is_wanted(const char *op) {
    return strcmp(op_wanted, "change") == 0 ? strcmp(op, "read") != 0 : strcmp(op, op_wanted) == 0;
}

/* Whether the call at hand is the one. */
static int is_due(const char *op, const char *path) {
    if (!is_below(path) || !is_wanted(op) || !fits(path)) return 0;
    pthread_mutex_lock(&lock);
    seen++;
    int due = from_there ? seen >= nth_wanted : seen == nth_wanted;
    if (count_path[0]) {
        char text[32];
        int fd = real_open(count_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        real_write(fd, text, (size_t)snprintf(text, sizeof text, "%ld\n", seen));
        real_close(fd);
    }
    pthread_mutex_unlock(&lock);
    return due;
}

static void append_more(const char *path) {
    char buffer[65536];
    ssize_t got;
    int from = real_open(getenv("FAULT_MORE"), O_RDONLY | O_CLOEXEC), to = real_open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    while ((got = real_read(from, buffer, sizeof buffer)) > 0) real_write(to, buffer, (size_t)got);
    real_close(from);
    real_close(to);
}

/* Does what is due before the call. 1: the call fails, errno is set. */
static int strike(const char *path) {
    if (strcmp(act, "kill") == 0) kill(getpid(), SIGKILL);
    else if (strcmp(act, "stop") == 0) kill(getpid(), SIGSTOP);
    else if (strcmp(act, "interrupt") == 0) kill(getpid(), SIGINT);
    else if (strcmp(act, "vanish") == 0) real_unlink(path);
    else if (strcmp(act, "grow") == 0) append_more(path);
    else if (strcmp(act, "killed") != 0) {
        errno = abs(atoi(act));
        return 1;
    }
    return 0;
}

static void struck(int due) {
    if (due && strcmp(act, "killed") == 0) kill(getpid(), SIGKILL);
}

static void note(const char *what, const char *path, const char *more, long long a, long long b, const void *bytes) {
    if (log_fd < 0 || !is_below(path)) return;
    int saved = errno;
    pthread_mutex_lock(&lock);
    char *line = NULL;
    int length = asprintf(&line, "%s\t%s\t%s\t%lld\t%lld\n", what, path, more, a, b);
    if (length > 0) real_write(log_fd, line, (size_t)length);
    if (bytes) real_write(log_fd, bytes, (size_t)b);
    free(line);
    pthread_mutex_unlock(&lock);
    errno = saved;
}

static int opened(const char *path, int flags, mode_t mode) {
    char *whole = absolute(path);
    int due = is_due("open", whole);
    if (due && strike(whole)) {
        free(whole);
        return -1;
    }
    int is_new = whole && is_below(whole) && (flags & O_CREAT) && access(whole, F_OK) != 0;
    int fd = real_open(path, flags, mode);
    if (fd >= 0 && fd < FDS && is_below(whole)) {
        if (is_new) note("create", whole, "", 0, 0, NULL);
        else if (flags & O_TRUNC) note("truncate", whole, "", 0, 0, NULL);
        free(paths[fd]);
        paths[fd] = whole;
    } else {
        free(whole);
    }
    struck(due);
    return fd;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

static const char *path_of(int fd) { return fd >= 0 && fd < FDS && paths[fd] ? paths[fd] : ""; }

int close(int fd) {
    if (fd >= 0 && fd < FDS) {
        free(paths[fd]);
        paths[fd] = NULL;
    }
    return real_close(fd);
}

ssize_t read(int fd, void *buffer, size_t count) {
    if (is_due("read", path_of(fd)) && strike(path_of(fd))) return -1;
    return real_read(fd, buffer, count);
}

/* Counts as a read: workers read their batches by it. */
ssize_t pread64(int fd, void *buffer, size_t count, off64_t offset) {
    if (is_due("read", path_of(fd)) && strike(path_of(fd))) return -1;
    return real_pread(fd, buffer, count, offset);
}

ssize_t write(int fd, const void *buffer, size_t count) {
    const char *path = path_of(fd);
    int due = is_due("write", path);
    if (due && (act[0] == '-' || strcmp(act, "kill") == 0) && count > 1) {
        real_write(fd, buffer, count / 2);
        act[0] == '-' ? (void)memmove(act, act + 1, strlen(act)) : (void)0;
    }
    if (due && strike(path)) return -1;
    ssize_t written = real_write(fd, buffer, count);
    if (written > 0 && *path) note("write", path, "", lseek(fd, 0, SEEK_CUR) - written, written, buffer);
    struck(due);
    return written;
}

static int synced(int fd, int (*call)(int)) {
    const char *path = path_of(fd);
    int due = is_due("fsync", path);
    if (due && strike(path)) return -1;
    int result = call(fd);
    if (result == 0) note("fsync", path, "", 0, 0, NULL);
    struck(due);
    return result;
}

int fsync(int fd) { return synced(fd, real_fsync); }

int fdatasync(int fd) { return synced(fd, real_fsync); }

int rename(const char *from, const char *to) {
    char *a = absolute(from), *b = absolute(to);
    int due = is_due("rename", b), result = -1;
    if (!(due && strike(b))) {
        result = real_rename(from, to);
        if (result == 0) note("rename", a, b, 0, 0, NULL);
        struck(due);
    }
    int saved = errno;
    free(a);
    free(b);
    errno = saved;
    return result;
}

int unlink(const char *path) {
    char *whole = absolute(path);
    int due = is_due("unlink", whole), result = -1;
    if (!(due && strike(whole))) {
        result = real_unlink(path);
        if (result == 0) note("unlink", whole, "", 0, 0, NULL);
        struck(due);
    }
    int saved = errno;
    free(whole);
    errno = saved;
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int result = real_mkdir(path, mode);
    char *whole = absolute(path);
    if (result == 0) note("mkdir", whole, "", 0, 0, NULL);
    int saved = errno;
    free(whole);
    errno = saved;
    return result;
}

int ftruncate64(int fd, off_t length) {
    const char *path = path_of(fd);
    int due = is_due("truncate", path);
    if (due && strike(path)) return -1;
    int result = real_ftruncate(fd, length);
    if (result == 0) note("truncate", path, "", length, 0, NULL);
    struck(due);
    return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }
