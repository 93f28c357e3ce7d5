/// A piece of a line: foreign or own text, escaped by whoever writes it.
package struct Span: Hashable, Sendable {
    /// The text, not escaped.
    package var text: String
    /// Whether it stands out.
    package var isStrong = false
    /// Whether it is said with weight.
    package var isEmphasised = false
    /// Whether it is code.
    package var isCode = false
    /// Whether the line ends here even where lines of a paragraph flow together; such a span has no text.
    package var isBreak = false
    /// What it means, for outputs that have colours; a sign or a word beside it always says the same.
    package var tone = Tone.plain
    /// Where it leads.
    package var address: String?
    /// Where the picture lies that the text describes.
    package var picture: String?

    /// What a piece of text means.
    package enum Tone: Hashable, Sendable {
        /// Nothing by itself.
        case plain
        /// As it should be.
        case good
        /// Not as it should be.
        case bad
        /// Of less weight.
        case soft
    }

    /// Text as it is.
    package static func text(_ text: String, _ tone: Tone = .plain) -> Span { Span(text: text, tone: tone) }

    /// Text that stands out.
    package static func strong(_ text: String, _ tone: Tone = .plain) -> Span {
        Span(text: text, isStrong: true, tone: tone)
    }

    /// A link; text as it is when there is nothing to link to.
    package static func link(_ text: String, to address: String?) -> Span {
        Span(text: text, address: address)
    }
}
