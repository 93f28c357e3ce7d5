package import Analysis
import AppHealth
import Estimates
import Formatting
package import Templates

/// How much one app is used.
package struct UsagePage: TemplateModel {
    package static let modelName = "usage"
    package var frame: Frame
    package var name: String
    package var tiles: [Figure]
    package var chart: ChartView?
    package var sessions: ChartView?
    package var sessionsUnavailable: String?
    package var calendar: ChartView?
    package var rows: [UsageRow]
    package var hidesCounts: Bool
    package var unavailable: String?
    package var partial: String?
    package var parts: [LinkItem]

    package static let fields: [Field<UsagePage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .list("tiles", "The headline figures", \.tiles),
        .optional("chart", "Active users by day; absent when no source knows them", \.chart),
        .optional("sessions", "Sessions by day; absent when no source knows them", \.sessions),
        .optionalText(
            "sessionsUnavailable", "Why sessions are not known, when they are not", \.sessionsUnavailable),
        .optional(
            "calendar", "The verdict of each day over 26 weeks; absent when there is no rate", \.calendar),
        .list("rows", "The last 28 days, newest first", \.rows),
        .flag("hidesCounts", "True when numbers of users and sessions are hidden", \.hidesCounts),
        .optionalText("unavailable", "Why active users are not known, when they are not", \.unavailable),
        .optionalText(
            "partial",
            "How many of the last 28 days are partial, and how far users may be off; absent when all are exact",
            \.partial),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// The use of one day.
package struct UsageRow: TemplateModel, Hashable {
    package static let modelName = "usage-row"
    package var date: String
    package var daily: String
    package var weekly: String
    package var monthly: String
    package var new: String
    package var sessions: String
    package var stickiness: String

    package static let fields: [Field<UsageRow>] = [
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("daily", "Distinct users of the day; `–` when unknown", \.daily),
        .text("weekly", "Distinct users of the seven days to it", \.weekly),
        .text("monthly", "Distinct users of the month to it", \.monthly),
        .text("new", "Users seen for the first time", \.new),
        .text("sessions", "Sessions", \.sessions),
        .text("stickiness", "Daily of monthly users, such as `17.2%`", \.stickiness),
    ]
}

extension UsagePage {
    /// How much an app is used.
    package init(
        _ usage: UsageSection, _ stability: StabilitySection, _ facts: AppFacts, site: SiteFacts
    ) {
        let path = SitePath.part(.usage, of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        self.frame = Frame(
            path, title: "\(facts.app.name): usage", summary: "How much \(facts.app.name) is used",
            freshness: facts.freshnessSentence,
            crumbs: facts.app.way,
            hasData: true, site: site)
        self.name = facts.app.name
        self.tiles = scope.usageTiles(usage)
        self.chart = scope.usageChart(usage, stability)
        self.sessions = scope.sessionsChart(usage, stability)
        self.sessionsUnavailable = sessions == nil ? stability.nothing.words(for: .sessions) : nil
        self.calendar = scope.calendarChart(stability)
        self.rows =
            scope.hidesCounts
            ? []
            : (0..<AppFacts.listSpan).map { back in
                UsageRow(facts.lastCompleteDay.advanced(by: -back), usage, stability, in: scope)
            }
        self.hidesCounts = scope.hidesCounts
        self.unavailable = usage.source == nil ? usage.nothing.words(for: .usage) : nil
        self.partial = partialText(usage, stability, facts)
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

/// `Partial coverage on 28 of 28 days: counts of these days are too low.`, and the same of what other sources count.
private func partialText(
    _ usage: UsageSection, _ stability: StabilitySection, _ facts: AppFacts
) -> String? {
    func part(_ words: String, _ coverage: [CivilDate: Coverage]) -> String? {
        let days = (0..<AppFacts.listSpan).count {
            coverage[facts.lastCompleteDay.advanced(by: -$0)]?.isPartial == true
        }
        return days == 0
            ? nil : "\(words) on \(days) of \(AppFacts.listSpan) days: counts of these days are too low."
    }
    // The newest day says how its users are counted.
    let known = (0..<AppFacts.listSpan).lazy.compactMap {
        usage.coverage[facts.lastCompleteDay.advanced(by: -$0)]
    }
    let approximate = known.first?.deviationText.map { "Users \($0)." }
    let sessions = usage.sessionsCoverage.filter { usage.reportsSessions(stability, on: $0.key) }
    let sentences = [
        part("Partial coverage", usage.coverage),
        part("New users: partial coverage", usage.newUsersCoverage),
        part("Sessions: partial coverage", sessions), namedSentence(usage, facts), approximate,
    ].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
}

/// `Active users are partial on 3 of 28 days: those of 93% of the data of the month to Thu, Nov 19, 2026.`
private func namedSentence(_ usage: UsageSection, _ facts: AppFacts) -> String? {
    let shares = (0..<AppFacts.listSpan).compactMap { back -> (day: CivilDate, share: Double)? in
        let day = facts.lastCompleteDay.advanced(by: -back)
        return usage.namedShares[day].flatMap { $0 > 0 ? (day, $0) : nil }
    }
    guard let newest = shares.first else { return nil }
    let share = PercentFormat(decimals: 0).text(newest.share)
    return """
        Active users are partial on \(shares.count) of \(AppFacts.listSpan) days: those of \(share) of the data of the month \
        to \(newest.day.compactText).
        """
}

extension AppScope {
    /// The headline figures of use.
    func usageTiles(_ usage: UsageSection) -> [Figure] {
        let (source, day, newUsersDay) = (usage.source, usage.lastDay, usage.lastDayOfNewUsers)
        let when = "on \(day.compactText)"
        func figure(_ id: FigureID, _ part: KeyPath<UsageDay, Int?>, _ detail: String) -> Figure {
            Figure(id, count: usage.count(on: day, part), detail: detail, from: source, in: self)
        }
        let stickiness = Figure(
            .stickiness, share: usage.stickiness, "daily active users", of: "monthly active users",
            from: source, in: self)
        guard !hidesCounts else { return [stickiness] }
        return [
            figure(.dailyActiveUsers, \.activeUsers, when),
            figure(.weeklyActiveUsers, \.weeklyActiveUsers, "7 days to \(day.compactText)"),
            figure(.monthlyActiveUsers, \.monthlyActiveUsers, "the month to \(day.compactText)"),
            stickiness,
            Figure(
                .newUsers, count: usage.count(on: newUsersDay, \.newUsers),
                detail: "on \(newUsersDay.compactText)", from: usage.newUsersSource ?? source, in: self),
        ]
    }
}

extension UsageRow {
    /// The use of a day; one without any figure stays a row of dashes.
    fileprivate init(
        _ date: CivilDate, _ usage: UsageSection, _ stability: StabilitySection, in scope: AppScope
    ) {
        let day = usage.byDate[date]
        self.init(
            date: date.description,
            daily: scope.countOrDash(usage.source == nil ? stability.health[date]?.users : day?.activeUsers),
            weekly: scope.countOrDash(day?.weeklyActiveUsers),
            monthly: scope.countOrDash(day?.monthlyActiveUsers),
            new: scope.countOrDash(day?.newUsers),
            sessions: scope.countOrDash(usage.sessions(on: date, stability)),
            stickiness: usage.stickiness(on: date).map {
                PercentFormat(decimals: 1).text($0.numerator, of: $0.denominator)
            } ?? "–")
    }
}
