/// How many crashes there were at the least: the largest of the numbers that were counted, and what that one counts.
package struct LeastCrashes: Hashable, Codable, Sendable {
    /// What is counted.
    package enum Unit: String, Codable, Sendable {
        /// Crash events.
        case crashes
        /// Sessions with at least one crash.
        case crashedSessions
        /// Users with at least one crash: each had one at the least.
        case affectedUsers
    }

    /// How many.
    package internal(set) var count: Int
    /// Of what.
    package let unit: Unit

    /// The largest of these; crashes where others are not more.
    init(crashes: Int, sessions: Int?, users: Int?) {
        let counted: [(count: Int, unit: Unit)] =
            [(crashes, .crashes)] + (sessions.map { [($0, .crashedSessions)] } ?? [])
            + (users.map { [($0, .affectedUsers)] } ?? [])
        (count, unit) = counted.dropFirst().reduce(counted[0]) { $1.count > $0.count ? $1 : $0 }
    }
}
