import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// Which releases have a page that compares them, and where it is.
struct ComparedReleasesTests {
    private static let app = Slug(anyText: "sketchbook")

    /// Releases that came out so many days before the last one, each used from its day to the last.
    private func pairs(_ releases: [(label: String, back: Int)], sessions: Int = 9000) -> [String] {
        var health = (0...90).map { HealthDay.make($0, sessions: 90_000, crashed: 90) }
        for release in releases {
            health += (0...release.back).map {
                .make($0, of: release.label, sessions: sessions, crashed: sessions / 1000)
            }
        }
        let source = SourceHistory.make(
            health: health,
            releases: releases.sorted { Version($0.label) > Version($1.label) }.map {
                Release(version: Version($0.label), releasedAt: .noon(back: $0.back))
            })
        return AppAnalysis.make(source).releases.pairs.map { "\($0.earlier.version)...\($0.later.version)" }
    }

    @Test(
        arguments: [
            ([], []), ([("1.0", 9)], []), ([("1.0", 9), ("1.1", 4)], ["1.0...1.1"]),
            // 1.0 was in use before all figures: only the one that follows is compared with it.
            ([("1.0", 90), ("1.1", 40), ("1.2", 20)], ["1.1...1.2", "1.0...1.1"]),
            // The hotfix of an old line came out last.
            (
                [("0.9", 90), ("1.0", 60), ("2.0", 40), ("1.0.1", 20)],
                ["2.0...1.0.1", "1.0...1.0.1", "1.0...2.0", "0.9...1.0"]
            ),
        ] as [([(String, Int)], [String])])
    func eachIsHeldAgainstTheOneBeforeAndThoseOfItsVerdict(releases: [(String, Int)], expected: [String]) {
        #expect(pairs(releases.map { (label: $0.0, back: $0.1) }) == expected)
    }

    @Test func pagesGrowWithReleasesAlone() {
        let releases = (0..<20).map { (label: "1.\($0)", back: 85 - $0 * 4) }
        #expect(pairs(releases).count <= 4 * releases.count)
    }

    /// A release that is new takes no pair away, nor does one that is used no more.
    @Test func aPairOnceMadeStays() {
        let old = [(label: "1.0", back: 80), ("1.1", 60), ("1.2", 40), ("1.3", 20)]
        let before = Set(pairs(old))
        let after = Set(pairs(old + [("1.3.1", 10), ("1.0.9", 3)]))
        #expect(before.isSubset(of: after) && after.count > before.count)
    }

    @Test func nothingIsComparedOfWhichNothingWasCounted() {
        let names = ["1.2", "1.1", "1.0", "0.9"]
        let releases = names.map { label in
            Release(
                version: Version(label), releasedAt: nil,
                lifetime: label == "1.1"
                    ? ReleaseTotals(sessions: 900, crashedSessions: 1, sessionsLastDay: nil) : nil)
        }
        let source = SourceHistory.make(
            health: [.make(of: "0.9", sessions: 0, crashed: 0)], releases: releases,
            issues: [Issue(id: "a", title: "A")], issueDays: [.make("a", of: "1.0", events: 3)])
        let pairs = AppAnalysis.make(source).releases.pairs
        #expect(pairs.map { "\($0.earlier.version)...\($0.later.version)" } == ["1.0...1.1"])
    }

    @Test(arguments: [
        ("4.2.2", "4.3.0", "4.2.2...4.3.0"), ("1.0-beta.1", "1.0", "1.0-beta.1...1.0"),
        ("index.html", "v_1", "index.html-"), ("con", "nul", "x-con-"),
    ])
    func theAddressNamesBoth(earlier: String, later: String, folder: String) {
        let path = SitePath.compare(earlier, with: later, of: Self.app)
        #expect(path.stem.hasPrefix("apps/sketchbook/compare/\(folder)"))
    }

    private static let hostile = [
        "1", "1...2", "2...3", "3", "1....2", "...", "..", ".", "", "../../../etc/passwd", "a/b", "\\\\host",
        "\u{202E}gnp", "A", "a", "عربى", "a?b#c", "%2e%2e%2f", "1...2...3",
        String(repeating: "x.", count: 400),
        "index.html", "<script>",
    ]

    @Test func hostileLabelsHaveSafeAddressesOfTheirOwn() {
        var seen: Set<String> = []
        for earlier in Self.hostile {
            for later in Self.hostile where later != earlier {
                let stem = SitePath.compare(earlier, with: later, of: Self.app).stem
                let parts = stem.split(separator: "/", omittingEmptySubsequences: false)
                #expect(parts.count == 5 && parts[4] == "index", "\(stem)")
                let names = parts[3].split(separator: "...", omittingEmptySubsequences: false).map(
                    String.init)
                #expect(names.count == 2 && names.allSatisfy { Slug($0) != nil }, "\(stem)")
                #expect(parts[3].utf8.count < 200)
                #expect(seen.insert(stem).inserted, "\(stem)")
            }
        }
    }
}
