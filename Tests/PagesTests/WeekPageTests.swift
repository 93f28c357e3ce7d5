import Analysis
import AppHealth
import HistoryFixtures
import Markup
import Pages
import Testing

struct WeekPageTests {
    private func weeks(
        _ name: String, _ crashed: Int, before: Int = 20, audience: Audience = .team,
        secondsAhead: Int = 0, asOf: Instant = reportTime, title: String = "Knot came loose"
    ) -> WeeksOfApp {
        let health = (0...20).map {
            HealthDay.make($0, sessions: 10_000, crashed: $0 <= 9 ? crashed : before)
        }
        let days = (0...20).map { IssueDay.make("knot", $0, events: $0 <= 9 ? 9 : 2) }
        let issue = Issue(id: "knot", title: title)
        let app = AppHistory.make(named: name).app
        var source = SourceHistory.make(health: health, issues: [issue], issueDays: days)
        source.zoneOffsets = ZoneOffsets(seconds: secondsAhead)
        let history = AppHistory(app: app, sources: [source])
        var facts = site
        facts.audience = audience
        return AppPages(
            AppAnalysis(history, targets: .standard, asOf: asOf, audience: audience), site: facts
        ).weeks
    }

    private func weekPage(
        of week: CivilWeek, _ apps: [WeeksOfApp], weeks: [CivilWeek], _ site: SiteFacts
    ) -> WeekPage {
        WeekPage(WeekPageInputs(WeekList(week, apps), apps, weeks: weeks), site: site)
    }

    private var newest: CivilWeek { CivilWeek(of: .back(3)) }

    @Test func rowsSayWhatTheWeekWas() throws {
        let apps = [weeks("Able", 20), weeks("Misses", 200)]
        let all = WeekPage.weeks(of: apps)
        let page = weekPage(of: newest, apps, weeks: all, site)
        #expect(page.week == "Week 3 of 2016" && page.span == "Jan 18–24, 2016")
        #expect(page.apps.map(\.name) == ["Misses", "Able"])
        #expect(page.sentence.hasPrefix("Misses is below target. 1 of 2 apps meets its target. Alerts: "))
        let row = page.apps[0]
        #expect(row.verdict.name == "misses" && row.rate.hasPrefix("98%") || row.rate.hasPrefix("98.0"))
        #expect(plain(row.change)?.hasPrefix("−1.8") == true && row.change?.contains(" to −1.") == true)
        #expect(row.mover == "Knot came loose" && row.moverChange == "63 events, before 14")
        #expect(row.days == nil && row.budget != nil)
        #expect(page.nextStem == nil && page.previousStem == "../2016-W02/index")
        #expect(weekPage(of: all[all.count - 1], apps, weeks: all, site).previousStem == nil)
    }

    /// An issue without a title is called the same as everywhere, on the page and in the summary.
    @Test(arguments: ["", " ", "\t\n"])
    func moverWithoutATitleHasAName(title: String) {
        let apps = [weeks("Able", 20, title: title)]
        let inputs = WeekPageInputs(newest, apps)
        #expect(weekPage(of: newest, apps, weeks: [newest], site).apps[0].mover == "(no title)")
        let text = WeekSummary(inputs, site: site).text(in: .plain)
        #expect(text.contains("biggest mover: (no title)") && text.contains("(63 events, before 14)"))
    }

    /// A week is over when it is in the zones of all apps.
    @Test(arguments: [
        (0.5, [0, 0], true), (0.5, [3600, 0], true), (0.5, [3600, -28_800], false),
        (7.9, [0, -28_800], false),
        (8, [3600, 0, -28_800], true), (8, [-28_800], true), (7.9, [-28_800], false),
    ])
    func weekWaitsForAllZones(hours: Double, zones: [Int], isOver: Bool) {
        let end = Instant(startOf: newest.last.advanced(by: 1))
        let apps = zones.enumerated().map { place, seconds in
            weeks(
                "App \(place)", 20, secondsAhead: seconds, asOf: end.advanced(bySeconds: Int(hours * 3600)))
        }
        let before = CivilWeek(of: newest.first.advanced(by: -1))
        #expect(WeekPage.weeks(of: apps).first == (isOver ? newest : before))
    }

    /// One app is one app, however many meet their target.
    @Test(arguments: [
        ([20], "1 of 1 app meets its target."), ([200], "App 0 is below target. Alerts: "),
        ([200, 200], "App 0 is below target. App 1 is below target. Alerts: "),
        ([20, 20], "2 of 2 apps meet their target."),
    ])
    func sentenceAgreesWithItsNumber(crashed: [Int], part: String) {
        let apps = crashed.enumerated().map { weeks("App \($0)", $1) }
        let page = weekPage(of: newest, apps, weeks: WeekPage.weeks(of: apps), site)
        #expect(page.sentence.contains(part), "\(page.sentence)")
    }

    @Test func dataHasTheNumbersOfThePage() throws {
        let data = WeekPage.data(
            WeekPageInputs(newest, [weeks("Able", 20), weeks("Misses", 200)]), site: site)
        #expect(data.tables.map(\.name) == ["weekApps", "weekReleases"] && data.title.hasSuffix("2016-W03"))
        let table = data.tables[0]
        #expect(table.rows.map { $0[1] } == [.text("Misses"), .text("Able")])
        let cells = Dictionary(zip(table.columns, table.rows[0]), uniquingKeysWith: { first, _ in first })
        #expect(cells["verdict"] == .text("misses") && cells["countedDays"] == .count(7))
        #expect(cells["crashed"] == .count(1400) && cells["of"] == .count(70_000))
        #expect(cells["crashFree"] == .rate(0.98) && cells["change"] == .number(0.002 - 0.02))
        #expect(cells["events"] == .count(63) && cells["eventsBefore"] == .count(14))
        let none = WeekPage.data(WeekPageInputs(CivilWeek(of: .back(400)), [weeks("Able", 20)]), site: site)
        #expect(none.tables.allSatisfy(\.rows.isEmpty) && none.capturedAt == nil)
    }

    @Test func publicDataHaveNoCounts() {
        var facts = site
        facts.audience = Audience(.public)
        let hidden = weeks("Lamp", 200, audience: Audience(.public))
        let table = WeekPage.data(WeekPageInputs(newest, [hidden]), site: facts).tables[0]
        #expect(table.columns.suffix(3) == ["opened", "closed", "budget"])
        #expect(table.rows[0].allSatisfy { $0 != .text("Knot came loose") && $0 != .count(1400) })
    }

    @Test func publicWeekHidesCountsAndTitles() {
        let hidden = weeks("Lamp", 200, audience: Audience(.public))
        var facts = site
        facts.audience = Audience(.public)
        let row = weekPage(of: newest, [hidden], weeks: [newest], facts).apps[0]
        #expect(row.moverChange == "more events" && row.mover?.contains("Knot") == false)
        #expect(row.budget?.contains("%") == true)
    }

    /// One screen: a table, and two lines for each app at most.
    @Test(arguments: MarkdownDialect.allCases)
    func summaryIsShort(dialect: MarkdownDialect) {
        let text = WeekSummary(WeekPageInputs(newest, [weeks("Able", 20), weeks("Misses", 200)]), site: site)
            .text(
                in: dialect)
        #expect(text.contains("Week 3 of 2016") && text.contains("Misses") && text.contains("biggest mover"))
        #expect(text.split(separator: "\n").count < 25 && text.utf8.count < 3000)
    }
}
