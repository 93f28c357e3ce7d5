/// The blocks without pictures whose descriptions stand right before them: of such a picture a dialect without pictures
/// would show nothing else.
func withoutRepeatedPictures(_ blocks: [Block]) -> [Block] {
    blocks.enumerated().filter { place, block in
        guard place > 0, case .lines(let lines) = block, case .lines(let before) = blocks[place - 1],
            lines.joined().allSatisfy({ $0.picture != nil })
        else { return true }
        let words = before.joined().map(\.text).joined()
        return !lines.joined().allSatisfy { words.contains($0.text) }
    }.map(\.element)
}

/// The blocks with other addresses; of a link that leads nowhere the words stay.
func readdressed(_ blocks: [Block], _ address: (String) -> String?) -> [Block] {
    mapped(blocks) { span in
        var span = span
        span.address = span.address.flatMap(address)
        if let picture = span.picture { span.picture = address(picture) }
        return span
    }
}

/// The blocks with the tone of each piece that has none, by its text: for outputs that have colors.
package func toned(_ blocks: [Block], _ tone: (String) -> Span.Tone) -> [Block] {
    mapped(blocks) { span in
        guard span.tone == .plain else { return span }
        var span = span
        span.tone = tone(span.text)
        return span
    }
}

/// The blocks with each piece of their lines changed.
private func mapped(_ blocks: [Block], _ change: (Span) -> Span) -> [Block] {
    blocks.map { block in
        switch block {
        case .heading(let line, let level): return .heading(line.map(change), level: level)
        case .lines(let lines): return .lines(lines.map { $0.map(change) })
        case .list(let entries): return .list(entries.map { $0.map(change) })
        case .entries(let entries, let start):
            return .entries(entries.map { mapped($0, change) }, start: start)
        case .table(var table):
            table.rows = table.rows.map { row in row.map { $0.map(change) } }
            return .table(table)
        case .folded(let title, let blocks): return .folded(title: title, mapped(blocks, change))
        case .quote(let blocks): return .quote(mapped(blocks, change))
        case .code, .rule: return block
        }
    }
}
