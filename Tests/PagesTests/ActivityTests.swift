import Alerts
import AppHealth
import HistoryFixtures
import Pages
import Templates
import Testing

struct ActivityTests {
    /// A report with an event of every kind.
    private static let report = AppReport(
        AppHistory(app: AppHistory.make().app, sources: [source], ledger: [withdrawn]), targets: .standard,
        asOf: reportTime)

    private static let withdrawn = LedgerEntry(
        id: "sketchbook/stability/2016-01-20", app: Slug(anyText: "sketchbook"), rule: "stability",
        subject: "", firstDay: .back(7), lastDay: .back(7), raisedAt: .noon(back: 6), state: .withdrawn,
        told: "It fell.", toldSize: nil)

    private static let source = SourceHistory.make(
        failure: timeout,
        health: [
            .make(2, sessions: 10_000, users: 10_000, crashedUsers: 50),
            .make(1, sessions: 10_000, users: 10_000, crashedUsers: 233),
            .make(0, sessions: 10_000, users: 10_000, crashedUsers: 55),
        ],
        issues: ["a", "b", "c", "d"].map {
            Issue(id: $0, title: "", firstSeen: .noon(back: 0), fixedIn: $0 == "b" ? Version("1.0") : nil)
        },
        issueDays: ["a", "c", "d"].map { .make($0, events: 400, users: 40) } + [.make("b", of: "1.1")],
        notes: [Note(id: "1", at: .noon(back: 0), author: "", text: "", subject: .issue("unknown"))])

    private static let entries = ActivityPage(report, site: site).days.flatMap(\.entries)

    @Test func daysAndTheirEventsAreNewestFirst() {
        let page = ActivityPage(Self.report, site: site)
        #expect(
            page.days.map(\.date) == ["2016-01-28", "2016-01-27", "2016-01-26", "2016-01-25", "2016-01-20"])
        #expect(page.days.first?.dateText == "Thu 28 Jan 2016")
        #expect(page.days.allSatisfy { day in day.entries.allSatisfy { $0.date == day.date } })
        #expect(Self.entries.count == Self.report.events.count)
    }

    @Test(arguments: zip(EventKind.allCases, EventEntry.views.map { $0.modelName }))
    func everyKindHasItsView(kind: EventKind, view: String) throws {
        let entry = try #require(Self.entries.first { $0.kind == kind.rawValue })
        #expect(type(of: entry.view).modelName == view)
        #expect(entry.isAlert == kind.isAlert)
    }

    @Test func anchorsAreUniqueAndSafe() {
        let anchors = Self.entries.map(\.anchor)
        #expect(Set(anchors).count == anchors.count)
        #expect(anchors.allSatisfy { Slug($0) != nil })
        #expect(anchors.contains("sketchbook-stability-2016-01-26"))
    }

    @Test func stabilityAlertGivesBothRates() throws {
        let alert = try #require(Self.entries.compactMap { $0.view as? StabilityAlertView }.first)
        #expect(plain(alert.before) == "99.50 % (99.34–99.62)")
        #expect(plain(alert.after) == "97.67 % (97.36–97.95)")
        #expect(plain(alert.change) == "−1.83 pp")
        #expect(alert.dayStem == "../../../apps/sketchbook/days/2016-01-26/index")
    }

    @Test func summaryNamesThreeIssues() throws {
        let summary = try #require(Self.entries.compactMap { $0.view as? TopIssuesSummaryView }.first)
        #expect(summary.issues.count == 3 && summary.issues.allSatisfy { $0.title == "(no title)" })
        #expect(plain(summary.coverage) == "72.7 % of the 55 users who met a crash were hit by 1 issue.")
    }

    @Test func noteOnAnUnknownIssueLeadsNowhere() throws {
        let note = try #require(Self.entries.compactMap { $0.view as? NewNoteView }.first?.note)
        #expect(note.subject == "issue unknown" && note.stem == nil && note.author == "Somebody")
        #expect(note.written == "Wed 27 Jan 2016, 12:00 UTC")
    }

    @Test func troubleOnADayWithoutAPageLeadsToTheSources() throws {
        let trouble = try #require(Self.entries.compactMap { $0.view as? SourceTroubleView }.first)
        #expect(trouble.healthStem == "../../../health/index")
        #expect(trouble.why.diagnostic == timeout)
    }

    @Test func overviewLeavesOutTheDailySummaries() {
        let page = AppPage(Self.report, site: site)
        #expect(page.events.count == 8)
        #expect(page.events.allSatisfy { $0.kind != EventKind.topIssues.rawValue })
    }
}
