import Foundation
import Testing

struct OutputFilesTests {
    /// A file that nothing leads to is never found.
    @Test func everyFileIsLinkedOrListed() async throws {
        let tree = try await DemoSite.shared.tree
        var reached: Set = ["robots.txt", "sitemap.xml", "404.html", "404.md", "manifest.json"]
        for file in tree.paths(".html") {
            for link in WebPage(tree[file]).links {
                if let target = resolved(String(link.prefix { $0 != "#" }), from: file) {
                    reached.insert(target)
                }
            }
        }
        for match in tree["llms.txt"].matches(of: /\]\(([^)]+)\)/) { reached.insert(String(match.1)) }
        let style = tree["assets/site.css"]
        // It leads on from a former address, and holds nothing.
        reached.insert("health/index.html")
        let lost = tree.files.keys.filter { file in
            !reached.contains(file)
                && !style.contains(file.split(separator: "/").last.map(String.init) ?? file)
        }
        #expect(lost.sorted().prefix(20) == [])
    }

    @Test func feedsAndBadgesAreNextToEachApp() async throws {
        let tree = try await DemoSite.shared.tree
        for app in ["lighthouse", "sketchbook", "tidepool"] {
            for file in ["feed.xml", "feed.json", "badge.svg", "badge.json"] {
                #expect(tree.files["apps/\(app)/\(file)"] != nil, "\(app) \(file)")
            }
        }
        #expect(tree["apps/tidepool/badge.json"].contains("Nov 18, stale"))
        #expect(tree["apps/sketchbook/badge.json"].contains("▼ 98.55% ±0.16 · Nov 19"))
        for badge in tree.paths("badge.svg") { #expect(tree.files[badge].map { $0.count < 2500 } == true) }
    }

    /// The rates of a table are next to the counts that they are made of.
    @Test func ratesAreMadeOfTheirCounts() async throws {
        let tree = try await DemoSite.shared.tree
        var checked = 0
        for file in tree.paths("data.csv") + tree.paths("-healthAsReported.csv") {
            let rows = tree[file].split(separator: "\r\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            guard let head = rows.first, let all = head.firstIndex(of: "sessions"),
                let crashed = head.firstIndex(of: "crashedSessions"),
                let rate = head.firstIndex(of: "crashFreeSessions"),
                !head.contains("version")
            else { continue }
            for row in rows.dropFirst() {
                guard let all = Double(row[all]), let crashed = Double(row[crashed]),
                    let rate = Double(row[rate])
                else { continue }
                #expect(abs(rate - (1 - crashed / all)) < 1e-12, "\(file)")
                checked += 1
            }
        }
        #expect(checked > 300)
    }
}
