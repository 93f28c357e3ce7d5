/// The byte that a percent code means, by the two bytes behind its `%`; nil where these are no hexadecimal digits.
package func percentCode(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = hexadecimalDigit(high), let low = hexadecimalDigit(low) else { return nil }
    return high << 4 | low
}

/// The text of bytes with percent codes; a `%` without two digits stays.
package func percentDecoded(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: decoded(bytes).bytes, as: UTF8.self)
}

/// The same; nil where a `%` has no two digits, or where it is no UTF-8.
package func strictlyPercentDecoded(_ bytes: some Collection<UInt8>) -> String? {
    let (bytes, isSound) = decoded(bytes)
    return isSound ? String(validating: bytes, as: UTF8.self) : nil
}

private func decoded(_ bytes: some Collection<UInt8>) -> (bytes: [UInt8], isSound: Bool) {
    var (result, isSound): ([UInt8], Bool) = ([], true)
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            result.append(byte)
            continue
        }
        if rest.count >= 2, let code = percentCode(rest[rest.startIndex], rest[rest.startIndex + 1]) {
            result.append(code)
            rest = rest.dropFirst(2)
        } else {
            result.append(byte)
            isSound = false
        }
    }
    return (result, isSound)
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
