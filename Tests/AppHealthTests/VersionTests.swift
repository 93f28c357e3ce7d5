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

    @Test func orderIsTotal() {
        let labels = [
            "", ".", "-", "+", "v", "V", "4", "4.2", "4.2.0", "v4.2", "04.2", "4.2-", "4.2-beta",
            "4.2-beta.1",
            "4.2.0-beta.01", "4.2+5", "4..2", "4.x", "x.4", "latest", "船", "4.2 (hotfix)", "-1", "--",
            "9223372036854775808", "é", "e\u{301}",
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
}
