#pragma once
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef __APPLE__
#include <copyfile.h>
#include <mach-o/dyld.h>
#include <mach-o/loader.h>

/* Lets two names change places. */
static inline int cplatform_exchange(const char *first, const char *second) {
    return renamex_np(first, second, RENAME_SWAP);
}

/* Writes everything to the disk itself: to the drive first, then what the drive still keeps in its cache. */
static inline int cplatform_syncfs(int descriptor) {
    sync();
    return fcntl(descriptor, F_FULLFSYNC);
}

/* What a name in an open folder is like, links not followed; whether something is mounted there is not known: -1. */
static inline int cplatform_status(int folder, const char *name, struct stat *status, int *mounted) {
    *mounted = -1;
    return fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW);
}

/* The number that the linker gave to the program for its bytes; its length, 0 when it gave none. */
static inline size_t cplatform_build_id(const unsigned char **id) {
    const struct mach_header_64 *header = (const struct mach_header_64 *)_dyld_get_image_header(0);
    const char *place = (const char *)(header + 1);
    for (uint32_t left = header->ncmds; left > 0; left--) {
        const struct load_command *command = (const struct load_command *)place;
        if (command->cmd == LC_UUID) {
            *id = ((const struct uuid_command *)command)->uuid;
            return sizeof(uuid_t);
        }
        place += command->cmdsize;
    }
    return 0;
}
#else
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* The number that the linker gave to the program for its bytes; its length, 0 when it gave none. */
static inline size_t cplatform_build_id(const unsigned char **id) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const size_t count = headers == NULL ? 0 : getauxval(AT_PHNUM);
    uintptr_t base = 0;
    for (size_t place = 0; place < count; place++)
        if (headers[place].p_type == PT_PHDR) base = (uintptr_t)headers - headers[place].p_vaddr;
    for (size_t place = 0; place < count; place++) {
        if (headers[place].p_type != PT_NOTE) continue;
        const uintptr_t step = headers[place].p_align == 8 ? 8 : 4;
        uintptr_t note = base + headers[place].p_vaddr;
        const uintptr_t end = note + headers[place].p_memsz;
        while (end - note >= sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)note;
            const char *name = (const char *)(header + 1);
            const uintptr_t bytes = ((uintptr_t)name + header->n_namesz + step - 1) & ~(step - 1);
            if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                *id = (const unsigned char *)bytes;
                return header->n_descsz;
            }
            const uintptr_t next = (bytes + header->n_descsz + step - 1) & ~(step - 1);
            if (next <= note || next > end) break;
            note = next;
        }
    }
    return 0;
}

/* renameat2 and syncfs are declared only under _GNU_SOURCE, and syscall is variadic, so Swift sees none of them. */
static inline int cplatform_exchange(const char *first, const char *second) {
    const int at_working_directory = -100;
    const unsigned int rename_exchange = 2;
    return (int)syscall(SYS_renameat2, at_working_directory, first, at_working_directory, second, rename_exchange);
}

/* Writes everything of the file system of an open file or folder to the disk. */
static inline int cplatform_syncfs(int descriptor) {
    return (int)syscall(SYS_syncfs, descriptor);
}

/* What statx says, whose own declaration is seen only under _GNU_SOURCE and has not all of it in older headers. */
struct cplatform_statx {
    uint32_t known, block_size;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, unused;
    uint64_t node, size, blocks, known_attributes;
    struct {
        int64_t seconds;
        uint32_t nanoseconds, unused;
    } read, made, changed, written;
    uint32_t special_major, special_minor, device_major, device_minor;
    uint64_t rest[14];
};

/* What a name in an open folder is like, links not followed, and whether something is mounted there: 1, 0, or -1 where
   the system does not say. It is one call, as fstatat is. */
