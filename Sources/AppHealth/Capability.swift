/// Something that a source is able to know; what is missing from its set is shown as not knowable.
package enum Capability: String, Sendable, CaseIterable, Comparable {
    /// Sessions and crashed sessions by day.
    case sessions
    /// Users and crashed users by day.
    case users
    /// Health by day for each release.
    case releaseHealth
    /// The list of releases.
    case releases
    /// Issues with their counts.
    case issues
    /// Counts by day for each issue.
    case issueDays
    /// Sessions, and the counts of each issue, by hour.
    case hours
    /// Active and new users by day.
    case usage
    /// Notes that people wrote.
    case notes

    package static func < (lhs: Capability, rhs: Capability) -> Bool { lhs.rawValue < rhs.rawValue }
}
