import CCmark

/// The Markdown of a page as blocks, so that it can be written in another dialect or cut.
///
/// CommonMark, with the tables of GitHub and its folded parts, `<details>` with a `<summary>`. Of other raw HTML the
/// words between the tags stay. Titles of links are skipped.
package func documentBlocks(ofMarkdown text: String) -> [Block] {
    let text = withLineFeeds(text)
    guard let tree = CommonMarkTree(parsing: text, limit: .max) else { return [] }
    let reader = DocumentReader(lines: text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false))
    return unsafe reader.blocks(in: tree.root, depth: 0)
}

/// A text whose lines end as those of tables are counted: a theme or a service may end its lines as it likes.
func withLineFeeds(_ text: String) -> String {
    text.utf8.contains(0x0D) ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
}

/// Reads the blocks of a parsed text.
struct DocumentReader {
    /// The lines of the text, for its tables, which CommonMark does not have.
    let lines: [Substring.UTF8View]

    /// Lists and quotations deeper than this are read as paragraphs, so that deep input costs no stack.
    private static let deepest = 24

    /// The blocks in a node that holds blocks.
    func blocks(in parent: OpaquePointer?, depth: Int) -> [Block] {
        var folds = FoldStack()
        var next = unsafe cmark_node_first_child(parent)
        while let node = unsafe next {
            unsafe next = unsafe cmark_node_next(node)
            if unsafe cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK {
                unsafe folds.read(html: cmark_node_get_literal(node).map { unsafe String(cString: $0) } ?? "")
            } else {
                unsafe folds.append(blocks(of: node, depth: depth))
            }
        }
        return folds.finished()
    }

    private func blocks(of node: OpaquePointer, depth: Int) -> [Block] {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_HEADING:
            let spans = unsafe inlineLines(of: node).joined(separator: [.text(" ")])
            return unsafe [.heading(Array(spans), level: Int(cmark_node_get_heading_level(node)))]
        case CMARK_NODE_PARAGRAPH: return unsafe paragraph(node)
        case CMARK_NODE_CODE_BLOCK:
            let code = unsafe cmark_node_get_literal(node).map { unsafe String(cString: $0) } ?? ""
            return unsafe [
                .code(code.hasSuffix("\n") ? String(code.dropLast()) : code, language: fenceName(of: node))
            ]
        case CMARK_NODE_THEMATIC_BREAK: return [.rule]
        case CMARK_NODE_BLOCK_QUOTE, CMARK_NODE_LIST:
            guard depth < Self.deepest else { return unsafe flattened(node) }
            if unsafe cmark_node_get_type(node) == CMARK_NODE_LIST {
                return unsafe [list(node, depth: depth)]
            }
            return unsafe [.quote(blocks(in: node, depth: depth + 1))]
        default: return []
        }
    }

    private func list(_ node: OpaquePointer, depth: Int) -> Block {
        var entries: [[Block]] = []
        var next = unsafe cmark_node_first_child(node)
        while let item = unsafe next {
            unsafe next = unsafe cmark_node_next(item)
            unsafe entries.append(blocks(in: item, depth: depth + 1))
        }
        guard unsafe cmark_node_get_list_type(node) != CMARK_ORDERED_LIST else {
            return unsafe .entries(entries, start: Int(cmark_node_get_list_start(node)))
        }
        return .bullets(entries)
    }

    private func flattened(_ node: OpaquePointer) -> [Block] {
        let lines = unsafe inlineLines(of: node)
        return lines.isEmpty ? [] : [.lines(lines)]
    }

    /// A paragraph, or what is before a table and the table.
    private func paragraph(_ node: OpaquePointer) -> [Block] {
        guard let source = unsafe TableSource(sourceLines(of: node, in: lines)) else {
            return unsafe flattened(node)
        }
        return (source.before.isEmpty ? [] : documentBlocks(ofMarkdown: source.before)) + [
            .table(source.table)
        ]
    }
}
