import Analysis
import AppHealth
import Diagnostics
import Foundation
import Markup
import Pages

/// An Atom feed (RFC 4287) of events; what changed last comes first.
///
/// Ids are URNs of the permanent names of the events, and of the feed, so they outlive a change of the site's address.
func atomBytes(_ items: [FeedItem], title: String, at path: String, site: SiteFacts) -> [UInt8] {
    // Earlier than any entry to come: a feed without one has nothing that could be new.
    let updated = items.map(\.updated).max() ?? Instant(startOf: CivilDate(daysSinceEpoch: 0))
    var writer = ByteWriter(capacity: 512 + items.count * 512)
    writer.append(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
    element("id", feedID(path, site), &writer)
    element("title", site.isDemo ? title + " (demo)" : title, &writer)
    element("updated", updated.description, &writer)
    element("generator", "plimsoll", &writer)
    writer.append("<author>")
    element("name", site.title, &writer)
    writer.append("</author>\n")
    link(address(path, from: path, site), relation: "self", &writer)
    link(address(pageOfFeed(path), from: path, site), relation: "alternate", &writer)
    for item in items {
        writer.append("<entry>\n")
        element("id", item.urn, &writer)
        element("title", item.title, &writer)
        element("published", item.at.description, &writer)
        element("updated", item.updated.description, &writer)
        link(address(item.path.stem + ".html", from: path, site), relation: "alternate", &writer)
        element("summary", item.text, &writer)
        writer.append("</entry>\n")
    }
    writer.append("</feed>\n")
    return writer.bytes
}

/// The page that a feed is of: the one in its folder.
private func pageOfFeed(_ path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return folder + "index.html"
}

private func element(_ name: StaticString, _ text: String, _ writer: inout ByteWriter) {
    writer.append("<")
    writer.append(name)
    writer.append(">")
    writer.append(text, escapedFor: .xml)
    writer.append("</")
    writer.append(name)
    writer.append(">\n")
}

private func link(_ address: String, relation: String, _ writer: inout ByteWriter) {
    writer.append("<link rel=\"")
    writer.append(relation, escapedFor: .xml)
    writer.append("\" href=\"")
    writer.append(address, escapedFor: .xml)
    writer.append("\"/>\n")
}

/// Under the site's own address when it has one, else from the folder of the feed.
func address(_ target: String, from path: String, _ site: SiteFacts) -> String {
    if let base = site.baseURL { return base + target }
    return String(repeating: "../", count: path.count { $0 == "/" }) + target
}

/// The name of a feed. The address of the site is no part of it, so that it stays when the site moves.
private func feedID(_ path: String, _ site: SiteFacts) -> String {
    "urn:plimsoll:feed:" + urnText(site.title + "/" + path)
}

extension FeedItem {
    /// Its permanent name.
    var urn: String { "urn:plimsoll:" + urnText(id) }
}

/// The characters that a URN may have (RFC 8141); the others are percent-encoded.
private func urnText(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        let scalar = Unicode.Scalar(byte)
        let isPlain =
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        if isPlain || "-._~/:@".unicodeScalars.contains(scalar) {
            result.unicodeScalars.append(scalar)
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            result += "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
    return result
}

/// A JSON Feed (version 1.1) of events; what changed last comes first. Its ids are those of the Atom feed.
func jsonFeedBytes(
    _ items: [FeedItem], title: String, at path: String, site: SiteFacts
) throws(Diagnostics) -> [UInt8] {
    let feed = JSONFeed(
        title: site.isDemo ? title + " (demo)" : title,
        home_page_url: address(pageOfFeed(path), from: path, site),
        feed_url: address(path, from: path, site), authors: [JSONFeed.Author(name: site.title)],
        items: items.map { item in
            JSONFeed.Item(
                id: item.urn, url: address(item.path.stem + ".html", from: path, site), title: item.title,
                content_text: item.text, date_published: item.at.description,
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
