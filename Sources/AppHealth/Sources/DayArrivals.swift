/// When the days of a source arrived: how long it usually takes until the next one is there.
package struct DayArrivals: Hashable, Sendable {
    /// The last day that arrived; nil when none did.
    package let lastDay: CivilDate?
    /// How many seconds after the end of its last day the next one arrived, in order.
    private let waits: [Int]

    /// How many arrivals say what is usual, and how few are too few.
    private static let (most, fewest) = (28, 7)
    /// How many hours past its usual time a day may be missing: nights are not all at one hour.
    private static let patience = 12

    /// - Parameters:
    ///   - first: the first capture that reported anything of each day after it was over.
    ///   - end: when a day is over for the source.
    package init(_ first: [CivilDate: Instant], end: (CivilDate) -> Instant) {
        var last: CivilDate?
        var waits: [Int] = []
        let captures = Dictionary(grouping: first.keys) { first[$0] ?? Instant(startOf: $0) }
        for (capture, days) in captures.sorted(by: { $0.key < $1.key }) {
            guard let newest = days.max() else { continue }
            if let last, newest > last { waits.append(end(last).seconds(to: capture)) }
            last = max(newest, last ?? newest)
        }
        self.lastDay = last
        self.waits = waits
    }

    /// How many hours old the last day may be when a fetch brings no newer one: as old as it became before, but for the
    /// longest of many waits, which may have been an outage; a month and a half where too little is known.
    package func patienceHours(_ source: Source) -> Int {
        max(usualHours ?? fewHours(source), Silence.dailyHours, source.maxAgeHours ?? 0)
    }

    /// The same by a few waits: where the owner says how old data may be, one that is known is enough, as it shows how late
    /// days come.
    private func fewHours(_ source: Source) -> Int {
        guard source.maxAgeHours != nil, let longest = waits.max() else { return Silence.usualHours }
        return min(longest / 3600 + Self.patience, Silence.usualHours)
    }

    /// How many hours after its last day the next one is still awaited of a source that is about to end, so that no other
    /// one fills a day that it brings as late as ever.
    package var awaitedHours: Int { max(usualHours ?? 0, Silence.dailyHours) }

    /// How many hours old the last day became, with some patience; nil where too little is known.
    private var usualHours: Int? {
        let known = waits.suffix(Self.most).sorted()
        guard known.count >= Self.fewest else { return nil }
        return known.dropLast(known.count / 14).last.map { $0 / 3600 + Self.patience }
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
        let days = health.filter { $0.version == nil }
        let unrated = Set(days.lazy.filter { !$0.countsCrashed }.map(\.date))
        return unrated.isEmpty ? first : first.filter { !unrated.contains($0.key) }
    }

    /// The last day of which it has anything; nil when it has no day.
    package var lastKnownDay: CivilDate? {
        last(of: [Array(captures.first.keys), Array(captures.days.keys)])
    }

    /// The last day of which it has a figure; nil when it has none of its kind.
    package func newestDay(with figure: DailyFigure) -> CivilDate? {
        guard !source.capabilities.isDisjoint(with: figure.capabilities) else { return nil }
        let known =
            figure == .rates
            ? health.filter(\.countsCrashed).map(\.date) : usage.map(\.date)
        return last(of: [Array(firstCaptures(of: figure).keys), known])
    }

    /// The last day of all its figures or of one kind, where the newest fetch brought no newer one although it should
    /// have; nil where all is as usual.
    package func idleSince(_ figure: DailyFigure? = nil) -> CivilDate? {
        guard let capturedAt, let lastDay = figure.map(newestDay(with:)) ?? lastKnownDay,
            end(of: lastDay).seconds(to: capturedAt) > arrivals(of: figure).patienceHours(source) * 3600
        else { return nil }
        return lastDay
    }

    /// The last of the days that are over: what was counted of one that is not says nothing of those before it.
    private func last(of days: [[CivilDate]]) -> CivilDate? {
        guard let capturedAt else { return nil }
        let end = lastDayOver(at: capturedAt)
        return days.joined().lazy.filter { $0 <= end }.max()
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
