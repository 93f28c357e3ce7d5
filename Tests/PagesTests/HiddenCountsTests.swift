import Analysis
import AppHealth
import Diagnostics
import Testing

@testable import Pages

/// Words and checks that come without counts for readers who see none.
struct HiddenCountsTests {
    @Test(arguments: [
        (Audience.team, ["first: 1,204", "second: 1,205"]), (Audience(.public), []),
        (Audience(.team, counts: .hidden), []),
    ])
    func failedChecksStateValuesToTheTeamAlone(audience: Audience, details: [String]) {
        let failed = Mismatch(.total, "They do not add up", "first: 1,204", "second: 1,205")
        let reported = failed.diagnostic(on: .portfolio).shown(to: audience)
        #expect(reported.details == details)
        #expect(reported.summary == "They do not add up")
    }

    @Test func quietLineCountsIssuesAndReleasesAlone() throws {
        let day = try #require(CivilDate("2026-11-19"))
        let at = try #require(Instant("2026-11-20T06:00:00Z"))
        let quiet = QuietDay(
            day: day, sessions: nil, users: nil, issues: 214, releases: 7, capturedAt: at,
            isProvisional: false)
        #expect(
            quiet.sentence
                == "All quiet on Thu, Nov 19, 2026. Checked 214 issues and 7 releases. Data as of Fri, Nov 20, 2026, 06:00 UTC; "
                + "the day is final.")
    }

    @Test func tableKeepsNoCount() {
        let table = DataTable(
            "apps", columns: ["id", "crashed", "of", "crashFree"],
            rows: [[.text("a"), .count(12), .count(34_567), .rate(0.123456)]])
        #expect(table.withoutCounts.columns == ["id", "crashFree"])
        #expect(table.withoutCounts.rows == [[.text("a"), .rate(0.123456)]])
    }
}
