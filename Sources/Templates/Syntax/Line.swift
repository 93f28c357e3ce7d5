/// One line of a template: its tokens, and what the standalone rules make of them.
struct Line {
    enum Kind {
        /// Nothing but white space.
        case blank
        /// One tag that prints nothing by itself; the line is not printed.
        case standalone
        /// Only tags of parents and blocks; the line is not printed.
        case inheritance
        /// One block that opens and closes on the line, and takes it whole.
        case block
        /// Everything else.
        case content
    }

    /// The tokens without the line end.
    let tokens: Range<Int>
    /// The token that ends the line; nil at the end of the template.
    let newline: Int?
    let kind: Kind
    /// The first token that is not white space.
    let first: Int?
    /// The last one.
    let last: Int?
    /// The white space that the line begins with.
    let indent: String
}

/// Cuts tokens into lines.
struct LineReader {
    let text: SourceText
    let tokens: [Token]
    let pairs: TagPairs

    /// All lines, in order.
    func lines() -> [Line] {
        var result: [Line] = []
        var start = 0
        for (index, token) in tokens.enumerated() where token.kind == .newline {
            result.append(line(start..<index, newline: index))
            start = index + 1
        }
        if start < tokens.count { result.append(line(start..<tokens.count, newline: nil)) }
        return result
    }

    private func line(_ range: Range<Int>, newline: Int?) -> Line {
        let visible = range.filter { !isBlank($0) }
        let leading = range.first.map { tokens[$0] }
        let indent = leading.flatMap { $0.kind == .text ? whiteSpace(in: $0.range) : nil } ?? ""
        return Line(
            tokens: range, newline: newline, kind: kind(of: visible), first: visible.first,
            last: visible.last, indent: indent)
    }

    private func kind(of visible: [Int]) -> Line.Kind {
        guard let first = visible.first, let last = visible.last else { return .blank }
        if visible.count == 1, isStandalone(first) { return .standalone }
        if tokens[first].kind == .block, pairs.closer[first] == last { return .block }
        return visible.allSatisfy { isInheritance($0, in: visible) } ? .inheritance : .content
    }

    /// Whether the token is white space, or text directly inside a parent, which is never printed.
    private func isBlank(_ index: Int) -> Bool {
        guard tokens[index].kind == .text else { return false }
        if let around = pairs.around[index], tokens[around].kind == .parent { return true }
        return text.bytes[tokens[index].range].allSatisfy(isWhite)
    }

    private func isStandalone(_ index: Int) -> Bool {
        switch tokens[index].kind {
        case .section, .inverted, .comment, .delimiters, .partial: true
        case .close: pairs.opener[index].map { !tokens[$0].isParentOrBlock } ?? false
        default: false
        }
    }

    /// Whether the tag is one of inheritance and lets its line vanish.
    private func isInheritance(_ index: Int, in visible: [Int]) -> Bool {
        let opening = tokens[index].kind == .close ? pairs.opener[index] : index
        guard let opening, tokens[opening].isParentOrBlock, let closing = pairs.closer[opening] else {
            return false
        }
        if tokens[opening].kind == .parent {
            return index == opening ? visible.first == opening : visible.last == closing
        }
        let isArgument = pairs.around[opening].map { tokens[$0].kind == .parent } ?? false
        return isArgument || !(visible.contains(opening) && visible.contains(closing))
    }

    private func whiteSpace(in range: Range<Int>) -> String {
        String(decoding: text.bytes[range].prefix(while: isWhite), as: UTF8.self)
    }
}
