import Analysis
import AppHealth
import Charts
import Formatting
import Statistics

extension AppReport {
    /// The crash-free rate of 28 days with the shape of the verdict at its end.
    var panel: SmallMultiples.Panel {
        let domain = DateDomain(last: evidence.lastDay, count: Self.issueSpan)
        return SmallMultiples.Panel(
            label: "\(app.name), \(evidence.basis.rawValue)", points: stabilityPoints(in: domain),
            target: targets.target, endMark: endMark)
    }

    /// The shape that says what the verdict says.
    var endMark: Sparkline.EndMark {
        switch Verdict(on: crashed(on: lastDay, evidence.basis).value, against: targets) {
        case .critical: .critical
        case .misses: .warning
        case .meets, .notEnoughData, .unknown: .plain
        }
    }
}

/// How many apps the chart of all apps shows: those that need attention most.
private let panelLimit = 12

/// The crash-free rates of the apps on one scale; nil for fewer than two apps.
func ratesChart(_ digests: [AppSummaryRow]) -> ChartView? {
    guard digests.count > 1, let last = digests.map(\.chartDay).max() else { return nil }
    let shown = digests.prefix(panelLimit)
    let more = digests.count > shown.count ? " (\(shown.count) of \(countText(digests.count)) apps)" : ""
    return ChartView(
        figure: SmallMultiples(
            name: "rates", title: "Crash-free rates on one scale, \(AppReport.issueSpan) days\(more)",
            unit: .rate, domain: DateDomain(last: last, count: AppReport.issueSpan),
            panels: shown.map(\.panel)))
}
