package import Analysis
package import AppHealth

/// What a rule finds in an app with these sources, oldest first.
package func found(
    by rule: any Rule, in sources: SourceHistory..., asOf: Instant = reportTime
) -> [Event] {
    let history = AppHistory(app: AppHistory.make().app, sources: sources)
    return events(in: HistoryIndex(history, asOf: asOf), rules: [rule]).reversed()
}

extension Event {
    /// How many days before the last day it happened.
    package var back: Int { occasion.day.days(to: lastDay) }
}

extension HistoryIndex {
    /// A history held against the usual targets.
    package init(_ history: AppHistory, asOf: Instant) {
        self.init(history, asOf: asOf, targets: .standard)
    }
}
