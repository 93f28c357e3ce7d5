import AppHealth
import Archive
import Diagnostics
import Testing

struct HistoryTests {
    @Test func everyKindComesBackAsItWasInTheDocumentedOrder() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var snapshot = Snapshot.whole(at: 10)
        snapshot.source.issueTotals = .days(28)
        snapshot.source.countsSteadyShare = true
        snapshot.source.statesWholeDays = true
        snapshot.source.countsPartsApart = true
        snapshot.source.datesReleasesByDay = true
        snapshot.source.statesReleaseDays = true
        try archive.record(snapshot)
        let known = try archive.known()
        #expect(known.source == snapshot.source)
        #expect(known.capturedAt == snapshot.capturedAt)
        #expect(known.lastAttempt?.outcome == .succeeded(warnings: snapshot.warnings))
        #expect(known.health.map { $0.version ?? "all" } == ["all", "", "4.9", "4.10"])
        #expect(Set(known.health) == Set(snapshot.health))
        #expect(known.healthAsReported == [day: HealthDay(date: day, sessions: 1, crashedSessions: 0)])
        #expect(known.usage == snapshot.usage.reversed())
        #expect(known.releases.map(\.version.description) == ["4.10", "4.9 (12)", "4.9 (7)"])
        #expect(Set(known.releases) == Set(snapshot.releases))
        #expect(known.issues == snapshot.issues.reversed())
        #expect(known.issueDays == Array(snapshot.issueDays.reversed()))
        #expect(known.notes.map(\.id) == ["c", "a", "b"])
        #expect(Set(known.notes) == Set(snapshot.notes))
    }

    /// When an issue was first said to be in a state and fixed in a version; what only repeats it is not listed.
    @Test func statesAndFixesOfAnIssueComeBackWithTheirCaptures() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let said: [(at: Int, state: AppHealth.Issue.State, fixedIn: Version?)] = [
            (10, .open, nil), (20, .open, nil), (30, .closed, nil), (40, .closed, Version("4.9", build: "7")),
            (50, .open, Version("4.9", build: "7")), (60, .open, nil),
        ]
        for (at, state, fixedIn) in said {
            try archive.record(
                .at(at) {
                    $0.issues = [
                        AppHealth.Issue(id: "a", title: "\(at)", state: state, fixedIn: fixedIn)
                    ]
                })
        }
        let known = try archive.known(at: 50).issueStates["a"] ?? []
        #expect(known.map(\.capturedAt.secondsSinceEpoch) == [10, 30, 40, 50])
        #expect(known.map(\.state) == [.open, .closed, .closed, .open])
        #expect(known.map(\.fixedIn) == [nil, nil, Version("4.9", build: "7"), Version("4.9", build: "7")])
        #expect(try archive.known(at: 60).issueStates["a"]?.last?.fixedIn == nil)
    }

    @Test func foreignTextComesBackAsItWas() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let text = "'; DROP TABLE issue; -- \u{202E}\u{7}\n🚢 \"%_\\"
        try archive.record(.at(10) { $0.issues = [AppHealth.Issue(id: text, title: text, url: text)] })
        #expect(try archive.known().issues == [AppHealth.Issue(id: text, title: text, url: text)])
    }

    @Test func largestNumbersDoNotTrap() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(
            .at(10) {
                $0.health = [HealthDay(date: day, sessions: .max, crashedSessions: .min)]
            })
        #expect(try archive.known().health.first?.sessions == .max)
        #expect(try archive.known().health.first?.crashedSessions == .min)
    }

    @Test func sourceThatWasNeverFetchedIsShownAsConfigured() throws {
        let folder = try TemporaryFolder()
        let known = try folder.archive().known()
        #expect(known.source == .files)
        #expect(known.capturedAt == nil)
        #expect(known.lastAttempt == nil)
    }

    @Test func newestSnapshotAtTheInstantDescribesTheSource() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var newer = Source.files
        newer.sessionDefinition = "30 minutes"
        try archive.record(.at(20, source: newer))
        try archive.record(.at(10))
        #expect(try archive.known(at: 15).source.sessionDefinition == "one run")
        #expect(try archive.known(at: 25).source.sessionDefinition == "30 minutes")
    }

    @Test func sourcesComeInTheGivenOrder() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10))
        var other = Source.files
        other.id = Slug(anyText: "another")
        for order in [[Source.files, other], [other, .files]] {
            let (history, _) = try archive.history(
                of: .harbour, sources: order, asOf: Instant(secondsSinceEpoch: 10))
            #expect(history.sources.map(\.source.id) == order.map(\.id))
        }
    }

    @Test func appIsNamedAsItsNewestSnapshotNamesIt() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try archive.apps() == [])
        var renamed = Snapshot.at(20)
        renamed.app.name = "Harbour Pro"
        try archive.record(renamed)
        try archive.record(.at(10))
        try archive.record(
            failure: failure, app: Slug(anyText: "barge"), source: Source.files.id, at: .init(startOf: day))
        #expect(try archive.apps().map(\.name) == ["barge", "Harbour Pro"])
    }
}
