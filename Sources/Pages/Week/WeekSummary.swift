import AppHealth
package import Markup

/// The summary of a week: Markdown to paste, one screen in a mail.
package struct WeekSummary: Sendable {
    /// The document; its first block is the headline.
    package let blocks: [Block]
    /// The page that it sums up; nil when the site has no address.
    package let page: String?

    /// The summary of a week of some apps.
    package init(_ inputs: WeekPageInputs, site: SiteFacts) {
        let model = WeekPage(outward: inputs, site: site)
        let stem = site.outwardLinks.stem(to: .week(inputs.week))
        page = stem.map { $0 + ".html" }
        let demoNote = site.isDemo ? " (demo, made-up data)" : ""
        let head = Block.heading(
            [.text("\(site.title) — \(model.week), \(model.span)\(demoNote)")], level: 3)
        var blocks: [Block] = [head, .lines([[.text(model.sentence)]])]
        if !model.apps.isEmpty { blocks.append(.table(table(model.apps))) }
        let more = model.apps.flatMap(moreLines)
        if !more.isEmpty { blocks.append(.list(more)) }
        var last: [Span] = [.text(model.frame.freshness)]
        if let page { last += [.text(" · "), .link("Page", to: page)] }
        self.blocks = blocks + [.lines([last])]
    }

    /// The summary in a dialect, cut to what the place that it is written for holds.
    package func text(in dialect: MarkdownDialect, limit: Int? = nil, because reason: String? = nil) -> String
    {
        fittingText(
            blocks, limit: limit ?? dialect.limit, because: reason ?? dialect.limitWords ?? ""
        ) { documentText($0, in: dialect) }.text
    }
}

private func table(_ apps: [WeekRow]) -> BlockTable {
    BlockTable(
        [
            .init("App"), .init("Status"), .init("Crash-free"), .init("Change"), .init("Alerts"),
            .init("Error budget"),
        ],
        name: 0,
        rows: apps.map { app in
            [
                [.link(app.name, to: app.stem.map { $0 + ".html" })],
                [.strong("\(app.verdict.mark) \(app.verdict.words)")],
                [.text(app.rate + (app.days.map { ", \($0)" } ?? ""))], [.text(app.change ?? "No data")],
                [.link(app.alerts, to: app.activityStem.map { $0 + ".html" })],
                [.text(app.budget ?? "No data")],
            ]
        })
}

/// What the table has no room for: releases, and the issue that changed most.
private func moreLines(_ app: WeekRow) -> [[Span]] {
    var lines: [[Span]] = []
    if !app.releases.isEmpty {
        let releases = app.releases.map { [Span.link($0.title, to: $0.stem.map { $0 + ".html" })] }
        lines.append([.strong(app.name), .text(", releases: ")] + releases.joined(separator: [.text("; ")]))
    }
    if let mover = app.mover, let change = app.moverChange {
        lines.append([
            .strong(app.name), .text(", biggest mover: "),
            .link(mover, to: app.moverStem.map { $0 + ".html" }),
            .text(" (\(change))"),
        ])
    }
    return lines
}
