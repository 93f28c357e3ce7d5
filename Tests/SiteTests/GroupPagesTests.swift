import Analysis
import AppHealth
import Diagnostics
import Foundation
import Markup
import SchemaCheck
import Settings
import Testing

@testable import Pages
@testable import Site

/// Sites with groups, and with more apps than the entry page has room for.
struct GroupPagesTests {
    /// The bytes that a page may have.
    private static let limit = 60_000

    private static func app(_ number: Int, group: String? = nil) -> App {
        App(id: Slug(anyText: "app-\(number)"), name: "App \(number)", platform: "ios", group: group)
    }

    /// Some days without issues; every seventh app is below its target.
    private static func history(_ app: App, days: Int = 2) -> AppHistory {
        var history = AppHistory.sample(app, days: days)
        let isBad = (Int(app.name.split(separator: " ").last ?? "") ?? 0) % 7 == 0
        history.sources[0].issues = []
        history.sources[0].issueDays = []
        history.sources[0].notes = []
        if !isBad {
            for index in history.sources[0].health.indices {
                history.sources[0].health[index].crashedSessions = 20
                history.sources[0].health[index].crashedUsers = 10
            }
        }
        return history
    }

    private func site(
        _ apps: [App], _ folder: TemporaryFolder, _ change: (inout SiteFacts) -> Void = { _ in }
    ) async throws -> [String: String] {
        var input = try sampleInput(folder.path + "/site", facts: .sample(change))
        input.apps = apps.map { ($0, .standard) }
        let outcome = try await buildSite(input) { app throws(Diagnostics) in Self.history(app, days: 1) }
        #expect(outcome.failedChecks == [])
        return try folder.tree("site")
    }

    /// The apps that a page leads to by its tables.
    private func links(_ page: String?) -> [String] {
        (page ?? "").split(separator: "<a class=\"app\" href=\"").dropFirst().compactMap { rest in
            rest.prefix { $0 != "\"" }.split(separator: "/").dropLast().last.map(String.init)
        }
    }

    @Test func manyAppsWithoutGroupsAreInParts() async throws {
        let folder = try TemporaryFolder()
        let tree = try await site((1...45).map { Self.app($0) }, folder)
        let parts = ["all/index", "all/2/index", "all/3/index"]
        #expect(tree.keys.filter { $0.hasPrefix("all/") && $0.hasSuffix(".html") }.count == 3)
        let all = parts.flatMap { links(tree["\($0).html"]) }
        #expect(all.count == 45 && Set(all).count == 45)
        // Those below their target are the first, and on the entry page alone.
        let bad = Set([7, 14, 21, 28, 35, 42].map { "app-\($0)" })
        #expect(Set(links(tree["index.html"])) == bad && Set(all.prefix(6)) == bad)
        let entry = tree["index.html", default: ""]
        #expect(entry.contains("<a href=\"all/index.html\">All 45 apps</a>"))
        #expect(entry.contains("6 apps are critical. 39 of 45 apps meet their target."))
        #expect(!entry.contains("id=\"rates\"") && !entry.contains("id=\"groups\""))
        let second = tree["all/2/index.html", default: ""]
        #expect(second.contains("Apps 21–40 of 45") && second.contains("href=\"../3/index.html\""))
        #expect(second.contains("href=\"../../apps/app-"))
        #expect(tree["all/2/index.md", default: ""].contains("](../../apps/app-"))
        #expect(tree["all/data.json"] != nil && tree["all/2/data.json"] == nil)
        for part in parts {
            #expect(tree["sitemap.xml", default: ""].contains("<loc>https://quay.example/\(part).html</loc>"))
        }
        #expect(tree["llms.txt", default: ""].contains("(all/index.md)"))
        // So are the sources and how they count, with what holds for all apps on the first part alone.
        let sources = ["sources/index.html", "sources/2/index.html"].map { tree[$0, default: ""] }
        #expect(sources.map { $0.count(of: "<tr>\n<th scope=\"row\">") } == [40, 5])
        #expect(sources[0].contains("href=\"2/index.html\"") && sources[1].contains("href=\"../index.html\""))
        #expect(sources[1].contains("href=\"../../apps/app-") && tree["sources/2/data.json"] == nil)
        #expect(tree["sources/data.json", default: ""].contains("app-45"))
        #expect(tree["health/2/index.html", default: ""].contains("href=\"../../sources/2/index.html\""))
        let methods = (1...3).map { tree["methods/\($0 == 1 ? "" : "\($0)/")index.html", default: ""] }
        #expect(methods.map { $0.count(of: "<article class=\"source\">") } == [20, 20, 5])
        #expect(methods.map { $0.contains("id=\"formulas\"") } == [true, false, false])
        #expect(methods.map { $0.count(of: "<dt>App ") } == [20, 20, 5])
        #expect(tree["methods/4/index.html"] == nil && tree["sources/3/index.html"] == nil)
        for path in ["sources/index.md", "sources/2/index.md", "methods/3/index.md"] {
            #expect(tree[path, default: ""].contains("Parts of this list:"), "\(path)")
        }
    }

