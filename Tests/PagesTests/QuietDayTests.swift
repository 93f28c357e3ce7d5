import Analysis
import AppHealth
import Diagnostics
import Formatting
import HistoryFixtures
import Testing

@testable import Pages

struct QuietDayTests {
    private static func history(
        crashed: Int = 5, notes: [Note] = [], back: Int = 0, days: Int = 30, partly fact: CoveredFact? = nil
    ) -> SourceHistory {
        var source = whole(crashed: crashed, notes: notes, back: back, days: days)
        if let fact {
            let all = CoveredFact.allCases.map {
                fact == $0 ? part(of: $0) : CoverageSpan($0, lastDay...lastDay)
            }
            source.coverage = CoverageHistory(all)
        }
        return source
    }

    private static func part(of fact: CoveredFact) -> CoverageSpan {
        CoverageSpan(fact, lastDay...lastDay, .partial(counted: 1, of: 20))
    }

    private static func whole(crashed: Int, notes: [Note], back: Int, days: Int) -> SourceHistory {
        .make(
            capturedAt: reportTime,
            health: (0..<days).map {
                .make(
                    back + $0, sessions: 52_149, crashed: 30, users: 20_000,
                    crashedUsers: $0 == 0 ? crashed : 5)
            },
            releases: [Release(version: Version("1.0"), releasedAt: .noon(back: 9))],
            issues: [Issue(id: "a", title: "A", firstSeen: .noon(back: 40))], notes: notes)
    }

    @Test func quietDaySaysHowMuchWasLookedAt() throws {
        let report = AppAnalysis.make(Self.history())
        let line =
            "All quiet on Wed, Jan 27, 2016. Checked 52,149 sessions, 1 issue and 1 release. "
            + "Data as of Thu, Jan 28, 2016, 06:30 UTC; the day is provisional."
        #expect(AppPages(report, site: site).day(lastDay).quiet == line)
        #expect(AppPages(report, site: site).overview.quiet == line)
        let summary = daySummary(of: lastDay, report, .absent, isDemo: false)
        #expect(summary.sentences.contains(line))
        #expect(PortfolioPage([AppSummaryRow(report)], introduction: nil, site: site).quiet == line)
    }

    /// Until there are enough days for a Stability Alert, a day without activity is not called quiet.
    @Test(
        arguments: [(5, "16 more"), (20, "1 more"), (21, "from the next day"), (22, nil)] as [(Int, String?)])
    func aDayBeforeAlertsStartIsNotQuiet(days: Int, start: String?) throws {
        let report = AppAnalysis.make(Self.history(days: days))
        let line = try #require(AppPages(report, site: site).overview.quiet)
        #expect(line.hasPrefix(start == nil ? "All quiet" : "No activity"), "\(line)")
        let begin = " Stability Alerts start after 21 days with at least 5% of the day's sessions or users"
        #expect(line.hasSuffix(start.map { "\(begin) (\($0))." } ?? "the day is provisional."), "\(line)")
        let old = AppSummaryRow(AppAnalysis.make(Self.history(), named: "Old"))
        let page = PortfolioPage([AppSummaryRow(report), old], introduction: nil, site: site)
        let both = try #require(page.quiet)
        #expect(both.hasSuffix("\(begin): 1 of 2 apps has fewer.") == (start != nil), "\(both)")
    }

    /// A day on which use is still unusual is not quiet, muted or not; the page names the alert that goes on.
    @Test(arguments: [false, true])
    func aDayOfALastingAlertIsNotQuiet(isMuted: Bool) throws {
        let health = (0..<140).map { back in
            let users = 10_000 * ((5...10).contains(back) ? 5 : 10) / 10 + back * 37 % 11
            return HealthDay.make(back, sessions: 60_000, crashed: 30, users: users, crashedUsers: 5)
        }
        let source = SourceHistory.make(
            knows: [.sessions, .users, .issues], health: health, issues: [Issue(id: "a", title: "A")])
        let mute = Mute(
            number: 0, Mute.Subject(kind: .usage), until: .init(date: .back(-9)), by: "Ana", why: "known",
            at: .file(path: "mutes.yml", line: 1))
        let report = AppAnalysis(
            .make(source), targets: .standard, asOf: reportTime,
            control: AlertControl(mutes: isMuted ? [mute] : []))
        let pages = AppPages(report, site: site)
        let isQuiet = (3...12).filter { pages.day(.back($0)).quiet != nil }
        #expect(isQuiet == [3, 4, 11, 12])
        let said = isMuted ? [] : ["Usage Anomaly since \(CivilDate.back(10).compactText)."]
        #expect(pages.day(.back(10)).lasting.isEmpty && pages.day(.back(4)).lasting.isEmpty)
        #expect(pages.day(.back(9)).lasting == said && pages.day(.back(5)).lasting == said)
        let summary = daySummary(of: .back(9), report, .absent, isDemo: false).sentences
        #expect(summary.filter { $0.hasPrefix("Usage Anomaly") } == said)
        #expect(!summary.contains { $0.hasPrefix("All quiet") })
    }

