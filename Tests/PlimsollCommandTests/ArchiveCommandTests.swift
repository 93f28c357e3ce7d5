import Foundation
import Testing

/// The archive, checked, backed up and restored by the real program.
struct ArchiveCommandTests {
    @Test func theNightsBackupsAreKeptAndRestored() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + "keepBackups: 2\n")
        try folder.write("data/buoy/2026-11-17.json", Quay.snapshot(of: "buoy", day: 17))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        for _ in 0..<2 {
            let run = try await Program.run("fetch", in: folder)
            #expect(run.status == 0, "\(run.printed)")
        }
        let kept = try FileManager.default.contentsOfDirectory(
            atPath: folder.path + "/archive.sqlite.backups")
        #expect(kept.count == 1, "one for each instant: \(kept)")

        let check = try await Program.run("archive", "check", in: folder)
        #expect(check.status == 0 && check.output.contains("✓ "), "\(check.printed)")
        let backup = try await Program.run("archive", "backup", "copy.sqlite", in: folder)
        #expect(backup.status == 0, "\(backup.printed)")
        #expect(try await Program.run("archive", "backup", "copy.sqlite", in: folder).status == 2)
        #expect(try await Program.run("archive", "check", "copy.sqlite", in: folder).status == 0)

        let file = URL(fileURLWithPath: folder.path + "/archive.sqlite")
        var bytes = try Data(contentsOf: file)
        for page in stride(from: 4096, to: bytes.count, by: 4096) {
            bytes.replaceSubrange(page..<(page + 8), with: [UInt8](repeating: 0xFF, count: 8))
        }
        try bytes.write(to: file)
        let damaged = try await Program.run("archive", "check", in: folder)
        #expect(
            damaged.status == 1 && damaged.errors.contains("plimsoll archive restore"), "\(damaged.printed)")
        #expect(try await Program.run("doctor", in: folder).status == 1)
        let refused = try await Program.run("fetch", in: folder)
        #expect(refused.status == 4 && refused.errors.contains("[archive.corrupt]"), "\(refused.printed)")
        #expect(try Data(contentsOf: file) == bytes)

        let restored = try await Program.run("archive", "restore", in: folder)
        #expect(restored.status == 0, "\(restored.printed)")
        #expect(try await Program.run("archive", "check", in: folder).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + ".before-restore")) == bytes)
        let next = try await Program.run("fetch", in: folder)
        #expect(next.status == 0, "\(next.printed)")
    }

    /// A writer that is killed leaves a journal, as the first one of a restored archive may.
    @Test func anUnfinishedChangeIsNoDamage() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let script = """
            import os, sqlite3
            database = sqlite3.connect("archive.sqlite", isolation_level=None)
            for line in ("PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 2", "BEGIN", "CREATE TABLE x (x)"):
                database.execute(line)
            database.executemany("INSERT INTO x VALUES (?)", [("x" * 500,)] * 500)
            os._exit(0)
            """
        let killed = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        #expect(try killed.status == 0 && folder.names().contains("archive.sqlite-journal"))
        for words in [["archive", "check"], ["build"], ["archive", "stats"]] {
            let run = try await Program.run(Program.path, words, in: folder.path)
            #expect(run.status == 4 && run.errors.contains("[archive.interrupted]"), "\(run.printed)")
        }
        #expect(try await Program.run("fetch", in: folder).status == 0)
        #expect(try await Program.run("archive", "check", in: folder).status == 0)
    }
}

