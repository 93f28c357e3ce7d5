import AppHealth
import Diagnostics
import Foundation
import Pages
import Settings
import SiteChecks
import Testing

@testable import Site

/// What is next to the pages of each kind.
struct OutputsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tree(_ outputs: Outputs) async throws -> [String: String] {
        let facts = SiteFacts.sample { $0.outputs = outputs }
        let outcome = try await build(sampleInput(folder.path + "/site", facts: facts))
        #expect(outcome.failedChecks.isEmpty)
        return try folder.tree("site")
    }

    private static func isOutput(_ file: String) -> Bool {
        let name = file.split(separator: "/").last ?? ""
        return name.hasPrefix("data.") || name.hasPrefix("data-") || name.hasPrefix("chart-")
    }

    /// The kind of page that a file is next to.
    private static func kind(_ file: String) -> PageKind? {
        let known: [SitePath] = [
            .portfolio, .app(App.harbour.id), .part(.issues, of: App.harbour.id),
            .issue("x", of: App.harbour.id),
            .part(.releases, of: App.harbour.id), .release("x", of: App.harbour.id),
            .part(.usage, of: App.harbour.id), .part(.activity, of: App.harbour.id),
            .activity(CivilWeek(of: .last), of: App.harbour.id), .day(.last, of: App.harbour.id),
            .compare("x", with: "y", of: App.harbour.id), .week(CivilWeek(of: .last)),
        ]
        let parts = file.split(separator: "/").dropLast()
        return known.first { path in
            let own = path.stem.split(separator: "/").dropLast()
            return own.count == parts.count && own.first == parts.first
                && (own.count < 3 || own.dropFirst(2).first == parts.dropFirst(2).first)
        }?.kind
    }

    private static func all(but kind: PageKind) -> Outputs {
        Outputs(
            Dictionary(
                uniqueKeysWithValues: PageKind.allCases.map {
                    ($0, $0 == kind ? [] : Set(PageOutput.allCases))
                }))
    }

    @Test func everyKindHasPages() async throws {
        let kinds = try await tree(.all).keys.filter(Self.isOutput).compactMap(Self.kind)
        #expect(Set(kinds).union([.comparison]) == Set(PageKind.allCases))
    }

    /// Without a kind's files the pages of other kinds stay byte for byte, and no page links to what is not there.
    @Test func whatIsNotChosenIsNotThere() async throws {
        let all = try await tree(.all)
        for kind in PageKind.allCases {
            let some = try await tree(Self.all(but: kind))
            let (left, own) = (
                all.filter { Self.kind($0.key) != kind }, some.filter { Self.kind($0.key) == kind }
            )
            for (file, text) in left where !["manifest.json", "llms.txt", "llms-full.txt"].contains(file) {
                #expect(some[file] == text, "\(file) without files of \(kind)")
            }
            #expect(Set(some.keys) == Set(all.keys.filter { Self.kind($0) != kind || !Self.isOutput($0) }))
            for (file, text) in own {
                let links = ["href=\"data", "href=\"chart-", "](data", "](chart-"]
                #expect(!links.contains { text.contains($0) }, "\(file)")
                // Without files the numbers of a chart are on its page.
                let charts = text.ranges(of: "class=\"chart-figure\"").count
                #expect(text.ranges(of: "<table class=\"numbers\">").count >= charts, "\(file)")
            }
        }
    }

    /// Where nothing is chosen, single issues have their page and its Markdown alone, comparisons CSV, days JSON, and all
    /// other pages have all.
    @Test func mostPagesHaveNothingNextToThem() async throws {
        let (all, standard) = (try await tree(.all), try await tree(.standard))
        let lacking = Set(all.keys).subtracting(standard.keys)
        let few: Set<PageKind?> = [.issue, .comparison, .day]
        #expect(!lacking.isEmpty && lacking.allSatisfy { few.contains(Self.kind($0)) && Self.isOutput($0) })
        let left = standard.keys.filter { few.contains(Self.kind($0)) && Self.isOutput($0) }
        #expect(
            !left.isEmpty
                && left.allSatisfy {
                    Self.kind($0) == .day
                        ? $0.hasSuffix("/data.json")
                        : Self.kind($0) == .comparison && $0.hasSuffix(".csv") && !$0.contains("/chart-")
                })
    }

    /// The page of addresses that do not exist links from the top of the host, where the site may lie below a path.
    @Test(arguments: [
        nil, "https://status.example/", "https://status.example/t/", "https://status.example/a/b/",
    ])
    func notFoundPageLeadsToPagesThatAreThere(url: String?) async throws {
        let facts = SiteFacts.sample {
            $0.outputs = Outputs([.apps: [.html]])
            $0.baseURL = url
        }
        _ = try await build(sampleInput(folder.path + "/site", facts: facts))
        let text = try #require(try folder.tree("site")["404.md"])
        let links = text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        #expect(links.contains { $0.hasSuffix("index.html") })
        let reported = checkSite(folder.path + "/site", baseURL: url).filter { $0.severity == .error }
        #expect(reported == [])
    }

    /// Without the Markdown of a kind no file leads to it: Markdown, HTML and the index lead to the page.
    @Test(arguments: PageKind.allCases)
    func markdownMayBeLeftOut(kind: PageKind) async throws {
        let all = try await tree(.all)
        let some = try await tree(Outputs([kind: [.html, .json, .csv, .charts]]))
        let gone = Set(all.keys).subtracting(some.keys).filter {
            $0.hasSuffix("/index.md") || $0 == "index.md"
        }
        let own = all.keys.filter { $0.hasSuffix("index.md") && Self.kind($0) == kind }
        #expect(gone == Set(own))
        for (file, text) in some
        where file.hasSuffix(".md") || file.hasSuffix(".html") || file.hasSuffix(".txt") {
            for link in text.matches(of: /\]\(([^)\s]+)\)|href="([^"]+)"/) {
                let address = String(link.1 ?? link.2 ?? "").prefix { $0 != "#" }
                let from = file.hasSuffix(".txt") ? "" : file
                guard address.hasSuffix(".md"), let target = target(of: String(address), in: from) else {
                    continue
                }
                #expect(some[target] != nil, "\(file) leads to \(target)")
            }
        }
        let (before, after) = (all["llms-full.txt"]?.count ?? 0, some["llms-full.txt"]?.count ?? 0)
        #expect(before > 0 && abs(before - after) < before / 10)
    }

    /// The file that a relative address on another leads to; nil for one of another site.
    private func target(of address: String, in file: String) -> String? {
        guard !address.contains(":") else { return nil }
        var folders = file.split(separator: "/").dropLast().map(String.init)
        for part in address.split(separator: "/") {
            if part == ".." { _ = folders.popLast() } else if part != "." { folders.append(String(part)) }
        }
        return folders.joined(separator: "/")
    }

    @Test func oneOfThemMayStay() async throws {
        let tree = try await tree(Outputs([.issue: [.json], .day: [.csv], .overview: [.charts]]))
        let issue = "apps/harbour/issues/issue-0/"
        let day = "apps/harbour/days/\(CivilDate.last)/"
        #expect(tree[issue + "data.json"] != nil && tree[issue + "data.csv"] == nil)
        #expect(tree[day + "data.json"] == nil && tree[day + "data.csv"] != nil)
        #expect(tree["apps/harbour/data.json"] == nil && tree["apps/harbour/data-releases.csv"] == nil)
        #expect(tree.keys.contains { $0.hasPrefix("apps/harbour/chart-") })
        #expect(tree[issue + "index.html"]?.contains("Data: <a href=\"data.json\">JSON</a>\n") == true)
        #expect(tree["apps/harbour/index.html"]?.contains("Data:") == false)
    }
}