    @Test func fewAppsWithoutGroupsAreOnTheEntryPage() {
        let row = AppSummaryRow(AppAnalysis.made(Self.history(Self.app(1))))
        func page(_ count: Int) -> (AppLists, PortfolioPage) {
            let lists = AppLists(copies(of: [row], count))
            return (lists, PortfolioPage(lists, introduction: nil, site: .sample()))
        }
        let (lists, whole) = page(AppLists.entryLimit)
        #expect(lists.pages.isEmpty && whole.apps.count == 40 && whole.allApps == nil && whole.rates != nil)
        let (more, part) = page(AppLists.entryLimit + 1)
        #expect(more.pages.count == 3 && part.apps.isEmpty && part.rates == nil)
        #expect(part.noApps == "No app needs attention." && part.allApps?.title == "All 41 apps")
        let grouped = AppSummaryRow(AppAnalysis.made(Self.history(Self.app(1, group: "Photo tools"))))
        let one = PortfolioPage(AppLists([grouped]), introduction: nil, site: .sample())
        #expect(one.allApps?.title == "1 app")
    }

    @Test func groupsHavePagesAndRows() async throws {
        let folder = try TemporaryFolder()
        let groups = ["Photo tools", "2", "Lamps & <oil>", nil]
        let apps = (1...12).map { Self.app($0, group: groups[$0 % 4]) }
        let tree = try await site(apps, folder)
        let paths = ["Photo tools", "2", "Lamps & <oil>", "Other apps"].map { SitePath.group($0).stem }
        let entry = tree["index.html", default: ""]
        let listed = links(entry).filter { !$0.hasPrefix("app-") }.map { "groups/\($0)/index" }
        // The group of the only app below its target is the first one.
        #expect(links(entry).first == "app-7" && listed.first == paths.last && Set(listed) == Set(paths))
        #expect(paths.allSatisfy { tree["\($0).html"] != nil && tree["\($0).md"] != nil })
        #expect(tree["groups/2/index.html"] == nil, "that is the second part of the list of groups")
        #expect(Set(links(tree["\(paths[1]).html"])) == ["app-1", "app-5", "app-9"])
        #expect(tree["\(paths[2]).html", default: ""].contains("<h1><bdi>Lamps &amp; &lt;oil&gt;</bdi></h1>"))
        let overview = tree["apps/app-1/index.html", default: ""]
        #expect(overview.contains("<a href=\"../../\(paths[1]).html\"><bdi>2</bdi></a>"))
        let data = try #require(SchemaCheck(installedThemes + "/../Content/schema/data-1.schema.json"))
        for (file, text) in tree where file.hasSuffix("data.json") {
            #expect(data.faults(in: Data(text.utf8)) == [], "\(file)")
        }
        let status = try #require(SchemaCheck(installedThemes + "/../Content/schema/status-1.schema.json"))
        let state = tree["status.json", default: ""]
        #expect(status.faults(in: Data(state.utf8)) == [] && state.contains("\"group\" : \"2\""))
        #expect(tree["llms.txt", default: ""].contains("](\(paths[0]).md)"))
    }

    @Test func outputsOfAllAppsAreThoseOfGroups() async throws {
        let folder = try TemporaryFolder()
        let tree = try await site([Self.app(1, group: "a"), Self.app(2, group: "b")], folder) {
            $0.outputs = .init([.apps: [.csv]])
        }
        #expect(tree["groups/a/data.csv"] != nil && tree["groups/a/data.json"] == nil)
        #expect(tree["index.html", default: ""].contains("2 of 2 apps meet their target."))
    }

