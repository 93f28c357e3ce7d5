// How a library is loaded at its first use, for the modules in C that hand over to one.
#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct loaded_library {
    const char *name;
    // The interface that the program was compiled for.
    const char *file;
    // What to install where it is missing.
    const char *hint;
};

// Ends the program as the system ends one whose libraries are missing.
static void end_without(const struct loaded_library *library) {
    fprintf(stderr, "error: %s cannot be loaded: %s\n  hint: install %s\n", library->name, dlerror(), library->hint);
    _exit(127);
}

static void *opened_library(const struct loaded_library *library) {
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) end_without(library);
    return handle;
}

static void *loaded_function(const struct loaded_library *library, void *handle, const char *name) {
    void *place = dlsym(handle, name);
    if (!place) end_without(library);
    return place;
}