/// An app with another id, by the real program.
struct ArchiveRenameAppTests {
    private func fetched(_ more: String = "") async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + more)
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return folder
    }

    @Test func theHistoryHasTheNewID() async throws {
        let folder = try await fetched("keepBackups: 1\n")
        let renamed = try await Program.run("archive", "rename-app", "buoy", "beacon", in: folder)
        #expect(renamed.status == 0, "\(renamed.printed)")
        #expect(renamed.output.contains("✓ 'buoy' is 'beacon' now: 1 source, "), "\(renamed.output)")
        #expect(renamed.output.contains("set 'id: beacon' in plimsoll.yml"), "\(renamed.output)")
        let text = folder.text("plimsoll.yml").replacing("- id: buoy", with: "- id: beacon")
        try folder.write("plimsoll.yml", text)
        let build = try await Program.run("build", in: folder)
        #expect(build.status == 0, "\(build.printed)")
        #expect(folder.text("site/apps/beacon/index.md").contains("2026"))
        #expect(try await Program.run("archive", "check", in: folder).status == 0)
        // The newest backup has the new id, too.
        #expect(try await Program.run("archive", "restore", in: folder).status == 0)
        let stats = try await Program.run("archive", "stats", in: folder)
        #expect(stats.output.contains("  beacon: ") && !stats.output.contains("buoy"), "\(stats.output)")
    }

    @Test(arguments: [
        (["bouy", "beacon"], 2, "[archive.unknown-app]", "did you mean 'buoy'?"),
        (["buoy", "lamp"], 2, "[archive.app-configured]", "name another id"),
        (["buoy", "Beacon 1"], 2, "[archive.bad-id]", "'beacon-1'"),
        (["buoy", "buoy"], 2, "[archive.same-id]", "name another id"),
    ])
    func refusalsChangeNothing(ids: [String], status: Int32, id: String, hint: String) async throws {
        let folder = try await fetched()
        func stats() async throws -> String {
            try await Program.run("archive", "stats", in: folder).output
        }
        let before = try await stats()
        let run = try await Program.run(Program.path, ["archive", "rename-app"] + ids, in: folder.path)
        #expect(run.status == status && run.errors.contains(id), "\(run.printed)")
        #expect(run.errors.contains(hint), "\(run.errors)")
        #expect(try await stats() == before)
    }

    /// As where 'id' was changed first and a fetch ran.
    @Test func anIDThatTheArchiveHasIsRefused() async throws {
        let folder = try await fetched()
        let text = folder.text("plimsoll.yml").replacing("- id: buoy", with: "- id: beacon")
        try folder.write("plimsoll.yml", text)
        let run = try await Program.run("archive", "rename-app", "buoy", "lamp", in: folder)
        #expect(run.status == 2 && run.errors.contains("[archive.app-exists]"), "\(run.printed)")
    }

    @Test func waitsForNoOtherRunForever() async throws {
        let folder = try await fetched()
        let lock = try HeldLock(folder.path + "/archive.sqlite.lock")
        let run = try await Program.run(
            "archive", "rename-app", "--wait", "0", "buoy", "beacon", in: folder)
        #expect(run.status == 4 && run.errors.contains("[archive.held]"), "\(run.printed)")
        lock.release()
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        let none = try await Program.run("archive", "rename-app", "buoy", "beacon", in: folder)
        #expect(none.status == 4 && none.errors.contains("[archive.missing]"), "\(none.printed)")
    }
}

/// What a wrong clock, a kill or a slip of the hand leaves of archives and backups, by the real program.
struct ArchiveMishapTests {
    private static let kept = "archive.sqlite.backups"

