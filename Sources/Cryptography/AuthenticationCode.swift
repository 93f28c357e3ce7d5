import CCrypto

/// The HMAC with SHA-256 (RFC 2104) of some bytes: 32 bytes.
package func authenticationCode(for bytes: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    let bytes = Array(bytes)
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
        var size: UInt32 = 0
        let isDone = unsafe HMAC(
            EVP_sha256(), key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &size)
        precondition(unsafe isDone != nil, "libcrypto of this system has no HMAC with SHA-256")
        count = Int(size)
    }
}
