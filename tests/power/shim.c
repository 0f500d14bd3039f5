/* A card that can lose power, fill up, be slow and hang: loaded into the daemon with LD_PRELOAD by tests/power.rs,
 * tests/service.rs, tests/journal_files.rs and examples/load. For tests only; never part of the program.
 *
 * It watches the files of the journal (the name contains JOURNAL, but neither "-shm" nor "-published") and the
 * sockets. By environment:
 *
 *   SHIM_LOG        every write, truncation, flush and deletion of those files, and every byte sent to a socket, is
 *                   appended to this file in the order in which it happened: one record each, see `struct record`
 *   SHIM_FULL       while a file of this name exists, writes fail with ENOSPC
 *   SHIM_READ_ONLY  while a file of this name exists, the files cannot be opened for writing, and writes fail with EROFS
 *   SHIM_FLUSH_MS   a flush takes so much longer
 *   SHIM_HANG_FLUSH while a file of this name exists, flushes wait; that one does is shown by a file of this name with
 *                   ".reached" added
 *   SHIM_FLUSH_FAILS while a file of this name exists, flushes of the log are done and say EIO
 *   SHIM_READ_FAILS a file of this name is taken away by the next read of the database, which fails with EIO
 *   SHIM_HANG_OPEN  while a file of this name exists, whoever opens the database waits
 *   SHIM_HANG_NOTE  while a file of this name exists, whoever writes the numbers ("-published"), which the board loop
 *                   does, waits; that somebody does is shown by a file of this name with ".reached" added
 *
 * A write is logged before it is done and a flush after it, so what the log says was flushed was; what is sent is
 * logged before it is sent.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define JOURNAL "draughtsd.db"
#define MOST_FDS 65536

/* What a descriptor is: nothing of ours, the database, its log, its rollback journal, the numbers. */
enum file { OTHER = 0, DATABASE = 'd', LOG = 'w', ROLLBACK = 'j', NUMBERS = 'p' };
static unsigned char kinds[MOST_FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -2;

/* One thing that happened. `what`: W(rite), T(runcate), S(ync), U(nlink), N(etwork). `place` is an offset, a size, or
 * for N the descriptor. Followed by `length` bytes. Little-endian, as all machines are that run this. */
struct record {
    unsigned char what, file;
    unsigned char padding[6];
    uint64_t place;
    uint64_t length;
};

static void note(unsigned char what, unsigned char file, uint64_t place, const void *data, size_t length) {
    pthread_mutex_lock(&lock);
    if (log_fd == -2) {
        const char *name = getenv("SHIM_LOG");
        log_fd = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    if (log_fd >= 0) {
        struct record record = {what, file, {0}, place, length};
        struct iovec parts[2] = {{&record, sizeof record}, {(void *)data, length}};
        syscall(SYS_writev, log_fd, parts, length ? 2 : 1);
    }
    pthread_mutex_unlock(&lock);
}

static enum file kind_of(const char *path) {
    const char *name = path ? strstr(path, JOURNAL) : NULL;
    if (!name || strstr(name, "-shm") || strstr(name, ".damaged")) return OTHER;
    if (strstr(name, "-published")) return NUMBERS;
    if (strstr(name, "-wal")) return LOG;
    if (strstr(name, "-journal")) return ROLLBACK;
    return DATABASE;
}

/* The files of which the log tells, and which fail. */
static unsigned char kind(int fd) {
    unsigned char file = fd >= 0 && fd < MOST_FDS ? kinds[fd] : OTHER;
    return file == NUMBERS ? OTHER : file;
}

static int flagged(const char *variable) {
    const char *name = getenv(variable);
    return name && syscall(SYS_faccessat, AT_FDCWD, name, F_OK) == 0;
}

/* Whether a write to a file of ours fails now; errno says why. */
static int refused(int fd) {
    if (!kind(fd)) return 0;
    if (flagged("SHIM_FULL")) return errno = ENOSPC, 1;
    if (flagged("SHIM_READ_ONLY")) return errno = EROFS, 1;
    return 0;
}

/* Waits while the file that `variable` names exists. */
static void hang(const char *variable) {
    struct timespec time = {0, 10 * 1000000};
    while (flagged(variable)) nanosleep(&time, NULL);
}

static void show_that_it_is_reached(const char *variable) {
    char reached[4096];
    if (snprintf(reached, sizeof reached, "%s.reached", getenv(variable)) >= (int)sizeof reached) return;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, reached, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) syscall(SYS_close, fd);
}

static int opened(const char *path, int flags, mode_t mode, int at) {
    enum file file = kind_of(path);
    if (file == DATABASE) hang("SHIM_HANG_OPEN");
    if (file && file != NUMBERS && (flags & O_ACCMODE) != O_RDONLY && flagged("SHIM_READ_ONLY")) return errno = EROFS, -1;
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && fd < MOST_FDS) kinds[fd] = file;
    return fd;
}

