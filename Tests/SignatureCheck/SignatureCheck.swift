import CLibcrypto

/// Whether a signature of some bytes with SHA-256 was made with the private key of a PEM text. One on P-256 has the numbers
/// r and s, 32 bytes each (RFC 7518 §3.4).
package func isSignature(_ signature: [UInt8], of bytes: [UInt8], byKeyIn pem: String) -> Bool {
    guard let key = unsafe privateKey(in: pem) else { return false }
    defer { unsafe EVP_PKEY_free(key) }
    let isElliptic = unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC
    guard let signature = isElliptic ? der(fromTwoNumbers: signature) : signature else { return false }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
        && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
}

private func privateKey(in pem: String) -> OpaquePointer? {
    unsafe Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
        guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
        defer { unsafe BIO_free(source) }
        return unsafe PEM_read_bio_PrivateKey(source, nil, nil, nil)
    }
}

/// The two numbers as libcrypto takes them.
private func der(fromTwoNumbers numbers: [UInt8]) -> [UInt8]? {
    guard numbers.count == 64, let signature = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    let r = unsafe BN_bin2bn(Array(numbers.prefix(32)), 32, nil)
    let s = unsafe BN_bin2bn(Array(numbers.suffix(32)), 32, nil)
    // The signature owns both numbers from here.
    guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
    let size = unsafe i2d_ECDSA_SIG(signature, nil)
    guard size > 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        var start = buffer.baseAddress
        count = unsafe Int(i2d_ECDSA_SIG(signature, &start))
    }
}
