package import AppHealth
import Diagnostics
import Statistics

/// The verdicts on the releases of an app, at any day of their lives.
package struct ReleaseEvaluator: Sendable {
    private let index: HistoryIndex
    private let releases: EarlierReleases
    private let late: LateCrashes?
    private let silences: [CivilDate: CrashSilence]
    private let noise: NoiseBefore

    /// Judges the releases of a history.
    package init(_ index: HistoryIndex) {
        self.index = index
        let changes = index.sourceChanges.days(of: [.releaseHealth])
        let noise = NoiseBefore(index, index.releases.lives, changes: changes)
        releases = EarlierReleases(
            index.releases.lives, changes: changes,
            late: index.releases.counts.daysComingIn,
            critical: { [levels = index.levels] in levels[$0].critical }, noise: { noise[$0] },
            onDay: { index.releases.count(of: $0, on: $1) })
        late = LateCrashes(index, changes: changes, noise: noise)
        self.noise = noise
        silences = index.rates.crashSilences(index.releases.counts.basis)
    }

    /// The verdict on a release as of the last day of the figures.
    package func evaluation(of label: String) -> ReleaseEvaluation {
        guard let whole = releases[label] else {
            return ReleaseEvaluation(label: label, verdict: .unknown, grounds: whyUnknown(label), basis: nil)
        }
        // What another source counted before is neither held against the target of now nor against other releases.
        let now = releases.life(sinceChangeOf: label)
        let comparisons =
            now.map { ReleaseComparisons($0, among: releases) } ?? releases.comparisons(of: whole)
        let life = now ?? whole
        let last = life.days.indices.last { life.days[$0] != nil }
        guard let last,
            let counts = AgeCounts(life, last, noise: noise[life.firstCountedDay])
        else {
            return ReleaseEvaluation(label: label, verdict: .unknown, grounds: whyUnknown(label), basis: nil)
        }
        let targets = index.levels(ofRelease: label)
        let found = evaluation(of: life, counts, comparisons, targets)
        guard found.verdict == .go, !index.releases.ends.isOver(label),
            let doubt = doubt(of: index.releases.counts.source)
        else {
            return found.verdict == .go ? unlessLate(found, life, targets) : found
        }
        return ReleaseEvaluation(label: label, verdict: .unknown, grounds: doubt, basis: found.basis)
    }

    /// A go, unless crashes that are still coming in may undo it.
    private func unlessLate(
        _ go: ReleaseEvaluation, _ life: ReleaseHistory, _ targets: Targets
    ) -> ReleaseEvaluation {
        guard let age = go.basis?.age, let late = late?.life(expectedOf: life),
            !isGo(late, atAge: age, noise: noise[life.firstCountedDay], targets)
        else { return go }
        return ReleaseEvaluation(
            label: go.label, verdict: .notEnoughData(needed: nil),
            grounds: late.newest(through: age).map { .crashesComingIn($0) } ?? .counts, basis: go.basis)
    }

    /// Whether a release would be a go as well with the crashes that are expected of its newest days.
    private func isGo(_ late: LateLife, atAge age: Int, noise: Double?, _ targets: Targets) -> Bool {
        let counted = late.life.days.prefix(age + 1).lastIndex { $0 != nil }
        guard let counted, let counts = AgeCounts(late.life, counted, noise: noise) else { return false }
        let isWorse = late.comparisons.isWorse(atAge: age)
        return decide(late.life, counts, isWorse: isWorse, targets) == .go
    }

    /// Why the newest figures of a source do not tell what a release does now; nil when they do.
    private func doubt(of source: SourceHistory?) -> ReleaseEvaluation.Grounds? {
        guard let source else { return nil }
        if let failure = source.lastAttempt?.failure { return .fetchFailed(failure) }
        return source.isOverdue(at: index.asOf, [.rates])
            ? source.overdueSince(at: index.asOf, [.rates]).map { .overdue(since: $0) } : nil
    }

    /// The first day of each verdict but "not enough data", for each release whose first day is known.
    package func firsts() -> [(day: CivilDate, evaluation: ReleaseEvaluation)] {
        releases.lives.filter { $0.start == .known }.flatMap { life in
            let comparisons = releases.comparisons(of: life)
            let noise = noise[life.firstDay]
            let late = late?.life(expectedOf: life)
            var seen: Set<String> = []
            return life.days.indices.compactMap { age -> (CivilDate, ReleaseEvaluation)? in
                guard let counts = AgeCounts(life, age, noise: noise) else { return nil }
                let (day, isWorse) = (life.day(ofAge: age), comparisons.isWorse(atAge: age))
                let targets = index.levels[day]
                let verdict = decide(life, counts, isWorse: isWorse, targets)
                if case .notEnoughData = verdict { return nil }
                guard !seen.contains(verdict.name) else { return nil }
                if verdict == .go, silence(life, counts, comparisons) != nil { return nil }
                if verdict == .go, let late, !isGo(late, atAge: age, noise: noise, targets) { return nil }
                seen.insert(verdict.name)
                return (day, evaluation(of: life, counts, comparisons, targets))
            }
        }
    }

    private func evaluation(
        of life: ReleaseHistory, _ counts: AgeCounts, _ comparisons: ReleaseComparisons, _ targets: Targets
    ) -> ReleaseEvaluation {
        let comparison = comparisons.comparison(atAge: counts.age)
        var verdict = decide(life, counts, isWorse: comparisons.isWorse(atAge: counts.age), targets)
        if case .notEnoughData = verdict { verdict = .notEnoughData(needed: needed(life, counts, targets)) }
        let bounds = counts.crashed.bounds
        let basis = ReleaseEvaluation.Basis(
            life: life, age: counts.age, total: counts.total,
            crashFree: Interval(lower: 1 - bounds.upper, upper: 1 - bounds.lower), comparison: comparison,
            unmatched: comparisons.unmatched, targets: targets)
        let silence = silence(life, counts, comparisons)
        let grounds =
            verdict == .go ? silence.map { ReleaseEvaluation.Grounds.noCrashes($0) } : nil
        return ReleaseEvaluation(
            label: life.label, verdict: grounds == nil ? verdict : .unknown, grounds: grounds ?? .counts,
            basis: basis, silence: silence)
    }

    /// That no crash was counted up to an age though by the earlier releases, and by the app before it, that is all but
    /// impossible; nil where it may be.
    private func silence(
        _ life: ReleaseHistory, _ counts: AgeCounts, _ comparisons: ReleaseComparisons
    ) -> CrashSilence? {
        guard counts.total.crashed == 0 else { return nil }
        let earlier = comparisons.comparison(atAge: counts.age)?.earlier.share?.interval?.lower
        // What the app had before its own reports stopped.
        let before = silences[life.firstCountedDay.advanced(by: -1)]?.since ?? life.firstCountedDay
        let usual = [earlier, usualShare(of: index.pastDays(before: before))].compactMap(\.self)
        let late = index.releases.counts.source.lateCounts(index.releases.counts.basis)
        let part = late[life.day(ofAge: counts.age)]?.part ?? 1
        return usual.filter { $0 > 0 }.min().flatMap {
            CrashSilence(
                since: life.firstCountedDay, counts.total, usual: $0 * part,
                dispersion: counts.dispersion / (counts.total.sampling ?? 1))
        }
    }

    /// The table of `ReleaseVerdict`; how many more sessions are needed is left open.
    private func decide(
        _ life: ReleaseHistory, _ counts: AgeCounts, isWorse: Bool, _ targets: Targets
    ) -> ReleaseVerdict {
        let crashed = counts.crashed
        if isWorse, crashed.isAbove(1 - targets.critical) { return .rollBack }
        if isWorse || crashed.isAbove(1 - targets.target) { return .hold }
        if case .belowShare = life.start { return .notEnoughData(needed: nil) }
        guard crashed.isBelow(1 - targets.target), counts.daysInUse >= ReleaseVerdict.leastDays else {
            return .notEnoughData(needed: nil)
        }
        return .go
    }

    private func needed(_ life: ReleaseHistory, _ counts: AgeCounts, _ targets: Targets) -> Int? {
        if case .belowShare(let missing) = life.start { return missing }
        if counts.crashed.isBelow(1 - targets.target) { return nil }
        // More sessions do not make the error of counting them approximately smaller.
        if counts.total.addedDispersion > counts.dispersion / 2 { return nil }
        return counts.crashed.needed(toClear: 1 - targets.target, dispersion: counts.dispersion)
    }

    private func whyUnknown(_ label: String) -> ReleaseEvaluation.Grounds {
        guard let source = index.releases.counts.source else {
            return whyNoRates
        }
        guard source.source.capabilities.contains(.releaseHealth) else {
            return .notByDay(provider: source.source.provider)
        }
        guard index.releases.counts.basis == .sessions else {
            return releases[label] == nil ? .noUsers : .noCrashedUsers
        }
        return releases[label] == nil ? .noSessions : .noCrashCounts
    }

    private var whyNoRates: ReleaseEvaluation.Grounds {
        guard !index.sources.isEmpty else { return .noSource }
        let rates: Set<Capability> = [.sessions, .users]
        let isAwaited = index.sources.contains {
            $0.capturedAt == nil && !$0.source.capabilities.isDisjoint(with: rates)
        }
        let answered = index.sources.answered
        return isAwaited || answered.isEmpty ? .neverAnswered : .notProvided(providers: answered)
    }
}

