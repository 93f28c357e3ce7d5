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
        notes: sketchbookNotes,
        devices: DevicesPlan(
            since: day("2026-10-27"), kinds: [("iPhone", 613), ("iPad", 322), ("Mac", 65)]))

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

extension AppPlan {
    /// The everyday issues.
    static let sketchbookIssues: [IssuePlan] = [
        sketchbookCrash(
            1, "canvas-212", "EXC_BAD_ACCESS in CanvasLayer.flatten(_:)", "Sources/Canvas/CanvasLayer.swift",
            212),
        sketchbookCrash(
            2, "tiles-88", "Unexpectedly found nil while unwrapping an Optional value",
            "Sources/Engine/TileCache.swift", 88),
        sketchbookCrash(
            3, "undo-140", "Range requires lowerBound <= upperBound", "Sources/Undo/History.swift", 140,
            lastVersion: "4.1.1", fixedIn: "4.2.0"),
        sketchbookCrash(
            9, "widget-22", "Arithmetic overflow in WidgetLayout.columns",
            "Sources/Widget/WidgetLayout.swift", 22,
            firstVersion: "4.2.0"),
        IssuePlan(
            id: "memory-1", title: "Terminated: out of memory while merging layers",
            rate: .steady(zipf(4, total: crashTotal)), firstVersion: "4.0.0",
            firstSeen: moment("2026-05-20T21:10:00Z"), earlier: IssueCount(events: 2204, users: 1710),
            url: "javascript:alert(document.domain)"),
        IssuePlan(
            id: "font-56", title: "Font “Inter-Light” could not be registered", kind: .error,
            place: CodePlace(file: "Sources/Text/FontLibrary.swift", line: nil), rate: .steady(0.0016),
            eventsPerUser: 1.9, firstVersion: "4.0.0", state: .muted,
            firstSeen: moment("2026-05-19T12:31:40Z"), earlier: IssueCount(events: 3960, users: 1544)),
        IssuePlan(
            id: "export-hang", title: "Main thread blocked for 5 s while exporting", kind: .hang,
            place: CodePlace(file: "Sources/Export/Exporter.swift", line: 401), rate: .steady(0.0009),
            firstVersion: "4.1.0", firstSeen: moment("2026-07-08T17:55:02Z"),
            earlier: IssueCount(events: 402, users: 333)),
    ]

    /// The sum of the shares of users that the twelve ranks of crashes would meet on a day.
    static let crashTotal = 0.0062

    /// A crash whose rate follows from its rank and never changes.
    static func sketchbookCrash(
        _ rank: Int, _ id: String, _ title: String, _ file: String, _ line: Int?,
        firstVersion: String = "4.0.0",
        lastVersion: String? = nil, fixedIn: String? = nil
    ) -> IssuePlan {
        let isOld = firstVersion == "4.0.0"
        return IssuePlan(
            id: id, title: title, place: CodePlace(file: file, line: line),
            rate: .steady(zipf(rank, total: crashTotal)), firstVersion: firstVersion,
            lastVersion: lastVersion,
            fixedIn: fixedIn, state: fixedIn == nil ? .open : .closed,
            firstSeen: isOld ? moment("2026-05-\(19 + rank)T20:1\(rank % 10):27Z") : nil,
            earlier: isOld ? IssueCount(events: 7300 / rank, users: 5520 / rank) : IssueCount())
    }
}

extension AppPlan {
    /// What the team wrote while it happened, and one note that would do harm if it were taken on trust.
    static let sketchbookNotes: [NotePlan] = [
        NotePlan(
            id: "n-201", at: "2026-10-14T08:20:00Z", author: "On call", issue: "atomic-54",
            text: """
                Seen since **4.2.1**: a stroke of one point empties the ring buffer, and `Atomic.swift:54` \
                reads its first element. Phased release is to be stopped.
                """),
        NotePlan(
            id: "n-202", at: "2026-10-17T07:45:00Z", author: "Engine team", issue: "atomic-54",
            text: "Repaired in **4.2.2** (376): an empty buffer is skipped. Closed; watch until the 22nd."),
        NotePlan(
            id: "n-203", at: "2026-10-17T09:05:00Z", author: "Release desk", release: "4.2.2",
            text: "4.2.2 goes to everybody at once, *not* in phases: it repairs `atomic-54` and nothing else."
        ),
        NotePlan(
            id: "n-204", at: "2026-10-23T08:00:00Z", author: "Release desk",
            text: "Back to where we were before 4.2.1. Phases start at 2% from now on."),
        NotePlan(
            id: "n-205", at: "2026-11-11T13:37:00Z", author: "<b>Mallory</b> & \"friends\"",
            issue: "export-77",
            text: """
                <script>alert("note")</script>
                <img src=x onerror="alert(2)"> [click me](javascript:alert(3)) <javascript:alert(4)>

                <table><tr><td>raw &amp; unfinished ![pixel](http://tracker.example/pixel.gif)
                """),
        NotePlan(
            id: "n-206", at: "2026-11-19T16:40:00Z", author: "On call", issue: "safari-1337",
            text: """
                Only in **4.3.0**, only when a shared link is opened twice:

                1. open a gallery link from a message,
                2. go back before the page is shown,
                3. open it again.

                > Cannot be repeated on a slow network.

                The guard is `presentedViewController == nil`; see the \
                [steps](https://telemetry.example/sketchbook/issues/safari-1337).
                """),
    ]
}

extension AppPlan {
    /// Issues whose titles would do harm in a page that takes foreign text on trust.
    static let sketchbookHostileIssues: [IssuePlan] = [
        sketchbookCrash(5, "importer-7", longTitle, "Sources/Import/Importer.swift", 7),
        sketchbookCrash(
            6, "palette-31", "`Palette.color(at:)` gave ``nil`` for ```index``` 31",
            "Sources/Palette.swift",
            31),
        sketchbookCrash(
            7, "brush-19", "Stroke | width | NaN | |---|:-:| | 0 | <1 pt |", "Sources/Brush/Stroke.swift", 19),
        sketchbookCrash(
            8, "export-77", "Export failed: \"<script>alert(1)</script>.png\" & more",
            "Sources/Namer.swift", 77),
        sketchbookCrash(
            10, "layers/Blend#7", "خطأ في Layer.blend() \u{202E}gpj.exe שכבה ריקה 7 (Blend)",
            "Sources/Layers/Blend.swift", nil),
        sketchbookCrash(
            11, "sticker-3", "👩‍👩‍👧‍👦 sticker 🏳️‍🌈 🇯🇵🇧🇷 lost its place 🖍️", "Sources/Sticker/Sticker.swift", 3),
        sketchbookCrash(12, "unnamed-0", "", "Sources/Engine/Plugin.swift", 1),
    ]

    /// A title of exactly 300 characters without a good place to break it.
    private static let longTitle = String(
        ("NSInvalidArgumentException: *** -[__NSArrayM insertObject:atIndex:]: object cannot be nil; at="
            + String(repeating: "LayeredDocumentImporterFactoryDelegateProxy.", count: 5)).prefix(300))
}
