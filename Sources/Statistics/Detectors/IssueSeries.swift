/// Sessions of an app by step (hour or day) and, for each of its issues, what it met in the same steps.
///
/// Most issues met something in a few steps alone: of years of many issues no more is held than that.
package struct IssueSeries: Hashable, Sendable {
    /// What one issue met.
    package struct Row: Hashable, Sendable {
        /// The steps in which it met any, in order.
        let steps: [Int32]
        /// Its sessions (or users, or events) in each of these.
        let counts: [Int]
        /// The steps of which it is known what it met, in order; nil when these are all of which sessions are known.
        let known: [Int32]?

        /// What an issue met by step; nil where that is not known though sessions may be.
        package init(_ counts: [Int?], sessions: [Int?]) {
            let places = counts.indices.filter { (counts[$0] ?? 0) != 0 }
            steps = places.map(Int32.init)
            self.counts = places.map { counts[$0] ?? 0 }
            let hasGaps = zip(counts, sessions).contains { $0 == nil && $1 != nil }
            known = hasGaps ? counts.indices.filter { counts[$0] != nil }.map(Int32.init) : nil
        }

        /// A row whose steps are in order.
        init(steps: [Int32], counts: [Int], known: [Int32]?) {
            self.steps = steps
            self.counts = counts
            self.known = known
        }
    }

    /// Sessions by step; nil is a gap.
    package let sessions: [Int?]
    /// What each issue met.
    package let rows: [Row]
    /// The largest relative standard error of a count of sessions; 0 where all are exact.
    package let deviation: Double

    /// The counts; nil when one is negative or of no step.
    package init?(sessions: [Int?], rows: [Row], deviation: Double = 0) {
        let isFitting = rows.allSatisfy { row in
            !row.counts.contains { $0 < 0 } && row.steps.last.map { $0 < sessions.count } ?? true
        }
        guard isFitting, !sessions.contains(where: { $0 ?? 0 < 0 }) else { return nil }
        self.sessions = sessions
        self.rows = rows
        self.deviation = deviation
    }

    /// Counts by step of which all are known; nil when one is negative or the rows differ in length.
    package init?(sessions: [Int?], affected: [[Int]], deviation: Double = 0) {
        guard affected.allSatisfy({ $0.count == sessions.count }) else { return nil }
        self.init(
            sessions: sessions, rows: affected.map { Row($0, sessions: sessions) }, deviation: deviation)
    }

    /// What each issue met by step.
    package var affected: [[Int]] {
        rows.map { row in
            var counts = [Int](repeating: 0, count: sessions.count)
            for (step, count) in zip(row.steps, row.counts) { counts[Int(step)] = count }
            return counts
        }
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

/// The same of a series in which most values are zero.
struct SparseSums {
    private let steps: [Int32]
    private var sums: [Double] = [0]

    /// - Parameter steps: those of the values, in order.
    init(_ values: some Sequence<Double>, at steps: [Int32]) {
        self.steps = steps
        sums.reserveCapacity(steps.count + 1)
        for value in values { sums.append((sums.last ?? 0) + value) }
    }

    /// The sum of the values in a range.
    func over(_ range: Range<Int>) -> Double {
        sums[place(of: range.upperBound)] - sums[place(of: range.lowerBound)]
    }

    /// How many of the values are before a step.
    private func place(of step: Int) -> Int {
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle] < step { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What an issue did in the steps before, as sums from which a forecast is made.
struct IssueRecord {
    let affected: SparseSums
    private let squares: SparseSums
    private let products: SparseSums
    private let pace: VelocityPace
    /// The sessions of the steps in which the issue is known; nil when these are all steps.
    private let own: (sessions: SparseSums, squares: SparseSums)?

    /// An issue's steps next to the app's; steps without a session count for nothing, and neither do gaps.
    init(_ row: IssueSeries.Row, sessions: [Double], pace: VelocityPace) {
        self.pace = pace
        own = row.known.map { known in
            let values = known.map { sessions[Int($0)] }
            return (SparseSums(values, at: known), SparseSums(values.lazy.map { $0 * $0 }, at: known))
        }
        let counts = zip(row.steps, row.counts).map { sessions[Int($0)] > 0 ? Double($1) : 0 }
        affected = SparseSums(counts, at: row.steps)
        squares = SparseSums(counts.lazy.map { $0 * $0 }, at: row.steps)
        products = SparseSums(zip(row.steps, counts).lazy.map { sessions[Int($0)] * $1 }, at: row.steps)
    }

    /// The issue's share of sessions before this step, and how widely it varied from step to step.
    func outlook(at hour: Int, sessions: RunningSums, squaredSessions: RunningSums) -> IssueForecast {
        let end = hour - pace.lag + 1
        let span = (end - pace.history)..<end
        let total = own?.sessions.over(span) ?? sessions.over(span)
        let seen = affected.over(span)
        let rate = (seen + 0.5) / max(total + pace.addedSessions, 1)
        let expectedSquares = rate * rate * (own?.squares.over(span) ?? squaredSessions.over(span))
        let excess = squares.over(span) - 2 * rate * products.over(span) + expectedSquares - rate * total
        let dispersion = IssueForecast.dispersion(excess: excess, weight: expectedSquares)
        return IssueForecast(rate: rate, dispersion: dispersion, seen: seen + 0.5, sessions: total)
    }

    /// The sessions of a span in which the issue is known.
    func sessions(over span: Range<Int>, of app: RunningSums) -> Double {
        own?.sessions.over(span) ?? app.over(span)
    }

    /// Whether enough is known of the issue before a step to forecast it: at least half of what is known of the app.
    func knowsPast(of hour: Int, sessions: RunningSums) -> Bool {
        let end = hour - pace.lag + 1
        let span = (end - pace.history)..<end
        guard (own?.sessions.over(span) ?? sessions.over(span)) >= pace.leastKnownSteps else { return false }
        guard let own else { return true }
        return own.sessions.over(span) * 2 >= sessions.over(span)
    }
}
