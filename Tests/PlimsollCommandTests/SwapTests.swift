import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SwapTests {
    /// Killed when standard error names the first app, and of the second.
    @Test(arguments: ["Building Lighthouse", "Building Sketchbook"])
    func killedBuildLeavesTheOldSiteWhole(moment: String) async throws {
        let project = try await DemoProject()
        try await project.copySite()
        #expect(try await isKilled(in: project.folder, at: moment), "every build ended before it was killed")
        let left = try project.folder.names().filter {
            $0.hasPrefix(".site.staging-") && !$0.hasSuffix(".lock")
        }
        #expect(left.count == 1)
        let old = try await DemoSite.shared.tree
        #expect(try project.folder.tree("site").differences(from: old) == [])

        // The next build, of other apps and with fewer pages as it is meant, removes what was left and takes the place.
        // Builds are kept next to the archive, where no other test may copy them meanwhile.
        let small = try Folder(copyOf: try await FirstMorning.shared.folder)
        defer { withExtendedLifetime(small) {} }
        try project.folder.write(
            "plimsoll.yml", Quay.configuration(day: 19) + "archive: \(small.path)/archive.sqlite\n")
        let next = try await Program.run("build", "--force", in: project.folder)
        #expect(next.status == 0, "\(next.errors)")
        #expect(try project.folder.names() == ["plimsoll.yml", "site"])
        #expect(try project.folder.tree("site").differences(from: try await FirstMorning.shared.tree) == [])
    }

    /// A build that is quicker than the kill has made the same site again, so another is begun.
    private func isKilled(in folder: Folder, at moment: String) async throws -> Bool {
        for _ in 0..<10 {
            let started = try Started(Program.path, ["build", "--threads", "1"], in: folder.path)
            try await started.prints(moment)
            started.kill()
            if try await started.end().status == SIGKILL { return true }
        }
        return false
    }

    @Test(arguments: ["file/site", "file"])
    func placeThatCannotHoldASiteIsReported(output: String) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("file", "mine")
        let run = try await Program.run("build", "--output", output, in: folder)
        #expect(run.status == 4, "\(run.printed)")
        #expect(run.errors.contains("error: "))
        #expect(run.errors.contains("  hint: "))
        #expect(folder.text("file") == "mine")
        #expect(try folder.tree("site") == (try await FirstMorning.shared.tree))
    }

    /// The link is followed by everything that reads the site, and its pages are kept.
    @Test func siteThatIsALinkIsBuiltCheckedAndPublished() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write(
            "plimsoll.yml",
            Quay.configuration(day: 19) + "swap: link\npublish: [{to: folder, path: public}]\n")
        let change = try await Program.run("build", in: folder)
        #expect(change.status == 0 && change.errors.contains("[site.becomes-link]"), "\(change.printed)")
        let page = "/site/apps/buoy/days/2026-11-12/index.html"
        let kept =
            try FileManager.default.attributesOfItem(atPath: folder.path + page)[.systemFileNumber] as? Int
        for command in ["build", "check", "publish", "verdict --app buoy", "build", "doctor"] {
            let run = try await Program.run(
                Program.path, command.split(separator: " ").map(String.init), in: folder.path)
            #expect(run.status == 0 || command.hasPrefix("verdict"), "\(command): \(run.printed)")
            #expect(!run.printed.contains("becomes-link"))
        }
        let now =
            try FileManager.default.attributesOfItem(atPath: folder.path + page)[.systemFileNumber] as? Int
        #expect(kept != nil && kept == now)
        #expect(
            try folder.names().filter { $0.hasPrefix(".site.") && !$0.contains("linked-") } == [
                ".site.previous"
            ])
        let whole = try await Program.run("build", "--full", "--output", "whole", in: folder)
        #expect(whole.status == 0, "\(whole.printed)")
        #expect(try folder.tree("whole") == folder.tree("site"))
        let single = try await Program.run("build", "--single-file", "--app", "buoy", in: folder)
        #expect(single.status == 0, "\(single.printed)")
        #expect(try folder.tree("site").files["buoy.html"] != nil)

        // A folder again: what the link leads to is replaced, and nothing is kept of the site before.
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        let back = try await Program.run("build", in: folder)
        #expect(back.status == 0, "\(back.printed)")
        #expect(try folder.names().filter { $0.hasPrefix(".site.") && !$0.hasSuffix(".lock") }.count == 1)
        let (site, other) = (try folder.tree("site").files, try folder.tree("whole").files)
        #expect(other.allSatisfy { !$0.key.hasPrefix("apps/") || site[$0.key] == $0.value })
    }

    @Test func foreignFolderIsNeverReplaced() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("home/thesis.txt", "mine")
        let run = try await Program.run("build", "--output", "home", in: folder)
        #expect(run.status == 4)
        #expect(run.errors.contains("[site.foreign-folder]"))
        #expect(try folder.tree("home").files.keys.sorted() == ["thesis.txt"])
    }

    @Test func siteGoesToAFolderThatIsNotThereYet() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let run = try await Program.run("build", "--output", "a/b/c", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.tree("a/b/c") == (try await FirstMorning.shared.tree))
    }

    /// A file system too small for the site, or one that may only be read, in a name space of its own.
    @Test(
        .enabled("mounting is not allowed here") { await DiskTests.canMount() },
        arguments: [
            ("full", "size=300k", "", "[file.full]"),
            ("read-only", "size=100m", "mount -o remount,ro disk &&", "[file.read-only]"),
        ])
    func diskThatRefusesLeavesTheOldSite(name: String, option: String, then: String, reported: String)
        async throws
    {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("disk/README", "")
        try folder.write("manifest.json", #"{"format":"plimsoll-manifest","version":1,"files":[]}"#)
        let script = """
            mount -t tmpfs -o \(option) tmpfs disk && mkdir disk/site && cp manifest.json disk/site && \(then)
            '\(Program.path)' build --output disk/site; echo "status $?"; ls -A disk disk/site
            """
        let run = try await Program.run(
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", script], in: folder.path,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        #expect(run.output == "status 4\ndisk:\nsite\n\ndisk/site:\nmanifest.json\n", "\(run.printed)")
        #expect(run.errors.contains(reported), "\(run.errors)")
        #expect(run.errors.contains("  hint: "))
    }
}

struct ArchiveDiskTests {
    /// The whole project on a file system that is full, or that may only be read.
    @Test(
        .enabled("mounting is not allowed here") { await DiskTests.canMount() },
        arguments: [
            ("cat /dev/zero > disk/ballast 2> /dev/null", "[archive.full]"),
            ("mount -o remount,ro disk", "[archive.read-only]"),
        ])
    func diskThatRefusesLeavesTheOldArchiveAndSite(spoil: String, reported: String) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(day: 20))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        try folder.write("disk/README", "")
        let script = """
            mount -t tmpfs -o size=4m tmpfs disk && cp -r data more site plimsoll.yml archive.sqlite* disk
            \(spoil)
            (cd disk && '\(Program.path)' run); echo "status $?"
            diff -r site disk/site && cmp archive.sqlite disk/archive.sqlite && echo same
            """
        let run = try await Program.run(
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", script], in: folder.path,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        #expect(run.output == "status 4\nsame\n", "\(run.printed)")
        #expect(run.errors.contains(reported), "\(run.errors)")
        #expect(run.errors.contains("  hint: "))
    }
}

/// What the machine of the tests allows.
enum DiskTests {
    static func canMount() async -> Bool {
        let run = try? await Program.run(
            "/usr/bin/env", ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", NSTemporaryDirectory()],
            in: "/",
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        return run?.status == 0
    }
}
