import Crypto
import Foundation

/// Tells one secret from another without telling anything of it: the first 16 hexadecimal digits of the SHA-256
/// sum of a fixed word and the bytes.
///
/// A token is too long and too random to be found again from 64 bits of such a sum.
package func fingerprint(_ bytes: some Sequence<UInt8>) -> String {
    let sum = SHA256.hash(data: Data("plimsoll fingerprint 1\n".utf8) + Data(bytes))
    return sum.prefix(8).map { byte in
        let text = String(byte, radix: 16)
        return byte < 16 ? "0\(text)" : text
    }.joined()
}
