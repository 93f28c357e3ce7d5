import AppHealth
import HistoryFixtures
import Pages
import Testing

struct UsageTests {
    @Test func tilesGiveTheLastDayThatTheSourceKnows() {
        let source = SourceHistory.make(
            health: [.make(0, sessions: 90), .make(1, sessions: 80)],
            usage: [
                UsageDay(
                    date: .back(1), activeUsers: 50, weeklyActiveUsers: 120, monthlyActiveUsers: 400,
                    newUsers: 0),
                // The day of the report is not over.
                UsageDay(date: .back(-1), activeUsers: 3),
            ])
        let page = AppPages(.make(source), site: site).usage
        #expect(page.tiles.map { plain($0.value) } == ["50", "120", "400", "12.5%", "0"])
        #expect(page.tiles.first?.detail == "on Tue, Jan 26, 2016")
        #expect(page.rows.count == 28 && page.unavailable == nil)
        #expect(
            page.rows.prefix(3).map(\.date) == [
                "2016-01-27", "2016-01-26", "2016-01-25",
            ])
        #expect(page.rows.prefix(3).map(\.daily) == ["–", "50", "–"])
        #expect(page.rows.prefix(3).map(\.sessions) == ["90", "80", "–"])
        #expect(page.rows.prefix(3).map { plain($0.stickiness) } == ["–", "12.5%", "–"])
    }

    @Test(
        arguments: [
            (
                .make("bugsnag", knows: [.sessions], health: [.make(sessions: 9)]),
                "Active users not available: 'bugsnag' doesn't provide them.",
                "Not available: 'bugsnag' doesn't provide this"
            ),
            (
                .make(capturedAt: nil, failure: timeout),
                "Couldn't fetch the source: No answer within 30 seconds.",
                "Failed: No answer within 30 seconds"
            ),
            (SourceHistory(source: .make()), "No source fetched yet.", "Not available: never fetched"),
            (.make(), nil, "Not available: no data for Wed, Jan 27, 2016"),
        ] as [(SourceHistory, String?, String)])
    func usageThatIsNotKnownSaysWhy(source: SourceHistory, why: String?, note: String) {
        let page = AppPages(.make(source), site: site).usage
        #expect(page.unavailable == why)
        #expect(Set(page.tiles.map(\.stateNote)) == [note])
        #expect(page.tiles.allSatisfy { $0.value == "–" })
        #expect((page.chart == nil) == (why != nil))
        #expect(page.rows.allSatisfy { $0.daily == "–" && $0.stickiness == "–" })
    }

    @Test func monthWithoutUsersHasNoStickiness() {
        for month in [nil, 0, 3] {
            let day = UsageDay(date: lastDay, activeUsers: 5, monthlyActiveUsers: month)
            let page = AppPages(.make(.make(usage: [day])), site: site).usage
            #expect(page.tiles[3].value == "–" && page.tiles[3].state == .unavailable)
            #expect(page.rows.first?.stickiness == "–")
        }
    }
}
