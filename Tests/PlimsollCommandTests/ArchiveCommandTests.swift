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
}
