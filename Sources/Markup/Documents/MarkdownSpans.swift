/// Spans as Markdown: marks that go over several spans are opened and closed once.
extension ByteWriter {
    /// Writes a line without its end.
    ///
    /// - Parameter isCell: whether it stands in a table, where code cannot hold a vertical bar.
    mutating func appendMarkdown(_ spans: [Span], isCell: Bool = false) {
        let shown = spans.filter { !$0.text.isEmpty || $0.isBreak || $0.picture != nil }
        append(shown[...], within: [], isCell: isCell)
    }

    private mutating func append(_ spans: ArraySlice<Span>, within open: [Mark], isCell: Bool) {
        var rest = spans
        while let first = rest.first {
            let runs = Mark.allCases.filter { !open.contains($0) && $0.marks(first) }.map { mark in
                (mark: mark, run: rest.prefix { mark.goesOn(over: $0, from: first) })
            }
            guard let (mark, run) = runs.max(by: { $0.run.count < $1.run.count }) else {
                appendLeaf(first, isCell: isCell)
                rest = rest.dropFirst()
                continue
            }
            append(mark.opening)
            append(run, within: open + [mark], isCell: isCell)
            if mark == .link { appendTarget(first.address) } else { append(mark.opening) }
            rest = rest.dropFirst(run.count)
        }
    }

    private mutating func appendLeaf(_ span: Span, isCell: Bool) {
        if span.isBreak { return append("\\") }
        if let picture = span.picture {
            append("![")
            append(span.text, escapedFor: .markdown)
            return appendTarget(picture)
        }
        guard span.isCode, !(isCell && span.text.utf8.contains(UInt8(ascii: "|"))) else {
            return append(span.text, escapedFor: .markdown)
        }
        appendCode(span.text)
    }

    /// Code between more backticks than stand in it.
    private mutating func appendCode(_ text: String) {
        var plain = ByteWriter()
        plain.append(text, escapedFor: .plain)
        let code = String(plain.text.map { $0.isNewline ? " " : $0 })
        let fence = String(repeating: "`", count: longestRun(of: "`", in: code) + 1)
        // One space at each end is no part of the code, unless all of it is white space.
        let isPadded =
            code.hasPrefix("`") || code.hasSuffix("`") || (code.hasPrefix(" ") && code.hasSuffix(" "))
        let space = isPadded && !code.allSatisfy { $0 == " " } ? " " : ""
        append(raw: fence + space + code + space + fence)
    }

    private mutating func appendTarget(_ address: String?) {
        append("](")
        append(address: address ?? "", escapedFor: .markdown)
        append(")")
    }
}

/// What a span can have that is written around it.
private enum Mark: CaseIterable {
    case strong, emphasis, link

    /// What it begins with; a link ends with its target, the others as they begin.
    var opening: StaticString {
        switch self {
        case .link: "["
        case .strong: "**"
        case .emphasis: "*"
        }
    }

    /// Whether one mark can hold both spans.
    func goesOn(over span: Span, from first: Span) -> Bool {
        self == .link ? span.address == first.address : marks(span)
    }

    func marks(_ span: Span) -> Bool {
        switch self {
        case .link: span.address != nil
        case .strong: span.isStrong
        case .emphasis: span.isEmphasised
        }
    }
}

/// The most characters of a kind that stand beside each other.
func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for each in text {
        run = each == character ? run + 1 : 0
        longest = max(longest, run)
    }
    return longest
}
