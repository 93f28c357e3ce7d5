import Analysis
import AppHealth
import Charts
import HistoryFixtures
import Statistics
import Testing

@testable import Pages

/// The charts of the pages and their files.
struct ChartTests {
    /// Sixty days of two releases; the newer came out ten days before the last.
    private static let busy = SourceHistory.make(
        health: (0..<60).flatMap { back -> [HealthDay] in
            let newer = back < 10 ? 600 : 0
            let whole = HealthDay.make(back, sessions: 1000, crashed: 4, users: 400, crashedUsers: 3)
            let older = HealthDay.make(back, of: "1.0", sessions: 1000 - newer, crashed: 2)
            let newest = HealthDay.make(back, of: "1.1", sessions: back == 9 ? 12 : newer, crashed: 2)
            return back < 10 ? [whole, older, newest] : [whole, older]
        },
        usage: (0..<60).map { UsageDay(date: .back($0), activeUsers: 400 + $0) },
        releases: [
            Release(version: Version("1.1"), releasedAt: Instant(startOf: .back(9))),
            Release(version: Version("1.0"), releasedAt: Instant(startOf: .back(59))),
        ],
        issues: [Issue(id: "a", title: "A"), Issue(id: "b", title: "B")],
        issueDays: (0..<60).flatMap { back in
            [
                IssueDay.make("a", back, events: 9, users: 5),
                .make("b", back, events: 4, users: back == 0 ? 8 : 2),
            ]
        })

    private let report = AppAnalysis.make(busy)

    private func chart<Kind: Chart>(_ view: ChartView?, as kind: Kind.Type) throws -> Kind {
        try #require(view?.chart as? Kind)
    }

    @Test func releasesAreComparedAtTheSameAge() throws {
        let ages = try chart(AppPages(report, site: site).releases.ages, as: AgeChart.self)
        #expect(ages.lines.map(\.label) == ["1.1", "1.0"])
        #expect(ages.lines.map(\.values.count) == [10, 28])
        #expect(ages.lines[0].values.first == .absent(.belowMinimum))
        #expect(ages.provisional > 0 && ages.provisional < 10)
    }

