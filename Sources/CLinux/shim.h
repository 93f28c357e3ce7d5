#pragma once
#include <sys/syscall.h>
#include <unistd.h>

/* renameat2 is declared only under _GNU_SOURCE, and syscall is variadic, so Swift sees neither. */
static inline int clinux_exchange(const char *first, const char *second) {
    const int at_working_directory = -100;
    const unsigned int rename_exchange = 2;
    return (int)syscall(SYS_renameat2, at_working_directory, first, at_working_directory, second, rename_exchange);
}
