import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// A source that counts single releases and lists none, such as an analytics service: its versions are the releases,
/// also next to those that another source lists.
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
            // What is counted and not listed is a release as well; in a list of its own nothing is there twice.
            ([counting(["4.9"]), listing(["4.8"])], ["4.9", "4.8"]),
            ([listing(["4.9", "4.8"]), counting(["4.9"])], ["4.9", "4.8"]),
            ([listing(["October"]), counting(["4.9", "4.10"])], ["4.10", "4.9", "October"]),
            ([listing([]), listing(["4.8"])], ["4.8"]),
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

    /// A version that is counted and not listed has the day that any source says.
    @Test(arguments: [nil, 5] as [Int?])
    func theDayIsOfAnySourceThatListsTheRelease(back: Int?) throws {
        var other = Self.listing([])
        other.source.id = Slug(anyText: "other")
        other.releases = [
            Release(version: Version("4.9", build: "7"), releasedAt: back.map { Instant.noon(back: $0) })
        ]
        var history = AppHistory.make()
        history.sources = [Self.listing(["4.8"]), Self.counting(["4.9"], 9), other]
        let report = AppAnalysis(history, targets: .standard, asOf: reportTime)
        let release = try #require(report.releases["4.9"])
        #expect(release.release.releaseDay == back.map(CivilDate.back))
        #expect(release.days.count == 9 && release.source?.source.id.text == "counts")
    }

    /// Of builds of one label the newest is listed, with the earliest day of them all.
    @Test(
        arguments: [
            (nil, [9], 9), (nil, [9, 5], 9), (2, [9], 9), (9, [2], 9), (2, [nil], 2), (nil, [nil], nil),
        ] as [(Int?, [Int?], Int?)])
    func theNewestBuildHasTheDayOfItsVersion(newest: Int?, earlier: [Int?], expected: Int?) throws {
        let days = [newest] + earlier
        var source = Self.counting(["4.9"], 9)
        source.releases = days.enumerated().map { place, back in
            Release(
                version: Version("4.9", build: "\(9 - place)"),
                releasedAt: back.map { Instant.noon(back: $0) })
        }
        source.source.capabilities = [.releases, .releaseHealth, .users]
        var history = AppHistory.make()
        history.sources = [source]
        let release = try #require(
            AppAnalysis(history, targets: .standard, asOf: reportTime).releases["4.9"])
        #expect(release.release.version.build == "9")
        #expect(release.release.releaseDay == expected.map(CivilDate.back))
    }

    /// The labels that a source lists, with the days on which they came out, the newest first, and those that are counted.
    @Test(
        arguments: [
            // One that is so new that nothing of it was counted yet is the latest: its verdict is no other one's.
            ([("5.0", 1), ("4.9", 20)], ["4.9"], "5.0"), ([("5.0", 1), ("4.9", 20)], ["5.0", "4.9"], "5.0"),
            ([("5.0", 1), ("4.9", 20)], [], "5.0"), ([("Hotfix", 1)], ["4.9"], "4.9"),
            ([("Hotfix", 1), ("Fix", 2)], ["4.9", "4.8"], "4.9"), ([("3.1.0+311", 1)], ["3.1.0"], "3.1.0"),
            ([("3.1.0+311", 1), ("3.0.0", 9)], ["3.1.0", "3.0.0"], "3.1.0"),
        ] as [([(String, Int)], [String], String)])
    func theLatestReleaseIsOneThatMayBeCounted(listed: [(String, Int)], counted: [String], latest: String)
        throws
    {
        var lister = Self.listing([])
        lister.releases = listed.map {
            Release(version: Version($0.0), releasedAt: .noon(back: $0.1))
        }
        var history = AppHistory.make()
        history.sources = [lister, Self.counting(counted)]
        let releases = AppAnalysis(history, targets: .standard, asOf: reportTime).releases
        #expect(releases.latest?.label == latest)
        #expect(releases.inUse(atMost: 9).contains { $0.label == latest })
        #expect(Set(releases.all.map(\.label)) == Set(listed.map(\.0) + counted))
    }

    /// Two codes of one version that another service counts as one: of the code it knows nothing.
    @Test(arguments: [("3.1.0", 0.9), ("3.1.0+311", nil), ("3.0.0", 0)] as [(String, Double?)])
    func aReleaseThatTheSourceNeverCountedIsNoZero(label: String, share: Double?) throws {
        let sessions = SourceHistory.make(
            "sessions", knows: [.sessions, .releaseHealth],
            health: (0..<20).flatMap { back in
                [
                    HealthDay.make(back, sessions: 10_000, crashed: 20),
                    .make(back, of: "3.1.0", sessions: 9000, crashed: 18),
                ] + (back < 5 ? [] : [.make(back, of: "3.0.0", sessions: 1000, crashed: 2)])
            },
            coverage: [CoverageSpan(.releaseHealth, .back(19)...lastDay)])
        var history = AppHistory.make()
        history.sources = [Self.listing(["3.1.0+311"]), sessions]
        let report = AppAnalysis(history, targets: .standard, asOf: reportTime)
        let release = try #require(report.releases[label])
        #expect(release.adoption.value?.value == share)
        let days = report.stability.rates(of: release.days, on: [lastDay]).days
        #expect(days.contains { $0.absence == .nothingCounted } == (share == 0))
    }
}
