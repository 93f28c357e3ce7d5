import AppHealth
import Archive
import Testing

struct HourTests {
    private static let first = UTCHour(of: Instant(startOf: day))

    private func record(_ counts: [String: [Int: Int]], at seconds: Int, in archive: Archive) throws -> Int {
        try archive.record(
            .at(seconds) { snapshot in
                snapshot.issueHours = counts.sorted { $0.key < $1.key }.flatMap { issue, hours in
                    hours.sorted { $0.key < $1.key }.map {
                        IssueHour(issue: issue, hour: Self.first.advanced(by: $0.key), events: $0.value)
                    }
                }
                snapshot.healthHours = [HealthHour(hour: Self.first, sessions: seconds)]
            }
        ).hours
    }

    @Test func emptyHoursAreKnownWithoutARow() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        // One hour of health, and one of the four counts is not zero.
        #expect(try record(["a": [0: 0, 1: 2], "b": [0: 0, 3: 0]], at: 10, in: archive) == 2)
        let history = try archive.known(at: 10)
        #expect(history.issueHours == [IssueHour(issue: "a", hour: Self.first.advanced(by: 1), events: 2)])
        #expect(history.hoursOfIssues == Set([0, 1, 3].map { Self.first.advanced(by: $0) }))
        #expect(history.healthHours == [HealthHour(hour: Self.first, sessions: 10)])
    }

    @Test func countThatIsTakenBackIsGone() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try record(["a": [1: 2]], at: 10, in: archive) == 2)
        #expect(try record(["a": [1: 0]], at: 20, in: archive) == 2)
        #expect(try archive.known(at: 19).issueHours.map(\.events) == [2])
        #expect(try archive.known(at: 20).issueHours == [])
        #expect(try archive.known(at: 20).hoursOfIssues == [Self.first.advanced(by: 1)])
    }

    /// Nothing was counted of an hour before it began: once it is there, nothing is known of it.
    @Test func anHourThatWasToComeIsUnknown() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let start = Self.first.start.secondsSinceEpoch
        _ = try record(["a": [-1: 2, 1: 3]], at: start - 60, in: archive)
        let history = try archive.known(at: start + 7200)
        #expect(history.issueHours.map(\.events) == [2])
        #expect(history.hoursOfIssues == [Self.first.advanced(by: -1)])
        #expect(history.healthHours == [])
    }

    /// What a zero that was stated ahead says, a later capture says as well; a count that was is no count.
    @Test(
        arguments: [(0, 0, 0), (0, 7, 7), (5, 7, 7), (5, nil, nil), (0, nil, 0)]
            as [(early: Int, late: Int?, known: Int?)])
    func aZeroThatWasStatedAheadIsNoGap(row: (early: Int, late: Int?, known: Int?)) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let start = Self.first.start.secondsSinceEpoch
        for (sessions, at) in [(row.early, start - 60), (row.late, start + 3600)] {
            guard let sessions else { continue }
            try archive.record(
                .at(at) { snapshot in
                    snapshot.healthHours = [
                        HealthHour(hour: Self.first, sessions: sessions, crashedSessions: 0)
                    ]
                    snapshot.issueHours = [IssueHour(issue: "a", hour: Self.first, events: 0)]
                })
        }
        let history = try archive.known(at: start + 7200)
        #expect(history.healthHours.map(\.sessions) == [row.known].filter { $0 != nil })
        #expect(history.hoursOfIssues == (row.late == nil ? [] : [Self.first]))
    }

    @Test func oldHoursAreRemovedOnce() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        _ = try record(["a": [0: 1, 1: 2, 2: 3]], at: 10, in: archive)
        _ = try record(["a": [722: 4]], at: 20, in: archive)
        let now = Self.first.advanced(by: 722).start
        // Two hours of the issue, and two revisions of the hour of health.
        #expect(try archive.removeHours(at: now) == 4)
        let history = try archive.known()
        #expect(history.issueHours.map(\.events) == [3, 4])
        #expect(history.healthHours == [])
        #expect(try archive.removeHours(at: now) == 0)
        _ = try record(["a": [723: 5]], at: 30, in: archive)
        // Its last hour is over too, and what the first snapshot covered with it.
        #expect(try archive.removeHours(at: now.advanced(bySeconds: 3600)) == 3)
        #expect(
            try archive.known().hoursOfIssues == Set([722, 723].map { Self.first.advanced(by: $0) }))
    }

    /// What a source counted, where it counted nothing, how far the clock is, and what stays; in hours.
    private static let clocks: [(counted: [Int], zeros: [Int], clock: Int, kept: [Int])] = [
        ([0, 1, 720, 721], [], 721, [1, 720, 721]),
        // A clock that is ahead makes nothing old.
        ([0, 1, 720, 721], [], 100_000, [1, 720, 721]), ([0, 1], [], 100_000, [0, 1]),
        // What a service reports of the future proves nothing, nor does one wrong hour.
        ([0, 1], [3000], 3000, [0, 1, 3000]), ([0, 1, 720, 5000], [], 721, [1, 720, 5000]),
        ([], [0, 1, 3000], 3000, [0, 1, 3000]),
        ([0, 720], [], 0, [0, 720]),
    ]

    @Test(arguments: clocks.indices)
    func onlyWhatTheDataSayIsOldIsRemoved(row: Int) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let (counted, zeros, clock, kept) = Self.clocks[row]
        func hours(_ numbers: [Int], _ sessions: Int) -> [HealthHour] {
            numbers.map { HealthHour(hour: Self.first.advanced(by: $0), sessions: sessions) }
        }
        let snapshot = Snapshot.at(10) { $0.healthHours = hours(counted, 1) + hours(zeros, 0) }
        try archive.record(snapshot)
        try archive.removeHours(at: Self.first.advanced(by: clock).start)
        let expected = kept.map { Self.first.advanced(by: $0) }
        #expect(try archive.known().healthHours.map(\.hour) == expected.sorted())
        let first = HourKeeping.first(
            at: Self.first.advanced(by: clock).start, newest: snapshot.newestHour)
        let stored = first.map { snapshot.withoutHours(before: $0) } ?? snapshot
        #expect(stored.healthHours.map(\.hour).sorted() == expected.sorted(), "before it is stored")
    }

    @Test func eachSourceKeepsItsOwnHours() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var other = Source.files
        other.id = Slug(anyText: "other")
        for (source, last) in [(Source.files, 900), (other, 1)] {
            try archive.record(
                .at(10, source: source) { snapshot in
                    snapshot.healthHours = [0, last].map {
                        HealthHour(hour: Self.first.advanced(by: $0), sessions: 1)
                    }
                    snapshot.issueHours = [IssueHour(issue: "a", hour: Self.first, events: 1)]
                })
        }
        #expect(try archive.removeHours(at: Self.first.advanced(by: 9000).start) == 3)
        #expect(try archive.known().healthHours.count == 1)
        let kept = try archive.known(source: other)
        #expect(kept.healthHours.count == 2 && kept.issueHours.count == 1)
        #expect(try archive.newestHour(of: App.harbour.id, source: other.id) == Self.first.advanced(by: 1))
        #expect(try archive.newestHour(of: App.harbour.id, source: Slug(anyText: "none")) == nil)
    }

    /// The pages of the others stay as they are.
    @Test func onlyAppsThatLoseHoursHaveAnotherMark() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let last = Self.first.advanced(by: 722)
        func issues(_ events: Int) -> [IssueHour] {
            [(Self.first, events), (last, 1)].map { IssueHour(issue: "a", hour: $0, events: $1) }
        }
        func sessions(_ hours: UTCHour...) -> [HealthHour] { hours.map { HealthHour(hour: $0, sessions: 1) } }
        let fills: [String: (inout Snapshot) -> Void] = [
            "rates": { $0.healthHours = sessions(Self.first, last) },
            "issues": { $0.issueHours = issues(1) },
            "covered": { $0.issueHours = issues(0) },
            "later": { $0.healthHours = sessions(Self.first.advanced(by: 5), last) },
            "days": { $0.health = [HealthDay(date: day, sessions: 1)] },
        ]
        for (app, fill) in fills {
            var snapshot = Snapshot(
                app: App(id: Slug(anyText: app), name: app), source: .files,
                capturedAt: Instant(secondsSinceEpoch: 10))
            fill(&snapshot)
            try archive.record(snapshot)
        }
        func marks() throws -> [String: String?] {
            try Dictionary(
                uniqueKeysWithValues: fills.keys.map { app in
                    (app, try archive.revision(of: Slug(anyText: app), asOf: .latest)?.mark)
                })
        }
        let before = try marks()
        #expect(try archive.removeHours(at: last.start) > 0)
        let after = try marks()
        #expect(Set(fills.keys.filter { after[$0] != before[$0] }) == ["rates", "issues", "covered"])
    }

    @Test func snapshotLosesItsOldHoursBeforeItIsStored() {
        let now = Instant(startOf: day.advanced(by: 30))
        var snapshot = Snapshot.at(now.secondsSinceEpoch)
        snapshot.healthHours = [-1, 0, 1].map { HealthHour(hour: Self.first.advanced(by: $0), sessions: 1) }
        snapshot.issueHours = [-1, 0].map {
            IssueHour(issue: "a", hour: Self.first.advanced(by: $0), events: 1)
        }
        let kept = snapshot.withoutHours(before: HourKeeping.first(at: now))
        #expect(kept.healthHours.map(\.hour) == [Self.first, Self.first.advanced(by: 1)])
        #expect(kept.issueHours.map(\.hour) == [Self.first])
    }
}
