/// The text with every byte outside RFC 3986's unreserved set written as `%XX`; fit for a path segment, a
/// query name or value, and a form field.
package func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
        if isUnreserved(byte) {
            result.append(byte)
        } else {
            result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: result, as: UTF8.self)
}

/// `name=value&…` with names and values percent-encoded: a query or the body of a form.
package func formText(_ fields: [(String, String)]) -> String {
    fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
}

func percentDecoded(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2,
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            result.append(value)
            rest = rest.dropFirst(2)
        } else {
            result.append(byte)
        }
    }
    return String(decoding: result, as: UTF8.self)
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_.~".utf8.contains(byte)
    }
}
