import Diagnostics
import Foundation
import LoopbackServer
import Platform
import Testing
import Transport

@testable import Publishing

/// Both targets that reach a machine over SSH, against OpenSSH's own server.
@Suite(.enabled(if: SSHServer.isInstalled, "needs the Debian package openssh-server"))
struct SSHTargetTests {
    enum Way: String, CaseIterable, Sendable {
        case rsync, sftp
    }

    /// The ways whose programs are installed.
    private static let ways = Way.allCases.filter { $0 != .rsync || access("/usr/bin/rsync", X_OK) == 0 }

    private func target(
        _ way: Way, _ server: SSHServer, port: UInt16? = nil, path: String? = nil,
        _ change: [String: String?] = [:]
    ) throws -> any Target {
        let port = port ?? server.port, path = path ?? "\(server.folder.path)/out"
        var values = ["port": "\(port)", "sshKey": server.key, "knownHosts": server.knownHosts]
        switch way {
        case .rsync: values["destination"] = "\(SSHServer.user)@127.0.0.1:\(path)"
        case .sftp: values.merge(["host": "127.0.0.1", "user": SSHServer.user, "path": path]) { $1 }
        }
        for (key, value) in change { values[key] = value }
        var retries = RetryPolicy()
        (retries.attempts, retries.capMilliseconds) = (2, 0)
        let client = Client(Client.Options(version: "1"))
        let descriptor: TargetDescriptor = way == .rsync ? .rsync : .sftp
        return try descriptor.make(
            TargetSetup(
                id: "web", values: values.mapValues { .text($0) }, folder: server.folder.path,
                environment: ProcessInfo.processInfo.environment, retries: retries
            ) { _ in client })
    }

    @Test(arguments: ways)
    func publishesOnlyWhatChanged(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let target = try target(way, server)
        let first = await publishing(try folder.site(Edition.files(0)), to: target)
        #expect(first.word == "published", "\(String(describing: first.failure))")
        #expect(first.sentFiles == Edition.files(0).count + 1)
        #expect(folder.tree("out") == folder.tree("site"))
        #expect(await publishing(try folder.site(Edition.files(0)), to: target).word == "unchanged")
        try folder.write("out/theirs/thesis.txt", "mine")
        let second = await publishing(try folder.site(Edition.files(1)), to: target)
        #expect(second.word == "published", "\(String(describing: second.failure))")
        #expect(second.plan?.removals.count == 4)
        var expected = folder.tree("site")
        expected["assets/style.0123456789.css"] = "body {}"
        expected["theirs/thesis.txt"] = "mine"
        #expect(folder.tree("out") == expected)
        #expect(await target.obstacles() == [])
    }

    /// Names that shells, lists and addresses stumble over.
    @Test(arguments: ways)
    func everyNameArrives(way: Way) async throws {
        let server = try await SSHServer()
        let names = [
            "compare/4.2.1...4.3.0-rc+1/index.html", "a b/c(d)@e:f.txt", "ü/ä~b.txt", "x=y&z;w.txt",
            "100%.txt",
            "it's \"quoted\".txt", "-rf/--delete.txt", "[a]*?.txt", "#hash\\back.txt", "$HOME`id`.txt",
        ]
        let files = Dictionary(uniqueKeysWithValues: (names + ["index.html"]).map { ($0, "<\($0)>") })
        let folder = try TestFolder()
        let site = try folder.site(files)
        let path = "\(server.folder.path)/o u't"
        let outcome = await publishing(site, to: try target(way, server, path: path))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(server.folder.tree("o u't") == folder.tree("site"))
        // The files of the site are removed again, whatever they are called.
        let gone = await publishing(
            try folder.site(["index.html": "1"]), to: try target(way, server, path: path)
        ) {
            $0.mostRemoved = nil
        }
        #expect(gone.word == "published", "\(String(describing: gone.failure))")
        #expect(server.folder.tree("o u't") == folder.tree("site"))
    }

    @Test(.enabled(if: hasBytesForNames), arguments: ways)
    func namesOfOtherBytesAreOtherFiles(way: Way) async throws {
        let server = try await SSHServer()
        try await TwoForms.checkEachIsAFile(at: try target(way, server)) {
            try TwoForms.texts("\(server.folder.path)/out")
        }
    }

