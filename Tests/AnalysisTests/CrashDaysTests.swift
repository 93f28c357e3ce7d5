import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// Crashes by day of a source that counts little else.
struct CrashDaysTests {
    /// About 53 crashes a day, and on two days many more.
    private static func source(
        _ name: String = "files", knows capabilities: Set<Capability>, many: Range<Int> = 5..<7
    ) -> SourceHistory {
        .make(
            name, knows: capabilities,
            health: (0..<111).reversed().map { back in
                HealthDay(date: .back(back), crashes: many.contains(back) ? 900 : 50 + back * 37 % 7)
            })
    }

    private func analysis(_ sources: SourceHistory...) -> AppAnalysis {
        AppAnalysis(
            AppHistory(app: AppHistory.make().app, sources: sources), targets: .standard, asOf: reportTime)
    }

    /// Whatever else the source counts, or nothing: the crashes are in all places, or in none.
    @Test(
        arguments: [
            [], [.usage], [.releases, .releaseHealth], [.notes], [.sessions], [.users], [.sessions, .users],
            [.issues], [.issues, .issueDays],
        ] as [Set<Capability>])
    func crashesAreShownWhateverElseTheirSourceCounts(knows: Set<Capability>) throws {
        let source = Self.source(knows: knows)
        let report = analysis(source)
        let (stability, day) = (report.stability, report.day(lastDay))
        #expect(stability.isCounted && report.facts.lastDay == lastDay)
        #expect(stability.crashCount(on: lastDay) == .loaded(50, asOf: reportTime))
        #expect(stability.crashSource?.source.id == source.source.id && day.crashes == 50)
        let shown = stability.crashes(on: [.back(40), .back(1), lastDay], report.issues).days
        #expect(shown.map(\.count) == [50 + 40 * 37 % 7, 50 + 37 % 7, 50])
        #expect(shown.map(\.isProvisional) == [false, true, true])
        #expect(shown.map(\.isProvisional) == shown.map { stability.isProvisional($0.date) })
        #expect(found(by: CrashCountRule(), in: source).first?.back == 6)
    }

    /// A table of crashes takes the place of no source of sessions, wherever it is listed.
    @Test(arguments: [true, false]) func crashesAloneAreNextToTheRatesOfAnotherSource(isFirst: Bool) {
        let crashes = Self.source("crashes", knows: [])
        let sessions = SourceHistory.make(
            "sessions", knows: [.sessions],
            health: (0..<40).map { .make($0, sessions: 10_000, crashed: 50) })
        let report = isFirst ? analysis(crashes, sessions) : analysis(sessions, crashes)
        #expect(report.stability.sessions?.facts?.source.id.text == "sessions")
        #expect(report.lastDay.sessions.value != nil && !report.stability.isCounted)
        #expect(report.stability.crashCount(on: lastDay) == .loaded(50, asOf: reportTime))
    }

    /// What a second source of the same has is not shown, so neither are its crashes: it may be another platform.
    @Test(arguments: [[.sessions], [.usage]] as [Set<Capability>])
    func aSourceThatIsNotUsedGivesNoCrashes(knows: Set<Capability>) {
        let used = SourceHistory.make(
            "files", knows: knows, health: knows == [.sessions] ? [.make(sessions: 9, crashed: 1)] : [],
            usage: [UsageDay(date: lastDay, activeUsers: 7)])
        var other = Self.source("other", knows: knows)
        other.source = Source(
            id: other.source.id, provider: used.source.provider, sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: knows)
        #expect(analysis(used, other).stability.crashCount(on: lastDay).value == nil)
    }
}
