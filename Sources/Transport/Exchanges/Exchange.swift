import Foundation

/// One request and what came of it, as a recording keeps it: a JSON file an exchange.
///
/// ```
/// {
///   "format" : 1,
///   "number" : 7,
///   "request" : {
///     "address" : "https://api.example/v2/days?token=redacted",
///     "body" : { "text" : "" },
///     "headers" : [ { "name" : "Accept", "value" : "application/json" } ],
///     "method" : "GET"
///   },
///   "response" : {
///     "address" : "https://api.example/v2/days?token=redacted",
///     "body" : { "text" : "{\"days\":[]}" },
///     "headers" : [ { "name" : "Content-Type", "value" : "application/json" } ],
///     "httpVersion" : "2",
///     "status" : 200
///   }
/// }
/// ```
///
/// In the place of `response` stands `failure` when no answer came. Numbers count from 1 in the order in which
/// the requests were made. Bodies are decompressed; one that is not UTF-8 stands as `base64`.
struct Exchange: Codable, Equatable {
    /// The form of these files; it rises when the form changes.
    static let currentFormat = 1

    struct Header: Codable, Equatable {
        var name: String
        var value: String
    }

    struct Asked: Codable, Equatable {
        var method: String
        var address: String
        var headers: [Header]
        var body: RecordedBody
    }

    struct Answered: Codable, Equatable {
        var status: Int
        /// The address that answered in the end, after redirects.
        var address: String
        var httpVersion: String
        var headers: [Header]
        var body: RecordedBody
    }

    struct Failed: Codable, Equatable {
        var kind: String
        var doing: String
        var text: String
        var code: String?
        var status: Int?
    }

    var format = currentFormat
    var number: Int
    var request: Asked
    var response: Answered?
    var failure: Failed?
}

/// The bytes of a body as JSON can hold them.
enum RecordedBody: Codable, Equatable {
    case text(String)
    case base64([UInt8])

    private enum Key: String, CodingKey {
        case text, base64
    }

    init(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .base64(bytes)
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .base64(let bytes): bytes
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else {
            self = .base64(Array(try container.decode(Data.self, forKey: .base64)))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .base64(let bytes): try container.encode(Data(bytes), forKey: .base64)
        }
    }
}
