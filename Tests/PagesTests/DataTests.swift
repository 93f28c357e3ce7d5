import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct DataTests {
    private static let source = SourceHistory.make(
        health: [
            .make(2, sessions: 0, crashed: 0), .make(0, sessions: 1000, crashed: 0, users: nil),
            .make(0, of: "1.0", sessions: 10, crashed: 20),
        ],
        usage: [UsageDay(date: .back(0), activeUsers: 0)],
        releases: [
            Release(version: Version("1.0", build: "7"), releasedAt: .noon(back: 3)),
            Release(version: Version("0.9"), releasedAt: nil),
        ],
        issues: [Issue(id: "a", title: "", users: 0), Issue(id: "b", title: "B")],
        issueDays: [.make("b", events: 0), .make("b", 1, events: nil, users: 0)])

    @Test func missingIsAbsentAndZeroIsZero() {
        let rows = AppPages(.make(Self.source), site: site).digest.tables[0].rows
        #expect(rows.map(\.first) == [.text("2016-01-25"), .text("2016-01-26"), .text("2016-01-27")])
        let (zero, missing, last) = (rows[0], rows[1], rows[2])
        #expect(zero[1...2] == [.count(0), .count(0)])
        #expect(zero[3...4].allSatisfy { $0 == .absent } && zero[6...11].allSatisfy { $0 == .absent })
        #expect(zero[5] == .count(0) && last[5] == .count(0))
        #expect(missing.dropFirst().allSatisfy { $0 == .absent })
        #expect(last[3...4].allSatisfy { $0 == .absent } && last[6...8].allSatisfy { $0 == .absent })
        #expect(last[9] == .rate(1) && last[11] == .rate(1) && last[12] == .flag(true))
    }

    @Test func everyRowHasACellForEachColumn() {
        let report = AppAnalysis.make(Self.source)
        let tables = [
            report.stability.table(of: report.facts.days), report.issues.table, report.releases.table,
            report.usage.table(with: report.stability),
            report.day(lastDay).issuesTable, report.day(.back(1)).healthTable,
            AppAnalysis.make(.make(health: [.make(users: 900, crashedUsers: 4)])).lastDay.budgetTable,
            AppSummaryRow.table([AppSummaryRow(report)]),
        ]
        for table in tables {
            #expect(!table.rows.isEmpty, "\(table.name)")
            #expect(table.rows.allSatisfy { $0.count == table.columns.count }, "\(table.name)")
            #expect(Set(table.columns).count == table.columns.count, "\(table.name)")
        }
    }

    @Test func countsThatAreNotKnownAreAbsent() {
        let report = AppAnalysis.make(Self.source)
        #expect(
            report.usage.table(with: report.stability).rows == [
                // Sessions are those of the page, with its days.
                [
                    .text("2016-01-25"), .absent, .absent, .absent, .absent, .count(0), .text("complete"),
                ],
                [
                    .text("2016-01-27"), .count(0), .absent, .absent, .absent, .count(1000),
                    .text("complete"),
                ],
            ])
        #expect(
            report.issues.table.rows.map { Array($0.suffix(5)) } == [
                [.absent, .absent, .absent, .count(0), .absent],
                [.count(0), .count(2), .absent, .absent, .text("complete")],
            ])
        let releases = report.releases.table.rows
        #expect(
            releases[0].prefix(11) == [
                .text("1.0"), .text("7"), .text("2016-01-24T12:00:00Z"), .count(10), .count(20), .count(3),
                .count(4), .absent, .absent, .absent, .rate(0.01),
            ])
        #expect(
            releases[1].dropFirst(2).prefix(9) == [
                .absent, .absent, .absent, .absent, .absent, .absent, .absent, .absent, .rate(0),
            ])
        #expect(releases.map { $0[11] } == [.text("low"), .absent])
        #expect(
            releases.map { $0.suffix(9).prefix(4) } == [[.text("unknown"), .absent, .absent, .absent]] + [
                [.text("unknown"), .absent, .absent, .absent]
            ])
    }

    @Test func documentKnowsItsCapture() {
        var facts = site
        facts.isDemo = true
        let document = DataDocument(title: "T", capturedAt: reportTime, site: facts, tables: [])
        #expect(document.capturedAt == reportTime && document.isDemo)
    }
}
