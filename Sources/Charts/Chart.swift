package import Markup

/// A chart spec: a value that is drawn by pure functions and knows no page.
///
/// All texts of a chart may be foreign; they are cleaned and escaped when drawn.
package protocol Chart: Sendable {
    /// A kebab-case name, unique on a page; all ids in the drawing derive from it.
    var name: String { get set }
    /// What it shows, in a few words.
    var title: String { get set }
    /// A generated sentence or more: span, direction, first, lowest, highest and last value, what is missing.
    var description: String { get }
    /// The drawing: done once, it gives the markup for a page and a file of its own.
    func drawing() -> Drawing
    /// Glyphs and the description, as plain text that the caller escapes for its language.
    func text() -> String
    /// The glyphs alone: the first line of the text.
    var glyphs: String { get }
    /// The numbers of the drawing.
    var table: ChartTable { get }
}

extension Chart {
    /// The drawing to stand within a page: no style attribute, no style sheet, colours by class.
    package func svg() -> Markup { drawing().inline }

    package var glyphs: String { String(text().unicodeScalars.prefix { $0 != "\n" }) }

    /// The name as a part of a file name: letters, digits, hyphens and `_`.
    package var fileStem: String { "chart-" + identifier(name) }
}
