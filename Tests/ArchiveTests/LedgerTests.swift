import AppHealth
import Diagnostics
import GRDB
import Testing

@testable import Archive

extension Instant {
    /// After all that the fixtures do.
    static let latest = Instant(secondsSinceEpoch: .max)
}

struct LedgerTests {
    private static func entry(
        _ id: String, of app: App = .harbour, state: LedgerEntry.State = .open, lastDay: Int = 0,
        size: Double? = 0.25
    ) -> LedgerEntry {
        LedgerEntry(
            id: id, app: app.id, rule: "stability", subject: "", firstDay: day,
            lastDay: day.advanced(by: lastDay), raisedAt: Instant(startOf: day), state: state,
            sentence: "it fell <b>", reportedSize: size, reportedUsers: size == nil ? nil : 120,
            reportedDepth: size.map { $0 * 2 })
    }

    private func ledger(_ archive: Archive, of app: App = .harbour, at seconds: Int = .max) throws
        -> [LedgerEntry]
    {
        try archive.history(of: app, sources: [], asOf: Instant(secondsSinceEpoch: seconds)).history.ledger
    }

    /// Every row of the table, as text.
    private func rows(_ archive: Archive) throws -> [String] {
        try archive.read {
            try Row.fetchAll($0, sql: "SELECT * FROM alert ORDER BY rowid").map(\.description)
        }
    }

