/// The document as Markdown: with the tables and the folded parts of GitHub, or as CommonMark without HTML.
func markdownText(_ blocks: [Block], hasTables: Bool) -> String {
    var text = MarkdownText()
    text.append(hasTables ? blocks : linear(blocks))
    return text.writer.text
}

/// Blocks as what an entry of a list says behind its first words, in the Markdown of GitHub.
///
/// A paragraph goes on in the line of these words. Every later line is indented by two columns, so that it belongs to
/// the entry; where no entry is around it, that changes nothing.
package func entryMarkdown(_ blocks: [Block]) -> Markup {
    let goesOn = if case .lines? = blocks.first { true } else { blocks.isEmpty }
    var lines = markdownText(blocks, hasTables: true).split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let text = lines.enumerated().map { place, line in
        line.isEmpty || place == 0 && goesOn ? String(line) : "  " + line
    }
    return Markup(
        trusted: (goesOn ? "" : "\n\n") + text.joined(separator: "\n"), language: .markdown)
}

private struct MarkdownText {
    var writer = ByteWriter()
    /// How a rule is written: not of the sign that marks the entry it is in, with which it would be one line of signs.
    private var rule: StaticString = "---"

    /// Blocks with an empty line between them; what follows a heading belongs to it.
    mutating func append(_ blocks: [Block]) {
        var isOtherMarker = false
        for (place, block) in blocks.enumerated() {
            let before = place > 0 ? blocks[place - 1] : nil
            if let before, !before.isHeading { writer.append("\n") }
            // Two lists next to each other are one, unless their markers differ.
            isOtherMarker = before?.listKind != nil && before?.listKind == block.listKind && !isOtherMarker
            append(block, isOtherMarker: isOtherMarker)
        }
    }

    private mutating func append(_ block: Block, isOtherMarker: Bool) {
        switch block {
        case .heading(let spans, let level):
            writer.append(raw: String(repeating: "#", count: min(max(level, 1), 6)) + " ")
            appendLine(spans)
        case .lines(let lines):
            for line in lines { appendLine(line) }
        case .list(let entries):
            for entry in entries {
                writer.append(isOtherMarker ? "* " : "- ")
                appendLine(entry)
            }
        case .entries(let entries, let start): append(entries, start: start, isOtherMarker: isOtherMarker)
        case .table(let table): append(table)
        case .folded(let title, let blocks): appendFold(title, blocks)
        case .quote(let blocks): append(blocks, first: "> ", others: "> ")
        case .code(let code, let language): appendCode(code, language)
        case .rule:
            writer.append(rule)
            writer.append("\n")
        }
    }

    private mutating func append(_ entries: [[Block]], start: Int?, isOtherMarker: Bool) {
        let isTight = entries.allSatisfy(\.isTight)
        for (place, entry) in entries.enumerated() {
            if place > 0, !isTight { writer.append("\n") }
            let number = start.map { "\(min($0 + place, 999_999_999))\(isOtherMarker ? ")" : ".") " }
            let marker = number ?? (isOtherMarker ? "* " : "- ")
            append(
                entry, first: marker, others: String(repeating: " ", count: marker.utf8.count),
                isTight: isTight)
        }
    }

    /// Blocks of which every line begins with the marks of what holds them.
    private mutating func append(_ blocks: [Block], first: String, others: String, isTight: Bool = false) {
        var inner = MarkdownText()
        if first == "- " { inner.rule = "***" }
        if isTight {
            for block in blocks { inner.append(block, isOtherMarker: false) }
        } else {
            inner.append(blocks)
        }
        var lines = inner.writer.text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (place, line) in (lines.isEmpty ? [""] : lines).enumerated() {
            let marks = place == 0 ? first : others
            writer.append(raw: line.isEmpty ? withoutSpaceAtEnd(marks) : marks + line)
            writer.append("\n")
        }
    }

    private mutating func append(_ table: BlockTable) {
        writer.append("|")
        for column in table.columns { appendCell([.text(column.title)]) }
        writer.append("\n|")
        for column in table.columns { writer.append(column.isNumber ? "--:|" : "---|") }
        writer.append("\n")
        for row in table.rows {
            writer.append("|")
            for cell in row { appendCell(cell) }
            writer.append("\n")
        }
    }

    private mutating func appendCell(_ spans: [Span]) {
        writer.append(" ")
        writer.appendMarkdown(spans, isCell: true)
        writer.append(" |")
    }

    private mutating func appendFold(_ title: String, _ blocks: [Block]) {
        writer.append("<details><summary>")
        // Markdown is not read within the line of a tag.
        writer.append(onOneLine(title), escapedFor: .html)
        writer.append("</summary>\n\n")
        append(blocks)
        writer.append("\n</details>\n")
    }

    /// Code between longer fences than stand in it.
    private mutating func appendCode(_ code: String, _ language: String) {
        var plain = ByteWriter()
        plain.append(code, escapedFor: .plain)
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: plain.text) + 1))
        let isWord = language.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "`") }
        writer.append(raw: fence + (isWord ? language : "") + "\n" + plain.text)
        if !plain.text.isEmpty, plain.text.utf8.last != 0x0A { writer.append("\n") }
        writer.append(raw: fence + "\n")
    }

    private mutating func appendLine(_ spans: [Span]) {
        writer.appendMarkdown(spans)
        writer.append("\n")
    }
}

