import CCmark

/// The parsed tree of one CommonMark text; freed with the value.
struct CommonMarkTree: ~Copyable {
    private let root: OpaquePointer

    /// Parses the text with invalid UTF-8 replaced; nil when there is no memory for it.
    init?(parsing text: String) {
        var bytes = Array(text.utf8.prefix(8 << 20))
        if bytes.isEmpty { bytes = [0x0A] }
        let root = bytes.withUnsafeBytes { buffer in
            cmark_parse_document(
                buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count, CMARK_OPT_VALIDATE_UTF8)
        }
        guard let root else { return nil }
        self.root = root
    }

    deinit { cmark_node_free(root) }

    /// The HTML, with raw HTML left out: `CMARK_OPT_UNSAFE` is never given.
    func html() -> String {
        guard let text = cmark_render_html(root, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8) else {
            return ""
        }
        defer { cmark_get_default_mem_allocator().pointee.free(text) }
        return String(cString: text)
    }

    /// Empties the addresses of links and images that are not allowed.
    ///
    /// - Parameter images: whether any image is.
    func removeForeignAddresses(images: Bool = true) {
        forEachNode { node, entering in
            let type = cmark_node_get_type(node)
            guard entering, type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE else { return }
            let address = cmark_node_get_url(node).flatMap { WebAddress(String(cString: $0)) }
            let isAllowed =
                type == CMARK_NODE_LINK ? address != nil : images && address?.isImageSource ?? false
            if !isAllowed { cmark_node_set_url(node, "") }
        }
    }

    /// Moves the headings to deeper levels and gives them in order.
    func shiftHeadings(by shift: Int) -> [(level: Int, text: String)] {
        var headings: [(level: Int, text: String)] = []
        var isInside = false
        forEachNode { node, entering in
            if cmark_node_get_type(node) == CMARK_NODE_HEADING {
                isInside = entering
                guard entering else { return }
                let level = min(6, max(1, Int(cmark_node_get_heading_level(node)) + min(max(shift, -6), 6)))
                cmark_node_set_heading_level(node, CInt(level))
                headings.append((level, ""))
            } else if isInside, entering, let last = headings.indices.last {
                headings[last].text += words(of: node)
            }
        }
        return headings
    }

    /// The words, with white space where blocks and lines end.
    func plainText() -> String {
        var result = ""
        forEachNode { node, entering in
            if entering { result += words(of: node) }
            if cmark_node_get_type(node).rawValue <= CMARK_NODE_LAST_BLOCK.rawValue { result += " " }
        }
        return result
    }

    /// The text of a leaf; raw HTML has none.
    private func words(of node: OpaquePointer?) -> String {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_TEXT, CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK:
            cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: " "
        default: ""
        }
    }

    /// Visits every node without recursion, so that deep input costs no stack.
    private func forEachNode(_ body: (OpaquePointer?, _ entering: Bool) -> Void) {
        guard let iterator = cmark_iter_new(root) else { return }
        defer { cmark_iter_free(iterator) }
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE || event == CMARK_EVENT_NONE { return }
            body(cmark_iter_get_node(iterator), event == CMARK_EVENT_ENTER)
        }
    }
}
