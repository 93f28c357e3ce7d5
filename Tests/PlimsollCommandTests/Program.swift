import Foundation
import Synchronization

/// What a run of the program printed and how it ended.
struct Run: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// All that it printed.
    var printed: String { output + errors }
}

/// The real program, built with these tests.
enum Program {
    /// The path of the program: that of `PLIMSOLL_PROGRAM`, else the one that `swift test` builds before the tests.
    static let path: String = {
        if let named = ProcessInfo.processInfo.environment["PLIMSOLL_PROGRAM"] { return named }
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

/// A program that did not do in time what a test waits for.
struct ProgramIsLate: Error, CustomStringConvertible {
    let description: String
}

/// A program that runs. Its standard output goes to a file, its standard error is read as it comes.
///
/// No wait is without an end: a program that does not say or do in time what it should is killed, and the test is
/// reported what came instead.
final class Started: Sendable {
    /// What a sanitizer is not to report; it holds for the programs of the tests as well.
    static let inherited = ProcessInfo.processInfo.environment.filter {
        ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
    }
    /// How long a program may take, on a machine that has much else to do: a sixth of the time that all tests have, which
    /// is longer with a sanitizer.
    static let patience: Duration = .seconds(
        (ProcessInfo.processInfo.environment["TEST_SECONDS"].flatMap { Int($0) } ?? 1800) / 6)

    /// The number of the process.
    let number: Int32
    private let name: String
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
        name = ([program.split(separator: "/").last.map(String.init) ?? program] + arguments)
            .joined(separator: " ")
        try Data().write(to: URL(fileURLWithPath: output))
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment.merging(Self.inherited) { own, _ in own }
        process.standardInput = FileHandle.nullDevice
        let results = FileHandle(forWritingAtPath: output)
        process.standardOutput = results
        process.standardError = pipe
        process.terminationHandler = { end.yield($0.terminationStatus) }
        // A process keeps its handles until it goes, and Foundation cannot start one among 1,365 open files.
        defer {
            try? results?.close()
            try? pipe.fileHandleForWriting.close()
        }
        try process.run()
        number = process.processIdentifier
        Thread.detachNewThread { [self] in
            while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                errors.withLock { $0 += String(decoding: data, as: UTF8.self) }
                hear.yield()
            }
            try? pipe.fileHandleForReading.close()
            hear.finish()
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: output) }

    /// Waits until these words are among the errors; throws when it ends without them, or lets them wait too long.
    func prints(_ words: String, within patience: Duration = .seconds(60)) async throws {
        let hasReported = try await withLimit(
            patience, orElse: { self.ended(late: "did not say '\(words)'") }
        ) {
            if self.hasReported(words) { return true }
            for await _ in self.heard where self.hasReported(words) { return true }
            return self.hasReported(words)
        }
        if !hasReported { throw late("ended without saying '\(words)'") }
    }

    private func hasReported(_ words: String) -> Bool { errors.withLock { $0.contains(words) } }

    /// What it has printed as results so far.
    var printed: String {
        String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
    }

    /// Ends it as a power cut would: it cannot do anything more.
    func kill() { _ = Foundation.kill(number, SIGKILL) }

    /// Waits for its end.
    func end() async throws -> Run {
        let status = try await withLimit(Self.patience, orElse: { self.ended(late: "did not end") }) {
            for await _ in self.heard {}
            for await status in self.ended { return status }
            throw CancellationError()
        }
        return Run(status: status, output: printed, errors: errors.withLock { $0 })
    }

    /// What it was late with; it is killed.
    private func ended(late complaint: String) -> ProgramIsLate {
        kill()
        return late(complaint + " in time")
    }

    private func late(_ complaint: String) -> ProgramIsLate {
        ProgramIsLate(
            description:
                "'\(name)' \(complaint); its errors: \(errors.withLock { $0 }); its output: \(printed)")
    }
}

/// Waits for what `body` waits for, but not for ever.
func withLimit<Value: Sendable>(
    _ limit: Duration, orElse fault: @escaping @Sendable () -> ProgramIsLate,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw fault()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
