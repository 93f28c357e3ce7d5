@_exported public import CPlatform

/// The C library of the system, and the doors to what it declares in different ways: the only place that says which
/// system this is.
#if canImport(Darwin)
    @_exported public import Darwin
#else
    @_exported public import Glibc
#endif

extension stat {
    /// When the bytes of the file were last written.
    package var written: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }

    /// When anything of the file last changed, its names among it.
    package var changed: timespec {
        #if canImport(Darwin)
            st_ctimespec
        #else
            st_ctim
        #endif
    }
}

/// The kind of a socket that carries a stream of bytes.
package let streamSocket: Int32 = {
    #if canImport(Darwin)
        SOCK_STREAM
    #else
        Int32(SOCK_STREAM.rawValue)
    #endif
}()

/// The path of the program that runs, without links; nil when the system does not say.
package func programPath() -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    guard cplatform_program(&bytes, bytes.count) == 0, let path = realpath(bytes, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
}

/// The number that the linker gave to the program that runs for its bytes; nil when it gave none.
package func buildNumber() -> [UInt8]? {
    var start: UnsafePointer<UInt8>?
    let count = cplatform_build_id(&start)
    return start.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
}
