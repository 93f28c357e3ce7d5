import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// In which release an issue was first seen, where its source does not say.
struct FirstReleaseTests {
    /// An issue in a release so many days back.
    typealias Row = (back: Int, label: String)

    /// 1.0 is in use on the first day of data; 2.0 came out ten days ago, and 1.5 after it.
    private func report(
        _ issue: AppHealth.Issue, _ rows: [Row], unknown: ClosedRange<Int>? = nil, totals: [Int: Int] = [:]
    ) -> AppAnalysis {
        let health = (0..<60).reversed().flatMap { back -> [HealthDay] in
            [
                .make(back, sessions: 20_000, crashed: 40),
                .make(back, of: "1.0", sessions: 10_000, crashed: 20),
            ]
                + (back <= 10 ? [.make(back, of: "2.0", sessions: 6000, crashed: 10)] : [])
                + (back <= 5 ? [.make(back, of: "1.5", sessions: 4000, crashed: 10)] : [])
        }
        var source = SourceHistory.make(
            health: health, issues: [issue, AppHealth.Issue(id: "other", title: "Other")],
            issueDays: rows.map { .make("a", $0.back, of: $0.label, events: 20) }
                + totals.map { .make("a", $0.key, events: $0.value) }
                + [.make("other", 59, of: "1.0", events: 1)])
        if let unknown {
            source.coverage = CoverageHistory(
                source.everyDay.filter {
                    !unknown.contains($0.days.lowerBound.days(to: lastDay))
                        || ![.issueDays, .issueReleases].contains($0.fact)
                })
        }
        return AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
    }

    /// Nil where the release has no row of the issue, too.
    private func isNew(in label: String, _ report: AppAnalysis) -> Bool? {
        report.releases[label]?.issues.first { $0.id == "a" }?.isNew
    }

    /// When the issue was first seen, its days, and whether it is new in 2.0, in 1.5 and in 1.0; nil where it has no row.
    @Test(
        arguments: [
            // Its source says when it was first seen: on day 0 of 2.0, later, and before it.
            (10, [(10, "2.0"), (9, "2.0")], true, nil, nil, "2.0"), (4, [(4, "2.0")], true, nil, nil, "2.0"),
            (10, [(10, "2.0"), (9, "1.0"), (3, "1.5")], true, false, false, "2.0"),
            (10, [(10, "2.0"), (10, "1.0")], false, nil, true, "1.0"),
            (400, [(10, "2.0")], false, nil, nil, nil), (30, [(10, "2.0")], false, nil, nil, nil),
            // A hotfix of an older line.
            (4, [(4, "1.5"), (3, "2.0")], false, true, nil, "1.5"),
            // Its days alone: known to be absent for four weeks before.
            (nil, [(10, "2.0"), (9, "2.0")], true, nil, nil, "2.0"),
            (nil, [(20, "1.0"), (10, "2.0")], false, nil, true, "1.0"),
            (nil, [(50, "1.0"), (10, "2.0")], false, nil, nil, nil),
        ] as [(Int?, [Row], Bool?, Bool?, Bool?, String?)])
    func theFirstReleaseIsThatOfTheFirstDay(
        seen: Int?, rows: [Row], new: Bool?, hotfix: Bool?, old: Bool?, first: String?
    ) {
        let report = report(
            AppHealth.Issue(id: "a", title: "A", firstSeen: seen.map { .noon(back: $0) }), rows)
        #expect(isNew(in: "2.0", report) == new)
        #expect(isNew(in: "1.5", report) == hotfix)
        if let old { #expect(isNew(in: "1.0", report) == old) }
        #expect(report.issues["a"]?.issue.firstVersion?.label == first)
        #expect(report.releases["2.0"]?.newIssues.map(\.id) == (new == true ? ["a"] : []))
        let pair = report.releases.pairs.first { $0.later.version.label == "2.0" }
        let listed = pair.map { $0.onlyLater + $0.both }?.first { $0.id == "a" }
        #expect(listed.map { $0.roles.contains(.new) } == new)
    }

    /// In a release that is older than all data, an issue that was there before may be new, and where days before are
    /// unknown it may be older.
    @Test func whatIsNotKnownIsNotFalse() throws {
        let old = report(AppHealth.Issue(id: "a", title: "A"), [(50, "1.0")])
        #expect(isNew(in: "1.0", old) == nil)
        #expect(old.releases["1.0"]?.issuesOfUnknownAge == 2)
        let late = report(AppHealth.Issue(id: "a", title: "A"), [(4, "2.0")], unknown: 5...40)
        #expect(isNew(in: "2.0", late) == nil && late.issues["a"]?.issue.firstVersion == nil)
        #expect(late.releases["2.0"]?.issuesOfUnknownAge == 1)
    }

    /// Where the releases of a day are not all known, the events of the day say whether another one had any.
    @Test(arguments: [(20, true), (35, nil)] as [(Int, Bool?)])
    func aDayOfWhichReleasesAreMissing(events: Int, new: Bool?) {
        let issue = AppHealth.Issue(id: "a", title: "A", firstSeen: .noon(back: 10))
        let report = report(issue, [(10, "2.0")], unknown: 10...10, totals: [10: events])
        #expect(isNew(in: "2.0", report) == new)
    }

    /// What the source says is taken as it is.
    @Test func theSourceKnowsBest() {
        let issue = AppHealth.Issue(
            id: "a", title: "A", firstSeen: .noon(back: 10), firstVersion: Version("1.0"))
        let report = report(issue, [(10, "2.0")])
        #expect(isNew(in: "2.0", report) == false && report.issues["a"]?.issue.firstVersion?.label == "1.0")
    }
}
