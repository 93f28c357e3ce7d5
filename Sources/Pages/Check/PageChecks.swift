package import Analysis
package import AppHealth
import Charts
package import Diagnostics
import Estimates
import Formatting

/// The checks that a report makes of its own pages: the values on them against each other and against the figures.
extension AppPage {
    /// What does not agree on the overview.
    ///
    /// - Parameter conflicts: what does not add up in the figures of the last day.
    package func mismatches(_ facts: AppFacts, _ conflicts: [TotalConflict]) -> [Mismatch] {
        let rate = tiles.figure(facts.basis == .users ? .crashFreeUsers : .crashFreeSessions)
        let lines = [
            rate.flatMap { tile in
                stability.flatMap { lastPointMismatch($0.chart, tile, on: facts.lastDay) }
            },
            tiles.figure(.activeUsers).flatMap { tile in
                activeUsers.flatMap { lastPointMismatch($0, tile, on: facts.lastDay) }
            },
            tiles.figure(.events).flatMap { tile in
                eventCounts?.chart.flatMap { lastPointMismatch($0.chart, tile, on: facts.lastDay) }
            },
        ]
        return pageMismatches(tiles + (eventCounts?.figures ?? []), charts) + lines.compactMap(\.self)
            + conflicts.map { $0.mismatch(on: facts.lastDay) }
    }

    /// The chart of active users; in its place may be that of sessions, which are other numbers.
    private var activeUsers: (any Chart)? {
        usage.map(\.chart).flatMap { $0.name == FigureID.activeUsers.rawValue ? $0 : nil }
    }
}

extension ReleasePage {
    /// What does not agree on the page of a release.
    package var mismatches: [Mismatch] { pageMismatches(tiles, charts) }
}

extension ComparePage {
    /// What does not agree on the page of two releases.
    package var mismatches: [Mismatch] { pageMismatches(rates.flatMap(\.figures), charts) }
}

extension UsagePage {
    /// What does not agree on the page of the use, which ends with a day.
    package func mismatches(lastDay: CivilDate) -> [Mismatch] {
        let line = tiles.figure(.dailyActiveUsers).flatMap { tile in
            chart.flatMap { lastPointMismatch($0.chart, tile, on: lastDay) }
        }
        return pageMismatches(tiles, charts) + [line].compactMap(\.self)
    }
}

extension DayPage {
    /// What does not agree on the page of a day.
    ///
    /// - Parameter conflicts: what does not add up in its figures.
    package func mismatches(_ day: DaySection, _ conflicts: [TotalConflict]) -> [Mismatch] {
        let ids: [(FigureID, Basis)] = [(.crashFreeUsers, .users), (.crashFreeSessions, .sessions)]
        let rates = ids.compactMap { id, basis -> Mismatch? in
            guard let crashed = day.health.flatMap(basis.crashedShare),
                let row = revisions.first(where: { $0.id == id })
            else { return nil }
            let counted = PercentFormat.crashFree(crashed).text
            guard row.known != counted else { return nil }
            return Mismatch(
                .number, "“\(row.label)” doesn't match its counts", "shown: \(row.known)",
                "counted: \(counted)")
        }
        return rates + conflicts.map { $0.mismatch(on: day.date) }
    }
}

private func pageMismatches(_ tiles: [Figure], _ charts: [ChartView]) -> [Mismatch] {
    tiles.compactMap(numberMismatch) + charts.flatMap { shareMismatches($0.chart) }
}

extension [Figure] {
    /// The figure with a name.
    fileprivate func figure(_ id: FigureID) -> Figure? { first { $0.explanation.id == id.rawValue } }
}

extension PortfolioPage {
    /// What does not agree on the entry page.
    package var mismatches: [Mismatch] {
        apps.flatMap(\.mismatches) + charts.flatMap { shareMismatches($0.chart) }
    }
}

extension ListPage {
    /// What does not agree on a page of a list.
    package var mismatches: [Mismatch] { apps.flatMap(\.mismatches) }
}

extension AppRow {
    fileprivate var mismatches: [Mismatch] {
        [numberMismatch(crashFree), lastPointMismatch(sparkline.chart, crashFree, on: nil)].compactMap(\.self)
    }
}

extension ChartedPage {
    /// The charts whose file reports something else than their table.
    package var chartFileMismatches: [Mismatch] { charts.compactMap(\.fileMismatch) }
}

extension ChartView {
    /// Whether the file of the numbers reports what the table reports.
    var fileMismatch: Mismatch? {
        numbers.flatMap { chartFileMismatch(chart.title, $0.table, csv: $0.csv) }
    }
}

/// Whether a file of numbers reports what the table of a chart reports.
func chartFileMismatch(_ title: String, _ table: ChartTable, csv: String) -> Mismatch? {
    table.disagreement(withCSV: csv).map {
        Mismatch(
            .chartFile, "The file of “\(title)” differs from its table", "table: \($0.table)",
            "file: \($0.file)")
    }
}

