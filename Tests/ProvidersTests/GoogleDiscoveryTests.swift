import AppHealth
import Foundation
import GoogleStub
import Testing
import Tokens
import Transport

@testable import Providers

/// Compares what is requested and read with Google's own descriptions, where these are next to the checkout.
struct GoogleDiscoveryTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/providers/samples/google").standardizedFileURL.path

    static var isHere: Bool { FileManager.default.fileExists(atPath: folder) }

    private static let types: [(file: String, schema: String, shape: KeyShape)] = [
        (crashlytics, "ListReportsResponse", KeyShape(of: CrashlyticsReports.self)),
        (crashlytics, "Report", KeyShape(of: CrashlyticsReport.self)),
        (crashlytics, "BatchGetEventsResponse", KeyShape(of: CrashlyticsEvents.self)),
        (crashlytics, "ListNotesResponse", KeyShape(of: CrashlyticsNotes.self)),
        (play, "\(prefix)CrashRateMetricSet", KeyShape(of: PlayMetricSet.self)),
        (play, "\(prefix)QueryCrashRateMetricSetResponse", KeyShape(of: PlayRows.self)),
        (play, "\(prefix)SearchErrorIssuesResponse", KeyShape(of: PlayIssues.self)),
        (play, "\(prefix)ListAnomaliesResponse", KeyShape(of: PlayAnomalies.self)),
        (crashlytics, "ListEventsResponse", KeyShape(of: CrashlyticsEvents.self)),
        (play, "\(prefix)ReleaseFilterOptions", KeyShape(of: PlayReleaseOptions.self)),
        (ga4, "RunReportResponse", KeyShape(of: Ga4Report.self)),
        (ga4, "Metadata", KeyShape(of: Ga4Metrics.self)),
        (bigquery, "QueryResponse", KeyShape(of: BigQueryAnswer.self)),
        (bigquery, "GetQueryResultsResponse", KeyShape(of: BigQueryAnswer.self)),
    ]

    @Test(.enabled(if: isHere, "the descriptions are not here"), arguments: types.indices)
    func readsOnlyWhatIsDescribed(index: Int) throws {
        let (file, schema, shape) = Self.types[index]
        let document = try Document(file)
        #expect(document.unknown(in: shape, of: schema) == [])
    }

    @Test(.enabled(if: isHere, "the descriptions are not here"))
    func asksOnlyWhatIsDescribed() throws {
        let account = try ServiceAccountKey(
            json: StubAccount.shared.file(tokenAddress: "https://oauth2.example/token"))
        for (file, calls) in try Self.calls(account) {
            let document = try Document(file)
            for call in calls { #expect(document.faults(of: call) == [], "\(call.segments)") }
        }
    }

    private static let crashlytics = "firebasecrashlytics.v1alpha.discovery"
    private static let play = "playdeveloperreporting.v1beta1.slice"
    private static let ga4 = "analyticsdata.v1beta.slice"
    private static let bigquery = "bigquery.v2.slice"
    private static let prefix = "GooglePlayDeveloperReportingV1beta1"

    private static func calls(_ account: ServiceAccountKey) throws -> [(String, [ServiceCall])] {
        let app = try CrashlyticsConfiguration(appID: "1:2:ios:0a", account: account)
        let crash = CrashlyticsEndpoint(app, at: runTime)
        let vitals = PlayEndpoint(try PlayConfiguration(package: "org.example", account: account))
        let end = GoogleDateTime(
            year: 2026, month: 11, day: 18, timeZone: .init(id: "America/Los_Angeles", version: "2026a"))
        let queries = ["crashRateMetricSet", "anrRateMetricSet", "errorCountMetricSet"].map {
            vitals.query(
                PlayTable(metricSet: $0, metrics: ["m"], dimensions: ["d"], part: ""), until: end, page: "p")
        }
        let property = try Ga4Configuration(property: "42", account: account, stream: "7")
        return [
            (
                crashlytics,
                [
                    crash.reports,
                    crash.report("x", by: .day, fatalOnly: true, part: "").with("pageToken", "p"),
                    crash.frames(of: ["e"]), crash.notes(on: "i").with("pageToken", "p"),
                    crash.newestFrames(of: "i"),
                ]
            ),
            (
                play,
                queries + [
                    vitals.releases, vitals.freshness(of: "crashRateMetricSet"),
                    vitals.issues(at: runTime).with("pageToken", "p"),
                    vitals.anomalies(at: runTime).with("pageToken", "p"),
                ]
            ),
            (
                ga4,
                [Ga4Request.metrics(of: property)]
                    + [Ga4Query.usage, .health, .releaseHealth].map {
                        Ga4Request.call($0, of: property, offset: 5)
                    }
            ),
            (bigquery, try bigQueryCalls(account)),
        ]
    }
}

