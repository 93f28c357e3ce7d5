import AppHealth
import Diagnostics
import Foundation
import GRDB
import Testing

@testable import Archive

/// Archives that several machines filled, in one: held against one archive that got everything itself.
struct MergeTests {
    /// What a machine fetched, in some order.
    private enum Fetched {
        case snapshot(Snapshot)
        case failure(app: String, at: Int)
        case recovery(app: String, at: Int)
        case alert(LedgerEntry, at: Int)
        case attachment(AttachmentEntry)
    }

    private static let now = Instant(startOf: day.advanced(by: 3))

    private static func record(_ fetched: [Fetched], in archive: Archive) throws {
        for some in fetched {
            switch some {
            case .snapshot(let snapshot): try archive.record(snapshot)
            case .failure(let app, let seconds):
                try archive.record(
                    failure: failure, app: Slug(anyText: app), source: Source.files.id,
                    at: Instant(secondsSinceEpoch: seconds))
            case .recovery(let app, let seconds):
                try archive.recordRecovery(
                    app: Slug(anyText: app), source: Source.files.id, at: Instant(secondsSinceEpoch: seconds))
            case .alert(let entry, let seconds):
                try archive.record([entry], at: Instant(secondsSinceEpoch: seconds))
            case .attachment(let entry): try archive.record(entry)
            }
        }
    }

    /// Everything that may be known of one app, in several captures.
    private static func night(of app: String, _ start: Int = 100) -> [Fetched] {
        func snapshot(_ snapshot: Snapshot) -> Fetched {
            var snapshot = snapshot
            snapshot.app = App(id: Slug(anyText: app), name: app)
            snapshot.coverage = [
                CoverageSpan(.issueDays, day...day, .partial(counted: 2, of: 5)),
                CoverageSpan(.users, day...day, .approximate(deviation: 0.002_872)),
            ]
            return .snapshot(snapshot)
        }
        let entry = LedgerEntry(
            id: "a", app: Slug(anyText: app), rule: "stability", subject: "", firstDay: day, lastDay: day,
            raisedAt: Instant(startOf: day), state: .open, sentence: "it fell", reportedSize: 0.25,
            reportedUsers: 7, reportedDepth: 0.5)
        var closed = entry
        closed.state = .closed
        let key = AttachmentKey(target: "notes", kind: .release, app: app, subject: "4.9", audience: "team")
        func step(_ state: AttachmentEntry.State, at seconds: Int) -> Fetched {
            .attachment(
                AttachmentEntry(
                    key: key, state: state, content: "c", gist: "g", remote: nil,
                    at: Instant(secondsSinceEpoch: seconds)))
        }
        return [
            snapshot(.whole(at: start)), .failure(app: app, at: start + 5),
            .recovery(app: app, at: start + 8), snapshot(.at(start + 10, sessions: 7)),
            snapshot(.at(start + 20, sessions: 9)), snapshot(.at(start + 5, sessions: 8)),
            .alert(entry, at: start), .alert(closed, at: start + 10), step(.planned, at: start),
            step(.sent, at: start),
        ]
    }

    private func filled(_ folder: TemporaryFolder, _ fetched: [Fetched]) throws {
        let archive = try folder.archive()
        try Self.record(fetched, in: archive)
        try archive.close()
    }

    private func merge(_ other: TemporaryFolder, into archive: Archive) throws -> MergeSummary {
        try archive.merge(other.archivePath, now: Self.now)
    }

