package import AppHealth
package import Statistics

/// What a week was like for an app, next to the week before.
///
/// Days are added up: sessions, or users of single days, which make user-days and not users. The intervals are as much
/// wider as the days of the app vary beyond chance.
package struct WeekFacts: Hashable, Codable, Sendable {
    /// The week, which was over at the instant of the report.
    package let week: CivilWeek
    /// On how many of its days there is a rate that is one: without those on which crashes were not reported.
    package let countedDays: Int
    /// On how many of its days crashes were not reported.
    package let silentDays: Int
    /// The crashed share of these days; nil without a rate.
    package let crashed: Fraction?
    /// The 95% interval of the crash-free rate; nil without a rate.
    package let interval: Interval?
    /// The verdict against the levels on these days.
    package let verdict: Verdict
    /// The crash-free rate minus that of the week before; nil when either is not known.
    package let change: Change?
    /// The issue whose events changed most; nil where the issues of both weeks are not all known, or nothing changed.
    package internal(set) var mover: Mover?
    /// The releases that came out, or got a verdict for the first time, the newest first.
    package let releases: [Release]
    /// How many alerts were raised.
    package let opened: Int
    /// How many alerts were known to be over.
    package let closed: Int
    /// How many more of both are muted. No page has them: a mute changes nothing of what was sent.
    package let muted: WithheldAlerts
    /// How many more of both the settings hide. No page has them either.
    package let hidden: WithheldAlerts
    /// The week whose activity shows them: this one, or where it only became known that they are over, that of the newest
    /// recovery.
    package let alertsWeek: CivilWeek
    /// What is left of the error budget of the 28 days that end with the week; nil without figures.
    package let budget: RemainingBudget?
    /// When the newest figure was captured of its days and of those that its change and its error budget are made from;
    /// nil when there is none.
    package let capturedAt: Instant?

    /// Alerts of a week that are not shown.
    package struct WithheldAlerts: Hashable, Codable, Sendable {
        /// How many were raised.
        package var opened = 0
        /// How many were known to be over.
        package var closed = 0

        /// Counts those of each week.
        static func byWeek(_ events: [Event]) -> [CivilWeek: WithheldAlerts] {
            events.reduce(into: [:]) { weeks, event in
                let week = CivilWeek(of: event.occasion.day)
                if event.kind.isAlert { weeks[week, default: .init()].opened += 1 }
                if let over = event.over { weeks[CivilWeek(of: over), default: .init()].closed += 1 }
            }
        }
    }

    /// A difference of two crash-free rates.
    package struct Change: Hashable, Codable, Sendable {
        /// In −1…1.
        package let value: Double
        /// Its 95% interval.
        package let interval: Interval
        /// On how many days of the week before there is a rate.
        package let daysBefore: Int
    }

    /// An issue with its events of two weeks.
    package struct Mover: Hashable, Codable, Sendable {
        /// The id of the issue.
        package internal(set) var id: String
        /// What it is called.
        package internal(set) var title: String
        /// Its events of the week.
        package let events: Int
        /// Its events of the week before.
        package let eventsBefore: Int
    }

    /// A release in a week.
    package struct Release: Hashable, Codable, Sendable {
        /// Its label.
        package let label: String
        /// Whether it came out in the week.
        package let isNew: Bool
        /// The last verdict that it got in the week; nil when it got none.
        package let verdict: ReleaseVerdict?
    }
}

extension AppAnalysis {
    /// The weeks from the other sections, before anything is skipped there: what is the first of equal ones must not
    /// depend on who reads.
    ///
    /// - Parameter hides: whether their rates are those of coarse days.
    func weeks(hidingCounts hides: Bool) -> [WeekFacts] {
        let weeks = Set(facts.days.map { CivilWeek(of: $0) }).filter { $0.last <= facts.lastCompleteDay }
        let table = WeekTable(self, hidingCounts: hides)
        return weeks.sorted(by: >).map { table.facts(of: $0) }
    }
}

