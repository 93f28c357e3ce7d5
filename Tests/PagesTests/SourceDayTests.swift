import Analysis
import AppHealth
import Formatting
import HistoryFixtures
import Pages
import Testing

/// The day on which an issue was first seen, or a release came out, is that of its source: 20:00 in UTC is the next day in
/// the Line Islands, and 04:00 the day before in Hawaii.
struct SourceDayTests {
    private static let rows: [(zone: ZoneOffsets?, hour: Int, back: Int)] = [
        (nil, 20, 3), (ZoneOffsets(seconds: 0), 20, 3), (ZoneOffsets(seconds: 50_400), 20, 2),
        (ZoneOffsets(seconds: -36_000), 4, 4),
    ]

    private func analysis(_ zone: ZoneOffsets?, at hour: Int) -> AppAnalysis {
        let at = Instant(startOf: .back(3)).advanced(bySeconds: hour * 3600)
        let issue = AppHealth.Issue(id: "a", title: "A", firstSeen: at, lastSeen: at)
        var source = SourceHistory.make(
            capturedAt: reportTime,
            health: (0..<30).map { .make($0, sessions: 40_000, crashed: 40) }
                + (0...1).map { .make($0, of: "1.1", sessions: 20_000, crashed: 20) },
            releases: [Release(version: Version("1.1"), releasedAt: at)], issues: [issue],
            issueDays: (0...1).map { .make("a", $0, events: 3000, users: 900) })
        source.zoneOffsets = zone
        return AppAnalysis.make(source)
    }

    @Test(arguments: rows) func ofReleases(row: (zone: ZoneOffsets?, hour: Int, back: Int)) throws {
        let (report, day) = (analysis(row.zone, at: row.hour), CivilDate.back(row.back))
        let (pages, release) = (AppPages(report, site: site), try #require(report.releases["1.1"]))
        #expect(pages.releases.releases.map(\.released) == [day.description])
        #expect(pages.release(release).released == day.compactText)
        #expect(pages.summary(of: release).title == "Sketchbook 1.1, released \(day.compactText)")
        // Sunday is three days before the last one: on Monday a week begins that is not over.
        let week = try #require(report.weeks.first)
        #expect(week.releases.map(\.label) == (day <= week.week.last ? ["1.1"] : []))
    }

    @Test(arguments: rows) func ofIssues(row: (zone: ZoneOffsets?, hour: Int, back: Int)) throws {
        let (report, day) = (analysis(row.zone, at: row.hour), CivilDate.back(row.back))
        let page = AppPages(report, site: site).issue(try #require(report.issues["a"]))
        let seen = page.facts.filter { $0.name == "First seen" || $0.name == "Last seen" }
        #expect(seen.map(\.value) == [day.compactText, day.compactText])
        let alert = try #require(report.activity.events.first { $0.kind == .velocity })
        #expect(alert.sentence.hasSuffix("The issue was first seen \(day.longText)."))
    }
}
