import Configuration
import Diagnostics

/// A CommonMark file with its front matter: YAML between two lines `---` at its beginning.
struct ContentDocument {
    /// `title` of the front matter, else the first heading.
    let title: String?
    /// `summary` of the front matter.
    let summary: String?
    /// The text without the front matter.
    let body: String
    /// What is wrong with the front matter.
    let problems: [Diagnostic]

    /// Takes a file apart.
    init(_ text: String, path: String) {
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}"
            ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        // Scalars, not characters: CR and LF together are one character, which is no line feed.
        let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            Substring(line.last == "\r" ? line.dropLast() : line)
        }
        let end = lines.first == "---" ? lines.dropFirst().firstIndex(of: "---") : nil
        guard let end else {
            (self.title, self.body) = Self.titled(lines)
            self.summary = nil
            self.problems = lines.first == "---" ? [Self.unclosed(path)] : []
            return
        }
        let rest = lines[(end + 1)...]
        var (file, value) = YAMLFile.read(
            lines[1..<end].joined(separator: "\n"), path: path, firstLine: 2)
        let keys = value.flatMap { file.mapping($0, keys: ["title", "summary"]) } ?? [:]
        let (heading, body) = Self.titled(Array(rest))
        self.title = file.text(keys["title"]) ?? heading
        self.summary = file.text(keys["summary"])
        self.body = body
        self.problems = file.problems
    }

    /// The heading with which the text begins, and the text without it: the page shows it as its title.
    private static func titled(_ lines: [Substring]) -> (title: String?, body: String) {
        let rest = lines.drop { $0.allSatisfy(\.isWhitespace) }
        guard let first = rest.first, first.hasPrefix("# ") else {
            return (nil, lines.joined(separator: "\n"))
        }
        return (String(first.dropFirst(2)), rest.dropFirst().joined(separator: "\n"))
    }

    private static func unclosed(_ path: String) -> Diagnostic {
        .error(
            "content.front-matter", "The front matter is not closed",
            at: .file(path: path, line: 1, column: 1),
            hints: ["end it with a line '---'"])
    }
}
