import AppHealth

/// What days could be expected to bring, from what is known of the half a year before them.
///
/// Which days are shown, and on which night, changes no range: the steps are the weeks of the calendar, and where learning
/// begins depends on the week alone. A day that may still change teaches what is known of it.
struct ExpectedDays: Hashable, Codable, Sendable {
    private var first: CivilDate?
    /// Those of the first day and of each day after it.
    private var ranges: [ExpectedCount?] = []

    /// What was to be expected of a day; nil when that is not known.
    subscript(day: CivilDate) -> ExpectedCount? {
        guard let place = first?.days(to: day), ranges.indices.contains(place) else { return nil }
        return ranges[place]
    }

    /// - Parameters:
    ///   - days: the days of which it is asked, in order.
    ///   - known: the first day with a count other than zero, or any before it.
    ///   - changes: the days from which on the counts are another source's: no day of another source teaches.
    init(
        of days: [CivilDate], known: CivilDate?, _ changes: [CivilDate], _ count: (CivilDate) -> Int?
    ) {
        guard let first = days.first, let end = days.last else { return }
        self.first = first
        ranges = Array(repeating: nil, count: first.days(to: end) + 1)
        let least = Self.least(known, first)
        var rest = days[...]
        while let day = rest.first {
            let learned = Self.firstLearned(for: day)
            let part = rest.prefix { Self.firstLearned(for: $0) == learned }
            rest = rest.dropFirst(part.count)
            let start = max(learned, least)
            guard let last = part.last, start <= last else { continue }
            let all = (0...start.days(to: last)).map { start.advanced(by: $0) }
            let counts = all.map { count($0).map(Double.init) }
            for period in periods(of: all, changes) {
                let known = counts.indices.map { period.contains($0) ? counts[$0] : nil }
                let expected = expectedCounts(known)
                for place in period where all[place] >= day {
                    ranges[first.days(to: all[place])] = expected[place]
                }
            }
        }
    }

    /// The day from which on is learned what to expect of a day: a Monday, the same for half a year of days, and so far
    /// before the first of these that what came earlier would change little.
    static func firstLearned(for day: CivilDate) -> CivilDate {
        let week = CivilWeek(of: day.advanced(by: -7 * leastWeeks)).first
        // The first Monday of the numbering is January 5, 1970.
        let place = week.daysSinceEpoch - 4
        let span = 7 * weeks
        return week.advanced(by: -((place % span + span) % span))
    }

    /// The first day that what is expected of some days in order depends on; nil without any day.
    static func firstAsked(for days: [CivilDate], known: CivilDate?) -> CivilDate? {
        days.first.map { max(firstLearned(for: $0), least(known, $0)) }
    }

    /// Before the first count there are zeros at most, which are learned as they are.
    private static func least(_ known: CivilDate?, _ first: CivilDate) -> CivilDate {
        CivilWeek(of: min(known ?? first, first).advanced(by: -ExpectedCount.past)).first
    }

    private static let weeks = 26
    private static let leastWeeks = 12
}

/// The places of the days of each source.
private func periods(of days: [CivilDate], _ changes: [CivilDate]) -> [Range<Int>] {
    let starts = days.indices.filter { $0 == 0 || changes.separate(days[$0 - 1], days[$0]) }
    return zip(starts, starts.dropFirst() + [days.count]).map { $0..<$1 }
}
