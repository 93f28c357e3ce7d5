import Analysis
import Markup

/// One way in which a text that must not be shown may be written in a file.
struct LeakPattern: Sendable {
    /// What is looked for, at least three bytes.
    let bytes: [UInt8]
    /// Whether letters and digits next to it make it another word.
    let isWord: Bool
    /// What it is.
    let fact: SensitiveText

    /// Long texts are looked for by their first characters, as a chart or a summary may cut them.
    private static let longest = 40
    /// Shorter texts, and names of files and people, must stand alone as words.
    private static let leastAnywhere = 12

    /// The ways in which a text may be written; none when it is too short to be distinguished from ordinary words.
    static func patterns(of fact: SensitiveText) -> [LeakPattern] {
        var texts = fact.text.split(whereSeparator: \.isNewline).map(String.init)
        if fact.rule == .note { texts += [plainText(fromCommonMark: fact.text)] }
        return texts.flatMap { text -> [LeakPattern] in
            let start = String(text.drop(while: \.isWhitespace).prefix(longest))
            let isName = [.codePlace, .name, .issueID].contains(fact.rule) && start.count < longest
            let isWord = isName || start.utf8.count < leastAnywhere
            guard isSearchable(start, fact.rule) else { return [] }
            return written(start).map { LeakPattern(bytes: $0, isWord: isWord, fact: fact) }
        }
    }

    /// Whether it is in a file at an index.
    func occurs(in file: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + bytes.count <= file.count else { return false }
        for offset in bytes.indices where file[index + offset] != bytes[offset] { return false }
        guard isWord else { return true }
        let end = index + bytes.count
        return (index == 0 || !isWordByte(file[index - 1])) && (end == file.count || !isWordByte(file[end]))
    }
}

/// Names of people are short; of the others, a single short word may stand in any sentence.
private func isSearchable(_ text: String, _ rule: RedactionRule) -> Bool {
    switch rule {
    case .name: text.utf8.count >= 3 && !calendarWords.contains(text)
    case .codePlace: text.utf8.count >= 5 && text.contains(".")
    case .issueID:
        text.utf8.count >= 6 && !text.allSatisfy(\.isLetter) && Int(text).map { $0 > 99_999_999 } ?? true
    default: text.utf8.count >= 12 || (text.utf8.count >= 6 && !text.allSatisfy(\.isLetter))
    }
}

/// The text as each language of a site writes it.
private func written(_ text: String) -> [[UInt8]] {
    var forms: [[UInt8]] = [[UInt8](text.utf8)]
    for language in [OutputLanguage.html, .markdown, .xml] {
        var writer = ByteWriter()
        writer.append(text, escapedFor: language)
        forms.append(writer.bytes)
    }
    let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    forms += [[UInt8](quoted.utf8), [UInt8](text.replacing("\"", with: "\"\"").utf8)]
    var seen: Set<[UInt8]> = []
    return forms.filter { $0.count >= 3 && seen.insert($0).inserted }
}

private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= 97 && byte | 0x20 <= 122) || byte >= 0x80 || byte == UInt8(ascii: "_")
}

/// Words of dates that are names of people too.
private let calendarWords: Set = ["April", "May", "June", "Jun", "Jan", "August", "Sun", "Mar"]
