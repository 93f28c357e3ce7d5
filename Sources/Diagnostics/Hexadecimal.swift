/// Whether a byte is a hexadecimal digit in ASCII, in lower or upper case.
package func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
}

/// The percent code of a byte, with digits in upper case (RFC 3986, section 2.1): `%C3`.
package func percentCode(of byte: UInt8) -> String { "%" + upperHexadecimal(byte) }

/// A byte as two hexadecimal digits in upper case: `C3`.
package func upperHexadecimal(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
}
