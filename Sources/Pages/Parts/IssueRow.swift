import Analysis
import AppHealth
import Charts
import Estimates
import Formatting
package import Templates

/// An issue as one row of a list.
package struct IssueRow: TemplateModel {
    package static let modelName = "issue-row"
    package var rank: Int
    /// How its rank moved, in lists of a day against the day before: `▲6`, `▼2`, `=`, `entered`, `new`; empty in other
    /// lists.
    package var movement: String
    /// How its rank of 7 days moved, in lists of several days, where the counts bear it out.
    package var weekRank: String?
    package var title: String
    package var place: String?
    package var stem: String?
    package var kind: String
    package var state: String
    package var users: String
    package var events: String
    package var share: String?
    package var versions: String
    package var signals: [String]
    package var sparkline: ChartView?

    /// Its state and its signals as labels.
    var chips: [ChipView] { ((state.isEmpty ? [] : [state]) + signals).map { ChipView($0) } }

    /// Whether the number of users is not hidden.
    var hasUsers: Bool { users != hiddenCountText }

    /// Whether the number of users is shown.
    var knowsUsers: Bool { hasUsers && users != "–" }

    /// `412 users`, `1 user`, or why the number is not there.
    var usersText: String {
        guard hasUsers else { return "user count hidden" }
        guard knowsUsers else { return "users unknown" }
        return users == "1" ? "1 user" : "\(users) users"
    }

    package static let fields: [Field<IssueRow>] = [
        .number("rank", "Its place in the list, from 1", \.rank),
        .text(
            "movement",
            "How its rank moved since the day before: `▲6`, `▼2`, `=`, `entered` for no event on the day before, `new` for first seen on the day; empty in lists of several days",
            \.movement),
        .optionalText(
            "weekRank",
            "In lists of several days how its rank of 7 days moved, where sure, such as `7-day rank 2, previously 4`",
            \.weekRank),
        .text("title", "Its headline, such as `Index out of range`", \.title),
        .optionalText("place", "Its place in the code, such as `Atomic.swift:54`", \.place),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .text("kind", "`crash`, `hang` or `error`", \.kind),
        .text(
            "state", "`open`, `closed` or `muted`; empty in a list of a day of which it is not known", \.state
        ),
        .text("users", "Distinct users, such as `412`; `–` when unknown", \.users),
        .flag("hasUsers", "True when the number of users is not hidden", \.hasUsers),
        .text(
            "usersText", "The same in words: `412 users`, `1 user`, `users unknown` or `user count hidden`",
            \.usersText),
        .text("events", "Events, such as `1,204`; `–` when unknown", \.events),
        .optionalText("share", "Its share, such as `2.83% of sessions of 4.2.1`", \.share),
        .text("versions", "The versions it was seen in, such as `4.2.1 – 4.3.0`", \.versions),
        .texts("signals", "Words that mark it, such as `regressed`", \.signals),
        .list("chips", "Its state and its signals as labels", \.chips),
        .text("stateText", "These labels in one line, such as `Open · New`") { lineText($0.chips) },
        .optional("sparkline", "Its days as a small chart; absent when the source has no days", \.sparkline),
    ]
}

extension IssueRow {
    /// The issues at some places of the list of all: most events of the window first, then most users, then by id.
    static func window(_ issues: IssuesSection, _ places: Range<Int>, in scope: AppScope) -> [IssueRow] {
        issues.all[places.clamped(to: issues.all.indices)].map { facts in
            var row = IssueRow(facts, rank: facts.rank, in: scope)
            row.events = scope.countOrDash(facts.listedEvents)
            row.users = scope.countOrDash(facts.issue.users)
            row.weekRank = facts.window.trend?.movedRankText
            row.share = facts.window.share.map { "\(shareText($0)) of sessions" }
            return row
        }
    }

    /// The top issues of a day.
    static func top(
        _ issues: [DayIssue], of summary: TopIssuesSummary?, limit: Int = .max, in scope: AppScope
    ) -> [IssueRow] {
        guard let summary else { return [] }
        return issues.prefix(limit).map { issue in
            var row = IssueRow(issue, on: summary.occasion.day, in: scope)
            row.movement = summary.hasDayBefore ? dayMove(issue, on: summary.occasion.day) : ""
            row.share = issue.share.map { share in
                "\(shareText(share.share)) of sessions" + (share.release.map { " of \($0)" } ?? "")
            }
            return row
        }
    }

    /// Issues to which the same happened on a day, with their users of it.
    static func rows(_ group: DayIssues.Group, on day: CivilDate, in scope: AppScope) -> [IssueRow] {
        group.issues.map { IssueRow($0, on: day, in: scope) }
    }

