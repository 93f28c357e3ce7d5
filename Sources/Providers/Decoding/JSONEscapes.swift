import Foundation

/// The text between two quotation marks of JSON, its escapes resolved (RFC 8259 §7); nil when it is not UTF-8, has a
/// control character or an escape that means nothing.
func unescapedJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        if byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { return nil }
            result.append(byte)
        } else if offset < bytes.count, bytes[offset] == UInt8(ascii: "u") {
            guard let scalar = scalar(bytes, &offset) else { return nil }
            result.append(contentsOf: Character(scalar).utf8)
        } else {
            guard offset < bytes.count, let meant = meaning(of: bytes[offset]) else { return nil }
            result.append(meant)
            offset += 1
        }
    }
    return String(validating: result, as: UTF8.self)
}

private func meaning(of escaped: UInt8) -> UInt8? {
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escaped
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
}

/// The scalar of `u0041`, or of two such that are halves of one; the offset is at the first letter u.
private func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> Unicode.Scalar? {
    guard let lead = unit(bytes, &offset) else { return nil }
    guard UTF16.isLeadSurrogate(lead) else { return Unicode.Scalar(lead) }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\\") else { return nil }
    offset += 1
    guard let trail = unit(bytes, &offset), UTF16.isTrailSurrogate(trail) else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
}

/// The number of `u0041`.
private func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> UInt16? {
    guard offset + 5 <= bytes.count, bytes[offset] == UInt8(ascii: "u") else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[offset + 1..<offset + 5] {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
        unit = unit << 4 | UInt16(digit)
    }
    offset += 5
    return unit
}

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
