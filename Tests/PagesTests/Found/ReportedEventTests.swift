import Analysis
import AppHealth
import Diagnostics
import HistoryFixtures
import Pages
import Testing

struct ReportedEventTests {
    @Test(
        arguments: [(0, true), (9, true), (10, true), (11, false), (400, false), (nil, false)]
            as [(Int?, Bool)])
    func issueIsNewWithinTheDaysOfTheArchive(back: Int?, isNew: Bool) {
        let issue = Issue(id: "a", title: "A", firstSeen: back.map { .noon(back: $0) })
        let source = SourceHistory.make(health: [.make(10), .make(0)], issues: [issue])
        #expect(found(by: NewIssueRule(), in: source).map(\.back) == (isNew ? [back] : []))
    }

    @Test func issueFromTheFutureIsNotNewYet() {
        let issues = [1, 6 * 3600 + 1800, 6 * 3600 + 1801].map {
            Issue(id: "\($0)", title: "", firstSeen: Instant(startOf: .back(-1)).advanced(bySeconds: $0))
        }
        let source = SourceHistory.make(health: [.make(0)], issues: issues)
        #expect(
            found(by: NewIssueRule(), in: source).map(\.sentence) == [
                "New issue detected in issue 1.", "New issue detected in issue 23400.",
            ])
    }

    @Test func issueOfASourceThatDoesNotSayIsNewWhenTheArchiveNeverSawIt() {
        let issues = ["old", "early", "late"].map { Issue(id: $0, title: $0) }
        let days: [IssueDay] = [.make("old", 60), .make("early", 40), .make("late", 5), .make("late", 3)]
        let source = SourceHistory.make(health: (0...60).map { .make($0) }, issues: issues, issueDays: days)
        #expect(found(by: NewIssueRule(), in: source).map(\.back) == [5])
        #expect(found(by: NewIssueRule(settledAfter: 10), in: source).map(\.back) == [40, 5])
    }

    @Test func issueThatTheArchiveKnewBeforeIsNotNew() {
        let issue = Issue(id: "a", title: "A", firstSeen: .noon(back: 3))
        let source = SourceHistory.make(
            health: (0...60).map { .make($0) }, issues: [issue], issueDays: [.make("a", 20), .make("a", 3)])
        #expect(found(by: NewIssueRule(), in: source).isEmpty)
    }

    @Test func archiveWithoutDaysHasNoNewIssue() {
        let issue = Issue(id: "a", title: "A", firstSeen: .noon(back: 3))
        #expect(found(by: NewIssueRule(), in: .make(issues: [issue])).isEmpty)
    }

    @Test func archiveWithDaysOfIssuesAloneHasNewIssues() {
        let issues = [3, 1].map { Issue(id: "a\($0)", title: "A", firstSeen: .noon(back: $0)) }
        let source = SourceHistory.make(
            knows: [.issues, .issueDays], issues: issues, issueDays: [.make("a1", 1), .make("b", 2)])
        #expect(found(by: NewIssueRule(), in: source).map(\.back) == [1])
    }

    @Test(arguments: [
        (Note.Subject.app, "Josh", "Josh added a note to Sketchbook."),
        (.release("4.2.1"), "Josh", "Josh added a note to release 4.2.1."),
        (.day(CivilDate(daysSinceEpoch: 20_776)), "Josh", "Josh added a note to Thu, Nov 19, 2026."),
        (.issue("a"), "Josh", "Josh added a note to an issue in Atomic.swift line 54."),
        (.issue("gone"), "", "Somebody added a note to issue gone."),
    ])
    func noteIsReported(subject: Note.Subject, author: String, sentence: String) {
        let issue = Issue(id: "a", title: "A", place: CodePlace(file: "Sources/Atomic.swift", line: 54))
        let notes = [0, 1].map { id in
            Note(
                id: "\(id)", at: reportTime.advanced(bySeconds: id), author: author, text: "Looking at it",
                subject: subject)
        }
        // The second note was written after the instant of the report.
        #expect(
            found(by: NewNoteRule(), in: .make(issues: [issue], notes: notes)).map(\.sentence) == [sentence])
    }

    @Test func notesOfTwoSourcesAreKeptApart() {
        let note = Note(id: "1", at: .noon(back: 0), author: "Josh", text: "", subject: .app)
        let events = found(
            by: NewNoteRule(), in: .make("files", notes: [note]), .make("bugsnag", notes: [note]))
        #expect(Set(events.map(\.occasion.id)).count == 2)
    }

    @Test(
        arguments: [
            (nil, timeout, "Couldn't fetch 'files'. No data yet."),
            (
                Instant.noon(back: 1), timeout,
                "Couldn't fetch 'files'. Last good data: Tue, Jan 26, 2016."
            ),
            (.noon(back: 1), nil, nil), (nil, nil, nil),
        ] as [(Instant?, Diagnostic?, String?)])
    func sourceInTroubleIsReported(capturedAt: Instant?, failure: Diagnostic?, sentence: String?) {
        let events = found(by: SourceFailureRule(), in: .make(capturedAt: capturedAt, failure: failure))
        #expect(events.map(\.sentence) == [sentence].compactMap(\.self))
    }

    /// One entry for each outage, by its first failed attempt; it changes when it is over and when it begins again, and its
    /// time never goes back.
    @Test(
        arguments: [
            (0, 0, nil, "Couldn't fetch 'files'. Last good data: Tue, Jan 26, 2016.", 0, 1),
            (0, 7, nil, "Couldn't fetch 'files'. Last good data: Tue, Jan 26, 2016.", 7, 1),
            (
                0, 0, 26,
                "Couldn't fetch 'files' from Sat, Jan 9, 2016, 12:00 UTC until Sun, Jan 10, 2016, 14:00 UTC.",
                26, 0
            ),
        ] as [(Int, Int, Int?, String, Int, Int)])
    func outageIsOneEntry(first: Int, resumed: Int, end: Int?, sentence: String, updated: Int, open: Int)
        throws
    {
        func at(_ hours: Int) -> Instant { Instant.noon(back: 18).advanced(bySeconds: hours * 3600) }
        var source = SourceHistory.make(
            capturedAt: .noon(back: 0), failure: end == nil ? timeout : nil, health: [.make(0), .make(1)])
        source.outages = [
            Outage(first: at(first), resumed: at(resumed), end: end.map(at), why: timeout)
        ]
        let analysis = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let event = try #require(analysis.activity.events.first { $0.kind == .sourceTrouble })
        #expect(event.occasion.id == "sketchbook/source-trouble/2016-01-09/files")
        #expect(event.occasion.at == at(first) && event.sentence == sentence)
        #expect(analysis.record(of: event).updated == at(updated))
        #expect(analysis.activity.openAlerts == open)
        #expect(analysis.activity.events.count { $0.kind == .sourceTrouble } == 1)
    }

    @Test func sourceThatWasNeverFetchedIsNoTrouble() {
        #expect(found(by: SourceFailureRule(), in: SourceHistory(source: .make())).isEmpty)
    }

    @Test(
        arguments: [
            (CodePlace(file: "a/Atomic.swift", line: 54), "T", "Atomic.swift line 54"),
            (CodePlace(file: "Atomic.swift", line: nil), "T", "Atomic.swift"),
            (CodePlace(file: "", line: 3), "T", "“T”"),
            (nil, "T", "“T”"), (nil, "", "issue a"), (CodePlace(file: "", line: nil), "", "issue a"),
        ] as [(CodePlace?, String, String)])
    func issueIsNamedByItsPlaceThenByItsTitle(place: CodePlace?, title: String, label: String) {
        #expect(Issue(id: "a", title: title, place: place).label == label)
    }
}
