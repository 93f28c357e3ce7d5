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
        let (content, problems) = ContentFolder.read(folder.path + "/Content")
        #expect(problems == [])
        return SiteInput(
            facts: .sample(), theme: try defaultTheme(), content: content, output: folder.path + "/site",
            apps: [], threads: 2)
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
                "llms-full.txt", "llms.txt", "robots.txt", "sitemap.xml", "status.json",
            ])
        let (entry, guide) = (tree["index.html", default: ""], tree["guide/index.html", default: ""])
        #expect(entry.contains("<h1 dir=\"auto\"><bdi>Welcome</bdi></h1>"))
        #expect(entry.contains("<a href=\"guide/index.html\">Guide</a>"))
        #expect(guide.contains("<a href=\"../index.html\">Home</a>"))
        #expect(tree["guide/index.md", default: ""].contains("[Home](../index.md)"))
        for page in tree.values { #expect(!page.contains("feed.xml") && !page.contains("methods/index")) }
        #expect(!checkSite(folder.path + "/site", baseURL: nil).contains { $0.severity == .error })
    }

    @Test func entryPageIsRequired() async throws {
        #expect(await problems(of: try input(["guide.md": "# Guide"])).map(\.id) == ["content.no-index"])
    }
}
