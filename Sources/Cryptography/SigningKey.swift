import CCrypto

/// A private key for signatures with SHA-256.
@safe package final class SigningKey: Sendable {
    /// What a key is, and how it signs.
    package enum Kind: Sendable {
        /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2), with at least 2048 bits.
        case rsa
        /// ECDSA on P-256 (FIPS 186-5).
        case p256
    }

    /// What it is.
    package let kind: Kind
    // Threads may sign with one key at the same time: OpenSSL changes none after it was read.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Reads the first private key in a PEM text without a passphrase; nil when it is another kind of key or none.
    ///
    /// PKCS#8, and also PKCS#1 for RSA and SEC 1 for P-256.
    package init?(_ kind: Kind, pem: String) {
        defer { ERR_clear_error() }
        let text = Array(pem.utf8)
        guard text.count <= 64 << 10 else { return nil }
        let read = unsafe text.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
                return nil
            }
            defer { unsafe BIO_free(source) }
            // Without this function the library would ask at the terminal for a passphrase.
            return unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let read = unsafe read else { return nil }
        guard unsafe isKey(read, kind) else {
            unsafe EVP_PKEY_free(read)
            return nil
        }
        self.kind = kind
        unsafe key = read
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The signature of some bytes; for P-256 the numbers r and s, 32 bytes each (RFC 7518 §3.4). Nil when the
    /// library refuses.
    package func signature(of bytes: [UInt8]) -> [UInt8]? {
        defer { ERR_clear_error() }
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
        var size = unsafe Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: size)
        guard unsafe EVP_DigestSign(context, &signature, &size, bytes, bytes.count) == 1 else { return nil }
        signature.removeLast(signature.count - size)
        return kind == .p256 ? twoNumbers(fromDER: signature) : signature
    }
}

private func isKey(_ key: OpaquePointer, _ kind: SigningKey.Kind) -> Bool {
    switch kind {
    case .rsa:
        return unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && EVP_PKEY_get_bits(key) >= 2048
    case .p256:
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
        var name = [CChar](repeating: 0, count: 80)
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return false }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            == "prime256v1"
    }
}

/// The bytes of each number of a signature on P-256.
private let numberSize = 32

private func twoNumbers(fromDER der: [UInt8]) -> [UInt8]? {
    let signature = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
        var start = bytes.baseAddress
        return unsafe d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    guard let signature = unsafe signature else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    guard let r = unsafe numberBytes(of: ECDSA_SIG_get0_r(signature)),
        let s = unsafe numberBytes(of: ECDSA_SIG_get0_s(signature))
    else { return nil }
    return r + s
}

/// A number with as many leading zeros as it needs.
private func numberBytes(of number: OpaquePointer?) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: numberSize)
    let size = unsafe BN_bn2binpad(number, &bytes, Int32(numberSize))
    return size == Int32(numberSize) ? bytes : nil
}