/// Two values of a report that should agree and do not.
package struct Mismatch: Hashable, Sendable {
    /// What was checked.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        /// The parts of a total against the total.
        case total
        /// A share against the bounds of a share.
        case share
        /// The last point of a line against the number next to it.
        case lastPoint = "last-point"
        /// A number against the counts of its explanation.
        case number
        /// The HTML of a page against its Markdown.
        case markdown
        /// The file of a chart against its table.
        case chartFile = "chart-file"
    }

    /// What was checked.
    package let check: Check
    /// What does not agree, without the values: `Sessions of all releases exceed those of the day`.
    package let summary: String
    /// The one value, with what it is: `releases: 1,204`.
    package let first: String
    /// The other.
    package let second: String

    /// Makes a mismatch.
    package init(_ check: Check, _ summary: String, _ first: String, _ second: String) {
        self.check = check
        self.summary = summary
        self.first = first
        self.second = second
    }

    /// What is reported to a person, on the page and at the end of the run.
    package func diagnostic(on path: SitePath) -> Diagnostic {
        .error(
            "check.\(check.rawValue)", summary, details: [first, second],
            at: .file(path: "\(path.stem).html"),
            hints: [
                check == .markdown
                    ? "write the number in both templates of the page"
                    : "run 'plimsoll explain \(path.folder.dropLast())' and compare with the source"
            ])
    }
}

/// Whether a tile still shows what its counts say.
func numberMismatch(_ figure: Figure) -> Mismatch? {
    let shown: (value: String, interval: String?)? =
        switch figure.explanation.quantity {
        case .crashFree(let crashed, _): texts(PercentFormat.crashFree(crashed))
        case .share(let share, _, _): texts(PercentFormat.share(share))
        case .count(let count, _, _): (countText(count), nil)
        case .difference(let pair, _): (pair.value, pair.intervalText)
        case .change, .stated, .absent: nil
        }
    guard let shown, shown != (figure.value, figure.interval) else { return nil }
    return Mismatch(
        .number, "“\(figure.label)” doesn't match its counts",
        "shown: \(figure.value) (\(figure.interval ?? "–"))",
        "counted: \(shown.value) (\(shown.interval ?? "–"))")
}

private func texts(_ shown: PercentFormat.Shown) -> (String, String?) { (shown.rate, shown.interval) }

/// Whether the last value of a chart is the number of a tile of a day; nothing to say when either has none or
/// when they are of different days.
func lastPointMismatch(_ chart: any Chart, _ figure: Figure, on day: CivilDate?) -> Mismatch? {
    guard let (shown, last) = chart.table.lastValue, shown == day, let value = number(of: figure),
        last != value
    else { return nil }
    return Mismatch(
        .lastPoint, "The last point of “\(chart.title)” is not “\(figure.label)”", "last point: \(last)",
        "figure: \(value)")
}

private func number(of figure: Figure) -> Double? {
    switch figure.explanation.quantity {
    case .crashFree(let crashed, _): crashed.complement.value
    case .share(let share, _, _): share.value
    case .count(let count, _, _): Double(count)
    case .change, .difference, .stated, .absent: nil
    }
}

/// Rates of data files that are none.
package func shareMismatches(_ document: DataDocument) -> [Mismatch] {
    document.tables.flatMap { table in
        table.rows.flatMap { row in
            zip(table.columns, row).compactMap { column, cell in
                guard case .rate(let rate) = cell, !(0...1).contains(rate) else { return nil }
                return Mismatch(
                    .share, "“\(column)” of the table “\(table.name)” is outside 0 to 1", "value: \(rate)",
                    "bounds: 0 to 1")
            }
        }
    }
}

/// Values of a chart of rates that are none.
func shareMismatches(_ chart: any Chart) -> [Mismatch] {
    chart.table.ratesOutOfBounds.map {
        Mismatch(.share, "A value of “\(chart.title)” is outside 0 to 1", "value: \($0)", "bounds: 0 to 1")
    }
}

extension TotalConflict {
    /// The two counts that do not agree.
    fileprivate func mismatch(on day: CivilDate) -> Mismatch {
        switch self {
        case .sessionsOfReleases(let sum, let all):
            Mismatch(
                .total, "Release sessions exceed all sessions on \(day)",
                "sum of releases: \(countText(sum))", "all releases: \(countText(all))")
        case .sessionsOfRelease(let label, let sessions, let all):
            Mismatch(
                .total, "Sessions of \(label) exceed all sessions on \(day)",
                "sessions of the release: \(countText(sessions))", "all releases: \(countText(all))")
        case .usersOfIssue(let issue, let users, let all):
            Mismatch(
                .total, "Users of the issue in \(issue.label) exceed all users on \(day)",
                "users of the issue: \(countText(users))", "all users: \(countText(all))")
        }
    }
}