    @Test func entriesComeBackAsTheyWereAtAnInstant() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let other = App(id: Slug(anyText: "quay"), name: "Quay")
        #expect(
            try archive.record(
                [Self.entry("b"), Self.entry("a", size: nil)], at: .init(secondsSinceEpoch: 10)) == 2)
        #expect(try archive.record([Self.entry("a", of: other)], at: .init(secondsSinceEpoch: 10)) == 1)
        let closed = Self.entry("a", state: .closed, lastDay: 3, size: nil)
        #expect(try archive.record([closed, Self.entry("b")], at: .init(secondsSinceEpoch: 20)) == 1)
        #expect(try ledger(archive, at: 9) == [])
        #expect(try ledger(archive, at: 19) == [Self.entry("a", size: nil), Self.entry("b")])
        #expect(try ledger(archive, at: 20) == [closed, Self.entry("b")])
        #expect(try ledger(archive, of: other) == [Self.entry("a", of: other)])
    }

    /// When each state began that is not the first one, and when an alert was last found again.
    @Test(
        arguments: [
            ([.open], nil, nil), ([.open, .open], nil, nil), ([.open, .closed], 20, nil),
            ([.open, .open, .closed, .closed], 30, nil), ([.open, .withdrawn], 20, nil),
            ([.open, .withdrawn, .open, .open], 30, 30), ([.open, .withdrawn, .open, .closed], 40, 30),
            ([.open, .withdrawn, .closed, .withdrawn], 40, 30),
        ] as [([LedgerEntry.State], Int?, Int?)])
    func changesOfStateAreKnown(states: [LedgerEntry.State], at: Int?, returned: Int?) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for (place, state) in states.enumerated() {
            try archive.record(
                [Self.entry("a", state: state, lastDay: place), Self.entry("b")],
                at: .init(secondsSinceEpoch: 10 + place * 10))
        }
        let changes = try archive.history(of: .harbour, sources: [], asOf: .latest).history.ledgerChanges
        #expect(changes.keys.sorted() == (at == nil ? [] : ["a"]))
        #expect(changes["a"]?.at == at.map { Instant(secondsSinceEpoch: $0) })
        #expect(changes["a"]?.returned == returned.map { Instant(secondsSinceEpoch: $0) })
        let before = try archive.history(of: .harbour, sources: [], asOf: .init(secondsSinceEpoch: 19))
            .history
        #expect(before.ledgerChanges.isEmpty)
    }

    /// Another first day, fewer days, and more of them once it is over are revisions; that it lasts longer is none.
    @Test(
        arguments: [
            ([(0, 0, .open), (0, 1, .open), (0, 2, .closed)], nil),
            ([(0, 2, .open), (1, 2, .open)], 20), ([(1, 2, .open), (0, 2, .open), (0, 3, .open)], 20),
            ([(0, 2, .open), (0, 1, .open), (0, 4, .open)], 20),
            ([(0, 2, .closed), (0, 2, .closed)], nil),
            ([(0, 4, .closed), (0, 2, .closed), (0, 3, .closed)], 30),
            ([(0, 0, .closed), (0, 2, .open), (0, 3, .open)], nil),
        ] as [([(first: Int, last: Int, state: LedgerEntry.State)], Int?)])
    func movesOfDaysAreKnown(days: [(first: Int, last: Int, state: LedgerEntry.State)], moved: Int?) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for (place, row) in days.enumerated() {
            var entry = Self.entry("a", state: row.state, lastDay: row.last)
            entry.firstDay = day.advanced(by: row.first)
            try archive.record([entry, Self.entry("b")], at: .init(secondsSinceEpoch: 10 + place * 10))
        }
        let changes = try archive.history(of: .harbour, sources: [], asOf: .latest).history.ledgerChanges
        #expect(changes["a"]?.moved == moved.map { Instant(secondsSinceEpoch: $0) })
        #expect(changes["b"] == nil)
    }

    /// The id of an alert stays, whatever was restored; what the archive that is replaced had fetched since does not come.
    @Test func aRestoredArchiveTakesOverTheAlertsRaisedSince() throws {
        let folder = try TemporaryFolder()
        let backup = folder.path + "/backup.sqlite"
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 1))
        try archive.record([Self.entry("a"), Self.entry("b")], at: .init(secondsSinceEpoch: 10))
        try archive.backUp(to: backup)
        try archive.record(.at(20, sessions: 2))
        try archive.record(
            [Self.entry("a", state: .closed), Self.entry("c")], at: .init(secondsSinceEpoch: 20))
        try archive.record(
            #require(Targets(target: 0.9, critical: 0.8)), of: App.harbour.id,
            at: .init(secondsSinceEpoch: 20))
        let (before, written) = (try ledger(archive), try rows(archive))
        try archive.close()
        let mark = try Archive(at: backup, for: .reading).revision(of: App.harbour.id, asOf: .latest)
        #expect(try Archive.restore(folder.archivePath, from: backup) != nil)
        let restored = try folder.archive()
        #expect(try ledger(restored) == before && rows(restored).sorted() == written.sorted())
        #expect(try restored.known().health.first?.sessions == 1)
        #expect(try restored.revision(of: App.harbour.id, asOf: .latest)?.mark != mark?.mark)
    }

    @Test func secondRunChangesNoRow() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let entries = [Self.entry("a"), Self.entry("b", size: nil)]
        try archive.record(entries, at: .init(secondsSinceEpoch: 10))
        let before = try rows(archive)
        for seconds in [10, 20, 30] {
            #expect(try archive.record(entries, at: .init(secondsSinceEpoch: seconds)) == 0)
        }
        #expect(try rows(archive) == before)
    }

    @Test func laterReportForTheSameInstantCounts() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record([Self.entry("a")], at: .init(secondsSinceEpoch: 10))
        try archive.record([Self.entry("a", state: .withdrawn)], at: .init(secondsSinceEpoch: 10))
        #expect(try ledger(archive).map(\.state) == [.withdrawn])
        #expect(try rows(archive).count == 1)
    }

    @Test func entriesAreStoredTogetherOrNotAtAll() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON alert WHEN NEW.id = 'b'
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        #expect(throws: ArchiveError.self) {
            try archive.record([Self.entry("a"), Self.entry("b")], at: .init(secondsSinceEpoch: 10))
        }
        #expect(try ledger(archive) == [])
    }

    @Test func rowThatCannotBeReadIsSkippedAndReported() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record([Self.entry("a"), Self.entry("b")], at: .init(secondsSinceEpoch: 10))
        try archive.write {
            try $0.execute(sql: "UPDATE alert SET state = 'haunted' WHERE id = 'a'")
        }
        let (history, warnings) = try archive.history(of: .harbour, sources: [], asOf: .latest)
        #expect(history.ledger.map(\.id) == ["b"])
        #expect(warnings.map(\.details) == [["alert: 1"]])
    }
}
