import Diagnostics
import Pages
import SiteChecks
import Testing

@testable import Site
@testable import SiteChecks

/// A site without apps.
struct PagesAloneTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func input(_ pages: [String: String]) throws -> SiteInput {
        for (name, text) in pages { try folder.write("Content/\(name)", text) }
        let (content, problems) = ContentFolder.read(folder.path + "/Content", isWholeSite: true)
        #expect(problems == [])
        var input = SiteInput(
            facts: .sample(), theme: try defaultTheme(), content: content, output: folder.path + "/site",
            apps: [], threads: 2)
        input.schemas = installedThemes + "/../Content/schema"
        return input
    }

    @Test func pagesAreTheWholeSite() async throws {
        let outcome = try await build(
            try input([
                "index.md": "# Welcome\n\n[Guide](guide.md)\n", "guide.md": "# Guide\n\n[Home](index.md)\n",
            ]))
        let tree = try folder.tree("site")
        #expect(outcome.pages == 3 && !outcome.hasTrouble)
        #expect(
            tree.keys.filter { !$0.hasPrefix("assets/") && $0 != "manifest.json" }.sorted() == [
                "404.html", "404.md", "guide/index.html", "guide/index.md", "index.html", "index.md",
                "llms-full.txt", "llms.txt", "robots.txt", "schema/data-1.schema.json",
                "schema/snapshot-1.schema.json", "schema/status-1.schema.json", "sitemap.xml", "status.json",
            ])
        let (entry, guide) = (tree["index.html", default: ""], tree["guide/index.html", default: ""])
        #expect(entry.contains("<h1 dir=\"auto\"><bdi>Welcome</bdi></h1>"))
        #expect(entry.contains("<a href=\"guide/index.html\">Guide</a>"))
        #expect(guide.contains("<a href=\"../index.html\">Home</a>"))
        #expect(tree["guide/index.md", default: ""].contains("[Home](../index.md)"))
        for page in tree.values { #expect(!page.contains("feed.xml") && !page.contains("methods/index")) }
        #expect(checkSite(folder.path + "/site", baseURL: nil) == [])
    }

    @Test func methodsIsAPageLikeOthers() async throws {
        let pages = [
            "index.md": "# Welcome\n\n[Methods](methods.md)\n",
            "methods.md": "# How we work\n\n[Home](index.md)\n",
        ]
        _ = try await build(try input(pages))
        let tree = try folder.tree("site")
        #expect(tree["methods/index.html"]?.contains("<bdi>How we work</bdi></h1>") == true)
        #expect(tree["index.html"]?.contains("<a href=\"methods/index.html\">Methods</a>") == true)
        #expect(checkSite(folder.path + "/site", baseURL: nil) == [])
    }

    /// What names an app where there is none, and the advice.
    @Test(arguments: [
        ("index.md", "# A\n\n```chart\nkind: crash-free\n```\n", "remove it: the configuration has no app"),
        (
            "index.md", "# A\n\n```chart\nkind: crash-free\napp: a\n```\n",
            "remove it: the configuration has no app"
        ),
        (
            "notes/a.md", "---\napp: a\nby: Ana\nat: 2026-11-19\n---\nWords.\n",
            "remove it: the configuration has no app"
        ),
    ])
    func adviceNamesNoAppWhereThereIsNone(name: String, text: String, hint: String) throws {
        try folder.write("Content/\(name)", text)
        let (_, problems) = ContentFolder.read(folder.path + "/Content", isWholeSite: true)
        #expect(problems.map(\.hints) == [[hint]])
    }

    @Test func entryPageIsRequired() async throws {
        #expect(await problems(of: try input(["guide.md": "# Guide"])).map(\.id) == ["content.no-index"])
    }
}
