import Analysis
import AppHealth
import Formatting
import Statistics

/// The numbers of pages that are no tiles, each made once for the page and for its explanation.
extension AppReport {
    /// The source of the issues.
    var issuesOrigin: Explanation.Origin? { evidence.issues.map(Explanation.Origin.init) }

    /// The change of the crash-free rate against the same weekday a week before.
    func weekChangeNumber(on day: CivilDate) -> Explanation? {
        let before = day.advanced(by: -7)
        guard let now = evidence.crashedShare(on: day), let then = evidence.crashedShare(on: before) else {
            return nil
        }
        let unit = evidence.basis.rawValue
        let value = PercentFormat.crashFree(now).display.changeText(then.value - now.value)
        return Explanation(
            id: "change", label: "Change of crash-free \(unit)", value: value,
            window: "\(day.compactText) against \(before.compactText)",
            quantity: .change(
                now, since: then, unit: unit, days: "\(day.compactText) minus \(before.compactText)"),
            origin: stabilityOrigin)
    }

    /// How much of the affected users the first issue of a day explains.
    func coverageNumber(of summary: TopIssuesSummary) -> Explanation? {
        summary.coverage.map { share in
            shareNumber(
                "Coverage", share, part: "users of the first issue", whole: "users who met a crash",
                window: "on \(summary.occasion.day.compactText)", origin: issuesOrigin)
        }
    }

    /// What is left of the error budget of the window that ends with a day.
    func budgetNumber(through day: CivilDate) -> Explanation? {
        StabilityBudget(evidence, through: day).map { budget in
            let view = BudgetView(budget)
            return Explanation(
                id: "error-budget", label: "Error budget", value: view.brief,
                window: "\(StabilityBudget.span) days to \(day.compactText)",
                quantity: .stated(
                    rows: view.facts.map { Explanation.Row(what: $0.name, count: $0.value) },
                    formula:
                        "allowed = (1 − \(PercentFormat.levelText(targets.target))) × all \(budget.unit); "
                        + "left = allowed − crashed"),
                origin: stabilityOrigin)
        }
    }

    /// The counts of an issue: of the window of lists, and of its life.
    func issueNumbers(_ issue: Issue) -> [Explanation] {
        let span = "\(Self.issueSpan) days to \(windows.last.compactText)"
        let counts: [(label: String, count: Int?, window: String, how: String)] = [
            (
                "Events in \(Self.issueSpan) days", windows.events[issue.id], span,
                "events of these days added up"
            ),
            ("Events in all", issue.events, "its whole life", "as the source counts them"),
            ("Users in all", issue.users, "its whole life", "distinct users, as the source counts them"),
        ]
        let numbers = counts.map { label, count, window, how in
            Explanation(
                id: numberName(label), label: label, value: count.map(countText) ?? unknownText,
                window: window,
                quantity: count.map { .count($0, what: label.lowercased(), how: how) } ?? .absent,
                origin: issuesOrigin)
        }
        let share = windowShare(of: issue).map {
            shareNumber(
                "Share of sessions", $0, part: "events of the issue", whole: "sessions", window: span,
                origin: issuesOrigin)
        }
        return numbers + [share].compactMap(\.self)
    }

    func shareNumber(
        _ label: String, _ share: Fraction, part: String, whole: String, window: String,
        origin: Explanation.Origin?
    ) -> Explanation {
        let shown = PercentFormat.share(share)
        return Explanation(
            id: numberName(label), label: label, value: shown.rate, interval: shown.interval, window: window,
            quantity: .share(share, part: part, whole: whole), origin: origin)
    }
}

/// What stands for a count that the source does not tell.
let unknownText = "not known"
