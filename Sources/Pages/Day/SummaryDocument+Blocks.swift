import Charts
package import Markup

extension SummaryDocument {
    /// The summary as blocks, for every dialect; its links lead to `.html`, as it leaves the site.
    package var blocks: [Block] {
        let demoNote = isDemo ? " (demo, made-up data)" : ""
        var blocks: [Block] = [
            .heading(
                [.text("\(title)\(demoNote): "), verdict.span],
                level: 3),
            .lines(sentences.map { [.text($0)] }),
        ]
        if !issues.isEmpty { blocks.append(.table(issueTable)) }
        if !folded.isEmpty || !muted.isEmpty {
            blocks.append(.folded(title: foldedTitle, [.list(folded.map(\.line) + muted.map(\.line))]))
        }
        if !notes.isEmpty { blocks.append(.bullets(notes.map(\.entry))) }
        return blocks + [.lines([lastLine])]
    }

    /// Users and shares where any are known; without users the events, by which the issues are ranked then.
    private var issueTable: BlockTable {
        let hasUsers = issues.contains(where: \.knowsUsers)
        let hasEvents = !hasUsers && issues.contains(where: \.knowsEvents)
        let hasShares = issues.contains { $0.share != nil }
        let columns: [(column: BlockTable.Column, isShown: Bool, cell: (IssueRow) -> [Span])] = [
            (.init("Rank", isNumber: true), true, { [.text($0.rankText)] }),
            (.init(issuesHeading), true, { $0.nameSpans }),
            (.init("Users", isNumber: true), hasUsers, { [.text($0.users)] }),
            (.init("Events", isNumber: true), hasEvents, { [.text($0.events)] }),
            (.init(shareHeading, isNumber: true), hasShares, { [.text($0.share ?? "–")] }),
            (.init("Last 28 days"), true, { [.text($0.sparkline?.glyphLine ?? "–")] }),
            (.init("State"), true, { [.text($0.stateText)] }),
        ]
        let shown = columns.filter(\.isShown)
        return BlockTable(
            shown.map(\.column), name: 1, rows: issues.map { issue in shown.map { $0.cell(issue) } })
    }

    private var lastLine: [Span] {
        var line: [Span] = [.text(freshness)]
        for (name, stem) in [("Page", pageStem), ("Methods", methodsStem)] {
            if let stem { line += [.text(" · "), .link(name, to: stem + ".html")] }
        }
        return line
    }
}

extension FoldedGroup {
    fileprivate var line: [Span] {
        let entries = issues.map { issue -> [Span] in
            [
                .link(issue.title, to: issue.stem.map { $0 + ".html" }),
                .text(issue.knowsUsers ? " (\(issue.usersText))" : ""),
            ]
        }
        return [.strong(title + ":"), .text(" ")] + entries.joined(separator: [.text("; ")])
            + (more.map { [.text("; \($0)")] } ?? [])
    }
}

extension NoteView {
    /// Who wrote it and when, with what it says: its first paragraph in the same line.
    fileprivate var entry: [Block] {
        let said = blocks
        guard case .lines(let lines)? = said.first, let first = lines.first else {
            return [.lines([[.strong(author), .text(", \(written):")]])] + said
        }
        let words = ", \(written): " + (first.first?.text ?? "")
        let line = [.strong(author), .text(words)] + first.dropFirst()
        return [.lines([line] + lines.dropFirst())] + said.dropFirst()
    }
}

extension MutedEntry {
    fileprivate var line: [Span] {
        [
            .strong("Muted: \(kind)."), .text(" "), .link(sentence, to: stem.map { $0 + ".html" }),
            .text(" By \(by) \(until): \(why)"),
        ]
    }
}

extension VerdictView {
    /// The sign and the words.
    fileprivate var span: Span { .strong("\(mark) \(words)") }
}

extension IssueRow {
    /// Whether the number of events is known and not hidden.
    fileprivate var knowsEvents: Bool { events != hiddenCountText && events != "–" }

    /// `1 ▲6`.
    fileprivate var rankText: String { movement.isEmpty ? "\(rank)" : "\(rank) \(movement)" }

    /// The headline, which leads to the page of the issue, with its place in the code.
    fileprivate var nameSpans: [Span] {
        [.link(title, to: stem.map { $0 + ".html" })] + (place.map { [.text(" (\($0))")] } ?? [])
    }

    /// `open · regressed`.
    fileprivate var stateText: String { lineText(chips) }
}

extension ChartView {
    /// The line of block characters, without the words.
    fileprivate var glyphLine: String { chart.glyphs }
}
