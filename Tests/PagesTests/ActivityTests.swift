import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Templates
import Testing

struct ActivityTests {
    /// A report with an event of every kind.
    private static let report = AppAnalysis(
        AppHistory(app: AppHistory.make().app, sources: [source], ledger: [withdrawn]), targets: .standard,
        asOf: reportTime)

    private static let withdrawn = LedgerEntry(
        id: "sketchbook/stability/2016-01-20", app: Slug(anyText: "sketchbook"), rule: "stability",
        subject: "", firstDay: .back(7), lastDay: .back(7), raisedAt: .noon(back: 6), state: .withdrawn,
        sentence: "It fell.", reportedSize: nil)

    private static let source = SourceHistory.make(
        failure: timeout,
        health: (0...90).map { back in
            .make(
                back, sessions: 10_000, users: 10_000,
                crashedUsers: back == 20 ? 233 : back == 0 ? 55 : 50)
        } + [
            .make(2, of: "1.0", sessions: 10_000, crashed: 20),
            .make(0, of: "1.1", sessions: 5000, crashed: 1000),
        ],
        usage: (0...90).map { UsageDay(date: .back($0), activeUsers: $0 == 5 ? 8000 : 10_000) },
        issues: ["a", "b", "c", "d"].map {
            Issue(id: $0, title: "", firstSeen: .noon(back: 0), fixedIn: $0 == "b" ? Version("1.0") : nil)
        },
        issueDays: ["a", "c", "d"].map { .make($0, events: 400, users: 40) } + [.make("b", of: "1.1")],
        notes: [Note(id: "1", at: .noon(back: 0), author: "", text: "", subject: .issue("unknown"))])

    private static let entries = AppPages(report, site: site).activity(newest: .max).days.flatMap(\.entries)

    @Test func daysAndTheirEventsAreNewestFirst() {
        let page = AppPages(Self.report, site: site).activity(newest: .max)
        #expect(page.days.prefix(2).map(\.date) == ["2016-01-28", "2016-01-27"])
        #expect(page.days.map(\.date) == page.days.map(\.date).sorted(by: >))
        #expect(page.days.first?.dateText == "Thu, Jan 28, 2016")
        #expect(page.days.allSatisfy { day in day.entries.allSatisfy { $0.date == day.date } })
        #expect(Self.entries.count == Self.report.activity.events.count)
    }

    @Test func firstPageShowsTheNewestDaysAndLeadsToAllWeeks() {
        let page = AppPages(Self.report, site: site).activity()
        #expect(page.days.count == ActivityPage.newestDays)
        #expect(page.days.first?.date == "2016-01-28" && page.week == nil)
        #expect(page.span == "Latest 14 of 92 days with activity. Older ones by week.")
        #expect(page.weeks.first?.title == "2016-W04" && page.weeks.first?.stem == "2016-W04/index")
        #expect(page.weeks.count == 14 && page.nextStem == nil && page.previousStem == nil)
    }

