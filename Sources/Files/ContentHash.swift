import Crypto

/// The SHA-256 of some bytes, in hexadecimal digits.
package func contentHash(_ bytes: some Collection<UInt8>) -> String {
    var hash = SHA256()
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
        hash.update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { Array(bytes).withUnsafeBytes { hash.update(bufferPointer: $0) } }
    return hexadecimal(hash.finalize())
}

private let digits = Array("0123456789abcdef".utf8)

/// Bytes as lower-case hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
