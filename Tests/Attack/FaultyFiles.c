/* A library to be preloaded into a program: it lets one chosen call on files below one folder go wrong.

   ATTACK_FOLDER  the folder, absolute, links resolved; calls on other files are left alone and not counted
   ATTACK_AT      the number of the call that goes wrong, from 1; none when it is missing
   ATTACK_HOW     kill   the process dies before the call
                  tear   of a write the first half is done, then the process dies; other calls as with kill
                  short  of a write the first half is done; other calls go on as usual
                  stop   the process is told to stop (SIGTERM), and the call goes on
                  ENOSPC, EIO, EDQUOT, EROFS, EINTR, EMFILE   the call is refused with this error
   ATTACK_LONG    when set, every call from that number on is refused, as on a disk that stays full
   ATTACK_LOG     a file outside of the folder to which a line is written for each counted call

   ATTACK_NO_EXCHANGE  when set, two names cannot be exchanged, as on NFS (EINVAL)

   ATTACK_READ       a file or folder, absolute, that cannot be read, whatever is counted
   ATTACK_READ_CALL  open   it cannot be opened
                     read   it is opened, and no byte of it can be read
                     rest   its first piece is read, and nothing after it
                     look   nothing can be known of it
   ATTACK_READ_HOW   the error: EIO, EMFILE, EACCES, ENOSPC, ENOMEM, ESTALE

   ATTACK_CLOCK      seconds since 1970 at which the clock of the process begins

   Counted are: close of what is open for writing, open for writing or making, write, pwrite, ftruncate, fsync, fdatasync, syncfs, rename, also that of two
   names, link, symlink, unlink, rmdir, mkdir. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static long calls = 0;

/* Whether a path, as the program names it, lies below the folder. */
static int is_below(int at, const char *path) {
    const char *folder = getenv("ATTACK_FOLDER");
    char place[PATH_MAX * 2], base[PATH_MAX];
    if (!folder || !path) return 0;
    if (path[0] == '/') {
        snprintf(place, sizeof place, "%s", path);
    } else {
        if (at == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", at);
            ssize_t count = readlink(link, base, sizeof base - 1);
            if (count < 0) return 0;
            base[count] = 0;
        }
        snprintf(place, sizeof place, "%s/%s", base, path);
    }
    size_t length = strlen(folder);
    return strncmp(place, folder, length) == 0 && (place[length] == '/' || place[length] == 0);
}

static int is_below_descriptor(int descriptor) {
    char link[64], place[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, place, sizeof place - 1);
    if (count < 0) return 0;
    place[count] = 0;
    /* A pipe or a socket has no path. */
    return place[0] == '/' && is_below(AT_FDCWD, place);
}

static int number_of_error(const char *how) {
    if (!strcmp(how, "ENOSPC")) return ENOSPC;
    if (!strcmp(how, "EDQUOT")) return EDQUOT;
    if (!strcmp(how, "EROFS")) return EROFS;
    if (!strcmp(how, "EINTR")) return EINTR;
    if (!strcmp(how, "EMFILE")) return EMFILE;
    if (!strcmp(how, "EACCES")) return EACCES;
    if (!strcmp(how, "ENOMEM")) return ENOMEM;
    if (!strcmp(how, "ESTALE")) return ESTALE;
    return EIO;
}

static void tell(const char *call, const char *path, int descriptor) {
    const char *log = getenv("ATTACK_LOG");
    if (!log) return;
    char place[PATH_MAX] = "", line[PATH_MAX + 64];
    if (path) {
        snprintf(place, sizeof place, "%s", path);
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t count = readlink(link, place, sizeof place - 1);
        place[count < 0 ? 0 : count] = 0;
    }
    int file = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    int count = snprintf(line, sizeof line, "%ld %s %s\n", calls, call, place);
    if (count > 0) REAL(write)(file, line, (size_t)count);
    REAL(close)(file);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Counts a call. 0: it goes on as usual; an error number: it is refused; -1: it is to be torn; -2: it is to be short. */
static int attack(const char *call, const char *path, int descriptor) {
    int result = 0;
    pthread_mutex_lock(&door);
    calls += 1;
    tell(call, path, descriptor);
    const char *at = getenv("ATTACK_AT"), *how = getenv("ATTACK_HOW");
    long wanted = at ? atol(at) : 0;
    if (wanted > 0 && how && (calls == wanted || (getenv("ATTACK_LONG") && calls > wanted))) {
        if (!strcmp(how, "kill")) die();
        if (!strcmp(how, "stop")) {
            kill(getpid(), SIGTERM);
        } else if (!strcmp(how, "tear")) {
            if (strcmp(call, "write") && strcmp(call, "pwrite")) die();
            result = -1;
        } else if (!strcmp(how, "short")) {
            result = strcmp(call, "write") && strcmp(call, "pwrite") ? 0 : -2;
        } else {
            result = number_of_error(how);
        }
    }
    pthread_mutex_unlock(&door);
    return result;
}

/* The path of an open file; empty when it has none. */
static void place_of(int descriptor, char *place, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, place, size - 1);
    place[count < 0 ? 0 : count] = 0;
}

