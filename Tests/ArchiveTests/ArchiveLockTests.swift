import AppHealth
import Archive
import Diagnostics
import Foundation
import Testing

struct ArchiveLockTests {
    private let now = Instant(secondsSinceEpoch: 1_700_000_000)

    @Test func secondInstanceNamesWhoHoldsTheLock() throws {
        let folder = try TemporaryFolder()
        let lock = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "fetch", now: now)
        let holder = ArchiveHolder(
            processID: Int(ProcessInfo.processInfo.processIdentifier), command: "fetch", since: now)
        try check(folder, held: holder)
        #expect(holder.description.hasSuffix("since 2023-11-14T22:13:20Z"))
        #expect(lock.path == folder.archivePath + ".lock")
    }

    /// Two paths to one archive, one of which is a link that may lead nowhere yet.
    @Test(arguments: ["plimsoll.sqlite", "absolute"]) func archiveHasOneLockByAnyPath(target: String) throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: target == "absolute" ? folder.archivePath : target)
        let lock = try ArchiveLock.acquire(forArchive: link, command: "fetch", now: now)
        let holder = ArchiveHolder(
            processID: Int(ProcessInfo.processInfo.processIdentifier), command: "fetch", since: now)
        try check(folder, held: holder)
        #expect(lock.path == folder.archivePath + ".lock")
    }

    @Test func lockIsGivenBackWithItsValue() throws {
        let folder = try TemporaryFolder()
        for command in ["fetch", "import"] {
            let lock = try ArchiveLock.acquire(forArchive: folder.archivePath, command: command, now: now)
            #expect(try String(contentsOfFile: lock.path, encoding: .utf8).contains(command))
        }
    }

    @Test(arguments: [
        "", "4711", "4711\nyesterday\nfetch\n", "ship\n2023-11-14T22:13:20Z\nfetch\n", "\u{0}\u{1}",
    ])
    func textOfADeadProcessIsHarmless(_ text: String) throws {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.archivePath + ".lock", atomically: false, encoding: .utf8)
        _ = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "fetch", now: now)
    }

    @Test func lockCannotBeMadeWhereThereIsNoFolder() throws {
        let folder = try TemporaryFolder()
        do {
            _ = try ArchiveLock.acquire(forArchive: folder.path + "/none/a", command: "fetch", now: now)
            Testing.Issue.record("it was locked")
        } catch {
            #expect(error.diagnostic.id == "archive.cannot-open")
        }
    }

    /// What cannot be made is the lock, not the archive.
    @Test func aFolderInThePlaceOfTheLockIsNamed() throws {
        let folder = try TemporaryFolder()
        let place = folder.archivePath + ".lock"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        do {
            _ = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "fetch", now: now)
            Testing.Issue.record("it was locked")
        } catch {
            #expect(error.diagnostic.id == "archive.cannot-open")
            #expect(error.diagnostic.location == .file(path: place))
            #expect(error.diagnostic.hints == ["move away what has its name, which is no file of plimsoll"])
        }
    }

    @Test func plantedLinkIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        let victim = folder.path + "/victim"
        try "precious".write(toFile: victim, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder.archivePath + ".lock", withDestinationPath: victim)
        do {
            _ = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "fetch", now: now)
            Testing.Issue.record("it was followed")
        } catch {
            #expect(error.diagnostic.id == "archive.cannot-open")
        }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Rival.tool)))
    func anotherProcessKeepsTheLockUntilItEnds() throws {
        let folder = try TemporaryFolder()
        let holder = ArchiveHolder(processID: 4711, command: "fetch", since: now)
        try "4711\n2023-11-14T22:13:20Z\nfetch\n".write(
            toFile: folder.archivePath + ".lock", atomically: false, encoding: .utf8)
        let rival = try Rival(lockOf: folder.archivePath)
        try check(folder, held: holder)
        var slept = 0
        _ = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "build", now: now, waiting: 60) {
            _ in
            slept += 1
            if slept == 3 { rival.end() }
        }
        #expect(slept >= 3)
    }

    @Test func waitingEndsAfterTheGivenSeconds() throws {
        let folder = try TemporaryFolder()
        let lock = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "fetch", now: now)
        var slept: UInt32 = 0
        #expect(throws: ArchiveError.self) {
            _ = try ArchiveLock.acquire(
                forArchive: lock.path.replacingOccurrences(of: ".lock", with: ""), command: "fetch", now: now,
                waiting: 2
            ) { slept += $0 }
        }
        #expect(slept == 2000)
    }

    private func check(_ folder: TemporaryFolder, held holder: ArchiveHolder?) throws {
        do {
            _ = try ArchiveLock.acquire(forArchive: folder.archivePath, command: "build", now: now)
            Testing.Issue.record("it was not held")
        } catch {
            #expect(error == .held(path: folder.archivePath, by: holder))
            #expect(error.diagnostic.details == (holder.map { [$0.description] } ?? []))
        }
    }
}

/// Another process that holds a lock until it is ended.
final class Rival {
    static let tool = "/usr/bin/flock"
    private let process = Process()
    private let input = Pipe()

    init(lockOf archive: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.tool)
        process.arguments = [archive + ".lock", "/bin/sh", "-c", "echo held; read end"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    deinit {
        end()
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
