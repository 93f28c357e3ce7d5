import Foundation
import Synchronization

/// What a run of the program told and how it ended.
struct Run: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// All that it told.
    var told: String { output + errors }
}

/// The real program, built beside these tests.
enum Program {
    /// The path of the program; `swift test` builds it before the tests.
    static let path: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let places = [folder.path, checkout.appendingPathComponent(".build/debug").path].map {
            $0 + "/plimsoll"
        }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? places[0]
    }()

    /// Runs it to its end in a folder.
    static func run(
        _ arguments: String..., in folder: Folder, environment: [String: String] = [:]
    ) async throws -> Run {
        try await run(path, arguments, in: folder.path, environment: environment)
    }

    /// Runs any program to its end; no thread is held meanwhile.
    static func run(
        _ program: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) async throws -> Run {
        let started = try Started(program, arguments, in: folder, environment: environment)
        return try await started.end()
    }
}

/// A program that runs. Its standard output goes to a file, its standard error is read as it comes.
final class Started: Sendable {
    /// The number of the process.
    let number: Int32
    private let output = NSTemporaryDirectory() + "plimsoll-run-" + UUID().uuidString
    private let errors = Mutex("")
    private let heard: AsyncStream<Void>
    private let ended: AsyncStream<Int32>

    init(_ program: String, _ arguments: [String], in folder: String, environment: [String: String] = [:])
        throws
    {
        let (heard, hear) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Int32>.makeStream()
        (self.heard, self.ended) = (heard, ended)
        try Data().write(to: URL(fileURLWithPath: output))
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = pipe
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
        number = process.processIdentifier
        Thread.detachNewThread { [self] in
            while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                errors.withLock { $0 += String(decoding: data, as: UTF8.self) }
                hear.yield()
            }
            hear.finish()
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: output) }

    /// Waits until it has told these words among the errors, or until it ends.
    func tells(_ words: String) async {
        for await _ in heard where errors.withLock({ $0.contains(words) }) { return }
    }

    /// What it has told as results so far.
    var told: String {
        String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
    }

    /// Ends it as a power cut would: it cannot do anything more.
    func kill() { _ = Foundation.kill(number, SIGKILL) }

    /// Waits for its end.
    func end() async throws -> Run {
        for await _ in heard {}
        for await status in ended {
            let output = String(
                decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            return Run(status: status, output: output, errors: errors.withLock { $0 })
        }
        throw CancellationError()
    }
}