    /// A name of 255 bytes, which has no room for an ending, comes again when it changes, and goes.
    @Test(arguments: ways)
    func aNameMayBeAsLongAsTheSystemLetsItBe(way: Way) async throws {
        let server = try await SSHServer()
        let folder = try TestFolder()
        let target = try target(way, server)
        let name = "pictures/" + String(repeating: "\u{3042}", count: 83) + "x.pdf"
        #expect(PublishedPath(name).name.text.utf8.count == 254)
        for files in [["index.html": "1", name: "1"], ["index.html": "1", name: "2"], ["index.html": "1"]] {
            let outcome = await publishing(try folder.site(files), to: target) { $0.mostRemoved = nil }
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            #expect(server.folder.tree("out") == folder.tree("site"))
        }
    }

    @Test(arguments: ways)
    func foreignFilesAreNotReplacedUnlessAdopted(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        try folder.write("out/index.html", "theirs")
        let site = try folder.site(["index.html": "ours", "a/b.html": "ours"])
        #expect(await publishing(site, to: try target(way, server)).word == "publish.foreign-files")
        #expect(folder.tree("out") == ["index.html": "theirs"])
        let adopted = await publishing(site, to: try target(way, server)) { $0.adopts = true }
        #expect(adopted.word == "published", "\(String(describing: adopted.failure))")
        #expect(folder.text("out/index.html") == "ours")
        // Later, too.
        try folder.write("out/new.html", "theirs")
        let later = try folder.site(["index.html": "ours", "a/b.html": "ours", "new.html": "ours"])
        #expect(await publishing(later, to: try target(way, server)).word == "publish.foreign-files")
    }