/* The error with which a call to read is refused; 0 when it is not. */
static int unreadable(const char *call, const char *path) {
    const char *file = getenv("ATTACK_READ"), *wanted = getenv("ATTACK_READ_CALL");
    if (!file || !wanted || strcmp(call, wanted) || strcmp(path, file)) return 0;
    const char *how = getenv("ATTACK_READ_HOW");
    return number_of_error(how ? how : "EIO");
}

static int unreadable_path(const char *call, int at, const char *path) {
    char place[PATH_MAX * 2], base[PATH_MAX];
    if (!getenv("ATTACK_READ") || !path) return 0;
    if (path[0] == '/') {
        snprintf(place, sizeof place, "%s", path);
    } else {
        if (at == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            place_of(at, base, sizeof base);
        }
        while (!strncmp(path, "./", 2)) path += 2;
        snprintf(place, sizeof place, "%s/%s", base, path);
    }
    for (size_t end = strlen(place); end > 1 && place[end - 1] == '/'; end--) place[end - 1] = 0;
    return unreadable(call, place);
}

/* Of a read from an open file; the first piece is at its beginning. */
static int unreadable_descriptor(int descriptor, off_t from) {
    char place[PATH_MAX];
    if (!getenv("ATTACK_READ")) return 0;
    place_of(descriptor, place, sizeof place);
    int fault = unreadable("read", place);
    return fault || from == 0 ? fault : unreadable("rest", place);
}

#define REFUSE(fault) do { errno = (fault); return -1; } while (0)

static int opens_to_write(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
}

