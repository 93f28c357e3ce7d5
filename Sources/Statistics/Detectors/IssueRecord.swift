/// What an issue did in the steps before, as sums from which a forecast is made.
struct IssueRecord {
    let affected: RunningSums
    private let squares: RunningSums
    private let products: RunningSums
    private let pace: VelocityPace

    /// An issue's steps beside the app's; steps without a session count for nothing.
    init(_ row: [Int], sessions: [Double], pace: VelocityPace) {
        self.pace = pace
        let counts = zip(row, sessions).map { $1 > 0 ? Double($0) : 0 }
        affected = RunningSums(counts)
        squares = RunningSums(counts.lazy.map { $0 * $0 })
        products = RunningSums(zip(counts, sessions).lazy.map { $0 * $1 })
    }

    /// The issue's share of sessions before this step, and how widely it varied from step to step.
    func outlook(at hour: Int, sessions: RunningSums, squaredSessions: RunningSums) -> IssueForecast {
        let end = hour - pace.lag + 1
        let span = (end - pace.history)..<end
        let (seen, total) = (affected.over(span), sessions.over(span))
        let rate = (seen + 0.5) / (total + 500)
        let expectedSquares = rate * rate * squaredSessions.over(span)
        let excess = squares.over(span) - 2 * rate * products.over(span) + expectedSquares - rate * total
        let dispersion = IssueForecast.dispersion(excess: excess, weight: expectedSquares)
        return IssueForecast(rate: rate, dispersion: dispersion, seen: seen + 0.5, sessions: total)
    }
}
