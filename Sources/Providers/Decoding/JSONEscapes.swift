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
