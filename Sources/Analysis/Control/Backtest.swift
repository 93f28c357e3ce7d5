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
        /// How many events of the kind a year at this pace would have: that of the days on which the rule can find any. Nil
        /// when there is none.
        package let perYear: Double?

        /// The stable name of the rule.
        package var ruleID: String { type(of: variant.rule).id }
        /// What the rule finds.
        package var kind: EventKind { type(of: variant.rule).kind }
        /// Whether it finds it in the crashes of an app whose rate is not known.
        package var isOnCrashCounts: Bool { variant.rule is CrashCountRule }
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
        _ index: HistoryIndex, days: Int, mutes: [Mute], variants: [BacktestVariant] = Backtest.variants
    ) {
        let first = index.lastDay.advanced(by: 1 - max(1, days))
        let covered = index.days.count { $0 >= first }
        let crashed = index.days.filter { $0 >= first }.compactMap { index.rates.crashedShare(on: $0) }
        self.app = index.app
        self.basis = index.rates.basis
        self.first = first
        self.last = index.lastDay
        self.coveredDays = covered
        let known = TestedDays(index, since: first)
        self.knownDays = DaysByNeed(index, known)
        self.suggestion = .init { () throws(LevelSuggestion.Shortage) in try LevelSuggestion(crashed) }
        let trials = Trials(of: variants.map(\.rule), index, known, mutes)
        self.results = variants.compactMap { variant in
            guard let trial = trials[variant.rule] else { return nil }
            let fired = trial.found.filter { $0.day >= first && !variant.least.isMissed(by: $0.figures) }
            let counted = trial.days.min().map { first in fired.count { $0.day >= first } }
            return Result(
                variant: variant, dates: fired.map(\.day).sorted(),
                muted: fired.count { trial.muted.contains($0.id) },
                perYear: counted.map { Double($0) * 365 / Double(trial.days.count) },
                expectedPerYear: variant.isStandard
                    ? (variant.rule as? any StatesFalseAlarms)?
                        .falseAlarmsPerYear(in: index, since: first) : nil)
        }
    }
}

/// The days of a test that are known, by what of them is.
private struct TestedDays {
    private let byNeed: [RuleNeed: Set<CivilDate>]

    init(_ index: HistoryIndex, since first: CivilDate) {
        let days = index.days.filter { $0 >= first }
        let rows = Set(index.issues.days.values.joined().lazy.map(\.date))
        let crashes = zip(index.days, index.crashCounts).filter { $0 >= first && $1 != nil }
        let use = UsageSeries(index)?.days.filter { $0 >= first }
        byNeed = [
            .rate: Set(days.filter { index.rates.crashedShare(on: $0) != nil }),
            .crashes: Set(crashes.map { $0.0 }),
            .issues: Set(days.filter { index.issues.coverage(on: $0).isKnown || rows.contains($0) }),
            .use: Set(use ?? []),
            .nothing: Set(days),
        ]
    }

    func of(_ need: RuleNeed) -> Set<CivilDate> { byNeed[need] ?? [] }

    /// Those on which a rule can find anything. One that holds the days of an app against its past needs enough of one; an
    /// issue may be new on any day.
    func judged(by rule: any Rule, in index: HistoryIndex) -> Set<CivilDate> {
        let need = type(of: rule).needs
        let judged = rule.judged(in: index)
        if case .issues = need { return of(need) }
        if case .about = judged { return of(need) }
        return of(need).filter(judged.covers)
    }
}

extension Backtest.DaysByNeed {
    fileprivate init(_ index: HistoryIndex, _ known: TestedDays) {
        rate = known.of(.rate).count
        crashes = known.of(.crashes).count
        areCrashesOfShare = index.crashes.areShared
        issues = known.of(.issues).count
        allIssues = known.of(.nothing).count { index.issues.coverage(on: $0).isComplete }
        use = known.of(.use).count
    }
}

/// What each rule finds: once, however many least levels are tried for it.
private struct Trials {
    private let byRule: [AnyHashable: Trial]

    /// What a rule finds.
    struct Trial {
        /// Its events, however grave.
        let found: [(id: String, day: CivilDate, figures: AlertLevel)]
        /// The ids of those that are muted.
        let muted: Set<String>
        /// The days on which it can find anything.
        let days: Set<CivilDate>
    }

    init(of rules: [any Rule], _ index: HistoryIndex, _ known: TestedDays, _ mutes: [Mute]) {
        let found = Self.events(of: rules + (mutes.isEmpty ? [] : standardRules), in: index)
        let standard = mutes.isEmpty ? [] : standardRules.flatMap { found[AnyHashable($0)] ?? [] }
        var trials: [AnyHashable: Trial] = [:]
        for rule in rules where trials[AnyHashable(rule)] == nil {
            let events = found[AnyHashable(rule)] ?? []
            trials[AnyHashable(rule)] = Trial(
                found: events.map { ($0.occasion.id, $0.occasion.day, $0.traits(in: index).figures) },
                muted: mutedIDs(events, among: standard, index, mutes),
                days: known.judged(by: rule, in: index))
        }
        byRule = trials
    }

    subscript(rule: any Rule) -> Trial? { byRule[AnyHashable(rule)] }

    private static func events(of rules: [any Rule], in index: HistoryIndex) -> [AnyHashable: [Event]] {
        var found: [AnyHashable: [Event]] = [:]
        for rule in rules where found[AnyHashable(rule)] == nil {
            found[AnyHashable(rule)] = Analysis.events(in: index, rules: [rule])
        }
        return found
    }
}

/// The ids of the muted ones among the events of a rule; the events of the other rules stand next to them, as
/// some mutes need them.
private func mutedIDs(
    _ found: [Event], among standard: [Event], _ index: HistoryIndex, _ mutes: [Mute]
) -> Set<String> {
    guard !mutes.isEmpty, let kind = found.first?.kind else { return [] }
    let all = (found + standard.filter { $0.kind != kind }).sorted(by: isNewer)
    let activity = Activity(of: all, in: index, under: AlertControl(mutes: mutes))
    return Set(activity.muted.map(\.event.occasion.id))
}
