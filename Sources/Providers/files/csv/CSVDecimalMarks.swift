/// What comes before decimals in the counts of a table. It is decided by the whole column: `1002.000` can be no thousands,
/// so that `950.000` above it is 950. One that shows nothing is written as the others of its table are.
///
/// Databases write three zeros after each number of a kind with three decimals. Counts of crashes that are all whole
/// thousands, none of them below, are none that anything has: ten of them are such numbers.
struct CSVDecimalMarks: Equatable, Sendable {
    /// The marks of the columns that show one, or whose table does.
    private var marks: [CSVColumn: Character] = [:]
    /// A cell of a table in which all counts are written so, and are too few to tell.
    private(set) var doubtful: String?

    /// - Parameter cells: The cells of each column of counts.
    init(_ cells: [CSVColumn: some Sequence<String>]) {
        var all: Set<CSVNumber.Mark> = []
        for (column, cells) in cells {
            let found = Self.marks(in: cells)
            marks[column] = Self.decimal(among: found)
            all.formUnion(found)
        }
        for column in cells.keys where marks[column] == nil { marks[column] = Self.decimal(among: all) }
        guard let zeros = Self.threeZeros(in: cells, marks: all) else { return }
        if zeros.count < Self.fewest {
            doubtful = zeros.first
        } else {
            for column in cells.keys { marks[column] = zeros.mark }
        }
    }

    /// The mark of a column; nil where nothing shows it.
    subscript(column: CSVColumn) -> Character? { marks[column] }

    /// The fewest counts that show that three zeros are decimals.
    private static let fewest = 10

    /// The mark that three zeros follow in every count of a table, crashes among them; nil in every other table.
    private static func threeZeros(
        in cells: [CSVColumn: some Sequence<String>], marks: Set<CSVNumber.Mark>
    ) -> (mark: Character, count: Int, first: String)? {
        guard marks.count == 1, case .open(let mark)? = marks.first else { return nil }
        var (count, first): (Int, String?) = (0, nil)
        for column in CSVColumn.allCases {
            for cell in cells[column].map({ Array($0) }) ?? [] where !valueCell(cell, of: column).isEmpty {
                guard cell.hasSuffix("\(mark)000"), CSVNumber(cell, isCount: true) != nil else { return nil }
                count += 1
                if first == nil, column.countsCrashes { first = cell }
            }
        }
        return first.map { (mark, count, $0) }
    }

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