    /// An alert that is open goes on through days without data, whose pages and summaries say what is missing and why.
    @Test(arguments: [
        (isFailed: false, why: "no data yet for \(lastDay.compactText)"),
        (isFailed: true, why: "no data for \(lastDay.compactText): latest fetch of 'files' failed"),
    ])
    func aDayWithoutDataSaysSo(isFailed: Bool, why: String) {
        let health =
            [HealthDay].quietPast(before: 6, from: 100, sessions: 20_000, crashed: 40)
            + (2...6).map { .make($0, sessions: 20_000, crashed: $0 > 3 ? 1200 : 40) }
        let source = SourceHistory.make(
            knows: [.sessions, .issues], failure: isFailed ? timeout : nil, health: health)
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let pages = AppPages(report, site: site)
        let alert = "Stability Alert since \(CivilDate.back(6).compactText)"
        #expect(report.activity.openAlerts == (isFailed ? 2 : 1))
        #expect(pages.day(.back(5)).lasting == [alert + "."] && pages.day(.back(2)).lasting == [alert + "."])
        let page = pages.day(lastDay)
        #expect(page.lasting == [alert + ", not known to be over."])
        #expect(page.activityUnknown == "Activity unknown: no data for this day." && page.quiet == nil)
        #expect(page.verdict.why == "No rate: \(why)." && page.frame.freshness == "No data for this day.")
        let summary = daySummary(of: lastDay, report, .absent, isDemo: false)
        #expect(summary.sentences.prefix(2) == ["No rate: \(why).", alert + ", not known to be over."])
        #expect(summary.freshness == "No data for this day.")
        // A day between two with data has none and gets none.
        let gap = SourceHistory.make(knows: [.sessions], health: health.filter { $0.date != .back(20) })
        let between = AppPages(.make(gap), site: site).day(.back(20))
        #expect(between.verdict.why == "No rate: no data for \(CivilDate.back(20).compactText).")
        #expect(between.lasting.isEmpty && between.activityUnknown != nil)
    }

