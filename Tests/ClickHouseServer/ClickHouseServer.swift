import Foundation
import LoopbackServer

/// A ClickHouse server on a free loopback port, which ends with the test process.
package final class ClickHouseServer: Sendable {
    /// What counts in it.
    package enum Engine: String, CaseIterable, Sendable {
        /// The server of Debian's package, of 2018: as old as servers are that are still used.
        case old
        /// chdb from PyPI, which is the engine of a current server, behind a stand-in of its HTTP interface.
        case current
    }

    /// What came back of a statement.
    package struct Answer: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: String
    }

    /// The server refused a statement.
    package struct Refusal: Error, CustomStringConvertible {
        package var description: String
    }

    /// The one server of this process with an engine, with databases that are made for each test.
    package static func shared(_ engine: Engine) async throws -> ClickHouseServer {
        switch engine {
        case .old: try await old.value
        case .current: try await current.value
        }
    }

    private static let old = Task { try await ClickHouseServer(.old) }
    private static let current = Task { try await ClickHouseServer(.current) }

    private let engine: Engine
    package let port: UInt16
    package var origin: String { "http://127.0.0.1:\(port)" }
    /// A user who may only read, and whose queries may carry limits.
    package static let reader = (name: "report", password: "r3port-pier")
    /// A user whose queries may carry no limits.
    package static let locked = "locked"

    /// Keeps the server alive: it ends when this end of the pipe does.
    private let input: FileHandle

    private init(_ engine: Engine) async throws {
        guard engine.isInstalled else { throw Refusal(description: engine.reason) }
        self.engine = engine
        let folder = FileManager.default.temporaryDirectory.path + "/clickhouse-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        port = try freeLoopbackPort()
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", try Self.command(of: engine, in: folder, port)]
        process.environment = ProcessInfo.processInfo.environment.merging(["TZ": "Europe/Berlin"]) { $1 }
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        input = pipe.fileHandleForWriting
        // The current engine loads a lot before it listens.
        for _ in 0..<5 {
            if (try? await untilLoopbackAnswers(port)) != nil { return }
        }
        throw Refusal(description: "ClickHouse does not answer")
    }

    /// What runs a server until its input ends, and then removes its folder.
    private static func command(of engine: Engine, in folder: String, _ port: UInt16) throws -> String {
        switch engine {
        case .old:
            try configuration(folder, port, try freeLoopbackPort()).write(
                toFile: "\(folder)/config.xml", atomically: true, encoding: .utf8)
            try users.write(toFile: "\(folder)/users.xml", atomically: true, encoding: .utf8)
            return """
                cd '\(folder)'; '\(Engine.program ?? "")' --config-file='\(folder)/config.xml' </dev/null & pid=$!
                cat >/dev/null; kill -9 $pid; wait $pid; cd /; rm -rf '\(folder)'
                """
        case .current:
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("clickhouse_current.py").path
            let users = """
                {"default":{"password":"","readonly":false},\
                "\(reader.name)":{"password":"\(reader.password)","readonly":true}}
                """
            return """
                cd '\(folder)'; '\(Engine.python)' -W ignore '\(script)' \(port) '\(folder)/data' '\(users)'
                cd /; rm -rf '\(folder)'
                """
        }
    }

    /// Sends a statement and gives its answer, whatever it is.
    package func answer(
        to statement: String, query: String = "", headers: [(name: String, value: String)] = []
    ) -> Answer {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let text = exchange(
            """
            POST /?\(query) HTTP/1.0\r
            Host: 127.0.0.1\r
            \(lines)Content-Length: \(statement.utf8.count)\r
            \r
            \(statement)
            """, port)
        let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let head = (halves.first ?? "").split(separator: "\r\n")
        let status = head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let fields = head.dropFirst().compactMap { line -> (name: String, value: String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
        }
        return Answer(status: status, headers: fields, body: halves.count > 1 ? String(halves[1]) : "")
    }

    /// Runs a statement that must work.
    @discardableResult
    package func run(_ statement: String, in database: String = "default") throws -> String {
        let answer = answer(
            to: statement,
            query: "database=\(database)\(engine == .old ? "&allow_experimental_low_cardinality_type=1" : "")"
        )
        guard answer.status == 200 else {
            throw Refusal(description: "\(statement.prefix(200)): \(answer.status) \(answer.body)")
        }
        return answer.body
    }

    /// A new database with the statements of a text run in it, without those that its version does not know.
    package func database(_ name: String, _ statements: String) throws -> String {
        try run("DROP DATABASE IF EXISTS \(name)")
        try run("CREATE DATABASE \(name)")
        for statement in statements.split(separator: ";") {
            let text = statement.trimmingCharacters(in: .whitespacesAndNewlines)
            // The old version has no time to live.
            if text.isEmpty || engine == .old && text.contains("MODIFY TTL") { continue }
            try run(text, in: name)
        }
        return name
    }

    private static func configuration(_ folder: String, _ http: UInt16, _ native: UInt16) -> String {
        """
        <yandex><logger><level>none</level></logger><http_port>\(http)</http_port><tcp_port>\(native)</tcp_port>
        <listen_host>127.0.0.1</listen_host><max_connections>64</max_connections>
        <path>\(folder)/data/</path><tmp_path>\(folder)/tmp/</tmp_path><user_files_path>\(folder)/files/</user_files_path>
        <users_config>\(folder)/users.xml</users_config><default_profile>default</default_profile>
        <default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
        <timezone>Europe/Berlin</timezone></yandex>
        """
    }

    private static let users = """
        <yandex><profiles><default/><reading><readonly>2</readonly></reading><locked><readonly>1</readonly></locked></profiles>
        <users>
        <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
        <\(reader.name)><password>\(reader.password)</password><networks><ip>127.0.0.1</ip></networks><profile>reading</profile><quota>default</quota></\(reader.name)>
        <\(locked)><password></password><networks><ip>127.0.0.1</ip></networks><profile>locked</profile><quota>default</quota></\(locked)>
        </users><quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas></yandex>
        """
}

extension ClickHouseServer.Engine {
    fileprivate static let program = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    fileprivate static let python = ProcessInfo.processInfo.environment["CHDB_PYTHON"] ?? "python3"

    private static let hasModule: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            python, "-c", "import importlib.util as u, sys; sys.exit(0 if u.find_spec('chdb') else 1)",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Whether it is there.
    package var isInstalled: Bool {
        switch self {
        case .old: Self.program != nil
        case .current: Self.hasModule
        }
    }

    /// Why tests that need it are skipped.
    package var reason: String {
        switch self {
        case .old: "ClickHouse is not installed: apt-get install clickhouse-server"
        case .current: "chdb is not installed: pip install chdb, or CHDB_PYTHON names a Python that has it"
        }
    }

    /// Those that are there.
    package static let installed = allCases.filter(\.isInstalled)
}
