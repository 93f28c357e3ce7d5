package import AppHealth
package import Statistics

/// Finds drops of the crash-free rate that the app's own past does not explain.
package struct StabilityRule: Rule {
    package static let id = "stability"
    package static let kind = EventKind.stability
    package static let needs = RuleNeed.rate
    /// Finds the nights.
    package var detector: CrashRateDropDetector
    /// How many days as before end an episode.
    package var quietDays: Int
    /// The part of the days before a drop, in 0…1, whose worst one a day must reach to be as before.
    package var usualPart: Double
    /// How many times as deep as every alert before it an open drop must be to be another alert.
    package static let leastGrowth = 2.0

    /// The standard detector, or another.
    package init(
        detector: CrashRateDropDetector = CrashRateDropDetector(), quietDays: Int = 3, usualPart: Double = 0.8
    ) {
        self.detector = detector
        self.quietDays = quietDays
        self.usualPart = usualPart
    }

    package func events(in index: HistoryIndex) -> [Event] {
        alerts(in: index).map(Event.stability)
    }

    /// From the first day on that has enough of a past, and as of which the rate was counted as it is now.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        let first = Self.firstDay(in: index)
        let other = RatedDays(index.rates.health).lastDay(notBy: index.rates.basis)?.advanced(by: 1)
        return JudgedAlerts(from: first.map { max($0, other ?? $0) }, in: index)
    }

    /// The first day that has enough days with any use before it; nil while there are too few.
    ///
    /// Where those had too small a part of its own use no drop is found on it, which takes back what earlier versions found.
    private static func firstDay(in index: HistoryIndex) -> CivilDate? {
        let days = index.rates.days
        return CrashRateDropDetector.firstNight(counted: totals(in: index).map { ($0 ?? 0) > 0 })
            .flatMap { days.indices.contains($0) ? days[$0] : nil }
    }

    /// How many more days of use are needed after each of the days on which no drop can be found; none without a rate.
    static func missingDays(in index: HistoryIndex) -> [CivilDate: Int] {
        guard index.rates.crashSeries(index.rates.basis).contains(where: { $0 != nil }) else { return [:] }
        let totals = totals(in: index)
        let (hasPast, used) = (
            CrashRateDropDetector.hasPast(totals), CrashRateDropDetector.daysOfUse(totals)
        )
        return Dictionary(
            uniqueKeysWithValues: index.rates.days.indices.filter { !hasPast[$0] }.map {
                (index.rates.days[$0], max(0, CrashRateDropDetector.warmUp - used[$0]))
            })
    }

    /// How much the app was used on each day with a rate.
    private static func totals(in index: HistoryIndex) -> [Int?] {
        index.rates.judgedCrashSeries(index.rates.basis).map { $0?.total }
    }

    /// The alerts in the order of their days: one for each episode of the app's basis.
    package func alerts(in index: HistoryIndex) -> [StabilityAlert] {
        let episodes = episodes(in: index, basis: index.rates.basis)
        guard !episodes.isEmpty else { return [] }
        let other = index.rates.basis.other
        let otherSeries = index.rates.judgedCrashSeries(other)
        let findings = nights(in: otherSeries, of: index, other).findings
        let isKnown = otherSeries.contains { $0 != nil }
        let days = index.rates.days
        return episodes.map { episode in
            let during = findings.filter { episode.first <= days[$0.day] && days[$0.day] <= episode.last }
            let occasion = EventIdentity(
                rule: Self.id, app: index.app, day: episode.first,
                at: index.rates.source.end(of: episode.first))
            return StabilityAlert(
                occasion: occasion, episode: episode,
                other: isKnown
                    ? StabilityAlert.OtherBasis(basis: other, finding: during.first) : nil)
        }
    }
}

