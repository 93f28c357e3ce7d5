import AppHealth
import Statistics

/// The counts of issues as trends look at them.
struct TrendView {
    private let table: IssueDayCounts
    /// The counts of each issue by day; nil where the count is not known.
    let counts: [String: [Int?]]
    private let settings: IssueTrends.Settings
    /// The places of the days that have figures, oldest first.
    private let places: [Int]

    init(_ table: IssueDayCounts, settings: IssueTrends.Settings) {
        self.table = table
        self.settings = settings
        counts = Dictionary(uniqueKeysWithValues: table.ids.map { ($0, table.counts(of: $0)) })
        places = table.sessions.indices.filter { (table.sessions[$0] ?? 0) > 0 }
    }

    private var end: Int { table.days.count }

    /// The days of a span on which the count of an issue is known.
    private func known(_ span: Range<Int>, _ counts: [Int?]) -> [Int] {
        places.filter { span.contains($0) && counts[$0] != nil }
    }

    private func values(_ counts: [Int?], _ span: [Int]) -> [Double] { span.map { Double(counts[$0] ?? 0) } }

    private func whole(_ span: [Int]) -> [Double] { span.map { Double(table.sessions[$0] ?? 0) } }

    /// Whether the recent days, or as many further back, are whole enough to rank issues by them: no day of which a
    /// part of the issues is known, and most days known.
    func isRanked(back: Int) -> Bool {
        let last = max(end - back, 0)
        let span = table.days[max(last - settings.recent, 0)..<last]
        return span.allSatisfy { table.coverage[$0]?.isComplete ?? true }
            && span.count { table.coverage[$0]?.isComplete == true } * 2 > span.count
    }

    /// The count of each issue in the recent days, or in as many days further back.
    func totals(_ ids: [String], back: Int) -> [String: Int] {
        let last = max(end - back, 0)
        let span = max(last - settings.recent, 0)..<last
        var totals: [String: Int] = [:]
        for id in ids {
            let count = (counts[id] ?? [])[span].reduce(0) { $0 + ($1 ?? 0) }
            if count > 0 { totals[id] = count }
        }
        return totals
    }

    /// The issues whose recent days outrun the days before, at one false discovery rate.
    func rising(_ ids: [String]) -> [String: IssueTrend.Change] {
        let start = max(end - settings.recent, 0)
        var tests: [(id: String, count: Int, expected: Double, p: Double)] = []
        for id in ids {
            let counts = counts[id] ?? []
            let recent = known(start..<end, counts)
            let past = known(max(start - settings.before, 0)..<start, counts)
            let count = recent.reduce(0) { $0 + (counts[$1] ?? 0) }
            let sessions = whole(recent).reduce(0, +)
            guard count > 0, past.count >= settings.before / 2,
                let outlook = IssueForecast(counts: values(counts, past), sessions: whole(past)),
                let p = outlook.chance(ofAtLeast: count, sessions: sessions, steps: recent.count)
            else { continue }
            tests.append((id, count, outlook.expected(sessions: sessions), p))
        }
        let values = adjustedForDiscoveries(tests.map(\.p))
        var rising: [String: IssueTrend.Change] = [:]
        for (test, value) in zip(tests, values)
        where value <= settings.discoveryRate && test.count >= settings.least
            && Double(test.count) >= settings.factor * test.expected
        {
            rising[test.id] = .rising(count: test.count, expected: test.expected, adjustedP: value)
        }
        return rising
    }

    /// A silence that the rate before makes surprising.
    ///
    /// A day of the silence of which the count is not known may have ended it.
    func gone(_ counts: [Int?]) -> IssueTrend.Change? {
        guard let last = counts.lastIndex(where: { ($0 ?? 0) > 0 }),
            !counts[(last + 1)...].contains(where: { $0 == nil })
        else { return nil }
        let days = end - 1 - last
        guard days >= settings.silence, days <= settings.before else { return nil }
        let past = known(max(last + 1 - settings.before, 0)..<(last + 1), counts)
        let silent = known((last + 1)..<end, counts)
        let sessions = whole(silent).reduce(0, +)
        guard past.count >= settings.before / 2, !silent.isEmpty,
            let outlook = IssueForecast(counts: values(counts, past), sessions: whole(past)),
            let p = outlook.chanceOfNone(sessions: sessions, steps: silent.count), p < settings.silenceP
        else { return nil }
        return .gone(days: days, expected: outlook.expected(sessions: sessions), pValue: p)
    }

    /// The monotone trend of the last days; nil when it is not sure.
    func course(_ counts: [Int?]) -> IssueTrend.Course? {
        let span = known(max(end - settings.before, 0)..<end, counts)
        guard span.count >= settings.before / 2, let first = span.first else { return nil }
        let series = (first..<end).map {
            (table.sessions[$0] ?? 0) > 0 ? counts[$0].map(Double.init) ?? .nan : .nan
        }
        guard let test = MannKendall(series), test.pValue < CourseTrend.level,
            let slope = theilSenSlope(series)
        else { return nil }
        return IssueTrend.Course(rises: test.score > 0, slope: slope, pValue: test.pValue)
    }
}
