import Markup
import Pages

/// The most addresses that the protocol allows in a file.
let sitemapLimit = 50_000

/// The files of the sitemap (sitemaps.org 0.9) of all HTML pages, by name. Where a file cannot hold them, `sitemap.xml`
/// lists others that do.
///
/// - Parameter limit: the most addresses in a file.
func sitemapFiles(
    _ paths: [SitePath], site: SiteFacts, limit: Int = sitemapLimit
) -> [(name: String, bytes: [UInt8])] {
    guard paths.count > limit, let base = site.baseURL else {
        return [("sitemap.xml", sitemapBytes(paths, site: site))]
    }
    let parts = stride(from: 0, to: paths.count, by: limit).enumerated().map { number, start in
        let part = paths[start..<min(start + limit, paths.count)]
        return ("sitemap-\(number + 1).xml", sitemapBytes(part, site: site))
    }
    let index = document("sitemapindex", of: parts.map { base + $0.0 }, each: "sitemap")
    return parts + [("sitemap.xml", index)]
}

/// A file of page addresses; the protocol wants whole ones, so a site that has none of its own gets a list without
/// entries and a comment that says why.
private func sitemapBytes(_ paths: some Collection<SitePath>, site: SiteFacts) -> [UInt8] {
    guard let base = site.baseURL else {
        return document(
            "urlset", of: [], each: "url",
            comment: "Set 'url' in plimsoll.yml: a sitemap needs whole addresses.")
    }
    return document("urlset", of: paths.lazy.map { base + $0.stem + ".html" }, each: "url")
}

private func document(
    _ root: String, of addresses: some Collection<String>, each element: String, comment: String? = nil
) -> [UInt8] {
    var writer = ByteWriter(capacity: 256 + addresses.count * 96)
    writer.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    if let comment { writer.append(raw: "<!-- \(comment) -->\n") }
    writer.append(raw: "<\(root) xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
    for address in addresses {
        writer.append(raw: "<\(element)><loc>")
        writer.append(address, escapedFor: .xml)
        writer.append(raw: "</loc></\(element)>\n")
    }
    writer.append(raw: "</\(root)>\n")
    return writer.bytes
}

/// `robots.txt`: nothing may be listed unless the owner requested it.
func robotsBytes(site: SiteFacts) -> [UInt8] {
    let rule = site.isIndexed ? "Allow: /" : "Disallow: /"
    let map = site.isIndexed ? site.baseURL.map { "Sitemap: \($0)sitemap.xml\n" } ?? "" : ""
    return [UInt8]("User-agent: *\n\(rule)\n\(map)".utf8)
}
