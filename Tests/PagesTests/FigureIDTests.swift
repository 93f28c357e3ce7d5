import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

/// What a figure is called may change; its name, its explanation and its place in data stay.
struct FigureIDTests {
    private static let analysis = AppAnalysis.make(
        .make(
            health: (0..<9).flatMap { back in
                [
                    HealthDay.make(back, sessions: 9000, crashed: 20, users: 900, crashedUsers: 9),
                    .make(back, of: back < 4 ? "1.1" : "1.0", sessions: 9000, crashed: 20),
                ]
            },
            usage: [UsageDay(date: lastDay, activeUsers: 900, monthlyActiveUsers: 4000, newUsers: 5)],
            releases: ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: .noon(back: 3)) },
            issues: [Issue(id: "a", title: "A", events: 40, users: 12)],
            issueDays: [.make("a", events: 7, users: 5), .make("a", of: "1.1", events: 7, users: 5)]))

    private static let reworded = FigureLabels(
        Dictionary(uniqueKeysWithValues: FigureID.allCases.map { ($0, "Label of \($0)") }))

    @Test func rewordingEveryLabelChangesNoName() throws {
        let (plain, other) = (
            ExplainedPages(Self.analysis), ExplainedPages(Self.analysis, labels: Self.reworded)
        )
        #expect(plain.paths == other.paths)
        for path in plain.paths {
            let (before, after) = (
                try #require(plain.numbers(at: path)), try #require(other.numbers(at: path))
            )
            #expect(before.map(\.id) == after.map(\.id), "\(path)")
            #expect(before.map(\.value) == after.map(\.value), "\(path)")
            #expect(zip(before, after).allSatisfy { $0.label != $1.label }, "\(path)")
        }
        #expect(plain.portfolio.map(\.id) == other.portfolio.map(\.id))
    }

    @Test func pagesAndChecksGoByTheName() {
        var reworded = site
        reworded.labels = Self.reworded
        let page = AppPages(Self.analysis, site: reworded).overview
        #expect(
            page.tiles.map(\.explanation.id)
                == AppPages(Self.analysis, site: site).overview.tiles.map(\.explanation.id)
        )
        #expect(page.tiles.allSatisfy { $0.label.hasPrefix("Label of ") })
        #expect(AppPages(Self.analysis, site: site).digest.mismatches(in: page) == [])
        let day = AppPages(Self.analysis, site: reworded).day(lastDay)
        #expect(day.revisions.allSatisfy { $0.label.hasPrefix("Label of ") })
        #expect(AppPages(Self.analysis, site: site).mismatches(in: day, lastDay) == [])
    }

    @Test func namesAreFitForAddresses() {
        for id in FigureID.allCases { #expect(Slug(id.rawValue)?.text == id.rawValue) }
        #expect(Set(FigureID.allCases.map { FigureLabels.standard[$0] }).count == FigureID.allCases.count)
    }
}
