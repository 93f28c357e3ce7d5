/// One address of the API, version 1 of its resources.
enum AppStoreConnectEndpoint: ServiceEndpoint {
    case apps(bundleID: String)
    case reportRequests(app: String)
    /// The body of the request, which writes.
    case newReportRequest([UInt8])
    case reports(request: String)
    case instances(report: String)
    case segments(instance: String)
    case builds(app: String)

    var call: ServiceCall {
        var call = ServiceCall(segments: ["v1"] + segments, query: query, part: what)
        if case .newReportRequest(let body) = self { (call.body, call.writes) = (body, true) }
        return call
    }

    private var segments: [String] {
        switch self {
        case .apps: ["apps"]
        case .reportRequests(let app): ["apps", app, "analyticsReportRequests"]
        case .newReportRequest: ["analyticsReportRequests"]
        case .reports(let request): ["analyticsReportRequests", request, "reports"]
        case .instances(let report): ["analyticsReports", report, "instances"]
        case .segments(let instance): ["analyticsReportInstances", instance, "segments"]
        case .builds: ["builds"]
        }
    }

    private var query: [(String, String)] {
        let own: [(String, String)] =
            switch self {
            case .apps(let bundleID): [("filter[bundleId]", bundleID)]
            case .reportRequests: [("filter[accessType]", "ONGOING")]
            case .newReportRequest: []
            case .reports: [("filter[category]", "APP_USAGE")]
            case .instances: [("filter[granularity]", "DAILY")]
            case .segments: []
            case .builds(let app):
                // The version that users see is that of the pre-release version a build belongs to.
                [("filter[app]", app), ("include", "preReleaseVersion"), ("sort", "-uploadedDate")]
            }
        if case .newReportRequest = self { return own }
        return own + [("limit", "200")]
    }

    private var what: String {
        switch self {
        case .apps: "the app's Apple ID"
        case .reportRequests: "the ongoing report request"
        case .newReportRequest: "creates the ongoing report request if there is none: this writes"
        case .reports: "the reports of the category APP_USAGE"
        case .instances: "the daily instances of a report"
        case .segments: "the segments of an instance"
        case .builds: "builds"
        }
    }
}
