import Markup
import Pages
import Platform

/// Whether each number that a reader sees in the HTML of a page is in its Markdown too.
///
/// Drawings, links to other pages and the words of the owner, whose source the Markdown holds, are skipped. The first
/// number that is missing is reported.
///
/// - Parameter literals: numbers in the words of the theme, which are no data.
func markdownMismatch(
    html: [UInt8], markdown: [UInt8], in dialect: MarkdownDialect = .github, literals: [ShownNumber] = []
) -> Mismatch? {
    var known = NumberSet()
    for number in literals { known.insert(number) }
    markdown.withUnsafeBufferPointer { bytes in
        switch dialect {
        case .github, .commonmark: NumberScanner(bytes).markdownNumbers { known.insert($0) }
        case .plain, .slack: NumberScanner(bytes).numbers { known.insert($0) }
        }
    }
    let missing = html.withUnsafeBufferPointer { NumberScanner($0).firstOfHTML { !known.contains($0) } }
    guard let missing else { return nil }
    let text = String(decoding: html[missing], as: UTF8.self)
    return Mismatch(
        .markdown, "\(text) is in the HTML but not in the Markdown version", "HTML: \(text)",
        "Markdown: absent")
}

/// The numbers that a reader sees of a piece of HTML.
func shownNumbers(inHTML text: String) -> [ShownNumber] {
    var found: [ShownNumber] = []
    Array(text.utf8).withUnsafeBufferPointer { bytes in
        _ = NumberScanner(bytes).firstOfHTML { number in
            found.append(number)
            return false
        }
    }
    return found
}

/// Finds the numbers in the text of a page: runs of digits with single commas and stops within.
private struct NumberScanner {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The numbers of a text without markup.
    func numbers(_ found: (ShownNumber) -> Void) {
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            found(takeNumber(&index).number)
        }
    }

    /// The numbers of Markdown; the targets of links are no text, and a backslash is not seen. A bracket that it escapes
    /// is text and ends no link.
    func markdownNumbers(_ found: (ShownNumber) -> Void) {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                found(takeNumber(&index, skipping: UInt8(ascii: "\\")).number)
                continue
            case UInt8(ascii: "\\") where !isDigit(at(index + 1) ?? 0): index += 1
            case UInt8(ascii: "]") where at(index + 1) == UInt8(ascii: "("):
                index = place(of: UInt8(ascii: ")"), from: index)
            case UInt8(ascii: "&"): index = skipEntity(index)
            default: break
            }
            index += 1
        }
    }

    /// The place of the first number of HTML, outside of tags and of elements that do not count, that is searched.
    func firstOfHTML(_ isSearched: (ShownNumber) -> Bool) -> Range<Int>? {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = index
                let (number, length) = takeNumber(&index)
                if isSearched(number) { return start..<start + length }
            case UInt8(ascii: "<"): index = skipTag(index)
            case UInt8(ascii: "&"): index = skipEntity(index) + 1
            default: index += 1
            }
        }
        return nil
    }

    /// The number that begins at a place, without the stop or the comma that ends a sentence, with its length; the place
    /// is then behind all of it.
    private func takeNumber(
        _ index: inout Int, skipping skipped: UInt8? = nil
    ) -> (number: ShownNumber, length: Int) {
        var number = ShownNumber()
        var (whole, length) = (number, 0)
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if number.take(byte) {
                if isDigit(byte) { (whole, length) = (number, index + 1 - start) }
            } else if byte != skipped {
                break
            }
            index += 1
        }
        return (whole, length)
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The place after a tag, or after all of an element whose content is no text of the page.
    private func skipTag(_ start: Int) -> Int {
        // Most tags differ from these in their first letter.
        switch at(start + 1) {
        case UInt8(ascii: "s"), UInt8(ascii: "d"), UInt8(ascii: "h"), UInt8(ascii: "n"):
            for (open, close) in silentElements where starts(start, open) {
                var index = start
                while index < bytes.count, !starts(index, close) {
                    index = place(of: UInt8(ascii: "<"), from: index + 1)
                }
                return index + close.utf8CodeUnitCount
            }
        default: break
        }
        // A quoted attribute may hold a closing bracket.
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ">") { break }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                index = place(of: byte, from: index) + 1
            }
        }
        return index
    }

    /// The place of the semicolon of a character reference, or the given place when it is none.
    private func skipEntity(_ start: Int) -> Int {
        let limit = min(start + 12, bytes.count)
        return bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) ?? start
    }

    /// The next place of a byte; the end when there is none.
    private func place(of byte: UInt8, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return bytes.count }
        return base.distance(to: found.assumingMemoryBound(to: UInt8.self))
    }

    private func starts(_ index: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + index, text.utf8Start, count) == 0
    }

    private func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
}

/// Elements whose content is no text of the page: a drawing, words of the owner, and a navigation, which shows the
/// titles of other pages.
private let silentElements: [(open: StaticString, close: StaticString)] = [
    ("<svg", "</svg>"), ("<style", "</style>"), ("<div class=\"prose\"", "</div>"), ("<head>", "</head>"),
    ("<nav", "</nav>"),
]

/// The numbers of a page, thousands of them, each at a place that follows from its own bits, or at the next one that is
/// free: hashing them as sets do takes longer than all else that is checked. Numbers that were chosen to meet cost at
/// most a comparison with each other.
private struct NumberSet {
    /// A power of two of places; a place without a number has one without signs.
    private var places = [ShownNumber](repeating: ShownNumber(), count: 512)
    private var count = 0

    mutating func insert(_ number: ShownNumber) {
        let place = place(of: number)
        guard places[place] != number else { return }
        places[place] = number
        count += 1
        if 2 * count > places.count { grow() }
    }

    func contains(_ number: ShownNumber) -> Bool { places[place(of: number)] == number }

    /// Where a number is, or where it would be.
    private func place(of number: ShownNumber) -> Int {
        let last = places.count - 1
        var place = number.scattered & last
        while !places[place].isNone, places[place] != number { place = (place + 1) & last }
        return place
    }

    private mutating func grow() {
        let old = places
        places = [ShownNumber](repeating: ShownNumber(), count: 2 * old.count)
        for number in old where !number.isNone { places[place(of: number)] = number }
    }
}

/// A number as it is shown: digits with commas and stops within. It takes no memory of its own, for a page has thousands
/// of numbers.
struct ShownNumber: Equatable, Sendable {
    /// Four bits for each of the last 32 signs, the latest lowest; no number of a page has more.
    private var signs: UInt128 = 0

    /// Whether nothing was taken.
    fileprivate var isNone: Bool { signs == 0 }

    /// Its bits mixed into those that tell numbers apart in a table.
    fileprivate var scattered: Int {
        let mixed =
            (UInt64(truncatingIfNeeded: signs) ^ UInt64(truncatingIfNeeded: signs >> 64))
            &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32)
    }

    /// Appends a byte that belongs to the number, which begins with a digit; false when it does not.
    fileprivate mutating func take(_ byte: UInt8) -> Bool {
        let sign: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): sign = byte - UInt8(ascii: "0") + 1
        case UInt8(ascii: "."): sign = 11
        case UInt8(ascii: ","): sign = 12
        default: return false
        }
        signs = signs << 4 | UInt128(sign)
        return true
    }
}
