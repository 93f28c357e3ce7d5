import FlyingFox
import Foundation

/// A request as the server saw it.
package struct RecordedRequest: Sendable {
    /// `GET`, `POST`.
    package var method: String
    /// Path and query as they were sent.
    package var target: String
    /// The path, percent-decoded.
    package var path: String
    /// The query's parameters in order, percent-decoded.
    package var query: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// The peer's port: one for each connection.
    package var connection: UInt16
    private var headers: [String: [String]]

    /// The values of a header joined with commas; nil when it was not sent.
    package func header(_ name: String) -> String? {
        headers[name.lowercased()]?.joined(separator: ", ")
    }

    /// The first value of a query parameter.
    package func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    init(_ request: HTTPRequest) async throws {
        method = request.method.rawValue
        target = request.target.rawValue
        // Not `request.path`, which lacks a slash at the end.
        let rawPath = request.target.path()
        path = rawPath.removingPercentEncoding ?? rawPath
        query = request.query.map { (name: $0.name, value: $0.value) }
        body = try await [UInt8](request.bodyData)
        headers = [:]
        for (name, value) in request.headers {
            headers[name.rawValue.lowercased(), default: []].append(value)
        }
        connection = if case .ip4(_, let port)? = request.remoteAddress { port } else { 0 }
    }
}
