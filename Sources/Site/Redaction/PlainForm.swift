import Files
import Markup

/// The bytes of a file, or of a text, as a reader takes them in: without emphasis and escapes, entities and percent codes
/// resolved, each run of white space as one space, quotation marks and dashes of print as those of a keyboard.
///
/// A text and every way in which a file may write it have the same form, so that one can be looked for in the other.
/// What is in a tag stays, between `tagStart` and `tagEnd`, as attributes may hold texts too; tags that only set off
/// words within a word vanish.
struct PlainForm {
    private(set) var bytes: [UInt8] = []
    /// The same with small letters in the place of capitals, byte for byte.
    private(set) var small: [UInt8] = []
    /// Where in `bytes` the second line of the file begins, the third, and so on.
    private var lineStarts: [Int] = []
    /// Where in `bytes` a space is that keeps two cells of a line apart.
    private var gaps: Set<Int> = []

    static let tagStart: UInt8 = 0x01
    static let tagEnd: UInt8 = 0x02

    /// The form of the bytes of a file, or of a text that is in no language when there is no form of numbers.
    init(_ file: [UInt8], _ form: NumberForm?) {
        (hasTags, hasLineEscapes) = (form?.isText == true, form == .mixed)
        hasCells = form == .aligned
        file.withUnsafeBufferPointer { read($0) }
        small = smallLetters(bytes)
    }

    /// The form of a text.
    init(of text: String) { self.init(Array(text.utf8), nil) }

    /// Whether `<b>` is a tag rather than three characters.
    private let hasTags: Bool
    /// Whether a backslash and an `n` are a line break.
    private let hasLineEscapes: Bool
    /// Whether two or more blanks are between two cells.
    private let hasCells: Bool

    /// The line of the file, from 1, of what is at an index.
    func line(of index: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= index { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    /// Whether the space at an index is between two cells of a line.
    func isGap(_ index: Int) -> Bool { gaps.contains(index) }

    /// Whether the space at an index is between two cells, of a line or of two lines: no number goes on behind it.
    func endsNumber(_ index: Int) -> Bool {
        guard hasCells else { return false }
        return gaps.contains(index) || line(of: index) < line(of: index + 1)
    }

    private mutating func read(_ file: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(file.count)
        var index = 0
        while index < file.count {
            let byte = file[index]
            switch byte {
            case 0x0A:
                appendSpace()
                lineStarts.append(bytes.count)
                index += 1
            case 0...0x20: index += readBlanks(file, index)
            // Emphasis, code, strikethrough; the escape of Markdown and JSON.
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "~"): index += 1
            case UInt8(ascii: "\\"): index += readEscape(file, index)
            case UInt8(ascii: "&"): index += readEntity(file, index)
            case UInt8(ascii: "%"): index += readPercentCode(file, index)
            case UInt8(ascii: "<"): index += readTag(file, index)
            case UInt8(ascii: ">"):
                bytes.append(Self.tagEnd)
                index += 1
            // CSV doubles quotes.
            case UInt8(ascii: "\""):
                if bytes.last != byte { bytes.append(byte) }
                index += 1
            case 0xC2, 0xE2: index += readWide(file, index)
            default:
                bytes.append(byte)
                index += 1
            }
        }
    }

    private mutating func appendSpace() {
        if bytes.last != 0x20 { bytes.append(0x20) }
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case 0...0x20: appendSpace()
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "~"), UInt8(ascii: "\\"):
            break
        case UInt8(ascii: "\""): if bytes.last != byte { bytes.append(byte) }
        case UInt8(ascii: "<"): bytes.append(Self.tagStart)
        case UInt8(ascii: ">"): bytes.append(Self.tagEnd)
        default: bytes.append(byte)
        }
    }

    /// Blanks within a line; those at its beginning and at its end keep no cells apart.
    private mutating func readBlanks(_ file: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let end = file[index...].firstIndex { $0 > 0x20 || $0 == 0x0A } ?? file.count
        let isWithinLine = bytes.last != 0x20 && end < file.count && file[end] != 0x0A
        appendSpace()
        if hasCells, isWithinLine, end - index > 1 { gaps.insert(bytes.count - 1) }
        return end - index
    }

    private mutating func readEscape(_ file: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        guard index + 1 < file.count else { return 1 }
        if file[index + 1] == UInt8(ascii: "u"), index + 5 < file.count,
            let value = UInt32(String(decoding: file[(index + 2)...(index + 5)], as: UTF8.self), radix: 16)
        {
            append(value)
            return 6
        }
        if hasLineEscapes,
            [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(file[index + 1])
        {
            appendSpace()
            return 2
        }
        return 1
    }

    private mutating func readEntity(_ file: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let end = min(file.count, index + 12)
        guard let semicolon = file[index..<end].firstIndex(of: UInt8(ascii: ";")) else {
            bytes.append(file[index])
            return 1
        }
        let text = resolvedEntities(String(decoding: file[index...semicolon], as: UTF8.self))
        guard text.utf8.count <= 4 else {
            bytes.append(file[index])
            return 1
        }
        for scalar in text.unicodeScalars { append(scalar.value) }
        return semicolon - index + 1
    }

    private mutating func readPercentCode(_ file: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        guard index + 2 < file.count,
            let value = percentCode(file[index + 1], file[index + 2])
        else {
            bytes.append(file[index])
            return 1
        }
        append(value)
        return 3
    }

    /// White space and marks of print: U+00A0 and U+00AD, and what begins as they do between U+2000 and U+203F.
    private mutating func readWide(_ file: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let second = index + 1 < file.count ? file[index + 1] : 0
        let third = index + 2 < file.count ? file[index + 2] : 0
        switch (file[index], second, third) {
        case (0xC2, 0xA0, _), (0xC2, 0xAD, _):
            append(UInt32(second))
            return 2
        // Between digits a middle dot sets off thousands, as an apostrophe does.
        case (0xC2, 0xB7, 0x30...0x39) where bytes.last.map(isDigit) == true:
            bytes.append(UInt8(ascii: "'"))
            return 2
        case (0xE2, 0x80, 0x80...0xBF):
            append(0x2000 + UInt32(third - 0x80))
            return 3
        default:
            bytes.append(file[index])
            return 1
        }
    }

    private mutating func append(_ value: UInt32) {
        switch value {
        case 0..<0x80: append(UInt8(value))
        // A no-break space is a space; a zero-width one, and a soft hyphen, are nothing.
        case 0xA0, 0x2000...0x200A, 0x202F: appendSpace()
        case 0xAD, 0x200B...0x200D: break
        // Marks are no part of the word or number next to them.
        case 0x2010...0x2015: bytes.append(UInt8(ascii: "-"))
        case 0x2018...0x201B: bytes.append(UInt8(ascii: "'"))
        case 0x201C...0x201F: bytes.append(UInt8(ascii: "\""))
        case 0x2026: bytes += Array("...".utf8)
        default: if let scalar = Unicode.Scalar(value) { bytes += Array(String(scalar).utf8) }
        }
    }

    private mutating func readTag(_ file: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let end = min(file.count, index + 10)
        if hasTags, let close = file[index..<end].firstIndex(of: UInt8(ascii: ">")) {
            let name = String(decoding: file[(index + 1)..<close], as: UTF8.self).lowercased()
            if inlineTags.contains(name.hasPrefix("/") ? String(name.dropFirst()) : name) {
                return close - index + 1
            }
        }
        bytes.append(Self.tagStart)
        return 1
    }
}

/// Elements that set words off within their line.
private let inlineTags: Set = [
    "b", "i", "em", "strong", "code", "span", "mark", "u", "s", "del", "small", "wbr", "a",
]
