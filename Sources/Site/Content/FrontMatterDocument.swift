import Configuration
import Diagnostics

/// A text file split into front matter, which is YAML between two lines `---` at its beginning, and the rest. Blanks
/// after the hyphens are no part of the line, as editors add them unseen.
struct FrontMatterDocument {
    /// The front matter as it is read; gathers what is wrong with it.
    var file: YAMLFile
    /// The lines after the front matter.
    let lines: [Substring]
    /// The line of the file on which they begin, counted from 1.
    let firstLine: Int
    /// Whether there are no keys because the front matter has another mistake.
    private(set) var isUnreadable: Bool
    private let value: YAMLValue?
    private let unclosed: Diagnostic?

    /// Parts a text; CR LF, CR and LF all end a line.
    init(_ text: String, path: String) {
        let plain =
            text.unicodeScalars.first == "\u{FEFF}"
            ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        let lines = String(String.UnicodeScalarView(plain)).replacing("\r\n", with: "\n")
            .replacing("\r", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        let begins = lines.first.map(isFence) == true
        let end = begins ? lines.dropFirst().firstIndex(where: isFence) : nil
        (file, value) = YAMLFile.read(
            end.map { lines[1..<$0].joined(separator: "\n") } ?? "", path: path, firstLine: 2)
        self.lines = end.map { Array(lines[($0 + 1)...]) } ?? lines
        self.firstLine = end.map { $0 + 2 } ?? 1
        self.unclosed =
            begins && end == nil
            ? .usage(
                "content.front-matter", "Front matter is not closed",
                at: .file(path: path, line: 1, column: 1), hints: ["end it with a line '---'"]) : nil
        self.isUnreadable = unclosed != nil || value == nil && !file.problems.isEmpty
    }

    /// Everything that was found wrong so far.
    var problems: [Diagnostic] { [unclosed].compactMap(\.self) + file.problems }

    /// The values of the front matter by key; another key is a problem, with the nearest of these.
    mutating func keys(_ names: [String]) -> [String: YAMLValue] {
        guard let value else { return [:] }
        let keys = file.mapping(value, keys: names)
        isUnreadable = isUnreadable || keys == nil
        return keys ?? [:]
    }
}

private func isFence(_ line: Substring) -> Bool {
    line.hasPrefix("---") && line.dropFirst(3).allSatisfy { $0 == " " || $0 == "\t" }
}
