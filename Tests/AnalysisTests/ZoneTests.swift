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
}
