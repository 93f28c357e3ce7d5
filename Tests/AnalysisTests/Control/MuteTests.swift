import Analysis
import AppHealth
import Diagnostics
import HistoryFixtures
import Testing

struct MuteTests {
    private static let app = AppHistory.make().app.id

    /// A mute with the events that it mutes, oldest first, and when it ended.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let subject: Mute.Subject
        var end = Mute.End()
        let muted: [String]
        var ended: CivilDate?
        var source = troubled
    }

    @Test(arguments: [
        Row(testDescription: "everything of another app", subject: .init(app: Slug("other")), muted: []),
        Row(
            testDescription: "a kind", subject: .init(app: app, kind: .velocity),
            muted: ["velocity rope@2.0 12", "velocity knot@2.0 12", "velocity knot@2.1 0"]),
        Row(
            testDescription: "an issue", subject: .init(issue: "knot"),
            muted: ["velocity knot@2.0 12", "velocity knot@2.1 0"]),
        Row(testDescription: "an unknown issue", subject: .init(issue: "knut"), muted: []),
        Row(
            testDescription: "a version", subject: .init(version: "v2.1.0"), muted: ["velocity knot@2.1 0"]),
        Row(
            testDescription: "an issue in a version", subject: .init(issue: "rope", version: "2.0"),
            muted: ["velocity rope@2.0 12"]),
        Row(
            testDescription: "a provider", subject: .init(kind: .sourceTrouble, source: "files"),
            muted: ["sourceTrouble -1"]),
        Row(
            testDescription: "another provider", subject: .init(kind: .sourceTrouble, source: "play"),
            muted: []),
        Row(
            testDescription: "an alert takes its recovery along", subject: .init(kind: .stability),
            muted: ["stability 4", "recovery 2"], source: long),
        Row(
            testDescription: "until a day: what is about the days before it stays muted",
            subject: .init(issue: "knot"), end: .init(date: .back(0)), muted: ["velocity knot@2.0 12"],
            ended: .back(0)),
        Row(
            testDescription: "until a day to come", subject: .init(issue: "knot"),
            end: .init(date: .back(-2)), muted: ["velocity knot@2.0 12", "velocity knot@2.1 0"]),
        Row(
            testDescription: "until a day long ago", subject: .init(issue: "knot"),
            end: .init(date: .back(30)), muted: [], ended: .back(30)),
        Row(
            testDescription: "until a day on which the drop is still open: it is shown, with its return",
            subject: .init(kind: .stability), end: .init(date: .back(0)), muted: [], ended: .back(0),
            source: long),
        Row(
            testDescription: "until a day on which the drop is over: it stays muted",
            subject: .init(kind: .stability), end: .init(date: .back(-1)),
            muted: ["stability 4", "recovery 2"], ended: .back(-1), source: long),
        Row(
            testDescription: "until the issue is seen in a version", subject: .init(issue: "knot"),
            end: .init(version: "2.0.5"), muted: ["velocity knot@2.0 12"], ended: .back(-1)),
        Row(
            testDescription: "until a version in which the issue was not seen", subject: .init(issue: "rope"),
            end: .init(version: "2.1"), muted: ["velocity rope@2.0 12"]),
        Row(
            testDescription: "until the app is seen in a version", subject: .init(kind: .velocity),
            end: .init(version: "2.1"), muted: ["velocity rope@2.0 12", "velocity knot@2.0 12"],
            ended: .back(-1)),
        Row(
            testDescription: "until the first of a day and a version", subject: .init(issue: "knot"),
            end: .init(date: .back(12), version: "2.1"), muted: [], ended: .back(12)),
        Row(
            testDescription: "until a level of users", subject: .init(kind: .velocity),
            end: .init(level: AlertLevel(users: 120)), muted: ["velocity knot@2.0 12"]),
        Row(
            testDescription: "until a level of share", subject: .init(issue: "rope"),
            end: .init(level: AlertLevel(share: 4)), muted: []),
        Row(
            testDescription: "until a level that is not reached", subject: .init(issue: "rope"),
            end: .init(level: AlertLevel(share: 4.1)), muted: ["velocity rope@2.0 12"]),
        Row(
            testDescription: "until one of two levels", subject: .init(issue: "rope"),
            end: .init(level: AlertLevel(users: 1000, share: 4)), muted: []),
        Row(
            testDescription: "until a drop", subject: .init(kind: .stability),
            end: .init(level: AlertLevel(points: 2.49)), muted: [], source: long),
        Row(
            testDescription: "until a deeper drop", subject: .init(kind: .stability),
            end: .init(level: AlertLevel(points: 2.51)), muted: ["stability 4", "recovery 2"], source: long),
    ])
    func aMuteHolds(row: Row) {
        let activity = activity([.make(0, row.subject, until: row.end)], of: row.source)
        #expect(activity.muted.reversed().map(\.event.brief) == row.muted)
        #expect(activity.uses.first?.ended?.date == row.ended)
        #expect(
            activity.shown.count + activity.muted.count >= Analysis.events(in: index(row.source)).count)
        #expect(Set(activity.shown).isDisjoint(with: activity.muted.map(\.event)))
    }

    private func index(_ source: SourceHistory) -> HistoryIndex {
        HistoryIndex(AppHistory.make(source), asOf: reportTime)
    }

    @Test func theFirstOfTwoMutesCounts() {
        let mutes: [Mute] = [
            .make(0, .init(issue: "rope"), until: .init(date: .back(12))),
            .make(1, .init(issue: "rope")), .make(2, .init(kind: .velocity)),
        ]
        let muted = activity(mutes).muted
        #expect(muted.filter { $0.event.brief.contains("rope") }.map(\.mute.number) == [1])
        #expect(muted.filter { $0.event.brief.contains("knot") }.map(\.mute.number) == [2, 2])
    }

    /// However its version is written, a mute with a level speaks again.
    @Test(arguments: [nil, "2.0", "v2.0.0"]) func aMuteOfAVersionSpeaksAtItsLevel(version: String?) {
        let subject = Mute.Subject(issue: "knot", version: version)
        let shown = activity([.make(0, subject, until: .init(level: AlertLevel(users: 250)))]).shown
        #expect(shown.contains { $0.brief == "velocity knot@2.0 1" })
    }

    /// Neither how many alerts are muted nor that one rose above the level of a mute is for the public.
    @Test func thePublicLearnsNothingOfMutes() {
        let history = AppHistory(app: AppHistory.make().app, sources: [troubled])
        let mute = Mute.make(0, .init(issue: "knot"), until: .init(level: AlertLevel(users: 250)))
        func analysis(_ audience: Audience) -> AppAnalysis {
            AppAnalysis(
                history, targets: .standard, asOf: reportTime,
                control: AlertControl(mutes: [mute], settings: [:]), audience: audience)
        }
        func grounds(_ analysis: AppAnalysis) -> [IssueVelocityAlert.Grounds] {
            analysis.activity.events.compactMap { event in
                if case .velocity(let alert) = event { alert.grounds } else { nil }
            }
        }
        let (team, open) = (analysis(.team), analysis(Audience(.public)))
        #expect(grounds(team).contains(.worseThanMuted) && team.activity.mutedAlerts != nil)
        #expect(!grounds(open).contains(.worseThanMuted) && grounds(open).contains(.hidden))
        #expect(open.activity.mutedAlerts == nil)
    }

    /// What was sent is compared with all alerts, so that a mute corrects nothing, for whichever reader.
    @Test(arguments: [Audience.team, Audience(.public)]) func whatIsMutedIsKnownToCompare(audience: Audience)
    {
        let history = AppHistory(app: AppHistory.make().app, sources: [long])
        func alerts(_ mutes: [Mute]) -> (shown: Set<String>, silenced: Set<String>) {
            let activity = AppAnalysis(
                history, targets: .standard, asOf: reportTime,
                control: AlertControl(mutes: mutes, settings: [:]), audience: audience
            ).activity
            func names(_ events: [Event]) -> Set<String> {
                Set(events.filter { $0.kind.isAlert }.map(\.occasion.id))
            }
            return (names(activity.events), names(activity.silenced))
        }
        let (all, muted) = (alerts([]), alerts([.make(0, .init(kind: .stability))]))
        #expect(all.silenced.isEmpty && muted.silenced.count == 1 && !muted.shown.isEmpty)
        #expect(muted.shown.union(muted.silenced) == all.shown)
    }

    /// The first day of a version is when its new issues come.
    @Test(arguments: [("2.1", 0), ("2.1.0", 0), ("2.0", 0), ("2.2", 1)])
    func whatIsNewInTheVersionThatEndsAMuteIsShown(until: String, muted: Int) {
        let source = SourceHistory.make(
            health: (0...9).map { .make($0, sessions: 1000) }
                + (0...3).map { .make($0, of: "2.1", sessions: 900) },
            issues: [
                Issue(
                    id: "x", title: "X", firstSeen: .noon(back: 3), firstVersion: Version("2.1"),
                    lastVersion: Version("2.1"))
            ],
            issueDays: (0...3).flatMap { [.make("x", $0, of: "2.1"), .make("x", $0)] })
        let mute = Mute.make(0, .init(kind: .newIssue), until: .init(version: until))
        let found = activity([mute], of: source)
        #expect(found.muted.count { $0.event.kind == .newIssue } == muted)
        #expect(found.shown.count { $0.kind == .newIssue } == 1 - muted)
    }

    @Test(
        arguments: [
            (Mute.Subject(kind: .newNote, version: "2.0"), 1), (.init(kind: .newNote, version: "2.1"), 0),
            (.init(kind: .newNote, source: "files"), 2), (.init(kind: .newNote, source: "play"), 0),
        ])
    func notesAreMutedByTheirVersionAndSource(subject: Mute.Subject, muted: Int) {
        let notes = [Note.Subject.release("2.0"), .app].enumerated().map {
            Note(id: "n\($0)", at: .noon(back: 2), author: "A", text: "T", subject: $1)
        }
        let source = SourceHistory.make(health: [.make(sessions: 1000)], notes: notes)
        #expect(activity([.make(0, subject)], of: source).muted.count == muted)
    }

    /// A version without a build is all of its builds; one with a build is that one.
    @Test(arguments: [
        ("2.0", 1), ("v2.0.0", 1), ("2.0 (7)", 1), ("2.0 (8)", 0), ("2.0-beta", 0), ("2.1", 0), ("2", 1),
    ])
    func aVersionWithoutABuildMutesItsBuilds(version: String, muted: Int) {
        let note = Note(id: "n", at: .noon(back: 2), author: "A", text: "T", subject: .release("2.0 (7)"))
        let source = SourceHistory.make(health: [.make(sessions: 1000)], notes: [note])
        let mute = Mute.make(0, .init(kind: .newNote, version: version))
        #expect(activity([mute], of: source).muted.count == muted)
    }

    /// A note may come before the issue that it is about is listed.
    @Test(arguments: [(nil, 1), (.newNote, 1), (.velocity, 0)] as [(EventKind?, Int)])
    func aNoteOnAnIssueThatIsNotListedIsMuted(kind: EventKind?, muted: Int) {
        let note = Note(id: "n", at: .noon(back: 2), author: "A", text: "T", subject: .issue("i6"))
        let source = SourceHistory.make(health: [.make(sessions: 1000)], notes: [note])
        let activity = activity([.make(0, .init(kind: kind, issue: "i6"))], of: source)
        #expect(activity.muted.map(\.event.brief) == (muted == 1 ? ["newNote 2"] : []))
        #expect(activity.uses.map(\.fitting) == [muted])
    }

    /// Three versions with 30 users each, and how many users the issue has in all of them.
    @Test(arguments: [(90, 3), (59, 0), (nil, 0)] as [(Int?, Int)])
    func theUsersOfAnIssueAreThoseOfAllVersions(users: Int?, shown: Int) {
        let source = spread([(4, ["1.0": 30, "1.1": 30, "1.2": 30], users)])
        func rises(_ mutes: [Mute], _ settings: AlertSettings = .standard) -> Int {
            activity(mutes, settings, of: source).shown.count { $0.kind == .velocity }
        }
        let level = AlertLevel(users: 60)
        #expect(rises([.make(0, .init(issue: "x"), until: .init(level: level))]) == shown)
        #expect(rises([], AlertSettings(kinds: [.velocity: .init(least: level)])) == shown)
        // A mute of a version is about that version.
        #expect(rises([.make(0, .init(issue: "x", version: "1.0"), until: .init(level: level))]) == 2)
    }

    /// The users of versions on a day after the muted one, and what is reported of it.
    @Test(
        arguments: [
            (["1.0": 20, "1.1": 20, "1.2": 20], 60, nil, ["velocity x@ 1"]),
            (["1.0": 20, "1.1": 20, "1.2": 20], 60, "1.0", []), (["1.0": 20, "1.1": 20], 40, nil, []),
            (["1.0": 55, "1.1": 5], 60, nil, ["velocity x@1.0 1"]),
            (["1.0": 55, "1.1": 5], 60, "1.0", ["velocity x@1.0 1"]),
        ] as [([String: Int], Int, String?, [String])])
    func aMutedIssueThatGetsWorseInAllVersionsTogetherIsReported(
        versions: [String: Int], users: Int, version: String?, shown: [String]
    ) {
        let source = spread([(9, ["1.0": 30], 30), (1, versions, users)])
        let mute = Mute.make(
            0, .init(issue: "x", version: version), until: .init(level: AlertLevel(users: 50)))
        let activity = activity([mute], of: source)
        #expect(activity.shown.filter { $0.kind == .velocity }.map(\.brief) == shown)
        #expect(activity.muted.contains { $0.event.brief == "velocity x@1.0 9" })
    }

    /// 30 of the 90 users of an issue have the version in which it is new, or back.
    @Test(
        arguments: [
            (EventKind.newIssue, "1.2", true), (.newIssue, nil, false), (.regressed, "1.2", true),
            (.regressed, nil, false),
        ] as [(EventKind, String?, Bool)])
    func aMuteOfAVersionMeasuresTheUsersOfThatVersion(kind: EventKind, version: String?, isMuted: Bool) {
        var source = spread([(4, ["1.2": 30], 90)])
        if kind == .newIssue {
            source.issues[0].firstVersion = Version("1.2")
        } else {
            source.issues = [
                AppHealth.Issue(
                    id: "x", title: "X", state: .closed, firstSeen: .noon(back: 40), fixedIn: Version("0.9"))
            ]
            source.issueStates["x"] = [
                IssueStateChange(capturedAt: .noon(back: 20), state: .closed, fixedIn: Version("0.9"))
            ]
        }
        let activity = activity(
            [
                .make(
                    0, .init(kind: kind, issue: "x", version: version),
                    until: .init(level: AlertLevel(users: 60)))
            ], of: source)
        #expect(activity.muted.contains { $0.event.kind == kind } == isMuted)
        #expect(activity.shown.contains { $0.kind == kind } != isMuted)
    }

    /// An issue with users in versions, and in all of them, on some days. A version has 10,000 sessions a day: 30 users are
    /// 2% of them, others too few for a report.
    private func spread(_ days: [(back: Int, versions: [String: Int], users: Int?)]) -> SourceHistory {
        let labels = ["1.0", "1.1", "1.2"]
        return .make(
            health: (0...9).flatMap { back in
                [.make(back, sessions: 30_000)] + labels.map { .make(back, of: $0, sessions: 10_000) }
            },
            issues: [AppHealth.Issue(id: "x", title: "X", firstSeen: .noon(back: days[0].back))],
            issueDays: days.flatMap { day in
                let ofVersions: [IssueDay] = labels.compactMap { label in
                    day.versions[label].map {
                        .make("x", day.back, of: label, events: $0 == 30 ? 200 : 60, users: $0)
                    }
                }
                let ofAll = day.users.map {
                    IssueDay.make(
                        "x", day.back, events: ofVersions.reduce(0) { $0 + ($1.events ?? 0) }, users: $0)
                }
                return ofVersions + (ofAll.map { [$0] } ?? [])
            })
    }

    /// A mute of an app or a source holds back a drop and its return, or neither; one of returns holds back these.
    @Test(
        arguments: [
            ([(Mute.Subject(app: app), Mute.End(date: .back(0)))], []),
            ([(.init(source: "files"), .init(date: .back(0)))], []),
            ([(.init(app: app), .init(date: .back(-1)))], ["stability 4", "recovery 2"]),
            ([(.init(app: app), .init(level: AlertLevel(points: 2.49)))], []),
            ([(.init(app: app), .init(level: AlertLevel(points: 2.51)))], ["stability 4", "recovery 2"]),
            (
                [(.init(app: app), .init(date: .back(0))), (.init(kind: .recovery), .init())], ["recovery 2"]
            ),
            ([(.init(kind: .recovery), .init()), (.init(app: app), .init(date: .back(0)))], ["recovery 2"]),
        ] as [([(Mute.Subject, Mute.End)], [String])])
    func aReturnIsShownWithItsDrop(mutes: [(Mute.Subject, Mute.End)], muted: [String]) {
        let activity = activity(mutes.enumerated().map { .make($0, $1.0, until: $1.1) }, of: long)
        func briefs(_ events: [Event]) -> Set<String> {
            Set(events.filter { $0.kind == .stability || $0.kind == .recovery }.map(\.brief))
        }
        #expect(briefs(activity.muted.map(\.event)) == Set(muted))
        #expect(briefs(activity.shown) == Set(["stability 4", "recovery 2"]).subtracting(muted))
    }

    /// An issue is marked as muted where what is reported of it is.
    @Test(arguments: [
        (Mute.Subject(issue: "knot"), true), (.init(kind: .velocity, issue: "knot"), true),
        (.init(issue: "knot", source: "files"), true), (.init(kind: .newNote, issue: "knot"), false),
        (.init(kind: .topIssues, issue: "knot"), false), (.init(issue: "knot", version: "2.0"), false),
        (.init(issue: "knot", source: "play"), false), (.init(app: app), false),
    ])
    func anIssueIsMarkedWhereItsReportsAreMuted(subject: Mute.Subject, isMarked: Bool) {
        let history = AppHistory(app: AppHistory.make().app, sources: [troubled])
        let analysis = AppAnalysis(
            history, targets: .standard, asOf: reportTime,
            control: AlertControl(mutes: [.make(0, subject)], settings: [:]))
        #expect(analysis.issues["knot"]?.signals.contains(.muted) == isMarked)
        #expect(analysis.issues["rope"]?.signals.contains(.muted) == false)
    }

    /// The rule fired for version 2.0 once, twelve days back, and that was muted.
    @Test func aMutedIssueThatGetsWorseIsReportedAgain() {
        let mute = Mute.make(0, .init(issue: "knot"), until: .init(level: AlertLevel(users: 250)))
        let reported = activity([mute])
        #expect(reported.muted.map(\.event.brief) == ["velocity knot@2.0 12"])
        let alerts = reported.shown.filter { $0.kind == .velocity }.map(\.brief)
        // The day after is the same rise, of another version, of which the rule reports by itself.
        #expect(alerts == ["velocity knot@2.1 0", "velocity knot@2.0 1", "velocity rope@2.0 12"])
        let rise = reported.shown.first { $0.brief == "velocity knot@2.0 1" }
        #expect(rise?.occasion.id == "sketchbook/velocity/\(CivilDate.back(1))/knot-2.0-1467de3dd2f3")
        guard case .velocity(let alert)? = rise else {
            Testing.Issue.record("\(reported.shown)")
            return
        }
        #expect(alert.version == "2.0" && alert.share?.value == 0.08)
    }

    /// Without sessions there is no alert of a share; the muted event itself is reported then.
    @Test(arguments: [(250, ["newIssue 5"]), (301, [])])
    func withoutSessionsTheMutedEventIsReportedAfterAll(users: Int, reported: [String]) {
        let source = SourceHistory.make(
            issues: [Issue(id: "knot", title: "Knot", firstSeen: .noon(back: 5))],
            issueDays: [.make("knot", 5, users: 10), .make("knot", 1, users: 300)])
        let index = index(source)
        let mute = Mute.make(0, .init(issue: "knot"), until: .init(level: AlertLevel(users: users)))
        let activity = Activity(
            of: events(in: index), in: index, under: AlertControl(mutes: [mute]))
        #expect(activity.shown.filter { $0.kind != .topIssues }.map(\.brief) == reported)
        #expect(activity.muted.count == 1 - reported.count)
    }

    /// A note on a muted issue is never reported in the place of an alert.
    @Test(
        arguments: [
            (Mute.Subject(issue: "knot"), 250, ["velocity 5"], ["newNote 3", "newIssue 5"]),
            (.init(issue: "knot"), 301, [], ["newNote 3", "newIssue 5", "velocity 5"]),
            (.init(kind: .velocity, issue: "knot"), 250, ["newNote 3", "newIssue 5", "velocity 5"], []),
            (.init(kind: .newIssue, issue: "knot"), 250, ["newNote 3", "newIssue 5", "velocity 5"], []),
            (.init(kind: .newNote, issue: "knot"), 250, ["newIssue 5", "velocity 5"], ["newNote 3"]),
        ] as [(Mute.Subject, Int, Set<String>, Set<String>)])
    func aNoteOnAMutedIssueIsNoReportOfIt(
        subject: Mute.Subject, users: Int, shown: Set<String>, muted: Set<String>
    ) {
        let activity = noted(
            [.make(0, subject, until: .init(level: AlertLevel(users: users)))], backs: [3])
        #expect(Set(activity.shown.filter { $0.kind != .topIssues }.map(\.brief)) == shown)
        #expect(Set(activity.muted.map(\.event.brief)) == muted)
    }

    /// A note of the day on which the issue reaches the level hides nothing of it.
    @Test func aNoteOfTheDayOfARiseIsNoReportOfIt() {
        let level = Mute.End(level: AlertLevel(users: 250))
        let mutes: [Mute] = [EventKind.newIssue, .velocity].enumerated().map {
            .make($0, .init(kind: $1, issue: "knot"), until: level)
        }
        let shown = noted(mutes, backs: [1]).shown.filter { $0.kind != .topIssues }
        #expect(Set(shown.map(\.brief)) == ["newNote 1", "newIssue 5", "velocity 5"])
    }

    /// An issue without sessions with an alert as it was raised, which rises to 300 users on the day before the last, and
    /// notes on it of so many days ago.
    private func noted(_ mutes: [Mute], backs: [Int]) -> Activity {
        let notes = backs.map {
            Note(id: "n\($0)", at: .noon(back: $0), author: "A", text: "T", subject: .issue("knot"))
        }
        let index = index(
            .make(
                issues: [Issue(id: "knot", title: "Knot", firstSeen: .noon(back: 5))],
                issueDays: [.make("knot", 5, users: 10), .make("knot", 1, users: 300)], notes: notes))
        let raised = LedgerEntry(
            id: "sketchbook/velocity/\(CivilDate.back(5))/knot", app: Self.app, rule: IssueVelocityRule.id,
            subject: "knot", firstDay: .back(5), lastDay: .back(5), raisedAt: .noon(back: 4), state: .closed,
            sentence: "An issue caused 30 events.", reportedSize: nil)
        return Activity(
            of: events(in: index, ledger: [raised]), in: index, under: AlertControl(mutes: mutes))
    }

    /// What a source without days by release says of the issue that is muted until it is seen in 2.0, which versions it
    /// reported how many days ago, and when the mute ended.
    @Test(
        arguments: [
            (
                Issue(id: "x", title: "X", lastVersion: Version("2.0")), [(9, "1.0"), (5, "2.0")],
                .noon(back: 5)
            ),
            (
                Issue(id: "x", title: "X", lastSeen: .noon(back: 1), lastVersion: Version("2.1")),
                [(9, "1.0"), (5, "2.0"), (2, "2.1")], .noon(back: 5)
            ),
            // A source that takes it back has said so all the same.
            (
                Issue(id: "x", title: "X", lastVersion: Version("1.0")),
                [(9, "1.0"), (5, "2.0"), (2, "1.0")], .noon(back: 5)
            ),
            (
                Issue(
                    id: "x", title: "X", firstSeen: .noon(back: 20), firstVersion: Version("2.0"),
                    lastVersion: Version("2.0")), [(5, "2.0")], .noon(back: 20)
            ),
            (Issue(id: "x", title: "X", lastVersion: Version("1.0")), [(9, "1.0")], nil),
        ] as [(AppHealth.Issue, [(Int, String)], Instant?)], [0, 3])
    func aMuteEndsWhenItsVersionIsFirstReported(
        row: (issue: AppHealth.Issue, reports: [(Int, String)], ended: Instant?), daysLater: Int
    ) {
        var source = SourceHistory.make(
            health: (0...44).map { .make($0, sessions: 20_000, users: 9_000, crashedUsers: 50) },
            issues: [row.issue],
            issueDays: (0...44).map { .make("x", $0, events: $0 == 2 ? 300 : 4, users: nil) })
        source.issueVersions["x"] = row.reports.map {
            IssueVersionChange(capturedAt: .noon(back: $0), version: Version($1))
        }
        let mute = Mute.make(0, .init(issue: "x"), until: .init(version: "2.0"))
        let activity = activity([mute], of: source, asOf: reportTime.advanced(bySeconds: daysLater * 86_400))
        #expect(activity.uses.first?.ended == row.ended)
        func rises(_ events: [Event]) -> [CivilDate] {
            events.filter { $0.kind == .velocity }.map(\.occasion.day)
        }
        #expect(rises(activity.shown) == (row.ended == nil ? [] : [.back(2)]))
        #expect(rises(activity.muted.map(\.event)) == (row.ended == nil ? [.back(2)] : []))
    }

    @Test func aRiseAfterTheEndOfAMuteIsNotMadeUp() {
        let mute = Mute.make(
            0, .init(issue: "knot"), until: .init(date: .back(5), level: AlertLevel(users: 250)))
        let alerts = activity([mute]).shown.filter { $0.kind == .velocity }.map(\.brief)
        #expect(alerts == ["velocity knot@2.1 0", "velocity rope@2.0 12"])
    }
    /// An incident that gets worse: how far the rate dropped at first and then, in percentage points, the least level, and which
    /// days with a drop and which return are reported.
    @Test(
        arguments: [
            (2.6, 4.9, 0.0, [60, 18], [11]), (2.6, 4.9, 3, [18], [11]), (3.1, 6.2, 3, [60, 18], [11]),
            (2.6, 4.9, 6, [], []),
        ] as [(Double, Double, Double, [Int], [Int])])
    func aDropThatFollowsAnotherIsMeasuredFromWhereTheFirstBegan(
        first: Double, second: Double, least: Double, drops: [Int], recoveries: [Int]
    ) {
        let health = (0..<170).map { back -> HealthDay in
            let points = back > 60 || back < 12 ? 0 : back > 18 ? first : second
            let crashed = 40 + back * 37 % 7 + Int((points * 100).rounded())
            return .make(back, sessions: 10_000, crashed: crashed)
        }
        let settings = AlertSettings(kinds: [.stability: .init(least: AlertLevel(points: least))])
        let reported = activity([], settings, of: .make(health: health)).shown
        #expect(reported.filter { $0.kind == .stability }.map(\.back) == drops.reversed())
        #expect(reported.filter { $0.kind == .recovery }.map(\.back) == recoveries)
    }

    /// A second drop that is less than the first, which had nearly come back, is below the level: their return is not.
    @Test func aReturnIsReportedWhereAnyOfItsDropsIs() {
        let health = (0..<170).map { back -> HealthDay in
            let points = back > 60 || back < 12 ? 0 : back > 40 ? 400 : back > 18 ? 150 : 300
            return .make(back, sessions: 10_000, crashed: 40 + back * 37 % 7 + points)
        }
        let settings = AlertSettings(kinds: [.stability: .init(least: AlertLevel(points: 3.5))])
        let reported = activity([], settings, of: .make(health: health))
        #expect(reported.shown.filter { $0.kind == .stability }.map(\.back) == [60])
        #expect(reported.hidden.contains { $0.kind == .stability && $0.day == .back(18) })
        #expect(reported.shown.filter { $0.kind == .recovery }.map(\.back) == [11])
    }

    /// A mute of a build is one of the label without it, where that is not known to be of another build, and a mute without
    /// one is of every build.
    @Test(arguments: [
        ("3.7.0 (371)", "3.7.0", "", true), ("v3.7 (371)", "3.7.0", "", true),
        ("3.7.0 (371)", "3.7.0", "371", true), ("3.7.0 (371)", "3.7.0", "370", false),
        ("3.7.0 (371)", "3.7.0 (371)", "", true), ("3.7.0 (371)", "3.7.0 (370)", "", false),
        ("3.7.0 (371)", "3.7.1", "", false), ("3.7.0 (beta)", "3.7.0", "", false),
        ("3.7.0", "3.7.0 (371)", "", true), ("3.7.0", "3.7.0 (beta)", "", false),
        ("3.7.0", "3.7.0", "371", true),
    ])
    func aMuteOfABuildFitsItsVersion(version: String, label: String, build: String, fits: Bool) {
        let seen = Version(label, build: build)
        let source = SourceHistory.make(
            health: (0...9).map { .make($0, sessions: 1000) }
                + (0...3).map { .make($0, of: label, sessions: 900) },
            issues: [
                Issue(id: "x", title: "X", firstSeen: .noon(back: 3), firstVersion: seen, lastVersion: seen)
            ],
            issueDays: (0...3).flatMap { [.make("x", $0, of: label), .make("x", $0)] })
        let found = activity([.make(0, .init(kind: .newIssue, version: version))], of: source)
        #expect(found.muted.count { $0.event.kind == .newIssue } == (fits ? 1 : 0))
        #expect(found.shown.count { $0.kind == .newIssue } == (fits ? 0 : 1))
    }

    /// Labels that are no number end no mute, and neither does another line.
    @Test(arguments: [
        ("4.3.1", true), ("4.3.1 (12)", true), ("5.0", true), ("4.3.0", false), ("unknown", false),
        ("HEAD", false),
        ("nightly-20261001", false), ("4.3.1rc1", false), ("9f3c2a1", false),
    ])
    func aMuteEndsWithTheVersionAlone(label: String, ends: Bool) {
        let source = SourceHistory.make(
            health: [
                .make(3, of: "4.2.0", sessions: 900), .make(3, of: label, sessions: 20),
                .make(3, sessions: 920),
            ],
            issues: [AppHealth.Issue(id: "x", title: "X")], issueDays: [.make("x", 3, of: label)])
        for subject in [Mute.Subject(issue: "x"), .init(kind: .velocity)] {
            let use = activity([.make(0, subject, until: .init(version: "4.3.1"))], of: source).uses.first
            #expect((use?.ended != nil) == ends)
        }
    }
}
