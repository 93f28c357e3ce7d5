import Markup

/// Figures with their intervals and what they were counted from.
func figureTable(_ figures: [Figure], _ title: String) -> BlockTable {
    BlockTable(
        [.init(title), .init("Value", isNumber: true), .init("95% interval"), .init("Counted from")],
        rows: figures.map { figure in
            [
                [.text(figure.label)], [figure.valueSpan], [.text(figure.interval ?? "–")],
                [.text(figure.groundsText)],
            ]
        })
}

/// Releases with their stability and the verdict on rolling them out.
func releaseTable(_ releases: [ReleaseRow]) -> BlockTable {
    BlockTable(
        [
            .init("Release"), .init("Crash-free sessions", isNumber: true), .init("95% interval"),
            .init("Adoption", isNumber: true), .init("Roll-out"),
        ],
        rows: releases.map { release in
            [
                [.text(release.version)], [release.crashFree.valueSpan],
                [.text(release.crashFree.interval ?? "–")], [.text(release.adoption)],
                [release.rollout.span],
            ]
        })
}

/// A heading, the issues, and sentences about all of them; or why there are none.
func issueBlocks(_ issues: [IssueRow], heading: String, notes: [String?], none: String?) -> [Block] {
    let lines = notes.compactMap { $0 }.map { [Span.text($0)] }
    if issues.isEmpty {
        return [.lines([[.strong(heading + ": "), .text(none ?? "no issue was seen.")]])]
    }
    let table = BlockTable(
        [
            .init("Rank", isNumber: true), .init(heading), .init("Users", isNumber: true),
            .init("Events", isNumber: true), .init("By day"), .init("State"),
        ], name: 1,
        rows: issues.map { issue in
            let isTold = !issue.signals.isEmpty
            return [
                [.text(issue.rankText)], issue.nameSpans(ending: nil), [.text(issue.users)],
                [.text(issue.events)], [.text(issue.sparkline?.glyphLine ?? "–")],
                [.text(issue.stateText, isTold ? .bad : .plain)],
            ]
        })
    return [.table(table)] + (lines.isEmpty ? [] : [.lines(lines)])
}

/// A heading and the events under it.
func eventBlocks(_ events: [EventEntry], heading: String, withApp: Bool) -> [Block] {
    guard !events.isEmpty else { return [.lines([[.strong(heading + ": "), .text("nothing happened.")]])] }
    return [.lines([[.strong(heading)]]), .list(events.map { $0.spans(withApp: withApp) })]
}
