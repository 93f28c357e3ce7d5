import CCmark

/// A CommonMark text with other destinations of its links; everything else stays as it is written.
///
/// Code blocks and code spans are left alone. Titles of links stay.
///
/// - Parameter destination: the new destination of a link, or nil to leave it.
package func rewritingLinks(
    inCommonMark text: String, _ destination: (Substring) -> String?
) -> String {
    guard let tree = CommonMarkTree(parsing: text) else { return text }
    let code = tree.linesOfCode()
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for index in lines.indices where !code.contains(index + 1) && lines[index].contains("]") {
        lines[index] = rewritten(lines[index], destination)[...]
    }
    return lines.joined(separator: "\n")
}

private func rewritten(_ line: Substring, _ destination: (Substring) -> String?) -> String {
    var result = ""
    var rest = line
    while let character = rest.first {
        if character == "`" {
            let ticks = rest.prefix { $0 == "`" }
            let after = rest.dropFirst(ticks.count)
            let end = after.firstRange(of: ticks).map(\.upperBound) ?? after.startIndex
            result += rest[..<end]
            rest = rest[end...]
        } else if let opening = ["](", "]: "].first(where: rest.hasPrefix) {
            let address = rest.dropFirst(opening.count).prefix { !") \t>".contains($0) }
            result += opening + (destination(address) ?? String(address))
            rest = rest[address.endIndex...]
        } else {
            result.append(character)
            rest.removeFirst()
        }
    }
    return result
}

extension CommonMarkTree {
    /// The numbers of the lines that belong to code blocks, counted from 1.
    fileprivate func linesOfCode() -> Set<Int> {
        var lines: Set<Int> = []
        unsafe forEachNode { node, entering in
            guard entering, unsafe cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK else { return }
            let first = unsafe Int(cmark_node_get_start_line(node))
            unsafe lines.formUnion(first...max(first, Int(cmark_node_get_end_line(node))))
        }
        return lines
    }
}
