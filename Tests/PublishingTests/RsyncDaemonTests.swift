import Diagnostics
import Files
import Foundation
import LoopbackServer
import Platform
import Testing
import Transport

@testable import Publishing

/// rsync against its own daemon, with a password.
@Suite(.enabled(if: access("/usr/bin/rsync", X_OK) == 0, "needs the Debian package rsync"))
struct RsyncDaemonTests {
    /// rsync's daemon on a free loopback port with the module `site`, which is the folder `served`.
    private final class Daemon: Sendable {
        let port: UInt16
        let folder: TestFolder
        private let server: Task<Void, Never>

        init() async throws {
            folder = try TestFolder()
            port = try freeLoopbackPort()
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/served", withIntermediateDirectories: true)
            try folder.write("secrets", "report:pa$$ 'word'\n")
            chmod("\(folder.path)/secrets", 0o600)
            let owner = getuid() == 0 ? "uid = 0\ngid = 0\n" : ""
            try folder.write(
                "rsyncd.conf",
                """
                \(owner)use chroot = no
                address = 127.0.0.1
                port = \(port)
                log file = /dev/null
                [site]
                path = \(folder.path)/served
                read only = no
                auth users = report
                secrets file = \(folder.path)/secrets
                [closed]
                path = \(folder.path)/served
                read only = yes
                """)
            let child = ChildProcess(
                program: "rsync",
                arguments: ["--daemon", "--no-detach", "--config=\(folder.path)/rsyncd.conf"],
                environment: ["PATH": "/usr/bin:/bin"], folder: "/", mostSeconds: 300)
            server = Task { _ = try? await child.run() }
            try await untilLoopbackAnswers(port)
        }

        deinit { server.cancel() }
    }

    private func target(
        _ daemon: Daemon, port: UInt16? = nil, place: String = "site/out", password: String = "pa$$ 'word'",
        programs: String? = nil
    ) throws -> any Target {
        let client = Client(Client.Options(version: "1"))
        var environment = ProcessInfo.processInfo.environment
        if let programs { environment["PATH"] = "\(programs):/usr/bin:/bin" }
        let address = "rsync://report@127.0.0.1:\(port ?? daemon.port)/\(place)"
        return try TargetDescriptor.rsync.make(
            TargetSetup(
                id: "web",
                values: ["destination": .text(address)].merging(
                    Secret(password).map { ["password": .secret($0)] } ?? [:]
                ) { $1 },
                folder: daemon.folder.path, environment: environment
            ) { _ in client })
    }

