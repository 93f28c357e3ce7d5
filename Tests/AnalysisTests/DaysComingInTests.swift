import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// Days of crashes of a source that takes days to count them and has no rates.
struct DaysComingInTests {
    private static let slow = SettlingAge(settlesAfterHours: 120, finalAfterHours: 336)

    /// Crashes of 60 days, of which the last ones have a share of what is usual.
    private func store(
        _ usual: Int, _ share: Double, through back: Int, knows: Set<Capability> = [.issues, .issueDays],
        age: SettlingAge
    ) -> SourceHistory {
        let part = Coverage.partial(counted: nil, of: nil)
        let counts = (0..<60).reversed().map { place in
            (back: place, crashes: place <= back ? Int(Double(usual) * share) : usual)
        }
        var source = SourceHistory.make(
            "store", knows: knows,
            health: counts.map {
                HealthDay(
                    date: .back($0.back), sessions: knows.contains(.sessions) ? 90_000 : nil,
                    crashedSessions: knows.contains(.sessions) ? 9 : nil, crashes: $0.crashes)
            }, issues: [Issue(id: "all", title: "All crashes", kind: .crash)],
            issueDays: counts.map { .make("all", $0.back, events: $0.crashes, users: nil) },
            coverage: [.crashes, .issueDays].map { CoverageSpan($0, .back(59) ... .back(0), part) })
        source.deviceDays = counts.map {
            DeviceDay(date: .back($0.back), device: "iPhone", crashes: $0.crashes)
        }
        source.source.settling = age
        return source
    }

    /// A day with less than four fifths of the usual waits, and is shown as low as it is once it is old enough. What is few
    /// by chance does not wait.
    @Test(arguments: [
        (1_000, 0.5, 0, slow, 1), (1_000, 0.5, 2, slow, 3), (1_000, 0.9, 0, slow, 0),
        (1_000, 0.5, 6, slow, 5), (2, 0.5, 0, slow, 0), (1_000, 0.5, 0, .standard, 0),
        (1_000, 0.5, 0, SettlingAge(settlesAfterHours: 0, finalAfterHours: 24), 0),
    ])
    func aPartOfADayIsNotTheNewestNumber(
        usual: Int, share: Double, back: Int, age: SettlingAge, newest: Int
    ) throws {
        let report = AppAnalysis(
            .make(store(usual, share, through: back, age: age)), targets: .standard, asOf: reportTime)
        let low = Int(Double(usual) * share)
        let events = try #require(report.reportedEvents)
        #expect(events.counts.keys.max() == .back(newest))
        #expect(events[.back(newest)] == (newest <= back ? low : usual))
        #expect(events[.back(newest + 7)] == usual)
        #expect(report.facts.lastDay == .back(newest))
        #expect(report.issues["all"]?.window.events == events.events)
        #expect(report.stability.devices?.devices.first?.crashes == events.events)
        let summaries = report.activity.events.filter { $0.kind == .topIssues }.map(\.occasion.day)
        #expect(!summaries.isEmpty && summaries.allSatisfy { $0 <= .back(newest) })
        #expect(report.sources.all.allSatisfy { !$0.isOverdue && $0.lastDay == lastDay })
    }

    /// A day of a source with rates is a day of its rates too.
    @Test func aDayWithARateDoesNotWait() {
        let source = store(1_000, 0.5, through: 0, knows: .all, age: Self.slow)
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.stability.health[lastDay]?.crashes == 500)
        #expect(report.issues["all"]?.days?.last?.date == lastDay)
    }
}
