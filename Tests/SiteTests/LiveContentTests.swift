import AppHealth
import Diagnostics
import Pages
import Testing

@testable import Site

struct LiveContentTests {
    private let folder: TemporaryFolder
    private let apps = [App.harbour.id, App.lantern.id]

    init() throws { folder = try TemporaryFolder() }

    private func built(_ pages: [String: String]) async throws -> [String: String] {
        for (name, text) in pages { try folder.write("Content/\(name)", text) }
        let (content, problems) = ContentFolder.read(folder.path + "/Content", apps: apps)
        #expect(problems == [])
        _ = try await build(sampleInput(folder.path + "/site", content: content))
        return try folder.tree("site")
    }

    private func fence(_ name: String, _ body: String) -> String { "```\(name)\n\(body)\n```\n\n" }

    @Test func everyKindIsShownInBothVersions() async throws {
        let charts = ChartKind.allCases.map { kind in
            kind == .smallMultiples
                ? "kind: small-multiples"
                : "kind: \(kind.rawValue)\napp: harbour" + (kind == .issueEvents ? "\nissue: issue-0" : "")
        }
        let blocks = BlockKind.allCases.map { "kind: \($0.rawValue)\napp: lantern" }
        let text =
            "First <b>words</b>.\n\n" + charts.map { fence("chart", $0) }.joined()
            + blocks.map { fence("block", $0) }.joined() + "Last words.\n"
        let tree = try await built(["alive.md": text])
        let (html, markdown) = (tree["alive/index.html", default: ""], tree["alive/index.md", default: ""])
        for page in [html, markdown] {
            #expect(page.contains("First words.") || page.contains("First <!-- raw HTML omitted -->words"))
            #expect(page.contains("Last words."))
            #expect(!page.contains("kind: "))
            #expect(!page.contains("<b>"))
            #expect(page.contains("chart-crash-free-harbour.svg"))
            #expect(page.contains("chart-small-multiples.csv"))
        }
        #expect(html.contains("figure-crash-free-harbour"))
        #expect(html.contains("class=\"verdict verdict-"))
        #expect(markdown.contains("[Lantern"))
        for kind in ["crash-free", "usage", "sessions", "calendar", "issue-events", "issue-users", "rank"] {
            #expect(tree["alive/chart-\(kind)-harbour.svg"]?.hasPrefix("<svg") == true, "\(kind)")
            #expect(tree["alive/chart-\(kind)-harbour.csv"] != nil, "\(kind)")
        }
        // The sample has no releases by day.
        #expect(html.contains("No source provides daily data by release."))
        #expect(markdown.contains("Harbour: age:** not available."))
    }

    /// What a source cannot report, or was never reached for, is no empty list.
    @Test(
        arguments: [
            (nil, "Couldn't fetch the source: Host not found."),
            ([.sessions], "Issues not available: 'files' doesn't provide them."),
        ] as [(Set<Capability>?, String)])
    func listsThatNoSourceHasSayWhy(knows: Set<Capability>?, why: String) async throws {
        let blocks = ["top-issues", "releases"].map { fence("block", "kind: \($0)\napp: harbour") }
        try folder.write("Content/alive.md", blocks.joined())
        let (content, _) = ContentFolder.read(folder.path + "/Content", apps: apps)
        let input = try sampleInput(folder.path + "/site", content: content)
        _ = try await buildSite(input) { app throws(Diagnostics) in
            var history = AppHistory.sample(app)
            let source = history.sources[0]
            var bare = SourceHistory(source: source.source)
            let failed = FetchAttempt(
                at: Instant(startOf: .last),
                outcome: .failed(.error("transport.resolve", "Host not found")))
            bare.source.capabilities = knows ?? source.source.capabilities
            bare.capturedAt = knows == nil ? nil : source.capturedAt
            bare.lastAttempt = knows == nil ? failed : source.lastAttempt
            history.sources = [bare]
            return history
        }
        let page = try #require(try folder.tree("site")["alive/index.md"])
        #expect(page.contains("**Harbour: top issues:** not available. \(why)"))
        #expect(page.contains("**Harbour: releases:** not available."))
        #expect(!page.contains("No issues") && !page.contains("No releases"))
    }

