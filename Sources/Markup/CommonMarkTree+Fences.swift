import CCmark

/// Code blocks that something else is put in the place of.
extension CommonMarkTree {
    /// The fenced code blocks of these names, in order, wherever they stand.
    func fences(named names: Set<String>) -> [Fence] {
        var found: [Fence] = []
        forEachNode { node, entering in
            guard entering, cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK else { return }
            let name = fenceName(of: node)
            guard names.contains(name) else { return }
            found.append(
                Fence(
                    name: name, body: cmark_node_get_literal(node).map { String(cString: $0) } ?? "",
                    lines: Int(
                        cmark_node_get_start_line(node))...Int(
                            max(cmark_node_get_start_line(node), cmark_node_get_end_line(node))),
                    isOutermost: cmark_node_parent(node) == root))
        }
        return found
    }

    /// Puts a text of ours in the place of each outermost fenced code block of these names.
    func replaceFences(named names: Set<String>, by marker: String) {
        var next = cmark_node_first_child(root)
        while let node = next {
            next = cmark_node_next(node)
            guard cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK, names.contains(fenceName(of: node)),
                let custom = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK)
            else { continue }
            cmark_node_set_on_enter(custom, marker)
            cmark_node_replace(node, custom)
            cmark_node_free(node)
        }
    }

    /// Takes raw HTML out; gives how many pieces there were.
    func removeRawHTML() -> Int {
        var pieces: [OpaquePointer] = []
        forEachNode { node, entering in
            let type = cmark_node_get_type(node)
            guard entering, let node, type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE else {
                return
            }
            pieces.append(node)
        }
        for piece in pieces {
            cmark_node_unlink(piece)
            cmark_node_free(piece)
        }
        return pieces.count
    }

    /// The tree as CommonMark, its lines as long as they were.
    func commonMark() -> String {
        guard let text = cmark_render_commonmark(root, CMARK_OPT_DEFAULT, 0) else { return "" }
        defer { cmark_get_default_mem_allocator().pointee.free(text) }
        return String(cString: text)
    }
}
