import Analysis
import AppHealth
import HistoryFixtures
import Testing

struct VelocityTests {
    private static let most = PlausibleCount.largest

    @Test(
        arguments: [
            (100, 10_000, 25, true), (99, 10_000, 25, false), (100, 10_000, 24, false), (3, 250, 25, true),
            (3, 249, 25, false), (100, 10_000, nil, true), (nil, 10_000, 25, false), (100, nil, 25, false),
            (100, 0, 25, false), (0, 10_000, 25, false), (-1, 10_000, 25, false), (10_000, 10_000, 25, true),
            (most, most, most, true), (.max, 10_000, nil, false), (.max, .max, .max, false),
        ] as [(Int?, Int?, Int?, Bool)])
    func issueIsReportedFromTheThresholdsOn(events: Int?, sessions: Int?, users: Int?, fires: Bool) {
        let issue = Issue(id: "a", title: "A", firstSeen: .noon(back: 0))
        let whole = SourceHistory.make(
            health: [.make(sessions: sessions)], issues: [issue],
            issueDays: [.make("a", events: events, users: users)])
        #expect(found(by: IssueVelocityRule(), in: whole).isEmpty != fires)
        let release = SourceHistory.make(
            health: [.make(sessions: Self.most), .make(of: "1.0", sessions: sessions)], issues: [issue],
            issueDays: [.make("a", of: "1.0", events: events, users: users)])
        #expect(found(by: IssueVelocityRule(), in: release).isEmpty != fires)
    }

    /// Where the users of a row are not known, they are at most as many as its events, and as the users of all versions: three
    /// events of 280 sessions are no alert.
    @Test(
        arguments: [
            (events: 3, sessions: 280, ofAll: nil, fires: false), (24, 280, nil, false), (25, 280, nil, true),
            (40, 280, 24, false), (40, 280, 25, true), (40, 280, nil, true), (3, 280, 300, false),
        ] as [(events: Int, sessions: Int, ofAll: Int?, fires: Bool)])
    func usersAreNoMoreThanEvents(row: (events: Int, sessions: Int, ofAll: Int?, fires: Bool)) {
        let issue = Issue(id: "a", title: "A", firstSeen: .noon(back: 0))
        let release = SourceHistory.make(
            health: [.make(sessions: 100_000), .make(of: "1.0", sessions: row.sessions)], issues: [issue],
            issueDays: [
                .make("a", events: 400, users: row.ofAll),
                .make("a", of: "1.0", events: row.events, users: nil),
            ])
        #expect(found(by: IssueVelocityRule(), in: release).isEmpty != row.fires)
        guard row.ofAll == nil else { return }
        let whole = SourceHistory.make(
            health: [.make(sessions: row.sessions)], issues: [issue],
            issueDays: [.make("a", events: row.events, users: nil)])
        #expect(found(by: IssueVelocityRule(), in: whole).isEmpty != row.fires)
    }

    /// A crash meets no more sessions than crashed: 30 users in a loop are not 3% of the sessions.
    @Test(arguments: [(45, nil), (600, 0.012), (nil, 0.03)] as [(Int?, Double?)])
    func aCrashMeetsNoMoreSessionsThanCrashed(crashed: Int?, share: Double?) {
        let issue = Issue(id: "a", title: "A", firstSeen: .noon(back: 0))
        for version in [nil, "2.0"] {
            let source = SourceHistory.make(
                health: [
                    .make(sessions: 50_000, crashed: crashed),
                    .make(of: "2.0", sessions: 50_000, crashed: crashed),
                ],
                issues: [issue], issueDays: [.make("a", of: version, events: 1500, users: 30)])
            let shares = found(by: IssueVelocityRule(), in: source).map { event -> Double? in
                if case .velocity(let alert) = event { alert.share?.value } else { nil }
            }
            #expect(shares == (share.map { [$0] } ?? []))
        }
    }

