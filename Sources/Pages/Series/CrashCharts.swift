import Analysis
import AppHealth
import Charts
import Formatting

/// What an app without rates is shown by: its crashes by day.
extension AppScope {
    /// Crashes by day with the range to expect; nil for an app with rates, or when the totals are not known.
    func crashesChart(
        _ stability: StabilitySection, _ issues: IssuesSection, _ activity: ActivitySection,
        span: Int = AppFacts.chartSpan
    ) -> ChartView? {
        guard stability.isCounted else { return nil }
        let days = dates(in: DateDomain(last: facts.lastCompleteDay, count: span))
        return countChart(
            name: "crashes", title: "Crashes, \(span) days", stability.crashes(on: days, issues),
            alertSince: activity.openStabilityAlert)
    }

    /// The crashes of a day.
    func crashesFigure(_ day: DaySection, _ stability: StabilitySection) -> Figure {
        Figure(
            .crashes, count: stability.crashCount(on: day.date), detail: "on \(day.date.compactText)",
            how: stability.crashSource?.knows(.issues) == false
                ? "crash events of the day" : "crash events of all issues",
            from: stability.crashSource, in: self)
    }

    /// `34 crashes`, for an app that has no rate to show; nil where counts are hidden.
    func crashesText(_ day: DaySection, _ stability: StabilitySection) -> String? {
        guard stability.isCounted, !hidesCounts, let crashes = day.crashes else { return nil }
        return countedText(crashes, "crash", "crashes")
    }

    /// `34 crashes on Thu, Nov 19, 2026. A source of crashed sessions or affected users would add crash-free rates, an
    /// error budget and release verdicts.` Where some events belong to no listed issue, that crashes are unknown.
    func crashesReason(_ day: DaySection) -> String? {
        guard day.users.value == nil, day.sessions.value == nil else { return nil }
        guard let crashes = day.crashes else {
            guard day.hasUnlistedEvents else { return nil }
            return "\(Absence.unlistedEvents(day.date).words.sentenceCased). \(ratesAdvice)"
        }
        let count = hidesCounts ? "Counted by crashes" : countedText(crashes, "crash", "crashes")
        return "\(count) on \(day.date.compactText). \(ratesAdvice)"
    }
}

/// What an app without rates is missing.
let ratesAdvice =
    "A source of crashed sessions or affected users would add crash-free rates, an error budget and release verdicts."
