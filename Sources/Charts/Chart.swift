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
    /// Whether there is another drawing for a narrow place; a chart that fits everywhere has none.
    var hasNarrowDrawing: Bool { get }
    /// The drawing: done once, it gives the markup for a page and a file of its own.
    func drawing(_ size: DrawingSize) -> Drawing
    /// Glyphs and the description, as plain text that the caller escapes for its language.
    func text() -> String
    /// The glyphs alone: the first line of the text.
    var glyphs: String { get }
    /// The numbers of the drawing.
    var table: ChartTable { get }
}

extension Chart {
    package var hasNarrowDrawing: Bool { true }

    /// The drawing for a wide place.
    package func drawing() -> Drawing { drawing(.wide) }

    /// The wide drawing to stand in a figure whose caption has the description, and next to it the narrow one.
    ///
    /// The narrow one is in an element that is hidden until a style sheet shows it, by its class
    /// `chart-narrow`, and hides the drawing before it: a theme without such a rule has the wide one alone.
    package func captioned(_ wide: Drawing) -> Markup {
        guard hasNarrowDrawing else { return wide.captioned }
        let narrow = "<div class=\"chart-narrow\" hidden=\"\">\(drawing(.narrow).captioned.text)</div>"
        return Markup(trusted: wide.captioned.text + narrow, language: .html)
    }

    /// The drawing to stand within a page: no style attribute, no style sheet, colors by class.
    package func svg() -> Markup { drawing().inline }

    package var glyphs: String { String(text().unicodeScalars.prefix { $0 != "\n" }) }

    /// The name as a part of a file name: letters, digits, hyphens and `_`.
    package var fileStem: String { "chart-" + identifier(name) }
}
