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
        if !notes.isEmpty { blocks.append(.list(notes.map(\.line))) }
        return blocks + [.lines([lastLine])]
    }

    private var issueTable: BlockTable {
        let hasUsers = issues.contains(where: \.hasUsers)
        return BlockTable(
            [.init("Rank", isNumber: true), .init(issuesHeading)]
                + (hasUsers ? [.init("Users", isNumber: true)] : [])
                + [.init(shareHeading, isNumber: true), .init("Last 28 days"), .init("State")], name: 1,
            rows: issues.map { issue in
                [[.text(issue.rankText)], issue.nameSpans]
                    + (hasUsers ? [[.text(issue.users)]] : [])
                    + [
                        [.text(issue.share ?? "–")], [.text(issue.sparkline?.glyphLine ?? "–")],
                        [.text(issue.stateText)],
                    ]
            })
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
                .text(issue.hasUsers ? " (\(issue.users) users)" : ""),
            ]
        }
        return [.strong(title + ":"), .text(" ")] + entries.joined(separator: [.text("; ")])
    }
}

extension NoteView {
    fileprivate var line: [Span] {
        [.strong(author), .text(", \(written): \(plainText(fromCommonMark: source))")]
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
    fileprivate var glyphLine: String { String(chart.text().prefix { !$0.isNewline }) }
}
