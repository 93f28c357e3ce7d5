package import AppHealth

/// Counts of a day of which the parts exceed the whole.
package enum TotalConflict: Hashable, Codable, Sendable {
    /// The sessions of all releases together exceed all sessions.
    case sessionsOfReleases(Int, all: Int)
    /// The users of an issue exceed all users.
    case usersOfIssue(Issue, Int, all: Int)
}

extension AppAnalysis {
    /// What does not add up in the figures of a day.
    ///
    /// - Parameter sums: those of `ReleasesSection.sessionSums`, for whoever asks many times.
    package func totalConflicts(on day: CivilDate, _ sums: [CivilDate: Double]? = nil) -> [TotalConflict] {
        let ofReleases = (sums ?? releases.sessionSums)[day]
        let total = releases.source.flatMap {
            conflict(
                sessions: releases.totals[day], ofReleases: ofReleases, tolerance: $0.source.countTolerance)
        }
        // Two services count users each in its own way, so only those of one are held against each other.
        guard let health = stability.health[day], let source = stability.users?.facts?.source,
            issues.source?.source.id == source.id
        else { return [total].compactMap(\.self) }
        let users = issues.summaries[day]?.entries.compactMap { entry in
            entry.users.map { (issue: entry.issue, users: $0) }
        }
        return [total].compactMap(\.self)
            + conflicts(users: health.users, ofIssues: users ?? [], tolerance: source.countTolerance)
    }
}

/// Whether the sessions of single releases fit into those of all.
func conflict(sessions: Int?, ofReleases sum: Double?, tolerance: Double) -> TotalConflict? {
    guard let sessions, let sum, sum > Double(sessions) * (1 + tolerance) else { return nil }
    return .sessionsOfReleases(Int(min(sum, 1e18)), all: sessions)
}

/// The issues whose users exceed all users.
func conflicts(
    users: Int?, ofIssues issues: [(issue: Issue, users: Int)], tolerance: Double
) -> [TotalConflict] {
    guard let users else { return [] }
    return issues.filter { Double($0.users) > Double(users) * (1 + tolerance) }.map {
        .usersOfIssue($0.issue, $0.users, all: users)
    }
}
