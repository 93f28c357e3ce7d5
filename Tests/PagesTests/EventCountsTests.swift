import Analysis
import AppHealth
import Charts
import HistoryFixtures
import Pages
import Testing

/// What the overview of an app without rates has of the events that its source reports.
struct EventCountsTests {
    private static let past = AppHealth.Issue(
        id: "a", title: "A", kind: .error, firstSeen: .noon(back: 59))
    private static let new = AppHealth.Issue(id: "b", title: "B", firstSeen: .noon(back: 3))

    /// Issues with 2 events a day in the older 28 days and 3 in the newer, and of another one in the last four days.
    private static let rows: [IssueDay] =
        (0..<60).map { IssueDay.make("a", $0, events: $0 < 28 ? 3 : 2, users: nil) }
        + (0..<4).map { IssueDay.make("b", $0, events: 5, users: nil) }

    private static func overview(
        _ coverage: [CoverageSpan]?, without gaps: Set<Int> = [], byRelease: Bool = false,
        knows: Set<Capability> = [.issues, .issueDays], health: [HealthDay] = [],
        for audience: Audience = .team
    ) -> AppPage {
        let days = rows.filter { !gaps.contains($0.date.days(to: lastDay)) }
        let inReleases = days.filter { _ in byRelease }.map { row in
            var row = row
            row.version = row.date < .back(10) ? "1.0" : "1.1"
            return row
        }
        let source = SourceHistory.make(
            knows: knows, health: health, issues: [past, new], issueDays: days + inReleases,
            coverage: coverage)
        let analysis = AppAnalysis(
            .make(source), targets: .standard, asOf: reportTime, audience: audience)
        return AppPages(analysis, site: site).overview
    }

    private static func all(_ coverage: Coverage, _ days: ClosedRange<Int> = 0...59) -> [CoverageSpan] {
        [CoverageSpan(.issueDays, .back(days.upperBound)...(.back(days.lowerBound)), coverage)]
    }

