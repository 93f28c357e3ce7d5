#pragma once
#include <zlib.h>

// inflateInit2 is a macro, which Swift does not see. 16 asks for the gzip format with its header and
// trailer, MAX_WBITS for the largest window.
static inline int czlib_start_gunzip(z_streamp stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}

// The gzip format at the usual level; zlib writes no time into the header.
static inline int czlib_start_gzip(z_streamp stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
