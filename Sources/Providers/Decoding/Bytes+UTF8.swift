import Foundation

/// The bytes of a text as UTF-8: programs for Windows write files in UTF-16, which JSON once admitted (RFC 4627 §3).
func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard let encoding = wideEncoding(bytes.prefix(4)) else { return bytes }
    return String(bytes: bytes, encoding: encoding).map { Array($0.utf8) } ?? bytes
}

/// The encoding of more than one byte a character that the first bytes tell; the first character of JSON is in ASCII.
private func wideEncoding(_ first: ArraySlice<UInt8>) -> String.Encoding? {
    guard first.count >= 2, first.contains(where: { $0 == 0 || $0 == 0xFE || $0 == 0xFF }) else {
        return nil
    }
    if first.starts(with: [0xFE, 0xFF]) { return .utf16 }
    switch first.map({ $0 == 0 }) {
    case [true, true, true, false], [true, true, false, false]: return .utf32
    case [false, true, true, true]: return .utf32LittleEndian
    case [false, false, true, true]: return .utf32
    case [true, false, true, false]: return .utf16BigEndian
    case [false, true, false, true]: return .utf16LittleEndian
    default: return first.starts(with: [0xFF, 0xFE]) ? .utf16 : nil
    }
}