static inline int cplatform_status(int folder, const char *name, struct stat *status, int *mounted) {
    const int no_automount = 0x800;
    const unsigned int basic = 0x7ff;
    const uint64_t mount_root = 0x2000;
    struct cplatform_statx seen;
    *mounted = -1;
    if (syscall(SYS_statx, folder, name, AT_SYMLINK_NOFOLLOW | no_automount, basic, &seen) != 0) {
        return fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW);
    }
    if (seen.known_attributes & mount_root) *mounted = (seen.attributes & mount_root) != 0;
    if ((seen.known & basic) != basic) return fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW);
    memset(status, 0, sizeof *status);
    status->st_dev = makedev(seen.device_major, seen.device_minor);
    status->st_rdev = makedev(seen.special_major, seen.special_minor);
    status->st_ino = seen.node;
    status->st_mode = seen.mode;
    status->st_nlink = seen.links;
    status->st_uid = seen.user;
    status->st_gid = seen.group;
    status->st_size = (off_t)seen.size;
    status->st_blksize = seen.block_size;
    status->st_blocks = (blkcnt_t)seen.blocks;
    status->st_atim.tv_sec = seen.read.seconds;
    status->st_atim.tv_nsec = seen.read.nanoseconds;
    status->st_mtim.tv_sec = seen.written.seconds;
    status->st_mtim.tv_nsec = seen.written.nanoseconds;
    status->st_ctim.tv_sec = seen.changed.seconds;
    status->st_ctim.tv_nsec = seen.changed.nanoseconds;
    return 0;
}

/* Declared only under _GNU_SOURCE. */
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#endif

/* Where the program is that runs, by a path that may hold links; 0 when that is known. */
static inline int cplatform_program(char *path, size_t size) {
#ifdef __APPLE__
    uint32_t space = (uint32_t)size;
    return _NSGetExecutablePath(path, &space);
#else
    ssize_t count = readlink("/proc/self/exe", path, size - 1);
    if (count < 0) return -1;
    path[count] = 0;
    return 0;
#endif
}

/* Has a signal call a function, once: the next one finds the usual action again. What held before is kept. */
static inline int cplatform_handle_once(int signal, void (*handler)(int), struct sigaction *before) {
    struct sigaction action;
    sigemptyset(&action.sa_mask);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    return sigaction(signal, &action, before);
}

/* Starts a thread that ends by itself; gives 0, or the number of an error. */
static inline int cplatform_start_thread(void *(*body)(void *), void *context) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, body, context);
    return code != 0 ? code : pthread_detach(thread);
}

/* Brings an open file or folder to the disk itself; fsync ends at the drive's cache on macOS. */
static inline int cplatform_fsync(int descriptor) {
#ifdef __APPLE__
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
    return fsync(descriptor);
}

/* Starts a program in a folder, as the first of a process group of its own and with all signals open; its standard
   streams are these three descriptors. Gives 0, or the number of an error. */
static inline int cplatform_spawn(pid_t *number, const char *path, char *const arguments[], char *const variables[],
                               const char *folder, int input, int output, int errors) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
#ifdef __APPLE__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int code = posix_spawn_file_actions_init(&files);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawn_file_actions_adddup2(&files, input, 0);
        posix_spawn_file_actions_adddup2(&files, output, 1);
        posix_spawn_file_actions_adddup2(&files, errors, 2);
        posix_spawn_file_actions_addchdir_np(&files, folder);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, flags);
        code = posix_spawn(number, path, &files, &attributes, arguments, variables);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return code;
}