    @Test func namesAndIdsStayUniqueOnAPage() async throws {
        let chart = fence("chart", "kind: usage\napp: harbour\nspan: 7")
        let issues = fence("block", "kind: top-issues\napp: harbour")
        let tiles = ["harbour", "lantern", "harbour"].map { fence("block", "kind: tiles\napp: \($0)") }
            .joined()
        let text =
            "## Contents\n\n## Figure usage harbour\n\n## Number tiles lantern sessions\n\n"
            + chart + chart + issues + issues + tiles
        let tree = try await built(["alive.md": text])
        let html = try #require(tree["alive/index.html"])
        let ids = html.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
        #expect(ids.count == Set(ids).count)
        #expect(ids.contains("figure-usage-harbour") && ids.contains("figure-usage-harbour-2"))
        #expect(ids.contains("contents-2"))
        for name in ["harbour", "lantern", "harbour-2"] {
            #expect(ids.contains("number-tiles-\(name)-crash-free-users"))
        }
        #expect(ids.contains("number-tiles-lantern-sessions-2"))
        #expect(tree["alive/chart-usage-harbour-2.svg"] != nil)
    }

    @Test func theSitesOwnPagesTakeFencesToo() async throws {
        let tree = try await built([
            "index.md": "## Hello\n\n" + fence("chart", "kind: usage\napp: harbour"),
            "methods.md": fence("block", "kind: verdict\napp: harbour") + "## Formulas\n",
        ])
        #expect(tree["chart-usage-harbour.svg"] != nil)
        #expect(tree["index.html"]?.contains("id=\"words-hello\"") == true)
        #expect(tree["index.md"]?.contains("chart-usage-harbour.csv") == true)
        #expect(tree["methods/index.html"]?.contains("class=\"verdict verdict-") == true)
        #expect(tree["methods/index.html"]?.contains("id=\"words-formulas\"") == true)
    }

    /// A fence, the expected id and the expected hint.
    @Test(arguments: [
        ("kind: crash-free\napp: harbour\nrelease: '2.o'", "content.unknown-release", "did you mean '2.0'?"),
        (
            "kind: issue-events\napp: harbour\nissue: isue-0", "content.unknown-issue",
            "did you mean 'issue-0'?"
        ),
    ])
    func whatTheArchiveDoesNotKnowLeavesTheOldSite(body: String, id: String, hint: String) async throws {
        let before = try await built(["alive.md": "Old."])
        try folder.write("Content/alive.md", "---\ntitle: A\n---\nx\n\n```chart\n\(body)\n```\n")
        let (content, read) = ContentFolder.read(folder.path + "/Content", apps: apps)
        #expect(read == [])
        let reported = try await problems(of: sampleInput(folder.path + "/site", content: content))
        #expect(reported.map(\.id) == [id])
        #expect(reported.map(\.hints) == [[hint]])
        let column = body.contains("release") ? 10 : 8
        #expect(
            reported.map(\.location)
                == [.file(path: folder.path + "/Content/alive.md", line: 9, column: column)])
        #expect(try folder.tree("site") == before)
    }

    @Test func orderAndNavigationAreTheOwners() async throws {
        let tree = try await built([
            "zoo.md": "---\norder: 1\n---\n# Zoo", "about.md": "# About",
            "hidden.md": "---\nnavigation: false\n---\n# Hidden", "map.md": "---\norder: 2\n---\n# Map",
        ])
        let page = try #require(tree["index.html"])
        let links = page.matches(of: /href="(zoo|about|hidden|map)\/index.html"/).map { String($0.1) }
        #expect(links == ["zoo", "map", "about"])
        #expect(tree["hidden/index.html"] != nil)
    }
}
