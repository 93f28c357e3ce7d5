import AppHealth
import Diagnostics
import Dispatch
import Foundation
import Pages
import Synchronization
import Testing

@testable import Site

struct BuildTests {
    private let folder: TemporaryFolder
    private var site: String { folder.path + "/site" }

    init() throws { folder = try TemporaryFolder() }

    /// Where the data sources were.
    private static let moved = "health/index.html"

    /// Who kept the address is led to where the page is now, by the browser and by a link.
    @Test func theFormerAddressOfTheSourcesLeadsToThem() async throws {
        _ = try await build(sampleInput(site))
        let tree = try folder.tree("site")
        let page = tree[Self.moved, default: ""]
        #expect(page.contains("<meta http-equiv=\"refresh\" content=\"0; url=../sources/index.html\">"))
        #expect(page.contains("<a href=\"../sources/index.html\">"))
        #expect(tree["sources/index.html"] != nil)
        #expect(tree.keys.filter { $0.hasPrefix("health/") } == [Self.moved])
    }

    @Test func everyPageHasMarkdownVersion() async throws {
        let outcome = try await build(sampleInput(site))
        let tree = try folder.tree("site")
        #expect(outcome.files == tree.count)
        #expect(outcome.bytes == tree.values.reduce(0) { $0 + $1.utf8.count })
        let pages = tree.keys.filter { $0.hasSuffix(".html") && $0 != Self.moved }
        #expect(outcome.pages == pages.count)
        for page in pages { #expect(tree[page.dropLast(4) + "md"] != nil, "\(page)") }
        for name in [
            "", "activity/", "issues/", "issues/issue-0/", "releases/", "releases/2.0/", "usage/",
            "days/\(CivilDate.last)/",
        ] {
            #expect(tree["apps/harbour/\(name)index.html"] != nil, "\(name)")
        }
        for file in [
            "feed.xml", "sitemap.xml", "robots.txt", "status.json", "404.html", "apps/lantern/feed.xml",
        ] {
            #expect(tree[file] != nil, "\(file)")
        }
        #expect(try folder.names() == ["site"])
        #expect(outcome.apps.map(\.id) == [App.harbour.id, App.lantern.id])
    }

    /// Readers subscribe to the feed that the head of a page announces.
    @Test(arguments: [
        ("", ["feed.xml", "feed.json"]), ("methods/", ["../feed.xml", "../feed.json"]),
        ("apps/harbour/", ["feed.xml", "feed.json"]),
        ("apps/harbour/activity/", ["../feed.xml", "../feed.json"]),
        ("apps/harbour/usage/", ["../../../feed.xml", "../../../feed.json"]),
    ])
    func pagesAnnounceTheirFeeds(page: String, expected: [String]) async throws {
        _ = try await build(sampleInput(site))
        let html = try folder.tree("site")[page + "index.html", default: ""]
        let feeds = html.matches(
            of: /type="application\/(?:atom\+xml|feed\+json)" title="[^"]*" href="([^"]*)"/)
        #expect(feeds.map { String($0.1) } == expected)
    }

    @Test func foreignTextIsOnlyText() async throws {
        _ = try await build(sampleInput(site))
        for (file, text) in try folder.tree("site") where file.hasSuffix(".html") {
            #expect(!text.contains("<script"), "\(file)")
            #expect(!text.contains("\u{202E}"), "\(file)")
            #expect(!text.contains("<Sons>"), "\(file)")
        }
        for (file, text) in try folder.tree("site") where file.hasSuffix(".xml") {
            #expect(XMLTree(Array(text.utf8)) != nil, "\(file)")
        }
        for (file, text) in try folder.tree("site") where file.hasSuffix(".json") {
            #expect(throws: Never.self, "\(file)") { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        }
    }

    @Test(arguments: [1, 3, 64])
    func threadsNeverChangeAByte(threads: Int) async throws {
        _ = try await build(sampleInput(site))
        _ = try await build(sampleInput(folder.path + "/other", threads: threads))
        #expect(try folder.tree("site") == folder.tree("other"))
    }

    @Test func sitemapListsEveryPageButTheOneForWrongAddresses() async throws {
        _ = try await build(sampleInput(site))
        let tree = try folder.tree("site")
        let listed = try #require(XMLTree(Array(tree["sitemap.xml", default: ""].utf8))).all("loc")
        let pages = tree.keys.filter { $0.hasSuffix(".html") && ![Self.moved, "404.html"].contains($0) }.map {
            "https://quay.example/" + $0
        }
        #expect(listed.sorted() == pages.sorted())
    }

    /// Anyone who can send an event can name a release after the address of another.
    @Test func releasesWithCollidingNamesHaveAPageEach() async throws {
        let names = [
            "2.0 Beta", Slug(anyText: "2.0 Beta").text, "1.0%%~~!~&::(@:b", "1.0]@=@,*~(@~=~b", "1.9",
        ]
        /// The titles of the pages of releases by address.
        func titles(_ name: String, _ names: [String]) async throws -> [String: String] {
            _ = try await buildSite(sampleInput(folder.path + "/" + name)) { app throws(Diagnostics) in
                var history = AppHistory.sample(app)
                history.sources[0].releases = names.map { Release(version: Version($0), releasedAt: nil) }
                return history
            }
            let pages = try folder.tree(name).filter { file, _ in
                file.hasPrefix("apps/harbour/releases/") && file.hasSuffix("/index.md")
                    && file.split(separator: "/").count == 5
            }
            return pages.compactMapValues {
                $0.split(separator: "\n").first { $0.hasPrefix("# ") }.map(String.init)
            }
        }
        let found = try await titles("site", names)
        #expect(found.count == names.count && Set(found.values).count == names.count)
        #expect(found["apps/harbour/releases/1.9/index.md"] != nil)
        #expect(try await titles("other", names.reversed()) == found)
    }

    @Test func historyThatCannotBeReadLeavesTheOldSite() async throws {
        _ = try await build(sampleInput(site))
        let before = try folder.tree("site")
        let why = Diagnostic.error("archive.corrupt", "the archive is damaged")
        let thrown = await #expect(throws: Diagnostics.self) {
            try await buildSite(try sampleInput(site)) { app throws(Diagnostics) in
                if app.id == App.lantern.id { throw Diagnostics([why]) }
                return .sample(app)
            }
        }
        #expect(thrown?.list == [why])
        #expect(try folder.tree("site") == before)
        #expect(try folder.names() == ["site"])
    }

    /// The pages of the first app wait here for the history of the second one.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func theNextAppIsReadWhileThePagesOfOneAreWritten() async throws {
        let isRead = DispatchSemaphore(value: 0)
        let isAhead = Mutex(false)
        _ = try await buildSite(
            try sampleInput(site),
            progress: { line in
                guard line == "Building \(App.harbour.name)" else { return }
                let result = isRead.wait(timeout: .now() + 300)
                isAhead.withLock { $0 = result == .success }
            }
        ) { app throws(Diagnostics) in
            if app.id == App.lantern.id { isRead.signal() }
            return .sample(app)
        }
        #expect(isAhead.withLock { $0 })
    }

    @Test func oneThreadReadsOneAppAfterTheOther() async throws {
        let lines = Mutex<[String]>([])
        _ = try await buildSite(
            try sampleInput(site, threads: 1), progress: { line in lines.withLock { $0.append(line) } }
        ) { app throws(Diagnostics) in
            lines.withLock { $0.append("Reading \(app.name)") }
            return .sample(app)
        }
        let (first, second) = (App.harbour.name, App.lantern.name)
        #expect(
            lines.withLock { $0 } == [
                "Reading \(first)", "Building \(first)", "Reading \(second)", "Building \(second)",
            ])
    }

