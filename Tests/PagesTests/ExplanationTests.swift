import Analysis
import AppHealth
import Formatting
import HistoryFixtures
import Testing

@testable import Pages

struct ExplanationTests {
    private static let source = SourceHistory.make(
        health: [
            .make(7, sessions: 11_000, crashed: 11, users: 5000, crashedUsers: 20),
            .make(0, sessions: 12_000, crashed: 24, users: 5000, crashedUsers: 25),
            .make(of: "1.0", sessions: 9000, crashed: 9),
        ], releases: [Release(version: Version("1.0"), releasedAt: .noon(back: 9))],
        issues: [Issue(id: "a", title: "A", events: 40, users: 12)],
        issueDays: [.make("a", events: 7, users: 5)])
    private static let report = AppAnalysis.make(source)

    private func number(_ id: String, at path: SitePath) throws -> Explanation {
        try #require(ExplainedPages(Self.report).numbers(at: path)?.first { $0.id == id })
    }

    @Test func rateIsExplainedWithItsCounts() throws {
        let number = try number("crash-free-users", at: .app(Self.report.facts.app.id))
        #expect(number.rows.map(\.what) == ["users", "affected users"])
        #expect(number.rows.map(\.count) == ["5,000", "25"])
        #expect(plain(number.formula) == "1 − 25 ÷ 5,000 = 99.50%")
        #expect(
            plain(number.intervalFormula) == "95% Wilson score interval of 4,975 of 5,000: 99.26–99.66")
        #expect(number.window == "on \(lastDay.compactText)")
        #expect(number.definition?.unit == "user")
        #expect(number.origin?.source.id.text == "files" && number.origin?.capturedAt != nil)
    }

    @Test(arguments: [
        (SitePath.app(report.facts.app.id), "change", "(1 − 25 ÷ 5,000) − (1 − 20 ÷ 5,000) = −0.10 pp"),
        (.release("1.0", of: report.facts.app.id), "session-adoption", "9,000 ÷ 12,000 = 75.00%"),
        (.part(.releases, of: report.facts.app.id), "1.0/crash-free-sessions", "1 − 9 ÷ 9,000 = 99.90%"),
        (.issue("a", of: report.facts.app.id), "events-in-28-days", "events of these days, summed"),
        (.day(lastDay, of: report.facts.app.id), "crash-free-sessions", "1 − 24 ÷ 12,000 = 99.80%"),
        (.day(lastDay, of: report.facts.app.id), "a/users", "as the source counts them"),
        (.part(.issues, of: report.facts.app.id), "a/share-of-sessions", "7 ÷ 23,000 = 0.030%"),
        (.app(report.facts.app.id), "error-budget", "allowed = (1 − 99.5%)"),
    ]) func everyPageExplainsItsNumbers(path: SitePath, id: String, formula: String) throws {
        #expect(plain(try number(id, at: path).formula)?.hasPrefix(formula) == true, "\(path) \(id)")
    }

    /// The explanation of a tile cannot differ from it.
    @Test func tileAndExplanationAreOne() {
        let report = Self.report
        let page = AppPages(report, site: site).overview
        let release = report.releases.all.map { AppPages(report, site: site).release($0) }
        for figure in page.tiles + release.flatMap(\.tiles) + AppPages(report, site: site).usage.tiles {
            #expect(
                figure.explanation.value == figure.value && figure.explanation.interval == figure.interval)
            #expect(figure.explanation.label == figure.label)
            #expect(figure.explanation.stateNote == figure.stateNote)
        }
        #expect(
            ExplainedPages(report).numbers(at: .app(report.facts.app.id))?.prefix(4).map { $0 }
                == page.tiles.map(\.explanation))
    }

    @Test func namesOfAPageAreUnique() throws {
        for path in ExplainedPages(Self.report).paths {
            let ids = try #require(ExplainedPages(Self.report).numbers(at: path)).map(\.id)
            #expect(Set(ids).count == ids.count, "\(path)")
        }
        #expect(ExplainedPages(Self.report).numbers(at: .release("9", of: Self.report.facts.app.id)) == nil)
    }

    @Test func numberThatIsMissingSaysWhy() throws {
        let report = AppAnalysis.make(.make(health: [.make(users: 0, crashedUsers: 0)]))
        let number = try #require(ExplainedPages(report).numbers(at: .app(report.facts.app.id))?.first)
        #expect(number.value == "no users" && number.formula == nil && number.rows.isEmpty)
        #expect(number.stateNote == "Not available: no users on \(lastDay.compactText)")
    }
}
