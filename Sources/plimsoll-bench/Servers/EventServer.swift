import Foundation

/// A real ClickHouse server on loopback with the tables of the manual, filled with events.
struct EventServer {
    /// What the queries of a fetch did.
    struct Work {
        let queries: Int
        let rows: Int
        let bytes: Int
        let memory: Int
        let moved: Int
    }

    /// `http://127.0.0.1:port`.
    let origin: String
    private let program: Program
    private let folder: String

    /// The last day with events.
    static let lastDay = "2026-11-20"
    /// So many days have events.
    static let days = 28

    /// Starts it; nil when it is not installed.
    init?(scratch: String) throws {
        let paths = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"]
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            return nil
        }
        let (listener, port) = try listenOnFreePort()
        let (other, native) = try listenOnFreePort()
        close(listener)
        close(other)
        folder = scratch
        origin = "http://127.0.0.1:\(port)"
        for (name, text) in [
            ("config.xml", Self.configuration(scratch, port, native)), ("users.xml", Self.users),
        ] {
            try text.write(toFile: "\(scratch)/\(name)", atomically: true, encoding: .utf8)
        }
        program = try Program(path, ["--config-file=\(scratch)/config.xml"], isQuiet: true)
        try waitForServer(onPort: port)
    }

    /// Ends it: this version takes minutes to end by itself.
    func stop() { program.kill() }

    /// The seconds of processors that it has taken until now.
    func cpu() throws -> Double { try program.cpu() }

    /// Runs a statement and returns its answer.
    @discardableResult
    func run(_ statement: String, in database: String = "health") throws -> String {
        let answer = folder + "/answer"
        let arguments = [
            "-sS", "--fail", "-o", answer, "--data-binary", statement,
            "\(origin)/?database=\(database)&allow_experimental_low_cardinality_type=1",
        ]
        _ = try MeasuredRun("/usr/bin/curl", arguments)
        return try String(contentsOfFile: answer, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    /// Makes the tables and writes so many sessions, the same each time, a tenth of them with an event of an issue.
    func fill(sessions: Int, tables: [String]) throws {
        try run("DROP DATABASE IF EXISTS health", in: "default")
        try run("CREATE DATABASE health", in: "default")
        // A version without time to live does not know the statements that set it.
        for statement in tables where !statement.contains("MODIFY TTL") { try run(statement) }
        let users = max(sessions / 6, 1)
        try run(
            """
            INSERT INTO sessions SELECT 'bench', toDate('\(Self.lastDay)') - number % \(Self.days) AS day,
            toDateTime(day) + cityHash64(number, 1) % 86400, number + 1, cityHash64(number, 2) % \(users) + 1,
            concat('4.', toString(number % 3)), cityHash64(number, 3) % 200 = 0, toDateTime(day) + 90000
            FROM system.numbers LIMIT \(sessions)
            """)
        try run(
            """
            INSERT INTO crashes SELECT 'bench', toDate('\(Self.lastDay)') - number % \(Self.days) AS day,
            toDateTime(day) + cityHash64(number, 1) % 86400,
            toUUID(concat('61f0c404-5cb3-11e7-907b-', lower(substring(hex(number + 281474976710656), -12)))),
            concat('issue-', toString(cityHash64(number, 4) % 100)), 'fatal', concat('4.', toString(number % 3)),
            cityHash64(number, 2) % \(users) + 1, number + 1, 'A title', 'Deck.swift', 7, toDateTime(day) + 90000
            FROM system.numbers LIMIT \(sessions / 10)
            """)
    }

    /// What the queries of a fetch did since the last time: how many, rows and bytes that they read, the most memory of
    /// one, and rows that left the server.
    func work() throws -> Work {
        try run("SYSTEM FLUSH LOGS", in: "default")
        let text = try run(
            """
            SELECT count(), sum(read_rows), sum(read_bytes), max(memory_usage), sum(result_rows) FROM system.query_log
            WHERE type = 2 AND query_id LIKE 'plimsoll%'
            """, in: "default")
        try run("TRUNCATE TABLE system.query_log", in: "default")
        let numbers = text.split(separator: "\t").compactMap { Int($0) }
        guard numbers.count == 5 else { throw BenchError("the log of queries says \(text)") }
        return Work(
            queries: numbers[0], rows: numbers[1], bytes: numbers[2], memory: numbers[3], moved: numbers[4])
    }

    private static func configuration(_ folder: String, _ http: UInt16, _ native: UInt16) -> String {
        """
        <yandex><logger><level>none</level></logger><http_port>\(http)</http_port><tcp_port>\(native)</tcp_port>
        <listen_host>127.0.0.1</listen_host><path>\(folder)/data/</path><tmp_path>\(folder)/tmp/</tmp_path>
        <user_files_path>\(folder)/files/</user_files_path><users_config>\(folder)/users.xml</users_config>
        <default_profile>default</default_profile><default_database>default</default_database>
        <mark_cache_size>67108864</mark_cache_size><timezone>UTC</timezone>
        <query_log><database>system</database><table>query_log</table>
        <flush_interval_milliseconds>7500</flush_interval_milliseconds></query_log></yandex>
        """
    }

    private static let users = """
        <yandex><profiles><default><log_queries>1</log_queries><max_memory_usage>12000000000</max_memory_usage></default>
        <reading><readonly>2</readonly><log_queries>1</log_queries></reading></profiles>
        <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
        <report><password></password><networks><ip>127.0.0.1</ip></networks><profile>reading</profile><quota>default</quota></report>
        </users><quotas><default></default></quotas></yandex>
        """
}
