#pragma once
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* Has a program that is spawned begin in a folder. */
static inline int clinux_add_folder(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}
