import Statistics

/// The counts of issues as trends look at them.
struct TrendView {
    private let table: IssueDayCounts
    private let settings: IssueTrends.Settings
    /// The places of the days that have figures, oldest first.
    private let places: [Int]

    init(_ table: IssueDayCounts, settings: IssueTrends.Settings) {
        self.table = table
        self.settings = settings
        places = table.sessions.indices.filter { (table.sessions[$0] ?? 0) > 0 }
    }

    private var end: Int { table.days.count }

    private func known(_ span: Range<Int>) -> [Int] { places.filter { span.contains($0) } }

    private func whole(_ span: [Int]) -> [Double] { span.map { Double(table.sessions[$0] ?? 0) } }

    /// The count of each issue in the recent days, or in as many days further back.
    func totals(_ ids: [String], back: Int) -> [String: Int] {
        let last = max(end - back, 0)
        let span = max(last - settings.recent, 0)..<last
        var totals: [String: Int] = [:]
        for id in ids {
            let count = (table.counts[id] ?? [])[span].reduce(0, +)
            if count > 0 { totals[id] = count }
        }
        return totals
    }

    /// The issues whose recent days outrun the days before, at one false discovery rate.
    func rising(_ ids: [String]) -> [String: IssueTrend.Change] {
        let start = max(end - settings.recent, 0)
        let recent = known(start..<end)
        let past = known(max(start - settings.before, 0)..<start)
        guard past.count >= settings.before / 2, !recent.isEmpty else { return [:] }
        let sessions = whole(recent).reduce(0, +)
        var tests: [(id: String, count: Int, expected: Double, p: Double)] = []
        for id in ids {
            let counts = table.counts[id] ?? []
            let count = recent.reduce(0) { $0 + counts[$1] }
            guard count > 0,
                let outlook = IssueForecast(counts: past.map { Double(counts[$0]) }, sessions: whole(past)),
                let p = outlook.chance(ofAtLeast: count, sessions: sessions, steps: recent.count)
            else { continue }
            tests.append((id, count, outlook.expected(sessions: sessions), p))
        }
        let values = adjusted(tests.map(\.p), by: .benjaminiHochberg)
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
    func gone(_ counts: [Int]) -> IssueTrend.Change? {
        guard let last = counts.lastIndex(where: { $0 > 0 }) else { return nil }
        let days = end - 1 - last
        guard days >= settings.silence, days <= settings.before else { return nil }
        let past = known(max(last + 1 - settings.before, 0)..<(last + 1))
        let silent = known((last + 1)..<end)
        let sessions = whole(silent).reduce(0, +)
        guard past.count >= settings.before / 2, !silent.isEmpty,
            let outlook = IssueForecast(counts: past.map { Double(counts[$0]) }, sessions: whole(past)),
            let p = outlook.chanceOfNone(sessions: sessions, steps: silent.count), p < settings.silenceP
        else { return nil }
        return .gone(days: days, expected: outlook.expected(sessions: sessions), pValue: p)
    }

    /// The monotone trend of the last days; nil when it is not sure.
    func course(_ counts: [Int]) -> IssueTrend.Course? {
        let span = known(max(end - settings.before, 0)..<end)
        guard span.count >= settings.before / 2, let first = span.first else { return nil }
        let series = (first..<end).map { (table.sessions[$0] ?? 0) > 0 ? Double(counts[$0]) : .nan }
        guard let test = MannKendall(series), test.pValue < settings.courseP,
            let slope = theilSenSlope(series)
        else { return nil }
        return IssueTrend.Course(rises: test.score > 0, slope: slope, pValue: test.pValue)
    }
}
