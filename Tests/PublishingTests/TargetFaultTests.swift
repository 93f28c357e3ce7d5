import Diagnostics
import Foundation
import LoopbackServer
import Platform
import Testing
import Transport

@testable import Publishing

/// What goes wrong at each kind of target, next to what the tests of the targets themselves have: what is said of
/// it, and that the next publication completes it.
struct TargetFaultTests {
    private func setup(
        _ values: [String: TargetSetup.Value], _ folder: TestFolder, milliseconds: Int = 60_000
    ) -> TargetSetup {
        var retries = RetryPolicy()
        (retries.attempts, retries.capMilliseconds, retries.failedRequestsInARow) = (1, 0, 1000)
        var options = Client.Options(version: "1")
        options.usesProxy = false
        let client = Client(options)
        var variables = ProcessInfo.processInfo.environment
        variables.merge(["AWS_ACCESS_KEY_ID": S3Stub.key, "AWS_SECRET_ACCESS_KEY": S3Stub.secret]) { $1 }
        var setup = TargetSetup(
            id: "web", values: values, folder: folder.path, environment: variables, retries: retries
        ) { _ in client }
        setup.timeoutMilliseconds = milliseconds
        return setup
    }

    // MARK: Slow

    enum Remote: String, CaseIterable, Sendable { case s3, sftp, rsync, git }

