package import Markup

/// A chart spec: a value that is drawn by pure functions and knows no page.
///
/// All texts of a chart may be foreign; they are cleaned and escaped when drawn.
package protocol Chart: Sendable {
    /// A kebab-case name, unique on a page; all ids in the drawing derive from it.
    var name: String { get }
    /// What it shows, in a few words.
    var title: String { get }
    /// A generated sentence or more: span, first, lowest, highest and last value, what is missing.
    var description: String { get }
    /// The drawing to stand within a page: no style attribute, no style sheet, colours by class.
    func svg() -> Markup
    /// The drawing as a file of its own, with light and dark colours inside.
    func standaloneSVG() -> Markup
    /// Glyphs and the description, as plain text that the caller escapes for its language.
    func text() -> String
    /// The numbers of the drawing.
    var table: ChartTable { get }
}

/// The data of a chart as text; every row has as many cells as there are columns.
package struct ChartTable: Hashable, Sendable {
    /// The headings.
    package let columns: [String]
    /// The cells, row by row.
    package let rows: [[String]]
}
