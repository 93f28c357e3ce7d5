import Analysis
import AppHealth
import Charts
import Formatting
import Statistics

extension AppScope {
    /// How many days the ranking of issues spans.
    private static let rankSpan = 14
    /// How many ranks it shows.
    private static let ranksShown = 8

    /// The users affected by each top issue on the last day: a share of the day's users with its Wilson interval,
    /// or a count with its exact Poisson interval when the day's users are not known.
    func issueUsersChart(_ issues: IssuesSection) -> ChartView? {
        guard let summary = issues.summaries[facts.lastDay], summary.ranking == .users else { return nil }
        let entries = summary.entries.prefix(Self.ranksShown).compactMap { entry in
            entry.users.map { (name: entry.issue.name, users: $0) }
        }
        let users = summary.users.flatMap { users in
            entries.allSatisfy { $0.users <= users } && users > 0 ? users : nil
        }
        // Without a whole the bars are counts.
        if hidesCounts, users == nil { return nil }
        let rows = entries.map { entry in
            IntervalBars.Row(
                label: entry.name,
                value: users.map { shown(rate: Double(entry.users) / Double($0)) } ?? Double(entry.users),
                interval: users.map { shown(wilsonInterval(successes: entry.users, of: $0)) }
                    ?? poissonInterval(entry.users))
        }
        let whom = users.map { hidesCounts ? "" : "of \(countText($0)) " } ?? ""
        return ChartView(
            figure: IntervalBars(
                name: "top-issues",
                title: "Users affected by each top issue, \(whom)on \(facts.lastDay.compactText)",
                unit: users == nil ? .count : .rate, subject: "issues", rows: rows))
    }

    /// How the issues moved in the daily rankings by what the last day ranks them by; nil when no day has one.
    func issueRanksChart(_ issues: IssuesSection, span: Int? = nil) -> ChartView? {
        let span = span ?? Self.rankSpan
        let days = (0..<span).map { facts.lastDay.advanced(by: $0 + 1 - span) }
        guard
            let basis = days.reversed().lazy.compactMap({ issues.summaries[$0] }).first(where: {
                !$0.entries.isEmpty
            })?.ranking
        else { return nil }
        var ranks: [String: [Int?]] = [:]
        for (index, day) in days.enumerated() where issues.summaries[day]?.ranking == basis {
            for entry in issues.summaries[day]?.entries ?? [] where entry.rank <= Self.ranksShown {
                ranks[entry.issue.id, default: Array(repeating: nil, count: days.count)][index] = entry.rank
            }
        }
        guard !ranks.isEmpty else { return nil }
        let ordered = ranks.sorted { first, second in
            let left = first.value.last.flatMap(\.self) ?? .max
            let right = second.value.last.flatMap(\.self) ?? .max
            return (left, first.key) < (right, second.key)
        }
        let lines = ordered.compactMap { id, ranks in
            issues[id].map { RankChart.Line(label: $0.issue.name, ranks: ranks) }
        }
        return ChartView(
            figure: RankChart(
                name: "ranks", title: "Rank by \(basis.rawValue), \(span) days", days: days, lines: lines,
                limit: Self.ranksShown))
    }

    /// The events of an issue by day; nil when the source does not count them by day.
    func issueChart(
        _ issue: IssueFacts, _ issues: IssuesSection, _ stability: StabilitySection,
        span: Int = AppFacts.chartSpan
    ) -> ChartView? {
        guard let days = issue.days else { return nil }
        let byDate = Dictionary(days.map { ($0.date, $0.events) }, uniquingKeysWith: { $1 })
        return countChart(
            name: "issue-events", title: "Events, \(span) days", span: span, stability,
            expectation: expectedRanges, isProvisional: issues.isProvisional
        ) { day in
            // A day of which every issue is known and that has no row is a zero.
            byDate[day] ?? (issues.wholeDays.contains(day) ? 0 : nil)
        }
    }
}

extension Issue {
    /// Its headline; words of our own when the source has none.
    var headline: String { title.isEmpty ? "(no title)" : title }

    /// `Atomic.swift:54`.
    var placeText: String? {
        place.map { place in place.line.map { "\(place.fileName):\($0)" } ?? place.fileName }
    }

    /// The place where it has one, else its headline: short enough to stand next to a mark.
    var name: String { placeText ?? headline }
}

/// The exact 95% interval of a Poisson count.
///
/// F. Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28 (1936) 437–442: quantiles of gamma
/// distributions.
private func poissonInterval(_ count: Int) -> Interval? {
    guard count >= 0 else { return nil }
    let lower = count == 0 ? 0 : gammaQuantile(Tails(lower: 0.025), shape: Double(count))
    let upper = gammaQuantile(Tails(upper: 0.025), shape: Double(count) + 1)
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
}
