/// A document that is cut at the borders of its blocks until it fits, the least important first.
///
/// Gone are first the folded parts from the last one on; then the rows of tables and entries of lists, the longest
/// lists first, but not the first of each; then everything else from the end; last what is before the second
/// heading and behind the last rule. The first heading stays. A heading without anything under it goes.
struct DocumentCut {
    private let blocks: [Block]
    /// The pieces in the order in which they go, by their place in the document.
    private let order: [Int]
    /// Whether rows of tables are shown as entries of lists.
    private let listsTables: Bool
    /// Whether folded parts are shown as sections.
    private let unfolds: Bool

    init(_ blocks: [Block], listsTables: Bool = false, unfolds: Bool = false) {
        (self.blocks, self.listsTables, self.unfolds) = (blocks, listsTables, unfolds)
        let core = coreRange(of: blocks)
        var pieces: [Piece] = []
        for (place, block) in blocks.enumerated() {
            pieces += block.pieces(isCore: core.contains(place), from: pieces.count)
        }
        order = pieces.sorted().map(\.place)
    }

    /// How many pieces can go.
    var count: Int { order.count }

    /// The document without the first pieces of the order, with a line that says what is gone.
    func without(_ count: Int, because reason: String) -> [Block] {
        let gone = Set(order.prefix(count))
        var place = 0
        var tally = TruncationSummary()
        let rest = blocks.compactMap { $0.without(gone, &place, &tally) }
        if listsTables { tally.countRowsAsEntries() }
        if unfolds { tally.countFoldsAsSections() }
        var kept = withoutEmptySections(rest)
        guard let line = tally.sentence(because: reason) else { return kept }
        let end = kept.lastIndex { if case .rule = $0 { true } else { false } } ?? kept.count
        kept.insert(.lines([[.text(line)]]), at: end)
        return kept
    }
}

/// A part of a document that can go.
private struct Piece: Comparable {
    let rank: Int
    /// How far down it is in its list.
    let depth: Int
    let place: Int

    /// The first goes first.
    static func < (first: Piece, second: Piece) -> Bool {
        (first.rank, -first.depth, -first.place) < (second.rank, -second.depth, -second.place)
    }
}

extension Block {
    fileprivate func pieces(isCore: Bool, from start: Int) -> [Piece] {
        func rows(_ count: Int) -> [Piece] {
            (0..<count).map { Piece(rank: $0 == 0 ? 2 : 1, depth: $0, place: start + $0) }
        }
        return switch self {
        case .heading, .rule: []
        case .folded: [Piece(rank: 0, depth: 0, place: start)]
        case .list(let entries): rows(entries.count)
        case .entries(let entries, _): rows(entries.count)
        case .table(let table): rows(table.rows.count)
        case .lines, .quote, .code: [Piece(rank: isCore ? 3 : 2, depth: 0, place: start)]
        }
    }

    /// The block without the pieces that go, nil when nothing of it is left; `place` is that of its first piece.
    fileprivate func without(_ gone: Set<Int>, _ place: inout Int, _ tally: inout TruncationSummary) -> Block?
    {
        func kept<Entry>(_ entries: [Entry]) -> [Entry] {
            let start = place
            place += entries.count
            return entries.indices.filter { !gone.contains(start + $0) }.map { entries[$0] }
        }
        func isKept() -> Bool { !kept([0]).isEmpty }
        switch self {
        case .heading, .rule: return self
        case .list(let entries):
            let rest = kept(entries)
            tally.entries += entries.count - rest.count
            return rest.isEmpty ? nil : .list(rest)
        case .entries(let entries, let start):
            let rest = kept(entries)
            tally.entries += entries.count - rest.count
            return rest.isEmpty ? nil : .entries(rest, start: start)
        case .table(var table):
            let count = table.rows.count
            table.rows = kept(table.rows)
            tally.rows += count - table.rows.count
            return table.rows.isEmpty && count > 0 ? nil : .table(table)
        case .folded:
            if isKept() { return self }
            tally.folds += 1
        case .lines, .quote, .code:
            if isKept() { return self }
            tally.paragraphs += 1
        }
        return nil
    }
}

/// The blocks that are read first and last: those before the first heading below the title, and those behind the last
/// rule.
private func coreRange(of blocks: [Block]) -> CoreRange {
    let isHeading: (Block) -> Bool = { if case .heading = $0 { true } else { false } }
    let title = blocks.firstIndex(where: isHeading) ?? blocks.count
    let start = blocks.indices.first { $0 > title && isHeading(blocks[$0]) } ?? blocks.count
    let end = blocks.lastIndex { if case .rule = $0 { true } else { false } } ?? blocks.count
    return CoreRange(before: start, behind: end)
}

private struct CoreRange {
    let before: Int
    let behind: Int

    func contains(_ place: Int) -> Bool { place < before || place > behind }
}

/// Headings below the first one go when nothing is under them.
private func withoutEmptySections(_ blocks: [Block]) -> [Block] {
    var kept: [Block] = []
    /// Headings above this level have something under them.
    var filled = 0
    for (place, block) in blocks.enumerated().reversed() {
        guard case .heading(_, let level) = block else {
            if case .rule = block { filled = 0 } else { filled = .max }
            kept.append(block)
            continue
        }
        let isFirst = !blocks[..<place].contains { if case .heading = $0 { true } else { false } }
        guard isFirst || level < filled else { continue }
        kept.append(block)
        filled = level
    }
    return kept.reversed()
}

/// What is gone from a document.
struct TruncationSummary {
    var rows = 0
    var entries = 0
    var folds = 0
    var sections = 0
    var paragraphs = 0

    /// Counts rows as what they are where tables are lists.
    mutating func countRowsAsEntries() { (rows, entries) = (0, entries + rows) }

    /// Counts folded parts as what they are where nothing is folded.
    mutating func countFoldsAsSections() { (folds, sections) = (0, sections + folds) }

    /// `1,204 rows of tables and 2 folded parts skipped: …`; nil when nothing is gone.
    func sentence(because reason: String) -> String? {
        let gone = [
            counted(rows, "row of a table", "rows of tables"),
            counted(entries, "entry of a list", "entries of lists"),
            counted(folds, "folded part", "folded parts"), counted(sections, "section", "sections"),
            counted(paragraphs, "paragraph", "paragraphs"),
        ].compactMap { $0 }
        guard let last = gone.last else { return nil }
        let all = gone.count == 1 ? last : gone.dropLast().joined(separator: ", ") + " and " + last
        return "\(all) skipped: \(reason)."
    }

    private func counted(_ count: Int, _ one: String, _ more: String) -> String? {
        count == 0 ? nil : "\(grouped(count)) \(count == 1 ? one : more)"
    }
}

/// `12,345`.
private func grouped(_ count: Int) -> String {
    let digits = Array("\(count)")
    return digits.enumerated().reduce(into: "") { text, digit in
        if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
        text.append(digit.element)
    }
}
