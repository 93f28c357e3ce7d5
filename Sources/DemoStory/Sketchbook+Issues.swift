import AppHealth

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
