import Analysis
import AppHealth
import Charts
import Estimates
import Formatting

extension AppScope {
    /// How many weeks the calendar spans.
    private static let calendarWeeks = 26

    /// The verdict of each day; nil when there is no rate at all.
    func calendarChart(_ stability: StabilitySection, span: Int? = nil) -> ChartView? {
        let domain = DateDomain(last: facts.lastCompleteDay, count: span ?? Self.calendarWeeks * 7)
        let length = span.map { "\($0) days" } ?? "\(Self.calendarWeeks) weeks"
        let days = stability.rates(facts.basis, on: dates(in: domain)).days.map { calendarDay($0, stability) }
        guard days.contains(where: { $0.level != nil }) else { return nil }
        return ChartView(
            figure: CalendarChart(
                name: "verdicts", title: "Daily status, \(length)", domain: domain,
                days: days))
    }

    private func calendarDay(_ rate: RateDay, _ stability: StabilitySection) -> CalendarChart.Day {
        let day = rate.date
        guard let crashed = rate.crashed else { return .init(day, absent: rate.absence.mark) }
        let level: CalendarChart.Level? =
            switch stability.verdicts[day] ?? .unknown {
            case .meets: .meets
            case .misses: .misses
            case .critical: .critical
            case .notEnoughData: .unsure
            case .unknown: nil
            }
        return level.map {
            .init(
                day, $0,
                detail: "\(PercentFormat.crashFree(crashed).text) of \(facts.basis.rawValue) crash-free")
        } ?? .init(day, absent: .missing)
    }
}

extension AppScope {
    /// Active users by day; nil when no source knows them.
    func usageChart(
        _ usage: UsageSection, _ stability: StabilitySection, span: Int = AppFacts.chartSpan
    ) -> ChartView? {
        guard usage.source != nil else { return nil }
        let domain = DateDomain(last: facts.lastCompleteDay, count: span)
        let withWeekBefore = dates(in: DateDomain(last: facts.lastCompleteDay, count: span + 7))
        let course = usage.activeUsers(on: withWeekBefore, leading: 7, stability)
        return ChartView(
            figure: LineChart.againstTheWeekBefore(
                name: "active-users", title: countTitle("Active users, \(span) days"), domain: domain,
                points: shown(points(course)).0, trend: course.trend.map(SeriesTrend.init)))
    }

    /// Sessions by day; nil when no source knows them.
    func sessionsChart(
        _ usage: UsageSection, _ stability: StabilitySection, span: Int = AppFacts.chartSpan
    ) -> ChartView? {
        guard stability.countsSessions || usage.reportsSessions(stability) else { return nil }
        let days = dates(in: DateDomain(last: facts.lastCompleteDay, count: span))
        return countChart(
            name: "sessions", title: "Sessions, \(span) days", usage.sessions(on: days, stability))
    }
}
