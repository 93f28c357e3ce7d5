import Analysis
import AppHealth
import Charts
import Estimates
import Formatting

/// The course of headline figures: their last 28 days, and the change against the same weekday a week before.
extension AppScope {
    /// The headline figures of the overview of an app, each with its course.
    func overviewTilesWithTrends(
        _ stability: StabilitySection, _ usage: UsageSection, _ events: ReportedEvents?,
        _ issues: IssuesSection, _ last: DaySection
    ) -> [Figure] {
        let sessionsDay = sessionsDay(stability, usage, last.date)
        let usersDay = usersDay(stability, usage, last.date)
        return overviewTiles(stability, usage, events, issues, last).map { tile in
            switch FigureID(rawValue: tile.explanation.id) {
            case .crashFreeUsers?: trended(tile, .users, stability, through: last.date)
            case .crashFreeSessions?: trended(tile, .sessions, stability, through: last.date)
            case .activeUsers?:
                trended(tile, usage.change(on: usersDay, stability)) { usage.users(on: $0, stability) }
            case .sessions?:
                trended(tile, usage.sessionChange(on: sessionsDay, stability)) {
                    usage.sessions(on: $0, stability)
                }
            case .events?:
                trended(tile, events?.change(on: last.date)) { events?[$0] }
            default: tile
            }
        }
    }

    /// A crash-free rate with its course.
    private func trended(
        _ tile: Figure, _ basis: Basis, _ stability: StabilitySection, through last: CivilDate
    ) -> Figure {
        let day = stability.newestDay(of: basis, through: last)
        let rates = points(stability.rates(basis, on: trendDays)).map(\.value)
        return tile.trended(rates, unit: .rate, change: stability.change(on: day, basis)?.text)
    }

    /// A count with its course.
    private func trended(
        _ tile: Figure, _ change: CountChange?, _ count: (CivilDate) -> Int?
    ) -> Figure {
        tile.trended(
            shown(trendDays.map { count($0).map(Double.init) }), unit: .count,
            change: change.flatMap { change in
                change.growth.map { "\(growthText($0)) vs. \(change.before.compactText)" }
            })
    }

    /// The days of lists, the last complete one at the end.
    private var trendDays: [CivilDate] {
        dates(in: DateDomain(last: facts.lastCompleteDay, count: AppFacts.listSpan))
    }
}

extension Figure {
    /// The figure with the values of its last days, if there are any, and its change.
    fileprivate func trended(_ values: [Double?], unit: ChartUnit, change: String?) -> Figure {
        var figure = self
        guard value != "–" else { return figure }
        figure.change = change
        if values.contains(where: { $0 != nil }) {
            figure.trend = Sparkline(
                name: "trend-\(explanation.id)", title: "\(label), \(AppFacts.listSpan) days", unit: unit,
                values: values)
        }
        return figure
    }
}

/// How much a count grew or shrank: `+3.2%`, `−12.0%`.
func growthText(_ growth: Double) -> String {
    let text = decimalText(growth * 100, decimals: 1)
    return (text.hasPrefix("−") || text == "0.0" ? "" : "+") + groupedText(text) + "%"
}