    @Test func publishesOnlyWhatChanged() async throws {
        let daemon = try await Daemon()
        let folder = daemon.folder
        let target = try target(daemon)
        for edition in [0, 1] {
            let site = try folder.site(Edition.files(edition))
            let outcome = await publishing(site, to: target)
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            if edition == 0 { #expect(await publishing(site, to: target).word == "unchanged") }
        }
        var expected = folder.tree("site")
        expected["assets/style.0123456789.css"] = "body {}"
        #expect(folder.tree("served/out") == expected)
        #expect(await target.obstacles() == [])
    }

    /// Of a file that is larger than any manifest nothing is read: it could fill the disk.
    @Test func manifestBeyondTheLimitIsNotRead() async throws {
        let daemon = try await Daemon()
        let folder = daemon.folder
        try folder.write("served/out/\(PublicationManifest.fileName)", "{")
        // As many bytes as it says, none of which is on the disk.
        #expect(
            truncate(
                "\(folder.path)/served/out/\(PublicationManifest.fileName)",
                off_t(PublicationManifest.mostBytes + 1)) == 0)
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: try target(daemon))
        #expect(outcome.word == "file.too-large", "\(String(describing: outcome.failure))")
    }

    /// Over the protocol of the daemon, which names folders that are missing in its own way.
    @Test func filesOfOthersStay() async throws {
        let daemon = try await Daemon()
        let folder = daemon.folder
        let target = try target(daemon)
        try await OwnerChanges.checkTheyStay(at: target, folder, "served/out")
        try folder.write("served/out/apps", "mine")
        let refused = await publishing(try folder.site(InTheWay.site), to: target) { $0.adopts = true }
        #expect(refused.failure?.details == ["is in the way: apps"], "\(refused.word)")
    }

    /// A folder goes with its last file; one that holds anything of others stays, and so does a link.
    @Test func emptiedFoldersAreRemoved() async throws {
        let daemon = try await Daemon()
        let folder = daemon.folder
        let target = try target(daemon)
        let first = [
            "index.html": "1", "apps/a/issues/x.html": "1", "apps/b/y.html": "1", "apps/b/z/q.html": "1",
            "theirs/w.html": "1", "empty/v.html": "1", "linked/u.html": "1", "kept/t.html": "1",
            "kept/gone/s.html": "1",
        ]
        #expect(await publishing(try folder.site(first), to: target).word == "published")
        let served = "\(folder.path)/served"
        let files = FileManager.default
        try folder.write("served/out/theirs/mine.txt", "mine")
        try files.createDirectory(
            atPath: "\(served)/out/empty/mine", withIntermediateDirectories: false)
        try files.moveItem(atPath: "\(served)/out/linked", toPath: "\(served)/elsewhere")
        try files.createSymbolicLink(atPath: "\(served)/out/linked", withDestinationPath: "../elsewhere")
        let second = try folder.site(["index.html": "2", "kept/t.html": "1", "apps/b/y.html": "1"])
        let outcome = await publishing(second, to: target) { $0.mostRemoved = nil }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        let found = try files.subpathsOfDirectory(atPath: "\(served)/out").filter { !$0.hasPrefix(".") }
        #expect(
            Set(found).subtracting([SiteFolder.manifest]) == [
                "index.html", "apps", "apps/b", "apps/b/y.html", "kept", "kept/t.html", "theirs",
                "theirs/mine.txt", "empty", "empty/mine", "linked",
            ])
        #expect(fileKind("\(served)/out/linked") == .link)
        #expect(await publishing(second, to: target).word == "unchanged")
    }

    /// A build comes after the last files were checked, and before rsync reads them.
    @Test func aSiteThatChangesWhileItIsReadIsSentAgain() async throws {
        let daemon = try await Daemon()
        let folder = daemon.folder
        try folder.write(
            "programs/rsync",
            """
            #!/bin/sh
            case "$*" in
            *--delay-updates*)
                cat >'\(folder.path)/list'
                if grep -qa manifest.json '\(folder.path)/list'
                then printf 9 >'\(folder.path)/site/manifest.json'; fi
                exec /usr/bin/rsync "$@" <'\(folder.path)/list' ;;
            esac
            exec /usr/bin/rsync "$@"

            """)
        chmod("\(folder.path)/programs/rsync", 0o755)
        let files = ["index.html": "1"]
        let slow = try target(daemon, programs: "\(folder.path)/programs")
        #expect(await publishing(try folder.site(files), to: slow).word == "publish.site-changed")
        let next = await publishing(try folder.site(files), to: try target(daemon))
        #expect(next.word == "published", "\(String(describing: next.failure))")
        #expect(folder.tree("served/out") == folder.tree("site"))
    }

    @Test func foldersBecomeFilesAndFilesFolders() async throws {
        let daemon = try await Daemon()
        try await Turns.checkEachArrives(at: try target(daemon), daemon.folder, "served/out")
    }

    @Test(arguments: [
        ("site/out", "wr0ng", "check the module, the user and 'password'"),
        ("nowhere/out", "pa$$ 'word'", "check the module, the user and 'password'"),
        ("closed/out", "pa$$ 'word'", "set 'read only = no'"),
    ])
    func everyRefusalHasANextStep(place: String, password: String, hint: String) async throws {
        let daemon = try await Daemon()
        let site = try daemon.folder.site(["index.html": "1"])
        let outcome = await publishing(site, to: try target(daemon, place: place, password: password))
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.hints.first?.hasPrefix(hint) == true, "\(failure)")
        #expect(!"\(failure)".contains(password) && daemon.folder.tree("served") == [:])
    }

    /// Two that found the same list began at once: `out` is where this one publishes, and the other one has been to
    /// `other`, from the same beginning.
    ///
    /// - Returns: the daemon, this one's site and the list of the other one.
    private func twoAtOnce(
        _ files: [String: String], _ others: [String: String]
    ) async throws -> (Daemon, SiteFolder, String) {
        let daemon = try await Daemon()
        let folder = daemon.folder
        let start = try folder.site(["index.html": "1", "old.html": "1"])
        #expect(await publishing(start, to: try target(daemon)).word == "published")
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/served/out", toPath: "\(folder.path)/served/other")
        let other = await publishing(
            try folder.site(others, in: "others"), to: try target(daemon, place: "site/other")
        ) {
            $0.mostRemoved = nil
        }
        #expect(other.word == "published", "\(String(describing: other.failure))")
        let list = try #require(folder.text("served/other/\(PublicationManifest.fileName)"))
        return (daemon, try folder.site(files), list)
    }

    /// The other list comes right after this one's: nothing is sent.
    @Test func oneThatIsOvertakenAtOnceSendsNothing() async throws {
        let (daemon, site, list) = try await twoAtOnce(
            ["index.html": "22", "a.html": "1"], ["index.html": "333", "b.html": "1"])
        let folder = daemon.folder
        try folder.write("theirs.json", list)
        let place = "\(folder.path)/served/out/\(PublicationManifest.fileName)"
        try folder.write(
            "programs/rsync",
            """
            #!/bin/sh
            /usr/bin/rsync "$@"
            status=$?
            case "$*" in *" --chmod=F644 "*) cp '\(folder.path)/theirs.json' '\(place)' ;; esac
            exit $status

            """)
        chmod("\(folder.path)/programs/rsync", 0o755)
        let before = folder.tree("served/out")
        let outcome = await publishing(site, to: try target(daemon, programs: "\(folder.path)/programs")) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "publish.overtaken")
        #expect(
            folder.tree("served/out") == before
                && folder.text("served/out/.plimsoll-publication.json") == list)
    }

    /// The other list comes while files are sent. Where both sites are the same, it lists all that is there.
    @Test(arguments: [true, false])
    func oneThatIsOvertakenLaterLeavesEachFileInTheList(isSameSite: Bool) async throws {
        let files = ["index.html": "22", "a.html": "1"]
        let others = isSameSite ? files : ["index.html": "333", "b.html": "1", "old.html": "1"]
        let (daemon, site, list) = try await twoAtOnce(files, others)
        let folder = daemon.folder
        let target = try target(daemon)
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        let problem = await problem {
            try await target.apply(plan, of: site, at: "2026-11-21T06:00:00Z") { _ in
                try? folder.write("served/out/\(PublicationManifest.fileName)", list)
                try? folder.write("served/out/b.html", "1")
            }
        }
        #expect(problem?.id == "publish.overtaken", "\(String(describing: problem))")
        if isSameSite {
            #expect(folder.text("served/out/\(PublicationManifest.fileName)") == list)
            return
        }
        let left = try #require(try await target.lastPublication()).manifest
        #expect(!left.isComplete)
        #expect(left.files.keys.sorted() == ["a.html", "b.html", "index.html", "manifest.json", "old.html"])
        // What this one sent and removed is made good by the next one.
        let next = await publishing(try folder.site(others, in: "others"), to: target) {
            $0.mostRemoved = nil
        }
        #expect(next.word == "published", "\(String(describing: next.failure))")
        #expect(folder.tree("served/out") == folder.tree("others"))
    }

    /// Cut at every tenth of its bytes.
    @Test func everyLinkWorksWhereverItIsCut() async throws {
        let daemon = try await Daemon()
        let folder = daemon.folder
        let before = try folder.site(Edition.files(0), in: "before")
        #expect(await publishing(before, to: try target(daemon, place: "site/start")).word == "published")
        func start(_ name: String) throws {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/served/start", toPath: "\(folder.path)/served/\(name)")
        }
        let site = try folder.site(Edition.files(1))
        try start("whole")
        let counter = try CuttingFront.start(before: daemon.port, bytes: .max)
        let whole = await publishing(site, to: try target(daemon, port: counter.port, place: "site/whole"))
        #expect(whole.word == "published", "\(String(describing: whole.failure))")
        for tenth in 0..<10 {
            let name = "cut-\(tenth)"
            try start(name)
            let front = try CuttingFront.start(
                before: daemon.port, bytes: max(1, counter.passed * tenth / 10))
            let broken = await publishing(
                site, to: try target(daemon, port: front.port, place: "site/\(name)"))
            #expect(broken.failure?.hints.isEmpty == false, "cut at \(tenth): \(broken.word)")
            #expect(Edition.brokenLinks(folder.tree("served/\(name)")) == [], "cut at \(tenth)")
            let next = await publishing(site, to: try target(daemon, place: "site/\(name)"))
            #expect(["published", "unchanged"].contains(next.word), "\(String(describing: next.failure))")
            let after = folder.tree("served/\(name)").filter { !$0.key.hasPrefix("assets/style.0") }
            #expect(after == folder.tree("site"), "cut at \(tenth)")
        }
    }
}
