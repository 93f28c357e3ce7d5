import Diagnostics
import Files
import Foundation
import Platform
import PrivateMounts
import Testing

@testable import Publishing

/// What others have in the folder of a target: it stays as it is, whatever is published around it.
struct ForeignFolderTests {
    /// What is below a folder, with the rights of each thing: `private 700`.
    private func rights(_ folder: TestFolder, besides ours: [String]) throws -> [String] {
        try folderEntries("\(folder.path)/out").filter { !ours.contains($0.path) }.map {
            "\($0.path) \(String($0.rights.mode, radix: 8))"
        }
    }

    private func target(_ folder: TestFolder, links: Bool = true) -> FolderTarget {
        FolderTarget(path: "\(folder.path)/out", links: links)
    }

    private func shell(_ script: String, in folder: TestFolder) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-e", "-c", script]
        shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    /// Publishes twice over what a script has made of the folder, a changed site the second time.
    private func check(_ script: String, _ expected: [String]) async throws {
        let folder = try TestFolder()
        try shell("umask 022; mkdir out; cd out; \(script)", in: folder)
        var before = stat()
        stat("\(folder.path)/out", &before)
        for text in ["1", "2"] {
            let site = try folder.site(["index.html": text, "a/\(text).html": "page"])
            let outcome = await publishing(site, to: target(folder)) { $0.mostRemoved = nil }
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            var now = stat()
            #expect(stat("\(folder.path)/out", &now) == 0)
            #expect(
                now.st_mode == before.st_mode && now.st_uid == before.st_uid && now.st_gid == before.st_gid)
            let ours = [".plimsoll-publication.json", "a/\(text).html", "index.html", "manifest.json"]
            #expect(try rights(folder, besides: ours).sorted() == expected.sorted())
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["out", "site"])
    }

    @Test(arguments: [
        ("mkdir -m 700 private; echo x >private/x", ["a 755", "private 700", "private/x 644"]),
        ("mkdir -m 1777 uploads; mkdir -m 2770 team", ["a 755", "team 2770", "uploads 1777"]),
        (
            "mkdir -p .git/refs/heads .git/refs/tags; chmod 750 .git/refs",
            ["a 755", ".git 755", ".git/refs 750", ".git/refs/heads 755", ".git/refs/tags 755"]
        ),
        ("chmod 2775 .", ["a 2755"]), ("chmod 700 .", ["a 755"]),
        ("mkdir -p -m 750 a; mkdir a/theirs", ["a 750", "a/theirs 755"]),
    ])
    func foldersStayAsTheyAre(script: String, expected: [String]) async throws {
        try await check(script, expected)
    }

    @Test(
        .enabled(if: getuid() == 0, "needs root, to give a folder to another user"),
        arguments: [
            ("mkdir -m 750 theirs; chown 12:34 theirs; chmod 2750 theirs", ["a 755", "theirs 2750"]),
            ("chown 12:34 .; chmod 2750 .", ["a 2755"]),
        ])
    func ownersStay(script: String, expected: [String]) async throws { try await check(script, expected) }

    @Test func timesAndEmptyFoldersOfOthersStay() async throws {
        let folder = try TestFolder()
        try shell(
            "mkdir -p out/theirs/empty; touch -d 2020-02-02T02:02:02Z out/theirs/empty out/theirs", in: folder
        )
        for text in ["1", "2"] {
            _ = await publishing(try folder.site(["index.html": text]), to: target(folder))
            let times = try folderEntries("\(folder.path)/out/theirs").map(\.stamp.written)
            #expect(times == [1_580_608_922_000_000_000])
        }
    }

    #if os(Linux)
        /// A folder that only the user 12 may enter next to its owner, in one whose new folders all may enter that are
        /// the user 13; both are lists of access as the kernel keeps them.
        @Test func accessListsAndAttributesStay() async throws {
            let folder = try TestFolder()
            try shell("mkdir -p out/private; echo x >out/private/x", in: folder)
            let root = "\(folder.path)/out"
            guard set("user.note", Array("theirs".utf8), at: "\(root)/private"),
                set("system.posix_acl_access", accessList(of: 12), at: "\(root)/private"),
                set("system.posix_acl_default", accessList(of: 13), at: root)
            else { try Test.cancel("this file system has no access lists") }
            for text in ["1", "2"] {
                let site = try folder.site(["index.html": text, "a.html": "1"])
                #expect(await publishing(site, to: target(folder)).word == "published")
                #expect(attribute("user.note", at: "\(root)/private") == Array("theirs".utf8))
                #expect(attribute("system.posix_acl_access", at: "\(root)/private") == accessList(of: 12))
                #expect(attribute("system.posix_acl_default", at: "\(root)/private") == nil)
                #expect(attribute("system.posix_acl_default", at: root) == accessList(of: 13))
                #expect(attribute("system.posix_acl_access", at: root) == nil)
            }
        }

        /// Everything for the owner and one user, nothing for all others.
        private func accessList(of user: UInt32) -> [UInt8] {
            let none = UInt32.max
            let lines: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
                (1, 7, none), (2, 7, user), (4, 0, none), (16, 7, none), (32, 0, none),
            ]
            return lines.reduce(into: [2, 0, 0, 0]) { bytes, line in
                for number in [line.tag, line.rights] { withUnsafeBytes(of: number) { bytes += $0 } }
                withUnsafeBytes(of: line.id) { bytes += $0 }
            }
        }

        private func set(_ name: String, _ value: [UInt8], at path: String) -> Bool {
            setxattr(path, name, value, value.count, 0) == 0
        }

        private func attribute(_ name: String, at path: String) -> [UInt8]? {
            var value = [UInt8](repeating: 0, count: 256)
            let count = getxattr(path, name, &value, value.count)
            return count < 0 ? nil : Array(value.prefix(count))
        }
    #endif

    /// A folder that its owner may not write to cannot be made again by everyone.
    @Test func whatCannotBeCarriedStaysInItsPlace() async throws {
        let folder = try TestFolder()
        try shell("mkdir -p out/theirs; echo x >out/theirs/x; chmod 500 out/theirs", in: folder)
        var (before, now) = (stat(), stat())
        stat("\(folder.path)/out/theirs", &before)
        for text in ["1", "2"] {
            let outcome = await publishing(try folder.site(["index.html": text]), to: target(folder))
            #expect(outcome.word == "published" && outcome.sentFiles == 2)
            #expect(folder.text("out/index.html") == text && folder.text("out/theirs/x") == "x\n")
        }
        stat("\(folder.path)/out/theirs", &now)
        #expect(now.st_ino == before.st_ino && now.st_mode == before.st_mode)
        try shell("chmod 700 out/theirs", in: folder)
    }

    /// At each file that arrives, the rights of all folders on the way to a file of others.
    @Test func filesOfOthersAreReadableAtNoMoment() async throws {
        let folder = try TestFolder()
        try shell("umask 022; mkdir -m 700 -p out/private; echo x >out/private/x", in: folder)
        let site = try folder.site(["index.html": "1", "a/1.html": "1"])
        let plan = PublicationPlan(site.files, over: nil)
        let path = folder.path
        try await target(folder).apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in
            let names = (try? folderNames(path)) ?? []
            let staging = names.filter { $0.hasPrefix(".out.publishing-") && !$0.hasSuffix(".lock") }
            #expect(staging.count == 1)
            for name in staging {
                var status = stat()
                #expect(stat("\(path)/\(name)", &status) == 0 && status.st_mode & 0o77 == 0)
                #expect(stat("\(path)/\(name)/private", &status) == 0 && status.st_mode & 0o77 == 0)
            }
        }
        #expect(folder.text("out/private/x") == "x\n")
    }

    #if os(Linux)
        /// What is mounted in the folder, and how the publication ends: its files are where they were.
        @Test(
            .enabled(if: PrivateMounts.areAllowed, "mounting is not allowed here"),
            arguments: [
                "mount --bind theirs out/uploads", "mount --bind theirs/x out/uploads/file",
                "mount -t tmpfs tmpfs out/uploads; echo x >out/uploads/x",
            ])
        func aMountInTheFolderKeepsItsFiles(script: String) async throws {
            let folder = try TestFolder()
            try shell("mkdir -p theirs out/uploads; echo x >theirs/x; touch out/uploads/file", in: folder)
            let mounts = try PrivateMounts(script, in: folder.path)
            let out = mounts.path("\(folder.path)/out")
            let before = try folderEntries(out, entersMounts: true)
            for text in ["1", "2"] {
                let site = try folder.site(["index.html": text, "a/\(text).html": "page"])
                let outcome = await publishing(site, to: folderTarget(out, links: true)) {
                    $0.mostRemoved = nil
                }
                #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
                #expect(folder.text("out/index.html") == text && folder.text("out/a/\(text).html") == "page")
                let now = try folderEntries(out, entersMounts: true).filter { $0.path.hasPrefix("uploads") }
                #expect(now.map(\.path) == before.map(\.path) && now.map(\.stamp) == before.map(\.stamp))
                #expect(folder.text("theirs/x") == "x\n")
            }
        }

        /// What an older program moved away with the old site is never removed.
        @Test(.enabled(if: PrivateMounts.areAllowed, "mounting is not allowed here"))
        func aMountInWhatIsLeftIsNamed() async throws {
            let folder = try TestFolder()
            let left = ".out.publishing-0123"
            try folder.write("theirs/x", "x")
            try folder.write("\(left)/a.html", "old")
            try folder.write("\(left)/z/uploads/none", "")
            let mounts = try PrivateMounts("mount --bind theirs \(left)/z/uploads", in: folder.path)
            let path = mounts.path(folder.path)
            let outcome = await publishing(
                try folder.site(["index.html": "1"]), to: FolderTarget(path: "\(path)/out", links: true))
            #expect(outcome.word == "file.mounted")
            #expect(
                outcome.failure?.summary
                    == "Cannot remove '\(path)/\(left)': something is mounted at '\(path)/\(left)/z/uploads'")
            #expect(folder.text("theirs/x") == "x" && folder.text("\(left)/a.html") == "old")
        }

        /// What the system does not let go is no file that others have put there.
        @Test(.enabled(if: PrivateMounts.areAllowed, "mounting is not allowed here"))
        func oldFolderThatCannotBeRemovedIsReported() throws {
            let folder = try TestFolder()
            try folder.write("left/a.html", "old")
            try folder.write("out/a.html", "new")
            let mounts = try PrivateMounts(
                "mount --bind left left && mount -o remount,bind,ro left", in: folder.path)
            let left = mounts.path("\(folder.path)/left")
            let replaced = ReplacedFolder(
                left, by: mounts.path("\(folder.path)/out"), seen: try folderEntries(left), files: [])
            let problem = try #require(try replaced.remove())
            #expect(problem.id == "publish.not-removed" && problem.severity == .warning)
            #expect(problem.details.contains { $0.contains("Read-only file system") }, "\(problem)")
            // It may have got another name: to other processes nothing is mounted there.
            let rest = folder.tree().filter { !$0.key.hasPrefix("out/") }
            #expect(rest.values.sorted() == ["old"] && folder.tree("out") == ["a.html": "new"], "\(rest)")
        }

        /// A folder that is itself mounted cannot be replaced.
        @Test(.enabled(if: PrivateMounts.areAllowed, "mounting is not allowed here"))
        func aMountIsFilledFileByFile() async throws {
            let folder = try TestFolder()
            try shell("mkdir theirs out; echo x >theirs/x", in: folder)
            let mounts = try PrivateMounts("mount --bind theirs out", in: folder.path)
            let out = mounts.path("\(folder.path)/out")
            let outcome = await publishing(
                try folder.site(["index.html": "1"]), to: folderTarget(out, links: true))
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            #expect(folder.text("theirs/index.html") == "1" && folder.text("theirs/x") == "x\n")
        }
    #endif
}
