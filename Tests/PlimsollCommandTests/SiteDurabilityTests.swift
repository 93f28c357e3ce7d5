import Foundation
import Platform
import Testing

/// What is on the disk when, and what two builds of one site do to each other.
struct SiteDurabilityTests {
    private let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

    /// The system calls of a build, in their order, with the paths of descriptors.
    private func calls(
        of arguments: [String], in folder: Folder, _ options: [String] = []
    ) async throws -> (run: Run, calls: [Substring]) {
        let file = folder.path + "/calls"
        let run = try await Program.run(
            "/usr/bin/env",
            ["strace", "-f", "-y", "-o", file, "-e", "trace=syncfs,fsync,rename,renameat2"] + options
                + [Program.path] + arguments, in: folder.path, environment: environment)
        let calls = folder.text("calls").split(separator: "\n").filter {
            !$0.contains("archive.sqlite") && ($0.contains("sync") || $0.contains("rename"))
        }
        return (run, calls)
    }

    @Test(.enabled("strace is not here") { await canTrace() }, arguments: [true, false])
    func siteIsOnTheDiskBeforeItTakesItsPlace(isFirst: Bool) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        if isFirst { try FileManager.default.removeItem(atPath: folder.path + "/site") }
        let (run, calls) = try await calls(of: ["build"], in: folder)
        #expect(run.status == 0, "\(run.printed)")
        let move = isFirst ? "rename(" : "renameat2("
        let wanted = [
            ["syncfs(", "/.site.staging-"], [move, "/.site.staging-"], ["fsync(", "<\(folder.path)>"],
        ]
        var rest = calls[...]
        for words in wanted {
            let index = rest.firstIndex { call in words.allSatisfy(call.contains) }
            #expect(index != nil, "\(words) in \(calls)")
            rest = rest[(index.map { $0 + 1 } ?? rest.endIndex)...]
        }
    }

    @Test(.enabled("strace is not here") { await canTrace() })
    func everyFileIsSyncedWhereAFileSystemCannotBe() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let (run, calls) = try await calls(
            of: ["build"], in: folder, ["-e", "inject=syncfs:error=ENOSYS"])
        #expect(run.status == 0, "\(run.printed)")
        let move = try #require(calls.firstIndex { $0.contains("renameat2(") })
        let synced = calls[..<move].filter { $0.contains("fsync(") }
        for file in try folder.tree("site").files.keys {
            #expect(synced.contains { $0.contains("/\(file)>") }, "\(file)")
        }
        #expect(synced.contains { $0.contains("/apps/buoy>") })
    }

    @Test(.enabled("strace is not here") { await canTrace() })
    func diskThatFailsLeavesTheOldSite() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let (run, _) = try await calls(of: ["build"], in: folder, ["-e", "inject=syncfs:error=EIO"])
        #expect(run.status == 4 && run.errors.contains("[file.failed]"), "\(run.printed)")
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// The new site is in its place then, and all that follows is done.
    @Test(.enabled("strace is not here") { await canTrace() }, arguments: ["folder", "link"])
    func diskThatFailsAfterTheSwapIsReported(swap: String) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("plimsoll.yml", folder.text("plimsoll.yml") + "swap: \(swap)\n")
        try folder.write("site/CNAME", "quay.example")
        let when = swap == "link" ? 2 : 1
        let (run, _) = try await calls(
            of: ["build", "--full"], in: folder,
            ["-P", folder.path, "-e", "inject=fsync:error=EIO:when=\(when)"])
        #expect(run.status == 0, "\(run.printed)")
        #expect(run.errors.contains("[site.not-synced]") && run.errors.contains("Input/output error"))
        #expect(folder.text("site/CNAME") == "quay.example")
        #expect(try folder.names().filter { $0.hasPrefix(".site.staging") } == [])
        let next = try await Program.run("build", in: folder)
        #expect(next.status == 0 && !next.errors.contains("[site."), "\(next.printed)")
    }

    /// Nothing was written to it: files of another user stay.
    @Test(.enabled("strace is not here") { await canTrace() })
    func oldSiteThatCannotBeRemovedIsReported() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let (run, _) = try await calls(
            of: ["build", "--full"], in: folder,
            ["-e", "trace=unlinkat", "-e", "inject=unlinkat:error=EACCES"])
        #expect(run.status == 0, "\(run.printed)")
        #expect(run.errors.contains("[site.not-removed]") && run.errors.contains("Permission denied"))
        #expect(!run.errors.contains("[site.late-files]"))
        #expect(try folder.names().contains { $0.hasPrefix("site.late-") })
    }

    /// Where two folders cannot be exchanged, a build that ends between the two renames leaves no site; the next
    /// puts the old one back first.
    @Test(.enabled("strace is not here") { await canTrace() })
    func siteThatWasMovedAsideIsPutBack() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("site/CNAME", "quay.example")
        let noExchange = ["-e", "inject=renameat2:error=EINVAL"]
        let (killed, _) = try await calls(
            of: ["build"], in: folder, noExchange + ["-e", "inject=rename:error=EIO:signal=KILL:when=2"])
        #expect(killed.status == SIGKILL || killed.status == 137, "\(killed.printed)")
        #expect(try !folder.names().contains("site"))
        let (next, _) = try await calls(of: ["build"], in: folder, noExchange)
        #expect(next.status == 0, "\(next.printed)")
        #expect(folder.text("site/CNAME") == "quay.example")
        #expect(
            try folder.tree("site").differences(from: try await FirstMorning.shared.tree) == ["CNAME"])
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// A command that only reads is enough.
    @Test(.enabled("strace is not here") { await canTrace() })
    func siteThatWasMovedAsideIsPutBackByTheNextCommand() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let (killed, _) = try await calls(
            of: ["build"], in: folder,
            ["-e", "inject=renameat2:error=EINVAL", "-e", "inject=rename:error=EIO:signal=KILL:when=2"])
        #expect(killed.status == SIGKILL || killed.status == 137, "\(killed.printed)")
        #expect(try !folder.names().contains("site"))
        let next = try await Program.run("archive", "check", in: folder)
        #expect(next.status == 0, "\(next.printed)")
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
    }

    /// Asked to stop as it makes its lock, its folder and its first files.
    @Test(.enabled(if: Attack.isPossible, "cc is needed"), arguments: [1, 3, 6])
    func buildThatIsStoppedLeavesNothing(call: Int) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let run = try await Attack(call: call, how: .stop).run("build", "--full", in: folder)
        #expect(run.status == 4 && run.errors.contains("[build.interrupted]"), "\(run.printed)")
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test(.enabled("strace is not here") { await canTrace() })
    func singleFileIsSyncedBeforeItTakesItsName() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let (run, calls) = try await calls(
            of: ["build", "--single-file", "--app", "buoy", "--output", "buoy.html"], in: folder)
        #expect(run.status == 0, "\(run.printed)")
        let kinds = calls.map { $0.contains("fsync(") ? "fsync" : $0.contains("rename(") ? "rename" : "" }
        #expect(kinds == ["fsync", "rename", "fsync"], "\(calls)")
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// Killed before each of its renames, for a file that is new and for one that the site has.
    @Test(.enabled("strace is not here") { await canTrace() }, arguments: [true, false], 1...6)
    func killedSingleFileKeepsNoBuildFromTheSite(isNew: Bool, rename: Int) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let command = ["build", "--single-file", "--app", "buoy"]
        if !isNew {
            let first = try await Program.run(Program.path, command, in: folder.path)
            #expect(first.status == 0, "\(first.printed)")
            let configuration = folder.text("plimsoll.yml")
            try folder.write(
                "plimsoll.yml", configuration.replacing("title: Quay", with: "title: Other quay"))
            #expect(folder.text("plimsoll.yml") != configuration)
        }
        let (killed, _) = try await calls(
            of: command, in: folder, ["-e", "inject=rename:error=EIO:signal=KILL:when=\(rename)"])
        let isKilled = killed.status == SIGKILL || killed.status == 137
        #expect(isKilled || rename > 4, "\(killed.printed)")
        let next = try await Program.run("build", in: folder)
        #expect(next.status == 0, "\(next.printed)")
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test func secondBuildOfASiteWaitsOrSaysWhy() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let lock = open(folder.path + "/.site.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let refused = try await Program.run("build", "--wait", "0", in: folder)
        #expect(refused.status == 4, "\(refused.printed)")
        #expect(refused.errors.contains("Another build is writing this site [site.held]"))
        let waiting = try Started(Program.path, ["build", "--wait", "50"], in: folder.path)
        unlink(folder.path + "/.site.lock")
        close(lock)
        #expect(try await waiting.end().status == 0)
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test func buildsAtTheSameTimeLeaveAWholeSite() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let builds = try (0..<3).map { _ in try Started(Program.path, ["build"], in: folder.path) }
        for build in builds { #expect(try await build.end().status == 0) }
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// Each of the two is process 1 of its name space, as in two containers on one volume.
    @Test(.enabled("process name spaces are not allowed here") { await canUnshare() })
    func buildsOfTwoProcessNameSpacesLeaveAWholeSite() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let command = ["unshare", "--pid", "--fork", "--mount-proc", Program.path, "build", "--threads", "1"]
        let environment = environment.merging(["PLIMSOLL_DATA": bundled]) { $1 }
        let builds = try (0..<2).map { _ in
            try Started("/usr/bin/env", command, in: folder.path, environment: environment)
        }
        for build in builds { #expect(try await build.end().status == 0) }
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    private static func canTrace() async -> Bool { await succeeds(["strace", "-o", "/dev/null", "true"]) }

    private static func canUnshare() async -> Bool {
        await succeeds(["unshare", "--pid", "--fork", "--mount-proc", "true"])
    }

    private static func succeeds(_ command: [String]) async -> Bool {
        let run = try? await Program.run(
            "/usr/bin/env", command, in: "/", environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        return run?.status == 0
    }
}
