import FlyingFox
import Foundation

/// What a stub service returns.
package struct StubResponse: Sendable {
    /// The status.
    package var status: Int
    /// Header lines; Content-Length is added.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]

    /// A response of bytes.
    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response of JSON text.
    package static func json(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> StubResponse {
        StubResponse(
            status: status, headers: [("Content-Type", "application/json")] + headers, body: Array(text.utf8))
    }

    /// A response of plain text.
    package static func text(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> StubResponse {
        StubResponse(
            status: status, headers: [("Content-Type", "text/plain")] + headers, body: Array(text.utf8))
    }

    /// A redirect.
    package static func redirect(_ status: Int = 302, to location: String) -> StubResponse {
        StubResponse(status: status, headers: [("Location", location)])
    }

    var httpResponse: HTTPResponse {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.addValue(value, for: HTTPHeader(name)) }
        return HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: "Stub"), headers: fields, body: Data(body))
    }
}
