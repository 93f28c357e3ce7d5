import CCmark

/// The lines of a paragraph that GitHub Flavored Markdown reads as a table: a head, a line of dashes with as many
/// cells, and rows (GFM 0.29, 4.10).
struct TableCells {
    /// The lines before the head, which are a paragraph.
    let before: String
    /// The source of the head's cells.
    let head: [String]
    /// Of each column whether its numbers stand at the end of the line.
    let isNumber: [Bool]
    /// The source of the other cells that are written; a row has no more of them than the head.
    let rows: [[String]]
    /// How many empty cells each row gets behind them. Together they are no more than those that are written: a long head
    /// over many short rows would be many times its source.
    let missing: [Int]

    init?(_ lines: [Substring.UTF8View]) {
        guard let ruler = lines.indices.dropFirst().first(where: { isRuler(lines[$0]) }) else { return nil }
        let alignments = cells(of: lines[ruler])
        let head = cells(of: lines[ruler - 1])
        guard head.count == alignments.count else { return nil }
        before = lines[..<(ruler - 1)].map { String(Substring($0)) }.joined(separator: "\n")
        isNumber = alignments.map { $0.hasSuffix(":") && !$0.hasPrefix(":") }
        let rows = lines[(ruler + 1)...].map { cells(of: $0, most: head.count) }
        var room = rows.reduce(head.count) { $0 + $1.count }
        missing = rows.map { row in
            let count = head.count - row.count <= room ? head.count - row.count : 0
            room -= count
            return count
        }
        self.rows = rows
        self.head = head
    }

    /// What is before the table, and a paragraph for each cell, as one CommonMark text.
    var paragraphs: String { before.isEmpty ? cellParagraphs : before + "\n\n" + cellParagraphs }

    /// A paragraph for each cell: behind a mark and a space no text can begin a block.
    var cellParagraphs: String { (head + rows.joined()).map { "! " + $0 }.joined(separator: "\n\n") }
}

/// A table of GitHub Flavored Markdown with its texts parsed.
struct TableSource {
    /// The lines before the head, which are a paragraph.
    let before: String
    /// The table.
    let table: BlockTable

    init?(_ lines: [Substring.UTF8View]) {
        guard let cells = TableCells(lines) else { return nil }
        before = cells.before
        var spans = inlineSpans(of: cells)[...]
        let columns = zip(spans, cells.isNumber).map { title, isNumber in
            BlockTable.Column(title.map(\.text).joined(), isNumber: isNumber)
        }
        spans = spans.dropFirst(cells.head.count)
        let rows = zip(cells.rows, cells.missing).map { row, missing in
            defer { spans = spans.dropFirst(row.count) }
            return Array(spans.prefix(row.count)) + Array(repeating: [], count: missing)
        }
        table = BlockTable(columns, name: columns.firstIndex { !$0.isNumber } ?? 0, rows: rows)
    }
}

/// Whether a line is made of cells of dashes, with colons at their ends.
private func isRuler(_ line: Substring.UTF8View) -> Bool {
    guard line.contains(UInt8(ascii: "|")), line.allSatisfy({ "|-: \t".utf8.contains($0) }) else {
        return false
    }
    return cells(of: line).allSatisfy { cell in
        let dashes = cell.utf8.drop { $0 == UInt8(ascii: ":") }.reversed().drop { $0 == UInt8(ascii: ":") }
        return !dashes.isEmpty && dashes.allSatisfy { $0 == UInt8(ascii: "-") }
            && cell.utf8.count - dashes.count <= 2
    }
}

/// The first cells of a row, without white space around them; a bar with a backslash before it is text.
private func cells(of line: Substring.UTF8View, most: Int = .max) -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var isEscaped = false
    var bytes = trimmed(Array(line))[...]
    if bytes.first == UInt8(ascii: "|") { bytes = bytes.dropFirst() }
    for byte in bytes {
        if byte == UInt8(ascii: "|"), !isEscaped {
            cells.append(String(decoding: trimmed(cell), as: UTF8.self))
            if cells.count == most { return cells }
            cell.removeAll()
        } else {
            // The backslash before a bar is the table's, any other is its text's.
            if byte == UInt8(ascii: "|") { cell.removeLast() }
            cell.append(byte)
        }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    if bytes.last != UInt8(ascii: "|") || isBarEscaped(bytes) {
        cells.append(String(decoding: trimmed(cell), as: UTF8.self))
    }
    return cells
}

/// Whether the bar at the end is text: an odd number of backslashes is before it.
private func isBarEscaped(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
}

private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
}

/// The text of each cell, parsed together.
private func inlineSpans(of table: TableCells) -> [[Span]] {
    let cells = table.head + table.rows.joined()
    guard let tree = CommonMarkTree(parsing: table.cellParagraphs, limit: .max) else {
        return cells.map { [.text($0)] }
    }
    var found: [[Span]] = []
    var next = unsafe cmark_node_first_child(tree.root)
    while let node = unsafe next {
        unsafe next = unsafe cmark_node_next(node)
        // A cell is one line, also where `<br>` is in it.
        var spans = unsafe Array(inlineLines(of: node).joined(separator: [.text(" ")])).filter {
            !$0.isBreak
        }
        if let first = spans.first {
            let rest = first.text.dropFirst(first.text.hasPrefix("! ") ? 2 : 1)
            if rest.isEmpty { spans.removeFirst() } else { spans[0].text = String(rest) }
        }
        found.append(spans)
    }
    return found + Array(repeating: [], count: max(0, cells.count - found.count))
}
