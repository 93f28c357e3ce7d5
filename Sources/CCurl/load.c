// libcurl brings two dozen libraries along, which take a third of the memory of a program at its start and most of what
// the start costs. Most commands send nothing, so libcurl is loaded at its first use. The functions below have the names
// of those of libcurl and hand over to them; on other systems the program is linked with libcurl.
#ifdef __linux__
#include "shim.h"
#include "../CPlatform/loading.h"
#include <stdarg.h>

// The interface of version 7.85 and later, whose major number has been 4 since 2006.
static const struct loaded_library source = {
    "libcurl", "libcurl.so.4", "libcurl 7.85 or later; Debian has it as libcurl4"};

#define FUNCTIONS(F) \
    F(curl_easy_cleanup) F(curl_easy_getinfo) F(curl_easy_init) F(curl_easy_perform) F(curl_easy_reset) \
    F(curl_easy_setopt) F(curl_easy_strerror) F(curl_free) F(curl_getdate) F(curl_global_init) \
    F(curl_multi_add_handle) F(curl_multi_cleanup) F(curl_multi_info_read) F(curl_multi_init) \
    F(curl_multi_perform) F(curl_multi_poll) F(curl_multi_remove_handle) F(curl_multi_setopt) \
    F(curl_multi_strerror) F(curl_multi_wakeup) F(curl_slist_append) F(curl_slist_free_all) F(curl_url) \
    F(curl_url_cleanup) F(curl_url_get) F(curl_url_set) F(curl_url_strerror) F(curl_version)

#define POINTER(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(POINTER)
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = opened_library(&source);
#define LOOK_UP(name) *(void **)&library.name = loaded_function(&source, handle, #name);
    FUNCTIONS(LOOK_UP)
}

// Hands a call over.
#define CALL(name, ...) return pthread_once(&once, load), library.name(__VA_ARGS__)

// Nothing outside of the program finds these in the place of those of the library.
#pragma GCC visibility push(hidden)

CURLcode curl_global_init(long flags) { CALL(curl_global_init, flags); }
char *curl_version(void) { CALL(curl_version); }
time_t curl_getdate(const char *text, const time_t *now) { CALL(curl_getdate, text, now); }
void curl_free(void *bytes) { CALL(curl_free, bytes); }

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
    CALL(curl_slist_append, list, text);
}
void curl_slist_free_all(struct curl_slist *list) { CALL(curl_slist_free_all, list); }

CURL *curl_easy_init(void) { CALL(curl_easy_init); }
void curl_easy_cleanup(CURL *easy) { CALL(curl_easy_cleanup, easy); }
void curl_easy_reset(CURL *easy) { CALL(curl_easy_reset, easy); }
CURLcode curl_easy_perform(CURL *easy) { CALL(curl_easy_perform, easy); }
const char *curl_easy_strerror(CURLcode code) { CALL(curl_easy_strerror, code); }

// What follows an option is a long, a pointer or a curl_off_t: each as wide as a pointer, and passed as one is.
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "one width");
#define LAST_ARGUMENT(before) \
    va_list arguments; \
    va_start(arguments, before); \
    void *last = va_arg(arguments, void *); \
    va_end(arguments)

#undef curl_easy_setopt
CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
    LAST_ARGUMENT(option);
    CALL(curl_easy_setopt, easy, option, last);
}
#undef curl_easy_getinfo
CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...) {
    LAST_ARGUMENT(info);
    CALL(curl_easy_getinfo, easy, info, last);
}
#undef curl_multi_setopt
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    LAST_ARGUMENT(option);
    CALL(curl_multi_setopt, multi, option, last);
}

CURLM *curl_multi_init(void) { CALL(curl_multi_init); }
CURLMcode curl_multi_cleanup(CURLM *multi) { CALL(curl_multi_cleanup, multi); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
    CALL(curl_multi_add_handle, multi, easy);
}
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    CALL(curl_multi_remove_handle, multi, easy);
}
CURLMcode curl_multi_perform(CURLM *multi, int *running) {
    CALL(curl_multi_perform, multi, running);
}
CURLMcode curl_multi_poll(
    CURLM *multi, struct curl_waitfd extra[], unsigned int count, int milliseconds, int *ready) {
    CALL(curl_multi_poll, multi, extra, count, milliseconds, ready);
}
CURLMcode curl_multi_wakeup(CURLM *multi) { CALL(curl_multi_wakeup, multi); }
CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { CALL(curl_multi_info_read, multi, left); }
const char *curl_multi_strerror(CURLMcode code) { CALL(curl_multi_strerror, code); }

CURLU *curl_url(void) { CALL(curl_url); }
void curl_url_cleanup(CURLU *url) { CALL(curl_url_cleanup, url); }
CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    CALL(curl_url_set, url, part, text, flags);
}
// Whether the first argument is const depends on the version of libcurl: this one has its symbol, not its declaration.
CURLUcode url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) __asm__("curl_url_get");
CURLUcode url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    CALL(curl_url_get, url, part, text, flags);
}
const char *curl_url_strerror(CURLUcode code) { CALL(curl_url_strerror, code); }

#pragma GCC visibility pop
#endif
