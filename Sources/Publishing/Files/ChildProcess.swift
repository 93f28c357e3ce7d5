import Diagnostics
import Files
import Foundation
import Platform
import Synchronization
import Transport

/// A program that does a part of a publication.
struct ChildProcess: Sendable {
    /// The program, by its path or by a name that is looked for in `PATH`.
    var program: String
    /// Its arguments: no secret is ever among them, as everybody on the machine may read them.
    var arguments: [String]
    /// Its environment.
    var environment: [String: String]
    /// The folder it runs in.
    var folder: String
    /// What it reads.
    var input: [UInt8] = []
    /// After so many seconds it is ended.
    var mostSeconds = 3600
    /// Whether what it prints is read; where it is not, it may print as much as it likes.
    var isRead = true
    /// The most bytes that are read of what it prints.
    var mostBytes = Self.mostOutputBytes

    /// The most bytes that are read of what any program prints.
    static let mostOutputBytes = 1 << 29

    /// What a program printed and how it ended.
    struct Result: Sendable {
        var status: Int32
        /// All that it printed; empty where that is not read.
        var output: [UInt8]
        /// What it printed as errors; empty where that cannot be read.
        var errors: String
    }

    /// Runs it to its end; canceling the task ends it.
    ///
    /// What it reads and prints goes through files that only this user may read: a pipe that one side does not empty
    /// would hold both.
    func run() async throws(Diagnostic) -> Result {
        guard let path = findProgram(program, environment, folder: folder) else {
            throw .error(
                "publish.no-program", "'\(program)' is not installed",
                hints: ["install it, or add its folder to PATH"])
        }
        let scratch = try ScratchFolder()
        for (name, bytes) in [("in", input), ("out", []), ("err", [])] {
            try createLocalFile("\(scratch.path)/\(name)", bytes, rights: 0o600)
        }
        let end = await end(of: path, scratch.path)
        if Task.isCancelled { throw interrupted }
        guard let (status, wasLate) = end else {
            throw .error("publish.program", "'\(program)' cannot be started", at: .file(path: path))
        }
        if wasLate {
            throw .error(
                "publish.time-limit", "'\(program)' was ended after \(mostSeconds) seconds",
                at: .file(path: path),
                hints: ["find out what it waited for, or raise 'timeLimit'; then publish again"])
        }
        let output = isRead ? try readOutput("\(scratch.path)/out") : []
        let errors = (try? readFile("\(scratch.path)/err", limit: mostBytes)) ?? []
        return Result(status: status, output: output, errors: String(decoding: errors, as: UTF8.self))
    }

    /// What it printed: output that cannot be read is not the same as none.
    private func readOutput(_ file: String) throws(Diagnostic) -> [UInt8] {
        do throws(FileFailure) {
            return try readFile(file, limit: mostBytes)
        } catch {
            guard error.code == EFBIG else { throw error.diagnostic }
            throw .error(
                "publish.output", "'\(program)' printed more than \(mostBytes >> 20) MiB, too much to read",
                details: [
                    "its arguments: \(printable(String(arguments.joined(separator: " ").prefix(300))))"
                ],
                hints: ["check what is at the place it was run for; then publish again"])
        }
    }

    /// How it ended, as a shell counts it, and whether that was for its time; nil when it could not be started.
    private func end(of path: String, _ scratch: String) async -> (status: Int32, wasLate: Bool)? {
        guard let number = started(path, scratch) else { return nil }
        let (ends, end) = AsyncStream<Int32>.makeStream()
        let watch = GroupWatch(over: number)
        let group = ProgramGroup(number)
        Thread.detachNewThread {
            waitForEnd(of: number)
            // Until its status is taken, its number is its own.
            group.isOver()
            watch?.end()
            end.yield(endStatus(of: number))
            end.finish()
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(mostSeconds))
            await group.end()
        }
        let status = await withTaskCancellationHandler {
            // A canceled task would not wait for the end.
            await Task { await ends.first { _ in true } }.value
        } onCancel: {
            Task { await group.end() }
        }
        limit.cancel()
        let wasLate = (try? await limit.value) != nil
        return status.map { ($0, wasLate) }
    }

    private func started(_ path: String, _ scratch: String) -> pid_t? {
        let files = [("in", O_RDONLY), ("out", O_WRONLY), ("err", O_WRONLY)].map { name, way in
            open("\(scratch)/\(name)", way | O_CLOEXEC)
        }
        defer { for file in files where file >= 0 { close(file) } }
        guard files.allSatisfy({ $0 >= 0 }) else { return nil }
        return spawn(
            ProgramStart(
                path: path, arguments: arguments, environment: environment, folder: folder, input: files[0],
                output: files[1], errors: files[2]))
    }
}

extension ChildProcess.Result {
    /// The last lines of what it printed as errors, for a message; each masked before it is cut.
    func lastLines(_ redaction: Redaction = Redaction()) -> [String] {
        errors.split(whereSeparator: \.isNewline).suffix(8).map {
            printable(String(redaction.masked(String($0)).prefix(300)))
        }
    }
}
