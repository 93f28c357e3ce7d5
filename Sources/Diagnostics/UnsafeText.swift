extension Unicode.Scalar {
    /// Whether no output may hold it as it is, in whatever language: a control character other than tab and line feed,
    /// a mark that turns the direction of writing, a format character that no text needs, or no character at all.
    ///
    /// Each language has one gate that asks this: `printable` for terminals, `ByteWriter` for HTML, XML, Markdown and
    /// plain text, `displayText` for drawings, `jsonSafe` for JSON, and the writer of CSV files.
    package var isUnsafe: Bool {
        switch value {
        case 0x09, 0x0A: false
        // Cc.
        case 0...0x1F, 0x7F...0x9F: true
        // Bidirectional controls, and the deprecated ones after them.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
        // The byte order mark, marks around annotations, and the deprecated tag of languages.
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0001: true
        // Noncharacters.
        case 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }
}

/// The text without unsafe scalars; what is left of a text that is in its language already.
package func withoutUnsafe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isUnsafe) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { !$0.isUnsafe }))
}

/// JSON that means the same and holds no unsafe scalar: those within its texts are written as `\u` and four digits.
package func jsonSafe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        guard scalar.isUnsafe else {
            result.unicodeScalars.append(scalar)
            continue
        }
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
    return result
}
