import Analysis
import AppHealth
import Diagnostics
import Foundation
import Pages
import Testing

@testable import Site

struct FeedTests {
    private func items(_ app: App = .lantern) -> [FeedItem] {
        AppSummaryRow(AppAnalysis(.sample(app), targets: .standard, asOf: SiteFacts.sample().asOf))
            .feed
    }

    @Test func feedIsWellFormedAndWhole() throws {
        let items = items()
        #expect(!items.isEmpty)
        let bytes = atomBytes(items, title: "Lantern & <Sons>", at: "apps/lantern/feed.xml", site: .sample())
        let tree = try #require(XMLTree(bytes))
        let ids = tree.all("id")
        #expect(ids.count == items.count + 1)
        #expect(Set(ids).count == ids.count)
        #expect(ids.first == "urn:plimsoll:feed:Quay%20%22apps%22/apps/lantern/feed.xml")
        #expect(ids.allSatisfy { $0.hasPrefix("urn:plimsoll:") })
        #expect(tree.all("updated").allSatisfy { Instant($0) != nil })
        #expect(tree.all("updated").dropFirst() == ArraySlice(tree.all("updated").dropFirst().sorted(by: >)))
        #expect(tree.all("title").count == items.count + 1)
        #expect(tree.all("name") == ["Quay \"apps\""])
        #expect(tree.all("summary").allSatisfy { !$0.isEmpty })
        #expect(tree.all(attribute: "href").allSatisfy { $0.hasPrefix("https://quay.example/") })
        #expect(tree.all(attribute: "xmlns") == ["http://www.w3.org/2005/Atom"])
    }

    @Test func withoutAnAddressLinksAreRelative() throws {
        let site = SiteFacts.sample { $0.baseURL = nil }
        let tree = try #require(
            XMLTree(atomBytes(items(), title: "x", at: "apps/lantern/feed.xml", site: site)))
        #expect(tree.all(attribute: "href").first == "../../apps/lantern/feed.xml")
        #expect(tree.all(attribute: "href").allSatisfy { $0.hasPrefix("../../") })
        #expect(
            tree.all("id").allSatisfy {
                $0.hasPrefix("urn:plimsoll:") && !$0.contains(" ") && !$0.contains("\"")
            })
    }

    /// The id of the feed too.
    @Test(arguments: ["https://b.example/", "https://quay.example/stab@lity/", nil])
    func idsOutliveAnotherAddress(url: String?) throws {
        let here = try #require(XMLTree(atomBytes(items(), title: "x", at: "feed.xml", site: .sample())))
        let there = try #require(
            XMLTree(atomBytes(items(), title: "x", at: "feed.xml", site: .sample { $0.baseURL = url })))
        #expect(here.all("id") == there.all("id"))
    }

    /// The feed leads to the page that it is of.
    @Test(arguments: [
        ("feed.xml", "https://quay.example/index.html"),
        ("apps/lantern/feed.xml", "https://quay.example/apps/lantern/index.html"),
    ])
    func feedHasAPage(path: String, page: String) throws {
        let tree = try #require(XMLTree(atomBytes([], title: "x", at: path, site: .sample())))
        #expect(tree.all(attribute: "rel") == ["self", "alternate"])
        #expect(tree.all(attribute: "href").last == page)
    }

    @Test func emptyFeedIsAFeed() throws {
        let tree = try #require(
            XMLTree(atomBytes([], title: "x", at: "feed.xml", site: .sample { $0.isDemo = true })))
        #expect(tree.all("title") == ["x (demo)"])
        #expect(tree.all("updated") == ["1970-01-01T00:00:00Z"])
    }

    @Test func sitemapListsWholeAddresses() throws {
        let site = SiteFacts.sample { $0.baseURL = "https://quay.example/a&b/" }
        let paths = [SitePath.portfolio, .app(App.harbour.id)]
        let tree = try #require(XMLTree(sitemapFiles(paths, site: site)[0].bytes))
        #expect(
            tree.all("loc") == [
                "https://quay.example/a&b/index.html", "https://quay.example/a&b/apps/harbour/index.html",
            ])
    }

    /// No file holds more addresses than the protocol allows; `sitemap.xml` names all of them.
    @Test(arguments: [(2, ["sitemap.xml"]), (1, ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"])])
    func aLongSitemapIsInParts(limit: Int, names: [String]) throws {
        let site = SiteFacts.sample { $0.baseURL = "https://quay.example/" }
        let files = sitemapFiles([.portfolio, .app(App.harbour.id)], site: site, limit: limit)
        #expect(files.map(\.name) == names)
        let trees = try files.map { try #require(XMLTree($0.bytes)) }
        let pages = trees.flatMap { $0.all("loc") }.filter { $0.hasSuffix(".html") }
        #expect(pages == ["https://quay.example/index.html", "https://quay.example/apps/harbour/index.html"])
        let parts = trees.flatMap { $0.all("loc") }.filter { $0.hasSuffix(".xml") }
        #expect(parts == names.dropLast().map { "https://quay.example/\($0)" })
    }

    @Test func sitemapWithoutAnAddressIsEmptyAndSaysWhy() throws {
        let bytes = sitemapFiles([.portfolio], site: .sample { $0.baseURL = nil }, limit: 0)[0].bytes
        #expect(try #require(XMLTree(bytes)).all("loc") == [])
        #expect(String(decoding: bytes, as: UTF8.self).contains("Set 'url' in plimsoll.yml"))
    }

    @Test(arguments: [
        (false, "https://a.example/", "User-agent: *\nDisallow: /\n"),
        (false, nil, "User-agent: *\nDisallow: /\n"),
        (true, "https://a.example/", "User-agent: *\nAllow: /\nSitemap: https://a.example/sitemap.xml\n"),
        (true, nil, "User-agent: *\nAllow: /\n"),
    ])
    func robotsMayNotListUnlessRequested(isIndexed: Bool, url: String?, text: String) {
        let bytes = robotsBytes(
            site: .sample {
                $0.isIndexed = isIndexed
                $0.baseURL = url
            })
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func statusHoldsVerdictsAndSources() throws {
        var broken = AppHistory.sample(.lantern)
        broken.sources[0].lastAttempt = FetchAttempt(
            at: SiteFacts.sample().asOf, outcome: .failed(.error("x", "no answer")))
        let digests = [AppHistory.sample(.harbour), broken].map {
            AppSummaryRow(AppAnalysis($0, targets: .standard, asOf: SiteFacts.sample().asOf))
        }
        let whole = try JSONDecoder().decode(
            WrittenStatus.self, from: Data(try statusBytes(digests, site: .sample())))
        #expect(whole.state == "degraded")
        #expect(whole.apps.map(\.id) == ["harbour", "lantern"])
        #expect(whole.apps.map(\.verdict) == ["critical", "critical"])
        #expect(whole.apps.map(\.dataThrough) == [CivilDate.last.description, CivilDate.last.description])
        #expect(whole.apps.map { $0.sources.map(\.state) } == [["loaded"], ["stale"]])
        let good = try statusBytes([digests[0]], site: .sample())
        #expect(try JSONDecoder().decode(WrittenStatus.self, from: Data(good)).state == "ok")
    }

    private struct WrittenStatus: Decodable {
        struct App: Decodable {
            let id: String
            let verdict: String
            let dataThrough: String
            let sources: [Source]
        }

        struct Source: Decodable { let state: String }

        let state: String
        let apps: [App]
    }
}