private func withoutSpaceAtEnd(_ marks: String) -> String {
    String(marks.reversed().drop { $0 == " " }.reversed())
}

extension Block {
    fileprivate var isHeading: Bool { if case .heading = self { true } else { false } }

    /// Whether it is a list, with or without numbers.
    fileprivate var listKind: Bool? {
        switch self {
        case .list, .entries(_, nil): false
        case .entries: true
        default: nil
        }
    }
}

extension [Block] {
    /// Whether an entry of a list needs no empty line: a paragraph, and perhaps a list that may begin right below it.
    fileprivate var isTight: Bool {
        switch (count, first, last) {
        case (1, .lines, _): true
        case (2, .lines, .list(let entries)): entries.first?.isEmpty == false
        case (2, .lines, .entries(let entries, let start)):
            start ?? 1 == 1 && entries.first?.isEmpty == false
        default: false
        }
    }
}

/// Spans as Markdown: marks that go over several spans are opened and closed once.
extension ByteWriter {
    /// Writes a line without its end.
    ///
    /// - Parameter isCell: whether it is in a table, where code cannot hold a vertical bar.
    mutating func appendMarkdown(_ spans: [Span], isCell: Bool = false) {
        let shown = spans.filter { !$0.text.isEmpty || $0.isBreak || $0.picture != nil }
        append(shown[...], within: [], isCell: isCell)
    }

    private mutating func append(_ spans: ArraySlice<Span>, within open: [Mark], isCell: Bool) {
        var rest = spans
        while let first = rest.first {
            let marks = first.isBreak ? [] : Mark.allCases.filter { !open.contains($0) && $0.marks(first) }
            let runs = marks.map { mark in
                (mark: mark, run: withoutBreaksAtEnd(rest.prefix { mark.goesOn(over: $0, from: first) }))
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
            append(onOneLine(span.text), escapedFor: .markdown)
            return appendTarget(picture)
        }
        guard span.isCode, !(isCell && span.text.utf8.contains(UInt8(ascii: "|"))) else {
            return append(onOneLine(span.text), escapedFor: .markdown)
        }
        append(raw: codeSpan(span.text))
    }

    private mutating func appendTarget(_ address: String?) {
        append("](")
        append(address: address ?? "", escapedFor: .markdown)
        append(")")
    }
}

/// Spans up to the breaks after them: the backslash of a break would escape the mark that ends the run.
private func withoutBreaksAtEnd(_ spans: ArraySlice<Span>) -> ArraySlice<Span> {
    spans.prefix((spans.lastIndex { !$0.isBreak } ?? spans.startIndex) - spans.startIndex + 1)
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

/// A text with spaces for the line separators in it, which are line ends to some readers and to others none.
private func onOneLine(_ text: String) -> String {
    // Both separators begin with this byte, as do the blocks of small charts.
    guard text.utf8.contains(0xE2) else { return text }
    guard text.unicodeScalars.contains(where: separatesLines) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { separatesLines($0) ? " " : $0 }))
}

private func separatesLines(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{2028}" || scalar == "\u{2029}" }

/// Code between more backticks than stand in it.
func codeSpan(_ text: String) -> String {
    var plain = ByteWriter()
    plain.append(text, escapedFor: .plain)
    let code = String(plain.text.map { $0.isNewline ? " " : $0 })
    let fence = String(repeating: "`", count: longestRun(of: "`", in: code) + 1)
    // One space at each end is no part of the code, unless all of it is white space.
    let isPadded =
        code.hasPrefix("`") || code.hasSuffix("`") || (code.hasPrefix(" ") && code.hasSuffix(" "))
    let space = isPadded && !code.allSatisfy { $0 == " " } ? " " : ""
    return fence + space + code + space + fence
}

/// The most characters of a kind that stand next to each other.
func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for each in text {
        run = each == character ? run + 1 : 0
        longest = max(longest, run)
    }
    return longest
}
