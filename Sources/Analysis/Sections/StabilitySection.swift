package import AppHealth
import Statistics

/// The source of users or of sessions, and how far its figures reach.
package struct RateSource: Hashable, Codable, Sendable {
    /// The source; nil where its state is no matter.
    package internal(set) var facts: SourceFacts?
    /// The first day with a figure; nil without any.
    let firstDay: CivilDate?
    /// The last day with a figure, or the last complete day.
    package internal(set) var lastDay: CivilDate

    fileprivate init?(_ basis: Basis, _ index: HistoryIndex, _ sources: SourcesSection) {
        guard let facts = basis == .users ? sources.users : sources.sessions else { return nil }
        let rates = index.rates.sources
        let days = index.rates.health.lazy.filter { !rates.areTwo || basis.total(of: $0.value) != nil }.map(
            \.key)
        self.facts = facts
        firstDay = days.min()
        lastDay = days.max() ?? index.lastDay
    }
}

/// How stable an app is by day, against its levels, and why it dropped.
package struct StabilitySection: Hashable, Codable, Sendable {
    /// What the rates of the app are counted in.
    package let basis: Basis
    /// The source of users; nil when no source has users or sessions.
    package internal(set) var users: RateSource?
    /// The source of sessions; nil when no source has users or sessions.
    package internal(set) var sessions: RateSource?
    /// Whether users and sessions are of two sources.
    let hasTwoSources: Bool
    /// What is for a value when there is no such source.
    package internal(set) var nothing: Nothing
    /// Health by day by the current data, of all releases together.
    package internal(set) var health: [CivilDate: HealthDay]
    /// The same days as their rates are shown: coarser where counts are hidden.
    package internal(set) var rates: [CivilDate: HealthDay]
    /// How much of the users and sessions of each of these days was reported.
    package internal(set) var coverage: [CivilDate: Coverage]
    /// Crash events by day, all issues together, where the total is known.
    package internal(set) var crashes: [CivilDate: Int]
    /// The source of these; nil when no source has any.
    package internal(set) var crashSource: SourceFacts?
    /// What was to be expected of the last days with crashes, as their alerts have it, where no day has a rate.
    var expectedCrashes: [CivilDate: ExpectedCount]
    /// The days whose crashes are not known as some of their events belong to no listed issue.
    var openCrashDays: DaySet
    /// Crashes by kind of device over the window of lists; nil when no source has any.
    package internal(set) var devices: DeviceCounts?
    /// Whether a source counts sessions.
    package let countsSessions: Bool
    /// The last day of the source of sessions, where it ended and no other one counts any; nil where it goes on.
    let lastDayOfSessions: CivilDate?
    /// Whether any day lately has a figure other than its crashes: an app without them is shown by its crashes by day.
    package let hasRates: Bool
    /// The days from the first to the last with crashes, where no day has a rate; nil without any.
    package internal(set) var crashDays: ClosedRange<CivilDate>?
    /// The days on which a release without a figure had no session.
    package internal(set) var wholeReleaseDays: DaySet
    /// Whether each day with a figure, or with crashes alone, is settled.
    package internal(set) var finality: [CivilDate: DayFinality]
    /// Which parts of their counts the days have of which many crashes are still coming in, on the app's basis.
    package internal(set) var lateCounts: [CivilDate: LateCounts]
    /// The verdict on each day with a rate, on the app's basis.
    package internal(set) var verdicts: [CivilDate: Verdict]
    /// The days on which no crash was counted though that is all but impossible, on the app's basis.
    package internal(set) var silences: [CivilDate: CrashSilence]
    /// What explains each Stability Alert on its first night, by the id of the event, where it can be reported.
    package internal(set) var causes: [String: DropBreakdown]

    /// The days from which on something is from another source than before.
    let changes: [SourceChange]

    init(_ index: HistoryIndex, _ sources: SourcesSection, drops: [Event]) {
        changes = index.sourceChanges
        basis = index.rates.basis
        users = RateSource(.users, index, sources)
        sessions = RateSource(.sessions, index, sources)
        hasTwoSources = index.rates.sources.areTwo
        nothing = sources.nothing
        health = index.rates.health
        rates = index.rates.health
        coverage = index.rates.health.mapValues(index.rates.coverage)
        crashes = index.crashes.counts
        crashSource = index.crashes.source.map { SourceFacts($0, asOf: index.asOf) }
        devices = DeviceCounts(
            index, window: index.lastDay.advanced(by: 1 - AppFacts.listSpan)...index.lastDay)
        let counting = sources.knowing(.sessions)
        countsSessions = counting != nil
        lastDayOfSessions = counting?.isEnded == true ? counting?.source.until : nil
        hasRates = index.figureDays.hasHealthLately
        crashDays =
            hasRates
            ? nil
            : index.crashes.counts.keys.min().flatMap { first in
                index.crashes.counts.keys.max().map { first...$0 }
            }
        expectedCrashes = hasRates || index.crashes.counts.isEmpty ? [:] : index.expectedCrashes
        openCrashDays = DaySet(index.days.filter { index.lacksIssuesOfCrashes(on: $0) })
        finality = index.rates.settlement.merging(index.crashes.settlement) { ofRates, _ in ofRates }
        lateCounts = index.rates.daysWithLateCrashes
        wholeReleaseDays = DaySet(index.days.filter { index.releases.counts.isWhole(on: $0) })
        let silences = index.rates.crashSilences(index.rates.basis)
        self.silences = silences
        verdicts = index.rates.health.compactMapValues { day in
            index.rates.basis.crashedShare(of: day).map {
                silences[day.date] == nil ? Verdict(on: $0, against: index.levels[day.date]) : .unknown
            }
        }
        causes = Dictionary(
            drops.compactMap { event in
                guard case .stability(let alert) = event else { return nil }
                return index.causes(of: alert.episode, events: drops).map { (alert.occasion.id, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The source of the figures on the app's basis; nil when no source has any.
    package var source: SourceFacts? { source(of: basis)?.facts }

    /// The source of what is counted on a basis; nil when no source has any.
    package func source(of basis: Basis) -> RateSource? { basis == .users ? users : sessions }

    /// The newest day up to another with figures on a basis; where one source counts both, or they ended long before,
    /// that other day itself.
    package func newestDay(of basis: Basis, through day: CivilDate) -> CivilDate {
        guard hasTwoSources, let last = source(of: basis)?.lastDay,
            last.days(to: day) <= HistoryIndex.longestLag
        else { return day }
        return min(day, last)
    }

    /// Whether crashes by day stand for a rate, as no day has one.
    package var isCounted: Bool { !hasRates && !crashes.isEmpty }

    /// Whether the figures of a day may still change.
    package func isProvisional(_ day: CivilDate) -> Bool { finality[day]?.doubt != nil }

    /// Whether the crashes of a day may still change: as the issues of the day where they are of the same source.
    func areCrashesProvisional(_ day: CivilDate, _ issues: IssuesSection) -> Bool {
        guard let crashSource, crashSource.source.id == issues.source?.source.id else {
            return isProvisional(day)
        }
        return issues.isProvisional(day)
    }

    /// The crashed share of a day on the app's basis; nil when it is not known.
    package func crashedShare(on day: CivilDate) -> Fraction? {
        rates[day].flatMap { basis.crashedShare(of: $0) }
    }

    /// The crashed share of a day, with its state.
    package func crashed(on day: CivilDate, _ basis: Basis) -> Measured<Fraction> {
        measured(on: day, basis, rates, basis.crashedShare)
    }

    /// The rate of a day against that of the same weekday a week before; nil when either is not known.
    package func change(on day: CivilDate, _ basis: Basis) -> WeekChange? {
        let before = day.advanced(by: -7)
        guard !changes.days(of: [basis.capability]).separate(before, day),
            let now = rates[day].flatMap({ basis.crashedShare(of: $0) }),
            let then = rates[before].flatMap({ basis.crashedShare(of: $0) })
        else { return nil }
        return WeekChange(now: now, then: then, before: before)
    }

    /// A count of a day, with its state.
    package func count(_ basis: Basis, on day: CivilDate) -> Measured<Int> {
        measured(on: day, basis, health, basis.total)
    }

    private func measured<Value>(
        on day: CivilDate, _ basis: Basis, _ days: [CivilDate: HealthDay], _ get: (HealthDay) -> Value?
    ) -> Measured<Value> {
        guard let rateSource = source(of: basis), let source = rateSource.facts else {
            return nothing.measured()
        }
        let known = days[day]
        let (count, crashed) =
            basis == .users
            ? (known?.users, known?.crashedUsers) : (known?.sessions, known?.crashedSessions)
        let why: Absence =
            switch (count, crashed) {
            case (0, _): .none(basis, day)
            case (.some, nil): .noCrashedFigure(basis, day)
            // A source of use may count the sessions.
            case (nil, nil) where basis == .sessions && lastDayOfSessions.map { day > $0 } == true:
                .noCrashedFigure(basis, day)
            default:
                known == nil
                    ? source.absence(of: day, through: rateSource.lastDay) : .noFigure(basis, day)
            }
        return source.measured(basis.capability, missing: why, known.flatMap(get))
    }

    /// The crashes of a day, with their state.
    package func crashCount(on day: CivilDate) -> Measured<Int> {
        let why: Absence = openCrashDays.contains(day) ? .unlistedEvents(day) : .noFigures(day)
        return crashSource?.measuredCrashes(missing: why, crashes[day]) ?? .absent(why)
    }

    /// Why a day has no figure on a basis.
    package func absence(of day: CivilDate, _ basis: Basis) -> DayAbsence {
        // Without any rate the days are those of the crashes.
        if let crashDays {
            return absence(of: day, since: crashDays.lowerBound, through: crashDays.upperBound, crashSource)
        }
        guard let source = source(of: basis), let first = source.firstDay else { return .notCollected }
        return absence(of: day, since: first, through: source.lastDay, source.facts)
    }

    private func absence(
        of day: CivilDate, since first: CivilDate, through last: CivilDate, _ source: SourceFacts?
    ) -> DayAbsence {
        if day < first { return .notCollected }
        return source?.trouble != nil && source?.isEnded == false && day > last ? .failed : .missing
    }
}

extension HistoryIndex {
    /// What was to be expected of the crashes of the last days, as the rule has it for each of its periods.
    fileprivate var expectedCrashes: [CivilDate: ExpectedCount] {
        let first = lastDay.advanced(by: 1 - StabilitySection.expectedSpan)
        return periods(ofRule: CrashCountRule.id).reduce(into: [:]) { all, period in
            let own = CrashCountRule().expected(in: period.index, since: first)
            all.merge(own.filter { period.contains($0.key) }) { $1 }
        }
    }
}

extension StabilitySection {
    /// As many days as the longest chart of crashes has.
    fileprivate static let expectedSpan = 365
}

/// Why a day has no figure.
package enum DayAbsence: Hashable, Codable, Sendable {
    /// It lies before the first figure.
    case notCollected
    /// It lies after the last good fetch, and the newest failed.
    case failed
    /// The source has none of it.
    case missing
    /// Nothing was counted on it, so that there is no rate.
    case nothingCounted
}
