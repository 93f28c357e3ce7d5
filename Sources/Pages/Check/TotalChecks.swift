import Analysis
import AppHealth
import Formatting
import Statistics

/// Whether the sessions of single releases fit into those of all.
func totalMismatch(
    sessions: Int?, ofReleases releases: [String: Int], tolerance: Double, when: String
) -> Mismatch? {
    guard let sessions, !releases.isEmpty else { return nil }
    let sum = releases.values.reduce(0.0) { $0 + Double($1) }
    guard sum > Double(sessions) * (1 + tolerance) else { return nil }
    return Mismatch(
        .total, "Release sessions exceed all sessions \(when)",
        "sum of releases: \(countText(Int(min(sum, 1e18))))", "all releases: \(countText(sessions))")
}

/// The users of each issue that exceed all users.
func userMismatches(
    users: Int?, ofIssues issues: [(label: String, users: Int)], tolerance: Double, when: String
) -> [Mismatch] {
    guard let users else { return [] }
    return issues.filter { Double($0.users) > Double(users) * (1 + tolerance) }.map { issue in
        Mismatch(
            .total, "Users of the issue in \(issue.label) exceed all users \(when)",
            "users of the issue: \(countText(issue.users))", "all users: \(countText(users))")
    }
}

extension AppAnalysis {
    /// What does not add up in the figures of a day.
    func totalMismatches(on day: CivilDate) -> [Mismatch] {
        guard let health = stability.health[day], let source = stability.source else { return [] }
        let when = "on \(day)"
        let releases = self.releases.sessions.compactMapValues { $0[day] }
        let total = totalMismatch(
            sessions: health.sessions, ofReleases: releases,
            tolerance: source.source.countTolerance, when: when)
        // Two services count users each in its own way, so only those of one are held against each other.
        guard self.issues.source?.source.id == source.source.id else { return [total].compactMap(\.self) }
        let issues =
            self.issues.summaries[day]?.entries.map { (label: $0.issue.label, users: $0.users) } ?? []
        return [total].compactMap(\.self)
            + userMismatches(
                users: health.users, ofIssues: issues,
                tolerance: source.source.countTolerance, when: when)
    }
}