/// The crash-free rate dropped below what the app's own past let one expect.
package struct StabilityAlert: Hashable, Codable, Sendable {
    /// Its name, app, day (the first night) and place in time.
    package internal(set) var occasion: EventIdentity
    /// The drop from its first night to its last one.
    package let episode: StabilityEpisode
    /// What the other basis gives for the same nights; nil when it has no figures.
    package let other: OtherBasis?

    /// What the rate of the other basis did.
    package struct OtherBasis: Hashable, Codable, Sendable {
        /// The other basis.
        package let basis: Basis
        /// What was found in it during the episode; nil when it did not drop noticeably.
        package let finding: DropFinding?
    }

    /// What the rate is counted in.
    package var basis: Basis { episode.basis }

    /// How far the crash-free rate dropped on the first night, in 0…1 of the whole (0.01 is a percentage point).
    package var drop: Double { episode.finding.size }

    /// How far the rate was below where it was before it dropped: of drops that follow each other, before the first. What
    /// is expected of a later one has learned from the ones before it.
    package var depth: Double { depth(of: episode.finding) }

    /// The same of its worst night: what levels measure, as a drop may become deeper after its first one.
    package var worstDepth: Double { max(depth, depth(of: episode.worst)) }

    private func depth(of finding: DropFinding) -> Double {
        finding.size + max(0, finding.expected - episode.origin.expected)
    }

    /// How far it dropped relative to the expected rate, in 0…1.
    package var relativeDrop: Double {
        let base = 1 - episode.finding.expected
        return base > 0 ? min(max(drop / base, 0), 1) : 0
    }
}

/// The crash-free rate, or where none is known the number of crashes, is back where it was before an alert.
package struct Recovery: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// What came back.
    package let level: Level
    /// The first night of the alert that this closes.
    package let alertDay: CivilDate
    /// The first night of the first of drops that followed each other: the alert's own where none came before.
    package let since: CivilDate
    /// The last of the days that ended it: from then on it was known, on counts once that day was settled.
    package let known: CivilDate
    /// Whether crashes are those of a steady share of everybody, as no others are known.
    package internal(set) var isOfShare = false
    /// How many days the rate, or the number, was not back.
    package var days: Int { since.days(to: occasion.day) }

    /// What came back, and to what.
    package enum Level: Hashable, Codable, Sendable {
        /// The crashed share of the day on a basis, and the one in 0…1 that was to be expected before the drop.
        case rate(Basis, Fraction, expected: Double)
        /// The crashes of the day, and how many a day were to be expected before they rose.
        case crashes(Int, expected: Double)
    }

    /// Whether it is based on counts, as no rate is known.
    package var isCounted: Bool { if case .crashes = level { true } else { false } }
}

/// Finds the end of each alert that the rules of stability found.
package struct RecoveryRule: Rule {
    package static let id = "recovery"
    package static let kind = EventKind.recovery
    /// The rules whose alerts are closed.
    package var drop: StabilityRule, rise: CrashCountRule

    /// The standard rules, or others.
    package init(drop: StabilityRule = StabilityRule(), rise: CrashCountRule = CrashCountRule()) {
        self.drop = drop
        self.rise = rise
    }

    package func events(in index: HistoryIndex) -> [Event] {
        drop.episodes(in: index, basis: index.rates.basis).compactMap { episode in
            guard case .recovered(let day, let share) = episode.state else { return nil }
            return recovery(
                .rate(episode.basis, share, expected: episode.origin.expected), on: day,
                known: episode.knownOver, from: episode.first, since: episode.origin.first, index)
        }
            + rise.episodes(in: index).compactMap { episode in
                guard case .recovered(let day, let crashes) = episode.state else { return nil }
                return recovery(
                    .crashes(crashes, expected: episode.origin.expected), on: day,
                    known: episode.knownOver, from: episode.first, since: episode.origin.first, index)
            }
    }

    /// Those of alerts that can be.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        let drops = drop.judged(in: index)
        return drops == .none ? rise.judged(in: index) : drops
    }

    private func recovery(
        _ level: Recovery.Level, on day: CivilDate, known: CivilDate?, from first: CivilDate,
        since origin: CivilDate, _ index: HistoryIndex
    ) -> Event {
        let source = if case .rate = level { index.rates.source } else { index.crashes.judgedSource }
        let occasion = EventIdentity(
            rule: Self.id, app: index.app, day: day, at: source.end(of: day))
        var recovery = Recovery(
            occasion: occasion, level: level, alertDay: first, since: origin, known: known ?? day)
        recovery.isOfShare = recovery.isCounted && index.crashes.areShared
        return .recovery(recovery)
    }
}

