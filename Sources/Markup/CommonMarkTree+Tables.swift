import CCmark

/// Tables, which CommonMark does not have.
extension CommonMarkTree {
    /// Puts a table in the place of each paragraph that GitHub Flavored Markdown reads as one; links and images in its
    /// cells are nodes of this tree like all others.
    ///
    /// - Parameters:
    ///   - text: the text that was parsed.
    ///   - language: what the tree becomes: HTML, or Markdown with the tables of GitHub.
    func replaceTables(of text: String, in language: OutputLanguage) {
        // Without a bar there is no table.
        guard text.utf8.contains(UInt8(ascii: "|")) else { return }
        let found = unsafe tables(in: text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false))
        guard unsafe !found.isEmpty else { return }
        var source = unsafe found.map { unsafe $0.cells.paragraphs }.joined(separator: "\n\n")
        // The links of cells may be defined anywhere in the text.
        if text.contains("]:") { source += "\n\n" + text }
        guard let parsed = CommonMarkTree(parsing: source, limit: .max) else { return }
        unsafe found.forEach { table in
            unsafe replace(table.node, by: table.cells, from: parsed, in: language)
        }
    }

    /// Puts the next of the parsed tables, and what is before it, in the place of a paragraph.
    private func replace(
        _ node: OpaquePointer, by cells: TableCells, from parsed: borrowing CommonMarkTree,
        in language: OutputLanguage
    ) {
        for _ in 0..<blockCount(cells.before) {
            guard let block = unsafe cmark_node_first_child(parsed.root) else { return }
            unsafe cmark_node_unlink(block)
            unsafe cmark_node_insert_before(node, block)
        }
        let table =
            language == .html
            ? unsafe htmlTable(cells, from: parsed) : unsafe markdownTable(cells, from: parsed)
        guard let table = unsafe table else { return }
        unsafe cmark_node_replace(node, table)
        unsafe cmark_node_free(node)
    }

    private func tables(in lines: [Substring.UTF8View]) -> [(node: OpaquePointer, cells: TableCells)] {
        var found: [(node: OpaquePointer, cells: TableCells)] = unsafe []
        unsafe forEachNode { node, entering in
            guard entering, let node = unsafe node, unsafe cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH,
                let cells = unsafe TableCells(sourceLines(of: node, in: lines))
            else { return }
            unsafe found.append((node, cells))
        }
        return unsafe found
    }

    /// The whole table; nil when there is no memory for it.
    private func htmlTable(_ cells: TableCells, from parsed: borrowing CommonMarkTree) -> OpaquePointer? {
        guard
            let table = unsafe element(
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n<table>",
                "</table>\n</div>"),
            let head = unsafe element("<thead>", "</thead>")
        else { return nil }
        unsafe cmark_node_append_child(table, head)
        unsafe append(row: cells.isNumber[...], from: parsed, to: head, "th scope=\"col\"", "th")
        guard !cells.rows.isEmpty, let body = unsafe element("<tbody>", "</tbody>") else {
            return unsafe table
        }
        unsafe cmark_node_append_child(table, body)
        for (row, missing) in zip(cells.rows, cells.missing) {
            let empty = emptyCells(cells.isNumber.dropFirst(row.count), isWide: missing == 0)
            unsafe append(
                row: cells.isNumber.prefix(row.count), and: empty, from: parsed, to: body, "td", "td")
        }
        return unsafe table
    }

    /// Moves the next cells of the parsed ones into a row.
    ///
    /// - Parameter missing: the HTML of those that the source does not have.
    private func append(
        row isNumber: ArraySlice<Bool>, and missing: String = "", from parsed: borrowing CommonMarkTree,
        to parent: OpaquePointer, _ opening: String, _ closing: String
    ) {
        guard let row = unsafe element("<tr>", "</tr>") else { return }
        unsafe cmark_node_append_child(parent, row)
        for isNumber in isNumber {
            let begin = isNumber ? "<\(opening) class=\"n\">" : "<\(opening)>"
            guard let cell = unsafe element(begin, "</\(closing)>", isInline: true) else { return }
            unsafe move(nextOf: parsed, into: cell)
            unsafe cmark_node_append_child(row, cell)
        }
        guard !missing.isEmpty, let rest = unsafe element(missing, "", isInline: true) else { return }
        unsafe cmark_node_append_child(row, rest)
    }

    /// The whole table as a paragraph whose lines are its rows, since an empty line must be behind them and no mark of
    /// what holds the table may be missing; nil when there is no memory for it.
    private func markdownTable(_ cells: TableCells, from parsed: borrowing CommonMarkTree) -> OpaquePointer? {
        guard let table = unsafe cmark_node_new(CMARK_NODE_PARAGRAPH) else { return nil }
        unsafe append(row: cells.head.count, from: parsed, to: table)
        unsafe append(markdown: "|" + cells.isNumber.map { $0 ? "--:|" : "---|" }.joined(), to: table)
        for (row, missing) in zip(cells.rows, cells.missing) {
            unsafe append(lineBreakTo: table)
            unsafe append(row: row.count, and: missing, from: parsed, to: table, isHead: false)
        }
        return unsafe table
    }

    private func append(
        row count: Int, and missing: Int = 0, from parsed: borrowing CommonMarkTree, to table: OpaquePointer,
        isHead: Bool = true
    ) {
        for place in 0..<count + missing {
            guard let cell = unsafe element(cellBegin, " ", isInline: true) else { return }
            if place < count { unsafe move(nextOf: parsed, into: cell) }
            unsafe cmark_node_append_child(table, cell)
        }
        unsafe append(markdown: "|", to: table)
        if isHead { unsafe append(lineBreakTo: table) }
    }

    private func append(lineBreakTo parent: OpaquePointer) {
        guard let end = unsafe cmark_node_new(CMARK_NODE_SOFTBREAK) else { return }
        unsafe cmark_node_append_child(parent, end)
    }

    private func append(markdown text: String, to parent: OpaquePointer) {
        guard let node = unsafe element(text, "", isInline: true) else { return }
        unsafe cmark_node_append_child(parent, node)
    }

    /// Moves what is in the next paragraph of the parsed ones into a cell.
    private func move(nextOf parsed: borrowing CommonMarkTree, into cell: OpaquePointer) {
        guard let paragraph = unsafe cmark_node_first_child(parsed.root) else { return }
        unsafe dropMark(of: paragraph)
        while let child = unsafe cmark_node_first_child(paragraph) {
            unsafe cmark_node_append_child(cell, child)
        }
        unsafe cmark_node_unlink(paragraph)
        unsafe cmark_node_free(paragraph)
    }

    /// Takes the mark and the space away with which the source of each cell was parsed.
    private func dropMark(of paragraph: OpaquePointer) {
        guard let first = unsafe cmark_node_first_child(paragraph),
            unsafe cmark_node_get_type(first) == CMARK_NODE_TEXT,
            let literal = unsafe cmark_node_get_literal(first)
        else { return }
        let text = unsafe String(cString: literal)
        unsafe cmark_node_set_literal(first, String(text.dropFirst(text.hasPrefix("! ") ? 2 : 1)))
    }

    private func element(_ begin: String, _ end: String, isInline: Bool = false) -> OpaquePointer? {
        guard let node = unsafe cmark_node_new(isInline ? CMARK_NODE_CUSTOM_INLINE : CMARK_NODE_CUSTOM_BLOCK)
        else {
            return nil
        }
        unsafe cmark_node_set_on_enter(node, begin)
        unsafe cmark_node_set_on_exit(node, end)
        return unsafe node
    }
}

