import CCmark

/// Code blocks that something else is put in the place of.
extension CommonMarkTree {
    /// The fenced code blocks of these names, in order, wherever they stand.
    func fences(named names: Set<String>) -> [Fence] {
        var found: [Fence] = []
        unsafe forEachNode { node, entering in
            guard entering, unsafe cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK else { return }
            let name = unsafe fenceName(of: node)
            guard names.contains(name) else { return }
            unsafe found.append(
                Fence(
                    name: name, body: cmark_node_get_literal(node).map { unsafe String(cString: $0) } ?? "",
                    lines: unsafe Int(
                        cmark_node_get_start_line(node))...Int(
                            max(cmark_node_get_start_line(node), cmark_node_get_end_line(node))),
                    isOutermost: unsafe cmark_node_parent(node) == root))
        }
        return found
    }

    /// Puts a text of ours in the place of each outermost fenced code block of these names.
    func replaceFences(named names: Set<String>, by marker: String) {
        var next = unsafe cmark_node_first_child(root)
        while let node = unsafe next {
            unsafe next = unsafe cmark_node_next(node)
            guard unsafe cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK,
                unsafe names.contains(fenceName(of: node)),
                let custom = unsafe cmark_node_new(CMARK_NODE_CUSTOM_BLOCK)
            else { continue }
            unsafe cmark_node_set_on_enter(custom, marker)
            unsafe cmark_node_replace(node, custom)
            unsafe cmark_node_free(node)
        }
    }

    /// Takes raw HTML out; gives how many pieces there were.
    func removeRawHTML() -> Int {
        var pieces: [OpaquePointer] = unsafe []
        unsafe forEachNode { node, entering in
            let type = unsafe cmark_node_get_type(node)
            guard entering, let node = unsafe node,
                type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE
            else {
                return
            }
            unsafe pieces.append(node)
        }
        unsafe pieces.forEach { piece in
            unsafe cmark_node_unlink(piece)
            unsafe cmark_node_free(piece)
        }
        return unsafe pieces.count
    }

    /// The tree as CommonMark, its lines as long as they were.
    func commonMark() -> String {
        guard let text = unsafe cmark_render_commonmark(root, CMARK_OPT_DEFAULT, 0) else { return "" }
        defer { unsafe cmark_get_default_mem_allocator().pointee.free(text) }
        return unsafe String(cString: text)
    }
}
