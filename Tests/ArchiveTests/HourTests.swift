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

    @Test func oldHoursAreRemovedOnce() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        _ = try record(["a": [0: 1, 1: 2, 2: 3]], at: 10, in: archive)
        let cut = Self.first.advanced(by: 2)
        #expect(try archive.removeHours(before: cut) == 3)
        let history = try archive.known()
        #expect(history.issueHours.map(\.events) == [3])
        #expect(history.healthHours == [])
        #expect(try archive.removeHours(before: cut) == 0)
        #expect(try archive.removeHours(before: cut.advanced(by: 1)) == 2)
        #expect(try archive.known().hoursOfIssues == [])
    }

    /// The pages of the others stay as they are.
    @Test func onlyAppsThatLoseHoursHaveAnotherMark() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        func issue(_ events: Int) -> IssueHour { IssueHour(issue: "a", hour: Self.first, events: events) }
        let fills: [String: (inout Snapshot) -> Void] = [
            "rates": { $0.healthHours = [HealthHour(hour: Self.first, sessions: 1)] },
            "issues": { $0.issueHours = [issue(1)] },
            "covered": { $0.issueHours = [issue(0)] },
            "later": { $0.healthHours = [HealthHour(hour: Self.first.advanced(by: 5), sessions: 1)] },
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
        #expect(try archive.removeHours(before: Self.first.advanced(by: 2)) > 0)
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
