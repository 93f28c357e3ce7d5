/// What an issue did in the hours before, as sums from which a forecast is made.
struct IssueRecord {
    let affected: RunningSums
    private let squares: RunningSums
    private let products: RunningSums

    /// The hours looked back, and the hours before now left out, so that a rise does not raise its own bar.
    static let hours = 504
    static let lag = 7

    /// An issue's hours beside the app's; hours without a session count for nothing.
    init(_ row: [Int], sessions: [Double]) {
        let counts = zip(row, sessions).map { $1 > 0 ? Double($0) : 0 }
        affected = RunningSums(counts)
        squares = RunningSums(counts.lazy.map { $0 * $0 })
        products = RunningSums(zip(counts, sessions).lazy.map { $0 * $1 })
    }

    /// The issue's share of sessions before this hour, and how widely it varied from hour to hour.
    func outlook(at hour: Int, sessions: RunningSums, squaredSessions: RunningSums) -> IssueOutlook {
        let span = (hour - Self.lag - Self.hours + 1)..<(hour - Self.lag + 1)
        let (seen, total) = (affected.over(span), sessions.over(span))
        let rate = (seen + 0.5) / (total + 500)
        let expectedSquares = rate * rate * squaredSessions.over(span)
        let excess = squares.over(span) - 2 * rate * products.over(span) + expectedSquares - rate * total
        let dispersion = max(1e-6, (50 * 0.05 + excess) / (50 + expectedSquares))
        return IssueOutlook(rate: rate, dispersion: dispersion, seen: seen + 0.5)
    }
}

/// The forecast of an issue.
struct IssueOutlook {
    /// The expected share of sessions, in 0…1.
    let rate: Double
    /// κ of an hour's count: its variance is m + κ m².
    let dispersion: Double
    /// The sessions that the rate rests on.
    let seen: Double

    /// The counts to expect of so many hours with so many sessions in all.
    func counts(sessions: Double, hours: Int) -> CountDistribution? {
        let uncertainty = 1 / max(seen, 0.5)
        return CountDistribution(
            mean: sessions * rate, dispersion: dispersion / Double(hours).squareRoot() + uncertainty)
    }
}
