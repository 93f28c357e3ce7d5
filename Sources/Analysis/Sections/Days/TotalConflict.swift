package import AppHealth

/// Counts of a day of which the parts exceed the whole.
package enum TotalConflict: Hashable, Codable, Sendable {
    /// The sessions of all releases together exceed all sessions.
    case sessionsOfReleases(Int, all: Int)
    /// The sessions of one release exceed all sessions.
    case sessionsOfRelease(String, Int, all: Int)
    /// The users of an issue exceed all users.
    case usersOfIssue(Issue, Int, all: Int)
}

extension AppAnalysis {
    /// What does not add up in the figures of a day.
    ///
    /// - Parameter sums: those of `ReleasesSection.sessionSums`, for whoever asks many times.
    package func totalConflicts(on day: CivilDate, _ sums: [CivilDate: Double]? = nil) -> [TotalConflict] {
        conflictsOfReleases(on: day, sums) + conflictsOfIssues(on: day)
    }

    /// A session that may be in several releases makes their sum no part of all sessions; each of them still is.
    private func conflictsOfReleases(on day: CivilDate, _ sums: [CivilDate: Double]?) -> [TotalConflict] {
        guard let source = releases.source?.source else { return [] }
        let (all, tolerance) = (releases.totals[day], source.countTolerance)
        guard source.countsPartsApart else {
            let sum = (sums ?? releases.sessionSums)[day]
            return [conflict(sessions: all, ofReleases: sum, tolerance: tolerance)].compactMap(\.self)
        }
        return conflicts(
            sessions: all, ofEach: releases.sessions.compactMapValues { $0[day] }, tolerance: tolerance)
    }

    /// Two services count users each in its own way, so only those of one are held against each other, where it counts
    /// both from the same rows and all of these name a user.
    private func conflictsOfIssues(on day: CivilDate) -> [TotalConflict] {
        guard let health = stability.health[day], health.namedShare == nil,
            let source = stability.users?.facts?.source, issues.source?.source.id == source.id,
            !source.countsPartsApart
        else { return [] }
        let users = issues.summaries[day]?.entries.compactMap { entry in
            entry.users.map { (issue: entry.issue, users: $0) }
        }
        return conflicts(users: health.users, ofIssues: users ?? [], tolerance: source.countTolerance)
    }
}

/// The releases each of which has more sessions than all.
func conflicts(sessions: Int?, ofEach releases: [String: Int], tolerance: Double) -> [TotalConflict] {
    guard let sessions else { return [] }
    return releases.filter { Double($0.value) > Double(sessions) * (1 + tolerance) }
        .sorted { $0.key < $1.key }.map { .sessionsOfRelease($0.key, $0.value, all: sessions) }
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
