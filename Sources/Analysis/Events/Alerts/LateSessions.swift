import AppHealth
import Statistics

/// The nights on which a rate dropped.
struct DropNights {
    /// What is found on them, as it is known now.
    var findings: [DropFinding]
    /// What is found with all sessions that are expected, by the place of the night: of nights with days whose sessions come
    /// later than their crashes.
    var complete: [Int: DropFinding] = [:]
}

extension StabilityRule {
    /// The nights on which the rate dropped. One of days whose sessions come later than their crashes is one only where it would
    /// be with all sessions that are expected; crashes that come late make none sooner.
    func nights(in series: [DayCount?], of index: HistoryIndex, _ basis: Basis) -> DropNights {
        let sampling = index.rates.sampling(basis)
        let found = detector.findings(in: series, sampling: sampling)
        let late = index.rates.sources[basis].lateCounts(basis).compactMapValues(\.growth)
        let days = index.rates.days
        let growing = Set(days.indices.suffix(LateCounts.mostNights + 1).filter { late[days[$0]] != nil })
        func isLate(_ finding: DropFinding) -> Bool {
            (finding.day - finding.window + 1...finding.day).contains(where: growing.contains)
        }
        guard found.contains(where: isLate) else { return DropNights(findings: found) }
        var expected = series
        for place in growing {
            expected[place] = series[place].flatMap { $0.grown(by: late[days[place]] ?? 1) }
        }
        let complete = detector.findings(in: expected, sampling: sampling).filter(isLate)
        let confirmed = Set(complete.map(\.day))
        return DropNights(
            findings: found.filter { !isLate($0) || confirmed.contains($0.day) },
            complete: Dictionary(complete.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension DayCount {
    /// So many times as many, of which no more crashed.
    fileprivate func grown(by factor: Double) -> DayCount? {
        let whole = Double(total) * factor
        guard whole < Double(PlausibleCount.largest) else { return self }
        return DayCount(
            total: Int(whole.rounded()), crashed: crashed, deviation: deviation, sampling: sampling)
    }
}
