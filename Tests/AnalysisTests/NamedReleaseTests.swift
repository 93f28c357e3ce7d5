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
            // A name without a build is the only build of its version, also where labels have builds in brackets.
            ("2024.11", "2024.11 (2411001)"), ("v2024.11.0", "2024.11 (2411001)"),
            ("2024.11(2411001)", "2024.11 (2411001)"), ("2024.11 (7)", nil), ("2024.11-beta", nil),
            ("2024.12", nil), ("2024.12 (2)", "2024.12 (2)"),
            // What is no build is another version, such as the one before the release.
            ("5.0", nil), ("5.0 (beta)", "5.0 (beta)"),
        ] as [(String, String?)])
    func aLabelNamesOneRelease(label: String, found: String?) {
        let releases = Self.analysis([]).releases
        #expect(releases.all.count == Self.versions.count)
        #expect(releases.release(named: label)?.label == found)
        // Only a version that several write is one that names several.
        let severals = ["1.2", "1.2.0", "v1.2", "2024.12"]
        #expect((releases.releases(ofVersion: label).count > 1) == severals.contains(label))
    }

    /// A note is on the release that its name is of, and is called so everywhere.
    @Test(
        arguments: [
            ("2024.11", "2024.11 (2411001)"), ("v3", "3.0"), ("1.2", "1.2"), ("2024.12", nil), ("3.1", nil),
        ] as [(String, String?)])
    func aNoteIsOnTheReleaseThatItNames(name: String, found: String?) throws {
        let note = Note(id: "n", at: .noon(back: 2), author: "Josh", text: "T", subject: .release(name))
        let analysis = Self.analysis([note])
        #expect(analysis.releases.all.filter { !$0.notes.isEmpty }.map(\.label) == (found.map { [$0] } ?? []))
        let event = try #require(analysis.activity.events.first { $0.kind == .newNote })
        guard case .newNote(let new) = event else { return }
        #expect(new.note.subject == .release(found ?? name))
    }

    private static let versions = [
        Version("3.0", build: "12"), Version("2.0+7"), Version("1.2.0"), Version("1.2"), Version("canary"),
        Version("2024.11 (2411001)"), Version("2024.12 (1)"), Version("2024.12 (2)"), Version("5.0 (beta)"),
    ]

    private static func analysis(_ notes: [Note]) -> AppAnalysis {
        AppAnalysis(
            .make(.make(releases: versions.map { Release(version: $0, releasedAt: nil) }, notes: notes)),
            targets: .standard, asOf: reportTime)
    }
}