    private func fetched(keepBackups: Int) async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + "keepBackups: \(keepBackups)\n")
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return folder
    }

    /// A backup that is named after a time to come neither counts nor is chosen, and is not removed.
    @Test func aWrongClockCostsNoBackup() async throws {
        let folder = try await fetched(keepBackups: 1)
        let present = "2026-11-19T06-00-00Z.sqlite"
        #expect(try folder.names(in: Self.kept) == [present])
        for name in [
            "2026-11-19T07-00-00Z.sqlite", "2026-11-19T07-00-01Z.sqlite", "2031-01-01T00-00-00Z.sqlite",
        ] {
            try folder.copy("\(Self.kept)/\(present)", to: "\(Self.kept)/\(name)")
        }
        let again = try await Program.run("fetch", in: folder)
        #expect(again.status == 0, "\(again.printed)")
        // An hour is the most by which clocks differ.
        #expect(
            try folder.names(in: Self.kept) == [
                "2026-11-19T07-00-00Z.sqlite", "2026-11-19T07-00-01Z.sqlite", "2031-01-01T00-00-00Z.sqlite",
            ])
        let restored = try await Program.run("archive", "restore", in: folder)
        #expect(
            restored.status == 0 && restored.output.contains("/2026-11-19T07-00-00Z.sqlite"),
            "\(restored.printed)")
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.kept)/2026-11-19T07-00-00Z.sqlite")
        let none = try await Program.run("archive", "restore", in: folder)
        #expect(none.status == 2, "\(none.printed)")
        #expect(none.errors.contains("'2031-01-01T00-00-00Z.sqlite' is ahead of the clock"), "\(none.errors)")
    }

    /// An archive of 0 bytes, as a power loss leaves it, or none, is no first fetch where backups say that there was one.
    @Test(arguments: [false, true]) func anArchiveThatWasLostIsNotBegunAgain(isEmptied: Bool) async throws {
        let folder = try await fetched(keepBackups: 1)
        let place = folder.path + "/archive.sqlite"
        if isEmptied {
            try folder.write("archive.sqlite", "")
        } else {
            try FileManager.default.removeItem(atPath: place)
        }
        let kept = try folder.tree(Self.kept)
        for command in ["fetch", "run"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 4 && run.errors.contains("[archive.lost]"), "\(run.printed)")
            #expect(
                run.errors.contains("archive.sqlite.backups/2026-11-19T06-00-00Z.sqlite'"), "\(run.errors)")
            #expect(run.errors.contains("plimsoll archive restore"), "\(run.errors)")
        }
        for reading in [
            ["build"], ["archive", "stats"], ["archive", "check"], ["archive", "backup", "copy.sqlite"],
        ] {
            let run = try await Program.run(Program.path, reading, in: folder.path)
            #expect(run.status == 4 && run.errors.contains("[archive.lost]"), "\(run.printed)")
            #expect(!run.errors.contains("plimsoll fetch"), "\(run.errors)")
        }
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.status == 1 && doctor.errors.contains("[archive.lost]"), "\(doctor.printed)")
        #expect(doctor.output.contains("✗ theme, pages and archive"), "\(doctor.output)")
        #expect(try folder.tree(Self.kept) == kept)
        #expect(folder.text("archive.sqlite").isEmpty)
        #expect(try await Program.run("archive", "restore", in: folder).status == 0)
        let next = try await Program.run("fetch", in: folder)
        #expect(next.status == 0, "\(next.printed)")
    }

    /// So does the list of publications, and next to an empty file what fetches leave for the next; that may outlive an
    /// archive that was removed.
    @Test(arguments: [(true, false, true), (true, true, true), (false, true, true), (false, false, false)])
    func whatIsLeftOfAnArchiveSaysThatThereWasOne(hasList: Bool, isEmptied: Bool, isLost: Bool) async throws {
        let folder = try await fetched(keepBackups: 0)
        if hasList {
            try folder.write(
                "archive.sqlite.publications.json",
                "{\"format\":\"plimsoll-publications\",\"version\":1,\"publications\":[]}")
        }
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        if isEmptied { try folder.write("archive.sqlite", "") }
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == (isLost ? 4 : 0), "\(run.printed)")
        #expect(run.errors.contains("[archive.lost]") == isLost, "\(run.errors)")
    }

    @Test func backupsOfAnotherArchiveStay() async throws {
        let (folder, other) = (try await fetched(keepBackups: 1), try await fetched(keepBackups: 1))
        let name = "2026-11-19T06-00-00Z.sqlite"
        try folder.copy("\(Self.kept)/\(name)", to: "\(Self.kept)/2026-11-17T06-00-00Z.sqlite")
        try FileManager.default.copyItem(
            atPath: "\(other.path)/\(Self.kept)/\(name)",
            toPath: "\(folder.path)/\(Self.kept)/2026-11-18T06-00-00Z.sqlite")
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0 && run.errors.contains("[archive.other-backups]"), "\(run.printed)")
        #expect(try folder.names(in: Self.kept) == ["2026-11-18T06-00-00Z.sqlite", name])
    }

    /// Of which archive it is cannot be known, so it may be all that is left of one.
    @Test func aBackupThatCannotBeReadStays() async throws {
        let folder = try await fetched(keepBackups: 1)
        let name = "2026-11-19T06-00-00Z.sqlite"
        try folder.copy("\(Self.kept)/\(name)", to: "\(Self.kept)/2026-11-17T06-00-00Z.sqlite")
        try folder.write("\(Self.kept)/2026-11-18T06-00-00Z.sqlite", "damaged")
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0 && run.errors.contains("[archive.unread-backups]"), "\(run.printed)")
        #expect(try folder.names(in: Self.kept) == ["2026-11-18T06-00-00Z.sqlite", name])
    }

    /// Backups that cannot be listed are backups all the same.
    @Test func anArchiveWhoseBackupsCannotBeListedIsNotBegunAgain() async throws {
        let folder = try await fetched(keepBackups: 0)
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        try folder.write(Self.kept, "no folder")
        for command in ["fetch", "build"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 4 && run.errors.contains("[archive.lost]"), "\(run.printed)")
        }
        let restore = try await Program.run("archive", "restore", in: folder)
        #expect(restore.status != 0 && restore.errors.contains("Cannot list"), "\(restore.printed)")
    }

    /// A failure of a time before the first fetch would last until that.
    @Test func aClockBeforeTheFirstFetchLeavesNoFailure() async throws {
        let folder = try await fetched(keepBackups: 0)
        let configuration = folder.text("plimsoll.yml")
        try folder.write("plimsoll.yml", configuration.replacing("asOf: 2026", with: "asOf: 2024"))
        let wrong = try await Program.run("fetch", in: folder)
        #expect(wrong.status == 1 && wrong.errors.contains("[archive.clock-behind]"), "\(wrong.printed)")
        try folder.write("plimsoll.yml", configuration)
        let right = try await Program.run("run", in: folder)
        #expect(right.status == 0, "\(right.printed)")
        #expect(try folder.tree("site").files.keys.filter { $0.contains("2024") } == [])
    }

    @Test func whatAKilledBackupLeftIsRemoved() async throws {
        let folder = try await fetched(keepBackups: 2)
        let left = [
            ".2026-11-18T06-00-00Z.sqlite.plimsoll-new", ".2026-11-18T06-00-00Z.sqlite.plimsoll-new-journal",
            // Of version 0.1.
            "2026-11-18T06-00-00Z.sqlite.new", "2026-11-18T06-00-00Z.sqlite.new-journal",
        ]
        let others = ["mine.sqlite.new", "2026-11-18T06-00-00Z.sqlite.newer"]
        for name in left + others { try folder.write("\(Self.kept)/\(name)", "part of a backup") }
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        #expect(
            try folder.names(in: Self.kept) == (others + ["2026-11-19T06-00-00Z.sqlite"]).sorted())
    }

    /// A backup is never written over, or into, what the project reads or keeps.
    @Test(arguments: [
        "archive.sqlite", "./archive.sqlite-wal", "linked.sqlite", "plimsoll.yml", "data/copy.sqlite",
        "Content/notes/copy.sqlite", "archive.sqlite.backups/copy.sqlite", "site/copy.sqlite",
    ])
    func aBackupReplacesNothingOfTheProject(place: String) async throws {
        let folder = try await fetched(keepBackups: 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/linked.sqlite", withDestinationPath: "archive.sqlite")
        let before = try folder.tree()
        let run = try await Program.run("archive", "backup", "--replace", place, in: folder)
        #expect(run.status == 2, "\(run.printed)")
        #expect(
            run.errors.contains("[config.output]") && run.errors.contains("  hint: name another file"),
            "\(run.errors)")
        #expect(try folder.tree() == before)
    }

    /// Whatever path leads to an archive, what belongs to it is next to it; what an earlier version put next to a link stays
    /// in use.
    @Test(arguments: [false, true]) func whatBelongsToAnArchiveIsNextToItAndNotToALink(isOld: Bool)
        async throws
    {
        let folder = try await fetched(keepBackups: 2)
        try folder.write(
            "plimsoll.yml",
            folder.text("plimsoll.yml") + "publish: [{to: folder, path: www}]\n")
        #expect(try await Program.run("build", in: folder).status == 0)
        #expect(try await Program.run("publish", in: folder).status == 0)
        let endings = [".backups", ".builds", ".publications.json"]
        try folder.write("store/of.txt", "")
        let files = FileManager.default
        try files.moveItem(atPath: folder.path + "/archive.sqlite", toPath: folder.path + "/store/a.sqlite")
        try files.createSymbolicLink(
            atPath: folder.path + "/archive.sqlite", withDestinationPath: "store/a.sqlite")
        if !isOld {
            for ending in endings { try files.removeItem(atPath: folder.path + "/archive.sqlite" + ending) }
        }
        for command in ["run", "publish"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 0, "\(run.printed)")
        }
        func has(_ name: String) -> Bool { files.fileExists(atPath: folder.path + "/" + name) }
        for ending in endings {
            #expect(
                has("archive.sqlite" + ending) == isOld && has("store/a.sqlite" + ending) != isOld,
                "\(ending)")
        }
        let again = try await Program.run("archive", "restore", in: folder)
        #expect(again.status == 0, "\(again.printed)")
    }

    /// What lies next to a backup or an archive under a name of somebody's own stays.
    @Test func filesNextToABackupStay() async throws {
        let folder = try await fetched(keepBackups: 0)
        let own = ["b.sqlite.new", "archive.sqlite.new", "archive.sqlite.restored", "archive.sqlite.merging"]
        for name in own { try folder.write(name, "precious") }
        for arguments in [["backup", "b.sqlite"], ["restore", "b.sqlite"], ["merge", "b.sqlite"]] {
            let run = try await Program.run(Program.path, ["archive"] + arguments, in: folder.path)
            #expect(run.status == 0, "\(run.printed)")
        }
        #expect(own.allSatisfy { folder.text($0) == "precious" })
        #expect(try folder.names().allSatisfy { !$0.contains("plimsoll-new") })
    }

    /// A list of publications that cannot be read, as one of a newer version, is not written over.
    @Test(arguments: ["cut off", "{\"format\":\"plimsoll-publications\",\"version\":2,\"publications\":[]}"])
    func aListThatCannotBeReadStays(text: String) async throws {
        let folder = try await fetched(keepBackups: 0)
        try folder.write(
            "plimsoll.yml", folder.text("plimsoll.yml") + "publish: [{to: folder, path: www}]\n")
        #expect(try await Program.run("build", in: folder).status == 0)
        try folder.write("archive.sqlite.publications.json", text)
        let run = try await Program.run("publish", in: folder)
        #expect(run.status == 0 && run.errors.contains("[publish.unread-list]"), "\(run.printed)")
        #expect(folder.text("archive.sqlite.publications.json") == text)
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.status == 1 && doctor.errors.contains("[publish.unread-list]"), "\(doctor.printed)")
        let backup = try await Program.run("archive", "backup", "b.sqlite", in: folder)
        #expect(backup.errors.contains("[publish.unread-list]"), "\(backup.printed)")
        #expect(try !folder.names().contains("b.sqlite.publications.json"))
    }

    /// What the replaced backup knew of publications is not that of this archive.
    @Test func aBackupIsReplacedWithWhatItKnewOfPublications() async throws {
        let folder = try await fetched(keepBackups: 0)
        let first = #"{"at":"2026-11-18T06:00:00Z","failed":false,"target":"web"}"#
        let other = #"{"at":"2026-11-21T06:00:00Z","failed":false,"target":"web"}"#
        for (name, line) in [("archive", first), ("copy", other)] {
            try folder.write(
                "\(name).sqlite.publications.json",
                "{\"format\":\"plimsoll-publications\",\"version\":1,\"publications\":[\n\(line)\n]}\n")
        }
        let run = try await Program.run("archive", "backup", "--replace", "copy.sqlite", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        let written = folder.text("copy.sqlite.publications.json")
        #expect(written.contains(first) && !written.contains(other), "\(written)")
    }

    /// A site of no data would be built from an archive that nothing could be merged into.
    @Test func noArchiveIsMadeOfWhatIsNone() async throws {
        let folder = try await fetched(keepBackups: 0)
        try folder.copy("archive.sqlite", to: "part.sqlite")
        try folder.write("broken.sqlite", String(repeating: "no archive ", count: 500))
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        let refused = try await Program.run("archive", "merge", "part.sqlite", "broken.sqlite", in: folder)
        #expect(refused.status == 4, "\(refused.printed)")
        #expect(!(try folder.names().contains("archive.sqlite")))
        let merged = try await Program.run("archive", "merge", "part.sqlite", in: folder)
        #expect(merged.status == 0, "\(merged.printed)")
    }

    @Test(arguments: [
        ["check"], ["check", "nope.sqlite"], ["restore", "nope.sqlite"], ["merge", "nope.sqlite"],
    ])
    func whatIsNotThereIsNotDamaged(arguments: [String]) async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        let run = try await Program.run(Program.path, ["archive"] + arguments, in: folder.path)
        #expect(run.status == 4, "\(run.printed)")
        let words = arguments.count == 1 ? "No archive yet" : "File does not exist"
        #expect(run.errors.contains("error: \(words) [archive.missing]"), "\(run.errors)")
        #expect(run.errors.contains("run 'plimsoll fetch'") == (arguments.count == 1))
        #expect(try folder.names() == ["plimsoll.yml"])
    }
}

