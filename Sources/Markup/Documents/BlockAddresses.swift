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
    func spans(_ spans: [Span]) -> [Span] {
        spans.map { span in
            var span = span
            span.address = span.address.flatMap(address)
            if let picture = span.picture { span.picture = address(picture) }
            return span
        }
    }
    return blocks.map { block in
        switch block {
        case .heading(let line, let level): return .heading(spans(line), level: level)
        case .lines(let lines): return .lines(lines.map(spans))
        case .list(let entries): return .list(entries.map(spans))
        case .entries(let entries, let start):
            return .entries(entries.map { readdressed($0, address) }, start: start)
        case .table(var table):
            table.rows = table.rows.map { $0.map(spans) }
            return .table(table)
        case .folded(let title, let blocks): return .folded(title: title, readdressed(blocks, address))
        case .quote(let blocks): return .quote(readdressed(blocks, address))
        case .code, .rule, .chart: return block
        }
    }
}
