/// Escaping for CommonMark and GitHub Flavored Markdown.
///
/// GitHub and GitLab look for mentions, references and bare addresses in the rendered text, where a backslash is gone;
/// a zero-width space breaks them without being seen. So it does with `:100:`, which both, Forgejo and Mattermost show as
/// a picture, within words too.
extension ByteWriter {
    /// Writes one text so that it can neither start a block nor make a span, a link or a mention.
    mutating func appendMarkdown(_ text: String) {
        unsafe withBytes(of: text) { writer, bytes in
            var start = 0
            var index = 0
            while index < bytes.count {
                guard unsafe ByteSet.markdown.contains(bytes[index]) else {
                    index &+= 1
                    continue
                }
                unsafe writer.append(bytes: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                start = unsafe index &+ writer.appendMarkdown(bytes, at: index)
                index = max(start, index &+ 1)
            }
            unsafe writer.append(bytes: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// Writes the replacement of the byte at the index; gives how many bytes of the text that covers.
    private mutating func appendMarkdown(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let next = unsafe index + 1 < bytes.count ? bytes[index + 1] : nil
        let byte = unsafe bytes[index]
        switch byte {
        case 0x00: append("\u{FFFD}")
        case UInt8(ascii: "&"): append("&amp;")
        case UInt8(ascii: "<"): append("&lt;")
        case UInt8(ascii: ">"): append("&gt;")
        case 0x09, 0x0A, 0x0D, 0x20: appendSpace()
        case 0x01..<0x20, 0x7F: break
        case 0x80...: return unsafe foreignLength(bytes, at: index)
        case UInt8(ascii: "#"), UInt8(ascii: "@"): appendReference(byte, next)
        case UInt8(ascii: ":"), UInt8(ascii: "/"): unsafe appendAddressPart(bytes, at: index)
        default:
            if needsBackslash(byte, next) { append(byte: UInt8(ascii: "\\")) }
            if byte == UInt8(ascii: "."), endsWithWWW { append("\u{200B}") }
            append(byte: byte)
        }
        if unsafe beginsReference(bytes, at: index) { append("\u{200B}") }
        return 1
    }

    /// White space at the start of a block is dropped, so that four of it make no code block.
    private mutating func appendSpace() {
        if !isAtBlockStart { append(byte: 0x20) }
    }

    /// `#` and `@`: no heading, no link to an issue, no mention.
    private mutating func appendReference(_ byte: UInt8, _ next: UInt8?) {
        if byte == UInt8(ascii: "#"), isAtBlockStart { append(byte: UInt8(ascii: "\\")) }
        append(byte: byte)
        if next.map(isWord) ?? true { append("\u{200B}") }
    }

    /// Whether a number or a name would become a link: `GH-12` to an issue on GitHub; on GitLab `!12` to a merge request,
    /// `$12` to a snippet, `&12` to an epic, `%1.0` to a milestone, `~bug` to a label.
    private func beginsReference(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + 1 < bytes.count else { return false }
        let next = unsafe bytes[index + 1]
        switch unsafe bytes[index] {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"): return isDigit(next)
        case UInt8(ascii: "%"), UInt8(ascii: "~"):
            return (isWord(next) || next == UInt8(ascii: "\""))
                && !(unsafe index > 0 && isLetterOrDigit(bytes[index - 1]))
        case UInt8(ascii: "-"):
            guard isDigit(next), index >= 2, unsafe bytes[index - 1] | 0x20 == UInt8(ascii: "h"),
                unsafe bytes[index - 2] | 0x20 == UInt8(ascii: "g")
            else { return false }
            return unsafe index == 2 || !isLetterOrDigit(bytes[index - 3])
        default: return false
        }
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isWord(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_")
    }

    /// `:` and `/`: no bare address such as `https://…`, and no name of a picture such as `:tada:`.
    private mutating func appendAddressPart(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        let slash = UInt8(ascii: "/")
        if unsafe bytes[index] == slash, index == 0, self.bytes.last == UInt8(ascii: ":") {
            append("\u{200B}")
        }
        unsafe append(byte: bytes[index])
        let isAddress =
            unsafe index + 2 < bytes.count && bytes[index + 1] == slash && bytes[index + 2] == slash
        if unsafe bytes[index] != slash, unsafe isAddress || namesPicture(bytes, after: index) {
            append("\u{200B}")
        }
    }

    /// Whether a colon and the next one have a name of a picture between them. Of digits alone there are two: times and
    /// addresses stay as they are.
    private func namesPicture(_ bytes: UnsafeBufferPointer<UInt8>, after index: Int) -> Bool {
        var (end, hasLetter) = (index + 1, false)
        while end < bytes.count {
            let byte = unsafe bytes[end]
            if byte == UInt8(ascii: ":") { break }
            guard byte < 0x80, isWord(byte) || byte == UInt8(ascii: "+"),
                end - index <= Self.longestPictureName
            else { return false }
            hasLetter = hasLetter || !isDigit(byte)
            end += 1
        }
        guard end < bytes.count, end > index + 1 else { return false }
        let name = unsafe Array(bytes[index + 1..<end])
        return hasLetter || name == Array("100".utf8) || name == Array("1234".utf8)
    }

    private static var longestPictureName: Int { 64 }

    private func needsBackslash(_ byte: UInt8, _ next: UInt8?) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="): isAtBlockStart
        case UInt8(ascii: "."), UInt8(ascii: ")"): (next.map { $0 <= 0x20 } ?? true) && endsWithListNumber
        case UInt8(ascii: "!"): next.map { $0 == UInt8(ascii: "[") } ?? true
        case UInt8(ascii: "%"): false
        default: true
        }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}

/// What the line that is being written looks like.
extension ByteWriter {
    /// Whether a block could start here: only white space, quote signs and list markers since the newline.
    var isAtBlockStart: Bool { isBlockStart(before: bytes.count) }

    /// Whether the line so far is a number that `.` or `)` would turn into a list item.
    private var endsWithListNumber: Bool {
        var index = bytes.count
        while index > 0, isDigit(bytes[index - 1]) { index -= 1 }
        return (1...9).contains(bytes.count - index) && isBlockStart(before: index)
    }

    private var endsWithWWW: Bool {
        bytes.count >= 3 && bytes.suffix(3).allSatisfy { $0 | 0x20 == UInt8(ascii: "w") }
    }

    /// Walks back over white space and markers of containers.
    private func isBlockStart(before end: Int) -> Bool {
        var index = end
        while index > 0 {
            switch bytes[index - 1] {
            case 0x0A: return true
            case 0x20, 0x09, UInt8(ascii: ">"): index -= 1
            case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
                guard index == end || bytes[index] <= 0x20 else { return false }
                guard index < end else { return false }
                index -= 1
            case UInt8(ascii: "."), UInt8(ascii: ")"):
                guard index < end, bytes[index] <= 0x20, let start = listNumber(before: index - 1) else {
                    return false
                }
                index = start
            default: return false
            }
        }
        return true
    }

    /// Where the digits before the index start, when there are one to nine.
    private func listNumber(before end: Int) -> Int? {
        var index = end
        while index > 0, end - index < 10, isDigit(bytes[index - 1]) { index -= 1 }
        return (1...9).contains(end - index) ? index : nil
    }

    fileprivate func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
