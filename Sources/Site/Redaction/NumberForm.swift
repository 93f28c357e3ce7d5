/// How a file writes numbers.
enum NumberForm: Sendable {
    /// With a comma between thousands, for readers: `51,234`.
    case text
    /// As digits alone, with commas between numbers: CSV.
    case cells
    /// As digits alone or, within texts, with a comma between thousands: JSON.
    case mixed

    /// The form that a file with this name has.
    init(of path: String) {
        self = path.hasSuffix(".csv") ? .cells : path.hasSuffix(".json") ? .mixed : .text
    }
}

/// The whole numbers that may be meant by the digits from an index on: none for a fraction.
func number(in bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ form: NumberForm) -> [Int] {
    // The digits after a point, or after the comma of a number that was read before, begin no number.
    if start > 1, isDigit(bytes[start - 2]) {
        if bytes[start - 1] == UInt8(ascii: ".") { return [] }
        if bytes[start - 1] == UInt8(ascii: ","), form == .text { return [] }
    }
    var groups: [(value: Int, digits: Int)] = [(0, 0)]
    var index = start
    while index < bytes.count, groups[groups.count - 1].digits < 18 {
        let byte = bytes[index]
        if isDigit(byte) {
            let last = groups[groups.count - 1]
            groups[groups.count - 1] = (last.value * 10 + Int(byte - 48), last.digits + 1)
        } else if byte == UInt8(ascii: ","), index + 1 < bytes.count, isDigit(bytes[index + 1]),
            form != .cells
        {
            groups.append((0, 0))
        } else {
            break
        }
        index += 1
    }
    if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), isDigit(bytes[index + 1]) { return [] }
    let isGrouped =
        groups.count > 1 && groups.count < 7 && groups[0].digits <= 3
        && groups.dropFirst().allSatisfy { $0.digits == 3 }
    let whole = isGrouped ? [groups.reduce(0) { $0 * 1000 + $1.value }] : []
    return form == .text ? whole : whole + [groups[0].value]
}

func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }
