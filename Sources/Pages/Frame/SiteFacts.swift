package import AppHealth

/// What all pages of a site share.
package struct SiteFacts: Sendable {
    /// The name of the site.
    package var title: String
    /// The instant of the report: the only clock that pages know.
    package var asOf: Instant
    /// Whether the figures are invented.
    package var isDemo: Bool
    /// The site's own address, when it has one, for text that leaves the site.
    package var baseURL: String?
    /// Whether search engines may list the pages.
    package var isIndexed: Bool
    /// The owner's own pages, for the navigation.
    package var contentPages: [(title: String, path: SitePath)]

    /// Makes the facts.
    package init(
        title: String, asOf: Instant, isDemo: Bool, baseURL: String?, isIndexed: Bool,
        contentPages: [(title: String, path: SitePath)]
    ) {
        self.title = title
        self.asOf = asOf
        self.isDemo = isDemo
        self.baseURL = baseURL
        self.isIndexed = isIndexed
        self.contentPages = contentPages
    }

    /// Links for text that leaves the site.
    package var outwardLinks: Links { baseURL.map(Links.absolute) ?? .absent }
}
