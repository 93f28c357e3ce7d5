import Analysis
import AppHealth
import Diagnostics
import HistoryFixtures
import Pages
import Templates
import Testing

struct MutedTests {
    private static func report(
        _ mutes: [Mute.Subject], _ settings: AlertSettings = .standard, nightsDown: Int = 1
    ) -> AppAnalysis {
        let source = SourceHistory.make(
            failure: timeout,
            health: .quietPast(
                before: max(2, nightsDown), from: 40, sessions: 10_000, users: 10_000, crashedUsers: 50)
                + (0...max(2, nightsDown)).map {
                    .make($0, sessions: 10_000, users: 10_000, crashedUsers: $0 < nightsDown ? 300 : 50)
                },
            issues: ["a", "b", "c", "d"].map { Issue(id: $0, title: "T \($0)", firstSeen: .noon(back: 0)) },
            issueDays: ["a", "b"].map { .make($0, events: 400, users: 40) })
        let app = AppHistory.make().app
        let all = mutes.enumerated().map {
            Mute(
                number: $0, $1, until: .init(date: .back(-9)), by: "Ana", why: "known",
                at: .file(path: "mutes.yml", line: 1))
        }
        return AppAnalysis(
            AppHistory(app: app, sources: [source]), targets: .standard, asOf: reportTime,
            control: AlertControl(mutes: all, settings: [app.id: settings]))
    }

    private static let whole = report([])
    private static let muted = report([.init(issue: "a"), .init(kind: .stability)])

