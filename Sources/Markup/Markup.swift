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
