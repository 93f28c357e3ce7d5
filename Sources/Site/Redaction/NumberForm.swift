import Cryptography

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
    if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), isDigit(bytes[index + 1]),
        !form.isText || groups.count == 1 || !isWhole(bytes[(index + 1)...])
    {
        return []
    }
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
    guard first < bytes.count, !isDigit(bytes[first]), isLowerHexadecimal(bytes[first]) else { return false }
    let end = bytes[first...].firstIndex { !isLowerHexadecimal($0) } ?? bytes.count
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

/// A number with the words behind it that say what was counted, such as `1,204 users`.
struct CountPhrase {
    let count: Int
    /// Number and words, in small letters.
    let text: String
    /// The index behind it.
    let end: Int
}

/// What is counted by the digits from an index on; nil for other numbers and for parts of fractions.
func countedThing(in letters: Letters, of file: PlainForm, at start: Int) -> CountPhrase? {
    let bytes = letters.bytes
    if start > 1, bytes[start - 1] == UInt8(ascii: ".") || bytes[start - 1] == UInt8(ascii: ","),
        isDigit(bytes[start - 2])
    {
        return nil
    }
    // The number of a version, such as `v3`, counts nothing.
    if start > 0, isWordByte(bytes[start - 1]) { return nil }
    let numbers = [
        commaNumber(in: bytes, at: start), groupedNumber(in: bytes, of: file, at: start),
        PointedNumber(in: bytes, at: start).map { ($0.value, $0.end) },
    ]
    for (count, end) in numbers.compactMap(\.self) {
        guard !file.isGap(end), let word = endOfSpace(in: bytes, at: end),
            let last = endOfCountedWords(in: letters, of: file, at: word)
        else { continue }
        let text =
            String(decoding: bytes[start..<end], as: UTF8.self) + " "
            + String(decoding: letters.small[word..<last], as: UTF8.self)
        return CountPhrase(count: count, text: text, end: last)
    }
    return nil
}

/// Digits, with commas anywhere between them.
private func commaNumber(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (count: Int, end: Int)? {
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
    return (count, index)
}

/// Up to three digits, and groups of three behind blanks or behind apostrophes; nil without such a group.
private func groupedNumber(
    in bytes: UnsafeBufferPointer<UInt8>, of file: PlainForm, at start: Int
) -> (count: Int, end: Int)? {
    func digits(at index: Int) -> Int { bytes[index...].prefix(while: isDigit).count }
    var index = start + digits(at: start)
    guard index - start <= 3, index < bytes.count, [0x20, UInt8(ascii: "'")].contains(bytes[index]) else {
        return nil
    }
    let mark = bytes[index]
    var count = bytes[start..<index].reduce(0) { $0 * 10 + Int($1 - 48) }
    var groups = 0
    while index < bytes.count, bytes[index] == mark, !file.endsNumber(index), digits(at: index + 1) == 3,
        groups < 5
    {
        count = bytes[(index + 1)...(index + 3)].reduce(count) { $0 * 10 + Int($1 - 48) }
        index += 4
        groups += 1
    }
    return groups > 0 ? (count, index) : nil
}

/// The index behind one space, whether it may break or not; nil where there is none.
private func endOfSpace(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    if index < bytes.count, bytes[index] == 0x20 { return index + 1 }
    if index + 1 < bytes.count, bytes[index] == 0xC2, bytes[index + 1] == 0xA0 { return index + 2 }
    return nil
}

/// The words that follow counts of what a public site does not count.
private let countedWords: Set<[UInt8]> = Set(
    ["users", "sessions", "events", "crashes", "user-days"].map { Array($0.utf8) })

/// The words that may be before them.
private let countingWords: Set<[UInt8]> = Set(
    ["active", "affected", "crashed", "daily", "weekly", "monthly", "new", "returning", "total"].map {
        Array($0.utf8)
    })

/// The index behind the words that say what was counted; nil where there are none.
///
/// A word with a capital is on the line of its number: on the next line it may be a title.
private func endOfCountedWords(in letters: Letters, of file: PlainForm, at start: Int) -> Int? {
    var index = start
    for _ in 0...3 {
        let end =
            letters.small[index...].prefix(20).firstIndex { !isLetter($0) && $0 != 0x2D }
            ?? min(letters.small.count, index + 20)
        var word = Array(letters.small[index..<end])
        // A hyphen behind a word is a dash, and no part of it.
        if !countedWords.contains(word), let dash = word.firstIndex(of: 0x2D) { word.removeSubrange(dash...) }
        let isSmall = letters.bytes[index..<end].elementsEqual(letters.small[index..<end])
        guard isSmall || file.line(of: start - 1) == file.line(of: index) else { return nil }
        if countedWords.contains(word) { return index + word.count }
        guard countingWords.contains(word), !file.isGap(index + word.count),
            let next = endOfSpace(in: letters.bytes, at: index + word.count)
        else { return nil }
        index = next
    }
    return nil
}

private func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 97 && byte | 0x20 <= 122 }
