import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Publishing

struct GitTargetTests {
    private func target(
        _ folder: TestFolder, id: String = "pages", _ values: [String: String] = [:],
        programs: String? = nil
    ) throws -> any Target {
        var environment = ProcessInfo.processInfo.environment
        if let programs { environment["PATH"] = "\(programs):\(environment["PATH"] ?? "/usr/bin:/bin")" }
        var all: [String: TargetSetup.Value] = ["remote": .text("\(folder.path)/remote.git")]
        for (key, value) in values {
            all[key] = key == "token" ? Secret(value).map { .secret($0) } : .text(value)
        }
        let client = Client(Client.Options(version: "1"))
        return try TargetDescriptor.git.make(
            TargetSetup(
                id: id, values: all, folder: folder.path, environment: environment
            ) { _ in client })
    }

    @discardableResult
    private func git(_ folder: TestFolder, _ arguments: String...) async throws -> String {
        try await git(folder, arguments: arguments)
    }

    @discardableResult
    private func git(
        _ folder: TestFolder, arguments: [String], input: String = ""
    ) async throws -> String {
        let result = try await ChildProcess(
            program: "git", arguments: ["--git-dir=\(folder.path)/remote.git"] + arguments,
            environment: ProcessInfo.processInfo.environment, folder: folder.path,
            input: Array(input.utf8)
        ).run()
        return String(decoding: result.output, as: UTF8.self)
    }

    /// A folder with an empty remote repository.
    private func remote() async throws -> TestFolder {
        let folder = try TestFolder()
        try await git(folder, "init", "--quiet", "--bare")
        return folder
    }

