/// Text that is already written in an output language, such as a rendered note or a chart's SVG.
package struct Markup: Sendable, Hashable {
    /// The language the text is written in.
    package let language: OutputLanguage
    /// The text, printed as it is where its language fits.
    package let text: String

    /// Declares text to be well-formed and safe in a language.
    ///
    /// This is the only door past escaping: use it for text that your own code wrote tag by tag, with every
    /// foreign string escaped by a `ByteWriter`; never for text that came from outside.
    package init(trusted text: String, language: OutputLanguage) {
        self.text = text
        self.language = language
    }

    /// Text escaped for a language.
    package init(escaping text: String, language: OutputLanguage) {
        var writer = ByteWriter()
        writer.append(text, escapedFor: language)
        self.init(trusted: writer.text, language: language)
    }

    /// Whether nothing would be printed.
    package var isEmpty: Bool { text.isEmpty }
}

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
