/// The words of a CommonMark text as blocks: paragraphs, headings, lists, tables, quotations and code stay what they are;
/// links, pictures and emphasis are their words alone, and raw HTML is skipped.
///
/// Lines that flow together in HTML are one line. Text beyond 8 MiB is skipped.
///
/// - Parameter highestHeading: the level on which the highest heading is shown; nil for that of the text.
package func wordBlocks(ofCommonMark text: String, highestHeading: Int? = nil) -> [Block] {
    let text = withLineFeeds(text)
    guard let tree = CommonMarkTree(parsing: text) else { return [] }
    _ = tree.removeRawHTML()
    if let highestHeading { _ = tree.shiftHeadings(by: tree.headingShift(toHighest: highestHeading)) }
    let reader = DocumentReader(lines: text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false))
    return unsafe wordsAlone(reader.blocks(in: tree.root, depth: 0))
}

/// The blocks with lines that are plain words; what has none goes.
private func wordsAlone(_ blocks: [Block]) -> [Block] {
    blocks.compactMap { block in
        switch block {
        case .heading(let line, let level):
            let line = words(line)
            return line.isEmpty ? nil : .heading(line, level: level)
        case .lines(let lines):
            let lines = flowing(lines)
            return lines.isEmpty ? nil : .lines(lines)
        case .list(let entries): return .list(entries.map(words))
        case .entries(let entries, let start):
            let entries = entries.map(wordsAlone)
            return start.map { .entries(entries, start: $0) } ?? .bullets(entries)
        case .table(var table):
            table.rows = table.rows.map { $0.map(words) }
            return .table(table)
        case .folded(let title, let blocks): return .folded(title: title, wordsAlone(blocks))
        case .quote(let blocks):
            let blocks = wordsAlone(blocks)
            return blocks.isEmpty ? nil : .quote(blocks)
        case .code, .rule: return block
        }
    }
}

/// A line as one piece of text; none where it has no words.
private func words(_ line: [Span]) -> [Span] {
    let text = withSingleSpaces(line.map(\.text).joined())
    return text.isEmpty ? [] : [.text(text)]
}

/// The lines of a paragraph, which end only where the line must.
private func flowing(_ lines: [[Span]]) -> [[Span]] {
    var parts: [[[Span]]] = [[]]
    for line in lines {
        parts[parts.count - 1].append(line)
        if line.last?.isBreak == true { parts.append([]) }
    }
    let whole = parts.map { words(Array($0.joined(separator: [.text(" ")]))) }.filter { !$0.isEmpty }
    return whole.enumerated().map { place, line in
        place < whole.count - 1 ? line + [Span(text: "", isBreak: true)] : line
    }
}
