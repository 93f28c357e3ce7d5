/// When the days of a source arrived: how long it usually takes until the next one is there.
package struct DayArrivals: Hashable, Sendable {
    /// The last day that arrived; nil when none did.
    package let lastDay: CivilDate?
    /// How long the next day took each time, in order.
    private let waits: [Wait]

    /// When the last day arrived; nil when none did.
    private let lastArrival: Instant?

    /// How long after the end of a day, which arrived at an instant, the next one came.
    private struct Wait: Hashable, Sendable {
        let since: CivilDate
        let arrived: Instant
        let end: Instant
        let came: Instant
        var seconds: Int { end.seconds(to: came) }
    }

    /// How many arrivals say what is usual, and how few are too few.
    private static let (most, fewest) = (28, 7)
    /// How many hours past its usual time a day may be missing: nights are not all at one hour.
    private static let patience = 12

    /// - Parameters:
    ///   - first: the first capture that reported anything of each day after it was over.
    ///   - end: when a day is over for the source.
    package init(_ first: [CivilDate: Instant], end: (CivilDate) -> Instant) {
        var (last, arrived): (CivilDate?, Instant?)
        var waits: [Wait] = []
        let captures = Dictionary(grouping: first.keys) { first[$0] ?? Instant(startOf: $0) }
        for (capture, days) in captures.sorted(by: { $0.key < $1.key }) {
            guard let newest = days.max() else { continue }
            if let last, let arrived {
                guard newest > last else { continue }
                waits.append(Wait(since: last, arrived: arrived, end: end(last), came: capture))
            }
            (last, arrived) = (newest, capture)
        }
        self.lastDay = last
        self.lastArrival = arrived
        self.waits = waits
    }

    /// How many hours old the last day may be when a fetch brings no newer one: as old as it became before, but for the
    /// longest of many waits, which may have been an outage; a month and a half where too little is known.
    package func patienceHours(_ source: Source) -> Int { Self.patienceHours(source, after: waits[...]) }

    /// The times in which the next day came later than that, by what was known then, oldest first.
    ///
    /// - Returns: the last day before each, from when on a fetch without a newer one was one too many, and when it came.
    package func late(_ source: Source) -> [(since: CivilDate, from: Instant, came: Instant)] {
        waits.indices.compactMap { place in
            let wait = waits[place]
            guard wait.seconds > Silence.dailyHours * 3600 else { return nil }
            let patience = Self.patienceHours(source, after: waits[..<place]) * 3600
            guard wait.seconds > patience else { return nil }
            return (wait.since, max(wait.arrived, wait.end.advanced(bySeconds: patience + 1)), wait.came)
        }
    }

    /// From when on a fetch without a newer day than the last one is one too many.
    ///
    /// - Parameter end: when the last day is over.
    package func overdue(_ source: Source, after end: Instant) -> Instant {
        let due = end.advanced(bySeconds: patienceHours(source) * 3600 + 1)
        return max(due, lastArrival ?? due)
    }

    private static func patienceHours(_ source: Source, after waits: ArraySlice<Wait>) -> Int {
        max(
            usualHours(after: waits) ?? fewHours(source, after: waits), Silence.dailyHours,
            source.maxAgeHours ?? 0)
    }

    /// The same by a few waits: where the owner says how old data may be, one that is known is enough, as it shows how late
    /// days come.
    private static func fewHours(_ source: Source, after waits: ArraySlice<Wait>) -> Int {
        guard source.maxAgeHours != nil, let longest = waits.lazy.map(\.seconds).max() else {
            return Silence.usualHours
        }
        return min(longest / 3600 + patience, Silence.usualHours)
    }

    /// How many hours after its last day the next one is still awaited of a source that is about to end, so that no other
    /// one fills a day that it brings as late as ever.
    package var awaitedHours: Int { max(Self.usualHours(after: waits[...]) ?? 0, Silence.dailyHours) }

    /// How many hours old the last day became, with some patience; nil where too little is known.
    private static func usualHours(after waits: ArraySlice<Wait>) -> Int? {
        let known = waits.suffix(most).map(\.seconds).sorted()
        guard known.count >= fewest else { return nil }
        return known.dropLast(known.count / 14).last.map { $0 / 3600 + patience }
    }
}

extension SourceHistory {
    /// When its days arrived, or those with one kind of figure.
    package func arrivals(of figure: DailyFigure? = nil) -> DayArrivals {
        DayArrivals(figure.map(firstCaptures) ?? captures.first, end: end)
    }

    /// The first capture of each day with a figure: one that has sessions, and none that is known to have crashed, has no
    /// rate.
    private func firstCaptures(of figure: DailyFigure) -> [CivilDate: Instant] {
        let first = captures.firstOf[figure] ?? [:]
        guard figure == .rates else { return first }
        let unrated = Set(health.lazy.filter { $0.version == nil && !$0.countsCrashed }.map(\.date))
        return unrated.isEmpty ? first : first.filter { !unrated.contains($0.key) }
    }

    /// The last day of which it has anything; nil when it has no day.
    package var lastKnownDay: CivilDate? {
        newest(last(of: captures.first.keys), last(of: captures.days.keys))
    }

    /// The last day of which it has a figure; nil when it has none of its kind.
    package func newestDay(with figure: DailyFigure) -> CivilDate? {
        guard !source.capabilities.isDisjoint(with: figure.capabilities) else { return nil }
        // No list of days is made: there are years of them, and each release looks them up.
        let known =
            figure == .rates
            ? last(of: health.lazy.filter { $0.countsCrashed }.map(\.date))
            : last(of: usage.lazy.map(\.date))
        return newest(last(of: firstCaptures(of: figure).keys), known)
    }

    /// The last day of all its figures or of one kind, where the newest fetch brought no newer one although it should
    /// have; nil where all is as usual.
    package func idleSince(_ figure: DailyFigure? = nil) -> CivilDate? {
        guard let capturedAt, let lastDay = figure.map(newestDay(with:)) ?? lastKnownDay else { return nil }
        let age = end(of: lastDay).seconds(to: capturedAt)
        guard age > Silence.dailyHours * 3600, age > arrivals(of: figure).patienceHours(source) * 3600 else {
            return nil
        }
        return lastDay
    }

    /// The last of the days that are over: what was counted of one that is not says nothing of those before it.
    private func last(of days: some Sequence<CivilDate>) -> CivilDate? {
        guard let capturedAt else { return nil }
        let end = lastDayOver(at: capturedAt)
        return days.lazy.filter { $0 <= end }.max()
    }

    private func newest(_ day: CivilDate?, _ other: CivilDate?) -> CivilDate? {
        [day, other].compactMap(\.self).max()
    }
}

/// When the days of a source arrived, all of them and those with one kind of figure.
package struct SourceArrivals: Sendable {
    /// Of all figures.
    package let all: DayArrivals
    /// Of each kind that ever arrived.
    package let figures: [DailyFigure: DayArrivals]

    /// - Parameter end: when a day is over for the source.
    package init(_ captures: FactCaptures, end: (CivilDate) -> Instant) {
        all = DayArrivals(captures.first, end: end)
        figures = captures.firstOf.mapValues { DayArrivals($0, end: end) }
    }

    /// No day arrived.
    package static let empty = SourceArrivals(FactCaptures()) { Instant(startOf: $0.advanced(by: 1)) }
}
