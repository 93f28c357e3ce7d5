import AppHealth
import Transport

/// One address of the API, version 1 of its resources.
enum AppStoreConnectEndpoint {
    case apps(bundleID: String)
    case reportRequests(app: String)
    case newReportRequest
    case reports(request: String)
    case instances(report: String)
    case segments(instance: String)
    case builds(app: String)

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

    var method: Request.Method {
        if case .newReportRequest = self { .post } else { .get }
    }

    /// What a person calls what is learnt from it.
    var part: String {
        switch self {
        case .apps: "the app's Apple ID"
        case .reportRequests: "the ongoing report request"
        case .newReportRequest: "creates the ongoing report request when there is none: this writes"
        case .reports: "the reports of the category APP_USAGE"
        case .instances: "the daily instances of a report"
        case .segments: "the segments of an instance"
        case .builds: "builds"
        }
    }

    /// Its address; ids are percent-encoded, and one that would change the path is refused.
    func address(below base: Address) throws(AddressError) -> Address {
        var address = base
        for segment in ["v1"] + segments { address = try address.appending(segment) }
        return try address.adding(query: query)
    }

    /// Its address for a person, ids as they are.
    func text(below base: Address) -> String {
        let root = base.description
        let start = root.hasSuffix("/") ? String(root.dropLast()) : root
        let path = ([start, "v1"] + segments).joined(separator: "/")
        let query = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }
}