    /// The files of the branch.
    private func tree(_ folder: TestFolder) async throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try await git(folder, "ls-tree", "-r", "--name-only", "gh-pages").split(separator: "\n")
        where path != PublicationManifest.fileName {
            files[String(path)] = try await git(folder, "cat-file", "blob", "gh-pages:\(path)")
        }
        return files
    }

    @Test(arguments: ["single", "keep"])
    func publishesCommits(history: String) async throws {
        let folder = try await remote()
        let target = try target(folder, ["history": history, "cname": "stability.example"])
        for edition in [0, 1] {
            let outcome = await publishing(
                try folder.site(Edition.files(edition, pages: 3)), to: target,
                at: "2026-11-2\(edition)T06:00:00Z")
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        var expected = folder.tree("site")
        expected["assets/style.0123456789.css"] = "body {}"
        expected[".nojekyll"] = ""
        expected["CNAME"] = "stability.example\n"
        #expect(try await tree(folder) == expected)
        let commits = try await git(folder, "log", "--format=%an %aI %s", "gh-pages").split(separator: "\n")
        #expect(commits.count == (history == "keep" ? 2 : 1))
        #expect(
            commits.first == "plimsoll 2026-11-21T06:00:00+00:00 Publish the site as of 2026-11-21T06:00:00Z"
                || commits.first
                    == "plimsoll 2026-11-21T06:00:00Z Publish the site as of 2026-11-21T06:00:00Z"
        )
        // A second machine knows what was published from the branch itself.
        let again = await publishing(
            try folder.site(Edition.files(1, pages: 3)), to: try self.target(folder, id: "other"))
        #expect(again.plan?.uploads.isEmpty == true)
    }

    /// A build comes after the files were checked, and before git reads them.
    @Test func aSiteThatChangesWhileGitReadsItIsNotPublished() async throws {
        let folder = try await remote()
        let first = try folder.site(Edition.files(0, pages: 3))
        #expect(
            await publishing(first, to: try target(folder), at: "2026-11-20T06:00:00Z").word == "published")
        try folder.write(
            "programs/git",
            """
            #!/bin/sh
            PATH=${PATH#*:}
            case "$*" in *--stdin-paths*) printf 9 >'\(folder.path)/site/index.html' ;; esac
            exec git "$@"

            """)
        chmod("\(folder.path)/programs/git", 0o755)
        let before = try await tree(folder)
        let files = Edition.files(1, pages: 3)
        let slow = try target(folder, programs: "\(folder.path)/programs")
        let broken = await publishing(try folder.site(files), to: slow, at: "2026-11-21T06:00:00Z")
        #expect(broken.word == "publish.site-changed")
        #expect(try await tree(folder) == before)
        let next = await publishing(
            try folder.site(files), to: try target(folder), at: "2026-11-22T06:00:00Z")
        #expect(next.word == "published", "\(String(describing: next.failure))")
        #expect(try await tree(folder)["index.html"] == files["index.html"])
    }

    /// What a power cut leaves of the copy on this machine. The copy is made again, and it is said.
    @Test(arguments: [
        "touch shallow.lock", ": >HEAD", "rm -r objects",
        "find objects -type f -exec chmod u+w {} + -exec truncate -s 0 {} +",
        // What git writes when it tidies up by itself.
        "echo '# pack-refs with: peeled fully-peeled sorted' >packed-refs && touch gc.pid && rm -r objects",
        "head -c 4096 /dev/zero >packed-refs && rm -r objects",
    ])
    func aDamagedCopyIsMadeAgain(damage: String) async throws {
        let folder = try await remote()
        let first = await publishing(
            try folder.site(Edition.files(0, pages: 3)), to: try target(folder), at: "2026-11-20T06:00:00Z")
        #expect(first.word == "published" && first.remarks.isEmpty)
        _ = await publishing(
            try folder.site(Edition.files(1, pages: 3)), to: try target(folder), at: "2026-11-21T06:00:00Z")
        let damaged = try await ChildProcess(
            program: "sh", arguments: ["-c", "cd .plimsoll-pages.git && { \(damage); }"],
            environment: ProcessInfo.processInfo.environment, folder: folder.path
        ).run()
        #expect(damaged.status == 0, "\(damaged.errors)")
        let outcome = await publishing(
            try folder.site(Edition.files(2, pages: 3)), to: try target(folder), at: "2026-11-22T06:00:00Z")
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(outcome.remarks.map(\.id) == ["publish.git-copy"], "\(outcome.remarks)")
        #expect(try await tree(folder)["index.html"] == folder.text("site/index.html"))
        let next = await publishing(
            try folder.site(Edition.files(3, pages: 3)), to: try target(folder), at: "2026-11-23T06:00:00Z")
        #expect(next.word == "published" && next.remarks.isEmpty)
    }

    /// A branch that may not be replaced says what to write; with history it is added to.
    @Test func aBranchThatMayNotBeReplacedNamesTheWayOut() async throws {
        let folder = try await remote()
        try await git(folder, "config", "receive.denyNonFastForwards", "true")
        let first = try folder.site(Edition.files(0, pages: 3))
        #expect(
            await publishing(first, to: try target(folder), at: "2026-11-20T06:00:00Z").word == "published")
        let next = try folder.site(Edition.files(1, pages: 3))
        let refused = await publishing(next, to: try target(folder), at: "2026-11-21T06:00:00Z")
        #expect(refused.failure?.hints.first?.contains("history: keep") == true, "\(refused.word)")
        let kept = try target(folder, ["history": "keep"])
        #expect(await publishing(next, to: kept, at: "2026-11-21T06:00:00Z").word == "published")
    }

    /// A host name that is added, changed or removed is news, also where the site is the same.
    @Test func theHostNameIsThatOfTheConfiguration() async throws {
        let folder = try await remote()
        let site = try folder.site(Edition.files(0, pages: 3))
        let steps: [(name: String?, word: String)] = [
            (nil, "published"), ("a.example", "published"), ("a.example", "unchanged"),
            ("b.example", "published"), ("b.example", "unchanged"), (nil, "published"), (nil, "unchanged"),
        ]
        for (place, step) in steps.enumerated() {
            let outcome = await publishing(
                site, to: try target(folder, step.name.map { ["cname": $0] } ?? [:]),
                at: "2026-11-2\(place)T06:00:00Z")
            #expect(outcome.word == step.word, "\(place) \(String(describing: outcome.failure))")
            #expect(try await tree(folder)["CNAME"] == step.name.map { "\($0)\n" })
        }
    }

    /// A repository that is somebody's own is never removed, nor made a copy of.
    @Test(arguments: [
        ("echo mine >notes.txt && touch shallow.lock", "publish.git"),
        ("git update-ref refs/heads/mine FETCH_HEAD && touch shallow.lock", "publish.repository"),
        ("git update-ref refs/heads/mine FETCH_HEAD && git pack-refs --all", "publish.repository"),
        ("git update-ref refs/tags/mine FETCH_HEAD", "publish.repository"),
        ("touch index", "publish.repository"),
        ("rm -r * && echo mine >notes.txt", "publish.repository"),
    ])
    func aRepositoryOfSomebodyStays(makesItTheirs: String, id: String) async throws {
        let folder = try await remote()
        _ = await publishing(try folder.site(Edition.files(0, pages: 3)), to: try target(folder))
        _ = await publishing(try folder.site(Edition.files(1, pages: 3)), to: try target(folder))
        let script = "cd .plimsoll-pages.git && \(makesItTheirs)"
        let made = try await ChildProcess(
            program: "sh", arguments: ["-c", script], environment: ProcessInfo.processInfo.environment,
            folder: folder.path
        ).run()
        #expect(made.status == 0, "\(made.errors)")
        let before = folder.tree(".plimsoll-pages.git")
        let outcome = await publishing(try folder.site(Edition.files(2, pages: 3)), to: try target(folder))
        #expect(outcome.failure?.id == id, "\(String(describing: outcome.failure))")
        let after = folder.tree(".plimsoll-pages.git")
        #expect(id == "publish.git" ? after["notes.txt"] == "mine\n" : after == before)
    }

    /// A folder of the owner's with a line break in its name.
    @Test func aPathMayHaveALineBreakAndQuotes() async throws {
        let folder = try await remote()
        let outcome = await publishing(
            try folder.site(["index.html": "1", "own/\"é\\.html": "2"], in: "two\n\"lines\" é"),
            to: try target(folder))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        let id = try await git(folder, "rev-parse", "gh-pages:own/\"é\\.html").prefix(40)
        #expect(try await git(folder, "cat-file", "blob", String(id)) == "2")
    }

    @Test(.enabled(if: hasBytesForNames))
    func namesOfOtherBytesAreOtherFiles() async throws {
        let folder = try await remote()
        try await TwoForms.checkEachIsAFile(at: try target(folder)) {
            let names = try await git(folder, "ls-tree", "-r", "-z", "--name-only", "gh-pages")
            var texts: [PublishedPath: String] = [:]
            for name in names.split(separator: "\0") {
                texts[PublishedPath(String(name))] = try await git(
                    folder, "cat-file", "blob", "gh-pages:\(name)")
            }
            return texts
        }
    }

    /// With one date the site of before is the commit of before, which the copy has as one without parents.
    @Test(arguments: ["single", "keep"], [false, true])
    func aSiteMayBecomeWhatItWas(history: String, isOnTopOfOthers: Bool) async throws {
        let folder = try await remote()
        if isOnTopOfOthers { try await commit(folder, [("theirs.txt", "1")]) }
        let target = try target(folder, ["history": history])
        for text in ["1", "2", "1", "2", "1"] {
            let outcome = await publishing(try folder.site(["index.html": text]), to: target) {
                $0.adopts = true
            }
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            #expect(try await self.tree(folder)["index.html"] == text)
        }
    }

    /// A commit of someone else's on the branch: files with their texts, nil for one that is removed.
    private func commit(
        _ folder: TestFolder, _ changes: [(path: String, text: String?)], branch: String = "gh-pages"
    ) async throws {
        let base = try await String(git(folder, "rev-parse", "--verify", "--quiet", branch).prefix(40))
        try await git(folder, "read-tree", base.isEmpty ? "--empty" : base)
        var lines = ""
        for (path, text) in changes {
            let blob = try await git(
                folder, arguments: ["hash-object", "-w", "--stdin"], input: text ?? "")
            lines += text == nil ? "0 \(blob.prefix(40))\t\(path)\n" : "100644 \(blob.prefix(40))\t\(path)\n"
        }
        try await git(folder, arguments: ["update-index", "--index-info"], input: lines)
        let tree = try await git(folder, "write-tree").prefix(40)
        let commit = try await git(
            folder,
            arguments: ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit-tree", String(tree)]
                + (base.isEmpty ? [] : ["-p", base]) + ["-m", "x"])
        try await git(folder, "update-ref", "refs/heads/\(branch)", String(commit.prefix(40)))
    }

    /// Who made the commits of a branch, the newest first.
    private func authors(_ folder: TestFolder, branch: String = "gh-pages") async throws -> [String] {
        try await git(folder, "log", "--format=%an", branch).split(separator: "\n").map(String.init)
    }

    @Test func filesOfOthersStay() async throws {
        let folder = try await remote()
        _ = await publishing(try folder.site(["index.html": "1"]), to: try target(folder))
        try await commit(folder, [("theirs.txt", "1")])
        let outcome = await publishing(try folder.site(["index.html": "2"]), to: try target(folder))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(try await self.tree(folder)["theirs.txt"] == "1")
        let refused = await publishing(
            try folder.site(["index.html": "2", "theirs.txt": "ours"]), to: try target(folder))
        #expect(refused.word == "publish.foreign-files")
    }

    @Test func anotherPublicationIsNotOverwritten() async throws {
        let folder = try await remote()
        let (one, other) = (try target(folder, id: "one"), try target(folder, id: "other"))
        let site = try folder.site(["index.html": "1"])
        let plan = PublicationPlan(site.files, over: try await one.lastPublication())
        _ = await publishing(try folder.site(["index.html": "2"], in: "b"), to: other)
        let problem = await problem {
            try await one.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in }
        }
        #expect(problem?.id == "publish.overtaken", "\(String(describing: problem))")
        #expect(try await tree(folder)["index.html"] == "2")
        #expect(await publishing(site, to: one).word == "published")
    }

    /// Someone's own commit that comes between is kept, and the publication goes on top of it.
    @Test(arguments: ["single", "keep"])
    func aCommitOfOthersOnTheWayIsKept(history: String) async throws {
        let folder = try await remote()
        let target = try target(folder, ["history": history])
        _ = await publishing(try folder.site(["index.html": "1"]), to: target)
        let site = try folder.site(["index.html": "2"])
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        try await commit(folder, [("theirs.txt", "1")])
        let problem = await problem {
            try await target.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in }
        }
        #expect(problem == nil, "\(String(describing: problem))")
        let tree = try await tree(folder)
        #expect(tree["theirs.txt"] == "1" && tree["index.html"] == "2")
        #expect(try await authors(folder) == ["plimsoll", "a", "plimsoll"])
    }

    /// What is done to the branch.
    enum Step: Sendable {
        /// A commit of someone else's.
        case theirs
        /// Someone else's change of the newest commit, whose author it leaves.
        case amended
        case single, keep
    }

    /// Without history, plimsoll's own commits are replaced down to the newest one of someone else's, and no further.
    @Test(
        arguments: [
            ([.single, .single, .single], ["plimsoll"]),
            ([.single, .theirs, .single], ["plimsoll", "a", "plimsoll"]),
            ([.single, .theirs, .single, .single, .single], ["plimsoll", "a", "plimsoll"]),
            ([.theirs, .theirs, .theirs, .single, .single], ["plimsoll", "a", "a", "a"]),
            ([.keep, .keep, .keep, .keep, .keep, .keep, .single], ["plimsoll"]),
            ([.theirs, .keep, .keep, .keep, .keep, .single], ["plimsoll", "a"]),
            ([.single, .single, .amended, .single, .single], ["plimsoll", "plimsoll"]),
            (
                [.theirs, .single, .keep, .theirs, .keep, .single],
                ["plimsoll", "a", "plimsoll", "plimsoll", "a"]
            ),
        ] as [([Step], [String])])
    func commitsOfOthersAreNeverDropped(steps: [Step], expected: [String]) async throws {
        let folder = try await remote()
        for (number, step) in steps.enumerated() {
            switch step {
            case .theirs: try await commit(folder, [("theirs-\(number).txt", "mine")])
            case .amended: try await amend(folder)
            case .single, .keep:
                let target = try target(folder, ["history": step == .keep ? "keep" : "single"])
                let outcome = await publishing(try folder.site(["index.html": "\(number)"]), to: target) {
                    $0.adopts = true
                }
                #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            }
        }
        #expect(try await authors(folder) == expected)
        let files = try await tree(folder)
        for (number, step) in steps.enumerated() where step == .theirs {
            #expect(files["theirs-\(number).txt"] == "mine")
        }
    }

    private func amend(_ folder: TestFolder) async throws {
        let tree = try await git(folder, "rev-parse", "gh-pages^{tree}").prefix(40)
        let commit = try await git(
            folder, "-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "author.name=plimsoll", "-c",
            "author.email=plimsoll@localhost", "commit-tree", String(tree), "-m", "x")
        try await git(folder, "update-ref", "refs/heads/gh-pages", String(commit.prefix(40)))
    }

    /// A branch that plimsoll never published to is asked about, unless there is nothing but what a host writes.
    @Test(
        arguments: [
            (["README.md", "src/main.c"], nil, true), (["README.md"], nil, true), ([], nil, false),
            ([".nojekyll", "CNAME"], nil, false), (["CNAME"], "stability.example", true),
            ([".nojekyll"], "stability.example", false),
        ] as [([String], String?, Bool)])
    func aBranchOfOthersIsNotPublishedToUnlessAdopted(
        files: [String], hostName: String?, isRefused: Bool
    ) async throws {
        let folder = try await remote()
        try await commit(folder, files.map { ($0, "mine") }, branch: "main")
        let values = ["branch": "main"].merging(hostName.map { ["cname": $0] } ?? [:]) { $1 }
        let target = try target(folder, values)
        let before = try await git(folder, "rev-parse", "main")
        let site = try folder.site(["index.html": "1"])
        let outcome = await publishing(site, to: target)
        #expect(outcome.word == (isRefused ? "publish.foreign-files" : "published"))
        if isRefused {
            #expect(outcome.failure?.details == files.sorted().map { "is there: \($0)" })
            #expect(try await git(folder, "rev-parse", "main") == before)
            let adopted = await publishing(site, to: target) { $0.adopts = true }
            #expect(adopted.word == "published", "\(String(describing: adopted.failure))")
        }
        #expect(try await authors(folder, branch: "main") == ["plimsoll", "a"])
        for file in files where file != "CNAME" && file != ".nojekyll" {
            #expect(try await git(folder, "cat-file", "blob", "main:\(file)") == "mine")
        }
    }

    /// A file where the site needs a folder, and a folder where it needs a file: they stay, adopted or not.
    @Test(arguments: InTheWay.allCases)
    func whatIsInTheWayStays(one: InTheWay) async throws {
        let folder = try await remote()
        let target = try target(folder)
        if one.isLater { _ = await publishing(try folder.site(["index.html": "0"]), to: target) }
        try await commit(folder, [(one.path, "mine")])
        let before = try await tree(folder)
        for adopts in [false, true] {
            let outcome = await publishing(try folder.site(InTheWay.site), to: target) { $0.adopts = adopts }
            #expect(outcome.failure?.details == ["is in the way: \(one.path)"], "\(outcome.word)")
            #expect(try await tree(folder) == before)
        }
    }

    @Test func whatTheOwnerChangedIsNotRemoved() async throws {
        let folder = try await remote()
        let target = try target(folder)
        _ = await publishing(try folder.site(OwnerChanges.before), to: target)
        try await commit(folder, OwnerChanges.changes)
        let outcome = await publishing(try folder.site(["index.html": "2"]), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        let own: Set = [SiteFolder.manifest, ".nojekyll"]
        let files = try await tree(folder).filter { !own.contains($0.key) }
        #expect(files == OwnerChanges.after)
        OwnerChanges.checkTheyAreNamed(outcome)
    }

    /// An own file becomes a folder, and an own folder a file.
    @Test func whatWasPublishedGivesWay() async throws {
        let folder = try await remote()
        let target = try target(folder)
        for site in [["a": "1", "b/c": "1"], ["a/d": "2", "b": "2"]] {
            let outcome = await publishing(try folder.site(site), to: target) { $0.mostRemoved = nil }
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        #expect(try await tree(folder).keys.sorted() == [".nojekyll", "a/d", "b", "manifest.json"])
    }

    // MARK: Ways to a remote

    @Test(.enabled(if: SSHServer.isInstalled, "needs the Debian package openssh-server"))
    func publishesOverSSH() async throws {
        let server = try await SSHServer()
        let folder = try await remote()
        let values = [
            "remote": "ssh://\(SSHServer.user)@127.0.0.1:\(server.port)\(folder.path)/remote.git",
            "sshKey": server.key, "knownHosts": server.knownHosts,
        ]
        for edition in [0, 1] {
            let outcome = await publishing(
                try folder.site(Edition.files(edition, pages: 3)), to: try target(folder, values))
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        #expect(try await tree(folder)["index.html"] == folder.text("site/index.html"))
        try server.writeKnownHosts(key: "other")
        let refused = await publishing(try folder.site(["index.html": "2"]), to: try target(folder, values))
        #expect(refused.failure?.hints.first?.hasPrefix("check that the host's key") == true)
        // Cut at several places: the branch is the old one or the new one.
        try server.writeKnownHosts(key: "host")
        for bytes in [4_000, 7_000, 9_000, 12_000] {
            let before = try await tree(folder)
            let front = try CuttingFront.start(before: server.port, bytes: bytes)
            try server.writeKnownHosts(key: "host", ports: [front.port])
            let cut = values.merging([
                "remote": "ssh://\(SSHServer.user)@127.0.0.1:\(front.port)\(folder.path)/remote.git"
            ]) { $1 }
            let site = try folder.site(Edition.files(2, pages: 3).merging(["n.txt": "\(bytes)"]) { $1 })
            let broken = await publishing(site, to: try target(folder, cut)) { $0.mostRemoved = nil }
            if broken.failure != nil { #expect(try await tree(folder) == before) }
            let next = await publishing(site, to: try target(folder, values)) { $0.mostRemoved = nil }
            #expect(["published", "unchanged"].contains(next.word), "\(String(describing: next.failure))")
            #expect(try await tree(folder)["n.txt"] == "\(bytes)")
        }
    }

    /// Smart HTTP with a password, which git gets from the program that plimsoll writes for it.
    @Test func publishesOverHTTP() async throws {
        let folder = try await remote()
        try await git(folder, "config", "http.receivepack", "true")
        let port = try freeLoopbackPort()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/git_http.py"
        let child = ChildProcess(
            program: "python3", arguments: [script, "\(port)", folder.path, "report", "pa$$ 'word'"],
            environment: ProcessInfo.processInfo.environment, folder: "/", mostSeconds: 300)
        let server = Task { _ = try? await child.run() }
        defer { server.cancel() }
        try await untilLoopbackAnswers(port)
        let values = [
            "remote": "http://127.0.0.1:\(port)/remote.git", "user": "report", "token": "pa$$ 'word'",
        ]
        for edition in [0, 1] {
            let outcome = await publishing(
                try folder.site(Edition.files(edition, pages: 3)), to: try target(folder, values))
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        #expect(try await tree(folder)["index.html"] == folder.text("site/index.html"))
        let wrong = values.merging(["token": "wr0ng"]) { $1 }
        let refused = await publishing(try folder.site(["index.html": "2"]), to: try target(folder, wrong))
        #expect(refused.word == "publish.git")
        #expect("\(String(describing: refused.failure))".contains("wr0ng") == false)
    }

    /// A host that a server leads to gets neither the token nor the site.
    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsNotFollowed(status: Int) async throws {
        let folder = try TestFolder()
        let other = try await LoopbackServer.start { _ in
            StubResponse(status: 401, headers: [("WWW-Authenticate", #"Basic realm="git""#)])
        }
        // Another host than the one that is named, though the same machine.
        let place = other.origin.replacing("127.0.0.1", with: "localhost")
        let named = try await LoopbackServer.start { request in
            .redirect(status, to: place + request.target.replacing("/a.git", with: "/evil.git"))
        }
        let target = try target(folder, ["remote": named.origin + "/a.git", "token": "t0ps3cret"])
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: target)
        #expect(other.requests.isEmpty)
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.summary.contains("redirects") && failure.hints.first?.contains("'remote'") == true)
        await named.stop()
        await other.stop()
    }

    /// What is asked, and the answer; nil for none.
    @Test(
        arguments: [
            ("Username for 'https://git.example:8443': ", "x@y"),
            ("Password for 'https://x@y@git.example:8443': ", "pa$$ 'word'"),
            ("Password for 'https://x%40y@git.example:8443': ", "pa$$ 'word'"),
            ("Password for 'https://git.example:8443': ", "pa$$ 'word'"),
            ("Password for 'https://x@y@git.example': ", nil),
            ("Password for 'http://x@y@git.example:8443': ", nil),
            ("Password for 'https://x@y@evil.example': ", nil),
            ("Password for 'https://x@y@git.example:8443.evil.example': ", nil),
            ("Password for 'https://evil.example/x@y@git.example:8443': ", nil),
            ("Username for 'http://proxy.example:3128': ", nil),
            ("Password for 'cert:////home/report/key.pem': ", nil), ("", nil),
        ] as [(String, String?)])
    func theTokenIsForTheRemoteAlone(question: String, answer: String?) async throws {
        let setup = TargetSetup(id: "pages", values: [:], folder: "/", environment: [:]) { _ in
            Client(Client.Options(version: "1"))
        }
        let helper = try GitAskpass(
            GitAccess(user: "x@y", token: Secret("pa$$ 'word'"), ssh: SSHProgram(setup)),
            for: "https://git.example:8443/a/b.git")
        let program = try #require(helper.variables["GIT_ASKPASS"])
        let result = try await ChildProcess(
            program: program, arguments: [question], environment: ["PATH": "/usr/bin:/bin"], folder: "/"
        ).run()
        let text = String(decoding: result.output, as: UTF8.self)
        #expect(text.trimmingCharacters(in: .newlines) == answer ?? "")
        #expect((result.status == 0) == (answer != nil))
        withExtendedLifetime(helper) {}
    }

    @Test(arguments: [
        ["remote": "https://user:pass@host/a.git"], ["branch": "-x"], ["branch": "a b"],
        ["branch": "a..b/../c"],
    ])
    func wrongPlacesAreRefused(values: [String: String]) async throws {
        let folder = try TestFolder()
        let problem = await problem { _ = try target(folder, values) }
        #expect(problem != nil && problem?.summary.contains("pass") != true || values["remote"] != nil)
    }

    @Test func aMissingRemoteIsReported() async throws {
        let folder = try TestFolder()
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: try target(folder))
        #expect(outcome.word == "publish.git" && outcome.failure?.details.isEmpty == false)
    }
}

/// What git and ssh print, and the next step.
struct SSHProgramTests {
    @Test(arguments: [
        (
            "error: cannot exec '/tmp/plimsoll-1/askpass': Permission denied\nfatal: could not read Password",
            "TMPDIR"
        ),
        (
            "ssh_askpass: exec(/tmp/plimsoll-1/askpass): Permission denied\na@b: Permission denied (publickey).",
            "TMPDIR"
        ),
        ("rsync: [Receiver] mkdir \"a\" (in site) failed: Permission denied (13)", "write to the folder"),
        ("git@host: Permission denied (publickey).", "'sshKey'"),
        ("Host key verification failed.", "'knownHosts'"),
        ("connect to host: Connection refused", "the port"),
    ])
    func nextStepIsNamed(printed: String, words: String) {
        let step = SSHProgram.nextStep(printed.split(separator: "\n").map(String.init))
        #expect(step?.contains(words) == true)
    }
}
