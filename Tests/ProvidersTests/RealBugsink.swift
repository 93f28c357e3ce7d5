import Foundation

/// A real Bugsink server on loopback, which ends with this object or with the test process.
final class RealBugsink {
    /// What the script needs of the server.
    struct Facts: Decodable, Sendable {
        var origin: String?
        var token: String?
        var project: String?
        var dsn: String?
        /// The project with events of four weeks, and the file that holds one row for each of them.
        var past: String?
        var truth: String?
        var skip: String?
    }

    /// One event that was sent to the project of the past.
    struct Sent: Decodable, Sendable {
        var title: String
        var day: String
        var user: String
        var handled: Bool
        var version: String
        var build: String
    }

    struct NothingSaid: Error {}

    static let isWanted = ProcessInfo.processInfo.environment["PLIMSOLL_REAL_SERVERS"] == "1"

    let facts: Facts
    private let process = Process()
    private let input = Pipe()

    /// Starts the server; the first start fetches it from PyPI.
    init() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", tests.appendingPathComponent("RealServers/real_bugsink.py").path,
            tests.appendingPathComponent("../../.build/real-servers").standardizedFileURL.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
            byte != Data("\n".utf8)
        {
            line += byte
        }
        // A script that ends without a word has reported on standard error why: that is a failure.
        guard !line.isEmpty else { throw NothingSaid() }
        facts = try JSONDecoder().decode(Facts.self, from: line)
    }

    /// Every event of the project of the past.
    func truth() throws -> [Sent] {
        guard let path = facts.truth else { throw NothingSaid() }
        return try JSONDecoder().decode([Sent].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Lets the server end and waits for it.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
