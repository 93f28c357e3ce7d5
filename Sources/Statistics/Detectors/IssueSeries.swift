/// Sessions of an app by step (hour or day) and, for each of its issues, what it met in the same steps.
package struct IssueSeries: Hashable, Sendable {
    /// Sessions by step; nil is a gap.
    package let sessions: [Int?]
    /// For each issue, its sessions (or users, or events) by step; as long as `sessions`.
    package let affected: [[Int]]
    /// The steps in which nothing is known of an issue though sessions are, by the place of the issue.
    package let gaps: [Int: Set<Int>]
    /// The largest relative standard error of a count of sessions; 0 where all are exact.
    package let deviation: Double

    /// The counts; nil when one is negative or the rows differ in length.
    package init?(
        sessions: [Int?], affected: [[Int]], gaps: [Int: Set<Int>] = [:], deviation: Double = 0
    ) {
        guard affected.allSatisfy({ $0.count == sessions.count && !$0.contains { $0 < 0 } }),
            !sessions.contains(where: { $0 ?? 0 < 0 })
        else { return nil }
        self.sessions = sessions
        self.affected = affected
        self.gaps = gaps
        self.deviation = deviation
    }
}

/// The series of an app whose source counts hours.
package typealias HourlyIssues = IssueSeries

/// Sums over any span of a series, from one pass over it.
struct RunningSums {
    private var sums: [Double] = [0]

    init(_ values: some Sequence<Double>) {
        for value in values { sums.append((sums.last ?? 0) + value) }
    }

    /// The sum of the values in a range, cut to the series.
    func over(_ range: Range<Int>) -> Double {
        let last = sums.count - 1
        return sums[min(max(range.upperBound, 0), last)] - sums[min(max(range.lowerBound, 0), last)]
    }
}

/// What an issue did in the steps before, as sums from which a forecast is made.
struct IssueRecord {
    let affected: RunningSums
    private let squares: RunningSums
    private let products: RunningSums
    private let pace: VelocityPace
    /// The sessions of the steps in which the issue is known; nil when these are all steps.
    private let own: (sessions: RunningSums, squares: RunningSums)?

    /// An issue's steps next to the app's; steps without a session count for nothing, and neither do gaps.
    init(_ row: [Int], sessions: [Double], gaps: Set<Int> = [], pace: VelocityPace) {
        self.pace = pace
        var sessions = sessions
        for place in gaps where sessions.indices.contains(place) { sessions[place] = 0 }
        own =
            gaps.isEmpty
            ? nil : (RunningSums(sessions), RunningSums(sessions.lazy.map { $0 * $0 }))
        let counts = zip(row, sessions).map { $1 > 0 ? Double($0) : 0 }
        affected = RunningSums(counts)
        squares = RunningSums(counts.lazy.map { $0 * $0 })
        products = RunningSums(zip(counts, sessions).lazy.map { $0 * $1 })
    }

    /// The issue's share of sessions before this step, and how widely it varied from step to step.
    func outlook(at hour: Int, sessions: RunningSums, squaredSessions: RunningSums) -> IssueForecast {
        let end = hour - pace.lag + 1
        let span = (end - pace.history)..<end
        let total = (own?.sessions ?? sessions).over(span)
        let seen = affected.over(span)
        let rate = (seen + 0.5) / max(total + pace.addedSessions, 1)
        let expectedSquares = rate * rate * (own?.squares ?? squaredSessions).over(span)
        let excess = squares.over(span) - 2 * rate * products.over(span) + expectedSquares - rate * total
        let dispersion = IssueForecast.dispersion(excess: excess, weight: expectedSquares)
        return IssueForecast(rate: rate, dispersion: dispersion, seen: seen + 0.5, sessions: total)
    }

    /// The sessions of a span in which the issue is known.
    func sessions(over span: Range<Int>, of app: RunningSums) -> Double { (own?.sessions ?? app).over(span) }

    /// Whether enough is known of the issue before a step to forecast it: at least half of what is known of the app.
    func knowsPast(of hour: Int, sessions: RunningSums) -> Bool {
        let end = hour - pace.lag + 1
        let span = (end - pace.history)..<end
        guard (own?.sessions ?? sessions).over(span) >= pace.leastKnownSteps else { return false }
        guard let own else { return true }
        return own.sessions.over(span) * 2 >= sessions.over(span)
    }
}