    /// A day without a row of a release had no session of it, where the source reports all releases of the day.
    @Test(
        arguments: [
            (.complete, nil, .noSessions), (.partial(counted: 1, of: 2), nil, .missing),
            (.complete, 0, .noSessions), (.partial(counted: 1, of: 2), 0, .noSessions),
        ] as [(Coverage, Int?, ChartPoint.Absence)])
    func dayWithoutSessionsOfAReleaseIsNoMissingOne(
        coverage: Coverage, sessions: Int?, absence: ChartPoint.Absence
    ) throws {
        var source = Self.busy
        source.health.removeAll { $0.version == "1.1" && $0.date == .back(4) }
        if let sessions { source.health.append(.make(4, of: "1.1", sessions: sessions, crashed: 0)) }
        source.coverage = CoverageHistory(
            (0..<60).flatMap { back in
                let day = CivilDate.back(back)
                return CoveredFact.allCases.map { fact in
                    CoverageSpan(fact, day...day, fact == .releaseHealth && back == 4 ? coverage : .complete)
                }
            })
        let report = AppAnalysis.make(source)
        let page = AppPages(report, site: site).release(try #require(report.releases["1.1"]))
        let line = try chart(page.stability, as: LineChart.self)
        #expect(line.points.first { $0.date == .back(4) }?.content == .absent(absence))
        #expect(line.points.count { $0.value == nil } == 1)
        let ages = try chart(AppPages(report, site: site).releases.ages, as: AgeChart.self)
        #expect(ages.lines[0].values[5] == .absent(absence))
    }

    @Test func adoptionIsOfAllSessions() throws {
        let shares = try chart(AppPages(report, site: site).releases.adoption, as: ShareChart.self)
        #expect(shares.parts.map(\.label) == ["1.1", "1.0"])
        #expect(shares.wholes[.back(0)] == 1000 && shares.parts[0].counts[.back(0)] == 600)
        #expect(shares.absences[.back(70)] == .notCollected && shares.wholes[.back(70)] == nil)
    }

    @Test func usageIsShownWithThePreviousWeek() throws {
        let line = try chart(AppPages(report, site: site).usage.chart, as: LineChart.self)
        let before = try #require(line.comparison)
        #expect(before.points.first { $0.date == .back(0) }?.value == 407)
        #expect(line.points.first { $0.date == .back(0) }?.value == 400)
    }

    @Test func everyDayHasItsVerdict() throws {
        let calendar = try chart(AppPages(report, site: site).usage.calendar, as: CalendarChart.self)
        #expect(calendar.days.count == 182)
        #expect(calendar.days.last?.level == .unsure && calendar.days.first?.level == nil)
    }

    @Test func issuesHaveIntervalsAndRanks() throws {
        let page = AppPages(report, site: site).issues
        let users = try chart(page.users, as: IntervalBars.self)
        #expect(users.unit == .rate && users.rows.map(\.value) == [0.02, 0.0125])
        #expect(users.rows.allSatisfy { row in row.interval.map { $0.contains(row.value ?? -1) } ?? false })
        let ranks = try chart(page.ranks, as: RankChart.self)
        #expect(ranks.lines.map { $0.ranks.suffix(2) } == [[2, 1], [1, 2]])
    }

    /// A line that throws several errors, and one error that a service keeps apart.
    @Test(
        arguments: [
            (["A", "B"], ["Api.kt:88 · B", "Api.kt:88 · A"], 88),
            (["A", "A"], ["Api.kt:88 · b", "Api.kt:88 · a"], 88),
            (["A", "B"], ["B", "A"], nil), (["A", "A"], ["A · b", "A · a"], nil),
        ] as [([String], [String], Int?)])
    func issuesOfOnePlaceHaveNamesOfTheirOwn(titles: [String], names: [String], line: Int?) throws {
        var source = Self.busy
        source.issues = zip(["a", "b"], titles).map { id, title in
            Issue(id: id, title: title, place: line.map { CodePlace(file: "net/Api.kt", line: $0) })
        }
        let page = AppPages(.make(source), site: site).issues
        #expect(try chart(page.users, as: IntervalBars.self).rows.map(\.label) == names)
        #expect(try chart(page.ranks, as: RankChart.self).lines.map(\.label) == names)
    }

    @Test func usersAreCountedWhenTheDaysUsersAreNotKnown() throws {
        var source = Self.busy
        source.health = [.make(0, sessions: 9, crashed: 1)]
        let users = try chart(AppPages(.make(source), site: site).issues.users, as: IntervalBars.self)
        #expect(users.unit == .count && users.rows.map(\.value) == [8, 5])
        // Garwood's interval of 8 events is 3.45 to 15.76.
        let interval = try #require(users.rows.first?.interval)
        #expect(abs(interval.lower - 3.4538) < 0.001 && abs(interval.upper - 15.7632) < 0.001)
    }

    @Test func appsAreComparedFromTwoOn() {
        let one = AppSummaryRow(report)
        let two = AppSummaryRow(AppAnalysis.make(Self.busy, named: "Lantern"))
        #expect(PortfolioPage([one], introduction: nil, site: site).rates == nil)
        let page = PortfolioPage([one, two], introduction: nil, site: site)
        #expect(
            (page.rates?.chart as? SmallMultiples)?.panels.map(\.label) == [
                "Lantern, users", "Sketchbook, users",
            ])
    }

    @Test func filesAreNamedAfterTheirCharts() {
        let pages: [any ChartedPage] = [
            AppPages(report, site: site).overview, AppPages(report, site: site).usage,
            AppPages(report, site: site).issues,
            AppPages(report, site: site).releases, AppPages(report, site: site).issue(report.issues.all[0]),
        ]
        let names = pages.map { $0.charts.flatMap { $0.files.map(\.name) } }
        #expect(
            names == [
                [
                    "chart-crash-free-users.svg", "chart-crash-free-users.csv", "chart-active-users.svg",
                    "chart-active-users.csv",
                ],
                [
                    "chart-active-users.svg", "chart-active-users.csv", "chart-sessions.svg",
                    "chart-sessions.csv", "chart-verdicts.svg", "chart-verdicts.csv",
                ],
                ["chart-top-issues.svg", "chart-top-issues.csv", "chart-ranks.svg", "chart-ranks.csv"],
                [
                    "chart-releases-by-age.svg", "chart-releases-by-age.csv", "chart-adoption.svg",
                    "chart-adoption.csv",
                ],
                ["chart-issue-events.svg", "chart-issue-events.csv"],
            ])
        #expect(ChartView(Sparkline(name: "s", title: "", unit: .count, values: [])).files.isEmpty)
    }
}
