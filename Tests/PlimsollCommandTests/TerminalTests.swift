import Foundation
import Platform
import Testing

/// The report on a terminal of its own.
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    @Test(arguments: [40, 80, 160])
    func reportKeepsToTheColumnsOfTheTerminal(columns: Int) async throws {
        let text = try await shown(["show", "--app", "sketchbook"], columns: columns)
        let lines = text.split(separator: "\n").map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(lines.count > 30)
        for line in lines { #expect(line.count <= columns, "\(line)") }
        // Colors are written, and each ends with its line.
        #expect(text.contains("\u{1B}[0;1;31m▼ Below target.\u{1B}[0m Crash-free users "))
        for line in text.split(separator: "\n") where line.contains("\u{1B}") {
            #expect(line.hasSuffix("\u{1B}[0m") || line.ranges(of: "\u{1B}[0m").count > 0, "\(line)")
        }
        // The sparkline of an issue is whole at every width.
        #expect(lines.contains { $0.contains("▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▅█") })
    }

    @Test func refusedColorsAreNotWritten() async throws {
        let text = try await shown(["show"], columns: 80, environment: ["NO_COLOR": "1"])
        #expect(text.contains("▼ Below target") && !text.contains("\u{1B}"))
    }

    /// What a program writes to a terminal of so many columns.
    private func shown(
        _ arguments: [String], columns: Int, environment: [String: String] = [:]
    ) async throws -> String {
        let project = try await DemoProject()
        var (near, far): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&near, &far, nil, nil, &size) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: project.folder.path)
        process.environment = ["TERM": "xterm-256color"].merging(environment) { _, own in own }
            .merging(Started.inherited) { own, _ in own }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: far, closeOnDealloc: false)
        process.standardError = FileHandle.nullDevice
        try process.run()
        close(far)
        let (terminal, number) = (near, process.processIdentifier)
        return try await withLimit(
            Started.patience,
            orElse: {
                kill(number, SIGKILL)
                return ProgramIsLate(
                    description: "plimsoll \(arguments) wrote to its terminal without an end")
            }
        ) { await all(from: terminal) }
    }

    /// What comes from a terminal until its other side is closed, which is an error on Linux.
    private func all(from terminal: Int32) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while case let count = read(terminal, &buffer, buffer.count), count > 0 {
                    bytes += buffer[..<count]
                }
                close(terminal)
                continuation.resume(
                    returning: String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n"))
            }
        }
    }
}
