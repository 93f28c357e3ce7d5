import Analysis
import AppHealth
import Charts
import Formatting
import Statistics

extension AppReport {
    /// How many weeks the calendar spans.
    private static let calendarWeeks = 26

    /// The verdict of each day; nil when there is no rate at all.
    func calendarChart(span: Int? = nil) -> ChartView? {
        let domain = DateDomain(last: evidence.lastDay, count: span ?? Self.calendarWeeks * 7)
        let length = span.map { "\($0) days" } ?? "\(Self.calendarWeeks) weeks"
        let days = dates(in: domain).map(calendarDay)
        guard days.contains(where: { $0.level != nil }) else { return nil }
        return ChartView(
            figure: CalendarChart(
                name: "verdicts", title: "Verdict of each day, \(length)", domain: domain,
                days: days))
    }

    private func calendarDay(_ day: CivilDate) -> CalendarChart.Day {
        guard let crashed = evidence.crashedShare(on: day) else {
            return .init(
                day, absent: point(on: day, evidence.health[day], evidence.basis).absence ?? .missing)
        }
        let level: CalendarChart.Level? =
            switch Verdict(on: crashed, against: targets) {
            case .meets: .meets
            case .misses: .misses
            case .critical: .critical
            case .notEnoughData: .unsure
            case .unknown: nil
            }
        return level.map {
            .init(
                day, $0,
                detail: "\(PercentFormat.crashFree(crashed).text) of \(evidence.basis.rawValue) crash-free")
        } ?? .init(day, absent: .missing)
    }
}
