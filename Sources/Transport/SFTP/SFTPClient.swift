private import CCurl
import Synchronization

/// Files at a server over SSH, by libcurl. Connections are kept and used again.
///
/// libcurl blocks while it works, so each step runs on a thread of its own.
package final class SFTPClient: Sendable {
    /// What is sent.
    package enum Source: Sendable {
        /// Bytes.
        case bytes([UInt8])
        /// The bytes of a file, which is read piece by piece.
        case file(String, size: Int)

        var size: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let size): size
            }
        }
    }

    private let account: SFTPAccount
    private let idle = Mutex<[SFTPHandle]>([])

    /// Makes a client; it connects with its first step.
    package init(_ account: SFTPAccount) { self.account = account }

    /// The bytes of a file; nil when there is none.
    package func read(_ path: String, limit: Int) async throws(SFTPError) -> [UInt8]? {
        try await run(SFTPStep(path: path, limit: limit))
    }

    /// The names in a folder, without `.` and `..`; nil when there is none.
    package func names(in folder: String) async throws(SFTPError) -> [String]? {
        let step = SFTPStep(path: folder + "/", isList: true, limit: 1 << 28)
        return try await run(step).map { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
                .filter { $0 != "." && $0 != ".." }
        }
    }

    /// Puts a file there; folders are made.
    package func write(_ source: Source, to path: String) async throws(SFTPError) {
        var step = SFTPStep(path: path)
        step.source = source
        _ = try await run(step)
    }

    /// Has a file take the name of another one.
    ///
    /// libcurl cannot rename onto a file that exists, so the old one goes first: it is missing for the time of one
    /// answer.
    package func replace(_ path: String, by new: String) async throws(SFTPError) {
        let rename = "rename \(quoted(new)) \(quoted(path))"
        do throws(SFTPError) {
            _ = try await run(SFTPStep(path: "/", commands: ["*rm \(quoted(path))", rename]))
        } catch {
            // Refused for a moment, it would be gone; and where the old one is still there, this changes nothing.
            guard error.kind == .refused else { throw error }
            _ = try await run(SFTPStep(path: "/", commands: [rename]))
        }
    }

    /// Removes files, each of which must be there, until the server refuses one.
    ///
    /// - Parameters:
    ///   - leftovers: files that go after them, where they are there.
    ///   - folders: those that go in the end, as far as they are empty.
    /// - Throws: `refused`, too, when a file is not there.
    package func remove(
        _ files: [String], leftovers: [String] = [], folders: [String] = []
    ) async throws(SFTPError) {
        let commands = files.map { "rm \(quoted($0))" } + tolerant(leftovers, folders)
        _ = try await run(SFTPStep(path: "/", commands: commands))
    }

    /// Removes of some files those that the server removes, and then folders as far as they are empty. No refusal is
    /// reported, as libcurl ignores each.
    package func removeWhatGoes(_ files: [String], folders: [String] = []) async throws(SFTPError) {
        _ = try await run(SFTPStep(path: "/", commands: tolerant(files, folders)))
    }

    /// A command that begins with a star goes on whatever the server says.
    private func tolerant(_ files: [String], _ folders: [String]) -> [String] {
        files.map { "*rm \(quoted($0))" } + folders.map { "*rmdir \(quoted($0))" }
    }

    private func run(_ step: SFTPStep) async throws(SFTPError) -> [UInt8]? {
        let flag = CancellationFlag()
        let result: Result<[UInt8]?, SFTPError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasStarted = startThread { [self] in
                    continuation.resume(returning: perform(step, flag))
                }
                if !hasStarted {
                    continuation.resume(returning: .failure(SFTPError(kind: .failed, text: "no thread")))
                }
            }
        } onCancel: {
            flag.raise()
        }
        return try result.get()
    }

    private func perform(_ step: SFTPStep, _ flag: CancellationFlag) -> Result<[UInt8]?, SFTPError> {
        do throws(SFTPError) {
            let known = idle.withLock { $0.popLast() }
            let handle = if let known { known } else { try SFTPHandle() }
            let bytes = try handle.perform(step, account, flag)
            // After a failure the connection may be in any state; it ends with the handle.
            idle.withLock { $0.append(handle) }
            return .success(bytes)
        } catch {
            return .failure(error)
        }
    }
}

/// A path as one word of a command of libcurl's.
private func quoted(_ path: String) -> String {
    "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// Says that a step is not wanted any more.
final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    func raise() { flag.store(true, ordering: .relaxed) }
    var isRaised: Bool { flag.load(ordering: .relaxed) }
}

/// One step at a server.
struct SFTPStep: Sendable {
    /// What it is about: a path from the root, or from the user's home.
    var path: String
    /// Whether the names in a folder are requested.
    var isList = false
    /// What is sent; nil to read.
    var source: SFTPClient.Source?
    /// What the server does after it, as libcurl writes it.
    var commands: [String] = []
    /// The most bytes to read.
    var limit = 0

    /// Whether there is nothing but commands.
    var isBare: Bool { source == nil && !commands.isEmpty }
}
