import AppHealth
import Diagnostics
import GRDB
import Testing

@testable import Archive

/// An archive without the revisions that newer ones superseded long ago.
struct CompactTests {
    /// Seeded, so that each run sees the same.
    private struct Dice {
        var state: UInt64
        mutating func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
    }

    /// The second of one of the captures, which follow each other every six hours.
    private static func second(_ capture: Int) -> Int {
        Instant(startOf: day).secondsSinceEpoch + capture * 6 * 3600
    }
    /// The first of the days that are captured: no report learns any more from them how much comes late.
    private static let oldDay = day.advanced(by: -60)

    /// Random captures, each of which may change any of a few values.
    private func filled(_ archive: Archive, seed: UInt64, captures: Int) throws {
        var dice = Dice(state: seed)
        for capture in 1...captures {
            var source = Source.files
            source.zone = ["UTC", "Europe/Berlin"][dice.next(2)]
            try archive.record(
                .at(Self.second(capture), source: source) { snapshot in
                    snapshot.health = (0..<4).map {
                        HealthDay(
                            date: Self.oldDay.advanced(by: $0), version: $0 == 3 ? "4.9" : nil,
                            sessions: dice.next(3) + 1,
                            crashedSessions: dice.next(2))
                    }
                    snapshot.usage = [UsageDay(date: Self.oldDay, activeUsers: dice.next(4))]
                    snapshot.issues = ["a", "b"].map { id in
                        var issue = AppHealth.Issue(id: id, title: "\(dice.next(3))")
                        issue.state = [.open, .closed, .muted][dice.next(3)]
                        issue.fixedIn = [nil, Version("1.1")][dice.next(2)]
                        issue.lastVersion = [nil, Version("1.0"), Version("1.1")][dice.next(3)]
                        return issue
                    }
                    snapshot.issueDays = [
                        IssueDay(issue: "a", date: Self.oldDay, events: dice.next(5), users: nil)
                    ]
                    let part = Coverage.partial(counted: 1, of: 2)
                    snapshot.coverage = [CoveredFact.issueDays, .sessions, .usage].map {
                        CoverageSpan(
                            $0, Self.oldDay...Self.oldDay, [.complete, part, part, part][dice.next(4)])
                    }
                    snapshot.notes = [
                        Note(
                            id: "n", at: Instant(startOf: day), author: "", text: "\(dice.next(2))",
                            subject: .app)
                    ]
                })
        }
    }

    /// All that is known at an instant.
    private static func parts(_ archive: Archive, _ seconds: Int) throws -> [AnyHashable] {
        let known = try archive.known(at: seconds)
        return [
            known.source, known.capturedAt, known.health, known.healthAsReported, known.healthSettlement,
            known.usageSettlement, known.usage, known.releases, known.issues, known.issueStates,
            known.issueVersions, known.zoneOffsets, known.issueDays, known.notes, known.coverage,
            known.captures, known.leastOutlooks, known.lateCounts,
        ]
    }

