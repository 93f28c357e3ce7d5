import Analysis
import AppHealth
import Diagnostics
import Foundation
import Pages
import SchemaCheck
import Testing

@testable import Site

/// The page of two releases as it is written.
struct ComparePageFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Thirty days of 1.9, and four of 2.0, which crashes more; issues of the one, of the other and of both.
    private static func history(_ app: App, label: String = "2.0") -> AppHistory {
        var history = AppHistory.sample(app, days: 40)
        let captured = history.sources[0].capturedAt ?? Instant(startOf: .last)
        func day(_ age: Int, _ version: String, _ sessions: Int, _ crashed: Int) -> HealthDay {
            HealthDay(
                date: .last.advanced(by: -age), version: version, sessions: sessions,
                crashedSessions: crashed, users: sessions / 3, crashedUsers: crashed / 2)
        }
        history.sources[0].health.append(day(39, "1.8", 20_000, 60))
        history.sources[0].health += (0..<34).map { day($0, "1.9", $0 < 4 ? 14_321 : 19_123, 47) }
        history.sources[0].health += (0..<4).map { day($0, label, 4321, 130) }
        history.sources[0].releases = [(label, 3), ("1.9", 33)].map { name, age in
            Release(version: Version(name), releasedAt: captured.advanced(bySeconds: -86_400 * age))
        }
        let seen: [(issue: Int, version: String, age: Int, events: Int)] = [
            (0, label, 0, 90), (0, label, 1, 40), (1, label, 1, 12), (1, "1.9", 9, 70), (2, "1.9", 20, 400),
            (3, "1.9", 21, 2), (4, label, 2, 7), (4, "1.9", 12, 7),
        ]
        history.sources[0].issueDays = seen.map { one in
            IssueDay(
                issue: "issue-\(one.issue)", date: .last.advanced(by: -one.age), version: one.version,
                events: one.events, users: one.events / 2)
        }
        for index in history.sources[0].issues.indices {
            history.sources[0].issues[index].firstVersion = Version(index == 0 ? label : "1.9")
        }
        return history
    }

    private func tree(_ audience: Audience = .team, label: String = "2.0") async throws -> [String: String] {
        var input = try sampleInput(folder.path + "/site", facts: .sample { $0.audience = audience })
        input.apps = [(.harbour, .standard)]
        let outcome = try await buildSite(input) { app throws(Diagnostics) in
            Self.history(app, label: label)
        }
        #expect(outcome.failedChecks == [])
        return try folder.tree("site")
    }

    @Test(arguments: ["html", "md"])
    func pageIsAsStored(ending: String) async throws {
        let tree = try await tree()
        let page = try #require(tree["apps/harbour/compare/1.9...2.0/index.\(ending)"])
        // Without what is around every page, and without the drawing and its numbers, which have tests of their own.
        let region =
            ending == "html"
            ? page.replacing(/(?s)^.*?<main[^>]*>|<\/main>.*$/, with: "").replacing(
                /(?s)<figure.*?<\/figure>/, with: "<figure/>")
            : page.replacing(/(?s)\n---\n.*$/, with: "").replacing(
                /(?s)\n\n!\[.*?<\/details>/, with: "")
        try expectGolden(region, named: "compare.\(ending)")
    }

    @Test func filesAreNextToThePageAndLinksLeadThere() async throws {
        let tree = try await tree()
        let folder = "apps/harbour/compare/1.9...2.0/"
        for name in [
            "data.json", "data.csv", "data-comparedIssues.csv", "chart-pair-by-age.svg",
            "chart-pair-by-age.csv",
        ] {
            #expect(tree[folder + name] != nil, "\(name)")
        }
        let link = "compare/1.9...2.0/index.html\""
        #expect(tree["apps/harbour/releases/2.0/index.html"]?.contains("../../" + link) == true)
        #expect(tree["apps/harbour/releases/1.9/index.html"]?.contains("../../" + link) == true)
        #expect(tree["apps/harbour/releases/index.html"]?.contains("../" + link) == true)
        #expect(tree["sitemap.xml"]?.contains(folder + "index.html") == true)
        #expect(tree[folder + "index.html", default: ""].utf8.count < 30_000)
        let csv = try #require(tree[folder + "data.csv"])
        #expect(csv.contains("\r\nsameAge,sessions,0,3,4,,,2.0,17284,520,"))
    }

    @Test(arguments: ["<script>...", "../../x", "index.html", "a|b `c`", "\u{202E}2.0", "con", ""])
    func hostileLabelStaysText(label: String) async throws {
        let tree = try await tree(label: label)
        let pages = tree.keys.filter {
            $0.hasPrefix("apps/harbour/compare/") && $0.hasSuffix("/index.html") && !$0.contains("1.8")
        }
        #expect(pages.count == 1)
        let path = try #require(pages.first)
        #expect(path.split(separator: "/").count == 5)
        #expect(tree[path]?.contains("<script") == false && tree[path]?.contains("\u{202E}") == false)
        #expect(try folder.names() == ["site"])
    }

    @Test func thePublicSeesNoCount() async throws {
        let tree = try await tree(Audience(.public))
        let page = try #require(tree["apps/harbour/compare/1.9...2.0/index.html"])
        for secret in ["17,284", "4,321", "Pier.swift", "alert(1)", "issue-0"] {
            #expect(!page.contains(secret), "\(secret)")
        }
        #expect(page.contains("Crashes more") && page.contains("Crash issue "))
        let csv = try #require(tree["apps/harbour/compare/1.9...2.0/data.csv"])
        #expect(!csv.contains("Total") && csv.contains("laterCrashFree"))
        for file in ["data.csv", "data-comparedIssues.csv", "data.json"] {
            #expect(tree["apps/harbour/compare/1.9...2.0/" + file]?.contains("17284") == false)
        }
    }

    @Test func dataIsAsItsSchemaSays() async throws {
        let schema = try #require(SchemaCheck(installedThemes + "/../Content/schema/data-1.schema.json"))
        for audience in [Audience.team, Audience(.public)] {
            let text = try await tree(audience)["apps/harbour/compare/1.9...2.0/data.json"]
            #expect(schema.faults(in: Data(try #require(text).utf8)) == [])
        }
    }
}

/// Compares a text with the stored one next to the tests; UPDATE_GOLDEN=1 rewrites it.
private func expectGolden(
    _ actual: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Goldens/\(name)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try actual.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    #expect(
        actual == expected, "golden \(name) differs; UPDATE_GOLDEN=1 rewrites it",
        sourceLocation: sourceLocation)
}