/// What many weeks are made from, looked up once.
private struct WeekTable {
    let analysis: AppAnalysis
    let hidesCounts: Bool
    let silentDays: Set<CivilDate>
    let opened: [CivilWeek: Int]
    let closed: [CivilWeek: Int]
    let muted, hidden: [CivilWeek: WeekFacts.WithheldAlerts]
    /// The weeks with recoveries, and those of the alerts that were known to be over in each week.
    let recoveries: Set<CivilWeek>
    let origins: [CivilWeek: Set<CivilWeek>]
    let verdicts: [CivilWeek: [String: ReleaseVerdict]]
    let newReleases: [CivilWeek: Set<String>]
    /// The events of each issue by week, of days on which every issue is known.
    let events: [CivilWeek: [String: Int]]

    init(_ analysis: AppAnalysis, hidingCounts hides: Bool) {
        self.analysis = analysis
        hidesCounts = hides
        silentDays = CrashSilence.days(of: analysis.stability.silences)
        var (opened, closed): ([CivilWeek: Int], [CivilWeek: Int]) = ([:], [:])
        var origins: [CivilWeek: Set<CivilWeek>] = [:]
        var verdicts: [CivilWeek: [String: ReleaseVerdict]] = [:]
        for event in analysis.activity.events {
            let week = CivilWeek(of: event.occasion.day)
            if event.kind.isAlert { opened[week, default: 0] += 1 }
            if let over = event.over.map(CivilWeek.init(of:)) {
                closed[over, default: 0] += 1
                origins[over, default: []].insert(week)
            }
            switch event {
            case .releaseVerdict(let reached):
                // The newest event comes first: what the release got last in the week stays.
                let label = reached.evaluation.label
                if verdicts[week]?[label] == nil {
                    verdicts[week, default: [:]][label] = reached.evaluation.verdict
                }
            default: continue
            }
        }
        muted = WeekFacts.WithheldAlerts.byWeek(analysis.activity.silenced)
        hidden = WeekFacts.WithheldAlerts.byWeek(analysis.activity.activity.hiddenAlerts)
        (self.opened, self.closed, self.origins, self.verdicts) = (opened, closed, origins, verdicts)
        recoveries = Set(
            analysis.activity.events.lazy.filter { $0.kind == .recovery }
                .map { CivilWeek(of: $0.occasion.day) })
        var new: [CivilWeek: Set<String>] = [:]
        for release in analysis.releases.all {
            guard let day = release.cameOut else { continue }
            new[CivilWeek(of: day), default: []].insert(release.label)
        }
        newReleases = new
        var events: [CivilWeek: [String: Int]] = [:]
        for issue in analysis.issues.all {
            for day in issue.days ?? [] where analysis.issues.wholeDays.contains(day.date) {
                guard let count = day.events else { continue }
                events[CivilWeek(of: day.date), default: [:]][issue.issue.id, default: 0] += count
            }
        }
        self.events = events
    }

    func facts(of week: CivilWeek) -> WeekFacts {
        let before = CivilWeek(of: week.first.advanced(by: -1))
        let stability = analysis.stability
        let (crashed, counted) = shownSum(week)
        let (crashedBefore, countedBefore) = shownSum(before)
        let last = analysis.day(week.last)
        // Nothing is compared with what another service counted.
        func isOneSource(_ kind: Capability) -> Bool {
            !stability.changes.days(of: [kind]).separate(before.first, week.last)
        }
        let budget = last.budget
        let dispersion = budget?.dispersion ?? 1
        // Whoever reads, the verdict is the same.
        let exact = sum(week) { stability.health[$0].flatMap { stability.basis.crashedShare(of: $0) } }.share
        let targets = analysis.facts.levels[week.last]
        let verdict = Verdict(on: exact, dispersion: dispersion, against: targets)
        let shown = shown(crashed, dispersion, verdict, targets)
        let verdicts = verdicts[week] ?? [:]
        let new = newReleases[week] ?? []
        return WeekFacts(
            week: week, countedDays: counted,
            silentDays: days(of: week).count { silentDays.contains($0) },
            crashed: shown.crashed, interval: shown.interval, verdict: verdict,
            change: isOneSource(stability.basis.capability)
                ? change(shown.crashed, crashedBefore, dispersion, ofDays: countedBefore) : nil,
            mover: isOneSource(.issueDays) ? mover(week, before) : nil,
            releases: analysis.releases.all.filter { new.contains($0.label) || verdicts[$0.label] != nil }
                .map {
                    WeekFacts.Release(
                        label: $0.label, isNew: new.contains($0.label), verdict: verdicts[$0.label])
                },
            opened: opened[week] ?? 0, closed: closed[week] ?? 0, muted: muted[week] ?? .init(),
            hidden: hidden[week] ?? .init(),
            alertsWeek: alertsWeek(week),
            budget: (hidesCounts ? budget?.coarse : budget)?.remaining, capturedAt: last.summaryCapturedAt)
    }

