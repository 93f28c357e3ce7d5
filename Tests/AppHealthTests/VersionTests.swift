import AppHealth
import Testing

struct VersionTests {
    @Test(arguments: [
        [
            "4.2.0-alpha", "4.2.0-alpha.1", "4.2.0-alpha.beta", "4.2.0-beta", "4.2.0-beta.2", "4.2.0-beta.11",
            "4.2.0-rc.1", "4.2.0", "4.2.1", "4.3", "4.10.0", "5",
        ],
        ["9", "10", "11.0.1", "100"], ["v1.0", "v1.1", "1.2", "V1.3", "v10"], ["", "1"], ["1.0", "1.x"],
        ["2026.9.30", "2026.11.2"], ["4.2.0-beta.1", "4.2.0"], ["0.9", "1.0-beta", "1.0"],
        ["99999999999999999998", "99999999999999999999"], ["3", "99999999999999999999"],
        // A build in brackets, and pre-releases without a hyphen.
        ["4.2.9 (390)", "4.2.10 (400)", "4.2.10 (401)", "4.2.11 (1)"],
        ["4.2.10a1", "4.2.10b2", "4.2.10beta1", "4.2.10rc1", "4.2.10 rc2", "4.2.10", "4.2.11rc1", "4.2.11"],
        ["4.2.0.rc1", "4.2.0", "4.2.0.1"], ["ios-4.9.0", "ios-4.10.0"], ["release/v4.9", "release/v4.10"],
        // What is no number comes before all that are, and so does a line of its own.
        ["nightly-20261001", "4.2.0"], ["unknown", "0.1"], ["HEAD", "v1"], ["(not set)", "1"],
        ["9f3c2a1", "1"],
        ["main-9f3c2a1", "1"], ["ios-4.3.0", "4.2.0"], ["release/4.3", "4.2"],
    ])
    func labelsAscend(labels: [String]) {
        check(labels.map { Version($0) })
    }

    @Test(arguments: [
        ["", "357", "358", "370", "1000"], ["9", "10", "10.1", "a9"], ["358", "370-hotfix"],
    ])
    func buildBreaksATie(builds: [String]) {
        check(builds.map { Version("4.2.0", build: $0) })
    }

    @Test func labelCountsMoreThanTheBuild() {
        check([Version("4.2.0", build: "900"), Version("4.2.1", build: "1")])
    }

    /// Names without a number, as a console lets one write them, are in the order of their codes.
    @Test func codesOrderNames() {
        check([
            Version("Nightly"), Version("October hotfix", build: "311"),
            Version("November update", build: "320"), Version("1.0", build: "1"),
        ])
    }

    /// Every pair of an ascending list.
    private func check(_ ascending: [Version]) {
        for (index, first) in ascending.enumerated() {
            for second in ascending[(index + 1)...] {
                #expect(first < second && !(second < first), "\(first) before \(second)")
            }
        }
    }

    @Test func labelsOfOneVersionAreApartOnlyByTheirText() {
        // Zeros at the end, a leading v and build metadata do not make another version.
        for (first, second) in [("4.2", "4.2.0"), ("4.2.0", "v4.2.0"), ("4.2.0", "4.2.0+5"), ("1", "01")] {
            #expect((Version(first) < Version(second)) != (Version(second) < Version(first)))
            #expect(Version(first) != Version(second))
            check([Version(first, build: "9"), Version(second, build: "10")])
            check([Version(second, build: "9"), Version(first, build: "10")])
        }
    }

    /// Whether the first label is the second one or later, which of other lines is not known.
    @Test(
        arguments: [
            ("4.3.0", "4.2.0", true), ("v4.2", "4.2.0", true), ("4.2.0", "4.2.1", false),
            ("4.2.10 (400)", "4.2.10 (400)", true), ("4.2.10 (400)", "4.2.10", true),
            ("4.2.9 (390)", "4.2.10 (400)", false), ("4.2.10rc1", "4.2.10", false),
            ("4.2.10", "4.2.10rc1", true),
            ("ios-4.3.0", "4.2.0", false), ("ios-4.3.0", "ios-4.2.0", true),
            ("ios-4.1.0", "ios-4.2.0", false),
            ("4.3.0", "ios-4.2.0", false), ("unknown", "4.2.0", false), ("4.2.0", "unknown", false),
            ("nightly-20261001", "4.2.0", false), ("nightly-20261002", "nightly-20261001", true),
            ("9f3c2a1", "4.2.0", false), ("9f3c2a1", "9f3c2a1", true), ("9f3c2a1", "8f3c2a1", false),
        ])
    func isAtLeast(label: String, other: String, expected: Bool) {
        #expect(Version(label).isAtLeast(Version(other)) == expected)
    }

    @Test(arguments: [
        ("4.2", true), ("v4.2", true), ("4.2 (370)", true), ("4.2-beta", true), ("ios-4.2", false),
        ("", false),
        ("unknown", false), ("(not set)", false), ("v", false), ("9f3c2a1", false),
    ])
    func isNumber(label: String, expected: Bool) {
        #expect(Version(label).isNumber == expected)
    }

    @Test func orderIsTotal() {
        let labels = [
            "", ".", "-", "+", "v", "V", "4", "4.2", "4.2.0", "v4.2", "04.2", "4.2-", "4.2-beta",
            "4.2-beta.1",
            "4.2.0-beta.01", "4.2+5", "4..2", "4.x", "x.4", "latest", "船", "4.2 (hotfix)", "-1", "--",
            "9223372036854775808", "é", "e\u{301}", "4.2 (5)", "4.2 ()", "()", "4.2rc1", "4.2a", "4.2a1",
            "ios-4.2",
            "ios-v4.2", "ios-4.2-rc", "9f3c2a1", "nightly-1", "1-nightly", "4.2 rc 1", "v-1", "@4",
        ]
        let versions = labels.flatMap { label in ["", "358", "b7"].map { Version(label, build: $0) } }
        let sorted = versions.sorted()
        for (row, first) in sorted.enumerated() {
            for (column, second) in sorted.enumerated() {
                // A list whose every pair is in order, in one direction only, proves a total order.
                let expected = row < column && first != second
                if (first < second) != expected {
                    Testing.Issue.record("\(first) and \(second) are not in order")
                }
            }
        }
        #expect(versions.reversed().sorted() == sorted)
    }

    @Test func textNamesTheBuildWhenThereIsOne() {
        #expect("\(Version("4.2.1", build: "370"))" == "4.2.1 (370)")
        #expect("\(Version("4.2.1"))" == "4.2.1")
    }

    @Test(
        arguments: [
            ("4.2.0-beta.1", true), ("v4.2.0rc1", true), ("ios-4.2-alpha", true), ("4.2.0-beta (371)", true),
            ("4.2.0", false), ("4.2.0+beta", false), ("1.2.3-4", false), ("2026-11-19", false),
            ("nightly", false),
        ])
    func aWordBehindTheNumberIsBeforeARelease(label: String, expected: Bool) {
        #expect(Version(label).isPrerelease == expected)
    }
}