    @Test func nothingIsFoldedWithoutMutes() {
        #expect(
            AppPages(Self.whole, site: site).activity().days.allSatisfy {
                $0.muted == nil && $0.hidden.isEmpty
            })
        let page = AppPages(Self.whole, site: site).overview
        #expect(page.muted == nil && page.mutes.isEmpty)
        #expect(daySummary(of: lastDay, Self.whole, site.outwardLinks, isDemo: false).muted.isEmpty)
    }

    @Test func activityFoldsMutedEvents() throws {
        let days = AppPages(Self.muted, site: site).activity(newest: .max).days
        let day = try #require(days.first { $0.date == "2016-01-27" })
        let fold = try #require(day.muted)
        #expect(fold.title == "Muted (3)")
        #expect(Set(fold.entries.map(\.kind)) == ["Stability Alert", "Issue Velocity Alert", "New Issue"])
        #expect(fold.entries.allSatisfy { $0.by == "Ana" && $0.why == "known" })
        #expect(fold.entries.allSatisfy { $0.until == "until Fri, Feb 5, 2016" })
        #expect(!day.entries.contains { $0.kind == "Stability Alert" })
        let entries = days.reduce(0) { $0 + $1.entries.count + ($1.muted?.entries.count ?? 0) }
        #expect(entries == Self.whole.activity.events.count)
    }

    @Test func aDayOfMutedEventsKeepsItsPage() {
        let days = AppPages(Self.report([.init(kind: .sourceTrouble)]), site: site).activity().days
        #expect(days.first?.date == "2016-01-28")
        #expect(days.first?.entries.isEmpty == true && days.first?.muted?.entries.count == 1)
    }

    @Test func everyPageOfTheThingFoldsIt() throws {
        let issue = try #require(Self.muted.issues["a"])
        let page = AppPages(Self.muted, site: site).issue(issue)
        #expect(page.events.isEmpty && page.muted?.title == "Muted (2)")
        #expect(page.signals == ["muted", "rising"])
        #expect(AppPages(Self.muted, site: site).day(lastDay).muted?.title == "Muted (3)")
        let app = AppPages(Self.muted, site: site).overview
        #expect(app.muted?.title == "Muted (3)")
        #expect(
            app.mutes.map(\.what) == ["All activity, issue a, all apps", "Stability Alert, all apps"])
        #expect(app.mutes.map(\.count) == ["2 events", "1 event"])
        let summary = daySummary(of: lastDay, Self.muted, site.outwardLinks, isDemo: false)
        #expect(summary.foldedTitle.hasSuffix(" · Muted events (3)"))
        #expect(!summary.sentences.contains { $0.contains("dropped") })
    }

    @Test func mutedAlertsAreNoOpenAlertsAndAreInNoFeed() {
        let (whole, muted) = (AppSummaryRow(Self.whole), AppSummaryRow(Self.muted))
        #expect(whole.openAlerts == 4 && whole.mutedAlerts == 0)
        #expect(muted.openAlerts == 2 && muted.mutedAlerts == 2)
        let gone = Set(whole.feed.map(\.id)).subtracting(muted.feed.map(\.id))
        #expect(gone == Set(Self.muted.activity.activity.muted.map(\.event.occasion.id)))
        #expect(gone.count == 3 && muted.feed.count == whole.feed.count - 3)
        #expect(muted.muteUses.map(\.muting) == [2, 1])
    }

    @Test func anAlertThatIsStillOpenIsCountedHoweverLongAgoItBegan() {
        let rows = [[], [Mute.Subject(kind: .stability)]].map {
            AppSummaryRow(Self.report($0, nightsDown: 12))
        }
        #expect(rows.map(\.openAlerts) == [rows[1].openAlerts + 1, rows[1].openAlerts])
        #expect(rows.map(\.mutedAlerts) == [0, 1])
    }

    @Test func summariesOfDaysStayThoughTheirKindIsTurnedOff() {
        let report = Self.report(
            [], .init(kinds: [.topIssues: .init(isOn: false), .newIssue: .init(limit: 1)]))
        #expect(!report.activity.events.contains { $0.kind == .topIssues })
        #expect(AppPages(report, site: site).day(lastDay).issues.count == 2)
        let page = AppPages(report, site: site).activity()
        #expect(page.hidden == ["41 Top Issues Summaries hidden (turned off)"])
        #expect(
            page.days.first { $0.date == "2016-01-27" }?.hidden == [
                "3 more New Issues hidden (limit 1 a day)"
            ])
        #expect(
            AppPages(report, site: site).day(lastDay).hidden == ["3 more New Issues hidden (limit 1 a day)"])
    }

    /// Three issues begin on a day, an old one comes back in a release; the settings choose what is reported of that.
    @Test(
        arguments: [
            (.standard, [], 3), (.init(kinds: [.newIssue: .init(limit: 2)]), [], 3),
            (.init(kinds: [.newIssue: .init(isOn: false), .regressed: .init(isOn: false)]), [], 3),
            (
                .init(kinds: [
                    .newIssue: .init(least: .init(users: 50)), .regressed: .init(least: .init(users: 50)),
                ]), [], 3
            ),
            (.init(show: .alerts), [], 3), (.init(show: .alerts), [.init(issue: "new-1")], 2),
            (.standard, [.init(issue: "new-1")], 2),
        ] as [(AlertSettings, [Mute.Subject], Int)])
    func settingsChangeNoFacts(settings: AlertSettings, mutes: [Mute.Subject], new: Int) throws {
        var source = SourceHistory.make(
            health: (0..<60).flatMap {
                [.make($0, sessions: 9000, crashed: 9), .make($0, of: "2.0", sessions: 9000, crashed: 9)]
            },
            releases: [Release(version: Version("2.0"), releasedAt: .noon(back: 59))],
            issues: (0..<3).map { Issue(id: "new-\($0)", title: "New \($0)", firstSeen: .noon(back: 0)) } + [
                Issue(id: "old", title: "Old", firstSeen: .noon(back: 90))
            ],
            issueDays: (0..<3).map { .make("new-\($0)") } + [.make("old"), .make("old", of: "2.0")])
        source.issueStates["old"] = [
            IssueStateChange(capturedAt: .noon(back: 20), state: .open, fixedIn: nil),
            IssueStateChange(capturedAt: .noon(back: 9), state: .closed, fixedIn: Version("2.0")),
        ]
        let history = AppHistory(app: AppHistory.make().app, sources: [source])
        let report = AppAnalysis(
            history, targets: .standard, asOf: reportTime,
            control: AlertControl(
                mutes: mutes.enumerated().map { .make($0, $1) }, settings: [history.app.id: settings]))
        let summary = daySummary(of: lastDay, report, .absent, isDemo: false)
        #expect(summary.foldedTitle.hasPrefix("Regressed (1) · New (\(new))"))
        #expect(report.issues.all.count { $0.signals.contains(.new) } == new)
        #expect(report.issues.all.count { $0.signals(on: lastDay).contains(.new) } == new)
        #expect(report.issues["old"]?.signals.contains(.regressed) == true)
        let release = try #require(report.releases["2.0"])
        #expect(AppPages(report, site: site).release(release).regressedIssues.map(\.title) == ["Old"])
        #expect(report.day(lastDay).quiet == nil)
    }

    /// Of thousands of issues that begin on one day a summary names some, and counts all.
    @Test func summaryCountsMoreThanItNames() {
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 9000, crashed: 9) },
            issues: (0..<1_200).map { Issue(id: "new-\($0)", title: "", firstSeen: .noon(back: 0)) })
        let summary = daySummary(of: lastDay, .make(source), .absent, isDemo: false)
        #expect(summary.foldedTitle == "New (1,200)")
        #expect(
            summary.folded.map(\.issues.count) == [100] && summary.folded.map(\.more) == ["and 1,100 more"])
    }

    @Test func healthPageReportsMutes() {
        let reported = SourcesPage([], mutes: [timeout], site: site)
        #expect(reported.mutes.map(\.diagnostic) == [timeout])
        #expect(SourcesPage([], site: site).mutes.isEmpty)
    }
}
