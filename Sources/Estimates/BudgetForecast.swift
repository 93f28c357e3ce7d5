/// When a budget will be spent if the last days go on.
package enum BudgetForecast: Hashable, Codable, Sendable {
    /// More is spent than there was.
    case spent
    /// After between so many days and so many; nil is beyond the horizon.
    case ends(earliest: Int, latest: Int?)
    /// Not within so many days, even at the upper bound of the rate.
    case notWithin(days: Int)
    /// Too few figures of late to report.
    case unknown
}
