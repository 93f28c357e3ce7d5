import Foundation
import Platform
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LockTests {
    @Test func holderOfTheArchiveIsReported() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let before = try folder.tree("site")
        let lock = try HeldLock(folder.path + "/archive.sqlite.lock")
        for command in ["fetch", "run"] {
            let run = try await Program.run(command, "--wait", "0", in: folder)
            #expect(run.status == 4, "\(run.printed)")
            #expect(
                run.errors.contains(
                    """
                    error: Archive is in use [archive.held]
                      at archive.sqlite
                      held by plimsoll fetch, process 4711, since 2026-11-20T06:00:00Z
                      hint: wait, then retry
                    """), "\(run.errors)")
            #expect(try folder.tree("site") == before)
        }
        lock.release()
        #expect(try await Program.run("fetch", "--wait", "0", in: folder).status == 0)
    }

    @Test func whoComesSecondWaits() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let lock = try HeldLock(folder.path + "/archive.sqlite.lock")
        let second = try Started(Program.path, ["fetch", "--wait", "50"], in: folder.path)
        try await second.prints("Waiting for the archive, up to 50 s")
        lock.release()
        let run = try await second.end()
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func siteIsBuiltWhileAnotherWrites() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let lock = try HeldLock(folder.path + "/archive.sqlite.lock")
        #expect(try await Program.run("build", in: folder).status == 0)
        lock.release()
    }
}

/// The lock of an archive, held by this process in another's name.
final class HeldLock {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let text = Array("4711\n2026-11-20T06:00:00Z\nfetch\n".utf8)
        try #require(write(descriptor, text, text.count) == text.count)
    }

    deinit { close(descriptor) }

    func release() { flock(descriptor, LOCK_UN) }
}
