package import Analysis
package import AppHealth
package import Markup
package import Settings
package import Templates

/// What all pages of a site share.
package struct SiteFacts: Sendable {
    /// The name of the site.
    package var title: String
    /// The instant of the report: the only clock that pages know.
    package var asOf: Instant
    /// Whether the figures are made up.
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
    /// Who reads the site that is published, where a text is for others: they know its issues by other addresses.
    package var publishedReader: Audience.Reader?
    /// The dialect of the Markdown versions of the pages.
    package var markdown = MarkdownDialect.github
    /// What is next to its pages.
    package var outputs = Outputs.standard
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
    package var outwardLinks: Links {
        let leadsToIssues = publishedReader == nil || publishedReader == audience.reader
        return baseURL.map { .absolute(base: $0, leadsToIssues: leadsToIssues) } ?? .absent
    }

    /// Links from a page to others.
    package func links(from path: SitePath) -> Links {
        together.map { .within($0, base: baseURL) } ?? .relative(from: path)
    }
}

/// A page with a frame around it.
package protocol FramedPage: TemplateModel {
    /// What is around the page.
    var frame: Frame { get set }
}

extension PortfolioPage: FramedPage {}
extension ListPage: FramedPage {}
extension AppPage: FramedPage {}
extension ActivityPage: FramedPage {}
extension IssuesPage: FramedPage {}
extension IssuePage: FramedPage {}
extension ReleasesPage: FramedPage {}
extension ReleasePage: FramedPage {}
extension ComparePage: FramedPage {}
extension DayPage: FramedPage {}
extension UsagePage: FramedPage {}
extension MethodsPage: FramedPage {}
extension SourcesPage: FramedPage {}
extension NotFoundPage: FramedPage {}
extension ContentPage: FramedPage {}

/// How a page writes the addresses of other pages.
package enum Links: Sendable {
    /// Relative to the page, so that a site works from any folder and from `file://`.
    case relative(from: SitePath)
    /// Under the site's own address, for text that leaves the site, such as release notes.
    /// The published site may have no page at the address that an issue has in the text.
    case absolute(base: String, leadsToIssues: Bool = true)
    /// Within a file that holds several pages, each under its address as an anchor; to other pages as `absolute`,
    /// and nowhere when the site has no address.
    case within(Set<SitePath>, base: String?)
    /// There is nothing to link to.
    case absent

    /// The address of a page without its ending; nil when there is nothing to link to.
    package func stem(to target: SitePath) -> String? {
        switch self {
        case .relative(let page): target.stem(from: page)
        case .absolute(let base, _): base.hasSuffix("/") ? base + target.stem : base + "/" + target.stem
        case .within(let pages, let base):
            pages.contains(target)
                ? "#" + target.stem : base.flatMap { Links.absolute(base: $0).stem(to: target) }
        case .absent: nil
        }
    }

    /// The address of a file of the site, by its path from the top; nil when there is nothing to link to.
    func address(ofFile path: String) -> String? {
        switch self {
        case .relative(let page): page.root + path
        case .absolute(let base, _): base.hasSuffix("/") ? base + path : base + "/" + path
        case .within(_, let base): base.flatMap { Links.absolute(base: $0).address(ofFile: path) }
        case .absent: nil
        }
    }

    /// Whether the pages of issues are where links would lead.
    var leadsToIssues: Bool { if case .absolute(_, let leads) = self { leads } else { true } }
}
