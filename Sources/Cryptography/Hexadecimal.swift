/// The hexadecimal digits in their order.
package let hexadecimalDigits = Array("0123456789abcdef".utf8)

/// Whether a byte is a digit as `hexadecimal` writes it: no letter in upper case.
package func isLowerHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
}

/// Bytes as lower-case hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in bytes {
        text.append(hexadecimalDigits[Int(byte >> 4)])
        text.append(hexadecimalDigits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
