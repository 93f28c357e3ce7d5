import Cryptography

/// Distinguishes one secret from another without revealing it: the first 16 hexadecimal digits of the SHA-256
/// sum of a fixed word and the bytes.
///
/// A token is too long and too random to be found again from 64 bits of such a sum.
package func fingerprint(_ bytes: some Sequence<UInt8>) -> String {
    let sum = digest(of: Array("plimsoll fingerprint 1\n".utf8) + bytes)
    return hexadecimal(sum.prefix(8))
}
