/* Faults on demand, for LD_PRELOAD. Calls that a library makes without the C library (tempfile renames so) are trapped by seccomp and
 * come here too; that needs Linux on x86-64.
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
 *              OP is open (to write), write, fsync, rename, truncate, unlink, mkdir or rmdir, or `change` for any of these; look (open
 *              to read, folders too) or read, or `get` for both. From NTH+ on every call, if NTH ends in '+'
 * FAULT_HIT    file that gets a line for each call that was struck: OP, a tab, the path
 * FAULT_LOG    file to log all changes below FAULT_ROOT in, for scripts/lab/faults/disk.py: lines of text, each write followed
 *              by its bytes
 * FAULT_CALLS  file to log the calls of OP on NAME in, a line each: OP, a tab, the path
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define FDS 4096
static char *paths[FDS];
/* Files without a name: what is done to them can fail, and no power cut leaves anything of them. */
static char is_nameless[FDS];
static char root[4096], op_wanted[32], name_wanted[512], act[64];
static long nth_wanted, seen;
static int from_there, log_fd = -1, calls_fd = -1, hit_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static int (*real_open)(const char *, int, ...);
static int (*real_fsync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_rmdir)(const char *);
static DIR *(*real_opendir)(const char *);
static int (*real_ftruncate)(int, off_t);
static int (*real_close)(int);

static void trap_raw_calls(void);

static int log_named(const char *variable) {
    const char *path = getenv(variable);
    return path ? real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644) : -1;
}

__attribute__((constructor)) static void begin(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_read = dlsym(RTLD_NEXT, "read");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_open = dlsym(RTLD_NEXT, "open64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_mkdir = dlsym(RTLD_NEXT, "mkdir");
    real_rmdir = dlsym(RTLD_NEXT, "rmdir");
    real_opendir = dlsym(RTLD_NEXT, "opendir");
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
    log_fd = log_named("FAULT_LOG");
    calls_fd = log_named("FAULT_CALLS");
    hit_fd = log_named("FAULT_HIT");
    trap_raw_calls();
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
    int gets = strcmp(op, "read") == 0 || strcmp(op, "look") == 0;
    if (strcmp(op_wanted, "change") == 0) return !gets;
    if (strcmp(op_wanted, "get") == 0) return gets;
    return strcmp(op, op_wanted) == 0;
}

static void note_call(int fd, const char *op, const char *path) {
    char line[4200];
    if (fd < 0) return;
    int saved = errno;
    int length = snprintf(line, sizeof line, "%s\t%s\n", op, path);
    if (length > 0 && (size_t)length < sizeof line) real_write(fd, line, (size_t)length);
    errno = saved;
}

/* Whether the call at hand is the one. */
static int is_due(const char *op, const char *path) {
    if (!is_below(path) || !is_wanted(op) || !fits(path)) return 0;
    pthread_mutex_lock(&lock);
    seen++;
    int due = from_there ? seen >= nth_wanted : seen == nth_wanted;
    note_call(calls_fd, op, path);
    if (due) note_call(hit_fd, op, path);
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
    /* To this thread, which stops at once. Another one would have to be scheduled first. */
    else if (strcmp(act, "stop") == 0) raise(SIGSTOP);
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
    int nameless = (flags & O_TMPFILE) == O_TMPFILE;
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
    int due = is_due(writes ? "open" : "look", whole);
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
        is_nameless[fd] = (char)nameless;
    } else {
        free(whole);
    }
    struck(due);
    return fd;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

DIR *opendir(const char *path) {
    char *whole = absolute(path);
    int fails = is_due("look", whole) && strike(whole), saved = errno;
    free(whole);
    errno = saved;
    return fails ? NULL : real_opendir(path);
}

static const char *path_of(int fd) { return fd >= 0 && fd < FDS && paths[fd] ? paths[fd] : ""; }

static int is_named(int fd) { return *path_of(fd) && !is_nameless[fd]; }

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
    if (written > 0 && is_named(fd)) note("write", path, "", lseek(fd, 0, SEEK_CUR) - written, written, buffer);
    struck(due);
    return written;
}

/* Writes the first piece alone, as the system may. */
ssize_t writev(int fd, const struct iovec *pieces, int count) {
    int first = 0;
    while (first + 1 < count && pieces[first].iov_len == 0) first++;
    return count > 0 ? write(fd, pieces[first].iov_base, pieces[first].iov_len) : 0;
}

