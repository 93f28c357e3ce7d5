import CCmark

/// Tables, which CommonMark does not have.
extension CommonMarkTree {
    /// Puts a table in the place of each outermost paragraph that GitHub Flavored Markdown reads as one; links and
    /// images in its cells are nodes of this tree like all others.
    ///
    /// - Parameter text: the text that was parsed.
    func replaceTables(of text: String) {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        var next = unsafe cmark_node_first_child(root)
        while let node = unsafe next {
            unsafe next = cmark_node_next(node)
            let first = unsafe Int(cmark_node_get_start_line(node)) - 1
            let last = unsafe Int(cmark_node_get_end_line(node))
            guard unsafe cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH, first >= 0, first < last,
                last <= lines.count, let cells = TableCells(Array(lines[first..<last])),
                let table = unsafe tableNode(cells)
            else { continue }
            if !cells.before.isEmpty { unsafe insert(paragraphOf: cells.before, before: node) }
            unsafe cmark_node_replace(node, table)
            unsafe cmark_node_free(node)
        }
    }

    private func insert(paragraphOf text: String, before node: OpaquePointer) {
        guard let parsed = CommonMarkTree(parsing: text, limit: .max) else { return }
        while let block = unsafe cmark_node_first_child(parsed.root) {
            unsafe cmark_node_unlink(block)
            unsafe cmark_node_insert_before(node, block)
        }
    }

    /// The whole table; nil when there is no memory for it.
    private func tableNode(_ cells: TableCells) -> OpaquePointer? {
        guard let parsed = CommonMarkTree(parsing: cells.paragraphs, limit: .max),
            let table = unsafe element(
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n<table>",
                "</table>\n</div>"),
            let head = unsafe element("<thead>", "</thead>")
        else { return nil }
        unsafe cmark_node_append_child(table, head)
        unsafe append(row: cells.isNumber, of: parsed, to: head, "th scope=\"col\"", "th")
        guard !cells.rows.isEmpty, let body = unsafe element("<tbody>", "</tbody>") else {
            return unsafe table
        }
        unsafe cmark_node_append_child(table, body)
        for _ in cells.rows { unsafe append(row: cells.isNumber, of: parsed, to: body, "td", "td") }
        return unsafe table
    }

    /// Moves the next cells of the parsed ones into a row.
    private func append(
        row isNumber: [Bool], of parsed: borrowing CommonMarkTree, to parent: OpaquePointer,
        _ opening: String, _ closing: String
    ) {
        guard let row = unsafe element("<tr>", "</tr>") else { return }
        unsafe cmark_node_append_child(parent, row)
        for isNumber in isNumber {
            let begin = isNumber ? "<\(opening) class=\"n\">" : "<\(opening)>"
            guard let cell = unsafe element(begin, "</\(closing)>", isInline: true),
                let paragraph = unsafe cmark_node_first_child(parsed.root)
            else { return }
            unsafe dropMark(of: paragraph)
            while let child = unsafe cmark_node_first_child(paragraph) {
                unsafe cmark_node_append_child(cell, child)
            }
            unsafe cmark_node_append_child(row, cell)
            unsafe cmark_node_unlink(paragraph)
            unsafe cmark_node_free(paragraph)
        }
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
