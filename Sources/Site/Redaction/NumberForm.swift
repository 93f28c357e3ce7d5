/// How a file writes numbers.
enum NumberForm: Sendable {
    /// With a comma between thousands, for readers: `51,234`.
    case text
    /// The same, with two or more blanks between cells: Markdown, whose plain dialect has aligned tables.
    case aligned
    /// As digits alone, with commas between numbers: CSV.
    case cells
    /// As digits alone or, within texts, with a comma between thousands: JSON.
    case mixed

    /// The form that a file with this name has.
    init(of path: String) {
        switch path.split(separator: ".").last {
        case "csv": self = .cells
        case "json": self = .mixed
        case "md", "txt": self = .aligned
        default: self = .text
        }
    }

    /// Whether it is for readers.
    var isText: Bool { self == .text || self == .aligned }
}

/// The whole numbers that may be meant by the digits from an index of the bytes of a plain form on: none for a fraction.
///
/// In text digits without marks between thousands count where they are words, not in the attributes of a tag: there a
/// space is between two numbers, such as the places of a line.
func number(
    in bytes: UnsafeBufferPointer<UInt8>, of file: PlainForm, at start: Int, _ form: NumberForm,
    isInTag: Bool = false
) -> [Int] {
    // The digits after a point, or after the comma of a number that was read before, begin no number.
    if start > 1, isDigit(bytes[start - 2]) {
        if bytes[start - 1] == UInt8(ascii: ".") { return [] }
        if bytes[start - 1] == UInt8(ascii: ","), form.isText { return [] }
    }
    var groups: [(value: Int, digits: Int)] = [(0, 0)]
    var mark: UInt8?
    var index = start
    while index < bytes.count, groups[groups.count - 1].digits < 18 {
        let byte = bytes[index]
        if isDigit(byte) {
            let last = groups[groups.count - 1]
            groups[groups.count - 1] = (last.value * 10 + Int(byte - 48), last.digits + 1)
        } else if form.groups(with: byte), !isInTag || byte == UInt8(ascii: ","), mark == nil || mark == byte,
            index + 1 < bytes.count,
            isDigit(bytes[index + 1]), byte != 0x20 || !file.endsNumber(index)
        {
            mark = byte
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
    guard form.isText else {
        return groups.count == 1 && isDigest(bytes, from: start, letterAt: index)
            ? [] : whole + [groups[0].value]
    }
    let isWord = groups.count == 1 && (index == bytes.count || !isWordByte(bytes[index]))
    return isWord && !isInTag ? [groups[0].value] : whole
}

/// Whether digits are the beginning of hexadecimal ones, such as those that stand for the id of an issue: they are drawn
/// at random, and some begin like a count. A text may be cut within them.
private func isDigest(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, letterAt first: Int) -> Bool {
    func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (97...102).contains(byte) }
    guard first < bytes.count, !isDigit(bytes[first]), isHexadecimal(bytes[first]) else { return false }
    let end = bytes[first...].firstIndex { !isHexadecimal($0) } ?? bytes.count
    if bytes[end...].starts(with: "...".utf8) { return true }
    return end - start >= 12 && (end == bytes.count || !isWordByte(bytes[end]))
}

extension NumberForm {
    /// Whether a byte may stand between thousands.
    func groups(with byte: UInt8) -> Bool {
        switch self {
        case .text, .aligned: [UInt8(ascii: ","), 0x20, UInt8(ascii: "'")].contains(byte)
        case .mixed: byte == UInt8(ascii: ",")
        case .cells: false
        }
    }
}

func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

/// A number with the word behind it that says what was counted, such as `1,204 users`.
struct CountPhrase {
    let count: Int
    /// Number and word as they are written.
    let text: String
}

/// What is counted by the digits from an index on; nil for other numbers and for parts of fractions.
func countedThing(
    in bytes: UnsafeBufferPointer<UInt8>, of file: PlainForm, at start: Int
) -> CountPhrase? {
    if start > 1, bytes[start - 1] == UInt8(ascii: ".") || bytes[start - 1] == UInt8(ascii: ","),
        isDigit(bytes[start - 2])
    {
        return nil
    }
    // The number of a version, such as `v3`, counts nothing.
    if start > 0, isWordByte(bytes[start - 1]) { return nil }
    var (index, count) = (start, 0)
    while index < bytes.count, index - start < 20 {
        if isDigit(bytes[index]) {
            count = count &* 10 &+ Int(bytes[index] - 48)
        } else if bytes[index] != UInt8(ascii: ",") || index + 1 == bytes.count || !isDigit(bytes[index + 1])
        {
            break
        }
        index += 1
    }
    guard !file.isGap(index),
        let word = endOfSpace(in: bytes, at: index).flatMap({ countedWord(in: bytes, at: $0) })
    else {
        return nil
    }
    return CountPhrase(
        count: count, text: String(decoding: bytes[start..<index], as: UTF8.self) + " " + word)
}

/// The index behind one space, whether it may break or not; nil where there is none.
private func endOfSpace(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    if index < bytes.count, bytes[index] == 0x20 { return index + 1 }
    if index + 1 < bytes.count, bytes[index] == 0xC2, bytes[index + 1] == 0xA0 { return index + 2 }
    return nil
}

/// The words that follow counts of what a public site does not count.
private let countedWords = [
    "users", "sessions", "events", "crashes", "user-days", "daily users", "crashed sessions",
    "crashed user-days",
    "affected users",
]

private func countedWord(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> String? {
    countedWords.first { word in
        let end = index + word.utf8.count
        guard end <= bytes.count, zip(bytes[index..<end], word.utf8).allSatisfy({ $0 == $1 }) else {
            return false
        }
        return end == bytes.count || (bytes[end] | 0x20) < 97 || (bytes[end] | 0x20) > 122
    }
}
