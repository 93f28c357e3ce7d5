import AppHealth
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

/// The name of a feed. The address of the site is no part of it, so that it stays when the site moves.
private func feedID(_ path: String, _ site: SiteFacts) -> String {
    "urn:plimsoll:feed:" + urnText(site.title + "/" + path)
}
