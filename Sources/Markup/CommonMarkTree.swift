import CCmark
import Diagnostics

/// The parsed tree of one CommonMark text; freed with the value.
@safe struct CommonMarkTree: ~Copyable {
    let root: OpaquePointer

    /// Parses the text with invalid UTF-8 replaced, up to so many bytes; nil when there is no memory for it.
    init?(parsing text: String, limit: Int = 8 << 20) {
        var bytes = Array(text.utf8.prefix(limit))
        if bytes.isEmpty { bytes = [0x0A] }
        let root = unsafe bytes.withUnsafeBytes { buffer in
            unsafe cmark_parse_document(
                buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count, CMARK_OPT_VALIDATE_UTF8)
        }
        guard let root = unsafe root else { return nil }
        unsafe self.root = root
    }

    deinit { unsafe cmark_node_free(root) }

    /// The HTML, with raw HTML skipped: `CMARK_OPT_UNSAFE` is never given. Unsafe characters are dropped here, as
    /// entities such as `&#x1b;` have become what they stand for only now.
    func html() -> String {
        guard let text = unsafe cmark_render_html(root, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8) else {
            return ""
        }
        defer { unsafe cmark_get_default_mem_allocator().pointee.free(text) }
        return withoutUnsafe(unsafe String(cString: text))
    }

    /// Takes links and images away that are not allowed, leaving their words; gives how many there were.
    ///
    /// - Parameter images: whether any image is allowed.
    @discardableResult
    func replaceForeignAddresses(images: Bool = true) -> Int {
        removeForbiddenLinks() + replaceForeignImages(keepsOwn: images)
    }

    /// Keeps of the words after a fence the first one, and that only when it is the plain name of a language.
    func keepPlainLanguages() {
        unsafe forEachNode { node, entering in
            guard entering, unsafe cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK else { return }
            let word = unsafe fenceName(of: node)
            let isPlain = word.utf8.count <= 32 && word.utf8.allSatisfy(isPartOfLanguage)
            unsafe cmark_node_set_fence_info(node, isPlain ? word.lowercased() : "")
        }
    }

    /// Takes the links away whose addresses are not allowed; what was in them stays.
    private func removeForbiddenLinks() -> Int {
        var links: [OpaquePointer] = unsafe []
        unsafe forEachNode { node, entering in
            guard let node = unsafe node, entering, unsafe cmark_node_get_type(node) == CMARK_NODE_LINK else {
                return
            }
            if unsafe address(of: node) == nil { unsafe links.append(node) }
        }
        unsafe links.forEach { link in
            while let child = unsafe cmark_node_first_child(link) {
                unsafe cmark_node_insert_before(link, child)
            }
            unsafe cmark_node_free(link)
        }
        return unsafe links.count
    }

    /// Keeps the images that are files of the site. One from another host becomes a link with its words, any
    /// other nothing but its words.
    private func replaceForeignImages(keepsOwn: Bool) -> Int {
        var images: [OpaquePointer] = unsafe []
        var depth = 0
        unsafe forEachNode { node, entering in
            guard let node = unsafe node, unsafe cmark_node_get_type(node) == CMARK_NODE_IMAGE else { return }
            let isKept = unsafe keepsOwn && address(of: node)?.isImageSource == true
            if entering, depth == 0, !isKept { unsafe images.append(node) }
            depth += entering ? 1 : -1
        }
        unsafe images.forEach { unsafe replaceByWords($0) }
        return unsafe images.count
    }

    private func replaceByWords(_ image: OpaquePointer) {
        let address = unsafe address(of: image).flatMap {
            unsafe $0.isForeign && !isInLink(image) ? $0.text : nil
        }
        var words = ""
        unsafe forEachNode(below: image) { node, entering in
            if entering { unsafe words += self.words(of: node) }
        }
        guard let text = unsafe cmark_node_new(CMARK_NODE_TEXT) else { return }
        unsafe cmark_node_set_literal(text, words.isEmpty ? address ?? "" : words)
        if let address, let link = unsafe cmark_node_new(CMARK_NODE_LINK) {
            unsafe cmark_node_set_url(link, address)
            unsafe cmark_node_append_child(link, text)
            unsafe cmark_node_insert_before(image, link)
        } else {
            unsafe cmark_node_insert_before(image, text)
        }
        unsafe cmark_node_free(image)
    }

