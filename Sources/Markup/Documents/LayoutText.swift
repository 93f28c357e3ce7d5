/// The document as text without markup, for terminals and mail.
///
/// - Parameters:
///   - width: the columns that a line may take, at least 20; nil for as many as it needs.
///   - hasColors: whether to write the sequences of ECMA-48 for colors and weight.
package func layoutText(_ blocks: [Block], width: Int?, hasColors: Bool) -> String {
    layoutText(blocks, LayoutStyle(width: width.map { max($0, 20) }, hasColors: hasColors))
}

/// How text without markup is laid out.
struct LayoutStyle {
    /// The columns that a line may take; nil for as many as it needs.
    var width: Int?
    /// Whether colors and weight are written.
    var hasColors = false
    /// Whether nothing is cut or broken within a word to keep to the width, and headings are underlined: for files,
    /// which are searched and copied from.
    var isFile = false

    /// A page in a file.
    static let file = LayoutStyle(width: 100, isFile: true)
}

func layoutText(_ blocks: [Block], _ style: LayoutStyle) -> String {
    var text = LayoutText(style: style)
    text.append(blocks)
    return text.lines.joined(separator: "\n") + "\n"
}

private struct LayoutText {
    let style: LayoutStyle
    var lines: [String] = []

    var width: Int? { style.width }

    mutating func append(_ blocks: [Block]) {
        for (place, block) in blocks.enumerated() {
            if place > 0 { lines.append("") }
            append(block)
        }
    }

    private mutating func append(_ block: Block) {
        switch block {
        case .heading(let spans, let level): appendHeading(spans, level)
        case .lines(let lines): for line in lines { append(line) }
        case .list(let entries): for entry in entries { append([.text("• ")] + entry, indent: 2) }
        case .entries(let entries, let start):
            for (place, entry) in entries.enumerated() {
                append(entry, behind: start.map { "\($0 + place). " } ?? "• ")
            }
        case .table(let table): append(table)
        case .folded(let title, let blocks):
            append([.strong(title)])
            for block in blocks { append(block) }
        case .quote(let blocks): append(blocks, behind: "| ", repeats: true)
        case .code(let code, _):
            for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
                append([StyledLine([.text("    " + line)])])
            }
        case .rule: append([.text(String(repeating: "─", count: min(width ?? 72, 72)), .soft)])
        }
    }

    private mutating func appendHeading(_ spans: [Span], _ level: Int) {
        append(
            spans.map { span in
                var span = span
                span.isStrong = true
                return span
            })
        guard style.isFile, level < 3, let last = lines.last else { return }
        lines.append(String(repeating: level == 1 ? "=" : "-", count: min(displayWidth(last), width ?? .max)))
    }

    /// Blocks next to a mark.
    private mutating func append(_ blocks: [Block], behind mark: String, repeats: Bool = false) {
        var inner = LayoutText(style: style)
        // Next to deep marks there is less room than any text needs.
        if let width { inner = LayoutText(style: narrowed(to: max(width - displayWidth(mark), 20))) }
        inner.append(blocks)
        let space = repeats ? mark : String(repeating: " ", count: displayWidth(mark))
        for (place, line) in inner.lines.enumerated() {
            let marked = (place == 0 ? mark : space) + line
            lines.append(line.isEmpty ? (repeats ? String(mark.dropLast()) : "") : marked)
        }
    }

    private func narrowed(to width: Int) -> LayoutStyle {
        var style = style
        style.width = width
        return style
    }

    private mutating func append(_ spans: [Span], indent: Int = 0) {
        let line = StyledLine(spans, showsAddresses: indent == 0)
        append(
            width.map { line.wrapped(to: $0, indent: indent, breaksWords: !style.isFile) } ?? [line])
    }

    private mutating func append(_ styled: [StyledLine]) {
        lines += styled.map { $0.text(hasColors: style.hasColors) }
    }

    /// Aligned where the lines are long enough, else row by row.
    private mutating func append(_ table: BlockTable) {
        guard let layout = TableLayout(table, style) else { return appendRows(of: table) }
        append(layout.lines)
    }

    /// Each row as its name with its values below, a value with its column on one line where it fits.
    private mutating func appendRows(of table: BlockTable) {
        guard table.columns.indices.contains(table.name) else { return }
        append(tableTitle(table))
        for row in table.rows {
            let (name, values) = rowParts(row, of: table)
            append((style.isFile ? [.text("• ")] : []) + name, indent: 2)
            append(values: values)
        }
    }

    private mutating func append(values: [[Span]]) {
        var line = StyledLine()
        for value in values.map({ StyledLine($0) }) {
            let needed = line.width + 3 + value.width + 2
            if !line.glyphs.isEmpty, needed > (width ?? .max) {
                append(indented(line))
                line = StyledLine()
            }
            if !line.glyphs.isEmpty { line.append(" · ") }
            line.glyphs += value.glyphs
        }
        if !line.glyphs.isEmpty { append(indented(line)) }
    }

    private func indented(_ line: StyledLine) -> [StyledLine] {
        let room = max((width ?? .max) - 2, 1)
        let parts = width == nil ? [line] : line.wrapped(to: room, indent: 0, breaksWords: !style.isFile)
        return parts.map { part in
            var whole = StyledLine()
            whole.append("  ")
            whole.glyphs += part.glyphs
            return whole
        }
    }
}
