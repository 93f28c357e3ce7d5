import Foundation
import GRDB
import Testing

/// Commands that only read: the archive is the same byte for byte after each of them, and no file is left next to it.
struct ReadingCommandTests {
    static let commands = [
        ["build"], ["build", "--single-file", "--app", "buoy"], ["show", "--app", "buoy"],
        ["explain", "apps/buoy"],
        ["summary", "--app", "buoy"], ["verdict", "--app", "buoy"], ["alerts", "backtest", "--app", "buoy"],
        ["doctor"],
        ["check"],
    ]

    /// The files of the archive, and of them those that hold its values.
    private func archive(_ folder: Folder) throws -> (names: [String], bytes: [Data?]) {
        (
            try folder.names().filter { $0.hasPrefix("archive") },
            ["", "-wal"].map { FileManager.default.contents(atPath: folder.path + "/archive.sqlite" + $0) }
        )
    }

    @Test(arguments: commands)
    func archiveIsTheSameAfter(command: [String]) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let before = try archive(folder)
        let run = try await Program.run(Program.path, command, in: folder.path)
        #expect(run.status != 2 && run.status != 4, "\(run.printed)")
        let after = try archive(folder)
        #expect(after.names == before.names)
        #expect(after.bytes == before.bytes)
    }

    @Test(arguments: commands)
    func anotherProgramThatWritesIsNoHindrance(command: [String]) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let undisturbed = try await Program.run(Program.path, command, in: folder.path)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(
            path: folder.path + "/archive.sqlite", configuration: configuration)
        // Commits nothing, and holds the right to write until it is called off.
        try await other.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN EXCLUSIVE; DELETE FROM health_day")
        }
        let run = try await Program.run(Program.path, command, in: folder.path)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(run.status == undisturbed.status, "\(run.printed)")
        #expect(!run.errors.contains("[archive."))
    }

    /// A fetch that was killed leaves what it had stored in the log.
    @Test func whatAKilledFetchStoredIsReadAndKept() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let file = folder.path + "/archive.sqlite"
        let work = try Folder()
        let queue = try DatabaseQueue(path: file)
        try await queue.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE health_day SET users = users + 2000")
        }
        // As the files lie now, and as they would lie if the process had died.
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file + ending, toPath: work.path + "/a" + ending)
        }
        try queue.close()
        for ending in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: file + ending)
            try FileManager.default.copyItem(atPath: work.path + "/a" + ending, toPath: file + ending)
        }
        let before = try archive(folder)
        #expect((before.bytes[1]?.count ?? 0) > 0)
        let run = try await Program.run("build", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        #expect(folder.text("site/apps/buoy/index.html").contains("7,018"))
        #expect(try archive(folder).bytes == before.bytes)
    }
}
