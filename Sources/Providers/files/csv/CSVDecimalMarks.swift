/// What comes before decimals in the counts of a table. It is decided by the whole column: `1002.000` can be no thousands,
/// so that `950.000` above it is 950. One that shows nothing is written as the others of its table are.
struct CSVDecimalMarks: Equatable, Sendable {
    /// The marks of the columns that show one, or whose table does.
    private var marks: [CSVColumn: Character] = [:]

    /// - Parameter cells: The cells of each column of counts.
    init(_ cells: [CSVColumn: some Sequence<String>]) {
        var all: Set<CSVNumber.Mark> = []
        for (column, cells) in cells {
            let found = Self.marks(in: cells)
            marks[column] = Self.decimal(among: found)
            all.formUnion(found)
        }
        for column in cells.keys where marks[column] == nil { marks[column] = Self.decimal(among: all) }
    }

    /// The mark of a column; nil where nothing shows it.
    subscript(column: CSVColumn) -> Character? { marks[column] }

    private static func marks(in cells: some Sequence<String>) -> Set<CSVNumber.Mark> {
        cells.reduce(into: []) { found, cell in
            guard cell.contains(where: { ".,".contains($0) }), let number = CSVNumber(cell, isCount: true)
            else { return }
            found.formUnion(number.marks)
        }
    }

    /// The only mark that decimals follow; nil where thousands follow it too.
    private static func decimal(among marks: Set<CSVNumber.Mark>) -> Character? {
        let decimals = marks.compactMap { mark -> Character? in
            if case .decimal(let character) = mark { character } else { nil }
        }
        guard decimals.count == 1, let mark = decimals.first, !marks.contains(.thousands(mark)) else {
            return nil
        }
        return mark
    }
}