static int synced(int fd, int (*call)(int)) {
    const char *path = path_of(fd);
    int due = is_due("fsync", path);
    if (due && strike(path)) return -1;
    int result = call(fd);
    if (result == 0 && !(fd >= 0 && fd < FDS && is_nameless[fd])) note("fsync", path, "", 0, 0, NULL);
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

/* A change of one name: `call` makes it, `op` is what the log calls it. */
static int changed(const char *op, const char *path, int (*call)(const char *, mode_t), mode_t mode) {
    char *whole = absolute(path);
    int due = is_due(op, whole), result = -1;
    if (!(due && strike(whole))) {
        result = call(path, mode);
        if (result == 0) note(op, whole, "", 0, 0, NULL);
        struck(due);
    }
    int saved = errno;
    free(whole);
    errno = saved;
    return result;
}

static int call_unlink(const char *path, mode_t mode) { return (void)mode, real_unlink(path); }

static int call_rmdir(const char *path, mode_t mode) { return (void)mode, real_rmdir(path); }

int unlink(const char *path) { return changed("unlink", path, call_unlink, 0); }

int rmdir(const char *path) { return changed("rmdir", path, call_rmdir, 0); }

int mkdir(const char *path, mode_t mode) { return changed("mkdir", path, real_mkdir, mode); }

int ftruncate64(int fd, off_t length) {
    const char *path = path_of(fd);
    int due = is_due("truncate", path);
    if (due && strike(path)) return -1;
    int result = real_ftruncate(fd, length);
    if (result == 0 && is_named(fd)) note("truncate", path, "", length, 0, NULL);
    struck(due);
    return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/* A system without these calls makes programs read and write, which is what this library knows. */
static ssize_t unknown_call(void) {
    errno = ENOSYS;
    return -1;
}

ssize_t copy_file_range(int from, off64_t *from_place, int to, off64_t *to_place, size_t count, unsigned flags) {
    (void)from, (void)from_place, (void)to, (void)to_place, (void)count, (void)flags;
    return unknown_call();
}

ssize_t sendfile64(int to, int from, off64_t *place, size_t count) {
    (void)to, (void)from, (void)place, (void)count;
    return unknown_call();
}

ssize_t sendfile(int to, int from, off_t *place, size_t count) {
    (void)to, (void)from, (void)place, (void)count;
    return unknown_call();
}

#ifdef __x86_64__

/* The calls that are trapped where anything but the C library makes them. */
static const int TRAPPED[] = {
    SYS_open,   SYS_openat,    SYS_read,     SYS_pread64, SYS_write,  SYS_writev, SYS_fsync, SYS_fdatasync,
    SYS_rename, SYS_renameat,  SYS_renameat2, SYS_unlink, SYS_unlinkat, SYS_mkdir, SYS_rmdir, SYS_ftruncate,
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static long forward(long number, const greg_t *r) {
    long a = r[REG_RDI], b = r[REG_RSI], c = r[REG_RDX], d = r[REG_R10];
    switch (number) {
    case SYS_open: return opened((const char *)a, (int)b, (mode_t)c);
    case SYS_read: return read((int)a, (void *)b, (size_t)c);
    case SYS_pread64: return pread64((int)a, (void *)b, (size_t)c, d);
    case SYS_write: return write((int)a, (const void *)b, (size_t)c);
    case SYS_writev: return writev((int)a, (const struct iovec *)b, (int)c);
    case SYS_fsync:
    case SYS_fdatasync: return fsync((int)a);
    case SYS_rename: return rename((const char *)a, (const char *)b);
    case SYS_unlink: return unlink((const char *)a);
    case SYS_mkdir: return mkdir((const char *)a, (mode_t)b);
    case SYS_rmdir: return rmdir((const char *)a);
    case SYS_ftruncate: return ftruncate64((int)a, b);
    }
    if ((int)a == AT_FDCWD) {
        if (number == SYS_openat) return opened((const char *)b, (int)c, (mode_t)d);
        if (number == SYS_unlinkat) return c & AT_REMOVEDIR ? rmdir((const char *)b) : unlink((const char *)b);
        int is_plain = number == SYS_renameat || (number == SYS_renameat2 && r[REG_R8] == 0);
        if (is_plain && (int)c == AT_FDCWD) return rename((const char *)b, (const char *)d);
    }
    return syscall(number, a, b, c, d, r[REG_R8], r[REG_R9]);
}

static void trapped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int saved = errno;
    long result = forward(info->si_syscall, registers);
    registers[REG_RAX] = result == -1 ? -errno : result;
    errno = saved;
}

/* Where the code of the C library is: its calls have been here already. */
static int find_library(struct dl_phdr_info *library, size_t size, void *range) {
    (void)size;
    if (!strstr(library->dlpi_name, "/libc.so")) return 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
            ((__u64 *)range)[0] = library->dlpi_addr + part->p_vaddr;
            ((__u64 *)range)[1] = library->dlpi_addr + part->p_vaddr + part->p_memsz;
        }
    }
    return 1;
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (field))
#define IF(test, value, yes, no) BPF_JUMP(BPF_JMP | BPF_K | (test), (value), (yes), (no))
#define GIVE(value) BPF_STMT(BPF_RET | BPF_K, (value))

static void trap_raw_calls(void) {
    __u64 range[2] = {0, 0};
    dl_iterate_phdr(find_library, range);
    unsigned ip = offsetof(struct seccomp_data, instruction_pointer), n = 0;
    struct sock_filter rules[COUNT(TRAPPED) + 16];
    rules[n++] = (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < COUNT(TRAPPED); i++)
        rules[n++] = (struct sock_filter)IF(BPF_JEQ, (__u32)TRAPPED[i], (__u8)(COUNT(TRAPPED) - i), 0);
    rules[n++] = (struct sock_filter)GIVE(SECCOMP_RET_ALLOW);
    /* A comparison has 32 bits: the range is cut where the upper half of addresses changes. */
    for (__u64 from = range[0]; from < range[1];) {
        __u64 last = (from | 0xffffffffu) < range[1] - 1 ? (from | 0xffffffffu) : range[1] - 1;
        rules[n++] = (struct sock_filter)LOAD(ip + 4);
        rules[n++] = (struct sock_filter)IF(BPF_JEQ, (__u32)(from >> 32), 0, 4);
        rules[n++] = (struct sock_filter)LOAD(ip);
        rules[n++] = (struct sock_filter)IF(BPF_JGE, (__u32)from, 0, 2);
        rules[n++] = (struct sock_filter)IF(BPF_JGT, (__u32)last, 1, 0);
        rules[n++] = (struct sock_filter)GIVE(SECCOMP_RET_ALLOW);
        from = last + 1;
    }
    rules[n++] = (struct sock_filter)GIVE(SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = rules};
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    if (range[0] == 0 || sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("shim.c: cannot trap calls");
        abort();
    }
}

#else

static void trap_raw_calls(void) {}

#endif
