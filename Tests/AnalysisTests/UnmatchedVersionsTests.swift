import Analysis
import AppHealth
import Diagnostics
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
            (["4.0"], ["3.7.0"], nil), ([], ["3.7.0"], nil), (["3.7.0 (371)"], [], nil),
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
        let evidence = HistoryIndex(.make(sentry, warehouse), asOf: reportTime)
        let versions = UnmatchedVersions(evidence)
        #expect(versions.map { "\($0.counted) is \($0.listed)" } == found)
        #expect(versions.map { "\($0.id) \($0.lister)" } == found.map { _ in "warehouse sentry" })
        guard let versions else { return }
        let problem = versions.problem(of: evidence.app.id)
        #expect(problem.id == "source.versions" && problem.hints.count == 1)
        let section = AppAnalysis(
            .make(sentry, warehouse), targets: .standard, asOf: reportTime
        ).sources
        #expect(section.all.map { $0.unmatched != nil } == [false, true])
    }
}
