import CCmark

/// A block that has a beginning and no end, and so goes on to the end of its text.
package struct OpenBlock: Sendable, Hashable {
    /// What it is.
    package enum Kind: Sendable, Hashable {
        /// Code after a fence of these signs.
        case code(fence: String)
        /// A comment of HTML.
        case comment
    }

    package let kind: Kind
    /// The line of the text on which it begins, counted from 1.
    package let line: Int
    /// Whether it is in no list and no quotation.
    let isOutermost: Bool
    /// The first word after the fence.
    let name: String
}

/// The block without an end in which a CommonMark text ends; nil where there is none.
package func openBlock(inCommonMark text: String) -> OpenBlock? {
    CommonMarkTree(parsing: text)?.openBlock(of: text)
}

/// A CommonMark text with the fence that it lacks at its end, so that what is written below it is no code.
///
/// - Parameter names: the names of fences that something else is put in the place of.
func withEnd(of block: OpenBlock?, _ text: String, unlessNamed names: Set<String>) -> String {
    // Lists and quotations end by themselves, and so does the code in them.
    guard let block, case .code(let fence) = block.kind, block.isOutermost, !names.contains(block.name) else {
        return text
    }
    return text + (text.utf8.last == 0x0A ? "" : "\n") + fence
}

extension CommonMarkTree {
    /// - Parameter text: the text that was parsed.
    func openBlock(of text: String) -> OpenBlock? {
        var leaf = unsafe root
        while let last = unsafe cmark_node_last_child(leaf) { unsafe leaf = last }
        guard let kind = unsafe openKind(of: leaf, in: text) else { return nil }
        return unsafe OpenBlock(
            kind: kind, line: Int(cmark_node_get_start_line(leaf)),
            isOutermost: cmark_node_parent(leaf) == root, name: fenceName(of: leaf))
    }

    private func openKind(of leaf: OpaquePointer, in text: String) -> OpenBlock.Kind? {
        let literal = unsafe cmark_node_get_literal(leaf).map { unsafe String(cString: $0) } ?? ""
        switch unsafe cmark_node_get_type(leaf) {
        case CMARK_NODE_HTML_BLOCK:
            let isOpen = literal.drop { $0 == " " }.hasPrefix("<!--") && !literal.contains("-->")
            return isOpen ? .comment : nil
        case CMARK_NODE_CODE_BLOCK:
            let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
            return unsafe openFence(of: leaf, holding: literal, in: lines).map { .code(fence: $0) }
        default: return nil
        }
    }

    /// The fence of a code block that no other fence ends; nil also for indented code.
    private func openFence(
        of node: OpaquePointer, holding code: String, in lines: [Substring.UTF8View]
    ) -> String? {
        let first = unsafe Int(cmark_node_get_start_line(node))
        let last = unsafe Int(cmark_node_get_end_line(node))
        guard first >= 1, first <= last, last <= lines.count else { return nil }
        let start = unsafe lines[first - 1].dropFirst(max(0, Int(cmark_node_get_start_column(node)) - 1))
        guard let sign = start.first, sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") else {
            return nil
        }
        let length = start.prefix { $0 == sign }.count
        // Indented code may begin with the same signs; they are its own then.
        let firstLine = code.utf8.prefix { $0 != 0x0A }
        let isIndented = unsafe fenceName(of: node).isEmpty && firstLine.elementsEqual(start)
        guard length >= 3, !isIndented else { return nil }
        // The code is all between the fences, so the last line is its own where it has as many as the block.
        let count = code.utf8.count { $0 == 0x0A }
        if last - first > count, isFence(lines[last - 1], of: sign, atLeast: length) { return nil }
        return String(repeating: Character(Unicode.Scalar(sign)), count: length)
    }
}

/// Whether a line has nothing but a fence, behind the marks of the quotations that hold it.
private func isFence(_ line: Substring.UTF8View, of sign: UInt8, atLeast length: Int) -> Bool {
    let signs = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ">") }
    let run = signs.prefix { $0 == sign }
    return run.count >= length
        && signs.dropFirst(run.count).allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
}
