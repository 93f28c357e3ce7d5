/// One part of a document that can be written in each dialect and on a terminal.
package indirect enum Block: Hashable, Sendable {
    /// A heading of level 1 to 6.
    case heading([Span], level: Int)
    /// Lines that belong together.
    case lines([[Span]])
    /// Entries in no particular order.
    case list([[Span]])
    /// Entries that hold more than a line; numbered from the start when there is one.
    case entries([[Block]], start: Int?)
    /// Rows of named values.
    case table(BlockTable)
    /// Something that is read when it is requested.
    case folded(title: String, [Block])
    /// Somebody else's words.
    case quote([Block])
    /// Lines that stand as they are, in a language that a writer may color; empty for none.
    case code(String, language: String)
    /// What is before and after belong less together.
    case rule
}

extension Block {
    /// Entries in no particular order: a list where each is one line.
    package static func bullets(_ entries: [[Block]]) -> Block {
        let lines = entries.compactMap { entry -> [Span]? in
            guard case .lines(let lines)? = entry.first, entry.count == 1, lines.count == 1 else {
                return nil
            }
            return lines[0]
        }
        return lines.count == entries.count ? .list(lines) : .entries(entries, start: nil)
    }
}

/// A table of which one column names the rows.
package struct BlockTable: Hashable, Sendable {
    /// A column.
    package struct Column: Hashable, Sendable {
        /// What is over it.
        package var title: String
        /// Whether it holds numbers, which stand on the right.
        package var isNumber: Bool

        /// A column.
        package init(_ title: String, isNumber: Bool = false) {
            self.title = title
            self.isNumber = isNumber
        }
    }

    /// The columns from left to right.
    package var columns: [Column]
    /// The place of the column that names the row; what is before it is its rank.
    package var name: Int
    /// The cells of each row; the last ones may be missing.
    package var rows: [[[Span]]]

    /// Makes a table.
    package init(_ columns: [Column], name: Int = 0, rows: [[[Span]]]) {
        self.columns = columns
        self.name = min(max(name, 0), max(columns.count - 1, 0))
        self.rows = rows
    }
}

/// A piece of a line: foreign or own text, escaped by whoever writes it.
package struct Span: Hashable, Sendable {
    /// The text, not escaped.
    package var text: String
    /// Whether it is emphasized.
    package var isStrong = false
    /// Whether it is said with weight.
    package var isEmphasised = false
    /// Whether it is code.
    package var isCode = false
    /// Whether the line ends here even where lines of a paragraph flow together; such a span has no text.
    package var isBreak = false
    /// What it means, for outputs that have colors; a sign or a word next to it always says the same.
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

    /// Text that is emphasized.
    package static func strong(_ text: String, _ tone: Tone = .plain) -> Span {
        Span(text: text, isStrong: true, tone: tone)
    }

    /// A link; text as it is when there is nothing to link to.
    package static func link(_ text: String, to address: String?) -> Span {
        Span(text: text, address: address)
    }
}
