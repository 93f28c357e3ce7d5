package import Markup

extension AppPage {
    /// The page for a terminal: the same numbers, fewer rows.
    package var blocks: [Block] {
        var blocks: [Block] = frame.demonstration
        let whole = platform.isEmpty ? name : "\(name) (\(platform))"
        blocks.append(.heading([.text(whole + ": "), verdict.span], level: 1))
        blocks.append(.lines([[.text(verdict.why)]]))
        if let causes { blocks.append(.lines([[.strong("Why it fell: "), .text(causes.sentence)]])) }
        blocks += [.table(figureTable(tiles, "Last complete day")), stability.block]
        if let budget {
            blocks.append(
                .lines([
                    [.strong("Error budget: "), budget.verdict.span, .text(". " + budget.sentence)]
                ]))
        }
        blocks += issueBlocks(
            issues, heading: "Top issues, counted \(issuesSpan)", notes: [coverage, covering], none: nil)
        if !releases.isEmpty { blocks.append(.table(releaseTable(releases))) }
        blocks += eventBlocks(events, heading: "Activity", withApp: false)
        if let muted { blocks.append(.lines([[.text(muted.title, .soft)]])) }
        return blocks + [frame.ending]
    }
}

extension DayPage {
    /// The page for a terminal.
    package var blocks: [Block] {
        var blocks = frame.demonstration
        blocks.append(.heading([.text("\(app), \(dateText): "), verdict.span], level: 1))
        blocks.append(.lines([verdict.why, sentence].uniqued.map { [.text($0)] }))
        if isProvisional {
            let why = provisional.map { " (\($0))" } ?? ""
            blocks.append(.lines([[.strong("Provisional"), .text("\(why): late reports may change it.")]]))
        }
        if let causes { blocks.append(.lines([[.strong("Why it fell: "), .text(causes.sentence)]])) }
        blocks += issueBlocks(
            issues, heading: "Top issues of the day", notes: [coverage, covering], none: issuesUnavailable)
        blocks += eventBlocks(events, heading: "What happened", withApp: false)
        for line in leftOut { blocks.append(.lines([[.text(line, .soft)]])) }
        if let muted { blocks.append(.lines([[.text(muted.title, .soft)]])) }
        blocks.append(.table(revisionTable))
        return blocks + [frame.ending]
    }

    private var revisionTable: BlockTable {
        BlockTable(
            [
                .init("Figure"), .init("First reported", isNumber: true), .init("Known now", isNumber: true),
                .init("Change", isNumber: true),
            ],
            rows: revisions.map { row in
                [[.text(row.label)], [.text(row.reported)], [.text(row.known)], [.text(row.change)]]
            })
    }
}

extension PortfolioPage {
    /// The entry page for a terminal.
    package var blocks: [Block] {
        let table = BlockTable(
            [
                .init("App"), .init("Verdict"), .init("Crash-free", isNumber: true), .init("Interval"),
                .init("28 days"), .init("Analysis", isNumber: true),
            ],
            rows: apps.map { app in
                [
                    [.strong(app.name)], [app.verdict.span], [app.crashFree.valueSpan],
                    [.text(app.crashFree.interval ?? app.crashFree.stateNote ?? "–")],
                    [.text(app.sparkline.glyphLine)], [.text("\(app.openAlerts)")],
                ]
            })
        return frame.demonstration + [
            .heading([.text(frame.siteTitle)], level: 1), .lines([[.text(sentence)]]), .table(table),
        ] + eventBlocks(events, heading: "Last events", withApp: true) + [frame.ending]
    }
}

extension Frame {
    /// The banner of invented figures.
    fileprivate var demonstration: [Block] {
        guard isDemo else { return [] }
        return [.lines([[.strong("Demonstration."), .text(" Every app, figure and name is invented.")]])]
    }

    /// How fresh the figures are and of when the report is.
    fileprivate var ending: Block { .lines([[.text("\(freshness) Report of \(asOf).", .soft)]]) }
}

extension [String] {
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