extension HistoryIndex {
    /// The levels that a release is judged by: those of the last day of figures while it is in use, later those of its own last
    /// day of use.
    func levels(ofRelease label: String) -> Targets { levels[releases.ends.judgedDay(of: label)] }

    /// How much the days of the app varied beyond chance before a day, for each session or user of a day: the excess
    /// dispersion grows with the sessions of a day, so that a release with a tenth of them has a tenth of it. Of a sample
    /// its own sessions count: a factor is the same at every share. Nil with fewer days than a week.
    func noise(before day: CivilDate) -> Double? {
        let days = pastDays(before: day)
        let counted = days.compactMap(\.self).filter { $0.total > 0 }
        guard counted.count >= 7 else { return nil }
        let mean = Double(wholeCount(counted).total) / Double(counted.count)
        return (dayDispersion(days) - 1) / mean
    }

    /// What was seen of all releases together on each of the eight weeks before a day, in order.
    fileprivate func pastDays(before day: CivilDate) -> [DayCount?] {
        (1...StabilityBudget.dispersionSpan).map { back -> DayCount? in
            let earlier = day.advanced(by: back - StabilityBudget.dispersionSpan - 1)
            return rates.changeSource(in: earlier...day)
                ? nil
                : releases.counts.totals[earlier].flatMap(releases.counts.basis.count)?
                    .multiplied(by: releases.sampling[earlier]).seen
        }
    }
}

