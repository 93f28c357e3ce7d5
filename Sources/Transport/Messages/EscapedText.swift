import Platform

/// Bytes read as what they mean once the escapes of URLs, JSON and HTML are undone, so many times.
@safe struct EscapedText {
    /// A byte, or a character that an escape names, and where the text goes on.
    struct Unit {
        let value: UInt32
        let next: Int
        /// Whether it is one byte of a character.
        var isByte = false

        /// The byte that it is in UTF-8; nil where it is several, or no character.
        var byte: UInt8? { isByte || value < 0x80 ? UInt8(truncatingIfNeeded: value) : nil }

        /// Its bytes in UTF-8; none for what is no character.
        var bytes: [UInt8] {
            byte.map { [$0] } ?? Unicode.Scalar(value).map { Array(String(Character($0)).utf8) } ?? []
        }

        func `is`(_ character: Unicode.Scalar) -> Bool { value == character.value }
    }

    /// An escape may be escaped itself: a URL in JSON, JSON in JSON.
    static let depths = 1...2

    /// How many bytes one byte takes at most: each of the eight of `&#x0041;` as `&#x0026;`.
    static let longest = 64

    /// What an escape begins with.
    static let signs = Array("%\\&".utf8)

    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = unsafe bytes }

    var count: Int { unsafe bytes.count }

    subscript(index: Int) -> UInt8 { unsafe bytes[index] }

    /// Where a byte is next, as it is.
    func next(_ byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = unsafe bytes.baseAddress,
            let found = unsafe memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    }

    /// Whether the sign at a place can begin an escape, by the byte behind it: a text may have many that do not.
    func canBeginEscape(at index: Int) -> Bool {
        guard index + 1 < count else { return false }
        let next = self[index + 1]
        if isSign(next) { return true }
        return switch self[index] {
        case UInt8(ascii: "\\"):
            next == UInt8(ascii: "u") || next == UInt8(ascii: "/") || next == UInt8(ascii: "\"")
                || next == UInt8(ascii: "'") || next == UInt8(ascii: "x")
        default: isPartOfName(next)
        }
    }

    /// What is at a place once escapes are undone so many times; nil at the end.
    func unit(at index: Int, undone times: Int) -> Unit? {
        guard index < count else { return nil }
        guard times > 0 else { return Unit(value: UInt32(self[index]), next: index + 1, isByte: true) }
        guard let first = unit(at: index, undone: times - 1) else { return nil }
        return escape(first, undone: times - 1) ?? first
    }

    private func escape(_ first: Unit, undone times: Int) -> Unit? {
        if first.is("%") {
            return number(of: 2, at: first.next, undone: times).map {
                Unit(value: $0.value, next: $0.next, isByte: true)
            }
        }
        if first.is("\\") { return escape(behindBackslash: first.next, undone: times) }
        return first.is("&") ? entity(at: first.next, undone: times) : nil
    }

    private func escape(behindBackslash index: Int, undone times: Int) -> Unit? {
        guard let letter = unit(at: index, undone: times) else { return nil }
        if letter.is("/") || letter.is("\"") || letter.is("\\") || letter.is("'") { return letter }
        if letter.is("x") { return number(of: 2, at: letter.next, undone: times) }
        guard letter.is("u"), let first = number(of: 4, at: letter.next, undone: times) else { return nil }
        guard 0xD800..<0xDC00 ~= first.value else { return first }
        guard let sign = unit(at: first.next, undone: times), sign.is("\\"),
            let letter = unit(at: sign.next, undone: times), letter.is("u"),
            let second = number(of: 4, at: letter.next, undone: times), 0xDC00..<0xE000 ~= second.value
        else { return first }
        return Unit(value: 0x10000 + (first.value - 0xD800) << 10 + second.value - 0xDC00, next: second.next)
    }

    /// A number of so many hexadecimal digits.
    private func number(of digits: Int, at start: Int, undone times: Int) -> Unit? {
        var (value, index) = (UInt32(0), start)
        for _ in 0..<digits {
            guard let digit = unit(at: index, undone: times), let number = hexadecimal(digit) else {
                return nil
            }
            (value, index) = (value << 4 | number, digit.next)
        }
        return Unit(value: value, next: index)
    }

    private func hexadecimal(_ digit: Unit) -> UInt32? {
        switch digit.value {
        case 0x30...0x39: digit.value - 0x30
        case 0x41...0x46: digit.value - 0x41 + 10
        case 0x61...0x66: digit.value - 0x61 + 10
        default: nil
        }
    }

    /// `&amp;`, `&#43;` and `&#x2B;`; what is behind the sign.
    private func entity(at start: Int, undone times: Int) -> Unit? {
        var (name, index): ([UInt8], Int) = ([], start)
        while name.count < 8, let unit = unit(at: index, undone: times), let byte = unit.byte {
            index = unit.next
            guard byte != UInt8(ascii: ";") else {
                return character(named: String(decoding: name, as: UTF8.self)).map {
                    Unit(value: $0, next: index)
                }
            }
            // Most signs begin none, and a text may be full of them.
            guard isPartOfName(byte) else { return nil }
            name.append(byte)
        }
        return nil
    }

    private func character(named name: String) -> UInt32? {
        switch name {
        case "amp": 0x26
        case "lt": 0x3C
        case "gt": 0x3E
        case "quot": 0x22
        case "apos": 0x27
        case _ where name.lowercased().hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16)
        default: name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        }
    }
}

/// Whether a byte begins escapes.
func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
}

/// Whether a byte can be in the name or the number of an escape.
private func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "#"): true
    default: false
    }
}