    /// A server that takes the connection and says nothing is given up after the time that the target has.
    @Test(arguments: Remote.allCases)
    func aSlowServerIsGivenUp(remote: Remote) async throws {
        let folder = try TestFolder()
        let silent = try FaultServer.start(readsRequest: false, .stall)
        let port = "\(silent.port)"
        try folder.write("known_hosts", "")
        let target: any Target =
            switch remote {
            case .s3:
                try TargetDescriptor.s3.make(
                    setup(
                        ["bucket": .text("reports"), "endpoint": .text("http://127.0.0.1:\(port)")], folder,
                        milliseconds: 500))
            case .sftp:
                try TargetDescriptor.sftp.make(
                    setup(
                        [
                            "host": .text("127.0.0.1"), "port": .text(port), "user": .text("report"),
                            "path": .text("/srv"), "knownHosts": .text("\(folder.path)/known_hosts"),
                        ], folder, milliseconds: 500))
            case .rsync:
                try TargetDescriptor.rsync.make(
                    setup(
                        [
                            "destination": .text("rsync://report@127.0.0.1:\(port)/site/out"),
                            "timeLimit": .text("1"),
                        ], folder))
            case .git:
                try TargetDescriptor.git.make(
                    setup(
                        ["remote": .text("http://127.0.0.1:\(port)/a.git"), "timeLimit": .text("1")], folder))
            }
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: target)
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(!failure.hints.isEmpty, "\(failure)")
    }

    // MARK: Git by HTTP

    @Test(arguments: [401, 403, 409, 412, 429, 500, 503])
    func aGitHostThatRefusesIsReported(status: Int) async throws {
        let folder = try TestFolder()
        let server = try await LoopbackServer.start(answering: .text("no", status: status))
        let token = try #require(Secret("t0ps3cret"))
        let target = try TargetDescriptor.git.make(
            setup(["remote": .text(server.origin + "/a.git"), "token": .secret(token)], folder))
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: target)
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.id == "publish.git" && !failure.hints.isEmpty && !failure.details.isEmpty)
        #expect(!"\(failure)".contains("t0ps3cret"))
        await server.stop()
    }

    // MARK: A full disk

    enum Local: String, CaseIterable, Sendable { case swapped, fileByFile, git }

    #if os(Linux)
        /// A file system of 512 kB in memory, where root may make one.
        @Test(
            .enabled(if: getuid() == 0, "needs root, to mount a small file system"), arguments: Local.allCases
        )
        func aFullDiskLeavesTheOldSite(local: Local) async throws {
            let folder = try TestFolder()
            let disk = "\(folder.path)/disk"
            mkdir(disk, 0o755)
            guard mount("plimsoll", disk, "tmpfs", 0, "size=512k") == 0 else { return }
            defer { umount2(disk, Int32(MNT_DETACH)) }
            let target: any Target
            switch local {
            case .swapped: target = FolderTarget(path: "\(disk)/out", links: false)
            case .fileByFile: target = StoreTarget(FolderStore(path: "\(disk)/out", links: false))
            case .git:
                let made = try await ChildProcess(
                    program: "git",
                    arguments: ["init", "--quiet", "--bare", "--template=", "\(disk)/remote.git"],
                    environment: ProcessInfo.processInfo.environment, folder: folder.path
                ).run()
                #expect(made.status == 0, "\(made.errors)")
                target = try TargetDescriptor.git.make(setup(["remote": .text("\(disk)/remote.git")], folder))
            }
            /// What readers find.
            func tree() async throws -> [String: String] {
                guard local == .git else { return folder.tree("disk/out") }
                let files = try await ChildProcess(
                    program: "git",
                    arguments: ["--git-dir=\(disk)/remote.git", "archive", "--format=tar", "gh-pages"],
                    environment: ProcessInfo.processInfo.environment, folder: folder.path
                ).run()
                #expect(files.status == 0, "\(files.errors)")
                return ["archive": contentText(files.output)]
            }
            let first = await publishing(try folder.site(Edition.files(0)), to: target)
            #expect(first.word == "published", "\(String(describing: first.failure))")
            let before = try await tree()
            var files = Edition.files(1)
            // Random, so that git cannot make it small.
            files["assets/large.txt"] = (0..<100_000).map { _ in String(UInt64.random(in: .min ... .max)) }
                .joined()
            let full = await publishing(try folder.site(files), to: target)
            #expect(full.failure?.hints.isEmpty == false, "\(full.word)")
            if local != .fileByFile { #expect(try await tree() == before) }
            if local != .git { #expect(Edition.brokenLinks(try await tree()) == []) }
            let next = await publishing(try folder.site(Edition.files(1)), to: target)
            #expect(next.word == "published", "\(String(describing: next.failure))")
            if local != .git { #expect(Edition.brokenLinks(try await tree()) == []) }
        }
    #endif

    private func contentText(_ bytes: [UInt8]) -> String { bytes.map { String($0, radix: 16) }.joined() }

    // MARK: A connection that breaks

    /// A bucket whose connections are all cut at every tenth of the bytes.
    @Test func everyLinkWorksWhereverABucketIsCut() async throws {
        for tenth in 0..<10 {
            let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
            func target(_ port: UInt16) throws -> any Target {
                try TargetDescriptor.s3.make(
                    setup(
                        ["bucket": .text(S3Stub.bucket), "endpoint": .text("http://127.0.0.1:\(port)")],
                        folder))
            }
            let port = try #require(UInt16(bucket.server.origin.split(separator: ":").last ?? ""))
            let first = await publishing(try folder.site(Edition.files(0)), to: try target(port))
            #expect(first.word == "published", "\(String(describing: first.failure))")
            let site = try folder.site(Edition.files(1))
            let bytes = (bucket.count + 4) * 900
            let front = try CuttingFront.start(before: port, bytes: max(1, bytes * tenth / 10))
            let broken = await publishing(site, to: try target(front.port))
            if let failure = broken.failure { #expect(!failure.hints.isEmpty, "\(failure)") }
            #expect(Edition.brokenLinks(texts(bucket)) == [], "cut at \(tenth)")
            let next = await publishing(site, to: try target(port))
            #expect(["published", "unchanged"].contains(next.word), "\(String(describing: next.failure))")
            #expect(Set(folder.tree("site").keys).subtracting(texts(bucket).keys) == [])
            #expect(Edition.brokenLinks(texts(bucket)) == [], "cut at \(tenth)")
            await bucket.server.stop()
        }
    }

    private func texts(_ bucket: S3Stub) -> [String: String] {
        bucket.objects.filter { $0.key != PublicationManifest.fileName }.mapValues(\.text)
    }
}