#define OPEN(name)                                                                   \
    int name(const char *path, int flags, ...) {                                     \
        mode_t mode = 0;                                                             \
        if (flags & (O_CREAT | O_TMPFILE)) {                                         \
            va_list rest;                                                            \
            va_start(rest, flags);                                                   \
            mode = va_arg(rest, mode_t);                                             \
            va_end(rest);                                                            \
        }                                                                            \
        int refusal = unreadable_path("open", AT_FDCWD, path);                       \
        if (refusal) REFUSE(refusal);                                                \
        if (opens_to_write(flags) && is_below(AT_FDCWD, path)) {                     \
            int fault = attack("open", path, -1);                                    \
            if (fault) REFUSE(fault);                                                \
        }                                                                            \
        return REAL(name)(path, flags, mode);                                        \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                 \
    int name(int at, const char *path, int flags, ...) {                             \
        mode_t mode = 0;                                                             \
        if (flags & (O_CREAT | O_TMPFILE)) {                                         \
            va_list rest;                                                            \
            va_start(rest, flags);                                                   \
            mode = va_arg(rest, mode_t);                                             \
            va_end(rest);                                                            \
        }                                                                            \
        int refusal = unreadable_path("open", at, path);                             \
        if (refusal) REFUSE(refusal);                                                \
        if (opens_to_write(flags) && is_below(at, path)) {                           \
            int fault = attack("open", path, -1);                                    \
            if (fault) REFUSE(fault);                                                \
        }                                                                            \
        return REAL(name)(at, path, flags, mode);                                    \
    }
OPENAT(openat)
OPENAT(openat64)

ssize_t read(int descriptor, void *bytes, size_t count) {
    int fault = getenv("ATTACK_READ") ? unreadable_descriptor(descriptor, lseek(descriptor, 0, SEEK_CUR)) : 0;
    if (fault) REFUSE(fault);
    return REAL(read)(descriptor, bytes, count);
}

#define PREAD(name, offset_type)                                                     \
    ssize_t name(int descriptor, void *bytes, size_t count, offset_type at) {        \
        int fault = unreadable_descriptor(descriptor, at);                           \
        if (fault) REFUSE(fault);                                                    \
        return REAL(name)(descriptor, bytes, count, at);                             \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

DIR *opendir(const char *path) {
    int fault = unreadable_path("open", AT_FDCWD, path);
    if (fault) {
        errno = fault;
        return NULL;
    }
    return REAL(opendir)(path);
}

#define READDIR(name, entry_type)                                                    \
    struct entry_type *name(DIR *folder) {                                           \
        int fault = unreadable_descriptor(dirfd(folder), 0);                         \
        if (fault) {                                                                 \
            errno = fault;                                                           \
            return NULL;                                                             \
        }                                                                            \
        return REAL(name)(folder);                                                   \
    }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

#define LOOK(name, status_type)                                                      \
    int name(const char *path, struct status_type *status) {                         \
        int fault = unreadable_path("look", AT_FDCWD, path);                         \
        if (fault) REFUSE(fault);                                                    \
        return REAL(name)(path, status);                                             \
    }
LOOK(stat, stat)
LOOK(stat64, stat64)
LOOK(lstat, stat)
LOOK(lstat64, stat64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (is_below_descriptor(descriptor)) {
        int fault = attack("write", NULL, descriptor);
        if (fault == -1) {
            REAL(write)(descriptor, bytes, count / 2);
            die();
        }
        if (fault == -2) return REAL(write)(descriptor, bytes, (count + 1) / 2);
        if (fault) REFUSE(fault);
    }
    return REAL(write)(descriptor, bytes, count);
}

#define PWRITE(name, offset_type)                                                    \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type at) {  \
        if (is_below_descriptor(descriptor)) {                                       \
            int fault = attack("pwrite", NULL, descriptor);                          \
            if (fault == -1) {                                                       \
                REAL(name)(descriptor, bytes, count / 2, at);                        \
                die();                                                               \
            }                                                                        \
            if (fault == -2) return REAL(name)(descriptor, bytes, (count + 1) / 2, at); \
            if (fault) REFUSE(fault);                                                \
        }                                                                            \
        return REAL(name)(descriptor, bytes, count, at);                             \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define BY_DESCRIPTOR(name)                                                          \
    int name(int descriptor) {                                                       \
        if (is_below_descriptor(descriptor)) {                                       \
            int fault = attack(#name, NULL, descriptor);                             \
            if (fault) REFUSE(fault);                                                \
        }                                                                            \
        return REAL(name)(descriptor);                                               \
    }
BY_DESCRIPTOR(fsync)
BY_DESCRIPTOR(fdatasync)

/* What is refused is closed all the same, as the system does it. */
int close(int descriptor) {
    int flags = getenv("ATTACK_FOLDER") ? fcntl(descriptor, F_GETFL) : -1;
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_below_descriptor(descriptor)) {
        int fault = attack("close", NULL, descriptor);
        if (fault > 0) {
            REAL(close)(descriptor);
            REFUSE(fault);
        }
    }
    return REAL(close)(descriptor);
}

/* The clock goes on from where it was set, in steps of ten minutes: how fast a machine is moves no instant of a report.
   Nothing else gets another time. */
static time_t shifted(time_t now) {
    static time_t begin = 0;
    const char *wanted = getenv("ATTACK_CLOCK");
    if (!wanted) return now;
    if (!begin) begin = now;
    return atoll(wanted) + (now - begin) / 600 * 600;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(clock_gettime)(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec = shifted(time->tv_sec);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int result = REAL(gettimeofday)(time, zone);
    if (result == 0) time->tv_sec = shifted(time->tv_sec);
    return result;
}

time_t time(time_t *place) {
    time_t now = shifted(REAL(time)(NULL));
    if (place) *place = now;
    return now;
}

#define TRUNCATE(name, offset_type)                                                  \
    int name(int descriptor, offset_type size) {                                     \
        if (is_below_descriptor(descriptor)) {                                       \
            int fault = attack("ftruncate", NULL, descriptor);                       \
            if (fault) REFUSE(fault);                                                \
        }                                                                            \
        return REAL(name)(descriptor, size);                                         \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    if (is_below(AT_FDCWD, to)) {
        int fault = attack("rename", to, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(rename)(from, to);
}

int unlink(const char *path) {
    if (is_below(AT_FDCWD, path)) {
        int fault = attack("unlink", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
    if (is_below(AT_FDCWD, path)) {
        int fault = attack("mkdir", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(mkdir)(path, mode);
}

int rmdir(const char *path) {
    if (is_below(AT_FDCWD, path)) {
        int fault = attack("rmdir", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(rmdir)(path);
}

int mkdirat(int at, const char *path, mode_t mode) {
    if (is_below(at, path)) {
        int fault = attack("mkdir", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(mkdirat)(at, path, mode);
}

int unlinkat(int at, const char *path, int flags) {
    if (is_below(at, path)) {
        int fault = attack("unlink", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(unlinkat)(at, path, flags);
}

int link(const char *from, const char *to) {
    if (is_below(AT_FDCWD, to)) {
        int fault = attack("link", to, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(link)(from, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    if (is_below(to_at, to)) {
        int fault = attack("link", to, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(linkat)(from_at, from, to_at, to, flags);
}

int symlink(const char *target, const char *path) {
    if (is_below(AT_FDCWD, path)) {
        int fault = attack("symlink", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(symlink)(target, path);
}

int symlinkat(const char *target, int at, const char *path) {
    if (is_below(at, path)) {
        int fault = attack("symlink", path, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(symlinkat)(target, at, path);
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
    if (is_below(to_at, to)) {
        int fault = attack("rename", to, -1);
        if (fault) REFUSE(fault);
    }
    return REAL(renameat)(from_at, from, to_at, to);
}

/* Programs reach the exchange of two names and syncfs by their numbers. */
long syscall(long number, ...) {
    long given[6];
    va_list rest;
    va_start(rest, number);
    for (int index = 0; index < 6; index++) given[index] = va_arg(rest, long);
    va_end(rest);
    int fault = 0;
    if (number == SYS_renameat2 && is_below((int)given[2], (const char *)given[3])) {
        if (getenv("ATTACK_NO_EXCHANGE") && given[4]) REFUSE(EINVAL);
        fault = attack("rename", (const char *)given[3], -1);
    } else if (number == SYS_syncfs && is_below_descriptor((int)given[0])) {
        fault = attack("syncfs", NULL, (int)given[0]);
    }
    if (fault) REFUSE(fault);
    return REAL(syscall)(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}
