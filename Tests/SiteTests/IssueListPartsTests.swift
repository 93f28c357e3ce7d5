import AppHealth
import Diagnostics
import Foundation
import Markup
import Pages
import Settings
import Testing

@testable import Site

/// The list of issues of an app with more of them than a page has room for.
struct IssueListPartsTests {
    /// An app with as many issues; the last one has the name of a part of the list.
    private static func history(_ app: App, issues count: Int) -> AppHistory {
        var history = AppHistory.sample(app, days: 2)
        history.sources[0].issues = (1..<count).map {
            Issue(id: "\($0)", title: "Crash \($0)", events: 100_000 - $0)
        }
        history.sources[0].issues.append(Issue(id: "page-2", title: "Last", events: 1))
        history.sources[0].issueDays = []
        history.sources[0].notes = []
        return history
    }

    private func site(issues count: Int) async throws -> [String: String] {
        let folder = try TemporaryFolder()
        let outcome = try await buildSite(sampleInput(folder.path + "/site")) { app throws(Diagnostics) in
            Self.history(app, issues: count)
        }
        #expect(outcome.failedChecks == [])
        return try folder.tree("site")
    }

    /// The pages of issues that the table of a page leads to.
    private func issues(_ page: String?) -> [String] {
        let rows = (page ?? "").components(separatedBy: "<tbody>").dropFirst().first ?? ""
        return (rows.components(separatedBy: "</tbody>").first ?? "").components(separatedBy: "<a href=\"")
            .dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
    }

    @Test func everyIssueIsOnOnePartOfTheList() async throws {
        let tree = try await site(issues: 1_401)
        let top = try #require(tree.keys.first { $0.hasSuffix("/issues/index.html") })
            .dropLast("index.html".count)
        let parts = (1...8).map { tree[top + ($0 == 1 ? "index.html" : "page-\($0)/index.html")] }
        #expect(parts.map { issues($0).count } == [200, 200, 200, 200, 200, 200, 200, 1])
        #expect(tree["\(top)page-9/index.html"] == nil)
        let listed = parts.enumerated().flatMap { part, page in
            issues(page).map { part == 0 ? $0 : String($0.dropFirst("../".count)) }
        }
        #expect(listed.count == 1_401 && Set(listed).count == 1_401)
        let missing = listed.filter { tree[top + $0] == nil }
        #expect(missing == [])
        #expect(listed.last?.hasPrefix("page-2-") == true)
        // Of many parts the first, the last and those around one are named, in both languages.
        let last = try #require(parts[7])
        let isTitled = last.contains(": issues 1,401 of 1,401 ·")
        #expect(isTitled)
        for shown in ["1–200", "401–600", "1,201–1,400", "1,401"] {
            let isShown = last.contains("<bdi>\(shown)</bdi>")
            #expect(isShown, "\(shown)")
        }
        let showsAll = last.contains("<bdi>201–400</bdi>")
        #expect(!showsAll)
        #expect(tree["\(top)page-8/index.md"]?.contains("[1–200](../index.md)") == true)
        // All of them are in the data next to the first part, and only there.
        #expect(tree["\(top)data.csv"]?.split(separator: "\r\n").count == 1_402)
        #expect(tree["\(top)page-2/data.csv"] == nil)
        #expect(tree["sitemap.xml"]?.contains("/issues/page-8/") != false)
    }

    @Test func fewIssuesAreOnOnePage() async throws {
        let tree = try await site(issues: 200)
        #expect(!tree.keys.contains { $0.contains("/issues/page-2/index") })
        let list = try #require(tree.first { $0.key.hasSuffix("/issues/index.html") }?.value)
        let hasParts = list.contains("Parts of this list")
        #expect(issues(list).count == 200 && !hasParts)
    }
}