    /// Whatever is read as of the instant or later is as before; what was first reported stays too.
    @Test(arguments: 1...8)
    func whatIsKnownFromTheInstantOnStays(seed: Int) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let captures = 40
        try filled(archive, seed: UInt64(seed), captures: captures)
        let cut = captures / 2 + seed - 4
        let views = (cut...captures + 1).map { Self.second($0) + seed % 2 }
        let before = try views.map { try Self.parts(archive, $0) }
        let first = try Self.parts(archive, Self.second(1))
        let instant = Instant(secondsSinceEpoch: Self.second(cut))
        let mark = try archive.revision(of: App.harbour.id, asOf: .latest)
        let count = try archive.superseded(before: instant)
        #expect(count > 20)
        #expect(try archive.compact(before: instant) == count)
        #expect(try views.map { try Self.parts(archive, $0) } == before)
        #expect(try Self.parts(archive, Self.second(1)) == first)
        #expect(try archive.superseded(before: instant) == 0)
        #expect(try archive.compact(before: instant) == 0)
        #expect(try archive.faults() == [])
        #expect(try archive.revision(of: App.harbour.id, asOf: .latest) != mark)
    }

    /// A folder of snapshot files is read again, and a part of another machine merged again, after the archive was
    /// compacted: what was removed stays away, and what is new is stored.
    @Test(arguments: 1...8)
    func whatWasRemovedStaysAway(seed: Int) throws {
        let (folder, part) = (try TemporaryFolder(), try TemporaryFolder())
        let (archive, other) = (try folder.archive(), try part.archive())
        let captures = 40
        for archive in [archive, other] { try filled(archive, seed: UInt64(seed), captures: captures) }
        try other.close()
        let cut = Instant(secondsSinceEpoch: Self.second(captures / 2 + seed))
        #expect(try archive.compact(before: cut) > 20)
        let (rows, mark) = (try archive.namedRows(), try archive.revision(of: App.harbour.id, asOf: .latest))
        try filled(archive, seed: UInt64(seed), captures: captures)
        #expect(try archive.namedRows() == rows)
        let merged = try archive.merge(part.archivePath, now: Instant(startOf: day.advanced(by: 30)))
        #expect(merged.values == 0 && merged.conflicts == 0, "\(merged)")
        #expect(try archive.namedRows() == rows)
        #expect(try archive.revision(of: App.harbour.id, asOf: .latest) == mark)
        // Days, first reports and newest values that come late are no such revisions.
        for (capture, date) in [(captures / 4, 5), (0, 0), (captures + 1, 0)] {
            let summary = try archive.record(
                .at(Self.second(capture) + 60) {
                    let date = Self.oldDay.advanced(by: date)
                    $0.health = [HealthDay(date: date, sessions: 90, crashedSessions: 9)]
                })
            #expect(summary.health == 1, "\(capture)")
        }
        #expect(try archive.faults() == [])
    }

    /// Nights of a source that also reports the day that runs, as most schedules have them.
    private func recordNights(_ archive: Archive, isOfIssues: Bool) throws {
        var source = Source.files
        source.capabilities = isOfIssues ? [.issues, .issueDays] : [.sessions]
        for (place, hours) in [5, 17, 29, 53, 77, 101, 125].enumerated() {
            try archive.record(
                .at(Instant(startOf: day).secondsSinceEpoch + hours * 3600, source: source) { snapshot in
                    let count = 100 * (place + 1)
                    if isOfIssues {
                        snapshot.issues = ["a", "b"].map { Issue(id: $0, title: $0, kind: .crash) }
                        // One issue is as it was in the first fetch after the end, the other one is not.
                        snapshot.issueDays = [
                            IssueDay(issue: "a", date: day, events: count, users: nil),
                            IssueDay(issue: "b", date: day, events: place == 2 ? 200 : count, users: nil),
                        ]
                        snapshot.coverage = [CoverageSpan(.issueDays, day...day, .complete)]
                    } else {
                        snapshot.health = [HealthDay(date: day, sessions: count, crashedSessions: 1)]
                    }
                })
        }
        if isOfIssues { return }
        // Long after that no report learns from the day any more.
        try archive.record(
            .at(Self.later.secondsSinceEpoch, source: source) {
                $0.health = [HealthDay(date: Self.later.date, sessions: 1, crashedSessions: 0)]
            })
    }

    private static let later = Instant(startOf: day.advanced(by: 60))

    /// What was first reported of a day after it was over stays, though it is no first revision.
    @Test(arguments: [
        (false, HealthDay(date: day, sessions: 300, crashedSessions: 1)),
        (true, HealthDay(date: day, crashes: 500)),
    ])
    func whatWasFirstReportedStays(isOfIssues: Bool, first: HealthDay) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try recordNights(archive, isOfIssues: isOfIssues)
        let views = [1, 24, 2000].map { Self.later.secondsSinceEpoch + $0 * 3600 }
        let before = try views.map { try Self.parts(archive, $0) }
        #expect(try archive.known(at: views[0]).healthAsReported[day] == first)
        let instant = Instant(secondsSinceEpoch: views[0])
        let count = try archive.superseded(before: instant)
        #expect(count == (isOfIssues ? 6 : 3))
        #expect(try archive.compact(before: instant) == count)
        #expect(try views.map { try Self.parts(archive, $0) } == before)
        #expect(try archive.superseded(before: instant) == 0)
        let rows = try archive.namedRows()
        try recordNights(archive, isOfIssues: isOfIssues)
        #expect(try archive.namedRows() == rows)
    }

    /// Days of which sessions come at once, crashes and users over two weeks: how many are still to come is learned from the
    /// days before a report, so a report of that age needs them whole, also where nights were missed before it.
    @Test(arguments: [0..<0, 80..<96]) func howMuchComesLateStaysKnown(missed: Range<Int>) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let nights = 185
        func end(_ night: Int) -> Instant {
            Instant(startOf: day.advanced(by: night + 1)).advanced(bySeconds: 6 * 3600)
        }
        func record() throws {
            for night in 0..<nights where !missed.contains(night) {
                try archive.record(
                    .at(end(night).secondsSinceEpoch) { snapshot in
                        let ages = 0..<min(21, night + 1)
                        snapshot.health = ages.map { age in
                            HealthDay(
                                date: day.advanced(by: night - age), sessions: 2_000,
                                crashedSessions: 6 + min(age, 14), users: 1_000 + 10 * min(age, 14))
                        }
                        snapshot.usage = snapshot.health.map {
                            UsageDay(date: $0.date, activeUsers: $0.users)
                        }
                    })
            }
        }
        try record()
        let views = [89, 83, 75, 60, 48, 29, 0].map { end(nights - 1 - $0).secondsSinceEpoch }
        let before = try views.map { try Self.parts(archive, $0) }
        let instant = end(nights - 1).advanced(bySeconds: -Archive.leastCompactDays * 86_400)
        let late = try archive.known(at: instant.secondsSinceEpoch).lateCounts[.sessions] ?? [:]
        #expect(late.values.contains { $0.crashed < 0.5 } && late.count == 14)
        let count = try archive.superseded(before: instant)
        #expect(count > 500)
        #expect(try archive.compact(before: instant) == count)
        #expect(try views.map { try Self.parts(archive, $0) } == before)
        let rows = try archive.namedRows()
        try record()
        #expect(try archive.namedRows() == rows)
    }

    private func count(_ archive: Archive, _ pragma: String) throws -> Int {
        try archive.read { try Int.fetchOne($0, sql: "PRAGMA \(pragma)") ?? 0 }
    }

    /// Where the copy of what stays has no room, whichever place lacks it, all stays.
    @Test(arguments: [(0, 1 << 40), (1 << 40, 0)]) func whatLacksRoomRemovesNothing(
        archiveBytes: Int, temporaryBytes: Int
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try filled(archive, seed: 3, captures: 40)
        let rows = try archive.namedRows()
        let instant = Instant(secondsSinceEpoch: Self.second(30))
        let room = CompactingRoom(
            archive: FreeRoom(bytes: archiveBytes, files: nil, system: 1),
            temporary: ("/elsewhere", FreeRoom(bytes: temporaryBytes, files: nil, system: 2)))
        do throws(ArchiveError) {
            _ = try archive.compact(before: instant, room: room)
            #expect(Bool(false), "removed")
        } catch {
            #expect(error.diagnostic.id == "archive.full")
            #expect(error.path == (archiveBytes == 0 ? folder.archivePath : "/elsewhere"))
            #expect(error.diagnostic.details.last == "nothing was removed")
        }
        #expect(try archive.namedRows() == rows)
        #expect(try archive.compact(before: instant) > 20)
    }

    /// The next compacting gives back what this one could not, also when it removes nothing itself.
    @Test func spaceIsGivenBackByTheNextCompacting() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try filled(archive, seed: 5, captures: 400)
        try archive.close()
        let next = try folder.archive()
        let instant = Instant(secondsSinceEpoch: Self.second(390))
        #expect(try next.compact(before: instant) > 20)
        let pages = try count(next, "page_count")
        // SQLite copies into a database of its own, and takes no more of them than this.
        var attached = 0
        try next.writeWithoutTransaction { database in
            while (try? database.execute(sql: "ATTACH ':memory:' AS more\(attached)")) != nil {
                attached += 1
            }
        }
        #expect(throws: ArchiveError.self) { try next.shrink() }
        #expect(try count(next, "page_count") == pages)
        try next.writeWithoutTransaction { database in
            for number in 0..<attached { try database.execute(sql: "DETACH more\(number)") }
        }
        #expect(try next.compact(before: instant) == 0)
        try next.shrink()
        let left = try count(next, "page_count")
        #expect(left < pages)
        #expect(try count(next, "freelist_count") == 0 && next.faults() == [])
        // Nothing is free now.
        let state = try next.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
        try next.shrink()
        #expect(try next.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") } == state)
    }

    /// Pages that are free for whatever reason, such as hours that are no longer kept, are given back from a tenth on.
    @Test(arguments: [(2000, true), (20, false)]) func freePagesAreGivenBack(removed: Int, isWorth: Bool)
        throws
    {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.write { database in
            for number in 0..<2000 {
                try database.execute(
                    sql: "INSERT INTO passage (text, quotes) VALUES (?, 0)",
                    arguments: ["\(number)" + String(repeating: "x", count: 300)])
            }
            try database.execute(
                sql: "DELETE FROM passage WHERE text IN (SELECT text FROM passage LIMIT ?)",
                arguments: [removed])
        }
        let free = try count(archive, "freelist_count")
        #expect(try archive.compact(before: Instant(secondsSinceEpoch: 1000)) == 0)
        try archive.shrink()
        #expect(try count(archive, "freelist_count") == (isWorth ? 0 : free))
    }

    /// An archive that takes over a compacted one keeps away what was removed there.
    @Test(arguments: [false, true]) func whatWasRemovedElsewhereStaysAwayToo(isOfIssues: Bool) throws {
        let (folder, part) = (try TemporaryFolder(), try TemporaryFolder())
        let (archive, other) = (try folder.archive(), try part.archive())
        try recordNights(other, isOfIssues: isOfIssues)
        let cut = Instant(startOf: day.advanced(by: 61))
        #expect(try other.compact(before: cut) > 2)
        try other.close()
        _ = try archive.merge(part.archivePath, now: Instant(startOf: day.advanced(by: 90)))
        let rows = try archive.namedRows()
        try recordNights(archive, isOfIssues: isOfIssues)
        #expect(try archive.namedRows() == rows)
        #expect(try archive.superseded(before: cut) == 0)
    }

    /// Of values that came back, a compacted archive may have both ends alone: one that takes it over has both too, and
    /// the merge of the whole archive after it brings nothing back.
    @Test(arguments: 1...8) func valuesThatCameBackAreMergedAsTheyAre(seed: Int) throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let (whole, compacted) = (try folders[0].archive(), try folders[1].archive())
        for archive in [whole, compacted] { try filled(archive, seed: UInt64(seed), captures: 40) }
        #expect(try compacted.compact(before: Instant(secondsSinceEpoch: Self.second(30))) > 20)
        let rows = try compacted.namedRows()
        let views = (28...41).map(Self.second)
        let known = try views.map { try Self.parts(compacted, $0) }
        try whole.close()
        try compacted.close()
        let archive = try folders[2].archive()
        let now = Instant(startOf: day.advanced(by: 30))
        for (part, isNew) in [(1, true), (1, false), (0, false), (1, false)] {
            let merged = try archive.merge(folders[part].archivePath, now: now)
            #expect((merged.values > 0) == isNew && merged.conflicts == 0, "\(part): \(merged)")
            #expect(try archive.namedRows() == rows)
            #expect(try views.map { try Self.parts(archive, $0) } == known)
        }
        #expect(try archive.faults() == [])
    }

    @Test func anArchiveWithoutOldRevisionsStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.whole(at: 100))
        try archive.record(.at(200, sessions: 3))
        let (rows, mark) = (try archive.namedRows(), try archive.revision(of: App.harbour.id, asOf: .latest))
        #expect(try archive.compact(before: Instant(secondsSinceEpoch: 1000)) == 0)
        #expect(try archive.namedRows() == rows)
        #expect(try archive.revision(of: App.harbour.id, asOf: .latest) == mark)
    }

    /// Counted by hand.
    @Test func statisticsCountRowsAndNights() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let now = Instant(startOf: day.advanced(by: 2))
        #expect(try archive.statistics(at: now).rowsPerNight == nil)
        let start = Instant(startOf: day).secondsSinceEpoch
        try archive.record(.at(start - 60 * 86_400, sessions: 1))
        for (seconds, sessions) in [(start, 2), (start + 100, 3), (start + 86_400, 4), (start + 86_500, 4)] {
            try archive.record(.at(seconds, sessions: sessions))
        }
        let statistics = try archive.statistics(at: now)
        #expect(
            statistics.kinds.filter { $0.rows > 0 } == [
                .init(name: "stability by day", rows: 4, recent: 3, revised: 3),
                .init(name: "source descriptions", rows: 1, recent: 0, revised: 0),
            ])
        #expect(statistics.rows == 5 && statistics.nights == [1, 2] && statistics.rowsPerNight == 1.5)
        #expect(statistics.apps == [.init(app: "harbour", rows: 5)])
        #expect(
            statistics.captures == Instant(
                secondsSinceEpoch: start - 60 * 86_400)...Instant(
                    secondsSinceEpoch: start + 86_500))
        #expect(statistics.bytes > 4096 && statistics.bytesPerNight ?? 0 > 0)
    }

    /// The first night of a source brings all that there was, and a later one may bring the past of a year.
    @Test func whatAnImportBringsIsNoGrowth() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let start = Instant(startOf: day).secondsSinceEpoch
        let now = Instant(startOf: day.advanced(by: 10))
        try archive.record(.at(start, sessions: 1))
        try archive.record(.at(start + 100, sessions: 2))
        let first = try archive.statistics(at: now)
        #expect(first.rows > 2 && first.nights.isEmpty)
        #expect(first.rowsPerNight == nil && first.bytesPerNight == nil)
        for night in 1...4 {
            for number in 0..<(night == 2 ? 21 : 1) {
                try archive.record(.at(start + night * 86_400 + number, sessions: night * 100 + number))
            }
        }
        let later = try archive.statistics(at: now)
        #expect(later.nights == [1, 1, 1, 21] && later.rowsPerNight == 1)
    }
}
