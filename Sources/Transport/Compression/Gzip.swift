import CZlib

/// The bytes in the gzip format (RFC 1952), without a time or a name, so that the same bytes give the same result; nil
/// when there is no memory for it, or more than zlib counts in 32 bits.
package func gzipCompressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard let count = UInt32(exactly: bytes.count), unsafe czlib_start_gzip(&stream) == Z_OK else {
        return nil
    }
    defer { unsafe deflateEnd(&stream) }
    let room = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
    guard let most = UInt32(exactly: room) else { return nil }
    var code = Z_STREAM_ERROR
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, written in
        unsafe bytes.withUnsafeBytes { input in
            // zlib never writes through next_in; the C declaration only lacks the const.
            unsafe stream.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            unsafe stream.avail_in = count
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = most
            code = unsafe deflate(&stream, Z_FINISH)
        }
        written = unsafe Int(most - stream.avail_out)
    }
    return code == Z_STREAM_END ? packed : nil
}
