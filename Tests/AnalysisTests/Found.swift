import Analysis
import AppHealth
import HistoryFixtures

/// The word means the issues of apps here, not those of tests.
typealias Issue = AppHealth.Issue

/// What a rule finds in an app with these sources, oldest first.
func found(by rule: any Rule, in sources: SourceHistory..., asOf: Instant = reportTime) -> [Event] {
    let history = AppHistory(app: AppHistory.make().app, sources: sources)
    return events(in: HistoryIndex(history, asOf: asOf), rules: [rule]).reversed()
}

extension Event {
    /// How many days before the last day it happened.
    var back: Int { occasion.day.days(to: lastDay) }
}
