import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// A source that counts sessions by version, next to one that lists releases.
struct UnmatchedVersionsTests {
    @Test(
        arguments: [
            (["3.7.0 (371)"], ["3.7.0"], "3.7.0 (371) is 3.7.0"),
            (["3.7.0+371"], ["v3.7"], "3.7.0+371 is v3.7"),
            // One that both write alike is enough: others may be new, or of another line.
            (["3.7.0 (371)", "3.6.0"], ["3.7.0", "3.6.0"], nil), (["3.7.0"], ["3.7.0"], nil),
            // None that looks like another.
            (["4.0"], ["3.7.0"], "4.0 is unlisted"), (["4.0"], ["October hotfix"], "4.0 is unlisted"),
            ([], ["3.7.0"], nil), (["3.7.0 (371)"], [], nil),
        ] as [([String], [String], String?)])
    func versionsThatAreWrittenOtherwiseAreNamed(counted: [String], listed: [String], found: String?) throws {
        let warehouse = SourceHistory.make(
            "warehouse", knows: [.sessions, .releaseHealth],
            health: (0..<20).flatMap { back in
                [.make(back, sessions: 1000)] + counted.map { .make(back, of: $0, sessions: 400) }
            })
        let sentry = SourceHistory.make(
            "sentry", knows: [.releases, .issues],
            releases: listed.map { Release(version: Version($0, build: "371"), releasedAt: nil) })
        let index = HistoryIndex(.make(sentry, warehouse), asOf: reportTime)
        let versions = UnmatchedVersions(index)
        #expect(versions.map { "\($0.counted) is \($0.listed ?? "unlisted")" } == found)
        #expect(versions.map { "\($0.id) \($0.lister)" } == found.map { _ in "warehouse sentry" })
        guard found != nil else { return }
        let section = AppAnalysis(
            .make(sentry, warehouse), targets: .standard, asOf: reportTime
        ).sources
        #expect(section.all.map { $0.unmatched != nil } == [false, true])
    }

    /// The list that is used is compared, not that of the source that counts.
    @Test(arguments: [true, false]) func theListThatIsUsedIsCompared(isFirst: Bool) throws {
        let counting = SourceHistory.make(
            "sentry", knows: [.sessions, .releaseHealth, .releases],
            health: (0..<20).flatMap { back in
                [HealthDay.make(back, sessions: 1000), .make(back, of: "3.2.0", sessions: 900)]
            }, releases: [Release(version: Version("3.2.0"), releasedAt: nil)])
        let play = SourceHistory.make(
            "play", knows: [.users, .releases],
            releases: [Release(version: Version("October hotfix", build: "311"), releasedAt: nil)])
        let index = HistoryIndex(
            isFirst ? .make(counting, play) : .make(play, counting), asOf: reportTime)
        let versions = UnmatchedVersions(index)
        #expect(
            versions.map { "\($0.id) \($0.lister) \($0.counted)" } == (isFirst ? nil : "sentry play 3.2.0"))
    }
}
