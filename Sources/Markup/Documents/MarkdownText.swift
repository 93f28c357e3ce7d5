/// The document as Markdown: with the tables and the folded parts of GitHub, or as CommonMark without HTML.
func markdownText(_ blocks: [Block], hasTables: Bool) -> String {
    var text = MarkdownText(hasTables: hasTables)
    for (place, block) in blocks.enumerated() {
        // What follows a heading belongs to it.
        if place > 0, !blocks[place - 1].isHeading { text.writer.append("\n") }
        text.append(block)
    }
    return text.writer.text
}

extension Block {
    fileprivate var isHeading: Bool { if case .heading = self { true } else { false } }
}

private struct MarkdownText {
    let hasTables: Bool
    var writer = ByteWriter()

    mutating func append(_ block: Block) {
        switch block {
        case .heading(let spans, let level):
            writer.append(raw: String(repeating: "#", count: min(max(level, 1), 6)) + " ")
            append(spans)
            writer.append("\n")
        case .lines(let lines):
            for line in lines { appendLine(line) }
        case .list(let entries):
            for entry in entries { appendEntry(entry) }
        case .table(let table):
            if hasTables { append(table) } else { appendList(table) }
        case .folded(let title, let blocks): appendFold(title, blocks)
        case .chart(let title, let glyphs, let description):
            appendLine([.strong(title + ":"), .text(" \(glyphs) \(description)")])
        }
    }

    private mutating func append(_ table: BlockTable) {
        writer.append("|")
        for column in table.columns { appendCell([.text(column.title)]) }
        writer.append("\n|")
        for column in table.columns { writer.append(column.isNumber ? "--:|" : "---|") }
        writer.append("\n")
        for row in table.rows {
            writer.append("|")
            for cell in row { appendCell(cell) }
            writer.append("\n")
        }
    }

    private mutating func appendCell(_ spans: [Span]) {
        writer.append(" ")
        append(spans)
        writer.append(" |")
    }

    private mutating func appendList(_ table: BlockTable) {
        guard table.columns.indices.contains(table.name) else { return }
        appendLine([.strong(table.columns[table.name].title + ":")])
        writer.append("\n")
        for row in table.rows { appendEntry(rowLine(row, of: table)) }
    }

    private mutating func appendFold(_ title: String, _ blocks: [Block]) {
        if hasTables {
            writer.append("<details><summary>")
            // Markdown is not read within the line of a tag.
            writer.append(title, escapedFor: .html)
            writer.append("</summary>\n\n")
        } else if !title.isEmpty {
            appendLine([.strong(title)])
            writer.append("\n")
        }
        for (place, block) in blocks.enumerated() {
            if place > 0 { writer.append("\n") }
            append(block)
        }
        if hasTables { writer.append("\n</details>\n") }
    }

    private mutating func appendEntry(_ spans: [Span]) {
        writer.append("- ")
        appendLine(spans)
    }

    private mutating func appendLine(_ spans: [Span]) {
        append(spans)
        writer.append("\n")
    }

    private mutating func append(_ spans: [Span]) {
        for span in spans {
            let isStrong = span.isStrong && !span.text.isEmpty
            if isStrong { writer.append("**") }
            if let address = span.address, !span.text.isEmpty {
                writer.append("[")
                writer.append(span.text, escapedFor: .markdown)
                writer.append("](")
                writer.append(address: address, escapedFor: .markdown)
                writer.append(")")
            } else {
                writer.append(span.text, escapedFor: .markdown)
            }
            if isStrong { writer.append("**") }
        }
    }
}