    private func isInLink(_ node: OpaquePointer) -> Bool {
        var above = unsafe cmark_node_parent(node)
        while let node = unsafe above {
            if unsafe cmark_node_get_type(node) == CMARK_NODE_LINK { return true }
            unsafe above = unsafe cmark_node_parent(node)
        }
        return false
    }

    private func address(of node: OpaquePointer?) -> WebAddress? {
        unsafe cmark_node_get_url(node).flatMap { unsafe WebAddress(String(cString: $0)) }
    }

    /// Where the first link leads, as it was written but for backslashes and entities; nil without a link.
    func firstAddress() -> String? {
        var found: String?
        unsafe forEachNode { node, entering in
            guard found == nil, entering, unsafe cmark_node_get_type(node) == CMARK_NODE_LINK else { return }
            found = unsafe cmark_node_get_url(node).map { unsafe String(cString: $0) }
        }
        return found
    }

    /// How many levels deeper the headings are where the highest of them is on a level; 0 without any.
    func headingShift(toHighest level: Int) -> Int {
        var highest: Int?
        unsafe forEachNode { node, entering in
            guard entering, unsafe cmark_node_get_type(node) == CMARK_NODE_HEADING else { return }
            let own = unsafe Int(cmark_node_get_heading_level(node))
            highest = min(highest ?? own, own)
        }
        return highest.map { level - $0 } ?? 0
    }

    /// Moves the headings to deeper levels and gives them in order.
    func shiftHeadings(by shift: Int) -> [(level: Int, text: String)] {
        var headings: [(level: Int, text: String)] = []
        var isInside = false
        unsafe forEachNode { node, entering in
            if unsafe cmark_node_get_type(node) == CMARK_NODE_HEADING {
                isInside = entering
                guard entering else { return }
                let level = unsafe min(
                    6, max(1, Int(cmark_node_get_heading_level(node)) + min(max(shift, -6), 6)))
                unsafe cmark_node_set_heading_level(node, CInt(level))
                headings.append((level, ""))
            } else if isInside, entering, let last = headings.indices.last {
                unsafe headings[last].text += words(of: node)
            }
        }
        return headings
    }

    /// The words of the first block and its first line, counted from 1; nil unless it is a heading of the first level.
    func leadingHeading() -> (words: String, line: Int)? {
        guard let first = unsafe cmark_node_first_child(root),
            unsafe cmark_node_get_type(first) == CMARK_NODE_HEADING,
            unsafe cmark_node_get_heading_level(first) == 1
        else { return nil }
        var text = ""
        unsafe forEachNode(below: first) { node, entering in
            if entering { unsafe text += words(of: node) }
        }
        return (text, unsafe max(1, Int(cmark_node_get_start_line(first))))
    }

    /// The words, with white space where blocks and lines end.
    func plainText() -> String {
        var result = ""
        unsafe forEachNode { node, entering in
            if entering { unsafe result += words(of: node) }
            if unsafe cmark_node_get_type(node).rawValue <= CMARK_NODE_LAST_BLOCK.rawValue { result += " " }
        }
        return result
    }

    /// The text of a leaf; raw HTML has none.
    private func words(of node: OpaquePointer?) -> String {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_TEXT, CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK:
            unsafe cmark_node_get_literal(node).map { unsafe String(cString: $0) } ?? ""
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: " "
        default: ""
        }
    }

    /// Visits every node without recursion, so that deep input costs no stack.
    func forEachNode(
        below top: OpaquePointer? = nil, _ body: (OpaquePointer?, _ entering: Bool) -> Void
    ) {
        guard let iterator = unsafe cmark_iter_new(top ?? root) else { return }
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE || event == CMARK_EVENT_NONE { return }
            unsafe body(cmark_iter_get_node(iterator), event == CMARK_EVENT_ENTER)
        }
    }
}

/// The first word after the fence of a code block; empty when there is none.
func fenceName(of node: OpaquePointer?) -> String {
    let info = unsafe cmark_node_get_fence_info(node).map { unsafe String(cString: $0) } ?? ""
    return info.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
}

/// Letters and digits, and what is in `c++`, `c#`, `objective-c`.
private func isPartOfLanguage(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "+#-_.".utf8.contains(byte)
}

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

    /// The tree as CommonMark, with its tables; its lines are as long as they were.
    func commonMark() -> String {
        escapeBarsInCells()
        guard let text = unsafe cmark_render_commonmark(root, CMARK_OPT_DEFAULT, 0) else { return "" }
        defer { unsafe cmark_get_default_mem_allocator().pointee.free(text) }
        return unsafe String(cString: text)
    }
}
