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
        let counts: [(id: FigureID, count: Int?, window: String, how: String)] = [
            (.windowEvents, known.window.events, span, "events of these days, summed"),
            (.allEvents, issue.events, "lifetime", "as the source counts them"),
            (.allUsers, issue.users, "lifetime", "unique users, as the source counts them"),
        ]
        let numbers = (hidesCounts ? [] : counts).map { id, count, window, how in
            Explanation(
                id: id.rawValue, label: labels[id],
                value: count.map { countText($0) + (id == .windowEvents && !isWhole ? " (\(length))" : "") }
                    ?? unknownText,
                window: window,
                quantity: count.map { .count($0, what: labels[id].lowercased(), how: how) } ?? .absent,
                origin: origin)
        }
        let share = known.window.share.map {
            shareNumber(
                .sessionShare, $0, part: "events of the issue", whole: "sessions", window: span,
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