    /// Issues with what was counted of them in a release.
    static func rows(
        _ chosen: some Sequence<ReleaseIssue>, of release: ReleaseFacts, list: String,
        _ issues: ListedIssues, in scope: AppScope
    ) -> [IssueRow] {
        chosen.enumerated().compactMap { place, counted in
            issues[counted.id].map { known in
                var row = IssueRow(known, rank: place + 1, list: list, in: scope)
                let events = counted.events ?? 0
                row.events = events > 0 ? scope.countText(events) : "–"
                row.users = scope.countOrDash(known.users)
                row.share = counted.share.map { "\(shareText($0)) of sessions of \(release.label)" }
                return row
            }
        }
    }

    /// A row as of a day.
    private init(_ known: DayIssue, on day: CivilDate, in scope: AppScope) {
        self.init(
            known.issue, rank: known.rank ?? 0, list: "\(day)", known.values, known.versions, known.signals,
            in: scope)
        state = known.state?.rawValue ?? ""
        (users, events) = (scope.countOrDash(known.users), scope.countOrDash(known.events))
    }

    private init(_ known: ListedIssue, rank: Int, list: String, in scope: AppScope) {
        self.init(
            known.issue, rank: rank, list: list, known.values, known.versions, known.signals, in: scope)
    }

    private init(_ facts: IssueFacts, rank: Int, list: String = "all", in scope: AppScope) {
        self.init(
            facts.issue, rank: rank, list: list, facts.window.values, facts.versions, facts.signals, in: scope
        )
    }

    private init(
        _ issue: Issue, rank: Int, list: String, _ values: [Double?]?, _ versions: SeenVersions,
        _ signals: [IssueSignal], in scope: AppScope
    ) {
        let sparkline = values.map { values in
            ChartView(
                Sparkline(
                    name: "spark-\(list)-\(Slug(anyText: issue.id))",
                    title: scope.countTitle("Events, \(AppFacts.listSpan) days"),
                    unit: .count,
                    values: scope.shown(values), isFromZero: true))
        }
        self.init(
            rank: rank, movement: "", title: issue.headline, place: issue.placeText,
            stem: scope.stem(toIssue: issue.id), kind: issue.kind.rawValue,
            state: issue.state.rawValue, users: "–", events: "–", share: nil,
            versions: versionsText(versions), signals: signals.map(\.rawValue), sparkline: sparkline)
    }
}

private func versionsText(_ versions: SeenVersions) -> String {
    guard let first = versions.first ?? versions.last else { return "–" }
    let last = versions.last ?? first
    return first == last ? first : "\(first) – \(last)"
}

/// An issue that had no event on the day before entered the ranking; it is new only on the day on which it was first seen.
private func dayMove(_ issue: DayIssue, on day: CivilDate) -> String {
    guard let rank = issue.rank else { return "" }
    guard let previous = issue.previousRank else {
        return issue.issue.firstSeenDay == day ? "new" : "entered"
    }
    return previous == rank ? "=" : moveText(previous - rank)
}

/// `▲6`, `▼2`.
private func moveText(_ places: Int) -> String { places > 0 ? "▲\(places)" : "▼\(-places)" }

extension PercentFormat {
    /// The crash-free rate of a crashed share.
    static func crashFree(_ crashed: Fraction) -> Shown {
        // A fraction has a whole, so the unit is never said.
        crashFree(
            crashed: crashed.numerator, of: crashed.denominator, interval: crashed.complement.interval,
            unit: "")
    }

    /// A share, such as an adoption.
    static func share(_ share: Fraction) -> Shown {
        Self.share(share.numerator, of: share.denominator, interval: share.interval, unit: "")
    }
}

/// A share as text with decimals borne out by its interval: `2.83%`.
func shareText(_ share: Fraction) -> String { PercentFormat.share(share).rate }

/// A count, or a dash when it is not known.
func countOrDash(_ count: Int?) -> String { count.map(countText) ?? "–" }

/// A short label such as `Open`, with the word that data files and style sheets use.
package struct ChipView: TemplateModel, Hashable {
    package static let modelName = "chip"
    package var name: String
    package var text: String

    /// The label of a state or a signal.
    package init(_ name: String) {
        self.name = name
        self.text = chipText(name)
    }

    /// The label of what an issue is to a release, such as `New in 4.3.0`: in lists, `New` is said of the last days.
    init(_ name: String, in release: String) {
        self.name = name
        self.text = "\(chipText(name)) in \(release)"
    }

    package static let fields: [Field<ChipView>] = [
        .text("name", "The word in data files, such as `velocity`, for style sheets", \.name),
        .text("text", "The label, such as `Fast-rising`", \.text),
    ]
}

/// The labels of a line of text: `Open · New`.
func lineText(_ chips: [ChipView]) -> String { chips.map(\.text).joined(separator: " · ") }

/// The label of a state of an issue or a source, or of a signal: `Fast-rising` for `velocity`.
func chipText(_ name: String) -> String {
    switch name {
    case "velocity": "Fast-rising"
    case "loaded": "Up to date"
    case "unavailable": "Not available"
    case "insufficient": "Low precision"
    default: name.sentenceCased
    }
}
