import AppHealth
import Archive
import Diagnostics
import Testing

struct AttemptTests {
    enum Attempt: Sendable {
        case good(Int)
        case bad(Int)
        case recovered(Int)
    }

    /// Attempts as recorded, then the newest failure (if it decides) and the newest capture.
    @Test(
        arguments: [
            ([Attempt.good(10)], false, 10),
            ([.bad(10)], true, nil),
            ([.good(10), .bad(20)], true, 10),
            ([.bad(10), .good(20)], false, 20),
            ([.good(20), .bad(10)], false, 20),
            ([.good(10), .bad(10)], false, 10),
            ([.bad(10), .good(10)], false, 10),
            ([.good(10), .bad(20), .good(30)], false, 30),
            ([.good(10), .bad(20), .recovered(30)], false, 10),
            ([.bad(20), .good(10), .recovered(30)], false, 10),
            ([.good(10), .bad(20), .recovered(30), .bad(40)], true, 10),
            ([.good(10), .bad(20), .bad(30), .recovered(30)], true, 10),
            ([.good(10), .bad(20), .bad(30), .recovered(40), .recovered(50)], false, 10),
        ] as [([Attempt], Bool, Int?)])
    func newestAttemptDecides(_ attempts: [Attempt], hasFailed: Bool, capturedAt: Int?) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for attempt in attempts + attempts { try record(attempt, in: archive) }
        let known = try archive.known()
        #expect(known.lastAttempt?.failure == (hasFailed ? failure : nil))
        #expect(known.capturedAt?.secondsSinceEpoch == capturedAt)
    }

    /// Each outage from its first failed attempt: when it began again after a pause, and when it was over. The second day
    /// begins at 86,400.
    @Test(
        arguments: [
            ([Attempt.good(10)], []),
            ([.good(10), .bad(20)], ["20 20 –"]),
            ([.good(10), .bad(20), .bad(30), .bad(90_000)], ["20 20 –"]),
            ([.good(10), .bad(20), .bad(30), .good(40)], ["20 20 40"]),
            ([.good(10), .bad(20), .recovered(40), .recovered(50)], ["20 20 40"]),
            ([.bad(20), .good(20), .bad(30), .recovered(30)], ["30 30 –"]),
            ([.bad(20), .good(30), .bad(40)], ["20 40 –"]),
            ([.bad(20), .good(30), .bad(40), .good(90_000)], ["20 40 90000"]),
            ([.bad(20), .good(30), .bad(90_000)], ["20 20 30", "90000 90000 –"]),
            ([.bad(20), .good(90_000), .bad(95_000), .good(96_000)], ["20 95000 96000"]),
        ] as [([Attempt], [String])])
    func outagesAreKnownFromTheAttempts(_ attempts: [Attempt], outages: [String]) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for attempt in attempts + attempts { try record(attempt, in: archive) }
        let known = try archive.known()
        #expect(
            known.outages.map { outage in
                let end = outage.end.map { "\($0.secondsSinceEpoch)" } ?? "–"
                return "\(outage.first.secondsSinceEpoch) \(outage.resumed.secondsSinceEpoch) \(end)"
            } == outages)
        #expect(known.outages.allSatisfy { $0.why == failure })
        // Whatever was known at an instant is known of it for ever.
        #expect(try archive.known(at: 25).outages.allSatisfy { $0.end == nil })
    }

    /// Attempts that the backup has, and those since, of which the archive that is replaced knows: outages last as long as
    /// they did, and the newest capture is the one that was restored, so that the next fetch asks for all since.
    @Test(
        arguments: [
            ([.good(10)], [.good(20)], [], false), ([.good(10)], [.bad(20)], ["20 20 –"], true),
            ([.good(10), .bad(20)], [.good(30), .good(40)], ["20 20 30"], false),
            ([.good(10), .bad(20)], [.recovered(30)], ["20 20 30"], false),
            ([.good(10)], [.bad(20), .good(30), .bad(90_000)], ["20 20 30", "90000 90000 –"], true),
            ([.good(10)], [.bad(20), .good(20)], [], false),
        ] as [([Attempt], [Attempt], [String], Bool)])
    func aRestoredArchiveKnowsTheOutagesSince(
        before: [Attempt], since: [Attempt], outages: [String], hasFailed: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for attempt in before { try record(attempt, in: archive) }
        try archive.backUp(to: folder.path + "/backup.sqlite")
        for attempt in since { try record(attempt, in: archive) }
        try archive.close()
        _ = try Archive.restore(folder.archivePath, from: folder.path + "/backup.sqlite")
        let restored = try folder.archive()
        let known = try restored.known()
        #expect(
            known.outages.map { outage in
                let end = outage.end.map { "\($0.secondsSinceEpoch)" } ?? "–"
                return "\(outage.first.secondsSinceEpoch) \(outage.resumed.secondsSinceEpoch) \(end)"
            } == outages)
        #expect((known.lastAttempt?.failure != nil) == hasFailed)
        #expect(known.capturedAt?.secondsSinceEpoch == 10)
        let last = try restored.lastFetch(
            of: App.harbour.id, source: Source.files.id, asOf: Instant(secondsSinceEpoch: 1_000_000))
        #expect(last?.secondsSinceEpoch == 10)
    }

    @Test func whatFailedNextToAGoodAttemptIsAWarning() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10))
        let warnings = try archive.known().lastAttempt?.warnings ?? []
        try recordFailure(at: 10, in: archive)
        let both = try #require(archive.known().lastAttempt?.warnings)
        #expect(both.count == warnings.count + 1)
        #expect(both.last?.id == failure.id && both.last?.severity == .warning)
    }

    /// Parts that came of a fetch that has failed are stored, and what was good before keeps its age.
    @Test func partsOfAFailedFetchAreStored() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10))
        var parts = Snapshot.at(90_000)
        parts.failure = failure
        parts.issues.append(Issue(id: "late", title: "Late"))
        try archive.record(parts)
        let known = try archive.known()
        #expect(known.lastAttempt?.failure == failure)
        #expect(known.capturedAt?.secondsSinceEpoch == 10)
        #expect(known.outages.map(\.first.secondsSinceEpoch) == [90_000])
        #expect(known.issues.contains { $0.id == "late" })
        try archive.record(.at(180_000))
        #expect(try archive.known().lastAttempt?.failure == nil)
    }

    @Test func attemptsAreIdempotent() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try archive.record(.at(10)).attempts == 1)
        #expect(try archive.record(.at(10)).attempts == 0)
        #expect(try recordFailure(at: 10, in: archive))
        #expect(try !recordFailure(at: 10, in: archive))
    }

    /// Nights without a failure add no row.
    @Test func aRecoveryIsStoredOnceAndOnlyAfterAFailure() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10))
        #expect(try !recordRecovery(at: 15, in: archive))
        try recordFailure(at: 20, in: archive)
        #expect(try recordRecovery(at: 30, in: archive))
        #expect(try !recordRecovery(at: 40, in: archive))
        #expect(try archive.known(at: 29).lastAttempt?.failure == failure)
        #expect(try archive.known(at: 30).lastAttempt?.failure == nil)
    }

    @Test func laterAttemptsAreUnknownBefore() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10))
        try recordFailure(at: 20, in: archive)
        #expect(try archive.known(at: 9).lastAttempt == nil)
        #expect(try archive.known(at: 19).lastAttempt?.failure == nil)
        #expect(try archive.known(at: 20).lastAttempt?.failure == failure)
    }

    @Test func capturesAreTheSuccessfulAttemptsOldestFirst() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for attempt in [Attempt.good(30), .bad(20), .good(10)] { try record(attempt, in: archive) }
        let captures = try archive.captures(of: App.harbour.id, source: Source.files.id)
        #expect(captures.map(\.secondsSinceEpoch) == [10, 30])
        #expect(try archive.captures(of: Slug(anyText: "unknown"), source: Source.files.id) == [])
    }

    private func record(_ attempt: Attempt, in archive: Archive) throws {
        switch attempt {
        case .good(let seconds): try archive.record(.at(seconds))
        case .bad(let seconds): try recordFailure(at: seconds, in: archive)
        case .recovered(let seconds): try recordRecovery(at: seconds, in: archive)
        }
    }

    @discardableResult
    private func recordRecovery(at seconds: Int, in archive: Archive) throws -> Bool {
        try archive.recordRecovery(
            app: App.harbour.id, source: Source.files.id, at: Instant(secondsSinceEpoch: seconds))
    }

    @discardableResult
    private func recordFailure(at seconds: Int, in archive: Archive) throws -> Bool {
        try archive.record(
            failure: failure, app: App.harbour.id, source: Source.files.id,
            at: Instant(secondsSinceEpoch: seconds))
    }
}
