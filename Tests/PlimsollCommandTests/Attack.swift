import Foundation
import Testing

/// Lets one chosen call on the files of a folder go wrong in a program that runs; see Tests/Attack/FaultyFiles.c.
struct Attack: Sendable {
    /// What becomes of the call.
    enum How: String, CaseIterable, Sendable {
        /// The process dies before it, or in the middle of it when it writes.
        case kill, tear
        /// It is refused, and all that follow it.
        case full = "ENOSPC", fault = "EIO", quota = "EDQUOT", readOnly = "EROFS"
        /// It is refused once; whoever tries again succeeds.
        case interrupted = "EINTR", files = "EMFILE"
        /// A write is done by half, which is no error.
        case short
        /// The process is asked to stop, and the call goes on.
        case stop

        /// Whether all calls after it are refused, too.
        var lasts: Bool { [.full, .fault, .quota, .readOnly].contains(self) }

        /// Those of the first tests of an archive.
        static let basic: [How] = [.kill, .tear, .full, .fault]
    }

    /// The number of the call, from 1; nil lets all succeed.
    var call: Int?
    var how = How.kill
    /// Whether two names can be exchanged.
    var exchanges = true
    /// The seconds since 1970 at which the clock begins; nil for that of the machine.
    var clock: Int?

    /// Runs the program on its own archive in a folder, under attack.
    func run(_ arguments: String..., in folder: Folder, log: String? = nil) async throws -> Run {
        try await run(arguments, in: folder, log: log)
    }

    /// A file of the folder that cannot be read.
    struct Unreadable: Sendable {
        /// From the folder.
        let file: String
        /// Which calls are refused: `open`, `read`, those for the `rest` after the beginning, `look`.
        let call: String
        /// The name of the error.
        let error: String
    }

    /// The same with a list of arguments.
    func run(
        _ arguments: [String], in folder: Folder, log: String? = nil, unreadable: Unreadable? = nil
    ) async throws -> Run {
        var environment = [
            "LD_PRELOAD": try Self.library.get().path + "/faulty.so", "ATTACK_FOLDER": folder.path,
        ]
        if let log { environment["ATTACK_LOG"] = log }
        if let call { environment.merge(["ATTACK_AT": "\(call)", "ATTACK_HOW": how.rawValue]) { $1 } }
        if let clock { environment["ATTACK_CLOCK"] = "\(clock)" }
        if let unreadable {
            environment["ATTACK_READ"] = folder.path + "/" + unreadable.file
            environment["ATTACK_READ_CALL"] = unreadable.call
            environment["ATTACK_READ_HOW"] = unreadable.error
        }
        if how.lasts { environment["ATTACK_LONG"] = "yes" }
        if !exchanges { environment["ATTACK_NO_EXCHANGE"] = "yes" }
        return try await Program.run(Program.path, arguments, in: folder.path, environment: environment)
    }

    /// Which calls a command makes on the files of its folder: their names and files, in order.
    static func calls(of command: String..., in folder: Folder) async throws -> [String] {
        try await calls(of: command, in: folder)
    }

    /// The same with a list of arguments.
    static func calls(
        of command: [String], in folder: Folder, exchanges: Bool = true
    ) async throws -> [String] {
        let log = folder.path + ".calls"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let run = try await Attack(exchanges: exchanges).run(command, in: folder, log: log)
        #expect(run.status == 0, "\(run.printed)")
        return try Folder.text(at: log).split(separator: "\n").map(String.init)
    }

    /// The minutes that `make attack` has for all attacks; nil in `make test`, which tries a few.
    static let minutes = ProcessInfo.processInfo.environment["PLIMSOLL_ATTACK"].flatMap(Double.init)

    /// Whether the library can be made here.
    static var isPossible: Bool { (try? library.get()) != nil }

    /// The folder of the library, made once for all tests of a run.
    private static let library = Result<Folder, any Error> {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Attack/FaultyFiles.c").path
        let compiler = "/usr/bin/cc"
        guard FileManager.default.isExecutableFile(atPath: compiler) else { throw NoCompiler() }
        let folder = try Folder()
        folder.removeAtExit()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: compiler)
        process.arguments = ["-shared", "-fPIC", "-O1", "-o", folder.path + "/faulty.so", source, "-ldl"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NoCompiler() }
        return folder
    }

    private struct NoCompiler: Error {}

    /// At most so many of the numbers from 1, the first third of them one by one: there an archive comes to be.
    static func sample(of count: Int, most: Int) -> [Int] {
        guard count > most else { return Array(1...max(count, 1)) }
        let first = most / 3
        let rest = most - first
        return Array(1...first) + (1...rest).map { first + $0 * (count - first) / rest }
    }
}
