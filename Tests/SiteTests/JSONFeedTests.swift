import Analysis
import AppHealth
import Formatting
import Foundation
import Pages
import Testing

@testable import Site

struct JSONFeedTests {
    private struct WrittenFeed: Decodable {
        struct Item: Decodable {
            let id: String
            let url: String
            let title: String
            let content_text: String
            let date_published: String
            let date_modified: String
            let tags: [String]
        }

        let version: String
        let title: String
        let home_page_url: String
        let feed_url: String
        let items: [Item]
    }

    private let items = AppSummaryRow(
        AppAnalysis(.sample(.lantern), targets: .standard, asOf: SiteFacts.sample().asOf)
    ).feed

    private func written(_ site: SiteFacts = .sample()) throws -> WrittenFeed {
        let bytes = try jsonFeedBytes(
            items, title: "Lantern & <Sons>", at: "apps/lantern/feed.json", site: site)
        return try JSONDecoder().decode(WrittenFeed.self, from: Data(bytes))
    }

    @Test func feedHasWhatTheFormatRequires() throws {
        let feed = try written()
        #expect(feed.version == "https://jsonfeed.org/version/1.1")
        #expect(feed.title == "Lantern & <Sons>")
        #expect(feed.home_page_url == "https://quay.example/apps/lantern/index.html")
        #expect(feed.feed_url == "https://quay.example/apps/lantern/feed.json")
        #expect(!feed.items.isEmpty && feed.items.count == items.count)
        #expect(Set(feed.items.map(\.id)).count == feed.items.count)
        for item in feed.items {
            #expect(item.url.hasPrefix("https://quay.example/") && item.url.hasSuffix(".html"))
            #expect(!item.title.isEmpty && !item.content_text.isEmpty)
            #expect(item.tags.first == "lantern" && item.tags.count == 2)
            let (published, modified) = (Instant(item.date_published), Instant(item.date_modified))
            #expect(published != nil && modified.map { $0 >= published ?? $0 } == true)
        }
    }

    /// As in the Atom feed: a reader decodes what JSON writes as `\u202e`.
    @Test func nothingTurnsTheDirectionOfWriting() throws {
        let marked = try items.map { item in
            let text = String(decoding: try JSONEncoder().encode(item), as: UTF8.self)
            return try JSONDecoder().decode(
                FeedItem.self, from: Data(text.replacing("Lantern", with: "Lan\u{202E}tern").utf8))
        }
        #expect(marked.map(\.title) != items.map(\.title))
        let bytes = try jsonFeedBytes(
            marked, title: "Lantern \u{202E}& <Sons>\u{2067}", at: "apps/lantern/feed.json", site: .sample())
        let (feed, plain) = (try JSONDecoder().decode(WrittenFeed.self, from: Data(bytes)), try written())
        #expect(feed.title == plain.title && feed.items.map(\.title) == plain.items.map(\.title))
        #expect(feed.items.map(\.content_text) == plain.items.map(\.content_text))
    }

    /// Both feeds name an event alike and know the same times.
    @Test func bothFeedsStateTheSame() throws {
        let atom = try #require(
            XMLTree(atomBytes(items, title: "x", at: "apps/lantern/feed.xml", site: .sample())))
        let feed = try written()
        #expect(feed.items.map(\.id) == Array(atom.all("id").dropFirst()))
        #expect(feed.items.map(\.date_modified) == Array(atom.all("updated").dropFirst()))
        #expect(feed.items.map(\.date_published) == atom.all("published"))
        #expect(feed.items.map(\.content_text) == atom.all("summary"))
        #expect(atom.all("updated").first == atom.all("updated").dropFirst().max())
    }

    @Test func withoutAnAddressLinksAreRelativeAndIdsStay() throws {
        let feed = try written(.sample { $0.baseURL = nil })
        #expect(feed.items.allSatisfy { $0.url.hasPrefix("../../") })
        #expect(feed.items.map(\.id) == (try written().items.map(\.id)))
        #expect(try written(.sample { $0.isDemo = true }).title == "Lantern & <Sons> (demo)")
    }

    @Test func badgeIsWhatShieldsExpects() throws {
        let report = AppAnalysis(.sample(.harbour), targets: .standard, asOf: SiteFacts.sample().asOf)
        let bytes = try badgeBytes(BadgeDocument(report.lastDay, report.stability, report.facts))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(object["schemaVersion"] as? Int == 1)
        #expect(object["label"] as? String == "crash-free users")
        #expect((object["message"] as? String)?.hasSuffix(" · \(report.lastDay.date.shortText)") == true)
        #expect(object["isError"] as? Bool == false)
        #expect((object["color"] as? String)?.count == 6)
    }

    @Test func indexForProgramsListsWhatIsThere() async throws {
        let folder = try TemporaryFolder()
        var input = try sampleInput(folder.path + "/site")
        input.schemas = installedThemes + "/../Content/schema"
        _ = try await build(input)
        let tree = try folder.tree("site")
        let index = try #require(tree["llms.txt"])
        #expect(index.hasPrefix("# Quay \"apps\"\n"))
        #expect(index.contains("## Lantern &amp; &lt;Sons&gt;\n"))
        let links = index.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
        #expect(links.count > 15 && Set(links).count == links.count)
        for link in links { #expect(tree[link] != nil, "\(link)") }
        #expect(
            tree.keys.filter { $0.hasPrefix("schema/") }.sorted() == [
                "schema/data-1.schema.json", "schema/snapshot-1.schema.json", "schema/status-1.schema.json",
            ])
        #expect(links.filter { $0.hasPrefix("schema/") }.count == 3)
        // It holds no figures: another night changes nothing.
        var later = input
        later.output = folder.path + "/later"
        later.facts.asOf = later.facts.asOf.advanced(bySeconds: 86_400)
        _ = try await build(later)
        #expect(try folder.tree("later")["llms.txt"] == index)
    }
}
