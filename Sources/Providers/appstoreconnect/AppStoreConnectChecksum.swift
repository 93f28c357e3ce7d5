import Cryptography
import Foundation

/// A checksum that App Store Connect gives for a download: MD5, SHA-1 or SHA-256, distinguished by its length.
///
/// It finds damage on the way; against an attacker only the connection helps.
struct Checksum: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads hexadecimal digits or base 64; nil when the text is the checksum of none of these functions.
    init?(_ text: String) {
        guard let bytes = hexadecimalBytes(text) ?? Data(base64Encoded: text).map({ [UInt8]($0) }),
            [16, 20, 32].contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    /// Whether it is that of these bytes.
    func matches(_ content: [UInt8]) -> Bool {
        switch bytes.count {
        case 16: digest(of: content, by: .md5) == bytes
        case 20: digest(of: content, by: .sha1) == bytes
        default: digest(of: content) == bytes
        }
    }
}

/// The bytes that pairs of digits write, at most 32; nil for any other text.
private func hexadecimalBytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2), digits.count <= 64 else {
        return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt8 in
        let byte: Int = digits[place] * 16 + digits[place + 1]
        return UInt8(byte)
    }
}
