import Analysis
package import AppHealth
import Charts
import Formatting
import Statistics

extension AppReport {
    /// All issues as rows: most events of the window first, then most users, then by id.
    func issueRows(_ links: Links, limit: Int = .max) -> [IssueRow] {
        rankedIssues.prefix(limit).enumerated().map { index, issue in
            windowRow(issue, rank: index + 1, links)
        }
    }

    /// The issues of a day as rows.
    func issueRows(of summary: TopIssuesSummary, _ links: Links, limit: Int = .max) -> [IssueRow] {
        let hasDayBefore =
            summary.entries.contains { $0.previousRank != nil }
            || evidence.health[summary.occasion.day.advanced(by: -1)] != nil
        return summary.entries.prefix(limit).map { entry in
            var row = row(entry.issue, rank: entry.rank, in: "\(summary.occasion.day)", links)
            row.movement = hasDayBefore ? movement(entry) : ""
            row.users = countText(entry.users)
            row.events = countOrDash(entry.events)
            row.share = dayShare(of: entry.issue, on: summary.occasion.day)
            return row
        }
    }

    /// An issue as a row with its users of one day.
    func dayRow(of issue: Issue, on day: CivilDate, _ links: Links) -> IssueRow {
        var row = row(issue, rank: 0, in: "\(day)", links)
        let counted = evidence.issueDays[issue.id]?.last { $0.date == day }
        (row.users, row.events) = (countOrDash(counted?.users), countOrDash(counted?.events))
        return row
    }

