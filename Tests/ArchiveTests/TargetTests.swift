import AppHealth
import Archive
import Testing

/// What an app was judged by stays known.
struct TargetTests {
    private func targets(_ percent: Double) throws -> Targets {
        try #require(Targets(target: percent / 100, critical: 0.9))
    }

    private func known(_ archive: Archive, at seconds: Int) throws -> [TargetChange] {
        try archive.history(of: .harbour, sources: [], asOf: Instant(secondsSinceEpoch: seconds))
            .history.targetChanges
    }

    @Test func targetsAreKeptWithTheReportThatFirstUsedThem() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let used: [(at: Int, percent: Double, isNew: Bool)] = [
            (10, 99, true), (20, 99, false), (30, 99.5, true), (30, 99.7, false), (40, 99, true),
            // A report on the past changes nothing of what was used since.
            (25, 98, false),
        ]
        for use in used {
            let isNew = try archive.record(
                targets(use.percent), of: App.harbour.id, at: Instant(secondsSinceEpoch: use.at))
            #expect(isNew == use.isNew, "\(use)")
        }
        let all = try known(archive, at: 100)
        #expect(all.map(\.at.secondsSinceEpoch) == [10, 30, 40])
        #expect(try all.map(\.targets) == [99, 99.5, 99].map(targets))
        #expect(try known(archive, at: 35).count == 2 && known(archive, at: 9).isEmpty)
        // A report as of an instant before a change ends with it.
        let revision = try archive.revision(of: App.harbour.id, asOf: Instant(secondsSinceEpoch: 35))
        #expect(revision?.next == Instant(secondsSinceEpoch: 40))
    }

    @Test func targetsAreMerged() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (ours, theirs) = (try folder.archive(), try other.archive())
        try ours.record(targets(99), of: App.harbour.id, at: Instant(secondsSinceEpoch: 30))
        try theirs.record(targets(98), of: App.harbour.id, at: Instant(secondsSinceEpoch: 10))
        try theirs.record(targets(97), of: App.harbour.id, at: Instant(secondsSinceEpoch: 30))
        try theirs.close()
        _ = try ours.merge(other.archivePath, now: Instant(secondsSinceEpoch: 100))
        #expect(try known(ours, at: 100).map(\.targets) == [98, 99].map(targets))
    }
}
