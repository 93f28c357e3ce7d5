package import AppHealth

/// How often each rule would have fired for an app over the last days, by the current data.
package struct Backtest: Sendable {
    /// What a rule would have reported.
    package struct Result: Sendable {
        /// The rule and its least level.
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
        /// What the rule finds as pages call it.
        package var title: String { kind.title + (variant.rule is CrashCountRule ? Event.onCounts : "") }
        /// About how many a year are to be expected by chance alone; nil when the rule does not say, and for other
        /// thresholds than the ones it was measured with.
        package let expectedPerYear: Double?
    }

    /// How many days are known, by what of them is.
    package struct DaysByNeed: Hashable, Codable, Sendable {
        /// Those with a rate.
        package let rate: Int
        /// Those with all crashes, or with those of a steady share of all users where no others are known.
        package let crashes: Int
        /// Whether it is those of a share.
        package let areCrashesOfShare: Bool
        /// Those with any issue, or of which it is known that there was none.
        package let issues: Int
        /// Those of them on which every issue is known.
        package let allIssues: Int
        /// Those that report how much the app was used.
        package let use: Int

        /// The days that a rule can say anything of; nil when it needs none.
        package func of(_ need: RuleNeed) -> Int? {
            switch need {
            case .rate: rate
            case .crashes: crashes
            case .issues: issues
            case .use: use
            case .nothing: nil
            }
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
    /// How many of the days are known, by what of them is.
    package let knownDays: DaysByNeed
    /// What each rule would have reported, in the order of the variants.
    package let results: [Result]
    /// The levels that the app's past bears out, or why there are none.
    package let suggestion: Swift.Result<LevelSuggestion, LevelSuggestion.Shortage>

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
        let known = DaysByNeed(evidence, since: first, rated: crashed.count)
        self.knownDays = known
        self.suggestion = .init { () throws(LevelSuggestion.Shortage) in try LevelSuggestion(crashed) }
        self.results = variants.map { variant in
            let found = events(in: evidence, rules: [variant.rule])
            let fired = found.filter { event in
                event.occasion.day >= first
                    && !variant.least.isMissed(by: event.traits(in: evidence).figures)
            }
            let muted = mutedIDs(found, among: standard, evidence, mutes)
            let days = known.of(type(of: variant.rule).needs) ?? covered
            return Result(
                variant: variant, dates: fired.map(\.occasion.day).sorted(),
                muted: fired.count { muted.contains($0.occasion.id) },
                perYear: days > 0 ? Double(fired.count) * 365 / Double(days) : nil,
                expectedPerYear: variant.isStandard
                    ? (variant.rule as? any StatesFalseAlarms)?
                        .falseAlarmsPerYear(in: evidence, since: first) : nil)
        }
    }
}

extension Backtest.DaysByNeed {
    fileprivate init(_ evidence: HistoryIndex, since first: CivilDate, rated: Int) {
        let days = evidence.days.filter { $0 >= first }
        let rows = Set(evidence.issueDays.values.joined().lazy.map(\.date))
        rate = rated
        crashes = zip(evidence.days, evidence.crashCounts).count { $0 >= first && $1 != nil }
        areCrashesOfShare = evidence.countsSharedCrashes
        issues = days.count { evidence.issueCoverage(on: $0).isKnown || rows.contains($0) }
        allIssues = days.count { evidence.issueCoverage(on: $0).isComplete }
        use = UsageSeries(evidence)?.days.count { $0 >= first } ?? 0
    }
}

/// The ids of the muted ones among the events of a rule; the events of the other rules stand next to them, as
/// some mutes need them.
private func mutedIDs(
    _ found: [Event], among standard: [Event], _ evidence: HistoryIndex, _ mutes: [Mute]
) -> Set<String> {
    guard !mutes.isEmpty, let kind = found.first?.kind else { return [] }
    let all = (found + standard.filter { $0.kind != kind }).sorted(by: isNewer)
    let activity = Activity(of: all, in: evidence, under: AlertControl(mutes: mutes))
    return Set(activity.muted.map(\.event.occasion.id))
}
