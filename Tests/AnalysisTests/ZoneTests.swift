import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// The last complete day is over in the zone of the figures too, five hours after UTC here.
struct ZoneTests {
    private static let west = ZoneOffsets(seconds: -18_000)
    private static let east = ZoneOffsets(seconds: 3600)
    private static let midnight = Instant(startOf: lastDay.advanced(by: 1))

    private static func source(
        _ zone: ZoneOffsets?, named name: String = "files", at hours: Int, knows: Set<Capability> = .all
    ) -> SourceHistory {
        var source = SourceHistory.make(
            name, knows: knows, capturedAt: midnight.advanced(bySeconds: hours * 3600),
            health: (0..<60).map {
                .make(
                    $0, sessions: $0 == 0 ? 8500 : 10_000, crashed: 50, users: $0 == 0 ? 4250 : 5000,
                    crashedUsers: 25)
            },
            usage: (0..<60).reversed().map { UsageDay(date: .back($0), activeUsers: 5000) },
            issues: [AppHealth.Issue(id: "a", title: "A")],
            issueDays: (0..<60).map { .make("a", $0, events: 30) })
        source.zoneOffsets = zone
        return source
    }

    private func analysis(_ sources: [SourceHistory], at hours: Int) -> AppAnalysis {
        AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            targets: .standard, asOf: Self.midnight.advanced(bySeconds: hours * 3600))
    }

    @Test(
        arguments: [
            // Hours of the capture and of the report after the end of the day in UTC; how many days back the last day
            // is, and for how many hours the report holds.
            (west, 2, 2, 1, 3), (west, 4, 4, 1, 1), (west, 5, 5, 0, 19), (west, 6, 6, 0, 18),
            (east, 2, 2, 0, 22), (east, 0, 0, 0, 24), (nil, 2, 2, 0, 22),
        ])
    func lastDayIsOverInTheZone(
        row: (zone: ZoneOffsets?, captured: Int, at: Int, back: Int, holds: Int)
    ) throws {
        let report = analysis([Self.source(row.zone, at: row.captured)], at: row.at)
        let last = CivilDate.back(row.back)
        #expect(report.facts.lastCompleteDay == last && report.facts.lastDay == last)
        #expect(report.usage.lastDay == last && report.stability.health.keys.max() == last)
        #expect(report.usage.days.last?.date == last)
        #expect(report.issues["a"]?.window.lastDay == last && report.issues["a"]?.window.events == 28 * 30)
        #expect(report.stability.crashes.keys.max() == last)
        #expect(report.facts.days.last == last)
        #expect(report.changesAt == Self.midnight.advanced(bySeconds: (row.at + row.holds) * 3600))
    }

    /// Nothing newer came when the day was over: what is known of it is a part as before.
    @Test func aPartOfADayStaysOne() {
        let report = analysis([Self.source(Self.west, at: 2)], at: 9)
        #expect(report.facts.lastCompleteDay == lastDay && report.facts.lastDay == .back(1))
        #expect(report.usage.lastDay == .back(1) && report.stability.health[lastDay] == nil)
    }

    /// A source in UTC has its day, although the one of another is not over.
    @Test func eachSourceHasItsOwnLastDay() {
        let issues = Self.source(nil, named: "issues", at: 2, knows: [.issues, .issueDays])
        let report = analysis(
            [Self.source(Self.west, named: "users", at: 2, knows: [.users, .sessions]), issues], at: 2)
        #expect(report.facts.lastCompleteDay == lastDay && report.facts.lastDay == .back(1))
        #expect(report.stability.health.keys.max() == .back(1))
        #expect(report.issues["a"]?.window.lastDay == lastDay)
        #expect(report.changesAt == Self.midnight.advanced(bySeconds: 5 * 3600))
    }

    /// What is found in a day could be known when it was over in the zone of its source.
    @Test(arguments: [(west, 5), (east, -1), (nil, 0)])
    func eventsOfADayAreAtItsEnd(row: (zone: ZoneOffsets?, hours: Int)) {
        var source = SourceHistory.make(
            capturedAt: Self.midnight.advanced(bySeconds: 6 * 3600),
            health: (0..<60).map {
                .make(
                    $0, sessions: 40_000, crashed: $0 < 4 ? 2000 : 40, users: $0 < 4 ? 9000 : 20_000,
                    crashedUsers: $0 < 4 ? 900 : 20)
            },
            usage: (0..<60).reversed().map { UsageDay(date: .back($0), activeUsers: $0 < 4 ? 900 : 20_000) },
            issues: [AppHealth.Issue(id: "a", title: "A")],
            issueDays: (0..<60).map { .make("a", $0, events: $0 < 4 ? 3000 : 30, users: $0 < 4 ? 900 : 20) })
        source.zoneOffsets = row.zone
        let index = HistoryIndex(.make(source), asOf: Self.midnight.advanced(bySeconds: 6 * 3600))
        let found = events(
            in: index, rules: [StabilityRule(), UsageAnomalyRule(), TopIssuesRule(), IssueVelocityRule()])
        #expect(Set(found.map(\.kind)) == [.stability, .usage, .topIssues, .velocity])
        #expect(
            found.allSatisfy {
                $0.occasion.at
                    == Instant(startOf: $0.occasion.day.advanced(by: 1)).advanced(bySeconds: row.hours * 3600)
            })
    }

    /// The first occurrence is in the night of UTC: the day before in the west, on which its events are.
    @Test(arguments: [(west, 2, 0), (west, 5, -1), (nil, 2, -1), (ZoneOffsets(seconds: 32_400), -9, -1)])
    func aNewIssueIsOfTheDayOfItsZone(row: (zone: ZoneOffsets?, hours: Int, back: Int)) {
        let day = CivilDate.back(row.back)
        var source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 9) },
            issues: [
                AppHealth.Issue(
                    id: "a", title: "A", firstSeen: Self.midnight.advanced(bySeconds: row.hours * 3600))
            ],
            issueDays: [IssueDay(issue: "a", date: day, events: 3, users: 2)])
        source.zoneOffsets = row.zone
        let index = HistoryIndex(.make(source), asOf: Self.midnight.advanced(bySeconds: 30 * 3600))
        #expect(events(in: index, rules: [NewIssueRule()]).map(\.occasion.day) == [day])
    }

    /// Alerts last as long as what was captured reaches: to the last day that was over then.
    @Test(arguments: [(west, 2, 1), (west, 5, 0), (east, 2, 0)])
    func anAlertLastsToTheLastDayInItsZone(row: (zone: ZoneOffsets, at: Int, back: Int)) {
        var source = SourceHistory.make(
            capturedAt: Self.midnight.advanced(bySeconds: row.at * 3600),
            health: (0..<60).map { .make($0, sessions: 40_000, crashed: $0 < 4 ? 2000 : 40) })
        source.zoneOffsets = row.zone
        let index = HistoryIndex(.make(source), asOf: Self.midnight.advanced(bySeconds: row.at * 3600))
        let revisions = reconcile([], with: events(in: index, rules: [StabilityRule()]), in: index) { _ in ""
        }
        .revisions
        #expect(revisions.map(\.state) == [.open])
        #expect(revisions.map(\.lastDay) == [.back(row.back)])
    }
    /// A note, and a failure, of the evening of the day before in the west are of the day that the pages have; they keep the
    /// name that they have always had.
    @Test(arguments: [(west, 2, 0), (west, 5, -1), (nil, 2, -1), (ZoneOffsets(seconds: 32_400), -10, 0)])
    func notesAndFailuresAreOfTheDayOfTheZone(row: (zone: ZoneOffsets?, hours: Int, back: Int)) {
        let instant = Self.midnight.advanced(bySeconds: row.hours * 3600)
        var source = SourceHistory.make(
            health: (0..<9).map { .make($0, sessions: 9) },
            notes: [Note(id: "n", at: instant, author: "Ana", text: "Hm.", subject: .app)])
        source.outages = [Outage(first: instant, end: instant.advanced(bySeconds: 60), why: timeout)]
        source.zoneOffsets = row.zone
        let index = HistoryIndex(.make(source), asOf: Self.midnight.advanced(bySeconds: 30 * 3600))
        let found = events(in: index, rules: [NewNoteRule(), SourceFailureRule()])
        #expect(found.map(\.occasion.day) == [.back(row.back), .back(row.back)])
        #expect(
            found.allSatisfy { $0.occasion.id.contains("/\(instant.date)/") && $0.occasion.at == instant })
    }
}