    /// A file where the site needs a folder, and a folder where it needs a file: they stay, adopted or not.
    @Test(arguments: ways, InTheWay.allCases)
    func whatIsInTheWayStays(way: Way, one: InTheWay) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let target = try target(way, server)
        if one.isLater { _ = await publishing(try folder.site(["index.html": "0"]), to: target) }
        try folder.write("out/\(one.path)", "mine")
        let before = folder.tree("out")
        for adopts in [false, true] {
            let outcome = await publishing(try folder.site(InTheWay.site), to: target) { $0.adopts = adopts }
            #expect(outcome.failure?.details == ["is in the way: \(one.path)"], "\(outcome.word)")
            #expect(folder.tree("out") == before)
        }
    }

    /// A folder with links that lead back into it has 2^32 paths of some depth.
    @Test func aFolderWithoutAnEndIsInTheWay() async throws {
        let server = try await SSHServer()
        let folder = "\(server.folder.path)/out/feed.xml"
        try makeLocalFolder(folder)
        for name in ["a", "b"] { #expect(symlink(".", "\(folder)/\(name)") == 0) }
        let outcome = await publishing(
            try server.folder.site(InTheWay.site), to: try target(.sftp, server))
        #expect(outcome.word == "publish.in-the-way", "\(String(describing: outcome.failure))")
        #expect(outcome.failure?.details.last == "and 196 more")
    }

    /// A file where a published folder of any size was: what is in it is the project's, but for a file of the owner.
    @Test(arguments: [false, true])
    func aLargePublishedFolderGivesWayToAFile(holdsAnother: Bool) async throws {
        let server = try await SSHServer()
        let target = try target(.sftp, server)
        var files = ["index.html": "1"]
        for number in 0..<205 { files["a/\(number)/x.html"] = "x" }
        let first = await publishing(try server.folder.site(files), to: target)
        #expect(first.word == "published", "\(String(describing: first.failure))")
        if holdsAnother { try server.folder.write("out/a/204/mine.txt", "mine") }
        let site = try server.folder.site(["index.html": "1", "a": "file"])
        let outcome = await publishing(site, to: target) { $0.mostRemoved = nil }
        guard holdsAnother else {
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            #expect(server.folder.tree("out") == server.folder.tree("site"))
            return
        }
        #expect(outcome.failure?.details == ["is in the way: a/204/mine.txt"], "\(outcome.word)")
    }

    @Test(arguments: ways)
    func whatTheOwnerChangedIsNotRemoved(way: Way) async throws {
        let server = try await SSHServer()
        try await OwnerChanges.checkTheyStay(at: try target(way, server), server.folder, "out")
    }

    @Test func whatABrokenPublicationNamedIsNotAllOurs() async throws {
        let server = try await SSHServer()
        try await BrokenPublication.checkItClaimsNothing(at: try target(.sftp, server), server.folder)
    }

    /// A server that lets no file go: each publication says so, and the file is Plimsoll's when its app comes back.
    @Test func aFileThatCannotBeRemovedIsNamedAndStaysInTheList() async throws {
        let server = try await SSHServer(files: "internal-sftp -P remove")
        let folder = server.folder
        let target = try target(.sftp, server)
        let whole = ["index.html": "1", "apps/beta/index.html": "b"]
        let first = await publishing(try folder.site(whole), to: target)
        #expect(first.word == "published", "\(String(describing: first.failure))")
        for _ in 0..<2 {
            let refused = await publishing(try folder.site(["index.html": "2"]), to: target) {
                $0.mostRemoved = nil
            }
            let summary = refused.failure?.summary ?? refused.word
            #expect(summary.hasPrefix("Cannot remove 'apps/beta/index.html' from sftp://"), "\(summary)")
            let list = try #require(try await target.lastPublication()).manifest
            #expect(list.files["apps/beta/index.html"] != nil && !list.isComplete)
        }
        let back = await publishing(try folder.site(whole), to: target)
        #expect(back.word == "published", "\(String(describing: back.failure))")
        #expect(folder.tree("out") == folder.tree("site"))
    }

    /// Neither is a file that never arrived, nor a folder that somebody made in the place of one.
    @Test(arguments: ways)
    func whatIsGoneIsNoFailure(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let target = try target(way, server)
        #expect(await publishing(try folder.site(["index.html": "1"]), to: target).word == "published")
        var list = try #require(try await target.lastPublication()).manifest
        for path: PublishedPath in ["a/gone.html", "gone.html", "b/folder.html", "rest.html"] {
            list.files[path] = .init(size: 1, sha256: nil, isAwaited: true)
        }
        try folder.write("out/\(PublicationManifest.fileName)", String(decoding: list.bytes, as: UTF8.self))
        try folder.write("out/b/folder.html/mine.txt", "mine")
        try folder.write("out/rest.html", "x")
        for word in ["published", "unchanged"] {
            let outcome = await publishing(try folder.site(["index.html": "1"]), to: target) {
                $0.mostRemoved = nil
            }
            #expect(outcome.word == word, "\(String(describing: outcome.failure))")
        }
        #expect(
            folder.tree("out").keys.sorted() == ["b/folder.html/mine.txt", "index.html", "manifest.json"])
    }

    /// A login that rrsync shuts in to a folder, which refuses options and links to folders.
    @Test(.enabled(if: access("/usr/bin/rrsync", X_OK) == 0, "needs the Debian package rsync"))
    func rrsyncIsEnough() async throws {
        let server = try await SSHServer()
        let folder = server.folder
        try folder.write("out/theirs/thesis.txt", "mine")
        let key = try #require(folder.text("user.pub"))
        try folder.write("authorized_keys", "command=\"/usr/bin/rrsync \(folder.path)/out\" \(key)")
        let target = { try self.target(.rsync, server, path: $0) }
        for edition in [0, 1] {
            let outcome = await publishing(try folder.site(Edition.files(edition)), to: try target("/"))
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        var expected = folder.tree("site")
        expected["assets/style.0123456789.css"] = "body {}"
        expected["theirs/thesis.txt"] = "mine"
        #expect(folder.tree("out") == expected)
        // The style sheet that stayed for one publication more goes, and then there is nothing to do.
        for word in ["published", "unchanged"] {
            let again = await publishing(try folder.site(Edition.files(1)), to: try target("/"))
            #expect(again.word == word, "\(String(describing: again.failure))")
            #expect(folder.text("out/assets/style.0123456789.css") == nil)
        }
        // A link is neither followed nor replaced, be it above what is sent or above what is removed.
        try folder.write("real/p5.html", "mine")
        try FileManager.default.removeItem(atPath: "\(folder.path)/out/pages")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/out/pages", withDestinationPath: "\(folder.path)/real")
        for files in [Edition.files(0), ["index.html": "1"]] {
            let refused = await publishing(try folder.site(files), to: try target("/")) {
                $0.mostRemoved = nil
            }
            #expect(refused.failure?.details == ["is in the way: pages"], "\(refused.word)")
        }
        #expect(folder.tree("real") == ["p5.html": "mine"])
        // An option that it refuses is reported with what to do.
        let odd = await publishing(try folder.site(["index.html": "1"]), to: try target("/a b"))
        #expect(odd.failure?.hints.first?.contains("which rrsync lets pass") == true, "\(odd.word)")
    }

    @Test(arguments: ways)
    func foldersBecomeFilesAndFilesFolders(way: Way) async throws {
        let server = try await SSHServer()
        try await Turns.checkEachArrives(at: try target(way, server), server.folder, "out")
    }

    /// A link to a folder is as good as a folder, and what is in it is not in the way.
    @Test(arguments: ways)
    func aLinkToAFolderIsNotInTheWay(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        try folder.write("real/mine.txt", "mine")
        try folder.write("out/mine.txt", "mine")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/out/apps", withDestinationPath: "\(folder.path)/real")
        let plan = PublicationPlan(try folder.site(InTheWay.site).files, over: nil)
        #expect(try await target(way, server).foreignFiles(under: plan) == ForeignFiles())
    }

    @Test func aFingerprintDoesInPlaceOfKnownHosts() async throws {
        let server = try await SSHServer()
        let site = try server.folder.site(["index.html": "1"])
        let target = try target(
            .sftp, server, ["knownHosts": nil, "fingerprint": server.fingerprint])
        #expect(await publishing(site, to: target).word == "published")
    }

    @Test(
        arguments: [
            ["knownHosts": nil], ["knownHosts": nil, "fingerprint": "SHA256:short"], ["path": "/a/../b"],
            ["path": "/"], ["host": "a/b"], ["host": "user@host"], ["knownHosts": "/no/such/file"],
        ] as [[String: String?]])
    func wrongPlacesAreRefused(change: [String: String?]) async throws {
        let server = try await SSHServer()
        #expect(await problem { _ = try target(.sftp, server, change) } != nil)
    }

    @Test(arguments: [
        "/srv/www", "-e:x", "host::module", "rsync://host", "rsync://user:secret@host/module", "host:",
        "a/b:c", "host:\u{7}",
    ])
    func wrongDestinationsAreRefused(destination: String) async throws {
        let problem = await problem { _ = try RsyncPlace(destination) }
        #expect(
            problem?.id == "publish.destination"
                && "\(String(describing: problem))".contains("secret") == false)
    }

    // MARK: Faults

    /// What goes wrong, and what is said of it.
    enum Fault: String, CaseIterable, Sendable {
        case changedHostKey, unknownHost, unknownUser, wrongKey, nothingThere, noRight
    }

    @Test(arguments: ways, Fault.allCases)
    func everyFaultHasANextStep(way: Way, fault: Fault) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        var change: [String: String?] = [:]
        var port: UInt16?
        var path: String?
        let hint: String
        switch fault {
        case .changedHostKey:
            try server.writeKnownHosts(key: "other")
            hint = "check that the host's key is the right one"
        case .unknownHost:
            try folder.write("known_hosts", "")
            hint = "check that the host's key is the right one"
        case .unknownUser:
            change = way == .sftp ? ["user": "stranger"] : ["destination": "stranger@127.0.0.1:/srv"]
            hint = way == .sftp ? "check 'user'" : "check the user"
        case .wrongKey:
            change = ["sshKey": "\(folder.path)/other"]
            hint = way == .sftp ? "check 'user'" : "check the user and 'sshKey'"
        case .nothingThere:
            port = try FaultServer.refusedPort()
            hint = way == .sftp ? "check 'host' and 'port'" : "check the host and the port"
        case .noRight:
            path = "/proc/plimsoll"
            hint = "check that the"
        }
        let site = try folder.site(["index.html": "1"])
        let outcome = await publishing(site, to: try target(way, server, port: port, path: path, change))
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.hints.first?.hasPrefix(hint) == true, "\(failure)")
        #expect(folder.tree("out") == [:])
    }

    /// Cut after so many bytes: what readers find has no broken link, and the next publication sends what is missing.
    @Test(arguments: ways, [6_000, 12_000, 18_000, 24_000, 30_000, 36_000, 42_000, 48_000, 60_000])
    func aCutConnectionLosesNothing(way: Way, bytes: Int) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let first = await publishing(try folder.site(Edition.files(0)), to: try target(way, server))
        #expect(first.word == "published", "\(String(describing: first.failure))")
        let front = try CuttingFront.start(before: server.port, bytes: bytes)
        try server.writeKnownHosts(key: "host", ports: [front.port])
        let site = try folder.site(Edition.files(1))
        let broken = await publishing(site, to: try target(way, server, port: front.port))
        if let failure = broken.failure { #expect(failure.hints.isEmpty == false, "\(failure)") }
        #expect(Edition.brokenLinks(folder.tree("out")) == [])
        let next = await publishing(site, to: try target(way, server))
        #expect(["published", "unchanged"].contains(next.word), "\(String(describing: next.failure))")
        #expect(Edition.brokenLinks(folder.tree("out")) == [])
        #expect(
            folder.tree("out").filter { !$0.key.hasPrefix("assets/style.0") } == folder.tree("site"))
    }

    @Test(arguments: ways)
    func anotherPublicationIsNotOverwritten(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let site = try folder.site(["index.html": "1"])
        let target = try target(way, server)
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        _ = await publishing(try folder.site(["index.html": "2"], in: "other-site"), to: target)
        let problem = await problem {
            try await target.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in }
        }
        #expect(problem?.id == "publish.overtaken", "\(String(describing: problem))")
        #expect(folder.text("out/index.html") == "2")
    }

    /// A folder of 256 kB in memory, where root may make one.
    @Test(.enabled(if: getuid() == 0, "needs root, to mount a small file system"), arguments: ways)
    func aFullDiskIsReported(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let path = "\(folder.path)/out"
        mkdir(path, 0o755)
        guard mount("plimsoll", path, "tmpfs", 0, "size=256k") == 0 else { return }
        defer { umount2(path, Int32(MNT_DETACH)) }
        let small = await publishing(try folder.site(Edition.files(0)), to: try target(way, server))
        #expect(small.word == "published", "\(String(describing: small.failure))")
        var files = Edition.files(0)
        files["large.bin"] = String(repeating: "0123456789abcdef", count: 100_000)
        let full = await publishing(try folder.site(files), to: try target(way, server))
        #expect(full.failure?.hints.first?.contains("space") == true, "\(String(describing: full.failure))")
        #expect(Edition.brokenLinks(folder.tree("out")) == [])
        let next = await publishing(try folder.site(Edition.files(1)), to: try target(way, server))
        #expect(next.word == "published", "\(String(describing: next.failure))")
        #expect(Edition.brokenLinks(folder.tree("out")) == [])
    }

    /// Larger than what is held in memory.
    @Test(arguments: ways)
    func aLargeFileArrives(way: Way) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        let text = String(repeating: "0123456789abcdef\n", count: 300_000)
        let outcome = await publishing(
            try folder.site(["index.html": "1", "large.txt": text]), to: try target(way, server))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(folder.text("out/large.txt") == text)
    }

    @Test(arguments: ways)
    func aCanceledPublicationEndsSoon(way: Way) async throws {
        let server = try await SSHServer()
        let site = try server.folder.site(Edition.files(0))
        let target = try target(way, server)
        let task = Task { await publishing(site, to: target) }
        task.cancel()
        #expect(["publish.interrupted", "publish.sftp"].contains(await task.value.word))
        #expect(await publishing(site, to: target).word == "published")
    }
}
