import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

/// An app of which no crash is reported has a rate, and is named for what is missing.
struct SilentAppTests {
    private func digest(_ name: String, silent: Int) -> AppSummaryRow {
        let health = (0..<60).reversed().map { back in
            HealthDay.make(back, sessions: 20_000, crashed: back < silent ? 0 : 37 + back * 5 % 7)
        }
        return AppSummaryRow(AppAnalysis.make(.make(knows: [.sessions], health: health), named: name))
    }

    @Test func listsNameItForItsCrashes() throws {
        let apps = [digest("Mute", silent: 12), digest("Fine", silent: 0)]
        let named = "1 of 2 apps meets its target. No crashes reported: Mute."
        #expect(stateSentence(apps) == named)
        let week = try #require(apps.first?.weeks.all.first?.week)
        let list = WeekList(week, apps.map(\.weeks))
        #expect(list.sentence.hasPrefix(named))
    }
}
