import CCmark

/// The text in a node, line by line, with what is meant by its marks.
func inlineLines(of node: OpaquePointer?) -> [[Span]] {
    var reader = InlineReader()
    guard let iterator = unsafe cmark_iter_new(node) else { return [] }
    defer { unsafe cmark_iter_free(iterator) }
    while true {
        let event = unsafe cmark_iter_next(iterator)
        if event == CMARK_EVENT_DONE || event == CMARK_EVENT_NONE { break }
        unsafe reader.read(cmark_iter_get_node(iterator), entering: event == CMARK_EVENT_ENTER)
    }
    return reader.lines.filter { !$0.isEmpty }
}

private struct InlineReader {
    private(set) var lines: [[Span]] = [[]]
    private var strong = 0
    private var emphasised = 0
    private var addresses: [String] = []
    /// The address of the picture whose description is being read.
    private var picture: String?
    private var description = ""
    private var pictures = 0

    mutating func read(_ node: OpaquePointer?, entering: Bool) {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_STRONG: strong += entering ? 1 : -1
        case CMARK_NODE_EMPH: emphasised += entering ? 1 : -1
        case CMARK_NODE_LINK:
            if entering { unsafe addresses.append(address(of: node)) } else { addresses.removeLast() }
        case CMARK_NODE_IMAGE: unsafe readPicture(node, entering: entering)
        case CMARK_NODE_TEXT:
            // The zero-width spaces are those that the escaping of text puts in.
            unsafe append(withoutZeroWidthSpaces(literal(of: node)))
        case CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK: unsafe append(literal(of: node), isCode: true)
        case CMARK_NODE_HTML_INLINE:
            if unsafe isLineBreak(literal(of: node)) { endLine(isForced: true) }
        case CMARK_NODE_LINEBREAK: endLine(isForced: true)
        case CMARK_NODE_SOFTBREAK: endLine(isForced: false)
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING, CMARK_NODE_ITEM:
            if !entering { lines.append([]) }
        default: break
        }
    }

    private mutating func readPicture(_ node: OpaquePointer?, entering: Bool) {
        pictures += entering ? 1 : -1
        if entering, pictures == 1 {
            (picture, description) = unsafe (address(of: node), "")
        } else if !entering, pictures == 0, let address = picture {
            picture = nil
            var span = self.span(description)
            span.picture = address
            lines[lines.count - 1].append(span)
        }
    }

    private mutating func endLine(isForced: Bool) {
        guard picture == nil else { return description += " " }
        dropSpacesAtEnd()
        if isForced {
            var span = self.span("")
            span.isBreak = true
            lines[lines.count - 1].append(span)
        }
        lines.append([])
    }

    /// Takes the spaces at the end of the line away: behind them no mark ends what it began.
    private mutating func dropSpacesAtEnd() {
        let line = lines.count - 1
        guard let last = lines[line].indices.last, !lines[line][last].isCode, lines[line][last].picture == nil
        else { return }
        while lines[line][last].text.utf8.last == 0x20 { lines[line][last].text.removeLast() }
        if lines[line][last].text.isEmpty, !lines[line][last].isBreak { lines[line].removeLast() }
    }

    private mutating func append(_ text: String, isCode: Bool = false) {
        guard picture == nil else { return description += text }
        var span = self.span(text)
        span.isCode = isCode
        let line = lines.count - 1
        // The parser parts a text where it was escaped.
        if var last = lines[line].last, last.picture == nil, !last.isBreak, !isCode {
            let before = last.text
            last.text = text
            if last == span {
                lines[line][lines[line].count - 1].text = before + text
                return
            }
        }
        if !text.isEmpty { lines[line].append(span) }
    }

    private func span(_ text: String) -> Span {
        Span(text: text, isStrong: strong > 0, isEmphasised: emphasised > 0, address: addresses.last)
    }

    private func address(of node: OpaquePointer?) -> String {
        unsafe cmark_node_get_url(node).map { unsafe String(cString: $0) } ?? ""
    }

    private func literal(of node: OpaquePointer?) -> String {
        unsafe cmark_node_get_literal(node).map { unsafe String(cString: $0) } ?? ""
    }
}

/// `<br>` in each of its spellings.
private func isLineBreak(_ tag: String) -> Bool {
    let name = tag.lowercased().dropFirst().prefix { $0.isLetter }
    return name == "br"
}

private func withoutZeroWidthSpaces(_ text: String) -> String {
    // Most texts have none of the bytes with which one begins.
    text.utf8.contains(0xE2) ? text.replacing("\u{200B}", with: "") : text
}
