import Crypto
import Foundation

/// A checksum that a service gives for a download: MD5, SHA-1 or SHA-256, distinguished by its length.
///
/// It finds damage on the way; against an attacker only the connection helps.
package struct Checksum: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads hexadecimal digits or base 64; nil when the text is the checksum of none of these functions.
    package init?(_ text: String) {
        guard let bytes = hexadecimal(text) ?? Data(base64Encoded: text).map({ [UInt8]($0) }),
            [16, 20, 32].contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    /// Whether it is that of these bytes.
    package func matches(_ content: [UInt8]) -> Bool {
        switch bytes.count {
        case 16: Insecure.MD5.hash(data: content).elementsEqual(bytes)
        case 20: Insecure.SHA1.hash(data: content).elementsEqual(bytes)
        default: SHA256.hash(data: content).elementsEqual(bytes)
        }
    }
}

/// The bytes that pairs of digits write, at most 32; nil for any other text.
private func hexadecimal(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2), digits.count <= 64 else {
        return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
