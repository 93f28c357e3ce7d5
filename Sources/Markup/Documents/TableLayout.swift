/// A table whose columns are aligned by spaces.
struct TableLayout {
    /// Its lines from the head on.
    private(set) var lines: [StyledLine] = []
    private let columns: [BlockTable.Column]
    private let widths: [Int]
    private let name: Int

    /// The least columns in which a name can be distinguished from others.
    private static let leastNameWidth = 14
    /// The most columns of a name where lines may be of any length.
    private static let mostNameWidth = 72
    /// The most columns of a line: every line of a table is as long as its longest one.
    private static let mostWidth = 1000

    /// Lays a table out; nil when its lines are longer than there is room. Names give way first: they are cut, or take
    /// several lines in a file.
    init?(_ table: BlockTable, _ style: LayoutStyle) {
        guard table.columns.indices.contains(table.name) else { return nil }
        let head = table.columns.map { StyledLine([.text($0.title, .soft)]) }
        let cells = table.rows.map { row in row.map { StyledLine($0) } }
        var widths = head.map(\.width)
        for row in cells {
            for (place, cell) in zip(widths.indices, row) { widths[place] = max(widths[place], cell.width) }
        }
        if style.width == nil { widths[table.name] = min(widths[table.name], Self.mostNameWidth) }
        let whole = widths.reduce(0, +) + 2 * (widths.count - 1)
        if style.width == nil, whole > Self.mostWidth { return nil }
        if let width = style.width, whole > width {
            let room = widths[table.name] - (whole - width)
            guard room >= Self.leastNameWidth else { return nil }
            widths[table.name] = room
        }
        (columns, self.widths, name) = (table.columns, widths, table.name)
        for row in [head] + cells {
            if style.isFile {
                guard let several = aligned(wholeNameOf: row) else { return nil }
                lines += several
            } else {
                lines.append(aligned(row))
            }
        }
    }

    private func aligned(_ row: [StyledLine]) -> StyledLine {
        var line = StyledLine()
        for (place, cell) in row.enumerated() where place < widths.count {
            if place > 0 { line.append("  ") }
            var cell = cell.cut(to: widths[place])
            cell.pad(to: widths[place], onTheLeft: columns[place].isNumber)
            line.glyphs += cell.glyphs
        }
        return line
    }

    /// A row with its name on as many lines as it needs; nil when a word of it is too long for its column.
    private func aligned(wholeNameOf row: [StyledLine]) -> [StyledLine]? {
        guard row.indices.contains(name) else { return [aligned(row)] }
        let parts = row[name].wrapped(to: widths[name], indent: 0, breaksWords: false)
        guard parts.allSatisfy({ $0.width <= widths[name] }) else { return nil }
        return parts.enumerated().map { place, part in
            var cells = place == 0 ? row : row.map { _ in StyledLine() }
            cells[name] = part
            return aligned(cells)
        }
    }
}

/// The cells of a row as one line, for dialects without tables: its rank and name, then each other value that is
/// known with its name.
func rowLine(_ row: [[Span]], of table: BlockTable) -> [Span] {
    let (name, values) = rowParts(row, of: table)
    let rest = values.joined(separator: [.text(" · ")])
    return values.isEmpty ? name : name + [.text(" — ")] + rest
}

/// The rank and name of a row, and each other value that is known with its name.
func rowParts(_ row: [[Span]], of table: BlockTable) -> (name: [Span], values: [[Span]]) {
    var name: [Span] = []
    for (place, cell) in row.enumerated() where place <= table.name {
        if !name.isEmpty { name.append(.text(" ")) }
        name += cell
    }
    var values: [[Span]] = []
    for (place, cell) in row.enumerated() where place > table.name && place < table.columns.count {
        guard cell.contains(where: { !$0.text.isEmpty }) else { continue }
        values.append([.text(shortTitle(table.columns[place]) + ": ")] + cell)
    }
    return (name, values)
}

/// The title of a column, cut where it is long: it is written in each row.
private func shortTitle(_ column: BlockTable.Column) -> String {
    let title = column.title
    guard let end = title.index(title.startIndex, offsetBy: 72, limitedBy: title.endIndex),
        end < title.endIndex
    else { return title }
    return title[..<end] + "…"
}