    /// What the source states, days without rows, and the figures with what they are of and how they changed.
    @Test(
        arguments: [
            (
                all(.complete), [],
                [
                    "104 | 28 days to Wed, Jan 27, 2016 | +85.7% vs. the 28 days before",
                    "1 | 28 days to Wed, Jan 27, 2016 | 0 in the 28 days before",
                ]
            ),
            // A day without a row is none where every issue is reported, and else not known.
            (
                all(.complete), [5, 6],
                [
                    "98 | 28 days to Wed, Jan 27, 2016 | +75.0% vs. the 28 days before",
                    "1 | 28 days to Wed, Jan 27, 2016 | 0 in the 28 days before",
                ]
            ),
            (
                all(.partial(counted: 2, of: 300)), [5, 6],
                [
                    "98 | 26 of 28 days to Wed, Jan 27, 2016, 2 of 300 issues reported | –",
                    "1 | 28 days to Wed, Jan 27, 2016, 2 of 300 issues reported | 0 in the 28 days before",
                ]
            ),
            // Days of which a part is reported are compared with none.
            (
                all(.partial(counted: nil, of: nil), 14...59) + all(.complete, 0...13)
                    + all(.complete, 28...34), [],
                [
                    "104 | 28 days to Wed, Jan 27, 2016, not all issues reported | +192.9% vs. the 28 days before (7 days of each)",
                    "1 | 28 days to Wed, Jan 27, 2016, not all issues reported | 0 in the 28 days before",
                ]
            ),
            // Of days before the data how many issues were new is not known: zero would be a guess.
            (
                all(.complete, 0...13), Set(14...59),
                ["62 | 14 of 28 days to Wed, Jan 27, 2016 | –", "– | – | –"]
            ),
        ] as [([CoverageSpan], Set<Int>, [String])])
    func figuresSayWhatTheyAreOf(coverage: [CoverageSpan], gaps: Set<Int>, figures: [String]) throws {
        let page = Self.overview(coverage, without: gaps)
        let counts = try #require(page.eventCounts)
        #expect(
            counts.figures.map {
                [$0.value, $0.detail ?? "–", $0.change ?? "–"].joined(separator: " | ")
            } == figures)
        #expect(page.mismatches(AppAnalysis.make(.make()).facts, []).isEmpty)
    }

    /// A day of which nothing is known is a gap, and a part of all issues has no expectation and no trend.
    @Test(
        arguments: [(Coverage.complete, 0.0, 0), (.partial(counted: 2, of: 300), nil, 2)]
            as [(Coverage, Double?, Int)])
    func daysWithoutDataAreGaps(coverage: Coverage, ofDay: Double?, gaps: Int) throws {
        let page = Self.overview(Self.all(coverage), without: [5, 6])
        let chart = try #require(page.eventCounts?.chart?.chart as? BarChart)
        let known = chart.points.filter { $0.date >= .back(59) }
        #expect(known.count { $0.value == nil } == gaps)
        #expect(known.first { $0.date == .back(5) }?.value == ofDay)
        #expect((chart.trend == nil) == coverage.isPartial)
        #expect(chart.expectation.isEmpty == coverage.isPartial)
        #expect(chart.title.hasSuffix(", not all issues reported") == coverage.isPartial)
    }

    /// The tile of the last day and the reason of the status are of the same events; no rate is made of them.
    @Test func lastDayIsCountedByEvents() throws {
        // As no crash is known to be one: the crashes are stated to be a part.
        let coverage = Self.all(.partial(counted: 2, of: 300))
        let page = Self.overview(coverage)
        #expect(page.tiles.map(\.label) == ["Events", "Active users", "Sessions"])
        #expect(page.tiles.first?.value == "8")
        #expect(page.tiles.first?.detail == "on Wed, Jan 27, 2016, 2 of 300 issues reported")
        #expect(page.verdict.words == "Unknown")
        #expect(page.verdict.why.hasPrefix("8 events on Wed, Jan 27, 2016, 2 of 300 issues reported. "))
        #expect(page.stabilityAbsence == "Sessions not available: 'files' doesn't provide them.")
        #expect(page.issues.map(\.events) == ["84", "20"])
        #expect(page.issuesSpan == "28 days to Wed, Jan 27, 2016, not all issues reported")
    }

    /// Where a source counts those alone who share their data, users are missing and no issue is: pages, messages and data
    /// say so.
    @Test func ofAShareOfUsersNoIssueIsMissing() throws {
        var source = SourceHistory.make(
            knows: [.issues, .issueDays], issues: [Self.past],
            issueDays: Self.rows.filter { $0.issue == "a" },
            coverage: Self.all(.partial(counted: nil, of: nil)))
        source.source.countsSteadyShare = true
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let pages = AppPages(report, site: site)
        let page = pages.overview
        let share = ", of a share of all users"
        #expect(page.tiles.first?.detail == "on Wed, Jan 27, 2016" + share)
        #expect(page.verdict.why.hasPrefix("3 events on Wed, Jan 27, 2016\(share). "))
        #expect(page.eventCounts?.chart?.chart.title == "Events, 90 days" + share)
        #expect(page.eventCounts?.figures.first?.detail == "28 days to Wed, Jan 27, 2016" + share)
        #expect(page.issuesSpan == "28 days to Wed, Jan 27, 2016" + share)
        #expect(pages.issues(part: 1).sentence == "1 issue, 1 open\(share).")
        let day = pages.day(lastDay)
        #expect(day.sentence == "3 events came from 1 issue on Wednesday, Jan 27 UTC\(share).")
        #expect(day.coverage == "Counted: a share of all users.")
        let table = try #require(report.reportedEvents?.daysTable)
        #expect(table.columns.last == "partOf" && table.rows.last?.last == .text("users"))
    }

    @Test func releasesAreThoseWithMostEvents() throws {
        let without = try #require(Self.overview(Self.all(.complete)).eventCounts)
        #expect(without.releases.isEmpty)
        #expect(without.releasesAbsence == "The source doesn't report issues by release.")
        let known = try #require(Self.overview(Self.all(.complete), byRelease: true).eventCounts)
        #expect(known.releases.map { "\($0.version) \($0.events) \($0.issues)" } == ["1.1 53 2", "1.0 51 1"])
        #expect(known.releasesSpan.hasSuffix("all issues reported on 0 of them: counts may be too low"))
        #expect(known.releasesAbsence == nil)
    }

    /// Rates say more; and crashes that are all the events are shown once.
    @Test func eventsAreThereWhereTheyAreNotSaidYet() throws {
        let rated = (0..<60).map { HealthDay.make($0, sessions: 900, crashed: 1) }
        #expect(
            Self.overview(nil, knows: [.issues, .issueDays, .sessions], health: rated).eventCounts == nil)
        let counted = (0..<60).map { back in
            HealthDay(
                date: .back(back),
                crashes: Self.rows.filter { $0.date == .back(back) }.reduce(0) { $0 + ($1.events ?? 0) })
        }
        let page = Self.overview(nil, health: counted)
        #expect(page.stability?.chart.name == "crashes")
        #expect(page.eventCounts?.chart == nil && page.eventCounts?.figures.isEmpty == false)
    }

    @Test func hiddenCountsAreInNoFigure() throws {
        let page = Self.overview(
            Self.all(.complete), byRelease: true, for: Audience(.public, counts: .hidden))
        let counts = try #require(page.eventCounts)
        #expect(counts.figures.isEmpty && counts.releases.isEmpty && counts.releasesAbsence == nil)
        #expect(counts.chart?.chart.title.hasSuffix("100 = the highest day") == true)
        #expect(page.tiles.isEmpty)
    }
}
