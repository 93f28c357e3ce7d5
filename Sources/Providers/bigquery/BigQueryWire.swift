import AppHealth
import Diagnostics
import Files
import Foundation
import Transport

/// The response to a query, or to the request for its results: whether it ended, its columns, and a page of rows.
struct BigQueryAnswer: Decodable, Sendable {
    var jobComplete: Lenient<Bool>?
    var jobReference: BigQueryJob?
    var schema: Schema?
    var rows: LossyArray<Row>?
    var totalRows: WireWhole?
    /// What the next page is requested with; nil or empty on the last.
    var pageToken: WireProse?
    /// Errors and warnings: with rows only warnings.
    var errors: Lenient<LossyArray<BigQueryProblem>>?
    /// How many bytes the query read, or would read.
    var totalBytesProcessed: WireWhole?

    struct Schema: Decodable, Sendable {
        var fields: [Field]?
    }

    struct Field: Decodable, Sendable {
        var name: WireName
        var type: WireName
        /// `NULLABLE`, `REQUIRED` or `REPEATED`.
        var mode: WireName?
    }

    struct Row: Decodable, Sendable {
        var f: [Cell]
    }

    struct Cell: Decodable, Sendable {
        var v: WarehouseCell

        private enum CodingKeys: CodingKey { case v }

        init(from decoder: any Decoder) throws {
            v =
                try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
                    WarehouseCell.self, forKey: .v) ?? .null
        }
    }

    var isComplete: Bool { jobComplete?.value ?? false }

    var columns: [AnsweredColumn] {
        (schema?.fields ?? []).map { field in
            let isList = field.mode?.text == "REPEATED"
            return AnsweredColumn(
                name: field.name.text, type: isList ? "ARRAY<\(field.type.text)>" : field.type.text,
                kind: bigQueryKind(of: field.type.text, mode: field.mode?.text))
        }
    }

    /// What ended the query without a result; nil when there is one.
    var failure: BigQueryProblem? {
        guard columns.isEmpty else { return nil }
        return errors?.value?.values.first
    }

    /// The rows, times as seconds since 1970.
    func cells(_ columns: [AnsweredColumn]) -> [[WarehouseCell]] {
        (rows?.values ?? []).map { row in
            zip(row.f, columns).map { $1.kind == .instant ? $0.v.secondsOfMicroseconds : $0.v }
        }
    }
}

/// A query at the service, by which its results are requested and by which it is ended.
struct BigQueryJob: Decodable, Hashable, Sendable {
    var projectId: WireName?
    var jobId: WireName?
    var location: WireName?

    static func == (a: BigQueryJob, b: BigQueryJob) -> Bool { a.names == b.names }
    func hash(into hasher: inout Hasher) { hasher.combine(names) }

    private var names: [String?] { [projectId?.text, jobId?.text, location?.text] }
}

/// An error in a response of status 200.
struct BigQueryProblem: Decodable, Sendable {
    var reason: Lenient<WireName>?
    var message: Lenient<WireLine>?
}

/// What is known of a table: its columns and how it is divided.
struct BigQueryTableAnswer: Decodable, Sendable {
    var schema: BigQueryAnswer.Schema?
    var timePartitioning: Partitioning?
    var location: WireName?
    /// When the whole table is removed.
    var expirationTime: WireWhole?

    struct Partitioning: Decodable, Sendable {
        /// The column that it is divided by; nil for the time at which rows came in.
        var field: WireName?
        var expirationMs: WireWhole?
    }

    func has(_ column: String) -> Bool {
        (schema?.fields ?? []).contains { $0.name.text == column }
    }
}

extension WarehouseCell {
    /// A time, which is requested as microseconds; some answer with seconds and a fraction.
    fileprivate var secondsOfMicroseconds: WarehouseCell {
        guard case .text(let text) = self else { return self }
        if let micros = Int(text) {
            return .integer(Int((Double(micros) / 1_000_000).rounded(.down)))
        }
        guard let seconds = Double(text), seconds.magnitude < 1e12 else { return self }
        return .integer(Int(seconds.rounded(.down)))
    }
}

/// A query as a request.
///
/// Source: BigQuery API v2, `QueryRequest`.
struct BigQueryRequest: Encodable, Sendable {
    var query: String
    var useLegacySql = false
    var parameterMode = "NAMED"
    var queryParameters: [Parameter]
    var location: String?
    /// How long the response may be waited for; the query goes on after it.
    var timeoutMs: Int
    /// After which the service ends the query.
    var jobTimeoutMs: String
    var maximumBytesBilled: String?
    var maxResults: Int
    var formatOptions = Format()
    var labels = ["program": "plimsoll"]
    var dryRun: Bool?
    /// By which the service knows a query that it got already and bills it once.
    var requestId: String?

    struct Parameter: Encodable, Sendable {
        var name: String
        var parameterType: Kind
        var parameterValue: Value

        struct Kind: Encodable, Sendable {
            var type: String
        }

        struct Value: Encodable, Sendable {
            var value: String
        }

        init(_ name: String, _ parameter: WarehouseParameter) {
            self.name = name
            parameterType = Kind(type: parameter.bigQueryType)
            parameterValue = Value(value: parameter.bigQueryValue)
        }
    }

    struct Format: Encodable, Sendable {
        var useInt64Timestamp = true
    }

    /// The same with an id that follows from it, from the instant of the fetch and from which run of the query it is: a
    /// recorded exchange is found again by its bytes.
    func identified(at now: Instant, run: Int) -> BigQueryRequest {
        var request = self
        request.requestId = String(contentHash(Array("\(now) \(run)\n".utf8) + bytes).prefix(32))
        return request
    }

    private var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// The request to a project.
    ///
    /// - Parameter attempt: Which attempt of the query it is, from 1.
    func call(project: String, part: String, attempt: Int = 1) -> ServiceCall {
        var call = ServiceCall.google(["projects", project, "queries"], body: bytes, part: part)
        call.isRetried = false
        call.attempt = attempt
        return call
    }
}
