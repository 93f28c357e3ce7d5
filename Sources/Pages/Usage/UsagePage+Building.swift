import Analysis
import AppHealth
import Formatting
import Statistics

extension UsagePage {
    /// How much an app is used.
    package init(_ report: AppReport, site: SiteFacts) {
        let path = SitePath.part(.usage, of: report.app.id)
        let links = site.links(from: path)
        self.frame = Frame(
            path, title: "\(report.app.name): usage", summary: "How much \(report.app.name) is used",
            freshness: report.freshness,
            crumbs: [("Apps", .portfolio), (report.app.name, .app(report.app.id))],
            hasData: true, site: site)
        self.name = report.app.name
        self.tiles = report.usageTiles
        self.chart = report.usageChart()
        self.sessions = report.sessionsChart()
        self.calendar = report.calendarChart()
        self.rows = report.hidesCounts ? [] : report.usageRows
        self.hidesCounts = report.hidesCounts
        self.unavailable = report.why(no: .usage)
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension AppReport {
    /// Sessions by day; nil when no source knows them.
    func sessionsChart(span: Int = AppReport.chartSpan) -> ChartView? {
        source(knowing: .sessions).map { _ in
            countChart(
                name: "sessions", title: "Sessions, \(span) days", span: span, isProvisional: isProvisional
            ) { evidence.health[$0]?.sessions }
        }
    }

    /// The headline figures of use.
    var usageTiles: [Figure] {
        let day = usageSource?.usage.last { $0.date <= evidence.lastDay }?.date ?? lastDay
        let month = usage(on: day) { $0.monthlyActiveUsers }
        let stickiness = usage(on: day, \.activeUsers).map(orUnavailable: "no monthly active users") {
            daily in
            month.value.flatMap { Fraction(daily, of: $0) }
        }
        let (origin, when) = (usageSource.map(Explanation.Origin.init), "on \(day.compactText)")
        let stickinessFigure = Figure(
            "Stickiness", share: stickiness, "daily active users", of: "monthly active users", from: origin,
            for: audience)
        guard !hidesCounts else { return [stickinessFigure] }
        return [
            Figure("Daily active users", count: usage(on: day, \.activeUsers), detail: when, from: origin),
            Figure(
                "Weekly active users", count: usage(on: day, \.weeklyActiveUsers),
                detail: "7 days to \(day.compactText)", from: origin),
            Figure(
                "Monthly active users", count: month, detail: "the month to \(day.compactText)", from: origin),
            stickinessFigure,
            Figure("New users", count: usage(on: day, \.newUsers), detail: when, from: origin),
        ]
    }

    /// The last 28 days, newest first; a day without any figure stays a row of dashes.
    fileprivate var usageRows: [UsageRow] {
        let days = Dictionary((usageSource?.usage ?? []).map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        return (0..<Self.issueSpan).map { offset in
            let date = evidence.lastDay.advanced(by: -offset)
            let day = days[date]
            let share = day?.activeUsers.flatMap { daily in
                day?.monthlyActiveUsers.flatMap { Fraction(daily, of: $0) }
            }
            return UsageRow(
                date: date.description,
                daily: countOrDash(usageSource == nil ? evidence.health[date]?.users : day?.activeUsers),
                weekly: countOrDash(day?.weeklyActiveUsers), monthly: countOrDash(day?.monthlyActiveUsers),
                new: countOrDash(day?.newUsers),
                sessions: countOrDash(
                    evidence.stability == nil ? day?.sessions : evidence.health[date]?.sessions),
                stickiness: share.map { PercentFormat(decimals: 1).text($0.numerator, of: $0.denominator) }
                    ?? "–")
        }
    }
}
