import Cryptography

/// When a file is sent, among those of its publication: what pages need before the pages, and what leads to pages
/// after them.
package enum PublicationStage: Sendable, CaseIterable {
    /// Style sheets, drawings, data, whatever else pages need.
    case assets
    /// Pages in HTML and Markdown.
    case pages
    /// The pages at the top of the site, where readers begin.
    case entryPages
    /// What programs read to learn of new pages: feeds, indexes, states.
    case feeds
    /// The manifest of the site.
    case manifest

    /// The order of files that are not there yet: with an entry page the first readers come, and whatever it leads to
    /// must be there.
    static let ofNewFiles: [PublicationStage] = [.assets, .feeds, .pages, .entryPages, .manifest]

    /// The stage of a file by its path.
    package init(_ path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let isAtTop = !path.contains("/")
        let isPage = name.hasSuffix(".html") || name.hasSuffix(".md")
        self =
            if path == SiteFolder.manifest {
                .manifest
            } else if ["feed.xml", "feed.json"].contains(name) || isAtTop && isTopIndex(name) {
                .feeds
            } else if isPage {
                isAtTop ? .entryPages : .pages
            } else {
                .assets
            }
    }
}

private func isTopIndex(_ name: String) -> Bool {
    ["sitemap.xml", "robots.txt", "status.json", "llms.txt"].contains(name)
        || name.hasPrefix("sitemap-") && name.hasSuffix(".xml")
}

/// Whether the name of a file changes with its bytes: `assets/style.0a1b2c3d4e.css`. Such a file may be kept by
/// browsers for good, and pages that readers still have open may need it after the site has dropped it.
package func isFingerprinted(_ path: String) -> Bool {
    guard path.hasPrefix("assets/"), let name = path.split(separator: "/").last else { return false }
    return name.split(separator: ".").dropFirst().contains { part in
        part.utf8.count == 10 && part.utf8.allSatisfy(isLowerHexadecimal)
    }
}
