import Configuration
import Diagnostics

/// A CommonMark file with its front matter: YAML between two lines `---` at its beginning.
struct ContentDocument {
    /// `title` of the front matter, else the first heading.
    let title: String?
    /// `summary` of the front matter.
    let summary: String?
    /// `order` of the front matter: its place in the navigation.
    let order: Int?
    /// `navigation` of the front matter: whether it is in the navigation.
    let isInNavigation: Bool?
    /// The text without the front matter.
    let body: String
    /// The line of the file on which the text begins, counted from 1.
    let bodyLine: Int
    /// What is wrong with the front matter.
    let problems: [Diagnostic]

    /// Takes a file apart.
    init(_ text: String, path: String) {
        var document = FrontMatterDocument(text, path: path)
        let keys = document.keys(["title", "summary", "order", "navigation"])
        let (heading, rest) = Self.titled(document.lines)
        self.title = document.file.text(keys["title"]) ?? heading
        self.summary = document.file.text(keys["summary"])
        self.order = document.file.count(keys["order"], in: 1...10_000)
        self.isInNavigation = document.file.flag(keys["navigation"])
        self.body = rest.joined(separator: "\n")
        self.bodyLine = document.firstLine + document.lines.count - rest.count
        self.problems = document.problems
    }

    /// The heading with which the text begins, and the text without it: the page shows it as its title.
    private static func titled(_ lines: [Substring]) -> (title: String?, body: [Substring]) {
        let rest = lines.drop { $0.allSatisfy(\.isWhitespace) }
        guard let first = rest.first, first.hasPrefix("# ") else { return (nil, lines) }
        return (String(first.dropFirst(2)), Array(rest.dropFirst()))
    }
}
