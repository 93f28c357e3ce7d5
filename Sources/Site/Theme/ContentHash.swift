import Crypto
import Foundation

/// The first ten hexadecimal digits of the SHA-256 (FIPS 180-4) of some bytes: the fingerprint in the name of an
/// asset, so that a browser may keep it forever.
func fingerprint(of bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).prefix(5).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}
