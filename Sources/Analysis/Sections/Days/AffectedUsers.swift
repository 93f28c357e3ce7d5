package import AppHealth
package import Statistics

/// The users that the top issues of a day affected, each with its interval.
package struct AffectedUsers: Hashable, Codable, Sendable {
    /// The day.
    package let day: CivilDate
    /// All users of the day; nil when they are not known, so that the rows are counts.
    package let users: Int?
    /// The relative standard error of all users of the day; nil when they are exact.
    package let deviation: Double?
    /// The issues, most users first.
    package let rows: [Row]

    /// The users of an issue.
    package struct Row: Hashable, Codable, Sendable {
        /// The issue.
        package let issue: Issue
        /// Its share of all users in 0…1, or its users where these are not known.
        package let value: Double
        /// The Wilson interval of the share, wider where all users are counted approximately, or the exact Poisson interval of the count.
        package let interval: Interval?
    }

    /// The users of the first issues of a day; nil when its issues are not ranked by users.
    init?(_ summary: TopIssuesSummary, limit: Int) {
        guard summary.ranking == .users else { return nil }
        let entries = summary.entries.prefix(limit).compactMap { entry in
            entry.users.map { (issue: entry.issue, users: $0, share: entry.share) }
        }
        let isPart = entries.allSatisfy { $0.share != nil }
        let whole = summary.users.flatMap { isPart && $0 > 0 ? $0 : nil }
        day = summary.occasion.day
        users = whole
        deviation = whole == nil ? nil : summary.deviation
        rows = entries.map { issue, count, ofUsers in
            let share = whole == nil ? nil : ofUsers
            return Row(
                issue: issue, value: share?.value ?? Double(count),
                interval: share.map(\.interval) ?? poissonInterval(count))
        }
    }
}

extension IssuesSection {
    /// The users that the first issues of a day affected; nil when they are not known.
    package func affectedUsers(on day: CivilDate, limit: Int) -> AffectedUsers? {
        summaries[day].flatMap { AffectedUsers($0, limit: limit) }
    }
}

/// The exact 95% interval of a Poisson count.
///
/// F. Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28 (1936) 437–442: quantiles of gamma
/// distributions.
private func poissonInterval(_ count: Int) -> Interval? {
    guard count >= 0 else { return nil }
    let lower = count == 0 ? 0 : gammaQuantile(Tails(lower: 0.025), shape: Double(count))
    let upper = gammaQuantile(Tails(upper: 0.025), shape: Double(count) + 1)
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
}
