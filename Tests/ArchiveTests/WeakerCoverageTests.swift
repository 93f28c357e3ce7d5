import AppHealth
import Archive
import Testing

/// A snapshot that has a part of a day takes nothing back of what an earlier one had completely, as long as no count of the
/// day has changed.
struct WeakerCoverageTests {
    /// A week after the fixture day.
    private static let late = Instant(startOf: day.advanced(by: 7)).secondsSinceEpoch
    private static let part = Coverage.partial(counted: 1, of: nil)

    /// What a night has of the fixture day: the events of issues, and how much it states of them.
    struct Night: Sendable {
        let events: [String: Int?]
        let coverage: Coverage?

        init(_ events: [String: Int?], _ coverage: Coverage?) {
            (self.events, self.coverage) = (events, coverage)
        }

        func snapshot(at seconds: Int) -> Snapshot {
            .at(seconds) { snapshot in
                snapshot.issues = events.keys.sorted().map { Issue(id: $0, title: $0) }
                snapshot.issueDays = events.sorted { $0.key < $1.key }
                    .map { IssueDay(issue: $0.key, date: day, events: $0.value, users: nil) }
                snapshot.coverage = coverage.map { [CoverageSpan(.issueDays, day...day, $0)] } ?? []
            }
        }
    }

    private static let whole = Night(["a": 60, "b": 14], .complete)

    @Test(
        arguments: [
            ("a list that was cut", [whole, Night(["a": 60], part)], .complete),
            (
                "lists that were cut night after night", [whole, Night(["a": 60], part), Night([:], part)],
                .complete
            ),
            ("an issue that another was merged into", [whole, Night(["a": 74], part)], part),
            ("an issue that was not there", [whole, Night(["a": 60, "c": 1], part)], part),
            ("an issue that has nothing any more", [whole, Night(["b": 0], part)], part),
            ("an issue without events that was not there", [whole, Night(["c": 0], part)], .complete),
            ("events that are not known", [whole, Night(["a": nil], part)], .complete),
            ("a change that nothing was stated of", [whole, Night(["a": 61], nil)], .complete),
            ("a part after such a change", [whole, Night(["a": 61], nil), Night(["a": 61], part)], part),
            ("all again", [whole, Night(["a": 74], part), Night(["a": 74, "b": 0], .complete)], .complete),
            (
                "a part after all again",
                [
                    whole, Night(["a": 74], part), Night(["a": 74, "b": 0], .complete),
                    Night(["a": 74], part),
                ],
                .complete
            ),
            ("what is said to be unknown", [whole, Night([:], .unknown)], .unknown),
            ("a part after that", [whole, Night([:], .unknown), Night(["a": 60], part)], part),
            ("a part that was the first", [Night(["a": 60], part), Night(["a": 60], part)], part),
        ] as [(String, [Night], Coverage)])
    func aPartTakesNothingBackOfADayThatIsAsItWas(name: String, nights: [Night], known: Coverage) throws {
        let snapshots = nights.enumerated().map { $1.snapshot(at: Self.late + 10 * $0) }
        // Snapshots may be recorded in any order and more than once.
        for order in [snapshots, snapshots.reversed(), snapshots + snapshots] {
            let folder = try TemporaryFolder()
            let archive = try folder.archive()
            for snapshot in order { try archive.record(snapshot) }
            #expect(try archive.known(at: 9_000_000_000).coverage(.issueDays, on: day) == known, "\(name)")
            #expect(
                try archive.known(at: Self.late).coverage(.issueDays, on: day)
                    == nights.first?.coverage, "\(name)")
        }
        // So it is in one archive that several machines filled.
        let (ours, theirs) = (try TemporaryFolder(), try TemporaryFolder())
        for (place, snapshot) in snapshots.enumerated() {
            let archive = try (place % 2 == 0 ? ours : theirs).archive()
            try archive.record(snapshot)
            try archive.close()
        }
        guard snapshots.count > 1 else { return }
        let archive = try ours.archive()
        _ = try archive.merge(theirs.archivePath, now: Instant(secondsSinceEpoch: 9_000_000_000))
        #expect(try archive.known(at: 9_000_000_000).coverage(.issueDays, on: day) == known, "\(name)")
    }

    /// Each kind of fact goes by its own counts.
    @Test(arguments: CoveredFact.allCases) func everyKindOfFactGoesByItsCounts(fact: CoveredFact) throws {
        func snapshot(_ seconds: Int, _ coverage: Coverage, changed: CoveredFact? = nil) -> Snapshot {
            func count(_ number: Int, _ facts: CoveredFact...) -> Int {
                facts.contains { $0 == changed } ? number + 1 : number
            }
            return .at(seconds) {
                $0.health = [
                    HealthDay(
                        date: day, sessions: count(90, .sessions), crashedSessions: 9,
                        users: count(50, .users), crashedUsers: 5, crashes: count(12, .crashes)),
                    HealthDay(
                        date: day, version: "1", sessions: count(40, .releaseHealth), crashedSessions: 4),
                ]
                $0.issues = [Issue(id: "a", title: "A")]
                $0.issueDays = [
                    IssueDay(
                        issue: "a", date: day, events: count(7, .issueDays), users: count(3, .issueUsers)),
                    IssueDay(issue: "a", date: day, version: "1", events: count(2, .issueReleases), users: 1),
                ]
                $0.usage = [UsageDay(date: day, activeUsers: count(70, .usage), sessions: 90)]
                $0.coverage = [CoverageSpan(fact, day...day, coverage)]
            }
        }
        // New events are news about the users of an issue as well.
        let concerned: [CoveredFact: Set<CoveredFact>] = [.issueUsers: [.issueUsers, .issueDays]]
        for changed in [nil] + CoveredFact.allCases.map(Optional.some) {
            let folder = try TemporaryFolder()
            let archive = try folder.archive()
            try archive.record(snapshot(Self.late, .complete))
            try archive.record(snapshot(Self.late + 10, Self.part, changed: changed))
            let isConcerned = changed.map { (concerned[fact] ?? [fact]).contains($0) } ?? false
            #expect(
                try archive.known(at: 9_000_000_000).coverage(fact, on: day)
                    == (isConcerned ? Self.part : .complete),
                "\(fact), \(changed.map { "\($0)" } ?? "nothing")")
        }
    }
}
