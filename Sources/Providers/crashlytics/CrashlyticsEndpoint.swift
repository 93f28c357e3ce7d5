import AppHealth

/// One request to Crashlytics.
struct CrashlyticsEndpoint {
    let parent: [String]
    let window: Range<Instant>
    /// The days that are requested.
    let days: ClosedRange<CivilDate>

    /// The whole UTC days before this run.
    init(_ configuration: CrashlyticsConfiguration, at now: Instant) {
        parent = ["v1alpha", "projects", configuration.project, "apps", configuration.appID]
        let end = now.date
        let start = end.advanced(by: -max(1, min(configuration.days, 89)))
        window = Instant(startOf: start)..<Instant(startOf: end)
        days = start...end.advanced(by: -1)
    }

    /// How a report's numbers are cut.
    enum Grain: String {
        case whole = "TIME_GRANULARITY_NONE"
        case day = "TIME_GRANULARITY_DAY"
    }

    /// Which reports there are, each with a text on what it shows.
    var reports: ServiceCall { ServiceCall.google(parent + ["reports"], part: "reports") }

    /// A report with its results.
    func report(_ id: String, by grain: Grain, fatalOnly: Bool, part: String) -> ServiceCall {
        var query = [
            ("filter.interval.startTime", window.lowerBound.description),
            ("filter.interval.endTime", window.upperBound.description), ("granularity", grain.rawValue),
            ("pageSize", "100"),
        ]
        if fatalOnly { query.append(("filter.issue.errorTypes", "FATAL")) }
        return ServiceCall.google(parent + ["reports", id], query: query, part: part)
    }

    /// The blamed frames of events.
    func frames(of events: [String]) -> ServiceCall {
        ServiceCall.google(
            parent + ["events:batchGet"],
            query: events.map { ("names", $0) } + [("readMask", "name,blameFrame")],
            part: "places in the code")
    }

    /// The blamed frames of the newest events of an issue.
    func newestFrames(of issue: String) -> ServiceCall {
        ServiceCall.google(
            parent + ["events"],
            query: [
                ("filter.issue.id", issue), ("filter.interval.startTime", window.lowerBound.description),
                ("filter.interval.endTime", window.upperBound.description), ("pageSize", "10"),
                ("readMask", "name,blameFrame"),
            ], part: "places in the code")
    }

    /// The notes on an issue, newest first.
    func notes(on issue: String) -> ServiceCall {
        ServiceCall.google(
            parent + ["issues", issue, "notes"], query: [("pageSize", "100")],
            part: "notes on issue \(issue)")
    }
}
