import Foundation
import LoopbackServer

/// Stand-ins for the services that play the fixtures of the providers' tests.
enum ServiceStub {
    /// The text of a fixture of the providers' tests.
    static func fixture(_ path: String) throws -> String {
        try Folder.text(at: fixturePath(path))
    }

    /// The path of a fixture of the providers' tests.
    static func fixturePath(_ path: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ProvidersTests/Fixtures/\(path)").path
    }

    /// One member of a fixture, as JSON text.
    static func member(_ name: String, of path: String) throws -> String? {
        let root = try JSONSerialization.jsonObject(with: Data(try fixture(path).utf8)) as? [String: Any]
        return try root?[name].map { value in
            String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]),
                as: UTF8.self)
        }
    }

    static let notFound = StubResponse.json(#"{"detail":"Not found"}"#, status: 404)

    /// Responds only to the token of all tests.
    static func bearer(_ request: RecordedRequest, _ answer: () throws -> StubResponse) rethrows
        -> StubResponse
    {
        guard request.header("Authorization") == "Bearer \(token)" else {
            return .json(#"{"detail":"Invalid token"}"#, status: 401)
        }
        return try answer()
    }
}
