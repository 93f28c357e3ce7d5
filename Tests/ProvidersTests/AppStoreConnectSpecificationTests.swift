import Foundation
import Testing
import Transport

@testable import Providers

/// Compares what is requested and read with the published specification, where that is next to the checkout.
struct AppStoreConnectSpecificationTests {
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent(
            "../../../shared/providers/samples/appstoreconnect/openapi-slice.json"
        ).standardizedFileURL.path

    static var isHere: Bool { FileManager.default.fileExists(atPath: path) }

    private static func document() throws -> [String: Any] {
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        return root as? [String: Any] ?? [:]
    }

    private static let shapes: [(String, KeyShape)] = [
        (
            "AnalyticsReportRequestsResponse",
            KeyShape(of: AppStoreConnectPage<AppStoreConnectReportRequest>.self)
        ),
        ("AnalyticsReportRequestResponse", KeyShape(of: AppStoreConnectCreated.self)),
        ("AnalyticsReportsResponse", KeyShape(of: AppStoreConnectPage<AppStoreConnectReportEntry>.self)),
        ("AnalyticsReportInstancesResponse", KeyShape(of: AppStoreConnectPage<AppStoreConnectInstance>.self)),
        ("AnalyticsReportSegmentsResponse", KeyShape(of: AppStoreConnectPage<AppStoreConnectSegment>.self)),
        ("ErrorResponse", KeyShape(of: AppStoreConnectErrors.self)),
    ]

    @Test(.enabled(if: isHere, "the specification is not here"), arguments: shapes.indices)
    func readsOnlyWhatIsSpecified(index: Int) throws {
        let components = try Self.document()["components"] as? [String: Any]
        let schemas = components?["schemas"] as? [String: Any] ?? [:]
        let (name, shape) = Self.shapes[index]
        #expect(shape != .any)
        #expect(unknown(in: shape, of: schemas[name] as? [String: Any] ?? [:], at: name, schemas) == [])
    }

    /// Builds are requested at an address that the slice does not hold.
    @Test(.enabled(if: isHere, "the specification is not here"))
    func asksOnlyWhatIsSpecified() throws {
        let paths = try Self.document()["paths"] as? [String: Any] ?? [:]
        let asked: [(AppStoreConnectEndpoint, String)] = [
            (.apps(bundleID: "a"), "/v1/apps"),
            (.reportRequests(app: "7"), "/v1/apps/{id}/analyticsReportRequests"),
            (.newReportRequest([]), "/v1/analyticsReportRequests"),
            (.reports(request: "7"), "/v1/analyticsReportRequests/{id}/reports"),
            (.instances(report: "7"), "/v1/analyticsReports/{id}/instances"),
            (.segments(instance: "7"), "/v1/analyticsReportInstances/{id}/segments"),
        ]
        for (endpoint, path) in asked {
            let text = endpoint.text(below: try Address("https://host"))
            let halves = text.dropFirst("https://host".count).split(separator: "?")
            #expect(halves[0] == path.replacing("{id}", with: "7"))
            let methods = try #require(paths[path] as? [String: Any])
            let method = try #require(methods[endpoint.call.method.rawValue.lowercased()] as? [String: Any])
            let parameters = (method["parameters"] as? [[String: Any]] ?? []).compactMap {
                $0["name"] as? String
            }
            for part in halves.dropFirst().flatMap({ $0.split(separator: "&") }) {
                #expect(parameters.contains(String(part.prefix { $0 != "=" })), "\(path) \(part)")
            }
        }
    }

    /// Keys that the shape has and the schema has not, as paths.
    private func unknown(
        in shape: KeyShape, of node: [String: Any], at path: String, _ schemas: [String: Any]
    ) -> [String] {
        if let name = (node["$ref"] as? String)?.split(separator: "/").last {
            let schema = schemas[String(name)] as? [String: Any] ?? [:]
            return unknown(in: shape, of: schema, at: path, schemas)
        }
        switch shape {
        case .any: return []
        case .list(let element):
            return unknown(in: element, of: node["items"] as? [String: Any] ?? [:], at: "\(path)[]", schemas)
        case .object(let members):
            let known = node["properties"] as? [String: Any] ?? [:]
            return members.sorted { $0.key < $1.key }.flatMap { key, shape in
                (known[key] as? [String: Any]).map {
                    unknown(in: shape, of: $0, at: "\(path).\(key)", schemas)
                } ?? ["\(path).\(key)"]
            }
        }
    }
}