/* Makes two sockets that are joined, which no program that is started gets. */
static inline int cplatform_socket_pair(int pair[2]) {
#ifdef SOCK_CLOEXEC
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -1;
#endif
    for (int end = 0; end < 2; end++) {
        fcntl(pair[end], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
        int yes = 1;
        setsockopt(pair[end], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    }
    return 0;
}

/* Sends bytes to a socket; one that the other side has closed is an error and no signal. */
static inline ssize_t cplatform_send(int socket, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(socket, bytes, count, MSG_NOSIGNAL);
#else
    return send(socket, bytes, count, 0);
#endif
}

/* Gives memory that is free within the program back to the system. */
static inline void cplatform_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Gives large pieces of memory back to the system as soon as they are free. glibc keeps more of it with each large
   piece that was ever given back, so that what a run takes would depend on which thread was first. */
static inline void cplatform_steady_memory(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

/* Has no crash of this program, or of one that it starts, leave a file with what was in memory. */
static inline int cplatform_no_core(void) {
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none);
}

/* Has one open file hold the bytes of another, from where each of them is, by the system and without passing them
   through this program; gives how many, 0 at the end, and -1 where the system cannot do that. */
static inline ssize_t cplatform_copy(int source, int target, size_t most) {
#ifdef __APPLE__
    (void)most;
    if (lseek(target, 0, SEEK_CUR) > 0) return 0;
    if (fcopyfile(source, target, NULL, COPYFILE_DATA) != 0) return -1;
    return (ssize_t)lseek(target, 0, SEEK_END);
#else
    return (ssize_t)syscall(SYS_copy_file_range, source, (void *)0, target, (void *)0, most, 0u);
#endif
}

#ifdef __APPLE__
/* Gives an open file or folder the extended attributes of another, its access list among them. 0 when it has them. */
static inline int cplatform_copy_attributes(int source, int target) {
    return fcopyfile(source, target, NULL, COPYFILE_XATTR | COPYFILE_ACL);
}

/* Access lists for what is made in a folder are part of its own here. */
static inline int cplatform_copy_default_access(int source, int target) {
    (void)source, (void)target;
    return 0;
}

static inline int cplatform_has_default_access(const char *folder) {
    (void)folder;
    return 0;
}
#else
/* The names of the extended attributes of an open file or folder, each with a zero after it, to be freed; their size
   is 0 when it has none or can have none, and -1 when the system does not say. */
static inline char *cplatform_attribute_names(int file, ssize_t *size) {
    *size = flistxattr(file, NULL, 0);
    if (*size < 0 && (errno == ENOTSUP || errno == ENOSYS)) *size = 0;
    if (*size <= 0) return NULL;
    char *names = (char *)malloc((size_t)*size);
    *size = names ? flistxattr(file, names, (size_t)*size) : -1;
    return names;
}

/* Whether the system keeps an attribute for itself: it gives a new file what it needs of these. */
static inline int cplatform_is_attribute_of_system(const char *name) {
    return strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;
}

static inline int cplatform_copy_attribute(int source, int target, const char *name) {
    ssize_t size = fgetxattr(source, name, NULL, 0);
    if (size < 0) return -1;
    char *value = (char *)malloc((size_t)size + 1);
    if (!value) return -1;
    size = fgetxattr(source, name, value, (size_t)size);
    int result = size < 0 ? -1 : fsetxattr(target, name, value, (size_t)size, 0);
    free(value);
    return result;
}

static inline int cplatform_has_attribute(const char *names, ssize_t size, const char *name) {
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        if (strcmp(names + at, name) == 0) return 1;
    }
    return 0;
}

/* Gives an open file or folder the extended attributes of another, access lists among them, and no other ones: it may
   have access lists from the folder that it was made in. 0 when it has them. */
static inline int cplatform_copy_attributes(int source, int target) {
    ssize_t wanted_size, own_size;
    char *wanted = cplatform_attribute_names(source, &wanted_size);
    char *own = cplatform_attribute_names(target, &own_size);
    int result = wanted_size < 0 || own_size < 0 ? -1 : 0;
    for (ssize_t at = 0; result == 0 && at < own_size; at += (ssize_t)strlen(own + at) + 1) {
        const char *name = own + at;
        if (cplatform_is_attribute_of_system(name)) continue;
        if (!cplatform_has_attribute(wanted, wanted_size, name)) result = fremovexattr(target, name);
    }
    for (ssize_t at = 0; result == 0 && at < wanted_size; at += (ssize_t)strlen(wanted + at) + 1) {
        const char *name = wanted + at;
        if (!cplatform_is_attribute_of_system(name)) result = cplatform_copy_attribute(source, target, name);
    }
    free(wanted);
    free(own);
    return result;
}

/* Gives an open folder the access list that another one has for what is made in it. */
static inline int cplatform_copy_default_access(int source, int target) {
    return cplatform_copy_attribute(source, target, "system.posix_acl_default");
}

/* Whether a folder has an access list for what is made in it; the umask has no say there then. */
static inline int cplatform_has_default_access(const char *folder) {
    return getxattr(folder, "system.posix_acl_default", NULL, 0) > 0;
}
#endif

/* Gives an open file or folder the time at which it was last written. */
static inline int cplatform_set_written(int file, struct timespec written) {
    struct timespec times[2] = {{0, UTIME_OMIT}, written};
    return futimens(file, times);
}
