#pragma once
#include <spawn.h>
#include <unistd.h>

#ifdef __APPLE__
#include <fcntl.h>
#include <stdio.h>

/* Lets two names change places. */
static inline int clinux_exchange(const char *first, const char *second) {
    return renamex_np(first, second, RENAME_SWAP);
}

/* Brings an open file or folder to the disk itself, not only to the drive's cache, which fsync does there. */
static inline int clinux_syncfs(int descriptor) {
    return fcntl(descriptor, F_FULLFSYNC);
}
#else
#include <sys/syscall.h>

/* renameat2 and syncfs are declared only under _GNU_SOURCE, and syscall is variadic, so Swift sees none of them. */
static inline int clinux_exchange(const char *first, const char *second) {
    const int at_working_directory = -100;
    const unsigned int rename_exchange = 2;
    return (int)syscall(SYS_renameat2, at_working_directory, first, at_working_directory, second, rename_exchange);
}

/* Writes everything of the file system of an open file or folder to the disk. */
static inline int clinux_syncfs(int descriptor) {
    return (int)syscall(SYS_syncfs, descriptor);
}

/* Declared only under _GNU_SOURCE. */
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#endif

/* Has a program that is spawned begin in a folder. */
static inline int clinux_add_folder(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}
