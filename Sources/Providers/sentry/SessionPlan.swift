/// How questions about sessions are cut so that no answer is: Sentry gives at most 10,000 points in one answer
/// and leaves out the smallest groups beyond without a word.
struct SessionPlan: Equatable {
    /// The most points of one answer.
    static let mostPoints = 10_000
    /// How many session statuses a server may tell of each release.
    static let statuses = 5

    /// The spans to ask for, one after the other, the newest first.
    var spans: [DaySpan]
    /// How many groups find no place even in a question about one day.
    var groupsLeftOut: Int

    /// The plan for days and groups; a group takes a point for each day and one for its total.
    init(days: DaySpan, groups: Int, points: Int = SessionPlan.mostPoints) {
        let groups = max(1, groups)
        let longest = points / groups - 1
        spans = days.parts(ofAtMost: max(1, longest))
        groupsLeftOut = max(0, groups - Self.mostGroups(days: 1, points: points))
    }

    /// How many groups an answer about so many days may hold.
    static func mostGroups(days: Int, points: Int = SessionPlan.mostPoints) -> Int {
        points / (max(0, min(days, points)) + 1)
    }
}