/// Vertical bars in the cells of Markdown, each of which would begin another cell.
extension CommonMarkTree {
    /// Writes the bars in the cells of tables so that they are text.
    func escapeBarsInCells() {
        var leaves: [OpaquePointer] = unsafe []
        var isInCell = false
        unsafe forEachNode { node, entering in
            guard let node = unsafe node else { return }
            switch unsafe cmark_node_get_type(node) {
            case CMARK_NODE_CUSTOM_INLINE where unsafe text(cmark_node_get_on_enter(node)) == cellBegin:
                isInCell = entering
            case CMARK_NODE_LINK where isInCell && entering, CMARK_NODE_IMAGE where isInCell && entering:
                unsafe escapeBars(ofTarget: node)
            case CMARK_NODE_TEXT where isInCell, CMARK_NODE_CODE where isInCell:
                if unsafe text(cmark_node_get_literal(node)).contains("|") { unsafe leaves.append(node) }
            default: break
            }
        }
        unsafe leaves.forEach { unsafe escapeBars(ofLeaf: $0) }
    }

    private func escapeBars(ofTarget node: OpaquePointer) {
        let (address, title) = unsafe (text(cmark_node_get_url(node)), text(cmark_node_get_title(node)))
        if address.contains("|") {
            unsafe cmark_node_set_url(node, address.replacing("|", with: "%7C"))
        }
        if title.contains("|") {
            // A backslash would be escaped itself.
            unsafe cmark_node_set_title(node, title.replacing("|", with: "&#124;"))
        }
    }

