import Analysis
import AppHealth
import Charts
import Diagnostics
import HistoryFixtures
import Markup
import Pages
import Testing

/// Every page of an app is made whatever its sources reported.
struct StrangeHistoryTests {
    private static let hostile = "\u{202E}<script>\0../..\n" + String(repeating: "👩‍🚀", count: 200)

    private static let strange = SourceHistory.make(
        failure: Diagnostic.error(hostile, hostile, details: [hostile], at: .address(hostile)),
        health: [
            .make(9, sessions: .max, crashed: .max, users: .max, crashedUsers: .max),
            .make(8, sessions: .min, crashed: -1),
            .make(7, sessions: 0, crashed: 0, users: 0, crashedUsers: 0), .make(5, users: 5, crashedUsers: 6),
            .make(0, sessions: .max, crashed: 1, users: .max, crashedUsers: 1),
            .make(0, of: hostile, sessions: .max, crashed: .max),
            .make(9, of: hostile, sessions: .max, crashed: .max), .make(0, of: "", sessions: 1),
            .make(-3, users: 1),
        ],
        asReported: [.make(0, sessions: .min, users: .min)],
        usage: [UsageDay(date: lastDay, activeUsers: .max, monthlyActiveUsers: .min, newUsers: -1)],
        releases: [
            Release(version: Version(hostile, build: hostile), releasedAt: Instant(secondsSinceEpoch: .max)),
            Release(
                version: Version(""), releasedAt: Instant(secondsSinceEpoch: .min),
                lifetime: ReleaseTotals(sessions: .min, crashedSessions: .max, sessionsLastDay: .max)),
            Release(version: Version("", build: "2"), releasedAt: nil),
        ],
        issues: ["", hostile, "twice", "twice", "quiet"].map {
            Issue(
                id: $0, title: $0, place: CodePlace(file: $0, line: .min), firstSeen: .noon(back: 0),
                firstVersion: Version(hostile), fixedIn: Version(""), events: .max, users: .min, url: hostile)
        },
        issueDays: ["", hostile, "twice", "unlisted"].flatMap { issue in
            [9, 0, -3].flatMap { back in
                [
                    IssueDay.make(issue, back, events: .max, users: .max),
                    .make(issue, back, of: hostile, events: .max, users: .min),
                ]
            }
        },
        notes: [Note.Subject.app, .issue("unlisted"), .issue(""), .release(hostile)].map {
            Note(id: hostile, at: .noon(back: 0), author: hostile, text: hostile, subject: $0)
        })

    static let histories: [AppHistory] = [
        .make(), .make(SourceHistory(source: .make())), .make(.make()),
        .make(.make(capturedAt: nil, failure: timeout)),
        .make(strange), .make(.make("first", knows: []), strange), .make(strange, strange, named: ""),
    ]

    @Test(
        arguments: histories.indices,
        [reportTime, Instant(secondsSinceEpoch: .min), .noon(back: 400), .noon(back: -400)])
    func everyPageIsMade(index: Int, asOf: Instant) {
        let report = AppAnalysis(Self.histories[index], targets: .standard, asOf: asOf)
        let digest = AppSummaryRow(report)
        var frames = [
            AppPages(report, site: site).overview.frame, AppPages(report, site: site).activity().frame,
            AppPages(report, site: site).issues.frame,
            AppPages(report, site: site).releases.frame, AppPages(report, site: site).usage.frame,
            PortfolioPage([digest, digest], introduction: nil, site: site).frame,
            SourcesPage([digest], site: site).frame,
        ]
        frames += report.facts.days.suffix(12).map { AppPages(report, site: site).day($0).frame }
        frames += report.issues.all.map { AppPages(report, site: site).issue($0).frame }
        frames += report.releases.all.map { AppPages(report, site: site).release($0).frame }
        #expect(Set(frames.map(\.stem)).count == frames.count, "two pages share an address")
        #expect(report.feed.count <= 60 && report.facts.days.allSatisfy { $0 < asOf.date })
        for release in report.releases.all {
            let document = SummaryDocument(
                AppPages(report, site: site).inputs(of: release), .absent, isDemo: false)
            #expect(document.verdict == AppPages(report, site: site).release(release).verdict)
        }
        // What was met is not known to be met by now, once the data are old.
        let ofDay = daySummary(of: report.facts.lastDay, report, .absent, isDemo: false).verdict
        let ofNow = AppPages(report, site: site).overview.verdict
        #expect(ofDay == ofNow || ofDay.name == "meets" && ofNow.why.hasPrefix("Stale: "))
    }

    @Test(arguments: histories.indices)
    func everyChartIsDrawn(index: Int) {
        let report = AppAnalysis(Self.histories[index], targets: .standard, asOf: reportTime)
        let usage = AppPages(report, site: site).usage
        var charts = [AppPages(report, site: site).overview.stability, usage.chart, usage.sessions]
            .compactMap(\.self)
        charts += report.issues.all.compactMap { AppPages(report, site: site).issue($0).chart }
        charts += report.releases.all.compactMap { AppPages(report, site: site).release($0).stability }
        charts += PortfolioPage([AppSummaryRow(report)], introduction: nil, site: site).apps.map(
            \.sparkline)
        for chart in charts {
            #expect(!chart.chart.svg().text.contains("<script") && !chart.chart.text().contains("\u{202E}"))
            #expect(!chart.chart.description.isEmpty)
        }
    }
}
