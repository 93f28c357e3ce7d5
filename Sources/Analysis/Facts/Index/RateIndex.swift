package import AppHealth

/// The rates of an app by day, all releases together.
package struct RateIndex: Sendable {
    /// Where they are from.
    package let sources: RateSources
    /// Health of all releases together by day: users and sessions each from their source.
    package let health: [CivilDate: HealthDay]
    /// What the rates of this app are counted in: users where they are known lately, else sessions.
    ///
    /// A source may be able to know users and have none, when the app does not report who they are.
    package let basis: Basis
    /// The days from the first with a figure to the last complete one; empty when there is no figure.
    package let days: [CivilDate]
    /// Whether the figures of each day with stability are settled.
    package let settlement: [CivilDate: DayFinality]
    /// The days from which on something is from another source than before.
    let changes: [SourceChange]

    /// - Parameter lastDay: The last one of the report.
    init(_ sources: RateSources, changes: [SourceChange], through lastDay: CivilDate, asOf: Instant) {
        self.sources = sources
        self.changes = changes
        health = sources.joined { $0.totals(asOf: asOf) }
        basis = sources.basis(of: health)
        days = successiveDays(Array(health.keys), [], through: lastDay)
        settlement = sources.settlement
    }

    /// The source of the rates on the app's basis; nil when no source has any.
    package var source: SourceHistory? { sources[basis] }

    /// The crashed share of a day on the app's basis; nil when it is not known.
    package func crashedShare(on day: CivilDate) -> Fraction? {
        health[day].flatMap { basis.crashedShare(of: $0) }
    }

    /// Whether the rates of some days, or of their first and last one, are of two services.
    func changeSource(in days: ClosedRange<CivilDate>) -> Bool {
        changes.days(of: [basis.capability]).separate(days.lowerBound, days.upperBound)
    }

    /// How much of the users and sessions of a day was reported, as far as the day has them.
    func coverage(of day: HealthDay) -> Coverage {
        let known = [
            day.users == nil ? nil : sources.users?.coverage(.users, on: day.date),
            day.sessions == nil ? nil : sources.sessions?.coverage(.sessions, on: day.date),
        ].compactMap(\.self)
        return known.first { $0.isPartial } ?? known.first { !$0.isKnown }
            ?? known.max { $0.deviation < $1.deviation } ?? .unknown
    }

    /// The largest relative standard error of a day's sessions or users; nil when all days are exact.
    var largestDeviation: Double? { health.values.compactMap(\.deviation).max() }

    /// The last day with a rate on the app's basis.
    var lastRatedDay: CivilDate? { health.lazy.filter { basis.isRated($0.value) }.map(\.key).max() }
}

extension SourceHistory {
    /// Health of all releases together by day, up to the last whole one.
    func totals(asOf: Instant) -> [CivilDate: HealthDay] {
        let last = lastWholeDay(at: asOf)
        return Dictionary(
            health.lazy.filter { $0.version == nil && $0.date <= last }.map { ($0.date, $0) },
            uniquingKeysWith: { $1 })
    }
}
