import Analysis
import AppHealth
import Diagnostics
import Pages

/// A JSON Feed (version 1.1) of events; what changed last comes first. Its ids are those of the Atom feed, and so are its
/// texts: a reader shows them next to its own.
func jsonFeedBytes(
    _ items: [FeedItem], title: String, at path: String, site: SiteFacts
) throws(Diagnostics) -> [UInt8] {
    let feed = JSONFeed(
        title: withoutUnsafe(site.isDemo ? title + " (demo)" : title),
        home_page_url: address(pageOfFeed(path), from: path, site),
        feed_url: address(path, from: path, site),
        authors: [JSONFeed.Author(name: withoutUnsafe(site.title))],
        items: items.map { item in
            JSONFeed.Item(
                id: item.urn, url: address(item.path.stem + ".html", from: path, site),
                title: withoutUnsafe(item.title), content_text: withoutUnsafe(item.text),
                date_published: item.at.description,
                date_modified: item.updated.description, tags: [item.app.text, item.kind.rawValue])
        })
    return try jsonFile(feed)
}

/// The keys are those of the format.
private struct JSONFeed: Encodable {
    struct Author: Encodable {
        let name: String
    }

    struct Item: Encodable {
        let id: String
        let url: String
        let title: String
        let content_text: String
        let date_published: String
        let date_modified: String
        let tags: [String]
    }

    let version = "https://jsonfeed.org/version/1.1"
    let title: String
    let home_page_url: String
    let feed_url: String
    let authors: [Author]
    let language = "en"
    let items: [Item]
}
