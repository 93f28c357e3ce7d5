import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// The users of an issue in a release are known where it was seen in no other.
struct ReleaseUsersTests {
    /// The first and the last version by its source, the versions of its days, and its users in 3.0.0.
    @Test(
        arguments: [
            ("3.0.0", "3.1.0", [], nil), ("3.0.0", "3.0.0", [], 5000), ("3.0.0", nil, [], nil),
            (nil, nil, [], nil), (nil, nil, ["3.0.0"], 5000), (nil, nil, ["3.0.0", "3.1.0"], nil),
            ("3.0.0", "3.0.0", ["3.0.0"], 5000), ("2.9.0", "3.0.0", ["3.0.0"], nil),
        ] as [(String?, String?, [String], Int?)])
    func usersInARelease(first: String?, last: String?, days: [String], users: Int?) {
        let issue = AppHealth.Issue(
            id: "a", title: "A", firstVersion: first.map { Version($0) },
            lastVersion: last.map { Version($0) },
            users: 5000)
        let source = SourceHistory.make(
            issues: [issue, AppHealth.Issue(id: "b", title: "B")],
            issueDays: days.map { .make("a", of: $0) } + [.make("b", of: "3.0.0")])
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.issues["a"]?.users(inRelease: "3.0.0") == users)
    }

    /// Versions that an issue was seen in: labels without a number are neither the first nor the last among others.
    @Test(arguments: [
        (["4.2.0", "unknown", "4.3.0"], "4.2.0", "4.3.0"), (["unknown", "4.2.0"], "4.2.0", "4.2.0"),
        (["dev", "unknown"], "dev", "unknown"),
    ])
    func versionsOfAnIssue(labels: [String], first: String, last: String) {
        let source = SourceHistory.make(
            issues: [AppHealth.Issue(id: "a", title: "A")], issueDays: labels.map { .make("a", of: $0) })
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.issues["a"]?.versions(through: lastDay) == SeenVersions(first: first, last: last))
    }
}
