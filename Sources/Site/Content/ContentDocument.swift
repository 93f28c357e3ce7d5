import Configuration
import Diagnostics
import Markup

/// A CommonMark file with its front matter: YAML between two lines `---` at its beginning.
struct ContentDocument {
    /// `title` of the front matter, else the words of the heading with which the text begins.
    let title: String?
    /// The words of the heading with which the text begins, where `title` of the front matter says something else.
    let heading: String?
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
        let heading = leadingHeading(inCommonMark: document.lines.joined(separator: "\n"))
        // The page shows the heading as its title.
        let rest = document.lines.dropFirst(heading?.lines ?? 0)
        let title = document.file.text(keys["title"])
        self.title = title ?? heading?.text
        self.heading = title == nil || title == heading?.text ? nil : heading?.text
        self.summary = document.file.text(keys["summary"])
        self.order = document.file.count(keys["order"], in: 1...10_000)
        self.isInNavigation = document.file.flag(keys["navigation"])
        self.body = rest.joined(separator: "\n")
        self.bodyLine = document.firstLine + document.lines.count - rest.count
        self.problems = document.problems
    }
}
