import AppHealth

extension AppPlan {
    /// A tiny app whose source knows little, misses days, and was cut off in the last night.
    static let tidepool = AppPlan(
        app: "tidepool",
        source: SourcePlan(
            name: "Rockpool counter",
            session: "Every start of the process is a session.",
            user: "One installation; a new one after the app was removed.",
            delay: "The first report of a day may lack a session or two."),
        capabilities: [.sessions, .users, .releases, .issues, .issueDays],
        dailyUsers: 40,
        week: [0.95, 0.96, 0.96, 0.98, 1.0, 1.05, 1.03],
        growth: 0.05, userSpread: 0.03, sessionsPerUser: 1.6,
        releases: [
            ReleasePlan("1.0", "10", on: "2026-04-02"),
            ReleasePlan("1.1", "14", on: "2026-08-11", halfway: 6),
            ReleasePlan("1.2-beta.1", "19", on: "2026-10-05", ceiling: 0.1),
            ReleasePlan("1.2", "21", on: "2026-10-26", halfway: 6),
        ],
        issues: [
            IssuePlan(
                id: "shell-8", title: "java.lang.NullPointerException: shell",
                place: CodePlace(file: "app/src/main/java/Shell.kt", line: 8), rate: .steady(0.0022),
                firstVersion: "1.0"),
            IssuePlan(
                id: "anr-input", title: "ANR: input dispatching timed out", kind: .hang,
                rate: .steady(0.0012),
                firstVersion: "1.0", strayKey: ("lastSeeen", day("2026-11-19"))),
            IssuePlan(
                id: "camera-17", title: "IllegalStateException: camera is closed",
                place: CodePlace(file: "app/src/main/java/Camera.kt", line: 17), rate: .steady(0.0022),
                firstVersion: "1.1"),
        ],
        idleDays: [day("2026-08-15"), day("2026-09-20"), day("2026-10-25"), day("2026-11-15")],
        missingDays: [
            day("2026-08-03"), day("2026-09-08"), day("2026-09-09"), day("2026-09-10"), day("2026-10-30"),
            day("2026-11-13"),
        ],
        truncatedCapture: day("2026-11-20"))
}
