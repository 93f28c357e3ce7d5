import AppHealth
import Archive
import Testing

struct RevisionTests {
    /// Snapshots in the order in which they are recorded: when captured, and the sessions of one day.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let recorded: [(at: Int, sessions: Int)]
        let revisions: Int
        let known: [(asOf: Int, sessions: Int?)]
        let asReported: Int

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(
            name: "one snapshot", recorded: [(10, 5)], revisions: 1, known: [(9, nil), (10, 5), (99, 5)],
            asReported: 5),
        Case(
            name: "a changed value", recorded: [(10, 5), (20, 6)], revisions: 2,
            known: [(9, nil), (10, 5), (19, 5), (20, 6), (99, 6)], asReported: 5),
        Case(
            name: "an unchanged value", recorded: [(10, 5), (20, 5), (30, 5)], revisions: 1,
            known: [(10, 5), (25, 5), (99, 5)], asReported: 5),
        Case(
            name: "there and back", recorded: [(10, 5), (20, 6), (30, 5)], revisions: 3,
            known: [(15, 5), (25, 6), (35, 5)], asReported: 5),
        Case(
            name: "the same twice", recorded: [(10, 5), (10, 5), (20, 6), (20, 6), (10, 5)], revisions: 2,
            known: [(10, 5), (20, 6)], asReported: 5),
        Case(
            name: "an older one later", recorded: [(20, 6), (10, 5)], revisions: 2,
            known: [(9, nil), (15, 5), (25, 6)], asReported: 5),
        Case(
            name: "an older one later, twice", recorded: [(20, 6), (10, 5), (10, 5)], revisions: 2,
            known: [(15, 5), (25, 6)], asReported: 5),
        Case(
            name: "an older one later, between equal ones", recorded: [(10, 5), (30, 7), (20, 5)],
            revisions: 2,
            known: [(25, 5), (35, 7)], asReported: 5),
        Case(
            name: "an older equal one is known earlier", recorded: [(20, 6), (10, 6)], revisions: 2,
            known: [(9, nil), (15, 6), (25, 6)], asReported: 6),
        Case(
            name: "newest first", recorded: [(30, 3), (20, 2), (10, 1)], revisions: 3,
            known: [(10, 1), (20, 2), (30, 3)], asReported: 1),
        Case(
            name: "another value for the same instant", recorded: [(10, 5), (10, 6)], revisions: 1,
            known: [(10, 5), (99, 5)], asReported: 5),
        Case(name: "zero", recorded: [(10, 0)], revisions: 1, known: [(10, 0)], asReported: 0),
        Case(
            name: "before the epoch", recorded: [(-20, 5), (-10, 6)], revisions: 2,
            known: [(-21, nil), (-15, 5), (0, 6)], asReported: 5),
    ])
    func revisionsAreReadAsOfAnInstant(_ example: Case) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var revisions = 0
        for (at, sessions) in example.recorded {
            revisions += try archive.record(.at(at, sessions: sessions)).health
        }
        #expect(revisions == example.revisions)
        for (asOf, sessions) in example.known {
            #expect(try archive.known(at: asOf).health.first?.sessions == sessions, "as of \(asOf)")
        }
        #expect(try archive.known().healthAsReported[day]?.sessions == example.asReported)
    }

    @Test func absentRowKeepsTheOlderOne() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try archive.record(.at(20))
        #expect(try archive.known().health == [HealthDay(date: day, sessions: 5)])
    }

    @Test func missingCountsStayNilAndDifferFromZero() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let unknown = HealthDay(date: day)
        #expect(try archive.record(.at(10, sessions: nil)).health == 1)
        #expect(try archive.record(.at(20, sessions: nil)).health == 0)
        #expect(try archive.known().health == [unknown])
        #expect(try archive.record(.at(30, sessions: 0)).health == 1)
        #expect(try archive.record(.at(40, sessions: nil)).health == 0)
        #expect(try archive.known(at: 29).health == [unknown])
        #expect(try archive.known(at: 40).health.first?.sessions == 0)
    }

    @Test func summaryCountsByKindAndASecondTimeCountsNothing() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let snapshot = Snapshot.whole(at: 10)
        let summary = try archive.record(snapshot)
        var expected = RecordSummary()
        (expected.health, expected.usage, expected.releases, expected.issues) = (4, 2, 3, 2)
        (expected.issueDays, expected.notes, expected.descriptions, expected.attempts) = (5, 3, 1, 1)
        (expected.hours, expected.deviceDays) = (4, 3)
        #expect(summary == expected)
        #expect(summary.revisions == 27)
        let size = archive.fileSize
        #expect(try archive.record(snapshot) == RecordSummary())
        #expect(archive.fileSize == size)
    }

    @Test func conflictsWithTheSameInstantAreCounted() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        #expect(try archive.record(.at(10, sessions: 6)).conflicts == 1)
        let double = Snapshot.at(20) {
            $0.health = [HealthDay(date: day, sessions: 7), HealthDay(date: day, sessions: 8)]
        }
        #expect(try archive.record(double).conflicts == 1)
        #expect(try archive.known().health.map(\.sessions) == [7])
    }

    @Test func aRenamedAppIsNoConflict() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        var renamed = Snapshot.at(10, sessions: 5)
        renamed.app = App(id: App.harbour.id, name: "Harbor", platform: "android")
        #expect(try archive.record(renamed) == RecordSummary())
        renamed.source.zone = "Asia/Tokyo"
        #expect(try archive.record(renamed).conflicts == 1)
    }

    @Test func sourcesAndAppsAreKeptApart() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var other = Source.files
        other.id = Slug(anyText: "other")
        let ferry = App(id: Slug(anyText: "ferry"), name: "Ferry")
        try archive.record(.at(10, sessions: 5))
        try archive.record(.at(10, source: other) { $0.health = [HealthDay(date: day, sessions: 6)] })
        var foreign = Snapshot.at(10, sessions: 7)
        foreign.app = ferry
        try archive.record(foreign)
        #expect(try archive.known().health.first?.sessions == 5)
        #expect(try archive.known(source: other).health.first?.sessions == 6)
        #expect(try archive.apps() == [ferry, .harbour])
    }
}
