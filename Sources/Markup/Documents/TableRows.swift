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
        values.append([.text(table.columns[place].title + ": ")] + cell)
    }
    return (name, values)
}
