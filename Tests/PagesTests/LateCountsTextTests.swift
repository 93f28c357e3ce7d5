import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

/// A status of a day of which many crashes are still to come says so, and a verdict that waits for them.
struct LateCountsTextTests {
    private static let words = " Crash reports are still coming in: after 1 night, earlier days had "

    private func pages(_ late: LateCounts?) -> AppPages {
        let health = (0..<40).map { HealthDay.make($0, sessions: 10_000, crashed: 20) }
        var source = SourceHistory.make(knows: [.sessions], health: health)
        source.lateCounts = late.map { [.sessions: [lastDay: $0]] } ?? [:]
        return AppPages(.make(source), site: site)
    }

    @Test(
        arguments: [
            (nil, nil), (LateCounts(nights: 1, total: 1, crashed: 0.81), nil),
            (LateCounts(nights: 1, total: 1, crashed: 0.312), "31%"),
            (LateCounts(nights: 1, total: 0.4, crashed: 0.4), nil),
        ] as [(LateCounts?, String?)])
    func statusSaysThatCrashesComeLate(late: LateCounts?, share: String?) {
        let pages = pages(late)
        let views = [
            pages.overview.verdict, pages.summary(of: lastDay).verdict, pages.day(lastDay).verdict,
        ]
        for why in views.map(\.why) {
            #expect(why.contains("Crash reports") == (share != nil), "\(why)")
            if let share { #expect(why.contains(Self.words + share + " of their crashes."), "\(why)") }
        }
        #expect(!pages.day(.back(1)).verdict.why.contains("Crash reports"))
    }

    @Test func verdictSaysWhatItWaitsFor() {
        let health = (0..<40).flatMap { back in
            [
                HealthDay.make(back, sessions: 50_000, crashed: 200),
                .make(back, of: "1.1", sessions: back < 2 ? 30_000 : 50_000, crashed: back < 2 ? 120 : 200),
            ]
        }
        let new = (0..<2).map { HealthDay.make($0, of: "1.2", sessions: 20_000, crashed: 60) }
        var source = SourceHistory.make(
            knows: [.sessions, .releases, .releaseHealth], health: health + new,
            releases: ["1.2", "1.1"].map { Release(version: Version($0), releasedAt: nil) })
        source.lateCounts = [.sessions: [lastDay: LateCounts(nights: 2, total: 1, crashed: 0.2)]]
        let evaluation = AppAnalysis.make(source).releases["1.2"]?.evaluation
        let hidden = evaluation?.why(counts: .hidden) ?? ""
        #expect(evaluation?.why == hidden)
        let start =
            "Crash reports of the newest days are still coming in: after 2 nights, earlier days had 20% of their crashes."
        #expect(hidden.hasPrefix(start + " So far: Crash-free sessions 99.70%"), "\(hidden)")
    }
}
