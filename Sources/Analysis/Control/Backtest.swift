package import AppHealth

/// How often each rule would have spoken of an app over the last days, by what is known now.
package struct Backtest: Sendable {
    /// What a rule would have reported.
    package struct Result: Sendable {
        /// The rule and its thresholds.
        package let variant: BacktestVariant
        /// The day of each event, oldest first; a day with several events is several times.
        package let dates: [CivilDate]
        /// How many of the events are muted now.
        package let muted: Int
        /// How many events of the kind a year at this pace would have; nil when no day is covered.
        package let perYear: Double?

        /// The stable name of the rule.
        package var ruleID: String { type(of: variant.rule).id }
        /// What the rule finds.
        package var kind: EventKind { type(of: variant.rule).kind }
        /// About how many a year are to be expected by chance alone; nil when the rule does not say, and for other
        /// thresholds than the ones it was measured with.
        package var expectedPerYear: Double? {
            variant.isStandard ? (variant.rule as? any StatesFalseAlarms)?.falseAlarmsPerYear : nil
        }
    }

    /// The app.
    package let app: App
    /// What its rates are counted in.
    package let basis: Basis
    /// The first day of the test.
    package let first: CivilDate
    /// The last complete day.
    package let last: CivilDate
    /// How many of the days the archive covers: from its first figure on.
    package let coveredDays: Int
    /// How many of the days have a rate.
    package let ratedDays: Int
    /// What each rule would have reported, in the order of the variants.
    package let results: [Result]
    /// The levels that the app's past bears out; nil when it has too few days with a rate.
    package let suggestion: LevelSuggestion?

    /// Tries rules on the last days, at least 1.
    package init(
        _ evidence: HistoryIndex, days: Int, mutes: [Mute], variants: [BacktestVariant] = Backtest.variants
    ) {
        let first = evidence.lastDay.advanced(by: 1 - max(1, days))
        let covered = evidence.days.count { $0 >= first }
        let standard = events(in: evidence)
        let crashed = evidence.days.filter { $0 >= first }.compactMap { evidence.crashedShare(on: $0) }
        self.app = evidence.app
        self.basis = evidence.basis
        self.first = first
        self.last = evidence.lastDay
        self.coveredDays = covered
        self.ratedDays = crashed.count
        self.suggestion = LevelSuggestion(crashed)
        self.results = variants.map { variant in
            let found = events(in: evidence, rules: [variant.rule])
            let fired = found.filter { $0.occasion.day >= first }
            let muted = mutedIDs(found, among: standard, evidence, mutes)
            return Result(
                variant: variant, dates: fired.map(\.occasion.day).sorted(),
                muted: fired.count { muted.contains($0.occasion.id) },
                perYear: covered > 0 ? Double(fired.count) * 365 / Double(covered) : nil)
        }
    }
}

/// The ids of the muted ones among the events of a rule; the events of the other rules stand next to them, as
/// some mutes ask for them.
private func mutedIDs(
    _ found: [Event], among standard: [Event], _ evidence: HistoryIndex, _ mutes: [Mute]
) -> Set<String> {
    guard !mutes.isEmpty, let kind = found.first?.kind else { return [] }
    let all = newestFirst(found + standard.filter { $0.kind != kind })
    let activity = Activity(of: all, in: evidence, under: AlertControl(mutes: mutes))
    return Set(activity.muted.map(\.event.occasion.id))
}
