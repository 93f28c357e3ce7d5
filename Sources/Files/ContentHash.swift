import Cryptography

/// The SHA-256 of some bytes, in hexadecimal digits.
package func contentHash(_ bytes: some Collection<UInt8>) -> String {
    hexadecimal(digest(of: bytes))
}
