import Markup
import Pages

/// `sitemap.xml` (sitemaps.org 0.9) of all HTML pages; the protocol wants whole addresses, so a site that has
/// none of its own gets a list without entries and a comment that says why.
func sitemapBytes(_ paths: [SitePath], site: SiteFacts) -> [UInt8] {
    var writer = ByteWriter(capacity: 256 + paths.count * 96)
    writer.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    if site.baseURL == nil {
        writer.append("<!-- Set 'url' in plimsoll.yml: a sitemap needs whole addresses. -->\n")
    }
    writer.append("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
    if let base = site.baseURL {
        for path in paths {
            writer.append("<url><loc>")
            writer.append(base + path.stem + ".html", escapedFor: .xml)
            writer.append("</loc></url>\n")
        }
    }
    writer.append("</urlset>\n")
    return writer.bytes
}

/// `robots.txt`: nothing may be listed unless the owner requested it.
func robotsBytes(site: SiteFacts) -> [UInt8] {
    let rule = site.isIndexed ? "Allow: /" : "Disallow: /"
    let map = site.isIndexed ? site.baseURL.map { "Sitemap: \($0)sitemap.xml\n" } ?? "" : ""
    return [UInt8]("User-agent: *\n\(rule)\n\(map)".utf8)
}
