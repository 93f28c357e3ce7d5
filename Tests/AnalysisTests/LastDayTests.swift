import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// The day that a report is about is the newest with the app's rate, though other figures are a few days ahead.
struct LastDayTests {
    /// - Parameters:
    ///   - rated: the newest day back with users and sessions.
    ///   - ahead: what the days after it have.
    private func lastDay(rated: Int, ahead: (Int) -> HealthDay) -> CivilDate {
        let known = (rated...rated + 20).map {
            HealthDay.make($0, sessions: 1_000, users: 900, crashedUsers: 9)
        }
        let source = SourceHistory.make(health: known + (0..<rated).map(ahead))
        let app = AppHistory.make().app
        return AppAnalysis(AppHistory(app: app, sources: [source]), targets: .standard, asOf: reportTime)
            .facts.lastDay
    }

    @Test func crashesAndSessionsMayBeAhead() {
        for rated in [0, 1, 7] {
            #expect(lastDay(rated: rated) { HealthDay(date: .back($0), crashes: 4) } == .back(rated))
            #expect(lastDay(rated: rated) { .make($0, sessions: 1_000) } == .back(rated))
            // All users, and not how many of them crashed.
            #expect(lastDay(rated: rated) { .make($0, sessions: 1_000, users: 900) } == .back(rated))
        }
    }

    @Test func aRateThatIsMissingForLongIsMissing() {
        #expect(lastDay(rated: 8) { HealthDay(date: .back($0), crashes: 4) } == .back(0))
    }

    @Test func aDayWithoutUsersIsOne() {
        #expect(lastDay(rated: 1) { .make($0, sessions: 0, users: 0, crashedUsers: 0) } == .back(0))
    }
}
