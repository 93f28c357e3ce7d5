import AppHealth
import Foundation
import GRDB
import Testing

@testable import Archive

/// Archives that were made before a later step of the format.
struct MigrationTests {
    /// Makes an archive of the first format with a day that two snapshots of three changed.
    private func makeOld(in folder: TemporaryFolder) throws {
        let pool = try DatabasePool(path: folder.archivePath)
        try ArchiveFormat.migrator.migrate(pool, upTo: "createSnapshots")
        let end = Instant(startOf: day.advanced(by: 1)).secondsSinceEpoch
        try pool.write { database in
            try database.execute(
                sql: """
                    INSERT INTO source (id, app, name) VALUES (1, 'harbour', 'files');
                    INSERT INTO source_description VALUES
                        (1, \(end), 'Harbour', 'ios', 'files', 'one run', 'one install', 'UTC', 'one day', 'sessions');
                    INSERT INTO health_day VALUES (1, \(day.daysSinceEpoch), 0, \(end + 54 * 3600), 1000, 10, NULL, NULL);
                    INSERT INTO health_day VALUES (1, \(day.daysSinceEpoch), 0, \(end + 78 * 3600), 1000, 20, NULL, NULL);
                    INSERT INTO fetch_attempt VALUES (1, \(end + 78 * 3600), 0, '[]');
                    """)
        }
        try pool.close()
    }

    @Test func archiveOfTheFirstFormatIsBroughtUpToDate() throws {
        let folder = try TemporaryFolder()
        try makeOld(in: folder)
        #expect(throws: ArchiveError.olderFormat(path: folder.archivePath)) {
            try Archive(at: folder.archivePath, for: .reading)
        }
        let archive = try folder.archive()
        let history = try archive.known(at: 9_000_000_000)
        #expect(history.health.map(\.crashedSessions) == [20])
        #expect(history.healthAsReported[day]?.crashedSessions == 10)
        #expect(history.source.settling == .standard)
        #expect(history.healthSettlement == [day: .provisional(.rateChanged(points: 1))])
        #expect(history.healthHours.isEmpty && history.issueHours.isEmpty && history.hoursOfIssues.isEmpty)
        #expect(try archive.history(of: .harbour, sources: [], asOf: .latest).history.ledger == [])
        #expect(CoveredFact.allCases.allSatisfy { history.coverage($0, on: day) == .unknown })
    }

    /// After an upgrade all backups are of the old format.
    @Test func backupOfAnOldFormatIsCheckedCopiedRestoredAndMerged() throws {
        let (old, there, other) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        try makeOld(in: old)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: old.archivePath))
        let archive = try Archive(at: old.archivePath, for: .copying)
        #expect(archive.isOlder)
        #expect(try archive.faults() == [])
        let backup = old.path + "/backup.sqlite"
        try archive.backUp(to: backup)
        try archive.close()
        #expect(try Archive(at: backup, for: .copying).isOlder)
        for folder in [there, other] { try folder.archive().close() }
        #expect(try Archive.restore(there.archivePath, from: backup) != nil)
        let restored = try Archive(at: there.archivePath, for: .reading)
        #expect(try restored.known(at: 9_000_000_000).health.map(\.crashedSessions) == [20])
        try restored.close()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: there.path).sorted()
                == ["plimsoll.sqlite", "plimsoll.sqlite.before-restore"])
        let merging = try other.archive()
        let summary = try merging.merge(backup, now: Instant(startOf: day.advanced(by: 9)))
        #expect(summary.apps == 1 && summary.values > 2, "\(summary)")
        #expect(try merging.known(at: 9_000_000_000).health.map(\.crashedSessions) == [20])
        try merging.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: old.archivePath)) == bytes)
    }

    @Test func nextSnapshotSettlesADayOfAnOldArchive() throws {
        let folder = try TemporaryFolder()
        try makeOld(in: folder)
        let archive = try folder.archive()
        let end = Instant(startOf: day.advanced(by: 1)).secondsSinceEpoch
        let summary = try archive.record(
            .at(end + 102 * 3600) {
                $0.health = [HealthDay(date: day, sessions: 1000, crashedSessions: 20)]
            })
        #expect(summary.health == 0)
        #expect(try archive.known(at: 9_000_000_000).healthSettlement == [day: .settled])
    }

    /// What an archive of the first format could not hold comes from the same files, read again.
    @Test func sameSnapshotsAgainCompleteAnOldArchive() throws {
        let folder = try TemporaryFolder()
        try makeOld(in: folder)
        let archive = try folder.archive()
        let end = Instant(startOf: day.advanced(by: 1)).secondsSinceEpoch
        let source = Source(
            id: Slug(anyText: "files"), provider: "files", sessionDefinition: "one run",
            userDefinition: "one install", zone: "UTC", delay: "one day", capabilities: [.sessions])
        func snapshot(_ hours: Int, crashed: Int) -> Snapshot {
            .at(end + hours * 3600, source: source) {
                $0.health = [
                    HealthDay(date: day, sessions: 1000, crashedSessions: crashed, crashes: crashed + 2)
                ]
                $0.coverage = [CoverageSpan(.sessions, day...day), CoverageSpan(.crashes, day...day)]
            }
        }
        for _ in 0..<2 {
            let summaries = try [(54, 10), (78, 20)].map { try archive.record(snapshot($0, crashed: $1)) }
            #expect(summaries.map(\.conflicts) == [0, 0])
        }
        let history = try archive.known(at: 9_000_000_000)
        #expect(history.health.map(\.crashes) == [22] && history.health.map(\.crashedSessions) == [20])
        #expect(history.healthAsReported[day]?.crashes == 12)
        #expect(history.coverage(.crashes, on: day) == .complete)
        #expect(history.source.hasExactCounts)
        // Whatever else differs for the same instant is reported and not stored.
        #expect(try archive.record(snapshot(78, crashed: 21)).conflicts == 1)
    }

    @Test func stepsAreNamedAndInOrder() {
        #expect(
            ArchiveFormat.migrator.migrations == [
                "createSnapshots", "addSettling", "addHours", "addAlerts", "addCoverage", "addRevisions",
                "addAttachments", "addDevices", "addSecret", "addRecoveries", "addDeviations",
                "addNamedShares", "addPassages", "addCompactions", "composeNames",
                "addAlertLevels", "addTargets", "addSourceData",
            ])
    }
}
