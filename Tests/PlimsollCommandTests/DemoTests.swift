import Foundation
import FoundationXML
import Testing

struct DemoTests {
    @Test func wholeSiteIsMadeOffline() async throws {
        let demo = try await DemoSite.shared
        #expect(demo.run.status == 0, "\(demo.run.errors)")
        let lines = demo.run.output.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(2) == [
                "Site: \(demo.folder.path)/plimsoll-demo/site/index.html",
                "Next: 'plimsoll show --config plimsoll-demo/plimsoll.yml', or any command in 'plimsoll-demo'",
            ])
        #expect(lines.contains { $0.hasPrefix("  Lighthouse: Meets target.") })
        #expect(lines.contains { $0.hasPrefix("  Sketchbook: Below target.") })
        #expect(lines.contains { $0.hasPrefix("  Tidepool: Not enough data.") })
        #expect(lines.contains { $0.hasPrefix("  Moorings: Unknown. 145 crashes on Thu, Nov 19, 2026.") })
        #expect(lines.contains("  tidepool: source files is stale"))
        #expect(try demo.folder.names() == ["plimsoll-demo"])
        #expect(demo.tree.paths(".html").count > 400)
        for file in [
            "index.html", "index.md", "feed.xml", "sitemap.xml", "robots.txt", "status.json", "404.html",
        ] {
            #expect(demo.tree.files[file] != nil, "\(file)")
        }
    }

    @Test func everyPageSaysThatItIsADemo() async throws {
        let tree = try await DemoSite.shared.tree
        // What leads on from a former address holds nothing.
        for page in tree.paths(".html") where page != "health/index.html" {
            #expect(tree[page].contains("<strong>Demo.</strong>"), "\(page)")
        }
        for page in tree.paths(".md") {
            #expect(
                tree[page].contains(/\*\*Demo\.\*\* All apps, numbers and names|\(demo, made-up data\)/),
                "\(page)")
        }
        for data in tree.paths("data.json") { #expect(tree[data].contains("\"demo\":true"), "\(data)") }
        #expect(tree["feed.xml"].contains("(demo)</title>"))
    }

    @Test func everyLinkAndAnchorLeadsSomewhere() async throws {
        let tree = try await DemoSite.shared.tree
        let pages = Dictionary(uniqueKeysWithValues: tree.paths(".html").map { ($0, WebPage(tree[$0])) })
        for (file, page) in pages {
            for link in page.links where !isOutward(link) {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path = parts[0].isEmpty ? file : resolved(String(parts[0]), from: file)
                let target = try #require(path, "\(file): \(link) leads out of the site")
                #expect(tree.files[target] != nil, "\(file): \(link)")
                if parts.count == 2 {
                    #expect(pages[target]?.anchors.contains(String(parts[1])) == true, "\(file): \(link)")
                }
            }
        }
    }

    @Test func linksOutwardAreWebAddressesOnly() async throws {
        let tree = try await DemoSite.shared.tree
        for file in tree.paths(".html") {
            for link in WebPage(tree[file]).links where isOutward(link) {
                #expect(link.hasPrefix("https://") || link.hasPrefix("http://"), "\(file): \(link)")
            }
        }
    }

    @Test func markdownLeadsToMarkdownThatIsThere() async throws {
        let tree = try await DemoSite.shared.tree
        for file in tree.paths(".md") where !file.hasSuffix("summary.md") {
            for match in tree[file].matches(of: /\]\(([^()\s]+)\)/) {
                let link = String(match.1)
                guard !isOutward(link) else { continue }
                let path = String(link.prefix { $0 != "#" })
                let target = path.isEmpty ? file : resolved(path, from: file)
                #expect(target.map { tree.files[$0] != nil } == true, "\(file): \(link)")
            }
        }
    }

    @Test func documentsForProgramsAreWellFormed() async throws {
        let tree = try await DemoSite.shared.tree
        for file in tree.paths(".xml") + tree.paths(".svg") {
            #expect(XMLParser(data: tree.files[file] ?? Data()).parse(), "\(file)")
        }
        for file in tree.paths(".json") {
            #expect(throws: Never.self, "\(file)") {
                try JSONSerialization.jsonObject(with: tree.files[file] ?? Data())
            }
        }
        for file in tree.paths(".csv") {
            let rows = records(tree[file])
            #expect(!rows.isEmpty && Set(rows.map(\.count)).count == 1, "\(file)")
        }
    }

    @Test func everyFileIsText() async throws {
        for (file, bytes) in try await DemoSite.shared.tree.files {
            #expect(String(data: bytes, encoding: .utf8) != nil, "\(file)")
            #expect(!bytes.contains(0), "\(file)")
        }
    }

    @Test func staleFiguresAreMarkedAndKept() async throws {
        let tree = try await DemoSite.shared.tree
        let page = tree["apps/tidepool/index.html"]
        #expect(page.contains("<div class=\"tile is-stale\">"))
        #expect(page.contains("Stale: data from Thu, Nov 19, 2026, 06:00 UTC"))
        #expect(page.contains("of 37 users on Wed, Nov 18, 2026"))
        #expect(page.contains("invalid JSON: unexpected end at "))
        #expect(tree["apps/tidepool/index.md"].contains("Stale: data from Thu, Nov 19, 2026, 06:00 UTC"))
        #expect(tree["index.html"].contains("stale"))
        #expect(tree["sources/index.html"].contains("2026-11-20.json"))
        #expect(!tree["apps/lighthouse/index.html"].contains("is-stale"))
        #expect(tree["status.json"].contains("\"state\" : \"degraded\""))
    }

    /// An app without sessions: crashes by day, the part of them that issues make up, and what another source would add.
    @Test func crashesWithoutSessionsAreShown() async throws {
        let tree = try await DemoSite.shared.tree
        let overview = tree["apps/moorings/index.md"].replacing("\u{A0}", with: " ")
        for words in [
            "145 crashes on Thu, Nov 19, 2026. A source of crashed sessions or affected users would add crash-free rates",
            "Reported: 8 of 12 issues with 95.2% of the crashes.",
            "**Stability Alert on crash counts**, Mon, Nov 16",
            "4 days above the expected range",
        ] { #expect(overview.contains(words), "\(words)") }
        #expect(!overview.contains("100%") && !overview.contains("Crash-free users |"))
        let summary = tree["apps/moorings/days/2026-11-19/summary.md"].replacing("\u{A0}", with: " ")
        #expect(summary.contains("145 crashes on Thursday, Nov 19 UTC"), "\(summary)")
    }

    /// The numbers of the tiles, which stand in `dd` elements of the class `value`.
    @Test(arguments: ["lighthouse", "moorings", "sketchbook", "tidepool"])
    func numbersOfTheTilesAreInTheMarkdownToo(app: String) async throws {
        let tree = try await DemoSite.shared.tree
        let markdown = tree["apps/\(app)/index.md"].replacing("\\", with: "")
        let numbers = tree["apps/\(app)/index.html"].matches(
            of: /<dd class="(?:value|interval|state-note)">(?:<span[^>]*><\/span>)?([^<]+)/
        )
        .map { decoded(String($0.1)).trimmingCharacters(in: .whitespaces) }
        #expect(numbers.count >= 4)
        for number in numbers { #expect(markdown.contains(number), "\(number)") }
    }

    private func isOutward(_ link: String) -> Bool {
        link.prefix { $0 != "/" && $0 != "#" && $0 != "?" }.contains(":")
    }

    /// The records of a CSV text by RFC 4180.
    private func records(_ text: String) -> [[String]] {
        var rows: [[String]] = [[""]]
        var isQuoted = false
        for byte in text.unicodeScalars {
            switch byte {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: rows[rows.count - 1].append("")
            case "\n" where !isQuoted: rows.append([""])
            default: rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(byte)
            }
        }
        return rows.dropLast()
    }
}
