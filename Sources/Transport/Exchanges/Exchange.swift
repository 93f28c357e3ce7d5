package import Diagnostics
import Foundation
import Platform

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
/// `failure` takes the place of `response` when no response came. Numbers count from 1 in the order in which
/// the requests were made. Bodies are decompressed; one that is not UTF-8 is in `base64`.
struct Exchange: Codable, Equatable {
    /// The form of these files; it rises when the form changes.
    static let currentFormat = 1

    struct Header: Codable, Equatable {
        var name: String
        var value: String
    }

    struct RecordedRequest: Codable, Equatable {
        var method: String
        var address: String
        var headers: [Header]
        var body: RecordedBody
    }

    struct RecordedResponse: Codable, Equatable {
        var status: Int
        /// The address that responded in the end, after redirects.
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
    var request: RecordedRequest
    var response: RecordedResponse?
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

let exchangeSuffix = ".json"

/// The most bytes of one exchange: a body at the usual limit of 64 MiB, escaped at its worst, fits.
private let mostBytes = 512 << 20

/// The names of the files of a recording, in the order of their numbers.
func exchangeFiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(exchangeSuffix) && !$0.hasPrefix(".") }.sorted()
}

/// Reads one file of a recording.
func exchange(at path: String) throws(RecordingError) -> Exchange {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= mostBytes,
        let data = FileManager.default.contents(atPath: path)
    else { throw .notReadable(path: path) }
    let exchange: Exchange
    do {
        exchange = try JSONDecoder().decode(Exchange.self, from: data)
    } catch {
        if let form = try? JSONDecoder().decode(Form.self, from: data), form.format != Exchange.currentFormat
        {
            throw .format(path: path, number: form.format)
        }
        throw .damaged(path: path, reason: "it lacks what an exchange has, or is not JSON")
    }
    guard exchange.format == Exchange.currentFormat else {
        throw .format(path: path, number: exchange.format)
    }
    guard (exchange.response == nil) != (exchange.failure == nil) else {
        throw .damaged(path: path, reason: "it must have either a response or a failure")
    }
    return exchange
}

private struct Form: Decodable {
    var format: Int
}

/// Why a recording cannot be made or replayed.
package enum RecordingError: Error, Hashable, Sendable {
    /// The folder cannot be written, and why.
    case notWritable(path: String, reason: String)
    /// The folder holds a recording already.
    case notEmpty(path: String)
    /// The folder cannot be read.
    case notReadable(path: String)
    /// There is no exchange in the folder.
    case empty(path: String)
    /// The file is no exchange.
    case damaged(path: String, reason: String)
    /// The file has a form that this version does not know.
    case format(path: String, number: Int)
}

extension RecordingError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .notWritable(let path, let reason):
            .error(
                "transport.recording", "Recording cannot be written", details: [printable(reason)],
                at: .file(path: path), hints: ["use a writable folder"])
        case .notEmpty(let path):
            .error(
                "transport.recording", "Folder already holds a recording", at: .file(path: path),
                hints: ["use a new folder, or remove the old recording"])
        case .notReadable(let path):
            .error(
                "transport.recording", "Recording cannot be read", at: .file(path: path),
                hints: ["use the folder that a recording was written to"])
        case .empty(let path):
            .error(
                "transport.recording", "Folder holds no exchange", at: .file(path: path),
                hints: ["use the folder that a recording was written to"])
        case .damaged(let path, let reason):
            .error(
                "transport.recording", "File is no exchange", details: [printable(reason)],
                at: .file(path: path), hints: ["record again, or remove the file"])
        case .format(let path, let number):
            .error(
                "transport.recording", "Exchange has form \(number), and only form 1 is known",
                at: .file(path: path), hints: ["record again with this version"])
        }
    }
}
