import CLinux
import Diagnostics
import Files
import Foundation
import Glibc
import Synchronization

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

    /// How often a start is tried of a program that is being written.
    private static let mostStarts = 100

    /// What a program printed and how it ended.
    struct Result: Sendable {
        var status: Int32
        var output: [UInt8]
        var errors: String
    }

    /// Runs it to its end; canceling the task ends it.
    ///
    /// What it reads and prints goes through files that only this user may read: a pipe that one side does not empty
    /// would hold both.
    func run() async throws(Diagnostic) -> Result {
        guard let path = found else {
            throw .error(
                "publish.no-program", "'\(program)' is not installed",
                hints: ["install it, or add its folder to PATH"])
        }
        let scratch = NSTemporaryDirectory() + "/plimsoll-\(randomName())"
        guard mkdir(scratch, 0o700) == 0 else { throw fileProblem("make the folder", scratch) }
        defer { removeTree(scratch) }
        for (name, bytes) in [("in", input), ("out", []), ("err", [])] {
            try createLocalFile("\(scratch)/\(name)", bytes, rights: 0o600)
        }
        let status = await status(of: path, scratch)
        if Task.isCancelled { throw interrupted }
        guard let status else {
            throw .error("publish.program", "'\(program)' cannot be started", at: .file(path: path))
        }
        let output = (try? readLocalFile("\(scratch)/out", limit: 1 << 29)) ?? []
        let errors = (try? readLocalFile("\(scratch)/err", limit: 1 << 29)) ?? []
        return Result(status: status, output: output, errors: String(decoding: errors, as: UTF8.self))
    }

    /// Where the program is.
    private var found: String? {
        if program.contains("/") {
            let path = program.hasPrefix("/") ? program : "\(folder)/\(program)"
            return access(path, X_OK) == 0 ? path : nil
        }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first {
            access($0, X_OK) == 0 && fileKind($0) != .folder
        }
    }

    /// How it ended, as a shell counts it; nil when it could not be started.
    private func status(of path: String, _ scratch: String) async -> Int32? {
        guard let number = spawn(path, scratch) else { return nil }
        let (ends, end) = AsyncStream<Int32>.makeStream()
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            end.yield(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            end.finish()
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(mostSeconds))
            await endGroup(number)
        }
        defer { limit.cancel() }
        return await withTaskCancellationHandler {
            // A canceled task would not wait for the end.
            await Task { await ends.first { _ in true } }.value
        } onCancel: {
            Task { await endGroup(number) }
        }
    }

    /// Starts it as the first of a process group of its own, so that what it starts ends with it.
    ///
    /// Foundation's own way hands on the signals that threads of the concurrency pool block, SIGTERM among them.
    private func spawn(_ path: String, _ scratch: String) -> pid_t? {
        var (files, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&files, 0, "\(scratch)/in", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, "\(scratch)/out", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&files, 2, "\(scratch)/err", O_WRONLY, 0)
        clinux_add_folder(&files, folder)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var number = pid_t()
        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + variables { free(word) } }
        // A program that was just written may still be open for writing in a process that another thread is starting.
        for _ in 0..<Self.mostStarts {
            let code = posix_spawn(&number, path, &files, &attributes, words + [nil], variables + [nil])
            if code == 0 { return number }
            guard code == ETXTBSY else { return nil }
            usleep(10_000)
        }
        return nil
    }
}

/// Ends a program and what it started: first politely, then for good.
private func endGroup(_ number: pid_t) async {
    kill(-number, SIGTERM)
    try? await Task.sleep(for: .seconds(10))
    kill(-number, SIGKILL)
}

extension ChildProcess.Result {
    /// The last lines of what it printed as errors, for a message.
    var lastLines: [String] {
        errors.split(whereSeparator: \.isNewline).suffix(8).map { printable(String($0.prefix(300))) }
    }
}