extension GoogleDiscoveryTests {
    /// A query with everything that one may have, and the request for a page of its results.
    private static func bigQueryCalls(_ account: ServiceAccountKey) throws -> [ServiceCall] {
        let configuration = try BigQueryConfiguration(project: "deck-1", account: account)
        let request = BigQueryRequest(
            query: "SELECT @app", queryParameters: [.init("app", .text("deck"))], location: "EU",
            timeoutMs: 1, jobTimeoutMs: "1", maximumBytesBilled: "1", maxResults: 1, dryRun: true)
        let answer = try JSONDecoder().decode(
            BigQueryAnswer.self, from: Data(#"{"jobReference":{"jobId":"j","location":"EU"}}"#.utf8))
        let job = try #require(answer.jobReference)
        return [
            request.call(project: "deck-1", part: ""), configuration.results(of: job, token: "t", part: ""),
        ]
    }
}

/// A discovery document.
private struct Document {
    private let schemas: [String: Any]
    private var methods: [[String: Any]] = []

    init(_ name: String) throws {
        let path = "\(GoogleDiscoveryTests.folder)/\(name).json"
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let members = root as? [String: Any] ?? [:]
        schemas = members["schemas"] as? [String: Any] ?? [:]
        collect(members)
    }

    private mutating func collect(_ node: [String: Any]) {
        for method in (node["methods"] as? [String: Any] ?? [:]).values {
            if let method = method as? [String: Any] { methods.append(method) }
        }
        for child in (node["resources"] as? [String: Any] ?? [:]).values {
            if let child = child as? [String: Any] { collect(child) }
        }
    }

    /// Keys that the shape has and the schema has not, as paths.
    func unknown(in shape: KeyShape, of schema: String) -> [String] {
        unknown(in: shape, of: ["$ref": schema], at: schema)
    }

    private func unknown(in shape: KeyShape, of node: [String: Any], at path: String) -> [String] {
        if let name = node["$ref"] as? String {
            guard let schema = schemas[name] as? [String: Any] else { return ["\(path): no schema \(name)"] }
            return unknown(in: shape, of: schema, at: path)
        }
        switch shape {
        case .any: return []
        case .list(let element):
            return unknown(in: element, of: node["items"] as? [String: Any] ?? [:], at: "\(path)[]")
        case .object(let members):
            let known = node["properties"] as? [String: Any] ?? [:]
            return members.sorted { $0.key < $1.key }.flatMap { key, shape in
                (known[key] as? [String: Any]).map { unknown(in: shape, of: $0, at: "\(path).\(key)") }
                    ?? ["\(path).\(key)"]
            }
        }
    }

    /// What is not described of a request: its path, its parameters, the members of its body.
    func faults(of call: ServiceCall) -> [String] {
        let path = call.segments.joined(separator: "/")
        let found = methods.first { method in
            let template = (method["flatPath"] ?? method["path"]) as? String ?? ""
            return method["httpMethod"] as? String == call.method.rawValue && matches(path, template)
        }
        guard let found else { return ["no \(call.method.rawValue) \(path)"] }
        let parameters = found["parameters"] as? [String: Any] ?? [:]
        let odd = call.query.map(\.0).filter { parameters[$0] == nil }
        guard let body = call.body else { return odd }
        let members = (try? JSONSerialization.jsonObject(with: Data(body))) ?? [:]
        return odd + strange(members, in: found["request"] as? [String: Any] ?? [:], at: "body")
    }

    private func matches(_ path: String, _ template: String) -> Bool {
        let pattern = template.replacing(#/\{[^}]*\}/#, with: "*")
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        let middle = parts.map { NSRegularExpression.escapedPattern(for: String($0)) }
            .joined(separator: "[^/]+?")
        return path.range(of: "^\(middle)$", options: .regularExpression) != nil
    }

    private func strange(_ value: Any, in node: [String: Any], at path: String) -> [String] {
        if let name = node["$ref"] as? String {
            return strange(value, in: schemas[name] as? [String: Any] ?? [:], at: path)
        }
        if let list = value as? [Any] {
            return list.flatMap { strange($0, in: node["items"] as? [String: Any] ?? [:], at: "\(path)[]") }
        }
        guard let members = value as? [String: Any], node["additionalProperties"] == nil else { return [] }
        let known = node["properties"] as? [String: Any] ?? [:]
        return members.flatMap { key, value in
            (known[key] as? [String: Any]).map { strange(value, in: $0, at: "\(path).\(key)") }
                ?? ["\(path).\(key)"]
        }
    }
}