    @Test func siteWithoutAppsIsASite() async throws {
        var input = try sampleInput(site)
        input.apps = []
        let outcome = try await build(input)
        #expect(outcome.pages == 4)
        #expect(try folder.tree("site")["index.html"]?.contains("No apps configured.") == true)
    }

    @Test func appOfWhichNothingIsKnownHasItsPages() async throws {
        var input = try sampleInput(site)
        input.apps = [(.harbour, .standard)]
        let outcome = try await buildSite(input) { app throws(Diagnostics) in
            AppHistory(app: app, sources: [])
        }
        #expect(outcome.apps.map(\.verdictName) == ["unknown"])
        let page = try #require(try folder.tree("site")["apps/harbour/index.html"])
        #expect(page.contains("No sources configured."))
        #expect(!page.contains("100%"))
    }

    /// As many as there are issues in the sample; some are the names of files next to them.
    private let hostileIDs = ["a/b", "a b", "../../x", "", "index.html", "data.json", "INDEX.HTML"]

    @Test func issuesWithHostileIdsHavePagesOfTheirOwn() async throws {
        var input = try sampleInput(site)
        input.apps = [(.harbour, .standard)]
        _ = try await buildSite(input) { app throws(Diagnostics) in
            var history = AppHistory.sample(app)
            for (index, id) in hostileIDs.enumerated() {
                history.sources[0].issues[index].id = id
                history.sources[0].issueDays[index].issue = id
            }
            return history
        }
        let tree = try folder.tree("site")
        #expect(
            tree.keys.count { $0.hasPrefix("apps/harbour/issues/") && $0.hasSuffix("/index.html") } == 1
                + hostileTitles.count)
        #expect(try folder.names() == ["site"])
    }

    @Test func releasesWithHostileLabelsHavePagesOfTheirOwn() async throws {
        var input = try sampleInput(site)
        input.apps = [(.harbour, .standard)]
        _ = try await buildSite(input) { app throws(Diagnostics) in
            var history = AppHistory.sample(app)
            history.sources[0].releases = hostileIDs.map { Release(version: Version($0), releasedAt: nil) }
            return history
        }
        let tree = try folder.tree("site")
        #expect(
            tree.keys.count { $0.hasPrefix("apps/harbour/releases/") && $0.hasSuffix("/index.html") } == 1
                + hostileIDs.count)
        #expect(tree["apps/harbour/releases/index.html"] != nil)
    }
}
