import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// Which release a label names that somebody writes.
struct NamedReleaseTests {
    @Test(
        arguments: [
            // As it is listed, also where another one is of that version.
            ("1.2", "1.2"), ("1.2.0", "1.2.0"), ("v1.2", nil),
            // Another way to write the only one of a version.
            ("v3", "3.0"), ("3.0.0.0", "3.0"), ("3.0 (12)", "3.0"), ("3.0 (13)", nil), ("3.0-rc1", nil),
            // Another build is another release; without one it is the version.
            ("v2.0+7", "2.0+7"), ("2.0+8", nil), ("v2.0", "2.0+7"),
            ("nightly", nil), ("3.1", nil), ("", nil),
        ] as [(String, String?)])
    func aLabelNamesOneRelease(label: String, found: String?) {
        let versions = [
            Version("3.0", build: "12"), Version("2.0+7"), Version("1.2.0"), Version("1.2"),
            Version("canary"),
        ]
        let releases = AppAnalysis(
            .make(.make(releases: versions.map { Release(version: $0, releasedAt: nil) })),
            targets: .standard, asOf: reportTime
        ).releases
        #expect(releases.all.count == versions.count)
        #expect(releases.release(named: label)?.label == found)
        // Only a version that several write is one that names several.
        #expect((releases.releases(ofVersion: label).count > 1) == ["1.2", "1.2.0", "v1.2"].contains(label))
    }
}