    private func alertsWeek(_ week: CivilWeek) -> CivilWeek {
        let origins = origins[week] ?? []
        guard opened[week] == nil, !recoveries.contains(week), !origins.isEmpty else { return week }
        return origins.union(recoveries).filter { $0 <= week }.max() ?? week
    }

    /// A crashed share as pages show it, with the interval of the crash-free rate.
    private func shown(
        _ crashed: Fraction?, _ dispersion: Double, _ verdict: Verdict, _ targets: Targets
    ) -> (crashed: Fraction?, interval: Interval?) {
        guard let crashed, let bad = crashed.interval(dispersion: dispersion) else { return (crashed, nil) }
        let interval = Interval(lower: 1 - bad.upper, upper: 1 - bad.lower)
        guard hidesCounts else { return (crashed, interval) }
        let agreed = AgreedRate(crashed, interval, verdict, targets)
        return (agreed.crashed, agreed.interval)
    }

    /// The crashed share of the days of a week as pages show it, and on how many it is known. Where counts are hidden,
    /// coarse days are added up, so that the sum reveals no more than they do.
    private func shownSum(_ week: CivilWeek) -> (share: Fraction?, days: Int) {
        let stability = analysis.stability
        guard hidesCounts else { return sum(week, stability.crashedShare) }
        return sum(week) { day in
            stability.crashedShare(on: day).flatMap { _ in
                stability.health[day].flatMap { stability.basis.crashedShare(of: $0)?.coarseSummand }
            }
        }
    }

    private func days(of week: CivilWeek) -> [CivilDate] { (0..<7).map { week.first.advanced(by: $0) } }

    /// The crashed share of the days of a week, and on how many it is known. Days on which crashes were not reported prove
    /// nothing.
    private func sum(
        _ week: CivilWeek, _ share: (CivilDate) -> Fraction?
    ) -> (share: Fraction?, days: Int) {
        let known = days(of: week).filter { !silentDays.contains($0) }.compactMap(share)
        guard !known.isEmpty else { return (nil, 0) }
        let share = Fraction(
            known.reduce(0) { $0 + $1.numerator }, of: known.reduce(0) { $0 + $1.denominator })
        return (share?.with(error: Fraction.error(of: known)), known.count)
    }

    private func change(
        _ now: Fraction?, _ then: Fraction?, _ dispersion: Double, ofDays days: Int
    ) -> WeekFacts.Change? {
        guard let now, let then, let later = now.interval(dispersion: dispersion),
            let earlier = then.interval(dispersion: dispersion)
        else { return nil }
        // Crash-free is the other side: what is later here is earlier there.
        let value = then.value - now.value
        let interval = newcombeInterval(
            of: value, later: (then.value, earlier), earlier: (now.value, later))
        return WeekFacts.Change(value: value, interval: interval, daysBefore: days)
    }

    /// The issue whose events changed most; of equal ones the first by id.
    private func mover(_ week: CivilWeek, _ before: CivilWeek) -> WeekFacts.Mover? {
        let whole = analysis.issues.wholeDays
        guard (days(of: week) + days(of: before)).allSatisfy(whole.contains) else { return nil }
        let (now, then) = (events[week] ?? [:], events[before] ?? [:])
        let changes = Set(now.keys).union(then.keys).sorted().map { id in
            (id: id, size: abs((now[id] ?? 0) - (then[id] ?? 0)))
        }
        var best: (id: String, size: Int)?
        for change in changes where change.size > (best?.size ?? 0) { best = change }
        guard let best, let issue = analysis.issues[best.id] else { return nil }
        return WeekFacts.Mover(
            id: best.id, title: issue.issue.title, events: now[best.id] ?? 0, eventsBefore: then[best.id] ?? 0
        )
    }
}

extension Event {
    /// The day on which it was known to be over.
    fileprivate var over: CivilDate? {
        if case .sourceTrouble(let failure) = self { failure.end?.date } else { knownOver }
    }
}