    /// Of an app of which every other session was counted: whether its issues are a sample as well is decided by all of
    /// their counts, not by whether one is even.
    @Test(
        arguments: [
            (events: 400, users: 30, odd: nil, fires: false), (400, 60, nil, true), (401, 30, nil, true),
            (400, 31, nil, true), (400, 30, 0, true), (400, 30, 59, true), (400, 30, 60, false),
        ] as [(events: Int, users: Int, odd: Int?, fires: Bool)])
    func allIssuesAreOfTheSampleOrNone(row: (events: Int, users: Int, odd: Int?, fires: Bool)) {
        let days = CivilDate.back(80)...CivilDate.back(0)
        for version in [nil, "2.0"] {
            let source = SourceHistory.make(
                health: (0...80).reversed().flatMap { back in
                    Set([nil, version]).map {
                        HealthDay.make(back, of: $0, sessions: 10_000, crashed: 500)
                    }
                },
                issues: [
                    Issue(id: "a", title: "A", firstSeen: .noon(back: 0)),
                    Issue(id: "b", title: "B", firstSeen: .noon(back: 300)),
                ],
                issueDays: [.make("a", of: version, events: row.events, users: row.users)]
                    + (row.odd.map { [.make("b", $0, of: version, events: 2, users: 1)] } ?? []),
                coverage: [
                    CoverageSpan(.sessions, days, .partial(counted: 1, of: 2)),
                    CoverageSpan(.issueDays, days), CoverageSpan(.releaseHealth, days),
                ])
            #expect(found(by: IssueVelocityRule(), in: source).isEmpty != row.fires)
        }
    }

    /// Two issues over three days and two versions, all far over the threshold.
    private var spreading: SourceHistory {
        let backs = [2, 1, 0]
        return .make(
            health: backs.flatMap { back in
                [HealthDay.make(back, sessions: 9000)]
                    + ["1.0", "1.1"].map { .make(back, of: $0, sessions: 1000) }
            },
            issues: ["a", "b"].map { Issue(id: $0, title: $0.uppercased(), firstSeen: .noon(back: 2)) },
            issueDays: ["a", "b"].flatMap { issue in
                backs.flatMap { back in
                    [IssueDay.make(issue, back, events: 500, users: 90)]
                        + ["1.0", "1.1"].map { .make(issue, back, of: $0, events: 90, users: 80) }
                }
            })
    }

    @Test func issueIsReportedOnceForEachVersion() {
        let events = found(by: IssueVelocityRule(), in: spreading)
        #expect(events.map(\.back) == [2, 2, 2, 2])
        let alerts = events.compactMap { event in
            if case .velocity(let alert) = event { alert } else { nil }
        }
        #expect(
            alerts.map { "\($0.issue.title) \($0.version ?? "")" }.sorted()
                == ["A 1.0", "A 1.1", "B 1.0", "B 1.1"])
        #expect(alerts.allSatisfy { $0.share?.value == 0.09 && $0.hours == 24 })
        #expect(Set(events.map(\.occasion.id)).count == 4)
    }

    @Test func orderOfTheDaysDoesNotMatter() {
        var turned = spreading
        turned.issueDays.reverse()
        turned.issues.reverse()
        turned.health.reverse()
        #expect(found(by: IssueVelocityRule(), in: turned) == found(by: IssueVelocityRule(), in: spreading))
    }

    @Test func versionWithoutSessionsOfItsOwnIsNotHeldAgainstAll() {
        let source = SourceHistory.make(
            health: [.make(sessions: 1000)], issues: [Issue(id: "a", title: "A")],
            issueDays: [.make("a", of: "1.0", events: 500, users: 90)])
        #expect(found(by: IssueVelocityRule(), in: source).isEmpty)
    }

    @Test func dayOfAnIssueThatIsNotListedIsSkipped() {
        let source = SourceHistory.make(
            health: [.make(sessions: 1000)], issueDays: [.make("ghost", events: 500, users: 90)])
        #expect(found(by: IssueVelocityRule(), in: source).isEmpty)
    }

    /// Where the source does not say when an issue was first seen, it is new after two weeks of data without it.
    @Test(arguments: [
        (past: 0, stated: false, isNew: false), (1, false, false), (13, false, false), (14, false, true),
        (0, true, true),
    ])
    func anIssueOfTheFirstDaysMayBeOld(row: (past: Int, stated: Bool, isNew: Bool)) {
        let source = SourceHistory.make(
            health: (0...row.past).map { .make($0, sessions: 10_000) },
            issues: [Issue(id: "a", title: "A", firstSeen: row.stated ? .noon(back: 0) : nil)],
            issueDays: [.make("a", events: 400, users: 300)])
        #expect(found(by: IssueVelocityRule(), in: source).map(\.back) == (row.isNew ? [0] : []))
    }
}
