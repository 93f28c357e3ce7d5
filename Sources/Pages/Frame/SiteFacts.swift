package import Analysis
package import AppHealth
package import Markup

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
    /// Whether the site reports on apps; false for a site of pages alone.
    package var hasApps = true
    /// Who reads the site, and what it therefore leaves out.
    package var audience: Audience
    /// The dialect of the Markdown twins of the pages.
    package var markdown = MarkdownDialect.github
    /// What figures are called.
    package var labels = FigureLabels.standard
    /// The pages that stand in one file together; nil when every page is a file of its own.
    package var together: Set<SitePath>?

    /// Makes the facts.
    package init(
        title: String, asOf: Instant, isDemo: Bool, baseURL: String?, isIndexed: Bool,
        contentPages: [(title: String, path: SitePath)], audience: Audience = .team
    ) {
        self.title = title
        self.asOf = asOf
        self.isDemo = isDemo
        self.baseURL = baseURL
        self.isIndexed = isIndexed
        self.contentPages = contentPages
        self.audience = audience
        self.together = nil
    }

    /// Links for text that leaves the site.
    package var outwardLinks: Links { baseURL.map(Links.absolute) ?? .absent }

    /// Links from a page to others.
    package func links(from path: SitePath) -> Links {
        together.map { .within($0, base: baseURL) } ?? .relative(from: path)
    }
}
