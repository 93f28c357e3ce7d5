import Foundation
import Platform

/// A program that was started and is ended by `stop`.
struct Program {
    private let process = Process()
    private let output = Pipe()

    /// Starts it; its standard output is kept for `firstLine` and `allOutput`.
    ///
    /// - Parameter isQuiet: Whether what it says of its progress is not shown.
    init(_ path: String, _ arguments: [String], isQuiet: Bool = false) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = isQuiet ? FileHandle.nullDevice : FileHandle.standardError
        try process.run()
    }

    /// This program in another role.
    static func child(_ role: Child, _ arguments: [String]) throws -> Program {
        try Program("/proc/self/exe", [role.rawValue] + arguments)
    }

    /// What it wrote before its first line break.
    func firstLine() -> String {
        var text: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How long a program runs, from its start to its end.
    ///
    /// It has ended when its standard output is closed: Foundation looks only every 50 ms whether a process has.
    static func seconds(_ start: () throws -> Program) throws -> Double {
        var program: Program?
        let time = try plimsoll_bench.seconds {
            program = try start()
            _ = try program?.output.fileHandleForReading.readToEnd()
        }
        try program?.finish()
        return time
    }

    /// Waits for its end and returns what it wrote; throws when it failed.
    @discardableResult
    func finish() throws -> String {
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("\(process.executableURL?.path ?? "") ended with \(process.terminationStatus)")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The seconds of processors that it has taken until now, all its threads together.
    ///
    /// Source: proc(5), `/proc/pid/stat`: the name of the program is in brackets and may hold any sign; `utime` and `stime`
    /// are fields 14 and 15, in ticks.
    func cpu() throws -> Double {
        let path = "/proc/\(process.processIdentifier)/stat"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw BenchError("\(path) has no times")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Ends it at once, whatever it is doing.
    func kill() {
        Platform.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// Why a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
