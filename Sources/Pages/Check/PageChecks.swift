import Analysis
package import AppHealth
import Charts
import Formatting
import Statistics

/// The checks that a report makes of its own pages: the values on them against each other and against the figures.
extension AppReport {
    /// What does not agree on the overview.
    package func mismatches(in page: AppPage) -> [Mismatch] {
        let rate = page.tiles.first { $0.label == "Crash-free \(evidence.basis.rawValue)" }
        let active = page.tiles.first { $0.label == "Active users" }
        let lines = [
            rate.flatMap { lastPointMismatch(page.stability.chart, $0, on: lastDay) },
            active.flatMap { tile in
                page.usage.flatMap { lastPointMismatch($0.chart, tile, on: lastDay) }
            },
        ]
        return mismatches(in: page.tiles, page.charts) + lines.compactMap(\.self)
            + totalMismatches(on: lastDay)
    }

    /// What does not agree on the page of a release.
    package func mismatches(in page: ReleasePage) -> [Mismatch] {
        mismatches(in: page.tiles, page.charts)
    }

    /// What does not agree on the page of the use.
    package func mismatches(in page: UsagePage) -> [Mismatch] {
        let day = usageSource?.usage.last { $0.date <= evidence.lastDay }?.date ?? lastDay
        let daily = page.tiles.first { $0.label == "Daily active users" }
        let line = daily.flatMap { tile in
            page.chart.flatMap { lastPointMismatch($0.chart, tile, on: day) }
        }
        return mismatches(in: page.tiles, page.charts) + [line].compactMap(\.self)
    }

    /// What does not agree on the page of a day.
    package func mismatches(in page: DayPage, _ day: CivilDate) -> [Mismatch] {
        let rates = Basis.allCases.compactMap { basis -> Mismatch? in
            guard let crashed = evidence.health[day].flatMap(basis.crashedShare),
                let row = page.revisions.first(where: { $0.label == "Crash-free \(basis.rawValue)" })
            else { return nil }
            let counted = PercentFormat.crashFree(crashed).text
            guard row.known != counted else { return nil }
            return Mismatch(
                .number, "“\(row.label)” is not what its counts give", "shown: \(row.known)",
                "counted: \(counted)")
        }
        return rates + totalMismatches(on: day)
    }

    func mismatches(in tiles: [Figure], _ charts: [ChartView]) -> [Mismatch] {
        tiles.compactMap(numberMismatch) + charts.flatMap { shareMismatches($0.chart) }
    }
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
            .chartFile, "The file of “\(chart.title)” is not its table", "table: \($0.table)",
            "file: \($0.file)")
    }
}