    private func escapeBars(ofLeaf leaf: OpaquePointer) {
        let words = unsafe text(cmark_node_get_literal(leaf))
        if unsafe cmark_node_get_type(leaf) == CMARK_NODE_CODE {
            unsafe insert(
                element(codeSpan(words).replacing("|", with: "\\|"), "", isInline: true), before: leaf)
        } else {
            for (place, part) in words.split(separator: "|", omittingEmptySubsequences: false).enumerated() {
                if place > 0 { unsafe insert(element("\\|", "", isInline: true), before: leaf) }
                guard !part.isEmpty, let rest = unsafe cmark_node_new(CMARK_NODE_TEXT) else { continue }
                unsafe cmark_node_set_literal(rest, String(part))
                unsafe insert(rest, before: leaf)
            }
        }
        unsafe cmark_node_free(leaf)
    }

    private func insert(_ node: OpaquePointer?, before leaf: OpaquePointer) {
        if let node = unsafe node { unsafe cmark_node_insert_before(leaf, node) }
    }

    private func text(_ bytes: UnsafePointer<CChar>?) -> String {
        unsafe bytes.map { unsafe String(cString: $0) } ?? ""
    }
}

/// The HTML of the cells that a row lacks at its end, or of a single one that is as wide.
private func emptyCells(_ isNumber: ArraySlice<Bool>, isWide: Bool) -> String {
    guard !isNumber.isEmpty else { return "" }
    guard isWide else {
        return isNumber.map { $0 ? "<td class=\"n\"></td>" : "<td></td>" }.joined()
    }
    // The most that HTML allows.
    return "<td colspan=\"\(min(isNumber.count, 1000))\"></td>"
}

/// What a cell of a Markdown table begins with.
private let cellBegin = "| "

/// How many blocks a text has.
private func blockCount(_ text: String) -> Int {
    guard !text.isEmpty, let parsed = CommonMarkTree(parsing: text, limit: .max) else { return 0 }
    var count = 0
    var next = unsafe cmark_node_first_child(parsed.root)
    while let node = unsafe next {
        count += 1
        unsafe next = cmark_node_next(node)
    }
    return count
}

/// The lines of a paragraph in the text that was parsed, without the marks of the quotations that hold it.
func sourceLines(of paragraph: OpaquePointer, in lines: [Substring.UTF8View]) -> [Substring.UTF8View] {
    let first = unsafe Int(cmark_node_get_start_line(paragraph)) - 1
    let last = unsafe Int(cmark_node_get_end_line(paragraph))
    guard first >= 0, first < last - 1, last <= lines.count else { return [] }
    var quotations = 0
    var above = unsafe cmark_node_parent(paragraph)
    while let node = unsafe above {
        if unsafe cmark_node_get_type(node) == CMARK_NODE_BLOCK_QUOTE { quotations += 1 }
        unsafe above = cmark_node_parent(node)
    }
    // On its first line there may also be the marks of lists.
    let start = unsafe lines[first].dropFirst(max(0, Int(cmark_node_get_start_column(paragraph)) - 1))
    return [start] + lines[(first + 1)..<last].map { withoutMarks($0, of: quotations) }
}

/// A later line of a paragraph without the marks of quotations, which a line may lack.
private func withoutMarks(_ line: Substring.UTF8View, of quotations: Int) -> Substring.UTF8View {
    var rest = line
    for _ in 0..<quotations {
        let mark = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard mark.first == UInt8(ascii: ">") else { break }
        rest = mark.dropFirst()
    }
    return rest
}
