import Foundation
import Testing

struct HostileTextTests {
    @Test func foreignTextNeverBecomesMarkup() async throws {
        let tree = try await DemoSite.shared.tree
        let banned: Set = [
            "script", "iframe", "object", "embed", "form", "input", "img", "base", "marquee", "style",
        ]
        for file in tree.paths(".html") {
            let page = WebPage(tree[file])
            #expect(page.elements.isDisjoint(with: banned), "\(file): \(page.elements.intersection(banned))")
            #expect(!page.attributes.contains { $0.hasPrefix("on") }, "\(file)")
            #expect(
                !page.links.contains { $0.lowercased().contains("javascript:") || $0.hasPrefix("data:") },
                "\(file)")
            #expect(
                !tree[file].unicodeScalars.contains {
                    (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
                }, "\(file)")
        }
    }

    @Test func markdownShowsForeignTextAsText() async throws {
        let tree = try await DemoSite.shared.tree
        for file in tree.paths(".md") {
            // The only images are drawings of the page's own charts.
            let withoutDrawings = tree[file].replacing(
                /!\[(?:\\.|[^\]\\])*\]\(chart-[a-z0-9_-]+\.svg\)/, with: "")
            let text = withoutEscapes(withoutDrawings).lowercased()
            for markup in ["<script", "<img", "<iframe", "<b>", "<a ", "](javascript:", "!["] {
                #expect(!text.contains(markup), "\(file): \(markup)")
            }
        }
    }

    /// All rows of a table have as many cells as its head.
    @Test func tableCellsStayIntact() async throws {
        let tree = try await DemoSite.shared.tree
        for file in tree.paths(".md") {
            var width: Int?
            for line in tree[file].split(separator: "\n", omittingEmptySubsequences: false) {
                guard line.hasPrefix("|") else {
                    width = nil
                    continue
                }
                let cells = withoutEscapes(String(line)).split(
                    separator: "|", omittingEmptySubsequences: false
                ).count
                #expect(cells == width ?? cells, "\(file): \(line)")
                width = cells
            }
        }
    }

    @Test func hostileTitlesAreStillReadable() async throws {
        let tree = try await DemoSite.shared.tree
        let issues = tree["apps/sketchbook/issues/index.html"]
        #expect(issues.contains("&lt;script&gt;"))
        #expect(tree["apps/sketchbook/issues/export-77/index.html"].contains("&lt;script&gt;"))
        #expect(tree.paths("/index.html").contains { $0.hasPrefix("apps/sketchbook/issues/layers-blend-7-") })
        #expect(
            tree.files(with: "alert(document.domain)").allSatisfy {
                !$0.hasSuffix(".html") || $0.contains("sources/") || $0.contains("sketchbook")
            })
    }

    @Test func controlCharactersNeverReachATerminal() async throws {
        let run = try await DemoSite.shared.run
        for text in [run.output, run.errors] {
            #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        }
    }
}