extension HistoryIndex {
    /// Why the rate is down on a day, against the last days before its drop; nil when no Stability Alert is open
    /// on it. A drop before the rate came back from an earlier one goes on with that one.
    package func openDrop(on day: CivilDate, events: [Event]) -> DropBreakdown? {
        openDrop(on: day, drops(of: events))
    }

    /// The same of the drops in these events, in order.
    func openDrop(on day: CivilDate, _ drops: [StabilityEpisode]) -> DropBreakdown? {
        guard rates.sources.coversReleases, let drop = drops.last(where: { $0.first <= day }),
            drop.isOpen(on: day),
            !rates.changeSource(in: drop.first...day)
        else { return nil }
        let window = drop.finding.window
        return DropBreakdown(
            self, before: comparableDays(before: drop.start, drops),
            after: day.advanced(by: 1 - window)...day)
    }

    /// What explains a drop on its first night, so that it stays as it was reported; nil when it is unknown.
    package func causes(of drop: StabilityEpisode, events: [Event]) -> DropBreakdown? {
        // Sessions of another source are no parts of the drop.
        guard rates.sources.coversReleases else { return nil }
        return DropBreakdown(
            self, before: comparableDays(before: drop.start, drops(of: events)),
            after: drop.start...drop.first)
    }

    /// The drops of the crash-free rate, in order.
    func drops(of events: [Event]) -> [StabilityEpisode] {
        events.compactMap { event -> StabilityEpisode? in
            guard case .stability(let alert) = event else { return nil }
            return alert.episode
        }.sorted { $0.first < $1.first }
    }

    /// The last days with sessions before a day on which no drop was open, in order: of most recent use, so
    /// that releases had nearly the same shares, and a week of them, so that each day of the week is among them.
    private func comparableDays(before day: CivilDate, _ drops: [StabilityEpisode]) -> [CivilDate] {
        let (end, silent) = (day, rates.silentDays(.sessions))
        let days = (1...DropBreakdown.lookBack).lazy.map { end.advanced(by: -$0) }.filter { day in
            rates.health[day]?.sessionCount.map { $0.total > 0 } == true && !silent.contains(day)
                && !drops.contains { $0.isDown(on: day) }
                && !rates.changeSource(in: day...end)
        }
        return days.prefix(DropBreakdown.comparedDays).reversed()
    }
}

extension DropBreakdown {
    /// How many days before a drop it is held against.
    package static let comparedDays = 7
    /// How far back such days may lie.
    package static let lookBack = 28
}

extension StabilityEpisode {
    /// How many days a drop without a return counts as open.
    fileprivate static let longest = 28

    /// The first of the days that the first night was found in.
    fileprivate var start: CivilDate { first.advanced(by: 1 - finding.window) }

    /// Whether the rate was down on a day on or after the first night.
    fileprivate func isOpen(on day: CivilDate) -> Bool {
        if case .recovered(let back, _) = state, back <= day { return false }
        return first.days(to: day) < Self.longest
    }

    /// Whether a day belongs to the drop, until the rate was back or dropped again.
    fileprivate func isDown(on day: CivilDate) -> Bool {
        guard start <= day else { return false }
        switch state {
        case .open: return isOpen(on: day)
        case .recovered(let back, _): return day < back
        case .followed(let next): return day < next
        }
    }
}