    /// The issues with the most events in a release, or those first seen in it.
    func issueRows(inRelease label: String, onlyNew: Bool, _ links: Links, limit: Int) -> [IssueRow] {
        let counted = evidence.issueReleaseDays.compactMap { id, days -> (Issue, Int)? in
            guard let issue = evidence.issuesByID[id] else { return nil }
            let events = days.filter { $0.version == label }.reduce(0) { $0 &+ ($1.events ?? 0) }
            return events > 0 ? (issue, events) : nil
        }
        let chosen = onlyNew ? newIssues(in: label, counted) : counted
        return chosen.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.id < $1.0.id }.prefix(limit).enumerated().map
        {
            var row = row($1.0, rank: $0 + 1, in: onlyNew ? "new" : "top", links)
            row.events = $1.1 > 0 ? countText($1.1) : "–"
            row.users = countOrDash(users(of: $1.0, inRelease: label))
            row.share = share(events: $1.1, ofReleases: label)
            return row
        }
    }

    /// Users of an issue in a release: only all its users are known, so that it must have been seen in no other.
    func users(of issue: Issue, inRelease label: String) -> Int? {
        let days = evidence.issueReleaseDays[issue.id] ?? []
        return days.allSatisfy { $0.version == label } ? issue.users : nil
    }

    /// The issues that came back in a release.
    func regressedRows(inRelease label: String, _ links: Links) -> [IssueRow] {
        regressedIssues(in: label).enumerated().map { place, issue in
            var row = row(issue, rank: place + 1, in: "back", links)
            row.users = countOrDash(users(of: issue, inRelease: label))
            return row
        }
    }

    /// The summary of a day.
    func summary(of day: CivilDate) -> TopIssuesSummary? { index.summaries[day] }

    /// How much of the affected users the first issue of a day explains.
    func coverage(of summary: TopIssuesSummary) -> String? {
        guard let coverage = summary.coverage, let number = coverageNumber(of: summary) else { return nil }
        if hidesCounts { return "\(number.value) of the users who met a crash were hit by 1 issue." }
        return
            "\(number.value) of the \(countText(coverage.denominator)) users who met a crash were hit by 1 issue."
    }

    /// What is known of an issue's headline; words of our own when the source has none.
    func title(of issue: Issue) -> String { issue.title.isEmpty ? "(no title)" : issue.title }

    /// All issues: most events of the window first, then most users, then by id.
    package var rankedIssues: [Issue] {
        evidence.issuesByID.values.sorted { first, second in
            let left = (listedEvents(of: first) ?? 0, first.users ?? 0)
            let right = (listedEvents(of: second) ?? 0, second.users ?? 0)
            return left != right ? left > right : first.id < second.id
        }
    }

    /// Whether the source of the issues tells their days, so that lists count a window and not a life.
    var countsIssueDays: Bool { evidence.issues?.source.capabilities.contains(.issueDays) == true }

    /// The events that lists show: those of the window, or of the issue's life where the source has no days.
    private func listedEvents(of issue: Issue) -> Int? {
        countsIssueDays ? windows.events[issue.id] : issue.events
    }

    private func newIssues(in label: String, _ counted: [(Issue, Int)]) -> [(Issue, Int)] {
        let events = Dictionary(counted.map { ($0.0.id, $0.1) }, uniquingKeysWith: { first, _ in first })
        return evidence.issuesByID.values.filter { $0.firstVersion?.label == label }
            .map { ($0, events[$0.id] ?? 0) }
    }

    private func windowRow(_ issue: Issue, rank: Int, _ links: Links) -> IssueRow {
        var row = row(issue, rank: rank, links)
        row.events = countOrDash(listedEvents(of: issue))
        row.users = countOrDash(issue.users)
        row.movement = trends.byIssue[issue.id]?.move.map(moveText) ?? ""
        row.share = windowShare(of: issue).map { "\(shareText($0)) of sessions" }
        return row
    }

    /// The events of an issue in the window against the sessions of the window.
    func windowShare(of issue: Issue) -> Fraction? {
        guard let events = windows.events[issue.id], let sessions = windows.sessions else { return nil }
        return Fraction(events, of: sessions)
    }

    private func row(_ issue: Issue, rank: Int, in list: String = "all", _ links: Links) -> IssueRow {
        IssueRow(
            rank: rank, movement: "", title: title(of: issue), place: place(of: issue),
            stem: links.stem(to: .issue(issue.id, of: app.id)), kind: issue.kind.rawValue,
            state: issue.state.rawValue, users: "–", events: "–", share: nil, versions: versions(of: issue),
            signals: signals(of: issue), sparkline: sparkline(of: issue, in: list))
    }

    /// `Atomic.swift:54`.
    func place(of issue: Issue) -> String? {
        issue.place.map { place in place.line.map { "\(place.fileName):\($0)" } ?? place.fileName }
    }

    /// Words that mark an issue, from the events of the last seven days, its trend and mutes that name it.
    func signals(of issue: Issue) -> [String] {
        // The state of the issue itself may say so already.
        let words = (index.signals[issue.id] ?? []).subtracting(issue.state == .muted ? ["muted"] : [])
        return words.union(trends.byIssue[issue.id]?.words ?? []).sorted()
    }

    private func sparkline(of issue: Issue, in list: String) -> ChartView? {
        guard let values = windows.values[issue.id] else { return nil }
        return ChartView(
            Sparkline(
                name: "spark-\(list)-\(Slug(anyText: issue.id))",
                title: countTitle("Events, \(Self.issueSpan) days"),
                unit: .count,
                values: shown(values)))
    }

    private func versions(of issue: Issue) -> String {
        guard let first = issue.firstVersion?.label ?? issue.lastVersion?.label else { return "–" }
        let last = issue.lastVersion?.label ?? first
        return first == last ? first : "\(first) – \(last)"
    }

    private func movement(_ entry: TopIssuesSummary.Entry) -> String {
        guard let previous = entry.previousRank else { return "new" }
        if previous == entry.rank { return "=" }
        return moveText(previous - entry.rank)
    }

    /// `▲6`, `▼2`.
    private func moveText(_ places: Int) -> String { places > 0 ? "▲\(places)" : "▼\(-places)" }

    /// The share of the sessions of the issue's busiest release on the day, else of all sessions.
    private func dayShare(of issue: Issue, on day: CivilDate) -> String? {
        let inReleases = evidence.issueReleaseDays[issue.id] ?? []
        // By their places: the list is long, and every copied day costs.
        let ofDay = inReleases.indices.filter { inReleases[$0].date == day }.map { inReleases[$0] }
        let busiest = ofDay.max { ($0.events ?? 0, $0.version ?? "") < ($1.events ?? 0, $1.version ?? "") }
        if let busiest, let label = busiest.version, let events = busiest.events,
            let sessions = evidence.releaseHealth[.init(date: day, version: label)]?.sessions,
            let share = Fraction(events, of: sessions)
        {
            return "\(shareText(share)) of sessions of \(label)"
        }
        let all = evidence.issueDays[issue.id]?.last { $0.date == day }?.events
        guard let all, let sessions = evidence.health[day]?.sessions, let share = Fraction(all, of: sessions)
        else { return nil }
        return "\(shareText(share)) of sessions"
    }

    private func share(events: Int, ofReleases label: String) -> String? {
        guard let sessions = releaseTotals(label).sessions, let share = Fraction(events, of: sessions)
        else { return nil }
        return "\(shareText(share)) of sessions of \(label)"
    }
}
