/// The document as text without markup, for terminals and mail.
///
/// - Parameters:
///   - width: the columns that a line may take, at least 20; nil for as many as it needs.
///   - hasColours: whether to write the sequences of ECMA-48 for colours and weight.
package func layoutText(_ blocks: [Block], width: Int?, hasColours: Bool) -> String {
    var text = LayoutText(width: width.map { max($0, 20) }, hasColours: hasColours)
    for (place, block) in blocks.enumerated() {
        if place > 0 { text.lines.append("") }
        text.append(block)
    }
    return text.lines.joined(separator: "\n") + "\n"
}

private struct LayoutText {
    let width: Int?
    let hasColours: Bool
    var lines: [String] = []

    mutating func append(_ block: Block) {
        switch block {
        case .heading(let spans, _):
            append(
                spans.map { span in
                    var span = span
                    span.isStrong = true
                    return span
                })
        case .lines(let lines): for line in lines { append(line) }
        case .list(let entries): for entry in entries { append([.text("• ")] + entry, indent: 2) }
        case .table(let table): append(table)
        case .folded(let title, let blocks):
            append([.strong(title)])
            for block in blocks { append(block) }
        case .chart(let title, let glyphs, let description):
            append([.text(title)])
            append([.text(String(glyphs.suffix(width ?? glyphs.count)))])
            append([.text(description, .soft)])
        }
    }

    private mutating func append(_ spans: [Span], indent: Int = 0) {
        let line = StyledLine(spans, showsAddresses: indent == 0)
        append(width.map { line.wrapped(to: $0, indent: indent) } ?? [line])
    }

    private mutating func append(_ styled: [StyledLine]) {
        lines += styled.map { $0.text(hasColours: hasColours) }
    }

    /// Aligned where the lines are long enough, else row by row.
    private mutating func append(_ table: BlockTable) {
        guard table.columns.indices.contains(table.name) else { return }
        let head = table.columns.map { StyledLine([.text($0.title, .soft)]) }
        let cells = table.rows.map { row in row.map { StyledLine($0) } }
        var widths = head.indices.map { place in
            ([head] + cells).map { place < $0.count ? $0[place].width : 0 }.max() ?? 0
        }
        if width == nil { widths[table.name] = min(widths[table.name], mostNameWidth) }
        let whole = widths.reduce(0, +) + 2 * (widths.count - 1)
        if let width, whole > width {
            let room = widths[table.name] - (whole - width)
            guard room >= leastNameWidth else { return appendRows(of: table) }
            widths[table.name] = room
        }
        for row in [head] + cells { append([aligned(row, widths, table.columns)]) }
    }

    private func aligned(
        _ row: [StyledLine], _ widths: [Int], _ columns: [BlockTable.Column]
    ) -> StyledLine {
        var line = StyledLine()
        for (place, cell) in row.enumerated() where place < widths.count {
            if place > 0 { line.append("  ") }
            var cell = cell.cut(to: widths[place])
            cell.pad(to: widths[place], onTheLeft: columns[place].isNumber)
            line.glyphs += cell.glyphs
        }
        return line
    }

    private mutating func appendRows(of table: BlockTable) {
        append([.text(table.columns[table.name].title + ":", .soft)])
        for row in table.rows { append(rowLine(row, of: table), indent: 2) }
    }
}

/// The least columns in which a name can be told from others.
private let leastNameWidth = 14
/// The most columns of a name where lines may be of any length.
private let mostNameWidth = 72
