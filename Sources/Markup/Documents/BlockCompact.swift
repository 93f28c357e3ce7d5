/// The Markdown of a page as the blocks that say something: without pictures, lines that only lead elsewhere, and what
/// is below the last rule, except for its lines with figures; of folded parts there are the titles that say a number.
///
/// - Parameter address: where a link leads from where the blocks are read; nil for nowhere.
package func compactBlocks(ofMarkdown text: String, address: (String) -> String?) -> [Block] {
    let blocks = documentBlocks(ofMarkdown: text)
    let end = blocks.lastIndex { if case .rule = $0 { true } else { false } } ?? blocks.count
    let kept = blocks.enumerated().compactMap { place, block -> Block? in
        switch block {
        case .folded(let title, _): return hasFigures([.text(title)]) ? .lines([[.text(title, .soft)]]) : nil
        case .rule: return nil
        case .lines(let lines):
            let kept = lines.filter { place < end ? saysSomething($0) : hasFigures($0) }
            return kept.isEmpty ? nil : .lines(kept)
        default: return place < end ? block : nil
        }
    }
    return readdressed(kept, address)
}

/// Whether the words of a line are not only those around links and pictures.
private func saysSomething(_ line: [Span]) -> Bool {
    hasFigures(line) || own(line).count > line.map(\.text).joined().count - own(line).count
}

private func hasFigures(_ line: [Span]) -> Bool {
    own(line).utf8.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
}

/// The words that lead nowhere.
private func own(_ line: [Span]) -> String {
    line.filter { $0.address == nil && $0.picture == nil }.map(\.text).joined()
}

/// The document without tables and folded parts, for dialects that have neither: lists in the place of tables, what
/// was folded below its title.
package func linear(_ blocks: [Block]) -> [Block] {
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
    // Over the cells that there are: columns times rows may be many more.
    var speaking: Set<Int> = []
    for row in table.rows {
        for (place, cell) in row.enumerated() where cell.contains(where: { !$0.text.isEmpty }) {
            speaking.insert(place)
        }
    }
    let silent = table.columns.indices.filter { $0 > table.name && !speaking.contains($0) }
    let rest = silent.isEmpty ? "" : " \(silent.map { table.columns[$0].title }.joined(separator: ", ")): –"
    return [.strong(table.columns[table.name].title + ":")] + (rest.isEmpty ? [] : [.text(rest)])
}