#define MODE(flags)                                          \
    mode_t mode = 0;                                         \
    if (flags & (O_CREAT | O_TMPFILE)) {                     \
        va_list arguments;                                   \
        va_start(arguments, flags);                          \
        mode = va_arg(arguments, mode_t);                    \
        va_end(arguments);                                   \
    }
int open(const char *path, int flags, ...) { MODE(flags) return opened(path, flags, mode, AT_FDCWD); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(path, flags, mode, AT_FDCWD); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(path, flags, mode, at); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(path, flags, mode, at); }

int close(int fd) {
    if (fd >= 0 && fd < MOST_FDS) kinds[fd] = OTHER;
    return (int)syscall(SYS_close, fd);
}

static void note_if_socket(int fd, const void *data, size_t length) {
    struct stat status;
    if (getenv("SHIM_LOG") && fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode)) note('N', 0, (uint64_t)fd, data, length);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    if (fd >= 0 && fd < MOST_FDS && kinds[fd] == NUMBERS && flagged("SHIM_HANG_NOTE")) {
        show_that_it_is_reached("SHIM_HANG_NOTE");
        hang("SHIM_HANG_NOTE");
    }
    if (refused(fd)) return -1;
    if (kind(fd)) note('W', kind(fd), (uint64_t)offset, data, length);
    return syscall(SYS_pwrite64, fd, data, length, offset);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return pwrite(fd, data, length, offset); }

ssize_t pread(int fd, void *data, size_t length, off_t offset) {
    if (kind(fd) == DATABASE && flagged("SHIM_READ_FAILS")) {
        syscall(SYS_unlinkat, AT_FDCWD, getenv("SHIM_READ_FAILS"), 0);
        return errno = EIO, -1;
    }
    return syscall(SYS_pread64, fd, data, length, offset);
}
ssize_t pread64(int fd, void *data, size_t length, off64_t offset) { return pread(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
    if (refused(fd)) return -1;
    if (kind(fd)) note('W', kind(fd), (uint64_t)lseek(fd, 0, SEEK_CUR), data, length);
    else note_if_socket(fd, data, length);
    return syscall(SYS_write, fd, data, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (getenv("SHIM_LOG"))
        for (int part = 0; part < count; part++) note_if_socket(fd, parts[part].iov_base, parts[part].iov_len);
    return syscall(SYS_writev, fd, parts, count);
}

ssize_t send(int fd, const void *data, size_t length, int flags) {
    note_if_socket(fd, data, length);
    return syscall(SYS_sendto, fd, data, length, flags, NULL, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    for (size_t part = 0; part < message->msg_iovlen; part++)
        note_if_socket(fd, message->msg_iov[part].iov_base, message->msg_iov[part].iov_len);
    return syscall(SYS_sendmsg, fd, message, flags);
}

int ftruncate(int fd, off_t size) {
    if (refused(fd)) return -1;
    if (kind(fd)) note('T', kind(fd), (uint64_t)size, NULL, 0);
    return (int)syscall(SYS_ftruncate, fd, size);
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int unlink(const char *path) {
    enum file file = kind_of(path);
    if (file && file != NUMBERS) note('U', file, 0, NULL, 0);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void dawdle(void) {
    const char *text = getenv("SHIM_FLUSH_MS");
    long ms = text ? atol(text) : 0;
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    if (ms > 0) nanosleep(&time, NULL);
}

static int flushed(int fd, long call) {
    if (kind(fd)) dawdle();
    if (kind(fd) && flagged("SHIM_HANG_FLUSH")) {
        show_that_it_is_reached("SHIM_HANG_FLUSH");
        hang("SHIM_HANG_FLUSH");
    }
    int done = (int)syscall(call, fd);
    if (kind(fd) == LOG && flagged("SHIM_FLUSH_FAILS")) return errno = EIO, -1;
    if (kind(fd) && done == 0) note('S', kind(fd), 0, NULL, 0);
    /* A folder: what was deleted in it stays deleted. */
    struct stat status;
    if (done == 0 && fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) note('S', 'f', 0, NULL, 0);
    return done;
}
int fsync(int fd) { return flushed(fd, SYS_fsync); }
int fdatasync(int fd) { return flushed(fd, SYS_fdatasync); }
