import Analysis
import AppHealth
import Estimates
import Formatting

/// The numbers of pages that are no tiles, each made once for the page and for its explanation.
extension AppScope {
    /// The change of the crash-free rate against the same weekday a week before.
    func changeNumber(_ day: DaySection, from source: SourceFacts?) -> Explanation? {
        day.change.map { change in
            let unit = facts.basis.rawValue
            let (now, before) = (day.date.compactText, change.before.compactText)
            return Explanation(
                id: FigureID.change.rawValue, label: "\(labels[.change]) of crash-free \(unit)",
                value: change.pointsText,
                window: "\(now) vs. \(before)",
                quantity: .change(
                    change.now, since: change.then, unit: unit, days: "\(now) minus \(before)"),
                origin: source.map(Explanation.Origin.init))
        }
    }

    /// How much of the affected users the first issue of a day explains.
    func coverageNumber(_ summary: TopIssuesSummary?, from source: SourceFacts?) -> Explanation? {
        guard let summary, let share = summary.coverage else { return nil }
        return shareNumber(
            .coverage, share, part: "users of the first issue", whole: "affected users",
            window: "on \(summary.occasion.day.compactText)", origin: source.map(Explanation.Origin.init))
    }

    /// What is left of the error budget of the window that ends with a day.
    func budgetNumber(_ budget: StabilityBudget?, from source: SourceFacts?) -> Explanation? {
        budget.map { budget in
            let view = BudgetView(budget, counts: audience.counts)
            return Explanation(
                id: FigureID.errorBudget.rawValue, label: labels[.errorBudget], value: view.brief,
                window: "\(StabilityBudget.span) days to \(budget.lastDay.compactText)",
                quantity: .stated(
                    rows: view.facts.map { Explanation.Row(what: $0.name, count: $0.value) },
                    formula:
                        "allowed = (1 − \(PercentFormat.levelText(facts.targets.target))) × all \(budget.unit); "
                        + "remaining = allowed − spent"),
                origin: source.map(Explanation.Origin.init))
        }
    }

    /// The counts of an issue: of the window of lists, and of its life.
    func issueNumbers(_ known: IssueFacts, source: SourceFacts?) -> [Explanation] {
        let origin = source.map(Explanation.Origin.init)
        let isWhole = known.window.knownDays == AppFacts.listSpan
        let length = (isWhole ? "" : "\(known.window.knownDays) of ") + "\(AppFacts.listSpan) days"
        let span = "\(length) to \(known.window.lastDay.compactText)"
        let issue = known.issue
        let totals = facts.issueTotals
        let (totalsText, part) = (totals.windowText, totals.countedDays.map { _ in totals.windowText })
        // A total of some days is none; where days are counted, it would be their sum once more, up to another day.
        let counts: [IssueCount] =
            [
                IssueCount(
                    .windowEvents, known.window.events, span, isWhole ? nil : length,
                    how: "events of these days, summed")
            ]
            + (part != nil && known.window.events != nil
                ? []
                : [
                    IssueCount(
                        .allEvents, label: part.map { _ in .events }, issue.events, totalsText, part,
                        how: "as the source counts them")
                ])
            + [
                IssueCount(
                    .allUsers, label: part.map { _ in .users }, issue.users, totalsText, part,
                    how: "unique users, as the source counts them")
            ]
        let numbers = (hidesCounts ? [] : counts).map { $0.explanation(labels, origin: origin) }
        let share = known.window.share.map {
            shareNumber(
                .sessionShare, $0, part: "sessions with the issue, at most", whole: "sessions", window: span,
                origin: origin)
        }
        return numbers + [share].compactMap(\.self)
    }

    /// A share with its interval.
    func shareNumber(
        _ id: FigureID, _ share: Fraction, part: String, whole: String, window: String,
        origin: Explanation.Origin?
    ) -> Explanation {
        let shown = PercentFormat.share(share)
        return Explanation(
            id: id.rawValue, label: labels[id], value: shown.rate, interval: shown.interval, window: window,
            quantity: .share(share, part: part, whole: whole), origin: origin)
    }
}

/// What is shown for a count that the source does not report.
let unknownText = "Unknown"

/// A count of an issue, as its page and `explain` have it.
private struct IssueCount {
    var id: FigureID
    var label: FigureID
    var count: Int?
    var window: String
    var part: String?
    var how: String

    /// - Parameters:
    ///   - label: what it is called, where that is not what its name is.
    ///   - window: the days that it is counted over.
    ///   - part: the same next to the number, where its label does not say it.
    init(
        _ id: FigureID, label: FigureID? = nil, _ count: Int?, _ window: String, _ part: String?, how: String
    ) {
        (self.id, self.label, self.count) = (id, label ?? id, count)
        (self.window, self.part, self.how) = (window, part, how)
    }

    func explanation(_ labels: FigureLabels, origin: Explanation.Origin?) -> Explanation {
        Explanation(
            id: id.rawValue, label: labels[label],
            value: count.map { countText($0) + (part.map { " (\($0))" } ?? "") } ?? unknownText,
            window: window,
            quantity: count.map { .count($0, what: labels[label].lowercased(), how: how) } ?? .absent,
            origin: origin)
    }
}
