import AppHealth

/// What one made-up issue is like.
struct IssuePlan {
    /// The source's id.
    let id: String
    /// The headline.
    let title: String
    /// What kind of problem it is; only a crash counts against the health of a day.
    var kind = Issue.Kind.crash
    /// Where it is in the code.
    var place: CodePlace?
    /// How often users meet it.
    let rate: IssueRate
    /// Events of one affected user on one day.
    var eventsPerUser = 1.25
    /// The oldest release that has it.
    let firstVersion: String
    /// The newest release that has it; nil for no end.
    var lastVersion: String?
    /// The release that was said to fix it.
    var fixedIn: String?
    /// What its team says of it.
    var state = Issue.State.open
    /// The day on which it was opened again.
    var reopenedOn: CivilDate?
    /// When it was first seen; nil for the first day on which it is counted.
    var firstSeen: Instant?
    /// Events and users before the first day of the demo.
    var earlier = IssueCount()
    /// Counted by release over its whole life, not only of late.
    var isDetailed = false
    /// Its page at the source; nil for the usual address.
    var url: String?
    /// A key that the format does not know, written with the time it was last seen, from this capture on.
    var strayKey: (name: String, from: CivilDate)?
}

/// How large a share of the users of a release meets an issue on a day.
enum IssueRate {
    /// The same on every day and in every release that has the issue.
    case steady(Double)
    /// By release, from a day on.
    case courses([IssueCourse])
}

/// The shares of the users of one release by day; the last one holds on.
struct IssueCourse {
    let version: String
    let from: CivilDate
    let shares: [Double]
}

/// How often something was counted and how many users it met.
package struct IssueCount: Equatable, Sendable {
    /// Events.
    package var events = 0
    /// Distinct users.
    package var users = 0
}

/// The share for this rank when counts fall as Zipf's law says: the first has twice the share of the second.
///
/// - Parameter total: the sum of the shares of all twelve ranks.
func zipf(_ rank: Int, total: Double) -> Double {
    var sum = 0.0
    for other in 1...12 { sum += 1 / Double(other) }
    return total / sum / Double(max(rank, 1))
}

extension IssuePlan {
    /// The share of the users of the release that meets the issue on the day.
    func share(on date: CivilDate, release: Int, in plan: AppPlan) -> Double {
        switch rate {
        case .steady(let share):
            let first = plan.position(of: firstVersion) ?? 0
            let last = plan.position(of: lastVersion) ?? plan.releases.count
            guard release >= first, release <= last else { return 0 }
            // The first days of a release meet more of everything than later ones.
            return plan.releases[release].age(on: date) ?? 3 < 3 ? share * 1.2 : share
        case .courses(let courses):
            let course = courses.first { plan.position(of: $0.version) == release }
            guard let course, course.from <= date else { return 0 }
            let age = min(course.from.days(to: date), course.shares.count - 1)
            return course.shares.indices.contains(age) ? course.shares[age] : 0
        }
    }
}