/// What a release had counted up to an age.
private struct AgeCounts {
    let age: Int
    let total: DayCount
    let dispersion: Double
    let crashed: AlwaysValidInterval
    let daysInUse: Int

    /// Nil when the day of that age, or all up to it, has no counts.
    init?(_ life: ReleaseHistory, _ age: Int, noise: Double?) {
        let days = life.days.prefix(age + 1)
        let total = life.total(through: age)
        let dispersion = life.dispersion(through: age, noise: noise)
        guard days.last??.total != nil,
            let crashed = AlwaysValidInterval(events: total.crashed, of: total.total, dispersion: dispersion)
        else { return nil }
        self.age = age
        self.total = total
        self.dispersion = dispersion
        self.crashed = crashed
        self.daysInUse = days.count { ($0?.total ?? 0) > 0 }
    }
}

extension ReleaseHistory {
    /// By how many times its chance the crashed share up to an age varies, given the noise of the app before its first day.
    /// Without that, the days of the release itself show how they vary.
    func dispersion(through age: Int, noise: Double?) -> Double {
        let seen = days.prefix(max(0, age + 1)).map { $0?.seen }
        let inUse = seen.count { ($0?.total ?? 0) > 0 }
        let chance =
            noise.map { 1 + $0 * Double(wholeCount(seen).total) / Double(max(1, inUse)) }
            ?? dayDispersion(seen)
        // What a sample shows varies as its own counts, and so many times more once it is multiplied.
        let total = total(through: age)
        return (total.sampling ?? 1) * chance + total.addedDispersion
    }
}
