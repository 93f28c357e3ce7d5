import AppHealth
import Foundation

/// One request to the Developer Reporting API.
struct PlayEndpoint {
    let app: [String]
    let days: Int

    init(_ configuration: PlayConfiguration) {
        app = ["v1beta1", "apps", configuration.package]
        days = max(1, min(configuration.days, 90))
    }

    /// What a metric set has, and until when.
    func freshness(of metricSet: String) -> ServiceCall {
        ServiceCall.google(app + [metricSet], part: "the days of \(metricSet)")
    }

    /// The releases that are served, the only place where version codes meet names.
    var releases: ServiceCall {
        var segments = app
        segments[2] += ":fetchReleaseFilterOptions"
        return ServiceCall.google(segments, part: "names of releases")
    }

    /// A query over whole days up to the end that the service named, which is sent back as it came, but for its hour: the
    /// service names one at times, and admits none in a query of days.
    func query(_ table: PlayTable, until end: GoogleDateTime, page: String?) -> ServiceCall {
        let end = end.withoutHour
        let start = end.date.map { end.on($0.advanced(by: -days)) } ?? end
        let query = PlayQuery(
            timelineSpec: .init(aggregationPeriod: "DAILY", startTime: start, endTime: end),
            metrics: table.metrics, dimensions: table.dimensions, filter: table.filter, pageSize: 10_000,
            pageToken: page)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = (try? encoder.encode(query)).map { [UInt8]($0) } ?? []
        return ServiceCall.google(app + ["\(table.metricSet):query"], body: body, part: table.part)
    }

    /// The days of a query, oldest first: those before the end that the service named.
    func days(until end: GoogleDateTime) -> ClosedRange<CivilDate>? {
        end.date.map { $0.advanced(by: -days)...$0.advanced(by: -1) }
    }

    /// The issues with most reports that users could see, as the rates are of what they could see; in its filters
    /// OR goes before AND. Its times are in UTC: this one refuses a named zone.
    func issues(at now: Instant) -> ServiceCall {
        let times = [("startTime", now.date.advanced(by: -days)), ("endTime", now.date)].flatMap {
            name, date in
            let (year, month, day) = date.components
            return [("year", year), ("month", month), ("day", day)].map {
                ("interval.\(name).\($0.0)", String($0.1))
            } + [("interval.\(name).utcOffset", "0s")]
        }
        return ServiceCall.google(
            app + ["errorIssues:search"],
            query: [
                ("filter", "errorIssueType = CRASH OR errorIssueType = ANR AND isUserPerceived"),
                ("orderBy", "errorReportCount desc"),
            ] + times + [("pageSize", "100"), ("sampleErrorReportLimit", "0")], part: "issues")
    }
}

extension PlayEndpoint {
    /// What the service found odd in the window and since.
    func anomalies(at now: Instant) -> ServiceCall {
        let start = Instant(startOf: now.date.advanced(by: -days))
        return ServiceCall.google(
            app + ["anomalies"],
            query: [("filter", "activeBetween(\"\(start)\", UNBOUNDED)"), ("pageSize", "100")],
            part: "anomalies")
    }
}

/// Metrics of days that are requested together.
struct PlayTable {
    let metricSet: String
    let metrics: [String]
    let dimensions: [String]
    var filter: String?
    /// What messages call it.
    let part: String
}

/// The body of a query.
struct PlayQuery: Encodable, Sendable {
    var timelineSpec: Timeline
    var metrics: [String]
    var dimensions: [String]
    var filter: String?
    var pageSize: Int
    var pageToken: String?

    struct Timeline: Encodable, Sendable {
        var aggregationPeriod: String
        var startTime: GoogleDateTime
        var endTime: GoogleDateTime
    }
}
