package import AppHealth

/// How much an app is used.
package struct UsageSection: Hashable, Codable, Sendable {
    /// The source of active users; nil when no source knows them.
    package internal(set) var source: SourceFacts?
    /// Whether these are the users of its rates, as no source reports use: it has those of single days alone.
    package let isOfRates: Bool
    /// The source of new users, where it is another one than that of active users; nil where it is the same.
    package internal(set) var newUsersSource: SourceFacts?
    /// The source of the sessions of use; nil where no source of use has any.
    package internal(set) var sessionsSource: SourceFacts?
    /// The use of every day that the sources know, in order.
    package internal(set) var days: [UsageDay]
    /// The same by date.
    package internal(set) var byDate: [CivilDate: UsageDay]
    /// The days of them that may still change.
    package internal(set) var provisional: Set<CivilDate>
    /// How much of each day the source reported.
    package internal(set) var coverage: [CivilDate: Coverage]
    /// The same of new users; empty where they are of the same source.
    package let newUsersCoverage: [CivilDate: Coverage]
    /// The same of the sessions of use; empty where they are of the same source.
    package let sessionsCoverage: [CivilDate: Coverage]
    /// The first day of which the source has anything; nil without any.
    let firstDay: CivilDate?
    /// The share of the sessions of the 28 days that end with a day which name a user, where some do not and the source
    /// says so: of these alone active users are counted.
    package internal(set) var namedShares: [CivilDate: Double]
    /// The last complete day that the source knows; the last day of the app where it knows none, or none lately.
    package let lastDay: CivilDate
    /// What is for a count when no source knows active users.
    package internal(set) var nothing: Nothing
    /// Daily of monthly users of each day on which both are known.
    package internal(set) var stickinessByDay: [CivilDate: Fraction]

    init(_ index: HistoryIndex, _ sources: SourcesSection, lastDay fallback: CivilDate) {
        let counting = index.sources.ofActiveUsers
        let users = counting == nil ? index.rates.usersByDay : []
        let isOfRates = !users.isEmpty
        let known = isOfRates ? index.rates.sources.users : counting ?? index.sources.ofUsage.first
        let settlement = isOfRates ? known?.healthSettlement : known?.usageSettlement
        let counted = isOfRates ? users : known?.usage ?? []
        let days = known.wholeDays(counted, settlement, through: index.lastDay(of: known))
        let ofNewUsers = index.sources.ofNewUsers
        let ofSessions = index.sources.ofSessionsOfUse
        func isKnown(_ source: SourceHistory?) -> Bool { !isOfRates && source?.source.id == known?.source.id }
        let others: [(part: WritableKeyPath<UsageDay, Int?>, source: SourceHistory?)] = [
            (\.newUsers, ofNewUsers), (\.sessions, ofSessions),
        ]
        func facts(_ source: SourceHistory) -> SourceFacts { SourceFacts(source, asOf: index.asOf, [.use]) }
        let byDate = UsageSection.joined(
            days,
            others.filter { $0.source != nil && !isKnown($0.source) }.map { part, source in
                (part, source.wholeUsage(through: index.lastDay(of: source)))
            })
        let fact: CoveredFact = isOfRates ? .users : .usage
        self.source = isOfRates ? sources.users : known.map(facts)
        self.isOfRates = isOfRates
        self.newUsersSource = isKnown(ofNewUsers) ? nil : ofNewUsers.map(facts)
        self.sessionsSource = ofSessions.map(facts)
        self.days = byDate.values.sorted { $0.date < $1.date }
        self.byDate = byDate
        self.provisional = Set((settlement ?? [:]).filter { $0.value.doubt != nil }.map(\.key))
        let shown = Set(days.map(\.date))
        let over = counted.map(\.date).filter { $0 <= index.lastDay(of: known) }
        self.coverage = Dictionary(
            over.map { date in
                let stated = known?.coverage(fact, on: date) ?? .unknown
                // What has come of a day that waits is a part of it.
                let isShown = shown.contains(date)
                return (date, isShown ? stated : .partial(counted: nil, of: nil, deviation: stated.deviation))
            }, uniquingKeysWith: { $1 })
        self.namedShares = known.map { UsageSection.namedShares($0.health, on: days.map(\.date)) } ?? [:]
        let lastUse = days.last?.date ?? fallback
        // What ended long before the other figures is missing.
        self.lastDay = lastUse.days(to: fallback) > HistoryIndex.longestLag ? fallback : lastUse
        self.nothing = sources.nothing
        func coverage(_ part: KeyPath<UsageDay, Int?>, _ source: SourceHistory?) -> [CivilDate: Coverage] {
            guard let source, !isKnown(source) else { return [:] }
            let dates = byDate.values.filter { $0[keyPath: part] != nil }.map(\.date)
            return Dictionary(
                dates.map { ($0, source.coverage(.usage, on: $0)) }, uniquingKeysWith: { $1 })
        }
        self.newUsersCoverage = coverage(\.newUsers, ofNewUsers)
        self.sessionsCoverage = coverage(\.sessions, ofSessions)
        self.firstDay = days.map(\.date).min()
        let deviations = self.coverage.compactMapValues(\.deviation)
        self.stickinessByDay = byDate.compactMapValues { UsageSection.stickiness($0, deviations[$0.date]) }
    }

    /// The days of active users with the numbers of other sources, none of which is mixed from two.
    private static func joined(
        _ days: [UsageDay], _ others: [(part: WritableKeyPath<UsageDay, Int?>, days: [UsageDay])]
    ) -> [CivilDate: UsageDay] {
        var byDate = Dictionary(days.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        for (part, days) in others {
            for date in byDate.keys { byDate[date]?[keyPath: part] = nil }
            for day in days where day[keyPath: part] != nil {
                byDate[day.date, default: UsageDay(date: day.date)][keyPath: part] = day[keyPath: part]
            }
        }
        return byDate
    }

    /// The share of four weeks to each of these days.
    private static func namedShares(_ health: [HealthDay], on dates: [CivilDate]) -> [CivilDate: Double] {
        let days = Dictionary(health.filter { $0.version == nil }.map { ($0.date, $0) }) { $1 }
        guard days.values.contains(where: { $0.namedShare != nil }) else { return [:] }
        return dates.reduce(into: [:]) { shares, date in
            shares[date] = (0..<28).compactMap { days[date.advanced(by: -$0)] }.namedShare
        }
    }

    /// The newest day up to one on which something was counted: a service of use may be slower than that of the rates. The
    /// day itself where there is none lately.
    package func newestDay(of part: KeyPath<UsageDay, Int?>, through day: CivilDate) -> CivilDate {
        (0...HistoryIndex.longestLag).lazy.map { day.advanced(by: -$0) }
            .first { byDate[$0]?[keyPath: part] != nil } ?? day
    }

    /// The last day of new users: that of their own source, unless it ended long before the other figures.
    package var lastDayOfNewUsers: CivilDate {
        guard newUsersSource != nil, let last = days.last(where: { $0.newUsers != nil })?.date,
            last.days(to: lastDay) <= HistoryIndex.longestLag
        else { return lastDay }
        return last
    }

    /// How much was reported of the counts of a day: a part where any of them is a part.
    package func coverage(of day: CivilDate, _ stability: StabilitySection) -> Coverage {
        let others = [
            stability.countsSessions && !reportsSessions(stability, on: day) ? stability.coverage[day] : nil,
            newUsersCoverage[day], reportsSessions(stability, on: day) ? sessionsCoverage[day] : nil,
        ]
        return others.compactMap(\.self).reduce(coverage[day] ?? .unknown) { all, other in
            !all.isPartial && (other.isPartial || !all.isKnown) ? other : all
        }
    }

    /// A count of a day, with its state.
    package func count(on day: CivilDate, _ part: KeyPath<UsageDay, Int?>) -> Measured<Int> {
        if part == \.newUsers, let newUsersSource {
            return newUsersSource.measured(
                .usage, missing: .noUse(day), byDate[day]?[keyPath: part])
        }
        if part == \.sessions, let sessionsSource {
            return sessionsSource.measured(.usage, missing: .noUse(day), byDate[day]?[keyPath: part])
        }
        let needed: Capability = isOfRates && part == \.activeUsers ? .users : .usage
        return source?.measured(needed, missing: .noUse(day), byDate[day]?[keyPath: part])
            ?? nothing.measured()
    }

    /// Whether active users are known of any day.
    package var countsActiveUsers: Bool { byDate.values.contains { $0.activeUsers != nil } }

    /// Whether a source reports use itself.
    package var isReported: Bool { source != nil && !isOfRates }

    /// Whether the newest sessions of the app are those of a source of use, as none of rates counts any.
    package func reportsSessions(_ stability: StabilitySection) -> Bool {
        guard let newest = days.last(where: { $0.sessions != nil })?.date else {
            return sessionsSource != nil && !stability.countsSessions
        }
        return reportsSessions(stability, on: newest)
    }

    /// Whether the sessions of a day are those of a source of use: none of rates counts any, or the one that did has ended
    /// before.
    package func reportsSessions(_ stability: StabilitySection, on day: CivilDate) -> Bool {
        guard sessionsSource != nil else { return false }
        return !stability.countsSessions || stability.lastDayOfSessions.map { day > $0 } ?? false
    }

    /// The sessions of a day: those of the rates where a source counts these.
    package func sessions(on day: CivilDate, _ stability: StabilitySection) -> Int? {
        reportsSessions(stability, on: day) ? byDate[day]?.sessions : stability.health[day]?.sessions
    }

    /// The days with use or with sessions, in order.
    package func dates(with stability: StabilitySection) -> [CivilDate] {
        let counted = stability.health.filter { $0.value.sessions != nil }.map(\.key)
        return Set(byDate.keys).union(counted).sorted()
    }

    /// Daily of monthly users of the last day, with its state.
    package var stickiness: Measured<Fraction> {
        count(on: lastDay, \.activeUsers).map(orAbsent: .noMonthlyUsers) { _ in stickiness(on: lastDay) }
    }

    /// Daily of monthly users of a day; nil when either is not known.
    package func stickiness(on day: CivilDate) -> Fraction? { stickinessByDay[day] }

    /// Both are counted approximately where one is: their errors add up.
    private static func stickiness(_ use: UsageDay, _ deviation: Double?) -> Fraction? {
        guard let daily = use.activeUsers, let monthly = use.monthlyActiveUsers else { return nil }
        return Fraction(part: daily, of: monthly, deviation: deviation.flatMap { $0 > 0 ? $0 : nil })
    }
}

extension RateIndex {
    /// The users of each day, in order: those who were active.
    fileprivate var usersByDay: [UsageDay] {
        guard sources.users?.source.capabilities.contains(.users) == true else { return [] }
        return health.values.filter { $0.users != nil }.map { UsageDay(date: $0.date, activeUsers: $0.users) }
            .sorted { $0.date < $1.date }
    }
}

extension Source {
    /// Whether it states that its days take two days or longer to be counted, unlike sources that state nothing, and that
    /// what it has of a day may be a part.
    var takesDaysToCount: Bool {
        settling != .standard && settling.settlesAfterHours >= SettlingAge.standard.settlesAfterHours
            && !statesWholeDays
    }
}
