package import Analysis
package import AppHealth
import Charts
import Formatting
import Statistics

/// The checks that a report makes of its own pages: the values on them against each other and against the figures.
extension AppAnalysis {
    /// What does not agree on the overview.
    package func mismatches(in page: AppPage) -> [Mismatch] {
        let rate = page.tiles.figure(facts.basis == .users ? .crashFreeUsers : .crashFreeSessions)
        let lines = [
            rate.flatMap { lastPointMismatch(page.stability.chart, $0, on: facts.lastDay) },
            page.tiles.figure(.activeUsers).flatMap { tile in
                page.usage.flatMap { lastPointMismatch($0.chart, tile, on: facts.lastDay) }
            },
        ]
        return pageMismatches(page.tiles, page.charts) + lines.compactMap(\.self)
            + totalMismatches(on: facts.lastDay)
    }

    /// What does not agree on the page of a release.
    package func mismatches(in page: ReleasePage) -> [Mismatch] {
        pageMismatches(page.tiles, page.charts)
    }

    /// What does not agree on the page of two releases.
    package func mismatches(in page: ComparePage) -> [Mismatch] {
        pageMismatches(page.rates.flatMap(\.figures), page.charts)
    }

    /// What does not agree on the page of the use.
    package func mismatches(in page: UsagePage) -> [Mismatch] {
        let line = page.tiles.figure(.dailyActiveUsers).flatMap { tile in
            page.chart.flatMap { lastPointMismatch($0.chart, tile, on: usage.lastDay) }
        }
        return pageMismatches(page.tiles, page.charts) + [line].compactMap(\.self)
    }

    /// What does not agree on the page of a day.
    package func mismatches(in page: DayPage, _ day: CivilDate) -> [Mismatch] {
        let ids: [(FigureID, Basis)] = [(.crashFreeUsers, .users), (.crashFreeSessions, .sessions)]
        let rates = ids.compactMap { id, basis -> Mismatch? in
            guard let crashed = stability.health[day].flatMap(basis.crashedShare),
                let row = page.revisions.first(where: { $0.id == id })
            else { return nil }
            let counted = PercentFormat.crashFree(crashed).text
            guard row.known != counted else { return nil }
            return Mismatch(
                .number, "“\(row.label)” doesn't match its counts", "shown: \(row.known)",
                "counted: \(counted)")
        }
        return rates + totalMismatches(on: day)
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
        apps.flatMap { app in
            [
                numberMismatch(app.crashFree),
                lastPointMismatch(app.sparkline.chart, app.crashFree, on: nil),
            ].compactMap(\.self)
        } + charts.flatMap { shareMismatches($0.chart) }
    }
}

extension ChartedPage {
    /// The charts whose file tells something else than their table.
    package var chartFileMismatches: [Mismatch] { charts.compactMap(\.fileMismatch) }
}

extension ChartView {
    /// Whether the file of the numbers tells what the table tells.
    var fileMismatch: Mismatch? {
        guard let csv = files.first(where: { $0.name.hasSuffix(".csv") })?.text else { return nil }
        return chartFileMismatch(chart, csv: csv)
    }
}

/// Whether a file of numbers tells what the table of its chart tells.
func chartFileMismatch(_ chart: any Chart, csv: String) -> Mismatch? {
    chart.table.disagreement(withCSV: csv).map {
        Mismatch(
            .chartFile, "The file of “\(chart.title)” differs from its table", "table: \($0.table)",
            "file: \($0.file)")
    }
}
