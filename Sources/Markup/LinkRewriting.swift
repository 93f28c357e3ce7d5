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
    var isDefinition = line.first { !" \t>".contains($0) } == "["
    while let character = rest.first {
        if character == "`" {
            let ticks = rest.prefix { $0 == "`" }
            let after = rest.dropFirst(ticks.count)
            let end = after.firstRange(of: ticks).map(\.upperBound) ?? after.startIndex
            result += rest[..<end]
            rest = rest[end...]
        } else if character == "]" {
            if let place = LinkPlace(at: rest, ofDefinition: isDefinition) {
                result += destination(place.address).map { place.opening + $0 } ?? String(rest[..<place.end])
                rest = rest[place.end...]
            } else {
                result.append(character)
                rest.removeFirst()
            }
            isDefinition = false
        } else {
            result.append(character)
            rest.removeFirst()
        }
    }
    return result
}

/// Where a text leads: `](guide.md`, `](<guide.md>`, `]: guide.md`.
private struct LinkPlace {
    /// What comes before the address.
    let opening: String
    let address: Substring
    /// Behind the address and the marks around it.
    let end: String.Index

    /// Nil where no address begins.
    ///
    /// - Parameter isDefinition: whether the bracket ends the first word of its line, as that of a definition does.
    init?(at text: Substring, ofDefinition isDefinition: Bool) {
        let mark: String
        if text.hasPrefix("](") {
            mark = "]("
        } else if text.hasPrefix("]: ") || isDefinition && text.hasPrefix("]:") {
            mark = "]:"
        } else {
            return nil
        }
        let behind = text.dropFirst(mark.count)
        let blanks = behind.prefix { $0 == " " || $0 == "\t" }
        let rest = behind[blanks.endIndex...]
        opening = mark + blanks
        if rest.first == "<", let close = rest.firstIndex(of: ">") {
            address = rest[rest.index(after: rest.startIndex)..<close]
            end = rest.index(after: close)
        } else {
            address = rest.prefix { !") \t>".contains($0) }
            end = address.endIndex
        }
    }
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
