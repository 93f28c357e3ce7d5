#pragma once
#include <zlib.h>

// inflateInit2 is a macro, which Swift does not see. 16 asks for the gzip format with its header and
// trailer, MAX_WBITS for the largest window.
static inline int czlib_start_gunzip(z_streamp stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}