    /// The name of a group is the owner's word, as that of an app.
    @Test func publicSiteShowsGroups() async throws {
        let folder = try TemporaryFolder()
        let tree = try await site((1...3).map { Self.app($0, group: "Crew") }, folder) {
            $0.audience = Audience(.public)
        }
        #expect(tree["index.html", default: ""].contains("<bdi>Crew</bdi>"))
    }

    @Test func groupCountsAppsAndNamesTheWorst() {
        let histories = [Self.history(Self.app(1)), Self.history(Self.app(7)), Self.history(Self.app(3))]
        var rows = histories.map { AppSummaryRow(AppAnalysis.made($0)) }
        for index in rows.indices { rows[index].group = index < 2 ? "Piers" : "Lamps" }
        let page = PortfolioPage(rows, introduction: nil, site: .sample())
        #expect(page.groups.map(\.name) == ["Piers", "Lamps"])
        #expect(page.groups.map(\.apps) == ["2", "1"] && page.groups.map(\.belowTarget) == ["1", "0"])
        #expect(page.groups.map(\.overspent) == ["1", "0"] && page.groups.map(\.oldData) == ["0", "0"])
        #expect(page.groups.map(\.worst) == ["App 7", nil])
        #expect(page.groups.map(\.worstStem) == ["apps/app-7/index", nil])
        #expect(page.apps.map(\.name) == ["App 7"] && page.allApps?.title == "All 3 apps")
    }

    /// All pages of a site with 1,000 apps of which each seventh needs attention, but for those of one app.
    @Test(arguments: [0, 20, 300])
    func pagesWithThousandAppsAreSmall(groups: Int) throws {
        let histories = (1...7).map { Self.history(Self.app($0), days: 28) }
        var rows = copies(of: histories.map { AppSummaryRow(AppAnalysis.made($0)) }, 1_000)
        if groups > 0 {
            for index in rows.indices { rows[index].group = "Group of apps \(index % groups)" }
        }
        let (templates, problems) = ThemeTemplates.load(try defaultTheme())
        let input = try sampleInput("site")
        let found = try #require(templates, "\(problems)")
        let files =
            siteFiles(rows, LiveContent(ContentFolder()), input, found)
            + [sourcesFile(rows, [], [], input, found)]
        var writer = ByteWriter(capacity: 1 << 16)
        var sizes: [String: Int] = [:]
        for file in files {
            let made = file.prepare().make(MarkdownPageWriter(input.facts), &writer)
            #expect(made.failedChecks == [] && made.fault == nil)
            for (path, bytes) in made.files where path.hasSuffix(".html") { sizes[path] = bytes.count }
        }
        let (most, parts) = (sizes.max { $0.value < $1.value }, groups == 0 ? 50 : groups == 20 ? 60 : 300)
        #expect((most?.value ?? 0) < Self.limit, "\(most as Any)")
        #expect((sizes["index.html"] ?? 0) < Self.limit)
        #expect(sizes.keys.count { $0.hasPrefix("all/") } == 50)
        #expect(sizes.keys.count { $0.hasPrefix("methods/") } == 50)
        #expect(sizes.keys.count { $0.hasPrefix("sources/") } == 25)
        let weeks = Dictionary(grouping: sizes.keys.filter { $0.hasPrefix("weeks/") }) {
            $0.split(separator: "/")[1]
        }
        #expect(!weeks.isEmpty && weeks.values.allSatisfy { $0.count == 34 })
        #expect(
            sizes.keys.count { $0.hasPrefix("groups/") } == (groups == 0 ? 0 : parts + (groups > 20 ? 8 : 0)))
    }

    /// Apps with numbers of their own, in turn like some others.
    private func copies(of rows: [AppSummaryRow], _ count: Int) -> [AppSummaryRow] {
        (0..<count).map { number in
            var row = rows[number % rows.count]
            row.id = Slug(anyText: "application-\(number)")
            row.row.name = "Application \(number)"
            row.row.stem = "apps/application-\(number)/index"
            return row
        }
    }
}

extension String {
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}

extension AppAnalysis {
    /// What a site of the samples says of a history.
    fileprivate static func made(_ history: AppHistory) -> AppAnalysis {
        AppAnalysis(history, targets: .standard, asOf: SiteFacts.sample().asOf)
    }
}