/// Several machines that fetch the apps at the same time, by the real program.
struct ShardCommandTests {
    private static let apps = ["buoy", "lamp", "kelp", "mole", "pier", "reef", "tide", "wharf"]

    private func configuration(archive: String) -> String {
        let apps = Self.apps.map { "  - {id: \($0), sources: [{provider: files, path: \($0)}]}\n" }.joined()
        return
            "title: Quay\nasOf: 2026-11-19T06:00:00Z\narchive: \(archive)\noutput: \(archive).site\napps:\n"
            + apps
    }

    private func folder() throws -> Folder {
        let folder = try Folder()
        for (index, app) in Self.apps.enumerated() {
            for day in [17, 19] {
                try folder.write(
                    "\(app)/2026-11-\(day).json",
                    Quay.snapshot(of: app, day: day, users: 1000 + 100 * index + day))
            }
        }
        return folder
    }

    /// The site of one machine that fetched all is that of n machines that fetched a part each, byte for byte.
    @Test(arguments: [1, 2, 7])
    func partsJoinToTheWhole(count: Int) async throws {
        let folder = try folder()
        func run(_ arguments: String..., archive: String) async throws -> Run {
            try folder.write("\(archive).yml", configuration(archive: archive))
            let run = try await Program.run(
                Program.path, arguments + ["--config", "\(archive).yml"], in: folder.path)
            #expect(run.status == 0, "\(arguments) \(run.printed)")
            return run
        }
        _ = try await run("fetch", archive: "whole.sqlite")
        var fetched = 0
        var parts: [String] = []
        for index in 1...count {
            let part = "part\(index).sqlite"
            let lines = try await run("fetch", "--shard", "\(index)/\(count)", archive: part).output
            let number = lines.split(separator: "\n").count { $0.hasPrefix("✓") }
            fetched += number
            parts.append(part)
            #expect(number > 0 || lines == "No app belongs to shard \(index)/\(count)\n", "\(lines)")
        }
        #expect(fetched == Self.apps.count)
        try folder.write("joined.sqlite.yml", configuration(archive: "joined.sqlite"))
        for (round, files) in [parts, parts.reversed()].enumerated() {
            let merge = try await Program.run(
                Program.path, ["archive", "merge"] + files + ["--config", "joined.sqlite.yml"],
                in: folder.path)
            #expect(merge.status == 0, "\(merge.printed)")
            let lines = merge.output.split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasSuffix(" 0 new values") } == (round > 0), "\(merge.output)")
        }
        for archive in ["whole.sqlite", "joined.sqlite"] { _ = try await run("build", archive: archive) }
        #expect(try folder.tree("joined.sqlite.site") == folder.tree("whole.sqlite.site"))
        // The same archive on each of them: a part of the pages each, and one site of all.
        for index in 1...count {
            let built = try await run(
                "build", "--shard", "\(index)/\(count)", "--output", "parts/\(index)",
                archive: "joined.sqlite")
            #expect(built.output.contains("Part: \(folder.path)/parts/\(index)\n"), "\(built.output)")
        }
        let folders = (1...count).map { "parts/\($0)" }
        let joined = try await Program.run(
            Program.path,
            ["build", "--config", "joined.sqlite.yml", "--output", "site-of-parts", "--join"] + folders,
            in: folder.path)
        #expect(joined.status == 0, "\(joined.printed)")
        #expect(try folder.tree("site-of-parts") == folder.tree("whole.sqlite.site"))
        // The sizes depend on the order in which rows came.
        func counts(_ archive: String) async throws -> [Substring] {
            try await run("archive", "stats", "--format", "json", archive: archive).output
                .split(separator: "\n").filter { !$0.lowercased().contains("bytes") }
        }
        #expect(try await counts("joined.sqlite") == counts("whole.sqlite"))
        let format = try await counts("joined.sqlite").filter { $0.contains("\"format\"") }
        #expect(format.count == 1 && format.allSatisfy { $0.contains("\"plimsoll-archive-stats\"") })
    }

    @Test func whatCannotBeMergedOrCompactedIsRefused() async throws {
        let folder = try folder()
        try folder.write("plimsoll.yml", configuration(archive: "a.sqlite"))
        let cases: [([String], Int32, String)] = [
            (["archive", "compact", "--older-than", "90"], 4, "[archive.missing]"),
            (["archive", "stats"], 4, "[archive.missing]"),
            (["fetch", "--shard", "1/1"], 0, "✓ buoy"),
            (["archive", "merge", "a.sqlite"], 2, "[archive.merge-itself]"),
            (
                ["archive", "merge", "./../" + folder.path.split(separator: "/").last! + "/a.sqlite"], 2,
                "itself"
            ),
            (["archive", "merge", "none.sqlite"], 4, "[archive.missing]"),
            (["archive", "merge"], 2, "file"), (["fetch", "--shard", "3/2"], 2, "3/2"),
            (["archive", "compact", "--older-than", "89"], 2, "90 to 36500"),
            (["archive", "compact", "--older-than", "90", "--dry-run"], 0, "Would remove 0 revisions"),
            (["archive", "compact", "--older-than", "90"], 0, "Removed 0 revisions"),
            (["archive", "stats"], 0, "  growth     "),
            (["build", "--shard", "1/2", "--join", "x"], 2, "not both"),
            (["build", "--shard", "0/2"], 2, "0/2"), (["build", "--join", "kelp"], 4, "[site.no-part]"),
            (["build", "--shard", "1/1", "--single-file"], 2, "without '--shard'"),
            (["build", "--shard", "2/2"], 0, "Part: "),
            (["build", "--join", "a.sqlite.site.part-2-of-2"], 0, "Site: "),
        ]
        for (arguments, status, words) in cases {
            let run = try await Program.run(Program.path, arguments, in: folder.path)
            #expect(run.status == status && run.printed.contains(words), "\(arguments): \(run.printed)")
        }
    }
}
