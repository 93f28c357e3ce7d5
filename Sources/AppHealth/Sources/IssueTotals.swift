/// Over which time a source counts the events and users of an issue in its list; those of days are counted apart.
package enum IssueTotals: Hashable, Codable, Sendable {
    /// The source does not say.
    case unstated
    /// Since the issue was first seen.
    case lifetime
    /// Over this many days, up to the snapshot.
    case days(Int)
}
