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
    var isAddressNext = false
    for index in lines.indices {
        if code.contains(index + 1) {
            isAddressNext = false
        } else if isAddressNext || lines[index].contains("]") {
            lines[index] = rewritten(lines[index], isAddressNext: &isAddressNext, destination)[...]
        }
    }
    return lines.joined(separator: "\n")
}

/// - Parameter isAddressNext: whether the line before ended where an address is to begin; then the same of this one.
private func rewritten(
    _ line: Substring, isAddressNext: inout Bool, _ destination: (Substring) -> String?
) -> String {
    var result = ""
    var rest = line
    if isAddressNext {
        isAddressNext = false
        let start = line.prefix { " \t>".contains($0) }
        let address = LinkAddress(at: line[start.endIndex...])
        if !address.text.isEmpty {
            result = String(start) + (destination(address.text) ?? String(line[start.endIndex..<address.end]))
            rest = line[address.end...]
        }
    }
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
                isAddressNext =
                    place.address.isEmpty && place.end == line.endIndex
                    && (isDefinition || rest.hasPrefix("]("))
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
        opening = mark + blanks
        let written = LinkAddress(at: behind[blanks.endIndex...])
        (address, end) = (written.text, written.end)
    }
}

/// An address as it is written, with or without the marks around it.
private struct LinkAddress {
    let text: Substring
    /// Behind the marks.
    let end: String.Index

    init(at rest: Substring) {
        if rest.first == "<", let close = rest.firstIndex(of: ">") {
            text = rest[rest.index(after: rest.startIndex)..<close]
            end = rest.index(after: close)
        } else {
            text = rest.prefix { !") \t>".contains($0) }
            end = text.endIndex
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
