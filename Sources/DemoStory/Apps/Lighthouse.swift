import AppHealth

extension AppPlan {
    /// A healthy app.
    static let lighthouse = AppPlan(
        app: "lighthouse",
        source: SourcePlan(
            name: "Harbour telemetry",
            session:
                "A session starts when the app comes to the front after 30 minutes or more away from it.",
            user: "One installation on one device.",
            delay: "The first report of a day holds 96 to 98% of it; the next night it is complete."),
        dailyUsers: 17_200,
        week: [0.99, 0.97, 0.97, 0.98, 1.02, 1.05, 1.02],
        growth: 0.07, userSpread: 0.012, sessionsPerUser: 2.6,
        releases: [
            ReleasePlan("7.0", "700", on: "2026-06-10"),
            ReleasePlan("7.1", "712", on: "2026-07-14"),
            ReleasePlan("7.2", "725", on: "2026-08-18"),
            ReleasePlan("7.3", "741", on: "2026-09-22", halfway: 3.5),
            ReleasePlan("7.4", "756", on: "2026-10-20"),
            ReleasePlan("7.5", "768", on: "2026-11-09", halfway: 3.5),
            ReleasePlan("7.5.1", "770", on: "2026-11-12", halfway: 2.5),
        ],
        issues: lighthouseIssues,
        notes: [
            NotePlan(
                id: "n-101", at: "2026-09-24T08:15:00Z", author: "Release desk", release: "7.3",
                text: "7.3 looks as good as 7.2 after two days. Phased release goes on."),
            NotePlan(
                id: "n-102", at: "2026-11-12T09:30:00Z", author: "Release desk", release: "7.5.1",
                text: "Small follow-up to 7.5: *translations only*, no code has changed."),
        ])

    private static let lighthouseIssues: [IssuePlan] = [
        lighthouseCrash(
            1, "beam-118", "EXC_BAD_ACCESS in BeamRenderer.draw(in:)", "Sources/Beam/BeamRenderer.swift", 118),
        lighthouseCrash(2, "chart-64", "Index out of range", "Sources/Charts/TileIndex.swift", 64),
        lighthouseCrash(
            3, "tide-9", "Unexpectedly found nil: TideTable.next", "Sources/Tides/TideTable.swift", 9),
        lighthouseCrash(
            4, "map-301", "Terminated: memory limit while zooming", "Sources/Map/MapView.swift", 301),
        lighthouseCrash(
            5, "log-77", "Dictionary literal contains duplicate keys", "Sources/Log/LogBook.swift", 77),
        lighthouseCrash(
            6, "gps-12", "EXC_BREAKPOINT in LocationFeed.merge", "Sources/GPS/LocationFeed.swift", 12),
        lighthouseCrash(
            7, "share-45", "Popover shown without a source view", "Sources/Share/ShareSheet.swift", 45,
            lastVersion: "7.2", fixedIn: "7.3"),
        lighthouseCrash(
            8, "watch-20", "WCSession delegate was released", "Sources/Watch/WatchLink.swift", 20,
            firstVersion: "7.3"),
        lighthouseCrash(
            9, "radio-88", "AVAudioSession could not be set active", "Sources/Radio/Tuner.swift", 88),
        lighthouseCrash(10, "cache-5", "Disk full while writing a tile", "Sources/Charts/TileCache.swift", 5),
        IssuePlan(
            id: "start-hang", title: "Main thread blocked for 4 s at launch", kind: .hang,
            place: CodePlace(file: "Sources/App/Launch.swift", line: 31), rate: .steady(0.0006),
            firstVersion: "7.0", firstSeen: moment("2026-06-11T19:20:44Z"),
            earlier: IssueCount(events: 610, users: 480)),
        IssuePlan(
            id: "sync-503", title: "Sync was answered with 503", kind: .error,
            place: CodePlace(file: "Sources/Sync/SyncClient.swift", line: nil), rate: .steady(0.0021),
            eventsPerUser: 2.4, firstVersion: "7.0", state: .muted,
            firstSeen: moment("2026-06-10T11:02:10Z"), earlier: IssueCount(events: 4102, users: 1377)),
    ]

    /// A crash whose rate follows from its rank and never changes.
    private static func lighthouseCrash(
        _ rank: Int, _ id: String, _ title: String, _ file: String, _ line: Int, firstVersion: String = "7.0",
        lastVersion: String? = nil, fixedIn: String? = nil
    ) -> IssuePlan {
        let isOld = firstVersion == "7.0"
        return IssuePlan(
            id: id, title: title, place: CodePlace(file: file, line: line),
            rate: .steady(zipf(rank, total: 0.0030)), firstVersion: firstVersion, lastVersion: lastVersion,
            fixedIn: fixedIn, state: fixedIn == nil ? .open : .closed,
            firstSeen: isOld ? moment("2026-06-\(10 + rank)T20:4\(rank % 10):05Z") : nil,
            earlier: isOld ? IssueCount(events: 1900 / rank, users: 1430 / rank) : IssueCount())
    }
}

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
