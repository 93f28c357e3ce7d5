import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// A source that counts single releases and lists none, such as an analytics service: its versions are the releases,
/// unless another source lists them.
struct CountedReleasesTests {
    private static func counting(_ labels: [String], _ days: Int = 3) -> SourceHistory {
        .make(
            "counts", knows: [.users, .releaseHealth],
            health: (0..<days).flatMap { back in
                [HealthDay.make(back, users: 900, crashedUsers: 3)]
                    + labels.map { HealthDay.make(back, of: $0, users: 300, crashedUsers: 1) }
            })
    }

    private static func listing(_ labels: [String], capturedAt: Instant? = reportTime) -> SourceHistory {
        .make(
            "lists", knows: [.releases, .issues], capturedAt: capturedAt,
            releases: labels.map { Release(version: Version($0), releasedAt: nil) })
    }

    @Test(
        arguments: [
            ([counting(["4.9", "4.10", "4.2"])], ["4.10", "4.9", "4.2"]),
            ([counting(["4.9"]), listing(["4.8"])], ["4.8"]),
            ([counting(["4.9"]), listing(["4.8"], capturedAt: nil)], ["4.9"]),
            ([counting([])], []),
            ([.make("counts", knows: [.users], health: [.make(of: "4.9", users: 9)])], []),
        ] as [([SourceHistory], [String])])
    func releases(sources: [SourceHistory], expected: [String]) {
        var history = AppHistory.make()
        history.sources = sources
        let section = AppAnalysis(history, targets: .standard, asOf: reportTime).releases
        #expect(section.all.map(\.label) == expected)
        #expect((section.lack == nil) == !expected.isEmpty)
    }
}
