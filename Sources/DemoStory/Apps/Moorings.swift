import AppHealth

extension AppPlan {
    /// An app whose source counts crashes alone: no sessions, no rates, and days of the issues with most events only.
    static let moorings = AppPlan(
        app: "moorings",
        source: SourcePlan(
            name: "Quay issue tracker",
            session: "Sessions are not counted.",
            user: "The id that the app sets; distinct over the life of an issue.",
            delay: "The first report of a day lacks some of its last hours."),
        capabilities: [.releases, .issues, .issueDays, .notes],
        dailyUsers: 5_200,
        week: [1.04, 1.03, 1.02, 1.0, 1.02, 0.96, 0.93],
        growth: 0.04, userSpread: 0.02, sessionsPerUser: 1.8,
        releases: [
            ReleasePlan("2.0", "200", on: "2026-06-23"),
            ReleasePlan("2.1", "212", on: "2026-08-25"),
            ReleasePlan("2.2", "224", on: "2026-10-06"),
            ReleasePlan("2.3", "237", on: "2026-11-14", halfway: 2, ceiling: 0.8),
        ],
        issues: mooringsIssues,
        notes: [
            NotePlan(
                id: "n-301", at: "2026-11-18T16:40:00Z", author: "Harbour desk", issue: "berth-204",
                text: "Happens when two boats ask for one berth. The fix is in review for 2.3.1.")
        ],
        reach: 90, issuesByDay: 8)

    private static let mooringsIssues: [IssuePlan] = [
        mooringsCrash(1, "plan-77", "IndexError: list index out of range", "moorings/plan.py", 77),
        mooringsCrash(2, "tariff-31", "ZeroDivisionError: division by zero", "moorings/tariff.py", 31),
        mooringsCrash(3, "depth-118", "KeyError: 'depth'", "moorings/chart.py", 118),
        mooringsCrash(4, "ferry-9", "TypeError: 'NoneType' object is not iterable", "moorings/ferry.py", 9),
        mooringsCrash(5, "print-54", "OSError: printer is not ready", "moorings/print.py", 54),
        mooringsCrash(6, "login-12", "TimeoutError: no answer in 30 s", "moorings/login.py", 12),
        mooringsCrash(7, "tide-63", "ValueError: could not convert string to float", "moorings/tide.py", 63),
        mooringsCrash(8, "invoice-90", "UnicodeDecodeError: invalid start byte", "moorings/invoice.py", 90),
        mooringsCrash(
            9, "radio-41", "BrokenPipeError", "moorings/radio.py", 41, firstVersion: "2.1"),
        mooringsCrash(10, "crane-15", "AttributeError: 'Slip' has no 'length'", "moorings/crane.py", 15),
        mooringsCrash(
            11, "flag-7", "AssertionError: unknown flag", "moorings/flag.py", 7, lastVersion: "2.1",
            fixedIn: "2.2"),
        mooringsCrash(12, "lamp-22", "RuntimeError: event loop is closed", "moorings/lamp.py", 22),
        IssuePlan(
            id: "berth-204", title: "DeadlockDetected: two orders for one berth",
            place: CodePlace(file: "moorings/berth.py", line: 204),
            rate: .courses([
                IssueCourse(
                    version: "2.3", from: day("2026-11-16"), shares: [0.012, 0.016, 0.018, 0.018])
            ]),
            eventsPerUser: 1.4, firstVersion: "2.3", firstSeen: moment("2026-11-16T07:52:40Z")),
    ]

    /// A crash whose rate follows from its rank and never changes.
    private static func mooringsCrash(
        _ rank: Int, _ id: String, _ title: String, _ file: String, _ line: Int, firstVersion: String = "2.0",
        lastVersion: String? = nil, fixedIn: String? = nil
    ) -> IssuePlan {
        let isOld = firstVersion == "2.0"
        return IssuePlan(
            id: id, title: title, place: CodePlace(file: file, line: line),
            rate: .steady(zipf(rank, total: 0.0075)), firstVersion: firstVersion, lastVersion: lastVersion,
            fixedIn: fixedIn, state: fixedIn == nil ? .open : .closed,
            firstSeen: isOld ? moment("2026-06-\(23 + rank % 7)T1\(rank % 10):27:05Z") : nil,
            earlier: isOld ? IssueCount(events: 640 / rank, users: 480 / rank) : IssueCount())
    }
}
