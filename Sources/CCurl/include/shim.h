#pragma once
#include <curl/curl.h>

// libcurl sets options and reads facts through variadic functions, which Swift cannot call.
// Each wrapper below fixes the type of the one variable argument; pairing an option with the
// right wrapper is the caller's duty, as it is in C.

// Why a type of its own: the header and body callbacks share this shape, and a named function
// pointer lets a Swift closure without captures stand for either.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPTTYPE_LONG: an int passed through "..." would be read as a long and carry rubbish.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_OFF_T: sizes that are 64 bits wide on every platform.
static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_STRINGPOINT: libcurl copies the text, so it need not outlive the call.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_CBPOINT: libcurl keeps the pointer; what it points to must outlive the transfer.
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_SLISTPOINT: libcurl does not copy the list; it must outlive the transfer.
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_FUNCTIONPOINT with the shape of the header, body and upload callbacks.
static inline CURLcode ccurl_set_receiver(CURL *handle, CURLoption option, ccurl_receiver value) {
    return curl_easy_setopt(handle, option, value);
}

// The shape of the callback that libcurl asks now and then whether to go on.
typedef int (*ccurl_watch)(
    void *context, curl_off_t to_receive, curl_off_t received, curl_off_t to_send, curl_off_t sent);

// For CURLOPT_XFERINFOFUNCTION.
static inline CURLcode ccurl_set_watch(CURL *handle, ccurl_watch value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

// The shape of the callback that libcurl asks, once connected, whether to send the request.
typedef int (*ccurl_prerequest)(
    void *context, char *remote, char *local, int remote_port, int local_port);

// For CURLOPT_PREREQFUNCTION.
static inline CURLcode ccurl_set_prerequest(CURL *handle, ccurl_prerequest value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

// The shape of the callback that hears what libcurl and a server say to each other.
typedef int (*ccurl_listener)(
    CURL *handle, curl_infotype type, char *bytes, size_t size, void *context);

// For CURLOPT_DEBUGFUNCTION.
static inline CURLcode ccurl_set_listener(CURL *handle, ccurl_listener value) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, value);
}

// For CURLINFO_LONG: the fact is written through a pointer whose type "..." cannot check.
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

// For CURLINFO_OFF_T: microseconds and sizes.
static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

// For the multi handle's numeric options, variadic like those of the easy handle.
static inline CURLMcode ccurl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}
