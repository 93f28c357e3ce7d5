import Files
import Foundation

/// Measures the night of an app whose events are in a ClickHouse server, as events grow: what Plimsoll takes, what leaves
/// the server, and what a script takes that pulls the events.
enum WarehouseBench {
    private static let sizes = [100_000, 1_000_000, 10_000_000]

    static func run(_ folder: String) throws {
        let scratch = folder + "/warehouse"
        try makeFolder(scratch)
        let disk =
            NSTemporaryDirectory() + "plimsoll-bench-events-\(ProcessInfo.processInfo.processIdentifier)"
        try makeFolder(disk)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        guard let server = try EventServer(scratch: disk) else {
            return print(
                "\nwarehouse: not measured, ClickHouse is not installed: apt-get install clickhouse-server")
        }
        defer { server.stop() }
        let tables = try tablesOfManual()
        print(
            "\na night of one app in ClickHouse \(try server.run("SELECT version()", in: "default")), 28 days of sessions"
        )
        var nights: [Night] = []
        for size in sizes {
            try server.fill(sessions: size, tables: tables)
            nights.append(try night(of: size, server, scratch))
        }
        if let first = nights.first, let last = nights.last {
            let growth = "100 times the events"
            line("Plimsoll's CPU with \(growth)", last.own.cpu / first.own.cpu, "×", goal: 1.5)
            line("the server's CPU with \(growth)", last.serverCPU / max(first.serverCPU, 0.01), "×")
            line("rows moved with \(growth)", Double(last.moved) / Double(first.moved), "×")
            line("the script's CPU with \(growth)", last.script.cpu / first.script.cpu, "×")
        }
    }

    /// What a night took.
    private struct Night {
        var own: MeasuredRun
        var script: MeasuredRun
        var moved: Int
        var serverCPU: Double
    }

    private static func night(of size: Int, _ server: EventServer, _ scratch: String) throws -> Night {
        let project = "\(scratch)/\(size)"
        try makeFolder(project)
        func fetch(on day: Int) throws -> (run: MeasuredRun, work: EventServer.Work, cpu: Double) {
            let text = """
                title: Bench
                asOf: 2026-11-\(day)T06:00:00Z
                apps:
                  - id: bench
                    sources: [{provider: clickhouse, url: "\(server.origin)", user: report, database: health}]

                """
            try text.write(toFile: "\(project)/plimsoll.yml", atomically: true, encoding: .utf8)
            let before = try server.cpu()
            let own = try MeasuredRun(plimsoll, ["fetch", "--config", "\(project)/plimsoll.yml"])
            let cpu = try server.cpu() - before
            return (own, try server.work(), cpu)
        }
        let first = try fetch(on: 21)
        let (own, work, cpu) = try fetch(on: 22)
        let script = try MeasuredRun(
            "/usr/bin/env", ["python3", "Tests/Bench/pull.py", server.origin, "2026-11-08"],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""])
        let name = "\(size.formatted()) sessions"
        line("\(name), first night", first.run.elapsed, "s")
        line("\(name), night", own.elapsed, "s")
        line("\(name), night, Plimsoll's CPU", own.cpu, "s")
        line("\(name), night, Plimsoll's memory", own.megabytes, "MB", goal: 64)
        print("\(name), night: \(work.queries) queries moved \(work.moved.formatted()) rows")
        line("\(name), night, rows read", Double(work.rows) / 1e6, "million")
        line("\(name), night, bytes read", Double(work.bytes) / 1e6, "MB")
        line("\(name), night, the server's CPU", cpu, "s")
        line("\(name), night, memory of the largest query", Double(work.memory) / 1e6, "MB")
        line("\(name), script that pulls the events", script.elapsed, "s")
        line("\(name), script, CPU", script.cpu, "s")
        line("\(name), script, memory", script.megabytes, "MB")
        return Night(own: own, script: script, moved: work.moved, serverCPU: cpu)
    }

    /// The program that was built with this one.
    private static var plimsoll: String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().path + "/plimsoll"
    }

    /// The statements of the manual that make the tables.
    private static func tablesOfManual() throws -> [String] {
        let page = try String(contentsOfFile: "Content/manual/providers/clickhouse.md", encoding: .utf8)
        guard let start = page.range(of: "```sql\nCREATE TABLE"),
            let end = page.range(of: "\n```", range: start.upperBound..<page.endIndex)
        else { throw BenchError("the manual has no tables") }
        return page[start.lowerBound..<end.lowerBound].dropFirst("```sql\n".count).split(separator: ";")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }
}
