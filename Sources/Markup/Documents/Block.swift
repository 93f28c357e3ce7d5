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
    /// Something that is read when it is asked for.
    case folded(title: String, [Block])
    /// Somebody else's words.
    case quote([Block])
    /// Lines that stand as they are, in a language that a writer may colour; empty for none.
    case code(String, language: String)
    /// What stands before and after belong less together.
    case rule
}

/// A table of which one column names the rows.
package struct BlockTable: Hashable, Sendable {
    /// A column.
    package struct Column: Hashable, Sendable {
        /// What stands over it.
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
    /// The place of the column that names the row; what stands before it is its rank.
    package var name: Int
    /// The cells of each row; as many as there are columns.
    package var rows: [[[Span]]]

    /// Makes a table.
    package init(_ columns: [Column], name: Int = 0, rows: [[[Span]]]) {
        self.columns = columns
        self.name = min(max(name, 0), max(columns.count - 1, 0))
        self.rows = rows
    }
}