    /// An issue that spreads is reported once; a day on which it is as frequent is not quiet.
    @Test func aDayWithAnIssueThatSpreadsIsNotQuiet() {
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 20_000, crashed: 10, users: 10_000, crashedUsers: 5) },
            issues: [Issue(id: "a", title: "A", firstSeen: .noon(back: 9))],
            issueDays: (3...9).map { .make("a", $0, events: $0 > 5 ? 900 : 20, users: $0 > 5 ? 500 : 10) })
        let pages = AppPages(.make(source), site: site)
        #expect((0...11).filter { pages.day(.back($0)).quiet == nil } == [6, 7, 8, 9])
    }

    /// What no source provides was not checked; without issues it is quiet as far as rates go.
    @Test(
        arguments: [
            ([.sessions, .users], .shown, "No activity", "Checked 52,149 sessions; issues not available."),
            (
                [.sessions, .users, .releases], .shown, "No activity",
                "Checked 52,149 sessions and 1 release; issues not available."
            ),
            ([.sessions, .users, .issues], .shown, "All quiet", "Checked 52,149 sessions and 1 issue."),
            ([.sessions, .users], .hidden, "No activity", "Checked crash-free rates; issues not available."),
        ] as [(Set<Capability>, Audience.Display, String, String)])
    func whatNoSourceProvidesWasNotChecked(
        knows: Set<Capability>, counts: Audience.Display, head: String, checked: String
    ) throws {
        var source = Self.history()
        source.source = .make(knows: knows)
        let report = AppAnalysis(
            .make(source), targets: .standard, asOf: reportTime, audience: Audience(.team, counts: counts))
        let quiet = try #require(AppPages(report, site: site).day(lastDay).quiet)
        #expect(quiet.hasPrefix("\(head) on Wed, Jan 27, 2016. \(checked) Data as of"), "\(quiet)")
        let whole = AppSummaryRow(AppAnalysis.make(Self.history(), named: "Other"))
        let page = PortfolioPage([AppSummaryRow(report), whole], introduction: nil, site: site)
        let together = try #require(page.quiet)
        let lack = head == "All quiet" ? "" : "; issues not available for 1 of 2 apps"
        #expect(together.hasPrefix(head) && together.contains(" of 2 apps\(lack). Data"), "\(together)")
    }

    /// A budget that is overspent, and a release in use that should reach no more people, are no quiet day.
    @Test func whatNeedsAttentionIsNotQuiet() throws {
        let spent = (0...20).map { back in
            HealthDay.make(
                back, sessions: 10_000, crashed: 5, users: 10_000, crashedUsers: back == 0 ? 5 : 100)
        }
        let held = (0...20).flatMap { back -> [HealthDay] in
            [
                .make(back, sessions: 10_000, crashed: back < 9 ? 40 : 5, users: 10_000, crashedUsers: 5),
                .make(back, of: "1.0", sessions: back < 9 ? 9_000 : 10_000, crashed: 5),
            ] + (back < 9 ? [.make(back, of: "1.1", sessions: 1_000, crashed: 35)] : [])
        }
        let releases = ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: .noon(back: 8)) }
        let reports = [
            AppAnalysis.make(.make(health: spent), named: "Spent"),
            AppAnalysis.make(.make(health: held, releases: releases), named: "Held"),
        ]
        for report in reports { #expect(AppPages(report, site: site).overview.quiet == nil) }
        let rows = reports.map { AppSummaryRow($0) }
        let sentence = PortfolioPage(rows, introduction: nil, site: site).sentence
        #expect(
            sentence
                == "2 of 2 apps meet their target. Error budget overspent: Spent. Roll back: Held 1.1.")
        let good = (0..<41).map { AppSummaryRow(AppAnalysis.make(Self.history(), named: "App \($0)")) }
        let page = PortfolioPage(good + rows, introduction: nil, site: site)
        #expect(page.apps.map(\.name) == ["Held", "Spent"] && page.quiet == nil)
        #expect(page.sentence.hasSuffix("Error budget overspent: Spent. Roll back: Held 1.1."))
    }

    @Test(arguments: [
        history(crashed: 5000),
        history(notes: [Note(id: "n", at: .noon(back: 0), author: "A", text: "t", subject: .app)]),
        .make(), .make(capturedAt: nil), history(partly: .sessions), history(partly: .users),
    ]) func otherDaysDoNot(source: SourceHistory) {
        let report = AppAnalysis.make(source)
        #expect(AppPages(report, site: site).overview.quiet == nil)
        #expect(AppPages(report, site: site).day(lastDay).quiet == nil)
        let quiet = AppSummaryRow(AppAnalysis.make(Self.history(), named: "Other"))
        #expect(
            PortfolioPage([AppSummaryRow(report), quiet], introduction: nil, site: site).quiet == nil
        )
    }

    @Test(arguments: [
        (
            0,
            "All quiet on Wed, Jan 27, 2016. Checked 104,298 sessions, 2 issues and 2 releases of 2 apps. "
                + "Data as of 06:30 UTC; the data is provisional."
        ),
        (
            1,
            "All quiet on the last complete day of each app. Checked 104,298 sessions, 2 issues and 2 releases of "
                + "2 apps. Data as of 06:30 UTC; the data is provisional."
        ),
    ]) func appsAreReportedTogether(back: Int, text: String) {
        let digests = [
            AppSummaryRow(AppAnalysis.make(Self.history())),
            AppSummaryRow(AppAnalysis.make(Self.history(back: back), named: "Other")),
        ]
        #expect(PortfolioPage(digests, introduction: nil, site: site).quiet == text)
    }
}
