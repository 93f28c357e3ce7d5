import Foundation
import LoopbackServer

/// An emulator of BigQuery on a free loopback port, which ends with the test process: bqemulator from PyPI.
package final class BigQueryEmulator: Sendable {
    /// What came back of a request.
    package struct Answer: Sendable {
        package var status: Int
        package var body: String
    }

    /// The emulator refused a request.
    package struct Refusal: Error, CustomStringConvertible {
        package var description: String
    }

    /// A column of a table.
    package struct Column: Sendable, Encodable {
        var name: String
        var type: String
        var fields: [Column]?

        /// Makes a column; one with columns of its own is a record.
        package init(_ name: String, _ type: String = "RECORD", _ fields: [Column]? = nil) {
            (self.name, self.type, self.fields) = (name, type, fields)
        }
    }

    private static let python = ProcessInfo.processInfo.environment["BQEMULATOR_PYTHON"] ?? "python3"

    /// Whether there is one.
    package static let isInstalled: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            python, "-c",
            "import importlib.util as u, sys; sys.exit(0 if u.find_spec('bqemulator') and u.find_spec('numpy') else 1)",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
    /// Why tests that need one are skipped.
    package static let reason: String = "bqemulator is not installed: pip install bqemulator numpy"

    /// The one emulator of this process, with a project for each test.
    package static let shared = Task { try await BigQueryEmulator() }

    private let port: UInt16
    /// Keeps the emulator alive: it ends when this end of the pipe does.
    private let input: FileHandle

    private init() async throws {
        guard Self.isInstalled else { throw Refusal(description: Self.reason) }
        port = try freeLoopbackPort()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("bigquery_emulator.py").path
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [Self.python, "-W", "ignore", script, "\(port)", "\(try freeLoopbackPort())"]
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        input = pipe.fileHandleForWriting
        // It loads a lot before it listens.
        for _ in 0..<5 {
            if (try? await untilLoopbackAnswers(port)) != nil { return }
        }
        throw Refusal(description: "bqemulator does not answer")
    }

    /// Sends a request and gives its answer, whatever it is.
    package func answer(_ method: String, _ target: String, _ body: String = "") -> Answer {
        let text = exchange(
            """
            \(method) /bigquery/v2\(target) HTTP/1.0\r
            Host: 127.0.0.1\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """, port)
        let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let status = halves.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, body: halves.count > 1 ? String(halves[1]) : "")
    }

    private func run(_ target: String, _ members: String) throws {
        let answer = answer("POST", target, members)
        guard answer.status == 200, !answer.body.contains(#""insertErrors":[{"#) else {
            throw Refusal(description: "\(target): \(answer.status) \(answer.body.prefix(500))")
        }
    }

    /// Makes a dataset.
    package func dataset(_ name: String, in project: String) throws {
        try run(
            "/projects/\(project)/datasets",
            #"{"datasetReference":{"projectId":"\#(project)","datasetId":"\#(name)"},"location":"US"}"#)
    }

    /// Makes a table that is divided by the time at which rows come in.
    package func table(_ name: String, _ columns: [Column], in dataset: String, of project: String) throws {
        let fields = String(decoding: try JSONEncoder().encode(columns), as: UTF8.self)
        try run(
            "/projects/\(project)/datasets/\(dataset)/tables",
            """
            {"tableReference":{"projectId":"\(project)","datasetId":"\(dataset)","tableId":"\(name)"},\
            "schema":{"fields":\(fields)},"timePartitioning":{"type":"DAY"}}
            """)
    }

    /// Writes rows, each an object in JSON.
    package func insert(_ rows: [String], into table: String, in dataset: String, of project: String) throws {
        for start in stride(from: 0, to: rows.count, by: 5_000) {
            let some = rows[start..<min(start + 5_000, rows.count)].map { #"{"json":\#($0)}"# }
            try run(
                "/projects/\(project)/datasets/\(dataset)/tables/\(table)/insertAll",
                #"{"rows":[\#(some.joined(separator: ","))]}"#)
        }
    }
}

// MARK: What Firebase exports

extension BigQueryEmulator {
    /// Makes the tables of an app's export, of the night and of the moment.
    package func firebase(_ project: String, app: String, sessions: Bool = true) throws {
        let application = Column(
            "application", "RECORD", [Column("build_version", "STRING"), Column("display_version", "STRING")])
        let crashes =
            ["event_id", "error_type", "issue_id", "installation_uuid", "firebase_session_id"].map {
                Column($0, "STRING")
            } + [
                Column("event_timestamp", "TIMESTAMP"), application,
                Column(
                    "blame_frame", "RECORD",
                    [Column("file", "STRING"), Column("line", "INT64"), Column("symbol", "STRING")]),
            ]
        let starts =
            ["instance_id", "session_id", "event_type"].map { Column($0, "STRING") } + [
                Column("event_timestamp", "TIMESTAMP"), Column("received_timestamp", "TIMESTAMP"),
                application,
            ]
        for (dataset, columns) in [("firebase_crashlytics", crashes), ("firebase_sessions", starts)]
        where sessions || dataset == "firebase_crashlytics" {
            try self.dataset(dataset, in: project)
            for name in [app, app + "_REALTIME"] { try table(name, columns, in: dataset, of: project) }
        }
    }

    /// A row of a session.
    package static func session(_ id: String, user: String?, release: String, at time: String) -> String {
        """
        {"session_id":"\(id)","instance_id":\(user.map { "\"\($0)\"" } ?? "null"),"event_type":"SESSION_START",\
        "event_timestamp":"\(time)","application":{"display_version":"\(release)"}}
        """
    }

    /// A row of a crash; `kind` is `FATAL`, `NON_FATAL` or `ANR`.
    package static func crash(
        _ id: String, kind: String = "FATAL", issue: String, user: String?, session: String?, release: String,
        symbol: String = "draw", file: String? = "Deck.swift", at time: String
    ) -> String {
        func text(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "null" }
        return """
            {"event_id":"\(id)","error_type":"\(kind)","issue_id":"\(issue)","installation_uuid":\(text(user)),\
            "firebase_session_id":\(text(session)),"event_timestamp":"\(time)",\
            "application":{"display_version":"\(release)"},\
            "blame_frame":{"symbol":"\(symbol)","file":\(text(file)),"line":7}}
            """
    }
}
