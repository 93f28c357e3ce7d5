import Foundation
import LoopbackServer
import SchemaCheck

/// What a vendor describes of the operations that are called: facts of its OpenAPI document, in `Contracts`.
///
/// A file names the document and the base of its paths; for each operation the parameters of its path and its query,
/// its body, and its answers by status. `{+name}` at the end of a path takes several segments. What a document does
/// not describe is not checked: an operation without answers, an answer without a schema.
struct VendorContract: Sendable {
    /// What is before the paths of all operations; empty when nothing is.
    let base: String
    private let bytes: Data

    /// The contract in a file of `Contracts`.
    init(_ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        bytes = try Data(contentsOf: folder.appendingPathComponent("Contracts/\(name).json"))
        base = Self.members(of: bytes)["base"] as? String ?? ""
    }

    private static func members(of bytes: Data) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] ?? [:]
    }

    /// The operations by method and template of their path.
    var operations: [String: [String: Any]] {
        Self.members(of: bytes)["operations"] as? [String: [String: Any]] ?? [:]
    }

    /// The schemas that others refer to.
    var definitions: [String: Any] { Self.members(of: bytes)["$defs"] as? [String: Any] ?? [:] }

    // MARK: Faults

    /// What is wrong with a request: an operation or a parameter that is not described, a body that does not fit.
    ///
    /// - Parameter given: parameters that the service put into the address which it gave away.
    func faults(of call: VendorCall, given: Set<String> = []) -> [String] {
        guard let operation = operation(call) else { return ["not described: \(call.method) \(call.target)"] }
        let query = call.query.filter { !given.contains($0.name) }
        let found =
            faults(
                in: operation.parameters.map { ($0.key, $0.value) }, operation.facts["path"], isClosed: false)
            + faults(in: query.map { ($0.name, $0.value) }, operation.facts["query"], isClosed: true)
            + faults(inBody: call.body, operation.facts)
        return found.map { "\(operation.name): \($0)" }
    }

    /// What is wrong with a body of an operation.
    func faults(inBody body: [UInt8], of operation: String) -> [String] {
        guard let facts = operations[operation] else { return ["not described: \(operation)"] }
        return faults(inBody: body, facts)
    }

    /// What is wrong with an answer: a status that is not described, a body that does not fit.
    func faults(of answer: StubResponse, to call: VendorCall) -> [String] {
        guard let operation = operation(call), let answers = operation.facts["answers"] as? [String: Any]
        else { return [] }
        guard let schema = Self.schema(of: answer.status, in: answers) else {
            return ["\(operation.name): status \(answer.status) is not described"]
        }
        guard !schema.isEmpty else { return [] }
        return faults(in: Data(answer.body), schema).map { "\(operation.name) \(answer.status): \($0)" }
    }

    private static func schema(of status: Int, in answers: [String: Any]) -> [String: Any]? {
        (answers["\(status)"] ?? answers["\(status / 100)XX"]) as? [String: Any]
    }

    private func faults(inBody body: [UInt8], _ facts: [String: Any]) -> [String] {
        guard let schema = facts["body"] as? [String: Any] else {
            return body.isEmpty ? [] : ["a body is not described"]
        }
        return faults(in: Data(body), schema)
    }

    /// Parameters are checked as the members of one object.
    private func faults(in parameters: [(String, String)], _ facts: Any?, isClosed: Bool) -> [String] {
        let schemas = facts as? [String: [String: Any]] ?? [:]
        var values: [String: Any] = [:]
        for (name, text) in parameters { values[name] = value(text, as: schemas[name] ?? [:]) }
        guard let data = try? JSONSerialization.data(withJSONObject: values) else { return ["not JSON"] }
        return faults(
            in: data, ["type": "object", "properties": schemas, "additionalProperties": !isClosed])
    }

    private func faults(in data: Data, _ schema: [String: Any]) -> [String] {
        var root = schema
        root["$defs"] = definitions
        return SchemaCheck(root: root).faults(in: data)
    }

    /// The value that a text is meant to be.
    private func value(_ text: String, as schema: [String: Any]) -> Any {
        let types = SchemaSample(definitions: definitions, isSparse: false).types(of: schema)
        if types.contains("integer") || types.contains("number"), let number = Int(text) { return number }
        if types.contains("boolean"), text == "true" || text == "false" { return text == "true" }
        return text
    }

    // MARK: Answers

    /// A whole answer: what is said, and something typical for the rest that is described.
    ///
    /// - Parameter isSparse: whether the rest is only what is required, and null where it may be.
    func answer(
        to call: VendorCall, status: Int = 200, saying said: Any, isSparse: Bool = false,
        headers: [(name: String, value: String)] = []
    ) -> StubResponse {
        let answers = operation(call)?.facts["answers"] as? [String: Any] ?? [:]
        let schema = Self.schema(of: status, in: answers) ?? [:]
        let whole = SchemaSample(definitions: definitions, isSparse: isSparse).filled(said, schema)
        let body = (try? JSONSerialization.data(withJSONObject: whole)).map(Array.init) ?? []
        return StubResponse(
            status: status, headers: [("Content-Type", "application/json")] + headers, body: body)
    }

    // MARK: Operations

    private struct Operation {
        let name: String
        let parameters: [String: String]
        let facts: [String: Any]
    }

    /// The operation that a request is of; of several the one that names more of the path.
    private func operation(_ call: VendorCall) -> Operation? {
        guard call.path.hasPrefix(base + "/") else { return nil }
        let segments = Self.segments(call.path.dropFirst(base.count))
        let found = operations.compactMap { name, facts -> Operation? in
            let words = name.split(separator: " ")
            guard words.count == 2, words[0] == call.method,
                let parameters = Self.parameters(of: Self.segments(words[1]), in: segments)
            else { return nil }
            return Operation(name: name, parameters: parameters, facts: facts)
        }
        return found.min { ($0.parameters.count, $0.name) < ($1.parameters.count, $1.name) }
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The values for a template in a path, decoded; nil when it does not fit. An encoded slash divides nothing.
    private static func parameters(of template: [Substring], in path: [Substring]) -> [String: String]? {
        var rest = path[...]
        var found: [String: String] = [:]
        for part in template {
            guard let segment = rest.popFirst() else { return nil }
            if part.hasPrefix("{+") {
                let whole = ([segment] + rest).joined(separator: "/")
                found[String(part.dropFirst(2).dropLast())] = whole.removingPercentEncoding ?? whole
                rest = []
            } else if part.hasPrefix("{") {
                guard !segment.isEmpty else { return nil }
                found[String(part.dropFirst().dropLast())] =
                    segment.removingPercentEncoding ?? String(segment)
            } else if part != segment {
                return nil
            }
        }
        return rest.isEmpty ? found : nil
    }
}

/// A request, as far as a document describes one.
struct VendorCall {
    var method: String
    /// Path and query as they are sent.
    var target: String
    var body: [UInt8] = []

    var path: Substring { target.prefix { $0 != "?" } }

    /// The parameters of the query, decoded.
    var query: [(name: String, value: String)] {
        target.dropFirst(path.count + 1).split(separator: "&").map { part in
            let name = part.prefix { $0 != "=" }
            return (Self.decoded(name), Self.decoded(part.dropFirst(name.count + 1)))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = text.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? String(spaced)
    }
}

extension VendorCall {
    /// The request that reached a server.
    init(_ request: RecordedRequest) {
        self.init(method: request.method, target: request.target, body: request.body)
    }
}