    /// Machines with an app each, merged in any order, hold what one machine with all of them holds; again adds nothing.
    @Test(arguments: [["a", "b", "c"], ["c", "a", "b"], ["b"], []])
    func disjointAppsJoinWithoutALoss(order: [String]) throws {
        let (whole, joined) = (try TemporaryFolder(), try TemporaryFolder())
        try filled(whole, order.sorted().flatMap { Self.night(of: $0) })
        let archive = try joined.archive()
        for app in order {
            let other = try TemporaryFolder()
            try filled(other, Self.night(of: app))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: other.archivePath))
            let first = try merge(other, into: archive)
            #expect(
                first.apps == 1 && first.values > 30 && first.conflicts == 0 && first.ahead == 0, "\(first)")
            let marks = try archive.revision(of: Slug(anyText: app), asOf: .latest)
            let again = try merge(other, into: archive)
            #expect(again.values == 0 && again.conflicts == 0, "\(again)")
            #expect(try archive.revision(of: Slug(anyText: app), asOf: .latest) == marks)
            #expect(try Data(contentsOf: URL(fileURLWithPath: other.archivePath)) == bytes)
        }
        #expect(try archive.namedRows() == whole.archive().namedRows())
        #expect(try archive.faults() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: joined.path)
        #expect(names.allSatisfy { !$0.contains("merging") }, "\(names)")
    }

    /// A night later the machines go on with their own archives: what is merged is what they added.
    @Test func nightAfterNightIsAddedOnce() throws {
        let (whole, joined, other) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        let archive = try joined.archive()
        for start in [100, 5000, 9000] {
            try filled(whole, Self.night(of: "a", start))
            try filled(other, Self.night(of: "a", start))
            let added = try merge(other, into: archive)
            #expect(added.values > 5, "\(start): \(added)")
        }
        #expect(try archive.namedRows() == whole.archive().namedRows())
    }

    @Test func ofTheSameInstantTheStoredValueStays() throws {
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        try filled(one, [.snapshot(.at(10, sessions: 5)), .snapshot(.at(20, sessions: 6))])
        try filled(other, [.snapshot(.at(10, sessions: 4)), .snapshot(.at(30, sessions: 9))])
        let archive = try one.archive()
        let summary = try merge(other, into: archive)
        #expect(summary.conflicts == 1)
        #expect(try archive.known(at: 10).health.map(\.sessions) == [5])
        #expect(try archive.known(at: 30).health.map(\.sessions) == [9])
    }

    @Test func whatIsAheadOfTheClockIsLeftOut() throws {
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        let late = Self.now.secondsSinceEpoch + 3601
        try filled(
            other,
            [
                .snapshot(.at(Self.now.secondsSinceEpoch, sessions: 4)), .snapshot(.at(late, sessions: 9)),
            ])
        let archive = try one.archive()
        let summary = try merge(other, into: archive)
        #expect(summary.ahead > 0)
        #expect(try archive.known(at: late + 10).health.map(\.sessions) == [4])
        #expect(try archive.captures(of: App.harbour.id, source: Source.files.id).count == 1)
    }

    /// Hours that are over here are not taken; a clock that is ahead makes none of them old.
    @Test(arguments: [([0, 1], [721], [1, 721]), ([0, 1], [], [0, 1]), ([0, 1, 800], [0], [0, 800])])
    func hoursThatAreOverAreNotTaken(theirs: [Int], ours: [Int], kept: [Int]) throws {
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        let start = UTCHour(of: Instant(startOf: day))
        func hours(_ numbers: [Int]) -> Snapshot {
            .at(10) { $0.healthHours = numbers.map { HealthHour(hour: start.advanced(by: $0), sessions: 1) } }
        }
        try filled(one, [.snapshot(hours(ours))])
        try filled(other, [.snapshot(hours(theirs))])
        let archive = try one.archive()
        let ahead = start.advanced(by: 100_000).start
        _ = try archive.merge(other.archivePath, now: ahead)
        #expect(try archive.known().healthHours.map(\.hour) == kept.map { start.advanced(by: $0) })
        #expect(try archive.merge(other.archivePath, now: ahead).values == 0)
    }

    @Test func onlyAnEmptyArchiveTakesTheSecret() throws {
        let (one, other, third) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        try filled(other, Self.night(of: "a"))
        try filled(third, Self.night(of: "b"))
        let archive = try one.archive()
        let secret = try other.archive().secret()
        #expect(try archive.secret() != secret)
        _ = try merge(other, into: archive)
        _ = try merge(third, into: archive)
        #expect(try archive.secret() == secret)
    }

    /// A damaged, foreign or missing archive adds nothing, and the error names it.
    @Test(arguments: ["damaged", "foreign", "missing"])
    func whatIsNoSoundArchiveAddsNothing(kind: String) throws {
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        try filled(one, [.snapshot(.at(10, sessions: 5))])
        try filled(other, Self.night(of: "a"))
        let file = URL(fileURLWithPath: other.archivePath)
        switch kind {
        case "damaged":
            var bytes = try Data(contentsOf: file)
            for page in stride(from: 4096, to: bytes.count, by: 8192) {
                bytes.replaceSubrange(page..<(page + 8), with: [UInt8](repeating: 0xFF, count: 8))
            }
            try bytes.write(to: file)
        case "foreign":
            let queue = try DatabaseQueue(path: other.archivePath)
            try queue.write {
                try $0.execute(
                    sql: "CREATE TRIGGER t AFTER INSERT ON health_day BEGIN DELETE FROM health_day; END")
            }
            try queue.close()
        default: try FileManager.default.removeItem(at: file)
        }
        let archive = try one.archive()
        let before = try archive.namedRows()
        do {
            _ = try merge(other, into: archive)
            Issue.record("it was merged")
        } catch let error as ArchiveError {
            #expect(error.path == other.archivePath, "\(error)")
        }
        #expect(try archive.namedRows() == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: one.path).allSatisfy {
                !$0.contains("merging")
            })
    }
}
