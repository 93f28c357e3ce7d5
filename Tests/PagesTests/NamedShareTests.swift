import Analysis
import AppHealth
import Formatting
import HistoryFixtures
import Testing

@testable import Pages

/// Where a part of the data names a user, pages and data files say how large it is, and nothing else changes.
struct NamedShareTests {
    private static func history(_ share: Double?) -> SourceHistory {
        func day(_ back: Int, of version: String? = nil) -> HealthDay {
            var day = HealthDay.make(
                back, of: version, sessions: 900, crashed: 9, users: 90, crashedUsers: 4)
            day.namedShare = back == 0 ? share : nil
            return day
        }
        let use = UsageDay(
            date: lastDay, activeUsers: 90, weeklyActiveUsers: 200, monthlyActiveUsers: 400, sessions: 900)
        var issue = Issue(id: "a", title: "torn", events: 12, users: 3)
        issue.namedShare = share
        var seen = IssueDay.make("a", events: 12, users: 3)
        seen.namedShare = share
        return .make(
            health: [day(0), day(1), day(0, of: "2.0"), day(1, of: "2.0")], usage: [use],
            releases: [Release(version: Version("2.0"), releasedAt: Instant(startOf: .back(1)))],
            issues: [issue], issueDays: [seen])
    }

    @Test(
        arguments: [
            (nil, nil, nil), (0, nil, "50%"), (0.934, "93%", "97%"), (0.999_99, ">99%", ">99%"),
            (0.001, "<1%", "50%"),
            (0.5, "50%", "75%"),
        ] as [(Double?, String?, String?)])
    func pagesSayOfHowMuchUsersAre(share: Double?, said: String?, ofRelease: String?) throws {
        let analysis = AppAnalysis.make(Self.history(share))
        let pages = AppPages(analysis, site: site)
        func check(_ freshness: String, _ said: String?, _ what: Comment) {
            let words = "; users partial: "
            #expect(freshness.contains(words) == (said != nil), what)
            if let said { #expect(freshness.contains("\(words)\(said) of the data."), what) }
        }
        check(pages.overview.frame.freshness, said, "overview")
        check(pages.day(lastDay).frame.freshness, said, "day")
        check(pages.day(.back(1)).frame.freshness, nil, "the day before")
        check(pages.summary(of: lastDay).freshness, said, "summary")
        let issue = try #require(analysis.issues["a"])
        check(IssuePage(pages.inputs(of: issue), site: site).frame.freshness, said, "issue")
        // Half of its sessions are of a day on which all name a user.
        let release = try #require(analysis.releases.all.first)
        check(ReleasePage(pages.inputs(of: release), site: site).frame.freshness, ofRelease, "release")
        let partial = pages.usage.partial
        #expect((partial == nil) == (ofRelease == nil))
        if let month = ofRelease {
            #expect(
                partial
                    == "Active users are partial on 1 of 28 days: those of \(month) of the data of the month to \(lastDay.compactText)."
            )
        }
    }

    @Test(arguments: [nil, 0.75] as [Double?])
    func dataFilesHaveItWhereAnyRowDoes(share: Double?) throws {
        let analysis = AppAnalysis.make(Self.history(share))
        let issue = try #require(analysis.issues["a"])
        let release = try #require(analysis.releases.all.first)
        let tables = [
            analysis.stability.table(of: [.back(1), lastDay]), analysis.day(lastDay).healthTable,
            analysis.day(lastDay).issuesTable, analysis.usage.table(with: analysis.stability),
            analysis.issues.table,
            issue.daysTable { _ in .unknown }, release.daysTable,
        ]
        for table in tables {
            let cells = table.columns.firstIndex(of: "namedShare").map { place in table.rows.map { $0[place] }
            }
            #expect((cells == nil) == (share == nil), "\(table.name)")
            // The month has another day, on which all name a user.
            let shown = table.name == "usage" ? share.map { ($0 + 1) / 2 } : share
            #expect(cells?.last == shown.map { .rate($0) }, "\(table.name)")
            #expect(!table.withoutCounts.columns.contains("namedShare"))
        }
        #expect(tables[0].rows.first?.count == tables[0].columns.count)
    }
}
