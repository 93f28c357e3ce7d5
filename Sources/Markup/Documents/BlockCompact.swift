/// The Markdown of a page as the blocks that say something: without pictures, lines that only lead elsewhere, and what
/// stands behind the last rule but for its lines with figures; of folded parts there are the titles that say a number.
///
/// - Parameter address: where a link leads from where the blocks are read; nil for nowhere.
package func compactBlocks(ofMarkdown text: String, address: (String) -> String?) -> [Block] {
    let blocks = documentBlocks(ofMarkdown: text)
    let end = blocks.lastIndex { if case .rule = $0 { true } else { false } } ?? blocks.count
    let kept = blocks.enumerated().compactMap { place, block -> Block? in
        switch block {
        case .folded(let title, _): return hasFigures([.text(title)]) ? .lines([[.text(title, .soft)]]) : nil
        case .rule: return nil
        case .lines(let lines):
            let kept = lines.filter { place < end ? saysSomething($0) : hasFigures($0) }
            return kept.isEmpty ? nil : .lines(kept)
        default: return place < end ? block : nil
        }
    }
    return readdressed(kept, address)
}

/// Whether the words of a line are not only those around links and pictures.
private func saysSomething(_ line: [Span]) -> Bool {
    hasFigures(line) || own(line).count > line.map(\.text).joined().count - own(line).count
}

private func hasFigures(_ line: [Span]) -> Bool {
    own(line).utf8.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
}

/// The words that lead nowhere.
private func own(_ line: [Span]) -> String {
    line.filter { $0.address == nil && $0.picture == nil }.map(\.text).joined()
}
