import AppHealth

extension AppPlan {
    /// An app with a bad release, its repair, and the way back of the same problem a month later.
    static let sketchbook = AppPlan(
        app: "sketchbook",
        source: SourcePlan(
            name: "Easel metrics",
            session:
                "A session starts when the app comes to the front after 30 seconds or more away from it.",
            user: "One account; without an account, one installation.",
            delay: "The first report of a day holds 96 to 98% of it; the next night it is complete."),
        dailyUsers: 23_400,
        week: [0.96, 0.97, 0.97, 0.98, 1.0, 1.07, 1.05],
        growth: 0.05, userSpread: 0.014, sessionsPerUser: 2.2,
        releases: [
            ReleasePlan("4.0.0", "310", on: "2026-05-19"),
            ReleasePlan("4.1.0", "331", on: "2026-07-07"),
            ReleasePlan("4.1.1", "336", on: "2026-08-05", halfway: 2.5),
            ReleasePlan("4.2.0", "358", on: "2026-09-15"),
            // The phased release was stopped on the fourth day, so a good part never took it.
            ReleasePlan("4.2.1", "370", on: "2026-10-13", halfway: 1.5, ceiling: 0.62),
            ReleasePlan("4.2.2", "376", on: "2026-10-17", halfway: 1.6, ceiling: 0.97),
            ReleasePlan("4.3.0", "391", on: "2026-11-16", halfway: 1.5, ceiling: 0.24),
        ],
        issues: sketchbookStoryIssues + sketchbookIssues + sketchbookHostileIssues,
        notes: sketchbookNotes)

    /// The two issues that the story is about.
    private static let sketchbookStoryIssues: [IssuePlan] = [
        IssuePlan(
            id: "atomic-54", title: "Fatal error: Index out of range",
            place: CodePlace(file: "Sources/Engine/Atomic.swift", line: 54),
            rate: .courses([
                IssueCourse(
                    version: "4.2.1", from: day("2026-10-13"),
                    // Those who were hit most leave the release first, so its share falls after the repair.
                    shares: [
                        0.063, 0.063, 0.063, 0.063, 0.060, 0.045, 0.036, 0.030, 0.026, 0.023, 0.020, 0.018,
                        0.016,
                        0.014, 0.012, 0.010,
                    ]),
                IssueCourse(version: "4.3.0", from: day("2026-11-17"), shares: [0.024, 0.027, 0.022]),
            ]),
            eventsPerUser: 1.6, firstVersion: "4.2.1", fixedIn: "4.2.2", state: .closed,
            reopenedOn: day("2026-11-17"), firstSeen: moment("2026-10-13T10:42:11Z"), isDetailed: true),
        IssuePlan(
            id: "safari-1337", title: "Application tried to present a nil modal view controller",
            place: CodePlace(file: "SFSafariViewController.m", line: 1337),
            rate: .courses([
                IssueCourse(version: "4.3.0", from: day("2026-11-18"), shares: [0.016, 0.027])
            ]),
            eventsPerUser: 2.1, firstVersion: "4.3.0", firstSeen: moment("2026-11-18T14:07:31Z"),
            isDetailed: true),
    ]
}
