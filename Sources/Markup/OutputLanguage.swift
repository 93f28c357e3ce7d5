/// The language that a file is written in; it decides how text is escaped.
package enum OutputLanguage: String, Sendable, CaseIterable {
    /// HTML, in text and in quoted attributes.
    case html
    /// CommonMark and GitHub Flavored Markdown.
    case markdown
    /// XML 1.0: feeds, sitemaps and SVG.
    case xml
    /// Text for mail, logs and terminals.
    case plain

    /// The language of files with this extension (without the dot), or nil when it is not one of ours.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "html": self = .html
        case "md": self = .markdown
        case "xml", "svg": self = .xml
        case "txt": self = .plain
        default: return nil
        }
    }

    /// Whether markup in `other` may stand in a file of this language as it is.
    ///
    /// SVG is XML and may stand in HTML. Everything else must be escaped as text.
    package func accepts(_ other: OutputLanguage) -> Bool {
        switch (self, other) {
        case (.html, .html), (.html, .xml), (.xml, .xml), (.markdown, .markdown), (.plain, .plain): true
        default: false
        }
    }
}
