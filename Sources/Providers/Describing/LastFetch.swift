package import AppHealth

/// When a source was last read, by the archive.
package enum LastFetch: Hashable, Sendable {
    /// Nothing is known of it: the archive was not read.
    case unknown
    /// No fetch succeeded.
    case never
    /// The newest fetch that succeeded.
    case at(Instant)

    /// How many past days to request: the usual ones, with those since the last fetch and the days before it that could
    /// still change then; for the first time, as many as the large charts show.
    ///
    /// - Parameters:
    ///   - usual: How many are requested on each of many nights in a row.
    ///   - most: The most that the service has or gives.
    package func days(usual: Int, most: Int, at now: Instant) -> Int {
        switch self {
        case .unknown: usual
        case .never: min(max(usual, Self.firstDays), most)
        case .at(let last): min(max(usual, last.date.days(to: now.date) + Self.unsettledDays), most)
        }
    }

    /// Its day; nil where there was none, or it is not known.
    var day: CivilDate? {
        if case .at(let instant) = self { instant.date } else { nil }
    }

    /// How many days the first fetch requests.
    private static let firstDays = 90
    /// How many days before a fetch may have changed since.
    private static let unsettledDays = 7
}