    @Test func everyEventStaysOnThePageOfItsWeek() throws {
        let weeks = Self.report.activity.weeks.map {
            ($0, AppPages(Self.report, site: site).activity(in: $0))
        }
        #expect(
            weeks.flatMap(\.1.days).map(\.date)
                == AppPages(Self.report, site: site).activity(newest: .max).days.map(\.date))
        for (week, page) in weeks {
            #expect(page.week == "Week \(week.number) of \(week.year)")
            #expect(page.frame.stem == "apps/sketchbook/activity/\(week)/index")
            for entry in page.days.flatMap(\.entries) {
                #expect(entry.stayStem == "index")
                let first = try #require(Self.entries.first { $0.anchor == entry.anchor })
                #expect(first.stayStem == "\(week)/index")
            }
        }
        let second = try #require(weeks.dropFirst().first).1
        #expect(second.nextStem == "../2016-W04/index" && second.previousStem == "../2016-W02/index")
        #expect(weeks.first?.1.nextStem == nil && weeks.last?.1.previousStem == nil)
    }

    @Test(arguments: zip(EventKind.allCases, EventEntry.views.map { $0.modelName }))
    func everyKindHasItsView(kind: EventKind, view: String) throws {
        let entry = try #require(Self.entries.first { $0.kind == kind.title })
        #expect(type(of: entry.view).modelName == view)
        #expect(entry.isAlert == kind.isAlert)
    }

    @Test func anchorsAreUniqueAndSafe() {
        let anchors = Self.entries.map(\.anchor)
        #expect(Set(anchors).count == anchors.count)
        #expect(anchors.allSatisfy { Slug($0) != nil })
        #expect(anchors.contains("sketchbook-stability-2016-01-07"))
    }

    @Test func stabilityAlertStatesItsReasons() throws {
        let alert = try #require(Self.entries.compactMap { $0.view as? StabilityAlertView }.first)
        #expect(plain(alert.change) == "−1.83 pp (−2.14 to −1.55)")
        #expect(alert.state == "recovered on Fri, Jan 8, 2016 after 1 day")
        #expect(
            alert.facts.map { "\($0.name): \(plain($0.value) ?? "")" } == [
                "Change: −1.83 pp (−2.14 to −1.55)",
                "Expected: 99.50% (56 days, 560,000 user-days)",
                "Observed: 97.67% (97.36–97.95) of 10,000 users",
                "Duration: 1 day, Jan 7, 2016",
                "State: recovered on Fri, Jan 8, 2016 after 1 day",
                "Expected false alarms: about 0.9 a year",
            ])
        #expect(alert.dayStem == "../days/2016-01-07/index")
    }

    @Test func usageAnomalyStatesWhatWasExpected() throws {
        let anomaly = try #require(Self.entries.compactMap { $0.view as? UsageAnomalyView }.first)
        #expect(anomaly.sentence.hasPrefix("Active users were 20% below the expected level"))
        #expect(anomaly.facts.map(\.name) == ["Expected", "Duration", "Expected false alarms"])
        #expect(anomaly.dayStem == "../days/2016-01-22/index")
    }

    @Test func velocityAlertOfANewIssueSaysThatItHasNoPast() throws {
        let alert = try #require(Self.entries.compactMap { $0.view as? IssueVelocityAlertView }.first)
        #expect(
            alert.facts.map { plain($0.value) }.prefix(2) == ["4.00% (3.63–4.40) of 10,000 sessions", "40"])
        #expect(alert.facts.last?.value == "none (new issue)")
    }

    @Test func summaryNamesThreeIssues() throws {
        let summary = try #require(Self.entries.compactMap { $0.view as? TopIssuesSummaryView }.first)
        #expect(summary.issues.count == 3 && summary.issues.allSatisfy { $0.title == "(no title)" })
        #expect(plain(summary.coverage) == "The top issue accounts for 72.7% of 55 affected users.")
    }

    @Test func noteOnAnUnknownIssueLeadsNowhere() throws {
        let note = try #require(Self.entries.compactMap { $0.view as? NewNoteView }.first?.note)
        #expect(note.subject == "issue unknown" && note.stem == nil && note.author == "Somebody")
        #expect(note.written == "Wed, Jan 27, 2016, 12:00 UTC")
    }

    @Test func troubleOnADayWithoutAPageLeadsToTheSources() throws {
        let trouble = try #require(Self.entries.compactMap { $0.view as? SourceFailureView }.first)
        #expect(trouble.sourcesStem == "../../../sources/index")
        #expect(trouble.why.diagnostic == timeout)
    }

    @Test func overviewLeavesOutTheDailySummaries() {
        let page = AppPages(Self.report, site: site).overview
        #expect(page.events.count == 6)
        #expect(page.events.allSatisfy { $0.kind != EventKind.topIssues.rawValue })
    }
}
