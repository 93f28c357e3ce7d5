/// The document without tables and folded parts, for dialects that have neither: lists in the place of tables, what
/// was folded below its title.
func linear(_ blocks: [Block]) -> [Block] {
    blocks.flatMap { block -> [Block] in
        switch block {
        case .table(let table): listed(table)
        case .folded(let title, let blocks):
            (title.isEmpty ? [] : [.lines([[.strong(title)]])]) + linear(blocks)
        case .quote(let blocks): [.quote(linear(blocks))]
        case .entries(let entries, let start): [.entries(entries.map(linear), start: start)]
        case .heading, .lines, .list, .code, .rule: [block]
        }
    }
}

private func listed(_ table: BlockTable) -> [Block] {
    guard table.columns.indices.contains(table.name) else { return [] }
    let title = Block.lines([tableTitle(table)])
    return table.rows.isEmpty ? [title] : [title, .list(table.rows.map { rowLine($0, of: table) })]
}

/// What is over the rows of a table that are written one by one: what its rows are, and the columns of which no
/// row has a value.
func tableTitle(_ table: BlockTable) -> [Span] {
    let silent = table.columns.indices.filter { place in
        place > table.name
            && !table.rows.contains { row in place < row.count && row[place].contains { !$0.text.isEmpty } }
    }
    let rest = silent.isEmpty ? "" : " \(silent.map { table.columns[$0].title }.joined(separator: ", ")): –"
    return [.strong(table.columns[table.name].title + ":")] + (rest.isEmpty ? [] : [.text(rest)])
}
