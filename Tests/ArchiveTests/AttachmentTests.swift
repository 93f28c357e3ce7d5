import AppHealth
import Foundation
import Testing

@testable import Archive

/// The ledger of what was attached where.
struct AttachmentTests {
    private func entry(
        _ state: AttachmentEntry.State, _ subject: String = "4.3.0", target: String = "notes",
        app: String = "lamp",
        content: String = "a", remote: String? = nil, at seconds: Int = 100
    ) -> AttachmentEntry {
        AttachmentEntry(
            key: AttachmentKey(target: target, kind: .release, app: app, subject: subject, audience: "team"),
            state: state, content: content, gist: "g", remote: remote, at: Instant(secondsSinceEpoch: seconds)
        )
    }

    @Test func stepsOfEachSummaryAreInTheirOrder() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try archive.attachments(to: "notes") == [])
        for step in [
            entry(.planned), entry(.unknown), entry(.sent, remote: "7"), entry(.sent, "4.3.1", at: 90),
            entry(.sent, target: "chat"), entry(.superseded),
            // The clock went back.
            entry(.sent, content: "b", at: 50),
        ] { try archive.record(step) }
        #expect(
            try archive.attachments(to: "notes") == [
                entry(.planned), entry(.unknown), entry(.sent, remote: "7"), entry(.superseded),
                entry(.sent, content: "b", at: 50), entry(.sent, "4.3.1", at: 90),
            ])
        #expect(try archive.attachments(to: "chat") == [entry(.sent, target: "chat")])
    }

    /// A backup lacks what was attached since; the archive that it replaces has it.
    @Test func aRestoredArchiveTakesOverWhatWasAttachedSince() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(50, sessions: 1))
        try archive.record(entry(.sent, "4.2.0", at: 60))
        try archive.backUp(to: folder.path + "/backup.sqlite")
        try archive.record(entry(.sent, "4.3.0", at: 100))
        try archive.record(.at(120, sessions: 2))
        try archive.close()
        let old = try Archive.restore(folder.archivePath, from: folder.path + "/backup.sqlite")
        let restored = try folder.archive()
        let both = [entry(.sent, "4.2.0", at: 60), entry(.sent, "4.3.0", at: 100)]
        #expect(try restored.attachments(to: "notes") == both)
        try restored.takeRecords(from: try #require(old), now: Instant(secondsSinceEpoch: 200))
        #expect(try restored.attachments(to: "notes") == both)
        #expect(try restored.known().health.first?.sessions == 1)
    }

    /// The archive that cannot be read is replaced all the same, and that is said.
    @Test func whatADamagedArchiveRemembersIsUnknown() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(entry(.sent, "4.2.0", at: 60))
        try archive.backUp(to: folder.path + "/backup.sqlite")
        try archive.close()
        try Data("no archive".utf8).write(to: URL(fileURLWithPath: folder.archivePath))
        var unread: [ArchiveError] = []
        let old = try Archive.restore(folder.archivePath, from: folder.path + "/backup.sqlite") {
            unread.append($0)
        }
        #expect(unread.count == 1 && old != nil)
        #expect(try folder.archive().attachments(to: "notes") == [entry(.sent, "4.2.0", at: 60)])
    }

    /// Whoever restores where nothing is there does not know what was attached since.
    @Test func whatAMissingArchiveRemembersIsUnknown() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(entry(.sent, "4.2.0", at: 60))
        try archive.backUp(to: folder.path + "/backup.sqlite")
        try archive.close()
        try FileManager.default.removeItem(atPath: folder.archivePath)
        var unread: [ArchiveError] = []
        let old = try Archive.restore(folder.archivePath, from: folder.path + "/backup.sqlite") {
            unread.append($0)
        }
        #expect(unread == [.missing(path: folder.archivePath)] && old == nil)
        #expect(try folder.archive().attachments(to: "notes") == [entry(.sent, "4.2.0", at: 60)])
    }

    /// A fetch makes its backup before anything is attached; what came to the archive meanwhile is not in it.
    @Test func aBackupGetsWhatWasAttachedSince() throws {
        let folder = try TemporaryFolder()
        let backup = folder.path + "/backup.sqlite"
        let archive = try folder.archive()
        try archive.record(.at(50, sessions: 1))
        try archive.record(entry(.sent, "4.2.0", at: 60))
        try archive.backUp(to: backup)
        let made = ArchiveFileState(backup)
        try archive.giveAttachments(to: backup)
        #expect(ArchiveFileState(backup) == made)
        try archive.record(entry(.planned, "4.3.0", at: 100))
        try archive.record(entry(.sent, "4.3.0", remote: "7", at: 100))
        try archive.record(.at(120, sessions: 2))
        try archive.giveAttachments(to: backup)
        let kept = try Archive(at: backup, for: .reading)
        #expect(try kept.attachments(to: "notes") == archive.attachments(to: "notes"))
        #expect(try kept.known().health.first?.sessions == 1 && kept.faults() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.contains("backup") } == ["backup.sqlite"])
        #expect(throws: ArchiveError.missing(path: folder.path + "/none")) {
            try archive.giveAttachments(to: folder.path + "/none")
        }
    }

    /// Pages do not show it: an incremental build keeps them.
    @Test func noAppCountsAsChanged() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(
            .at(2_000_000_000) { $0.health = [HealthDay(date: day, sessions: 1, crashedSessions: 0)] })
        let before = try archive.revision(of: App.harbour.id, asOf: .latest)
        try archive.record(entry(.sent, app: "harbour"))
        let after = try archive.revision(of: App.harbour.id, asOf: .latest)
        #expect(after?.mark == before?.mark && before != nil)
    }
}
