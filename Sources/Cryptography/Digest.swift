import CCrypto

/// A function from bytes to a digest of fixed length.
package enum HashFunction: Sendable {
    /// 16 bytes (RFC 1321); finds damage, not attacks. Services ask for it.
    case md5
    /// 20 bytes (FIPS 180-4); finds damage, not attacks. Services give it.
    case sha1
    /// 32 bytes (FIPS 180-4).
    case sha256
}

/// The digest of some bytes.
package func digest(of bytes: some Sequence<UInt8>, by function: HashFunction = .sha256) -> [UInt8] {
    var digest = RunningDigest(function)
    digest.update(bytes)
    return digest.finish()
}

/// A digest of bytes that come in pieces.
@safe package struct RunningDigest: ~Copyable {
    private let context: OpaquePointer?

    /// No bytes yet.
    package init(_ function: HashFunction = .sha256) {
        unsafe context = EVP_MD_CTX_new()
        let isReady = unsafe EVP_DigestInit_ex2(context, function.implementation.pointer, nil) == 1
        precondition(isReady, "libcrypto of this system has no \(function)")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Appends bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            unsafe update(buffer: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { unsafe Array(bytes).withUnsafeBytes { unsafe update(buffer: $0) } }
    }

    private func update(buffer: UnsafeRawBufferPointer) {
        unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }

    /// The digest of all bytes.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var size: UInt32 = 0
            unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &size)
            count = Int(size)
        }
    }
}

extension HashFunction {
    /// Looked up once: looking it up takes longer than a short digest.
    fileprivate var implementation: Implementation {
        switch self {
        case .md5: .md5
        case .sha1: .sha1
        case .sha256: .sha256
        }
    }
}

/// A hash function in libcrypto.
@safe private struct Implementation: Sendable {
    // Fetched functions are counted references that all threads may read; this one is never given back.
    nonisolated(unsafe) let pointer: OpaquePointer?

    /// - Parameter properties: Which of several implementations.
    private init(_ name: String, _ properties: String? = nil) {
        unsafe pointer = EVP_MD_fetch(nil, name, properties)
    }

    // Also where the system's rules keep these two from signatures: here they sign nothing.
    static let md5 = Implementation("MD5", "-fips")
    static let sha1 = Implementation("SHA1", "-fips")
    static let sha256 = Implementation("SHA256")
}
