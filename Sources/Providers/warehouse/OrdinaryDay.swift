import AppHealth

/// What an ordinary day of a table has: the median of four weeks.
struct OrdinaryDay {
    /// Of how many days it is.
    static let span = 28
    /// With fewer days nothing of a table is usual yet.
    static let fewest = 7
    /// With so many rows on an ordinary day, one without any was not loaded.
    static let manyRows = 10
    /// The same of sessions.
    static let manySessions = 30

    let count: Int

    /// Nil with too few days.
    init?(_ counts: some Collection<Int>, atLeast fewest: Int = fewest) {
        guard counts.count >= max(fewest, 1) else { return nil }
        count = counts.sorted()[counts.count / 2]
    }
}
