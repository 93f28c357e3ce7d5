import Analysis
import AppHealth
import Charts
import Estimates
import Formatting

extension AppScope {
    /// How many days the ranking of issues spans.
    private static let rankSpan = 14
    /// How many ranks it shows.
    private static let ranksShown = 8

    /// The users affected by each top issue on the last day: a share of the day's users with its Wilson interval,
    /// or a count with its exact Poisson interval when the day's users are not known.
    func issueUsersChart(_ issues: IssuesSection) -> ChartView? {
        guard let affected = issues.affectedUsers(on: facts.lastDay, limit: Self.ranksShown) else {
            return nil
        }
        let users = affected.users
        // Without a whole the bars are counts.
        if hidesCounts, users == nil { return nil }
        let rows = zip(distinctNames(of: affected.rows.map(\.issue)), affected.rows).map { name, row in
            IntervalBars.Row(label: name, value: row.value, interval: row.interval)
        }
        let whom = users.map { hidesCounts ? "" : "of \(countText($0)) " } ?? ""
        let error = deviationText(affected.deviation).map { " (users \($0))" } ?? ""
        return ChartView(
            figure: IntervalBars(
                name: "top-issues",
                title: "Users affected by each top issue, \(whom)on \(affected.day.compactText)\(error)",
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
        let ranked = ordered.compactMap { id, ranks in issues[id].map { (issue: $0.issue, ranks: ranks) } }
        let lines = zip(distinctNames(of: ranked.map(\.issue)), ranked).map { name, line in
            RankChart.Line(label: name, ranks: line.ranks)
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
        let days = dates(in: DateDomain(last: issue.window.lastDay, count: span))
        return issueChart(issues.events(of: issue, on: days, stability), span: span)
    }

    /// The same of its events by day.
    func issueChart(_ course: CountCourse?, span: Int = AppFacts.chartSpan) -> ChartView? {
        course.map { countChart(name: "issue-events", title: "Events, \(span) days", $0) }
    }
}

/// The names of the issues of one chart. Several of one place, or of one headline, have more behind it, so that no two
/// are the same.
private func distinctNames(of issues: [Issue]) -> [String] {
    let steps: [(Issue) -> String] = [\.name, { "\($0.name) · \($0.headline)" }, { "\($0.name) · \($0.id)" }]
    var names = issues.map { _ in "" }
    for step in steps {
        let taken = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        for place in issues.indices where taken[names[place], default: 0] > 1 || names[place].isEmpty {
            names[place] = step(issues[place])
        }
    }
    return names
}

extension Issue {
    /// Its headline; words of our own when the source has none.
    var headline: String { Self.headline(of: title) }

    /// That of an issue with a title.
    static func headline(of title: String) -> String { showsNothing(title) ? "(no title)" : title }

    /// Whether its headline shows nothing: a link made of it could not be followed.
    var isUntitled: Bool { Self.showsNothing(title) }

    private static func showsNothing(_ title: String) -> Bool { title.allSatisfy(\.isWhitespace) }

    /// `Atomic.swift:54`.
    var placeText: String? {
        place.map { place in place.line.map { "\(place.fileName):\($0)" } ?? place.fileName }
    }

    /// The place where it has one, else its headline: short enough to stand next to a mark.
    var name: String { placeText ?? headline }
}
